"""What a library would choose on a machine, beside the candidates that NCCL weighs up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import Any

from collectives.cost.libraries.default_algorithm import LIBRARIES, LibraryChoice
from collectives.cost.libraries.nccl.tables import ALGORITHMS
from collectives.cost.libraries.nccl.tuner import Candidate
from collectives.text_lines import Grid, Lines, Paragraph
from collectives.units import rate_text, time_text


@dataclass(frozen=True)
class Advice:
    """A library's choice; candidates: what NCCL weighs up, on the machine of this name."""

    choice: LibraryChoice
    candidates: tuple[Candidate, ...] = ()
    machine: str = ""

    @property
    def title(self) -> str:
        """The library as people write it."""
        return LIBRARIES[self.choice.library].title

    @property
    def expected(self) -> float | None:
        """Seconds that the library itself expects of its choice; None where it counts none."""
        return self.estimates.get(self.choice.row)

    @property
    def estimates(self) -> dict[str, float]:
        """Rows of the catalog: the seconds that NCCL expects of its fastest candidate of each."""
        best: dict[str, float] = {}
        for way in self.candidates:
            row = ALGORITHMS[way.algorithm].row
            if not way.off and row:
                best[row] = min(way.seconds, best.get(row, way.seconds))
        return best

    def lines(self) -> Lines:
        """The choice, and what NCCL weighs up, the fastest first."""
        yield Paragraph(f"{self.choice}.")
        considered = [way for way in self.candidates if not way.off]
        if considered:
            rows = [self._row(way) for way in sorted(considered, key=lambda way: way.time)]
            yield Grid(rows, ("", "candidate", "time", "latency", "algbw"), (2, 3, 4), indent=2)
            yield from (f"  off: {why}" for why in self._off())
        ours = f"The times below are our clock's, for {self.choice.find().title}"
        estimate = ", without NCCL's protocols; they differ from NCCL's own estimate above"
        yield Paragraph(f"{ours}{estimate if self.candidates else ''}.")
        yield ""

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        choice = self.choice
        return {
            "name": choice.library,
            "algorithm": choice.library_name,
            "row": choice.row,
            "rule": choice.rule,
            "note": choice.note,
            "machine": self.machine or None,
            "candidates": [_values(way) for way in self.candidates],
        }

    def _row(self, way: Candidate) -> list[str]:
        times = time_text(way.seconds), time_text(way.latency * 1e-6)
        chosen = way.name == self.choice.library_name
        return ["→" if chosen else "", way.name, *times, rate_text(way.bandwidth * 1e9)]

    def _off(self) -> list[str]:
        """Why candidates are off: of an algorithm without any protocol once."""
        whys: list[str] = []
        for _, group in groupby(self.candidates, lambda way: way.algorithm):
            reasons = [way.off for way in group]
            whys += reasons[-1:] if all(reasons) else filter(None, reasons)
        return list(dict.fromkeys(whys))


def _values(way: Candidate) -> dict[str, Any]:
    seconds = None if way.off else way.seconds
    return {"name": way.name, "seconds": seconds, "off": way.off or None}
