"""Every algorithm of a collective with its time by both clocks, and why the first is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import Any

from collectives.catalog import Row
from collectives.catalog.list_report import users
from collectives.catalog.parameters import plain
from collectives.cost import time_facts
from collectives.cost.choose.channels import channels_note
from collectives.cost.choose.explain import bottleneck, why_best
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking
from collectives.cost.libraries.advice import Advice
from collectives.cost.reached import NoCut, reached
from collectives.cost.time_facts import percent_text, seconds_text
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, size_text
from collectives.values import finite
from collectives.words import capital, listed, plural

MOST_OUT = 4  # algorithms without a time by the other clock that are named
OTHER_CLOCK = {"lockstep": "dataflow", "dataflow": "lockstep"}
LeftOut = Iterable[tuple[Row, object]]


@dataclass(frozen=True)
class RankingReport:
    """A ranking for a vector of so many bytes.

    other: by the other clock, where that is known. advices: what libraries would choose there.
    """

    ranking: Ranking
    size: int
    other: Ranking | None = None
    advices: Sequence[Advice] = ()

    def lines(self) -> Lines:
        """The fastest first, and why that is."""
        ranking, second, first = self.ranking, self.other, self.ranking.best.timing
        what = [first.recording.collective.title, plural(first.recording.ranks, "rank")]
        yield Heading(" · ".join([*what, size_text(self.size)] if self.size else what))
        yield from first.topology.describe().splitlines()
        if delays := time_facts.late_ranks(first):  # what they add differs between algorithms
            yield f"  {time_facts.late_text(delays)}"
        yield ""
        rows = [self._cells(entry) for entry in ranking.timed]
        cells = [list(row.values()) for row in rows]
        right = range(1, 9 + bool(self._estimates))
        spare = (6, 2, 8, 5, len(rows[0]) - 1)
        yield Grid(cells, list(rows[0]), [at for at in right if at != 7], spare=spare)
        yield ""
        yield Paragraph(f"Best by {first.clock}: {why_best(ranking)}.")
        if second:
            yield Paragraph(
                f"Best by {second.best.timing.clock}{self._untimed}: {why_best(second)}."
            )
        if near := reached(first):
            text = (
                "the narrowest cut is"
                if isinstance(near, NoCut)
                else f"{ranking.best.name} reaches"
            )
            yield Paragraph(f"{capital(text)} {near}.")
        for entry in ranking.timed:
            if note := channels_note(entry.timing.recording, entry.timing.topology):
                yield Paragraph(f"{capital(entry.name)}: {note}.")
        yield ""
        yield from self._library_lines()
        yield from _left_out_lines("not shown", what[0], ranking.left_out)
        if second:
            lead = f"not shown by {second.best.timing.clock}"
            yield from _left_out_lines(lead, what[0], second.crowded)

    @property
    def _untimed(self) -> str:
        """Which algorithms the other clock does not time, for it would take long; as an aside."""
        known = set() if self.other is None else {entry.name for entry in self.other.timed}
        out = [entry.name for entry in self.ranking.timed if entry.name not in known]
        return f", without {listed(out, MOST_OUT)}, which it has not timed" if out else ""

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        first, second = self.ranking.best.timing, self.other
        near = reached(first)
        values: dict[str, Any] = finite(
            {
                "collective": first.recording.collective.name,
                "ranks": first.recording.ranks,
                "size": self.size,
                "topology": first.topology.name,
                "clock": first.clock,
                "algorithms": [self._values(entry) for entry in self.ranking.timed],
                "left_out": _left_out(self.ranking.left_out),
                "best": self.ranking.best.name,
                "reason": why_best(self.ranking),
                "cut": near and near.as_json(),
                "libraries": [
                    advice.as_json() | {"seconds": advice.expected} for advice in self.advices
                ],
                "other_clock": second
                and {
                    "name": second.best.timing.clock,
                    "best": second.best.name,
                    "reason": why_best(second),
                    "left_out": _left_out(second.crowded),
                },
            }
        )
        return values

    def _library_lines(self) -> Lines:
        """What each library would choose, beside its own estimate and our clock."""
        if not self.advices:
            return
        rows = []
        for advice in self.advices:
            times = [advice.expected, self._seconds(advice.choice.row)]
            cells = ["" if time is None else seconds_text(time) for time in times]
            rows.append([advice.title, advice.choice.row, advice.choice.library_name, *cells])
        head = ("library", "would use", "by its own name", "its estimate", "our clock")
        yield Grid(rows, head, (3, 4))
        if self._estimates:
            of = next(advice.machine for advice in self.advices if advice.estimates)
            yield Paragraph(
                "Our clock times the wire alone; NCCL's estimates have start-up and protocols in "
                f"them, on {of}. Its tuner chooses among the algorithms that have one."
            )
        yield ""

    @cached_property
    def _estimates(self) -> dict[str, float]:
        """Seconds that NCCL expects of the rows that it can run here."""
        return {
            row: seconds for advice in self.advices for row, seconds in advice.estimates.items()
        }

    def _seconds(self, algorithm: str) -> float | None:
        """Seconds of an algorithm by the clock, if it is shown."""
        return next(
            (entry.seconds for entry in self.ranking.timed if entry.name == algorithm), None
        )

    def _by_other(self, name: str) -> float | None:
        """Seconds of an algorithm by the other clock."""
        timed = self.other.timed if self.other else ()
        return next((entry.seconds for entry in timed if entry.name == name), None)

    def _cells(self, entry: RankedAlgorithm) -> dict[str, str]:
        """The cells of an algorithm by the heads of their columns."""
        recording, best, clock = entry.timing.recording, self.ranking.best, entry.timing.clock
        link, rates = (
            time_facts.busiest_link(entry.timing),
            time_facts.bandwidths_of(entry.timing, self.size),
        )
        named = "".join(f" {name}={value}" for name, value in recording.parameters.items())
        compared = entry.seconds and best.seconds and isfinite(entry.seconds)
        by_other, chunks = self._by_other(entry.name), recording.chunks
        return {
            "algorithm": entry.name + named,
            clock: seconds_text(entry.seconds),
            "of best": f"{entry.seconds / best.seconds:.3g}x" if compared else "",
            OTHER_CLOCK[clock]: seconds_text(by_other)
            if by_other is not None and isfinite(by_other)
            else "",
            "busbw": "" if rates is None else rate_text(rates.busbw),
            "steps": str(recording.counters.steps),
            "latency": _finite_text(entry.latency),
            "busiest link": f"{link.vectors:.4g} S, {percent_text(link.share)}" if link else "",
            "chunks": "" if chunks is None else str(chunks),
        } | self._library_cells(entry)

    def _library_cells(self, entry: RankedAlgorithm) -> dict[str, str]:
        """What NCCL expects of it, and which libraries run it."""
        row = entry.timing.recording.row
        expected = self._estimates.get(entry.name)
        estimate = {"NCCL": "" if expected is None else seconds_text(expected)}
        return (estimate if self._estimates else {}) | {"used by": users(row) if row else ""}

    def _values(self, entry: RankedAlgorithm) -> dict[str, Any]:
        timing, recording = entry.timing, entry.timing.recording
        by_other, link = self._by_other(entry.name), time_facts.busiest_link(timing)
        return {
            "algorithm": entry.name,
            "seconds": entry.seconds,
            "other_clock_seconds": by_other,
            "latency_seconds": entry.latency,
            "steps": recording.counters.steps,
            "ports": recording.counters.ports,
            "ports_note": time_facts.ports_note(timing, by_other),
            "chunks": recording.chunks,
            "parameters": plain(recording.parameters),
            **time_facts.bandwidth_values(time_facts.bandwidths_of(timing, self.size)),
            "busiest_link": link and link.as_json(),
            "limit": bottleneck(entry),
            "nccl_seconds": self._estimates.get(entry.name),
        }


def _finite_text(seconds: float | None) -> str:
    """A time; nothing of one that is not known, or never ends."""
    return "" if seconds is None or not isfinite(seconds) else seconds_text(seconds)


def _left_out_lines(lead: str, title: str, rows: LeftOut) -> Iterator[Paragraph]:
    """What a ranking leaves out, and why."""
    for row, reason in rows:
        why = str(reason).partition("; try:")[0].removeprefix(f"{row.algorithm} {title} ")
        yield Paragraph(f"{lead}: {row.algorithm}: {why}", indent=10)


def _left_out(rows: LeftOut) -> list[dict[str, str]]:
    return [{"algorithm": row.algorithm, "reason": str(why)} for row, why in rows]
