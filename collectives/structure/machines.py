"""What runs on machines of nodes, and on grids: groups, exchanges of blocks, tori."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from collectives.schedule.columns import Integers
from collectives.schedule.step import Matrix
from collectives.structure.base import Name, Nodes, Structure, StructureParts, links_of, named
from collectives.structure.traffic import Links, Traffic
from collectives.words import Worded

LEVELS = ("within nodes", "between nodes", "between racks")
SIDES = ("across planes", "along columns", "along rows")  # of a grid, the last dimension last
LINES = ("stack", "column", "row")  # of the last dimensions of a grid


@dataclass(frozen=True)
class Groups(Structure):
    """The ranks of each node of a machine, fast inside and slow between.

    members: of each group, all of one length; a switch that a group has to itself comes last.
    inside: the structure within every group, whose nodes are places in `members[k]`. between: the
    structure between groups, whose nodes are the numbers of groups. rails: the places whose
    members are linked between groups, each with those at the same place. Where there are three
    levels `between` is Groups itself. Either is None where nothing simple runs there.
    """

    members: tuple[Nodes, ...]
    inside: Structure | None = None
    between: Structure | None = None
    rails: Nodes = ()

    def agrees(self, traffic: Traffic) -> bool:
        """Whether what runs inside and between agrees, and all groups and rails are in use."""
        parts = split(self.members, traffic)
        if parts is None:
            return False
        inside, between, rails = parts
        (home,) = homes(self.members)
        src, dst = home[traffic.links].T
        return (
            (self.inside is None or self.inside.agrees(inside))
            and (self.between is None or self.between.agrees(between))
            and (not len(between.links) or rails == self.rails)
            and len(np.unique(src[src == dst])) in (0, len(self.members))
        )

    def parts(self) -> StructureParts:
        """Its levels."""
        return _levels(homes(self.members, self.between))

    def role(self, node: int, name: Name) -> str:
        """In which node it is, and with whom."""
        for number, group in enumerate(self.members):
            if node in group:
                others = [member for member in group if member != node]
                pattern = "in node {number}, with {others}"
                return Worded(pattern, number=number, others=named(others, name)) if others else ""
        return ""

    def group_noun(self, matrix: Matrix) -> str:
        """A node, where each row is of one group; else a rail."""
        inside = [{*row} <= {*members} for row in matrix for members in self.members]
        return "" if not matrix else "node" if sum(inside) == len(matrix) else "rail"


@dataclass(frozen=True)
class RoutedGroups(Groups):
    """Groups in which those ranks are linked that have something for each other, as data says."""

    def agrees(self, traffic: Traffic) -> bool:
        """Whether links between groups are of one place: which of them there are is not known."""
        return split(self.members, traffic) is not None


@dataclass(frozen=True)
class Exchange(Structure):
    """Every rank has a block for every other one. groups: ranks of each node of the machine."""

    groups: tuple[Nodes, ...] = ()

    def agrees(self, traffic: Traffic) -> bool:
        """Whether links fit the groups: else it is what it moves."""
        return not self.groups or split(self.groups, traffic) is not None

    def parts(self) -> StructureParts:
        """The levels of the machine."""
        return _levels(homes(self.groups)) if self.groups else super().parts()


@dataclass(frozen=True)
class Torus(Structure):
    """A grid of ranks, numbered row by row: every line of every dimension is a ring."""

    shape: tuple[int, ...]

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """From each rank to the next along every dimension."""
        rank = np.arange(prod(self.shape)).reshape(self.shape)
        ends = [
            np.stack([rank.ravel(), np.roll(rank, -1, axis).ravel()], axis=1)
            for axis, size in enumerate(self.shape)
            if size > 1
        ]
        return links_of(), np.concatenate([links_of(), *ends])

    def parts(self) -> StructureParts:
        """Its dimensions.

        >>> parts = Torus((2, 3)).parts()
        >>> parts.names, parts.number(np.array([0, 0, 0]), np.array([1, 3, 4]))
        (('along columns', 'along rows'), array([ 1,  0, -1]))
        """
        dimensions = len(self.shape)
        names = SIDES[len(SIDES) - dimensions :] if dimensions <= len(SIDES) else ()
        return StructureParts(
            names or tuple(f"dimension {axis}" for axis in range(1, dimensions + 1)), self._axis
        )

    def _axis(self, src: Integers, dst: Integers) -> Integers:
        """The one dimension in which two ranks differ, -1 where it is not one."""
        coordinates = (np.unravel_index(end, self.shape) for end in (src, dst))
        differ = np.array([a != b for a, b in zip(*coordinates, strict=True)])
        axis: Integers = np.where(differ.sum(axis=0) == 1, differ.argmax(axis=0), -1)
        return axis

    def role(self, node: int, name: Name) -> str:
        """Its coordinates."""
        at = ", ".join(f"{int(place)}" for place in np.unravel_index(node, self.shape))
        shape = " × ".join(map(str, self.shape))
        return Worded("at ({at}) of the {shape} grid, each from 0", at=at, shape=shape)

    def group_noun(self, matrix: Matrix) -> str:
        """A row, column or stack."""
        if not matrix or len(matrix[0]) < 2:
            return ""
        strides = [prod(self.shape[i + 1 :]) for i, size in enumerate(self.shape) if size > 1]
        names = dict(zip(strides[::-1], LINES[::-1], strict=False))
        return names.get(matrix[0][1] - matrix[0][0], "")


def split(members: Sequence[Nodes], traffic: Traffic) -> tuple[Traffic, Traffic, Nodes] | None:
    """What runs inside groups and between them, with places and groups for nodes, and the rails.

    None where groups overlap, differ in size, leave out a node in use, or are linked at different
    places.
    """
    size, every = len(members[0]), [node for group in members for node in group]
    if {size} != set(map(len, members)) or len(set(every)) < len(every):
        return None
    home, place = np.full((2, max(traffic.nodes, *every) + 1), -1)
    home[every], place[every] = np.divmod(np.arange(len(every)), size)
    src, dst = traffic.links.T
    across = home[src] != home[dst]
    if (home[traffic.links] < 0).any() or (place[src] != place[dst])[across].any():
        return None

    def above(matrix: Matrix) -> Matrix:
        rows = [tuple(home[[n for n in row if n < len(home)]].tolist()) for row in matrix]
        return tuple(dict.fromkeys(row for row in rows if len(set(row)) == len(row) > 1))

    ranks = sum(node < traffic.ranks for node in members[0])
    return (
        traffic.part(ranks, place, home, False, lambda matrix: ()),
        traffic.part(len(members), home, home, True, above),
        tuple(np.unique(place[src[across]]).tolist()),
    )


def homes(members: Sequence[Nodes], between: Structure | None = None) -> Sequence[Integers]:
    """For each level of groups the group of every node, those of the lowest level first."""
    home = np.full(1 + max(max(group) for group in members), -1)
    for number, group in enumerate(members):
        home[list(group)] = number
    above = homes(between.members, between.between) if isinstance(between, Groups) else ()
    return [home, *(upper[home] for upper in above)]


def _levels(homes: Sequence[Integers]) -> StructureParts:
    """On how many levels two nodes are in different groups."""

    def number(src: Integers, dst: Integers) -> Integers:
        levels: Integers = np.sum([home[src] != home[dst] for home in homes], axis=0)
        return levels

    return StructureParts(LEVELS[: len(homes) + 1], number, True)
