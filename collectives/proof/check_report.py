"""What a check found: algorithms with their verdicts, for people and for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collectives.catalog import find_row
from collectives.catalog.parameters import ANY
from collectives.errors import WrongSchedule
from collectives.proof.prove import Verdict
from collectives.text_lines import Lines
from collectives.words import plural


@dataclass(frozen=True)
class Checked:
    """The verdict on one algorithm, and the number of cases that were tried for it.

    tried: what the cases were; nothing of a recording. left_out: numbers of ranks that the
    algorithm does not accept.
    """

    collective: str
    algorithm: str
    cases: int
    verdict: Verdict
    tried: str = ""
    left_out: tuple[int, ...] = ()

    @property
    def line(self) -> str:
        """What is said of it alone, its counts on a line of their own."""
        if not self.verdict:
            return self.row
        if not self.tried:
            return str(self.verdict)
        line = f"{self.verdict.text} ({'; '.join(filter(None, (self.tried, self._left_out)))})"
        return f"{line}\n{self.verdict.counts}" if self.verdict.counts else line

    @property
    def row(self) -> str:
        """Its row in the table of all algorithms."""
        if not self.verdict:
            return f"WRONG  {self.verdict}"
        title = f"{self.algorithm} {self.collective.replace('_', '-')}"
        verdict = "right" if self.cases else "none"
        row = f"{verdict:<5}  {title:<34}  {plural(self.cases, 'case'):>9}"
        return f"{row}  ({self._left_out})" if self.left_out else row

    @property
    def _left_out(self) -> str:
        """How many numbers of ranks were not tried, and why."""
        if not self.left_out:
            return ""
        sizes = find_row(self.collective, self.algorithm).sizes
        why = "the parameters do not fit" if sizes is ANY else f"it takes {sizes.text} only"
        return f"{plural(len(self.left_out), 'number')} of ranks left out: {why}"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "collective": self.collective,
            "algorithm": self.algorithm,
            "cases": self.cases,
            "left_out": list(self.left_out),
            "ok": self.verdict.ok,
            "text": self.verdict.text,
            "counts": self.verdict.counts,
        }


@dataclass(frozen=True)
class CheckReport:
    """The verdicts on some algorithms; tried: what was tried of each, where these are all."""

    checked: Sequence[Checked]
    tried: str = ""

    @property
    def wrong(self) -> list[Verdict]:
        """The verdicts on those that are wrong."""
        return [case.verdict for case in self.checked if not case.verdict]

    @property
    def cases(self) -> int:
        """How many cases were tried."""
        return sum(case.cases for case in self.checked)

    def lines(self) -> Lines:
        """One for each algorithm, and of all of them a sum."""
        for case in self.checked:
            yield from (case.row if self.tried else case.line).splitlines()
        yield from self.summary()

    def summary(self) -> Iterator[str]:
        """What stands below the rows of all algorithms, if all are right."""
        if self.tried and not self.wrong:
            number, cases = plural(len(self.checked), "algorithm"), plural(self.cases, "case")
            yield f"{number}, {cases}: all right ({self.tried})"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        reports = [case.as_json() for case in self.checked]
        return {"ok": not self.wrong, "cases": self.cases, "algorithms": reports}

    def refuse_wrong(self) -> None:
        """Raise WrongSchedule if anything is wrong."""
        if self.wrong:
            first, *others = self.wrong
            more = f" (and {plural(len(others), 'more algorithm')})" if others else ""
            raise WrongSchedule(f"{first}{more}")
