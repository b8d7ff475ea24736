"""Every algorithm of a collective with its time by both clocks, and why the first is the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Any

from collectives.catalog import Row
from collectives.cost import time_facts
from collectives.cost.choose.channels import channels_note
from collectives.cost.choose.explain import bottleneck, why_best
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking
from collectives.cost.reached import NoCut, reached
from collectives.cost.time_facts import percent_text, seconds_text
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, size_text
from collectives.values import finite
from collectives.words import capital, plural

OTHER_CLOCK = {"lockstep": "dataflow", "dataflow": "lockstep"}
LeftOut = Iterable[tuple[Row, object]]


@dataclass(frozen=True)
class RankingReport:
    """A ranking for a vector of so many bytes; other: by the other clock, where that is known."""

    ranking: Ranking
    size: int
    other: Ranking | None = None

    def lines(self) -> Lines:
        """The fastest first, and why that is."""
        ranking, other, first = self.ranking, self.other, self.ranking.best.timing
        what = [first.recording.collective.title, plural(first.recording.ranks, "rank")]
        yield Heading(" · ".join([*what, size_text(self.size)] if self.size else what))
        yield from first.topology.describe().splitlines()
        if delays := time_facts.late_ranks(first):  # what they add differs between algorithms
            yield f"  {time_facts.late_text(delays)}"
        yield ""
        rows = [self._cells(one) for one in ranking.timed]
        cells = [list(row.values()) for row in rows]
        yield Grid(cells, list(rows[0]), right=(1, 2, 3, 4, 5, 6, 8), spare=(2, 6, 8, 5))
        yield ""
        yield Paragraph(f"Best by {first.clock}: {why_best(ranking)}.")
        if other:
            yield Paragraph(f"Best by {other.best.timing.clock}: {why_best(other)}.")
        if near := reached(first):
            said = (
                "the narrowest cut is"
                if isinstance(near, NoCut)
                else f"{ranking.best.name} reaches"
            )
            yield Paragraph(f"{capital(said)} {near}.")
        for one in ranking.timed:
            if note := channels_note(one.timing.recording, one.timing.topology):
                yield Paragraph(f"{capital(one.name)}: {note}.")
        yield ""
        yield from _left_out_lines("not shown", what[0], ranking.left_out)
        if other:
            lead = f"not shown by {other.best.timing.clock}"
            yield from _left_out_lines(lead, what[0], other.crowded)

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        first, other = self.ranking.best.timing, self.other
        near = reached(first)
        values: dict[str, Any] = finite(
            {
                "collective": first.recording.collective.name,
                "ranks": first.recording.ranks,
                "size": self.size,
                "topology": first.topology.name,
                "clock": first.clock,
                "algorithms": [self._values(one) for one in self.ranking.timed],
                "left_out": _left_out(self.ranking.left_out),
                "best": self.ranking.best.name,
                "reason": why_best(self.ranking),
                "cut": near and near.as_json(),
                "other_clock": other
                and {
                    "name": other.best.timing.clock,
                    "best": other.best.name,
                    "reason": why_best(other),
                    "left_out": _left_out(other.crowded),
                },
            }
        )
        return values

    def _by_other(self, name: str) -> float | None:
        """Seconds of an algorithm by the other clock."""
        timed = self.other.timed if self.other else ()
        return next((one.seconds for one in timed if one.name == name), None)

    def _cells(self, one: RankedAlgorithm) -> dict[str, str]:
        """The cells of an algorithm by the heads of their columns."""
        recording, best, clock = one.timing.recording, self.ranking.best, one.timing.clock
        link, rates = (
            time_facts.busiest_link(one.timing),
            time_facts.bandwidths_of(one.timing, self.size),
        )
        named = "".join(f" {name}={value}" for name, value in recording.parameters.items())
        compared = one.seconds and best.seconds and isfinite(one.seconds)
        other, chunks = self._by_other(one.name), recording.chunks
        return {
            "algorithm": one.name + named,
            clock: seconds_text(one.seconds),
            "of best": f"{one.seconds / best.seconds:.3g}x" if compared else "",
            OTHER_CLOCK[clock]: seconds_text(other)
            if other is not None and isfinite(other)
            else "",
            "busbw": "" if rates is None else rate_text(rates.busbw),
            "steps": str(recording.counters.steps),
            "latency": _finite_text(one.latency),
            "busiest link": f"{link.vectors:.4g} S, {percent_text(link.share)}" if link else "",
            "chunks": "" if chunks is None else str(chunks),
        }

    def _values(self, one: RankedAlgorithm) -> dict[str, Any]:
        timing, recording = one.timing, one.timing.recording
        other, link = self._by_other(one.name), time_facts.busiest_link(timing)
        return {
            "algorithm": one.name,
            "seconds": one.seconds,
            "other_clock_seconds": other,
            "latency_seconds": one.latency,
            "steps": recording.counters.steps,
            "ports": recording.counters.ports,
            "ports_note": time_facts.ports_note(timing, other),
            "chunks": recording.chunks,
            "parameters": dict(recording.parameters),
            **time_facts.bandwidth_values(time_facts.bandwidths_of(timing, self.size)),
            "busiest_link": link and link.as_json(),
            "limit": bottleneck(one),
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
