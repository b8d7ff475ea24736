"""Searches for the cut of a machine over which the most data must pass for its bandwidth."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm

from collectives.cost.bounds.max_flow import FlowNetwork
from collectives.cost.machines.topology import Topology


@dataclass(frozen=True)
class Wires:
    """The links of a machine with their capacities as whole numbers of a unit.

    unit: bytes per second. Ranks are the first nodes.
    """

    ranks: int
    nodes: int
    src: Sequence[int]
    dst: Sequence[int]
    capacity: Sequence[int]
    unit: Fraction

    @classmethod
    def of(cls, topology: Topology) -> Wires:
        """The links of a topology; of those that share a capacity each has the whole of it."""
        rates = [
            Fraction(bandwidth) * lanes
            for bandwidth, lanes in zip(
                topology.bandwidth.tolist(), topology.lanes.tolist(), strict=True
            )
        ]
        if topology.shared:
            limits = topology.capacity[topology.group].tolist()
            rates = [min(rate, Fraction(limit)) for rate, limit in zip(rates, limits, strict=True)]
        parts = lcm(*(rate.denominator for rate in rates))
        whole = [int(rate * parts) for rate in rates]
        ends = topology.src.tolist(), topology.dst.tolist()
        return cls(topology.ranks, topology.nodes, *ends, whole, Fraction(1, parts))

    @property
    def reversed(self) -> Wires:
        """The same with every link the other way round."""
        return replace(self, src=self.dst, dst=self.src)

    @cached_property
    def balanced(self) -> bool:
        """Whether as much can leave each node as can reach it."""
        more = [0] * self.nodes
        for src, dst, capacity in zip(self.src, self.dst, self.capacity, strict=True):
            more[src] += capacity
            more[dst] -= capacity
        return not any(more)

    @cached_property
    def symmetric(self) -> bool:
        """Whether the links between two nodes have the same capacity both ways."""
        more = defaultdict[tuple[int, int], int](int)
        for src, dst, capacity in zip(self.src, self.dst, self.capacity, strict=True):
            more[min(src, dst), max(src, dst)] += capacity if src < dst else -capacity
        return not any(more.values())

    def leaving(self, nodes: Set[int]) -> int:
        """The capacity of all links that leave these nodes."""
        ends = zip(self.src, self.dst, self.capacity, strict=True)
        return sum(capacity for src, dst, capacity in ends if src in nodes and dst not in nodes)


@dataclass(frozen=True)
class NarrowestCut:
    """The nodes inside a cut, the bytes that must leave them, and the capacity of the links."""

    inside: frozenset[int]
    moved: int
    capacity: int

    @property
    def rate(self) -> Fraction:
        """Capacity for each byte."""
        return Fraction(self.capacity, self.moved)


def narrowest(wires: Wires, weight: Sequence[int], sinks: Sequence[int]) -> NarrowestCut | None:
    """The cut with the least capacity for each byte that ranks inside have for a sink outside.

    Each rank has `weight` bytes that every sink needs. A rate is possible if a flow brings the
    bytes of all ranks to each sink at that rate; where it does not, the cut that stops it has a
    lower rate, and the search goes on with that (Newton's method). None where nothing must move.
    """
    best = _around_one(wires, weight, sinks)
    if best is None:
        return None
    flows = _Flows(wires, weight)
    flows.set_rate(best.rate)
    for sink in sinks:
        while best.capacity and (inside := flows.stopped_by(sink)):
            best = _cut(wires, weight, inside)
            flows.set_rate(best.rate)
        flows.settle(sink)
    return best


def _cut(wires: Wires, weight: Sequence[int], inside: frozenset[int]) -> NarrowestCut:
    moved = sum(weight[rank] for rank in range(wires.ranks) if rank in inside)
    return NarrowestCut(inside, moved, wires.leaving(inside))


def _around_one(wires: Wires, weight: Sequence[int], sinks: Sequence[int]) -> NarrowestCut | None:
    """The narrowest of the cuts that leave one sink outside, to begin with."""
    total, reached = sum(weight), [0] * wires.nodes
    for dst, capacity in zip(wires.dst, wires.capacity, strict=True):
        reached[dst] += capacity
    needing = [sink for sink in sinks if total > weight[sink]]
    if not needing:
        return None
    sink = min(needing, key=lambda rank: Fraction(reached[rank], total - weight[rank]))
    return _cut(wires, weight, frozenset(range(wires.nodes)) - {sink})


class _Flows:
    """Flows from all ranks to one rank after the other, at a rate.

    A rank that is settled sends any amount from then on, since all cuts that leave it outside are
    known. So most of what the next rank needs comes from near by, and is found at once.
    """

    def __init__(self, wires: Wires, weight: Sequence[int]) -> None:
        self._wires, self._weight = wires, weight
        self._network = FlowNetwork(wires.nodes + 2)
        self._source, self._near = wires.nodes, wires.nodes + 1  # of all, and of settled ranks
        for src, dst in zip(wires.src, wires.dst, strict=True):
            self._network.add(src, dst)
        for rank in range(wires.ranks):
            self._network.add(self._source, rank)
        self._settled: list[int] = []
        self._room: list[int] = []  # of each arc before anything is pushed
        self._needed = 0

    def set_rate(self, rate: Fraction) -> None:
        """From now on each rank sends its bytes at this rate, in units of capacity."""
        times, self._needed = rate.denominator, rate.numerator * sum(self._weight)
        rooms = [times * capacity for capacity in self._wires.capacity]
        rooms += [rate.numerator * weight for weight in self._weight]
        rooms += [self._needed] * len(self._settled)
        for rank in self._settled:
            rooms[len(self._wires.capacity) + rank] = self._needed
        self._room = [room for forth in rooms for room in (forth, 0)]

    def stopped_by(self, sink: int) -> frozenset[int]:
        """The nodes inside a cut that does not let all bytes pass to the sink; empty if all do."""
        network = self._network
        network.room[:] = self._room
        own = self._needed // sum(self._weight) * self._weight[sink]
        pushed = network.push(self._near, sink, self._needed - own)
        pushed += network.push(self._source, sink, self._needed - pushed)
        if pushed == self._needed:
            return frozenset()
        return frozenset(range(self._wires.nodes)) - network.reaching(sink)

    def settle(self, rank: int) -> None:
        """Let this rank send any amount."""
        self._settled.append(rank)
        self._network.add(self._near, rank)
        self._room += [self._needed, 0]
        self._room[2 * (len(self._wires.capacity) + rank)] = self._needed
