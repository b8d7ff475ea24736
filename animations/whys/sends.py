"""What leaves and what is known where, step by step: the facts that every why is computed from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.clock import FREE
from collectives.cost.clocks.link_use import under_way
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Integers
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording


@dataclass(frozen=True)
class Sent:
    """What leaves a node in a step: its bytes, its slots, whose data is in it, to how many nodes.

    chunks: of each slot its number and whose data it holds. adds: whether it is added somewhere.
    """

    bytes: int
    chunks: tuple[tuple[int, tuple[int, ...]], ...]
    to: tuple[int, ...]
    adds: bool

    @property
    def ranks(self) -> tuple[int, ...]:
        """Whose data it is."""
        return tuple(sorted({rank for _, ranks in self.chunks for rank in ranks}))

    @property
    def numbers(self) -> tuple[int, ...]:
        """Its slots."""
        return tuple(number for number, _ in self.chunks)


@dataclass(frozen=True, eq=False)
class WhyFacts:
    """A recording in the numbers of a why; steps are those in which a message travels.

    timing: on a machine, if one is known.
    """

    recording: Recording
    timing: Timing | None = None

    @property
    def seconds(self) -> tuple[float, ...]:
        """Of each step on that machine."""
        ends = self.timing.step_end if self.timing else np.empty(0)
        return tuple(np.diff(ends, prepend=0.0).tolist()) if np.isfinite(ends).all() else ()

    def timed(self, *ways: Recording) -> tuple[float, ...]:
        """Of each of some schedules there; none if a rank is late, or something never ends."""
        timing = self.timing
        machine = timing.topology if timing and timing.costs == FREE else None
        times = tuple(timed_as_run(way, machine).total for way in ways) if machine else ()
        return times if np.isfinite(times).all() else ()

    def kinds(self, way: Recording, home: Integers) -> tuple[float, float]:
        """The parts of the time of a schedule in which messages stay in nodes, or leave them."""
        timing = timed_as_run(way, self.timing.topology) if self.timing else None
        if timing is None or not 0 < timing.total < np.inf:
            return 1.0, 1.0
        within, across = under_way(timing, home)
        return within / timing.total, across / timing.total

    @property
    def at_home(self) -> bool:
        """Whether it runs on the machine for which its algorithm is made, as far as is known."""
        row = self.recording.row
        return not self.timing or (row is not None and row.home == self.timing.topology.name)

    @property
    def ranks(self) -> int:
        """Number of ranks."""
        return self.recording.ranks

    @property
    def size(self) -> int:
        """Bytes of the vector."""
        return self.recording.count * self.recording.dtype.itemsize

    @property
    def steps(self) -> int:
        """Steps in which a message travels."""
        return len(self.sends[0])

    @cached_property
    def moving(self) -> tuple[int, ...]:
        """The steps of the schedule in which a message travels, counted from 0."""
        steps = enumerate(self.recording.steps)
        return tuple(place for place, step in steps if (step.src != step.dst).any())

    @cached_property
    def sends(self) -> tuple[tuple[Sent | None, ...], ...]:
        """By node what leaves it in each step; None where nothing does."""
        nodes = range(self.recording.nodes)
        by_step = [self._sent(place) for place in self.moving]
        return tuple(tuple(step.get(node) for step in by_step) for node in nodes)

    def _sent(self, place: int) -> dict[int, Sent]:
        recording = self.recording
        held, sizes = recording.contributors(place), recording.sizes(place)
        step = recording.steps[place].unrolled()
        sends: dict[int, dict[tuple[int, int], bool]] = {}
        rows = zip(
            *(c.tolist() for c in (step.src, step.dst, step.chunk, step.reduces)), strict=True
        )
        for src, dst, chunk, adds in rows:
            if src != dst:
                sends.setdefault(src, {})[dst, chunk] = adds
        unit = recording.dtype.itemsize
        return {
            src: Sent(
                sum(int(sizes[src, chunk]) for _, chunk in pairs) * unit,
                tuple(
                    (chunk, tuple(np.flatnonzero(held[src, chunk]).tolist()))
                    for chunk in sorted({chunk for _, chunk in pairs})
                ),
                tuple(sorted({dst for dst, _ in pairs})),
                any(pairs.values()),
            )
            for src, pairs in sends.items()
        }

    @cached_property
    def hops(self) -> list[tuple[int, int, int, Sent]]:
        """What leaves a node for another: source, destination, step, and what it is."""
        return [
            (node, target, step, sent)
            for node, port in enumerate(self.sends)
            for step, sent in enumerate(port)
            if sent
            for target in sent.to
        ]

    @property
    def ends(self) -> tuple[int, ...]:
        """The steps of the schedule before each of them, and all of it."""
        return (*self.moving, len(self.recording.steps))

    @cached_property
    def known(self) -> tuple[tuple[frozenset[int], ...], ...]:
        """In every state, the start included, by node whose data it holds in any slot."""
        return tuple(
            tuple(frozenset(np.flatnonzero(slots.any(axis=0)).tolist()) for slots in held)
            for held in map(self.recording.contributors, self.ends)
        )

    @cached_property
    def even(self) -> bool:
        """Whether all chunks of the vector have the same size, and one at all."""
        size = self.recording.size
        return size.size > 0 and 0 < int(size.min()) == int(size.max())

    def port_bytes(self, node: int) -> tuple[int, ...]:
        """Bytes that leave a node, step by step."""
        return tuple(sent.bytes if sent else 0 for sent in self.sends[node])


def repeats(sent: Sequence[Sent | None]) -> bool:
    """Whether the same data, a chunk with the same ranks in it, leaves a port twice."""
    every = [chunk for step in sent if step for chunk in step.chunks]
    return len(set(every)) < len(every)


def spans_of(recording: Recording) -> dict[int, tuple[int, int]]:
    """The first and last step in which each chunk moves."""
    spans = dict[int, tuple[int, int]]()
    for number, step in enumerate(recording.steps):
        rows = step.unrolled()
        for chunk in rows.chunk[rows.src != rows.dst].tolist():
            spans[chunk] = spans.get(chunk, (number, number))[0], number
    return spans


def again(
    recording: Recording,
    algorithm: str,
    ranks: int,
    count: int | None = None,
    chunks: int | None = None,
    **parameters: int | str,
) -> Recording | None:
    """An algorithm of the same collective, of as many elements; None where it cannot be."""
    row, count = (recording.collective.name, algorithm), recording.count if count is None else count
    try:
        return record(*row, ranks=ranks, count=count, chunks=chunks, parameters=parameters)
    except BadInput:
        return None
