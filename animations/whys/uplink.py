"""What crosses the busiest link of a tree of switches, chunk by chunk, as messages are routed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, pairwise

import numpy as np

from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording

MOST_RANKS, MOST_CHUNKS = 16, 200  # that are drawn
Link = tuple[int, int]  # the nodes where it begins and ends


@dataclass(frozen=True)
class UplinkChunk:
    """A chunk that crosses a link, the busiest of its step, and the nodes that it passes."""

    chunk: int
    nodes: tuple[int, ...]
    link: Link

    @property
    def links(self) -> tuple[Link, ...]:
        """All that it crosses."""
        return tuple(pairwise(self.nodes))


@dataclass(frozen=True)
class Uplink:
    """What crosses the busiest link of a tree in each step, in order: as a rule one and the same.

    parent: of each node the switch above it; the highest has -1. part: of the vector, each chunk.
    """

    parent: tuple[int, ...]
    chunks: tuple[UplinkChunk, ...]
    part: Fraction

    @property
    def vectors(self) -> float:
        """How many cross it."""
        return float(len(self.chunks) * self.part)


def uplink_of(timing: Timing) -> Uplink | None:
    """What crosses it; none where the machine is no tree, or chunks are too many or differ."""
    recording, machine = timing.asked, timing.topology
    parent = _parents(machine)
    parts = {*recording.size[recording.size > 0].tolist()}
    if not parent or recording.ranks > MOST_RANKS or len(parts) != 1:
        return None
    steps = [_routed(recording, machine, number) for number, _ in enumerate(recording.steps)]
    every = Counter(link for crossing in chain(*steps) for link in crossing.links)
    chunks = list[UplinkChunk]()
    for step in steps:
        loads = Counter(link for crossing in step for link in crossing.links)
        if loads:  # of several links that carry as much the one that does so most, the highest
            link = max(loads, key=lambda at: (loads[at], every[at], max(at), at[0]))
            chunks += [UplinkChunk(c.chunk, c.nodes, link) for c in step if link in c.links]
    fits = 0 < len(chunks) <= MOST_CHUNKS
    return Uplink(parent, tuple(chunks), Fraction(parts.pop(), recording.count)) if fits else None


def _routed(recording: Recording, machine: Topology, number: int) -> list[UplinkChunk]:
    """The chunks of a step, each with its way."""
    rows = recording.steps[number].unrolled()
    away = rows.src != rows.dst
    place = machine.placement(recording.ranks, recording.nodes, recording.title)
    paths = machine.paths(place[rows.src[away]], place[rows.dst[away]])
    ends, crossings = paths.start.tolist(), list[UplinkChunk]()
    for chunk, (begin, end) in zip(rows.chunk[away].tolist(), pairwise(ends), strict=True):
        links = paths.link[begin:end]
        nodes = (int(machine.src[links[0]]), *machine.dst[links].tolist())
        crossings.append(UplinkChunk(chunk, nodes, (0, 0)))
    return crossings


def _parents(machine: Topology) -> tuple[int, ...]:
    """Of each node the one above it, where links make a tree of several switches; else nothing."""
    up, parent = machine.src < machine.dst, np.full(machine.nodes, -1)
    parent[machine.src[up]] = machine.dst[up]
    one_each = len({*machine.src[up].tolist()}) == np.count_nonzero(up) == machine.nodes - 1
    several = machine.nodes > machine.ranks + 1
    is_tree = several and one_each and parent[: machine.ranks].min() >= machine.ranks
    return tuple(parent.tolist()) if is_tree else ()
