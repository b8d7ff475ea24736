"""What is counted by structure: bytes by level, dimension or distance, and ranks that idle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from collectives.schedule.columns import Integers
from collectives.structure import kinds
from collectives.structure.kinds import Nodes
from collectives.structure.traffic import Traffic

LEVELS = ("within nodes", "between nodes", "between racks")
SIDES = ("across planes", "along columns", "along rows")  # of a grid, the last dimension last


@dataclass(frozen=True)
class StructureParts:
    """The parts of a structure by name, and of each link the number of its part, -1 for none.

    `number(src, dst)` takes arrays of sources and destinations. slow: whether the later parts are
    the slow network of a machine.
    """

    names: tuple[str, ...]
    number: Callable[[Integers, Integers], Integers]
    slow: bool = False


def parts_of(structure: kinds.Structure) -> StructureParts:
    """The levels of a machine or a tree, dimensions of a grid, distances of a row; else no parts.

    >>> from collectives.structure import Torus
    >>> parts = parts_of(Torus((2, 3)))
    >>> parts.names, parts.number(np.array([0, 0, 0]), np.array([1, 3, 4]))
    (('along columns', 'along rows'), array([ 1,  0, -1]))
    """
    match structure:
        case kinds.Groups() | kinds.Exchange((_, *_)):
            homes = list(_homes(structure))
            return StructureParts(LEVELS[: len(homes) + 1], lambda a, b: _level(homes, a, b), True)
        case kinds.Torus(shape):
            return StructureParts(_sides(len(shape)), lambda a, b: _axis(shape, a, b))
        case kinds.Tree(parent) | kinds.Switches(parent):
            depth = np.array(depths(parent))
            names = tuple(f"level {level}" for level in range(1, max(depth, default=0) + 1))
            return StructureParts(names, lambda a, b: np.maximum(depth[a], depth[b]) - 1)
        case kinds.Cube():
            hops = np.unique([hop for step in structure.distances for hop in step]).astype(np.intp)
            names = tuple(f"{hop} apart" for hop in hops.tolist())
            return StructureParts(names, lambda a, b: _hop(structure, hops, a, b))
    return StructureParts((), lambda a, b: np.full(np.shape(a), -1))


def bytes_by_part(structure: kinds.Structure, links: Integers, moved: Integers) -> dict[str, int]:
    """Bytes over each part of a structure; `links` is [link, 2], `moved` the bytes over each."""
    parts = parts_of(structure)
    number = parts.number(links[:, 0], links[:, 1])
    order = np.argsort(number, kind="stable")
    ends = np.searchsorted(number[order], np.arange(len(parts.names) + 1))
    shares = [moved[order[begin:end]].tolist() for begin, end in pairwise(ends.tolist())]
    return {name: sum(share) for name, share in zip(parts.names, shares, strict=True)}


def idle_ranks(traffic: Traffic) -> tuple[int, ...]:
    """How many ranks neither send nor receive, in each step in which a message travels.

    >>> idle_ranks(Traffic(3, 4, (frozenset({(0, 3)}), frozenset({(3, 1), (3, 2)}))))
    (2, 1)
    """
    idle = {}
    for links in set(traffic.steps):
        busy = {node for link in links for node in link if node < traffic.ranks}
        idle[links] = traffic.ranks - len(busy)
    return tuple(idle[links] for links in traffic.steps)


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


def _homes(structure: kinds.Groups | kinds.Exchange) -> Sequence[Integers]:
    """For each level of groups the group of every node, those of the lowest level first."""
    members = structure.members if isinstance(structure, kinds.Groups) else structure.groups
    home = np.full(1 + max(max(group) for group in members), -1)
    for number, group in enumerate(members):
        home[list(group)] = number
    between = structure.between if isinstance(structure, kinds.Groups) else None
    above = _homes(between) if isinstance(between, kinds.Groups) else ()
    return [home, *(upper[home] for upper in above)]


def _level(homes: Sequence[Integers], src: Integers, dst: Integers) -> Integers:
    """On how many levels two nodes are in different groups."""
    levels: Integers = np.sum([home[src] != home[dst] for home in homes], axis=0)
    return levels


def _sides(dimensions: int) -> tuple[str, ...]:
    if dimensions <= len(SIDES):
        return SIDES[len(SIDES) - dimensions :]
    return tuple(f"dimension {axis}" for axis in range(1, dimensions + 1))


def _axis(shape: tuple[int, ...], src: Integers, dst: Integers) -> Integers:
    """The one dimension in which two ranks of a grid differ, -1 where it is not one."""
    coordinates = (np.unravel_index(end, shape) for end in (src, dst))
    differ = np.array([a != b for a, b in zip(*coordinates, strict=True)])
    found: Integers = np.where(differ.sum(axis=0) == 1, differ.argmax(axis=0), -1)
    return found


def _hop(cube: kinds.Cube, hops: Integers, src: Integers, dst: Integers) -> Integers:
    """The distance of partners on a row, as a place in `hops`; -1 where there is none."""
    seats = len(cube.row)
    seat = np.full(1 + max(*cube.row, *(max(pair) for pair in cube.folded), 0), -1)
    seat[list(cube.row)] = np.arange(seats)
    one, other = seat[src], seat[dst]
    distance = abs(one - other)
    if cube.circular:
        distance = np.minimum(distance, seats - distance)
    place = np.searchsorted(hops, distance)
    known = (one >= 0) & (other >= 0) & np.isin(distance, hops)
    found: Integers = np.where(known, place, -1)
    return found
