"""A row of ranks with arcs: in each step partners are at certain distances from each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from collectives.schedule.columns import Integers
from collectives.structure.base import Name, Nodes, Structure, StructureParts
from collectives.structure.traffic import Links, Traffic
from collectives.words import Worded, linked


@dataclass(frozen=True)
class Cube(Structure):
    """A row of ranks with arcs: in each step partners are at certain distances from each other.

    row: the ranks in the order of their seats, those folded away left out. distances: for each
    step in which a message travels how many seats apart partners are, in ascending order; empty
    for a step in which only folded ranks send or receive. folded: each rank that is folded away,
    with the rank of the row that stands in for it. circular: whether the first seat follows the
    last, so that partners may be apart round the end: a distance is that of the shorter way.
    """

    row: Nodes
    distances: tuple[tuple[int, ...], ...]
    folded: tuple[tuple[int, int], ...] = ()
    circular: bool = False

    @cached_property
    def seats(self) -> Integers:
        """The seat of each node, -1 where it has none."""
        seats = np.full(1 + max(*self.row, *(max(pair) for pair in self.folded), 0), -1)
        seats[list(self.row)] = np.arange(len(self.row))
        return seats

    def hops(self, src: Integers, dst: Integers) -> Integers:
        """How many seats apart nodes are; -1 where one has no seat."""
        start, end = self.seats[src], self.seats[dst]
        hops = abs(start - end)
        if self.circular:
            hops = np.minimum(hops, len(self.row) - hops)
        distances: Integers = np.where((start < 0) | (end < 0), -1, hops)
        return distances

    def agrees(self, traffic: Traffic) -> bool:
        """Whether partners are as far apart as the row says, in every step.

        Of the pairs of seats at the distances of a step at least half meet, in it or in steps
        alike (a binomial tree has the same distances, but fewer links), and the row does not fall
        apart.
        """
        if len(self.distances) != len(traffic.order) or not self._folds(traffic):
            return False
        met: dict[Nodes, list[Integers]] = {}
        for number, expected in set(zip(traffic.order, self.distances, strict=True)):
            src, dst = traffic.patterns[number].T
            hops = self.hops(src, dst)
            if set(np.unique(hops[hops >= 0]).tolist()) != set(expected):
                return False
            low, high = np.sort(self.seats[traffic.patterns[number][hops >= 0]], axis=1).T
            met.setdefault(expected, []).append(low * len(self.row) + high)
        pairs = {expected: np.unique(np.concatenate(keys)) for expected, keys in met.items()}
        dense = all(2 * len(keys) >= sum(map(self._pairs, of)) for of, keys in pairs.items())
        return dense and _connected(np.concatenate(list(pairs.values())), len(self.row))

    def _folds(self, traffic: Traffic) -> bool:
        """Whether ranks without a seat are linked with their stand-ins, and with no others."""
        aside = {(min(pair), max(pair)) for pair in self.folded}
        if len(self.seats) < traffic.nodes:
            return False
        low, high = traffic.pairs.T
        without = traffic.pairs[self.hops(low, high) < 0]
        seated = all(self.seats[away] < 0 <= self.seats[stays] for away, stays in self.folded)
        return seated and set(map(tuple, without.tolist())) == aside

    def _pairs(self, hops: int) -> int:
        """How many pairs of seats are so far apart."""
        seats = len(self.row)
        if not self.circular:
            return seats - hops
        return seats // 2 if 2 * hops == seats else seats

    def parts(self) -> StructureParts:
        """Its distances."""
        known = np.unique([hop for step in self.distances for hop in step]).astype(np.intp)

        def number(src: Integers, dst: Integers) -> Integers:
            hops = self.hops(src, dst)
            return np.where(np.isin(hops, known), np.searchsorted(known, hops), -1)

        return StructureParts(tuple(f"{hop} apart" for hop in known.tolist()), number)

    def role(self, node: int, name: Name) -> str:
        """Into which rank it is folded, or for which it stands in."""
        into = next((stays for away, stays in self.folded if away == node), None)
        if into is not None:
            return Worded("folded into {node}", node=name(into))
        aside = [name(away) for away, stays in self.folded if stays == node]
        return Worded("stands in for {nodes}", nodes=linked(aside, " and ")) if aside else ""

    def alike(self, structure: Structure | None) -> bool:
        """Whether both go round the end, or none does."""
        return isinstance(structure, Cube) and self.circular == structure.circular


def _connected(pairs: Integers, seats: int) -> bool:
    """Whether all seats are linked with the first; a pair is the number `low * seats + high`."""
    ends: Links = np.stack(np.divmod(pairs, seats), axis=1)
    reached = np.arange(seats) == 0
    count = 0
    while count < reached.sum():
        count = reached.sum()
        reached[ends[reached[ends].any(axis=1)]] = True
    return bool(count == seats)
