"""Claims of widely read pages beside what is computed, as `collectives claims` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from collectives.evidence.claims import VERDICTS, Answer
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.words import plural

INDENT = 18  # columns of the name and the verdict of a claim


@dataclass(frozen=True)
class ClaimsReport:
    """Claims with what was computed for them."""

    answers: Sequence[Answer]

    def lines(self) -> Lines:
        """Each page with its claims, and how many of them are right."""
        for page, group in groupby(self.answers, lambda one: one.page):
            settled = list(group)
            yield Heading(f"Page {page.letter}: {page.title}")
            for answer in settled:
                yield from _claim_lines(answer)
            yield f"  Of {plural(len(settled), 'claim')} settled by numbers: {_counted(settled)}."
            yield ""
        looked_at = f"of {self.looked_at} on {plural(len(self._pages), 'page')}"
        settled_all = f"{plural(len(self.answers), 'claim')} settled by numbers"
        yield f"{settled_all}, {looked_at}: {_counted(self.answers)}"
        yield (
            "right: all that we get agrees with the page; imprecise: some of it; wrong: nothing of "
            "it"
        )

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "looked_at": self.looked_at,
            "settled": len(self.answers),
            "verdicts": _verdicts(self.answers),
            "claims": [_claim(one) for one in self.answers],
        }

    @property
    def looked_at(self) -> int:
        """How many claims of these pages were looked at."""
        return sum(self._pages.values())

    @property
    def _pages(self) -> dict[str, int]:
        return {one.page.letter: one.page.looked_at for one in self.answers}


def number(value: float, unit: str) -> str:
    """A computed number with its unit.

    >>> number(14.0, "GB"), number(3.5, "x"), number(98000000, ""), number(1, "yes/no")
    ('14 GB', '3.5x', '98,000,000', 'yes')
    """
    if unit == "yes/no":
        return "yes" if value else "no"
    text = f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
    return f"{text}{unit}" if unit in ("x", "%") else f"{text} {unit}".rstrip()


def _claim_lines(one: Answer) -> Lines:
    """What a page says and what is computed."""
    yield Paragraph(one.claim.says, f"  {one.name:<5}{one.verdict}", INDENT)
    for part, values in zip(one.claim.parts, one.values, strict=True):
        unit = part.said.unit
        blank = "" if unit in ("", "x", "%", "yes/no") else " "
        said = f"{part.said.text}{blank}{unit.removesuffix('yes/no')}"
        computed = ", ".join(f"{number(value, unit)} ({when})" for when, value in values.items())
        yield Paragraph(f"{part.what}: the page says {said}; we get {computed}", " ", INDENT)
    if one.claim.why:
        yield Paragraph(one.claim.why, " ", INDENT)


def _counted(answers: Sequence[Answer]) -> str:
    """How many claims are right, imprecise and wrong."""
    return ", ".join(f"{count} {verdict}" for verdict, count in _verdicts(answers).items())


def _verdicts(answers: Sequence[Answer]) -> dict[str, int]:
    counts = Counter(one.verdict for one in answers)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _claim(one: Answer) -> dict[str, Any]:
    return {
        "claim": one.name,
        "page": one.page.title,
        "says": one.claim.says,
        "verdict": one.verdict,
        "why": one.claim.why,
        "parts": [
            {
                "what": part.what,
                "unit": part.said.unit,
                "said": part.said.text,
                "from": part.said.low,
                "to": part.said.high,
                "verdict": part.verdict(values),
                "computed": [
                    {"when": when, "value": value, "agrees": part.said.holds(value)}
                    for when, value in values.items()
                ],
            }
            for part, values in zip(one.claim.parts, one.values, strict=True)
        ],
    }
