"""Trees: of ranks, of switches above ranks, and two at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collectives.structure.base import (
    Name,
    Nodes,
    Structure,
    StructureParts,
    covers,
    links_of,
    named,
)
from collectives.structure.traffic import Links, Traffic
from collectives.words import Worded, linked


@dataclass(frozen=True)
class Tree(Structure):
    """Data goes up to the root, down from it, or both: `parent` of each node, -1 at the root."""

    parent: Nodes

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """Between each node and its parent."""
        return links_of(), edges_of(self.parent)

    def parts(self) -> StructureParts:
        """Its levels."""
        depth = np.array(depths(self.parent))
        names = tuple(f"level {level}" for level in range(1, max(depth, default=0) + 1))
        return StructureParts(names, lambda a, b: np.maximum(depth[a], depth[b]) - 1)

    def role(self, node: int, name: Name) -> str:
        """Whose child it is, and whose parent."""
        return _in_tree(self.parent, node, name)


@dataclass(frozen=True)
class Switches(Tree):
    """A tree in the network: the parent of each node, ranks first, then switches; -1 at tops."""


@dataclass(frozen=True)
class TwoTrees(Structure):
    """Two trees of the same nodes, each of which carries chunks of its own.

    parents: of each node in either tree, -1 at the root. chunks: the numbers of the chunks that
    either tree carries.
    """

    parents: tuple[Nodes, Nodes]
    chunks: tuple[Nodes, Nodes]

    def agrees(self, traffic: Traffic) -> bool:
        """Whether every chunk uses all links of its tree and no others."""
        both = zip(self.parents, self.chunks, strict=True)
        ways = {chunk: edges_of(parent) for parent, chunks in both for chunk in chunks}
        return all(
            chunk in ways and covers(links_of(), ways[chunk], links)
            for chunk, links in traffic.by_chunk.items()
        )

    def role(self, node: int, name: Name) -> str:
        """What it is in each."""
        both = (_in_tree(parent, node, name) for parent in self.parents)
        pattern = "in tree {letter}: {role}"
        in_each = (
            Worded(pattern, letter=at, role=role) for at, role in zip("AB", both, strict=True)
        )
        return linked(in_each, "; ")


def edges_of(parent: Nodes) -> Links:
    """The links of a tree.

    >>> edges_of((1, -1, 0)).tolist()
    [[0, 1], [2, 0]]
    """
    return links_of((node, above) for node, above in enumerate(parent) if above >= 0)


def depths(parent: Nodes) -> Nodes:
    """How many hops each node of a tree is away from the root.

    >>> depths((1, -1, 0))
    (1, 0, 2)
    """
    depth = {-1: -1}
    for start in range(len(parent)):
        path = [start]
        while path[-1] not in depth:
            path.append(parent[path[-1]])
        top = depth[path[-1]]
        for up, node in enumerate(reversed(path)):
            depth[node] = top + up
    return tuple(depth[node] for node in range(len(parent)))


def _in_tree(parent: Nodes, node: int, name: Name) -> str:
    children = [child for child, above in enumerate(parent) if above == node]
    above = "child of {parent}" if parent[node] >= 0 else "root of the tree"
    below = "parent of {children}" if children else "a leaf"
    ends = {"parent": name(parent[node]) if parent[node] >= 0 else ""}
    return Worded(f"{above}, {below}", **ends, children=named(children, name))
