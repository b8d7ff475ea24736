"""What crosses the busiest link of a tree of switches, chunk by chunk, as messages are routed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise

import numpy as np

from collectives.cost.clocks.timing import Timing

MOST_RANKS, MOST_CHUNKS = 16, 200  # that are drawn
Link = tuple[int, int]  # the nodes where it begins and ends
Nodes = tuple[int, ...]


@dataclass(frozen=True)
class Uplink:
    """What crosses the busiest link of a tree in each step: as a rule one and the same.

    parent: of each node the switch above it; the highest has -1. chunks: in order, each with the
    nodes that it passes, and that link. part: of the vector, each chunk.
    """

    parent: Nodes
    chunks: tuple[tuple[int, Nodes, Link], ...]
    part: Fraction

    @property
    def vectors(self) -> float:
        """How many cross it."""
        return float(len(self.chunks) * self.part)


def uplink_of(timing: Timing) -> Uplink | None:
    """What crosses it; none where the machine is no tree, or chunks are too many or differ."""
    recording, machine = timing.asked, timing.topology
    up, parent = machine.src < machine.dst, np.full(machine.nodes, -1)
    parent[machine.src[up]] = machine.dst[up]
    one_above = np.count_nonzero(parent >= 0) == machine.nodes - 1 == machine.links / 2
    switches, parts = machine.nodes - machine.ranks, {*recording.size[recording.size > 0].tolist()}
    if not one_above or switches < 2 or recording.ranks > MOST_RANKS or len(parts) != 1:
        return None
    steps = [[*_ways(timing, number)] for number, _ in enumerate(recording.steps)]
    every = Counter(link for _, nodes in chain(*steps) for link in pairwise(nodes))
    chunks = list[tuple[int, Nodes, Link]]()
    for step in steps:
        loads = Counter(link for _, nodes in step for link in pairwise(nodes))
        if loads:  # of several links that carry as much the one that does so most, the highest
            link = max(loads, key=lambda at: (loads[at], every[at], max(at), at[0]))
            chunks += [(chunk, nodes, link) for chunk, nodes in step if link in pairwise(nodes)]
    few = 0 < len(chunks) <= MOST_CHUNKS
    part = Fraction(parts.pop(), recording.count)
    return Uplink(tuple(parent.tolist()), tuple(chunks), part) if few else None


def _ways(timing: Timing, number: int) -> Iterator[tuple[int, Nodes]]:
    """The chunks of a step, each with the nodes that it passes."""
    recording, machine = timing.asked, timing.topology
    rows = recording.steps[number].unrolled()
    away = rows.src != rows.dst
    place = machine.placement(recording.ranks, recording.nodes, recording.title)
    src, dst = place[rows.src[away]], place[rows.dst[away]]
    paths = machine.paths(src, dst)
    for chunk, first, ends in zip(rows.chunk[away], src, pairwise(paths.start), strict=True):
        yield int(chunk), (int(first), *machine.dst[paths.link[slice(*ends)]].tolist())
