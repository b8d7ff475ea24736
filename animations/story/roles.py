"""What each node is in the structure of an algorithm, in words: "parent of ranks 2 and 3"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from collectives.recording.recording import Recording
from collectives.structure import (
    Cube,
    Groups,
    Line,
    Ring,
    Star,
    Structure,
    Switches,
    Torus,
    Tree,
    TwoTrees,
)
from collectives.structure.kinds import Nodes
from collectives.words import listed, plural

MOST_NAMED = 8  # nodes in a sentence
Name = Callable[[int], str]


def roles_of(recording: Recording, name: Name) -> tuple[str, ...]:
    """For each node a sentence, or nothing; `name` gives what a node is called."""
    structure = recording.structure
    return tuple(_role(structure, node, name) for node in range(recording.nodes))


def _role(structure: Structure, node: int, name: Name) -> str:
    """The sentence without its end, as "root of the tree, parent of ranks 1 and 2"."""
    match structure:
        case Tree(parent) | Switches(parent):
            return _in_tree(parent, node, name, "tree")
        case TwoTrees((one, other)):
            parts = (_in_tree(one, node, name, "tree"), _in_tree(other, node, name, "tree"))
            return "; ".join(
                f"in tree {letter}: {part}" for letter, part in zip("AB", parts, strict=True)
            )
        case Ring(orders):
            return _in_rings(orders, node, name)
        case Line(order) if node in order:
            return _in_line(order, node, name)
        case Star(hubs):
            return _in_star(hubs, node, name)
        case Torus(shape):
            return _in_grid(shape, node)
        case Groups(members):
            return _in_group(members, node, name)
        case Cube(folded=folded):
            return _folded(folded, node, name)
    return ""


def _in_tree(parent: Nodes, node: int, name: Name, noun: str) -> str:
    children = [child for child, above in enumerate(parent) if above == node]
    above = f"child of {name(parent[node])}" if parent[node] >= 0 else f"root of the {noun}"
    return f"{above}, parent of {_named(children, name)}" if children else f"{above}, a leaf"


def _in_rings(orders: Sequence[Nodes], node: int, name: Name) -> str:
    """Neighbors in the order in which data travels; of many rings only those in the first."""
    if node not in orders[0]:
        return ""
    at = orders[0].index(node)
    before, after = (orders[0][(at + by) % len(orders[0])] for by in (-1, 1))
    if before == after:
        return f"neighbor of {name(after)}"
    if {turned(order) for order in orders} == {turned(orders[0]), turned(orders[0][::-1])}:
        return f"between {name(before)} and {name(after)} on the ring"
    ring = "the ring" if len(orders) == 1 else f"the first of {len(orders)} rings"
    return f"after {name(before)} and before {name(after)} on {ring}"


def turned(order: Nodes) -> Nodes:
    """A ring's order from its smallest node on."""
    at = order.index(min(order))
    return order[at:] + order[:at]


def _in_line(order: Nodes, node: int, name: Name) -> str:
    at = order.index(node)
    before = f"after {name(order[at - 1])}" if at else "first of the line"
    after = f"before {name(order[at + 1])}" if at + 1 < len(order) else "last of the line"
    return f"{before}, {after}"


def _in_star(hubs: Nodes, node: int, name: Name) -> str:
    if len(hubs) > MOST_NAMED or (set(hubs) >= {node} and len(hubs) > 1):
        return "linked with all others"
    return (
        "the hub, linked with all others" if node in hubs else f"linked with {_named(hubs, name)}"
    )


def _in_grid(shape: Sequence[int], node: int) -> str:
    coordinates = []
    for size in reversed(shape):
        coordinates.append(node % size)
        node //= size
    at = ", ".join(map(str, reversed(coordinates)))
    return f"at ({at}) of the {' × '.join(map(str, shape))} grid, each from 0"


def _in_group(members: Sequence[Nodes], node: int, name: Name) -> str:
    for number, group in enumerate(members):
        if node in group:
            others = [other for other in group if other != node]
            return f"in node {number}, with {_named(others, name)}" if others else ""
    return ""


def _folded(folded: Sequence[tuple[int, int]], node: int, name: Name) -> str:
    for away, partner in folded:
        if node in (away, partner):
            return f"folded into {name(partner)}" if node == away else f"stands in for {name(away)}"
    return ""


def _named(nodes: Sequence[int], name: Name) -> str:
    """As "ranks 2 and 3", "rank 2 and switch 0", "12 others"."""
    if len(nodes) > MOST_NAMED:
        return f"{len(nodes)} others"
    names = [name(node).split(" ") for node in nodes]
    nouns = {noun for noun, _ in names}
    if len(names) < 2 or len(nouns) > 1:
        return listed([" ".join(words) for words in names])
    noun = plural(2, nouns.pop()).removeprefix("2 ")
    return f"{noun} {listed([number for _, number in names])}"
