"""What every structure can be asked: whether links are its own, its parts, what a node is in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from collectives.schedule.columns import Integers
from collectives.schedule.step import Matrix
from collectives.structure.traffic import Links, Traffic
from collectives.words import Worded, listed, plural

Nodes = tuple[int, ...]
Name = Callable[[int], str]  # what a node is called
MOST_NAMED = 8  # nodes in a sentence


@dataclass(frozen=True)
class StructureParts:
    """The parts of a structure by name, and of each link the number of its part, -1 for none.

    `number(src, dst)` takes arrays of sources and destinations. slow: whether the later parts are
    the slow network of a machine.
    """

    names: tuple[str, ...]
    number: Callable[[Integers, Integers], Integers]
    slow: bool = False


@dataclass(frozen=True)
class Structure:
    """What an algorithm's links are; numbers are those of nodes: ranks, then helpers.

    All values are hashable.
    """

    @property
    def kind(self) -> str:
        """The name of the kind: "ring", "two-trees"."""
        return re.sub("(?<=[a-z])(?=[A-Z])", "-", type(self).__name__).lower()

    def agrees(self, traffic: Traffic) -> bool:
        """Whether every link in use belongs to the structure, and every link of it is in use."""
        return covers(*self.ways(traffic.ranks), traffic.links)

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """Links that go one way, and links of which either way is in use, or both."""
        raise NotImplementedError

    def parts(self) -> StructureParts:
        """Levels of a machine or a tree, dimensions of a grid, distances of a row; else none."""
        return StructureParts((), lambda a, b: np.full(np.shape(a), -1))

    def role(self, node: int, name: Name) -> str:
        """What a node is, as "root of the tree, parent of ranks 1 and 2"; nothing where no word is.

        name: what a node is called.
        """
        return ""

    def group_noun(self, matrix: Matrix) -> str:
        """What each row of a matrix of ranks is; nothing where there is no word for it."""
        return ""

    def alike(self, structure: Structure | None) -> bool:
        """Whether the same algorithm may have both, on different numbers of ranks."""
        return type(self) is type(structure)


@dataclass(frozen=True)
class Loose(Structure):
    """Links of no particular shape: (source, destination), in ascending order."""

    links: tuple[tuple[int, int], ...]

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """All links."""
        return links_of(self.links), links_of()


def links_of(links: Iterable[Sequence[int]] = ()) -> Links:
    """Links as an array.

    >>> links_of([(0, 1), (2, 0)]).shape, links_of().shape
    ((2, 2), (0, 2))
    """
    return np.array(list(links), np.intp).reshape(-1, 2)


def covers(arcs: Links, edges: Links, used: Links) -> bool:
    """Whether links in use are these arcs, all of them, and edges either way, each of them.

    >>> covers(links_of([(0, 1)]), links_of([(1, 2)]), links_of([(0, 1), (2, 1)]))
    True
    """
    nodes = 1 + max(int(links.max(initial=0)) for links in (arcs, edges, used))
    forward, there, links = (pair[:, 0] * nodes + pair[:, 1] for pair in (arcs, edges, used))
    back = edges[:, 1] * nodes + edges[:, 0]
    known = np.isin(links, np.concatenate([forward, there, back])).all()
    needed = np.isin(forward, links).all() and (np.isin(there, links) | np.isin(back, links)).all()
    return bool(known and needed)


def named(nodes: Sequence[int], name: Name) -> str:
    """As "ranks 2 and 3", "rank 2 and switch 0", "12 others"."""
    if len(nodes) > MOST_NAMED:
        return Worded("{number} others", number=len(nodes))
    names = [name(node) for node in nodes]
    nouns = {noun for noun, _, _ in (text.partition(" ") for text in names)}
    if len(names) < 2 or len(nouns) > 1:
        return listed(names)
    noun = plural(2, nouns.pop()).removeprefix("2 ")
    numbers = listed([text.partition(" ")[2] for text in names])
    return Worded(f"{noun} {{numbers}}", numbers=numbers)
