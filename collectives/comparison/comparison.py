"""Two to four algorithms on one machine: the time of each, which is first where, and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import inf
from typing import Any, Generic, TypeVar

import numpy as np

from collectives.catalog.parameters import plain
from collectives.comparison.alike import told_apart
from collectives.comparison.path_waits import CriticalPath, path_of
from collectives.cost.choose.channels import cards_note, channels_note
from collectives.cost.choose.crossover import Seconds, fastest_by_size
from collectives.cost.choose.explain import bottleneck, difference
from collectives.cost.choose.ranking import RankedAlgorithm, time_recording
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.time_facts import seconds_text
from collectives.recording.recording import Recording
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import size_text, time_text
from collectives.values import finite
from collectives.words import capital, listed, plural

LARGEST = 16 << 30  # bytes up to which it is looked up who is the fastest
AS_LONG = 1e-3  # of a time: a smaller difference is none


@dataclass(frozen=True)
class Contender:
    """One of the algorithms that are compared."""

    name: str
    timed: RankedAlgorithm

    @property
    def label(self) -> str:
        """What tells it from others of its name, as "8 channels"; else its name."""
        return self.name.partition(" (")[2].removesuffix(")") or self.name

    @property
    def recording(self) -> Recording:
        """Its schedule."""
        return self.timed.timing.asked

    @property
    def seconds(self) -> float:
        """When it is done, inf where it never is."""
        return self.timed.seconds

    @property
    def ends(self) -> bool:
        """Whether it is ever done."""
        return self.seconds < inf

    @property
    def until(self) -> float:
        """When nothing of it moves any more: it is done, or stands still for ever."""
        ended = self.timed.timing.messages.end
        return self.seconds if self.ends else float(ended[np.isfinite(ended)].max(initial=0.0))

    @cached_property
    def path(self) -> CriticalPath:
        """The messages that take all of its time."""
        return path_of(self.timed.timing)

    @property
    def rate(self) -> float:
        """Bytes of the critical path a second, beside latency."""
        moved = self.timed.bytes_seconds
        return self.path.size / moved if moved else 0.0


@dataclass(frozen=True)
class Trouble:
    """What is wrong with a machine, and the timing of each algorithm without it."""

    faults: Faults = NO_FAULTS
    timings: tuple[Timing, ...] = ()

    @property
    def note(self) -> str:
        """The faults as options name them; nothing without any."""
        return str(self.faults) if self.faults else ""

    @property
    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Of each kind, as slow_link, what it befalls, as 0-1."""
        return self.faults.kinds

    @property
    def clean(self) -> tuple[float, ...]:
        """When each algorithm is done without it, in seconds."""
        return tuple(timing.total for timing in self.timings)


One = TypeVar("One", bound=Contender)


@dataclass(frozen=True, repr=False)
class Comparison(Generic[One]):
    """Two to four algorithms with the same input on one machine, by one clock.

    Attributes
    ----------
    contenders : tuple of Contender
        The algorithms in the order in which they were named, each with its time.
    size : int
        Bytes of the vector.
    ranges : tuple of (int, int)
        From how many bytes on which of them, by its number, is the fastest.
    trouble : Trouble
        What is wrong with the machine.
    chunks : tuple of str
        Of each pipeline, in how many chunks it runs, and why so many.
    """

    contenders: tuple[One, ...]
    size: int
    ranges: tuple[tuple[int, int], ...]
    trouble: Trouble
    chunks: tuple[str, ...]

    def __repr__(self) -> str:
        """One line: the algorithms, the fastest first, with their times."""
        parts = [f"{self.contenders[n].name} {self._time(n)}" for n in self.order]
        return f"<Comparison: {', '.join(parts)}; {self._where}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_display import table_html

        rows = [(self.contenders[number].name, self._time(number)) for number in self.order]
        return table_html(("algorithm", "time"), rows)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The numbers of the contenders, the fastest first; last those that are never done."""
        ends = [(entry.seconds, entry.until) for entry in self.contenders]
        return tuple(sorted(range(len(ends)), key=ends.__getitem__))

    @property
    def first(self) -> One:
        """The fastest."""
        return self.contenders[self.order[0]]

    @property
    def second(self) -> One:
        """The next."""
        return self.contenders[self.order[1]]

    @property
    def tied(self) -> list[One]:
        """The first and those that are done at the same time."""
        limit = self.first.seconds * (1 + AS_LONG) if self.first.ends else 0.0
        return [
            entry
            for entry in map(self.contenders.__getitem__, self.order)
            if entry.seconds <= limit
        ]

    @property
    def ties(self) -> bool:
        """Whether the first two are done at the same time."""
        return len(self.tied) > 1

    @property
    def seconds(self) -> float:
        """When the last is done, or stands still."""
        return max(entry.until for entry in self.contenders)

    def short_name(self, entry: Contender) -> str:
        """The name without parameters; of several of that name what tells it from the others."""
        base = entry.name.partition(" (")[0]
        alike = [entry for entry in self.contenders if entry.name.partition(" (")[0] == base]
        return entry.label if len(alike) > 1 else base

    @property
    def why(self) -> str:
        """Why the first is ahead of the next that takes longer."""
        slower = [self.contenders[n] for n in self.order[len(self.tied) :]]
        if not self.first.ends:
            return "none of them ever ends"
        if not slower:
            return "they take the same time"
        return difference(self.first.timed, slower[0].timed, slower[0].name)

    @property
    def sizes(self) -> Iterator[str]:
        """Which is the fastest at which sizes: phrases; none where no data is moved."""
        starts = [size for size, _ in self.ranges]
        for place, (start, number) in enumerate(self.ranges):
            first, end = (
                size_text(at, 3, binary=True) for at in (start, (*starts, LARGEST)[place + 1])
            )
            where = f"from {first} to {end}" if place else f"up to {end}"
            yield f"{self.contenders[number].name} {where}"

    def lines(self) -> Lines:
        """The times, why the first is first, what each waits for, and where another is faster."""
        first = self.first.recording
        what = [first.collective.title, plural(first.ranks, "rank")]
        yield Heading(" · ".join([*what, size_text(self.size)] if self.size else what))
        yield f"  on {self._where}"
        yield ""
        head = ["algorithm", "time", "of first", "latency", "bytes", "steps"]
        clean = ["without faults"] if self.trouble.clean else []
        rows = [self._cells(number) for number in self.order]
        yield Grid(rows, [*head, *clean], right=range(1, len(head) + 1))
        yield ""
        lead = listed([entry.name for entry in self.tied])
        yield Paragraph(f"{capital(lead)}: {self.why}.", "first", indent=7)
        for entry in map(self.contenders.__getitem__, self.order):
            limit = f" {bottleneck(entry.timed)}." if entry.ends else ""
            yield Paragraph(f"{capital(entry.name)}: {entry.path.text}.{limit}", "waits", indent=7)
        for entry in self.contenders:
            timing = entry.timed.timing
            note = channels_note(timing.recording, timing.topology) or cards_note(timing)
            if note:
                yield Paragraph(f"{capital(entry.name)}: {note}.", "rings", indent=7)
        for text in self.chunks:
            yield Paragraph(f"{capital(text)}.", "chunks", indent=7)
        if sizes := list(self.sizes):
            so = ", in as many chunks at every size" if self.chunks else ""
            lead = "Never slower" if self.ties and len(sizes) == 1 else "Fastest"
            yield Paragraph(f"{lead}{so}: {'; '.join(sizes)}.", "sizes", indent=7)

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        first = self.first.timed.timing
        values: dict[str, Any] = finite(
            {
                "collective": first.asked.collective.name,
                "ranks": first.asked.ranks,
                "size": self.size,
                "topology": first.topology.name,
                "clock": first.clock,
                "faults": self.trouble.note,
                "algorithms": [self._values(number) for number in self.order],
                "reason": self.why,
                "fastest": [
                    {"from": size, "algorithm": self.contenders[number].name}
                    for size, number in self.ranges
                ],
            }
        )
        return values

    @property
    def _where(self) -> str:
        """The machine, the clock, and what is wrong."""
        timing = self.first.timed.timing
        place = f"{timing.topology.name}, {timing.clock} clock"
        return f"{place}, {self.trouble.note}" if self.trouble.note else place

    def _time(self, number: int) -> str:
        return seconds_text(self.contenders[number].seconds)

    def _cells(self, number: int) -> list[str]:
        """The cells of an algorithm in the table."""
        entry, first = self.contenders[number], self.first
        ratio = f"{entry.seconds / first.seconds:.3g}x" if entry.ends and first.seconds else ""
        parts = [time_text(entry.timed.latency), time_text(entry.timed.bytes_seconds)]
        cells = [entry.name, self._time(number), ratio, *(parts if entry.ends else ["", ""])]
        cells.append(str(entry.recording.counters.steps))
        return [*cells, *(seconds_text(clean) for clean in self.trouble.clean[number : number + 1])]

    def _values(self, number: int) -> dict[str, Any]:
        entry = self.contenders[number]
        return {
            "algorithm": entry.name,
            "parameters": plain(entry.recording.parameters),
            "chunks": entry.recording.chunks,
            "seconds": entry.seconds,
            "latency_seconds": entry.timed.latency,
            "steps": entry.recording.counters.steps,
            "critical_path": entry.path.as_json(),
            "limit": bottleneck(entry.timed),
        }


def compare_recordings(
    recordings: Sequence[Recording],
    setup: Setup,
    faults: Faults = NO_FAULTS,
    asked: Sequence[Collection[str]] | None = None,
    why_chunks: Sequence[str] = (),
) -> Comparison[Contender]:
    """Recordings of one collective for the same ranks and bytes, on a machine with these faults.

    asked: of each the parameters that its name says in any case. why_chunks: why each has as many.
    Raises BadInput where one does not fit the machine.
    """
    trouble, ranks = Trouble(), recordings[0].ranks
    if faults:
        clean = tuple(setup.time(recording) for recording in recordings)
        trouble, setup = Trouble(faults, clean), faults.of(setup, ranks)
    names = [recording.row.label if recording.row else recording.title for recording in recordings]
    contenders = tuple(
        Contender(name, _timed(recording, setup))
        for name, recording in zip(told_apart(names, recordings, asked), recordings, strict=True)
    )
    size = recordings[0].count * recordings[0].dtype.itemsize
    running = [number for number, entry in enumerate(contenders) if entry.ends]
    ranges: list[tuple[int, int]] = []
    if size and len(running) > 1:
        runs = [contenders[number].timed.timing.recording for number in running]
        smallest = max(run.chunk_count for run in runs)  # bytes, so that no chunk is empty
        times = [_seconds(run, setup) for run in runs]
        ranges = [(at, running[place]) for at, place in fastest_by_size(times, smallest, LARGEST)]
    chunks = tuple(
        f"{entry.name}: {plural(entry.recording.chunks, 'chunk')}{why}"
        for entry, why in zip(contenders, why_chunks or [""] * len(contenders), strict=True)
        if entry.recording.chunks is not None
    )
    return Comparison(contenders, size, tuple(ranges), trouble, chunks)


def _timed(recording: Recording, setup: Setup) -> RankedAlgorithm:
    """The time of one of them: of what stops in the ring that is drawn, that of this ring."""
    timed = time_recording(recording, setup)
    if timed.timing.one_ring is None or timed.seconds < inf:
        return timed
    drawn = time_recording(recording, replace(setup, as_asked=True))
    return timed if drawn.seconds < inf else drawn


def _seconds(run: Recording, setup: Setup) -> Seconds:
    """The time of the same steps for so many bytes."""
    unit = run.dtype.itemsize
    return cache(lambda size: setup.time(replace(run, count=size // unit, data=None)).total)
