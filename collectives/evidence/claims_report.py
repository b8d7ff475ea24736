"""Claims of widely read pages beside what is computed, as `collectives claims` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from collectives.evidence.claims import CANNOT_SAY, VERDICTS, Answer, ClaimPage, OpenClaim
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.words import plural

INDENT = 19  # columns of the name and the verdict of a claim


@dataclass(frozen=True)
class ClaimsReport:
    """Claims with what was computed for them."""

    answers: Sequence[Answer]
    remarks: Sequence[tuple[ClaimPage, OpenClaim]] = ()

    def lines(self) -> Lines:
        """Each page with its claims, and how many of them are right."""
        for page in self._pages:
            settled = [answer for answer in self.answers if answer.page is page]
            others = [remark for on_page, remark in self.remarks if on_page is page]
            yield Heading(f"Page {page.letter}: {page.title}")
            by_number = {answer.claim.number: _claim_lines(answer) for answer in settled}
            by_number |= {remark.number: _remark_lines(page, remark) for remark in others}
            for number in sorted(by_number):
                yield from by_number[number]
            if settled:
                counted = f"Of {plural(len(settled), 'claim')} settled by numbers"
                yield f"  {counted}: {_counted(settled)}."
            yield ""
        looked_at = f"of {self.looked_at} on {plural(len(self._pages), 'page')}"
        if self.answers:
            settled_all = f"{plural(len(self.answers), 'claim')} settled by numbers"
            yield f"{settled_all}, {looked_at}: {_counted(self.answers)}"
        if self.remarks:
            judged = Counter(remark.verdict for _, remark in self.remarks)
            counts = (f"{judged[name]} {name}" for name in (*VERDICTS, CANNOT_SAY) if judged[name])
            others_all = plural(len(self.remarks), "claim")
            yield f"{others_all} without a number, judged by reading (*): {', '.join(counts)}"
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
            "claims": [_claim(answer) for answer in self.answers],
            "without_number": [
                {
                    "claim": f"{page.letter}{remark.number}",
                    "page": page.title,
                    "says": remark.says,
                    "verdict": remark.verdict,
                    "why": remark.why,
                }
                for page, remark in self.remarks
            ],
        }

    @property
    def looked_at(self) -> int:
        """How many claims of these pages were looked at."""
        return sum(page.looked_at for page in self._pages)

    @property
    def _pages(self) -> list[ClaimPage]:
        pages = [*(answer.page for answer in self.answers), *(page for page, _ in self.remarks)]
        return sorted({page.letter: page for page in pages}.values(), key=lambda page: page.letter)


def number(value: float, unit: str) -> str:
    """A computed number with its unit.

    >>> number(14.0, "GB"), number(3.5, "x"), number(98000000, ""), number(1, "yes/no")
    ('14 GB', '3.5x', '98,000,000', 'yes')
    """
    if unit == "yes/no":
        return "yes" if value else "no"
    text = f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
    return f"{text}{unit}" if unit in ("x", "%") else f"{text} {unit}".rstrip()


def _claim_lines(answer: Answer) -> Lines:
    """What a page says and what is computed."""
    yield Paragraph(answer.claim.says, f"  {answer.name:<5}{answer.verdict}", INDENT)
    for part, values in zip(answer.claim.parts, answer.values, strict=True):
        unit = part.said.unit
        blank = "" if unit in ("", "x", "%", "yes/no") else " "
        text = f"{part.said.text}{blank}{unit.removesuffix('yes/no')}"
        computed = ", ".join(f"{number(value, unit)} ({when})" for when, value in values.items())
        yield Paragraph(f"{part.what}: the page says {text}; we get {computed}", " ", INDENT)
    if answer.claim.why:
        yield Paragraph(answer.claim.why, " ", INDENT)


def _remark_lines(page: ClaimPage, remark: OpenClaim) -> Lines:
    """What a page says, and what can be said of it without a number."""
    name = f"{page.letter}{remark.number}"
    yield Paragraph(remark.says, f"  {name:<5}{remark.verdict}*", INDENT)
    yield Paragraph(remark.why, " ", INDENT)


def _counted(answers: Sequence[Answer]) -> str:
    """How many claims are right, imprecise and wrong."""
    return ", ".join(f"{count} {verdict}" for verdict, count in _verdicts(answers).items())


def _verdicts(answers: Sequence[Answer]) -> dict[str, int]:
    counts = Counter(answer.verdict for answer in answers)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def _claim(answer: Answer) -> dict[str, Any]:
    return {
        "claim": answer.name,
        "page": answer.page.title,
        "says": answer.claim.says,
        "verdict": answer.verdict,
        "why": answer.claim.why,
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
            for part, values in zip(answer.claim.parts, answer.values, strict=True)
        ],
    }
