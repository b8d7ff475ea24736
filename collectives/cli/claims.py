"""What `collectives claims` prints: claims of widely read pages beside what is computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from collectives.cli.console import say, say_json, say_paragraph
from collectives.errors import BadInput
from collectives.evidence.claims import VERDICTS, Answer, answers
from collectives.evidence.measured import ModelComparison, compare, table
from collectives.words import brief, plural

INDENT = 18  # columns of the name and the verdict of a claim


def show_claims(names: Sequence[str], as_json: bool) -> None:
    """Compute the claims of these names or pages, all by default, and print them."""
    found = answers(names)
    if as_json:
        say_json(claims_report(found))
        return
    for page, group in groupby(found, lambda one: one.page):
        say(f"Page {page.letter}: {page.title}", bold=True)
        settled = list(group)
        _say_page(settled)
        say(f"  Of {plural(len(settled), 'claim')} settled by numbers: {_verdicts(settled)}.")
        say()
    say(_summary(found))
    say("right: all that we get agrees with the page; imprecise: some of it; wrong: nothing of it")


def show_measured(names: Sequence[str], as_json: bool) -> None:
    """Print every measured row beside the model, with the ratio and why some are missed."""
    if names:
        raise BadInput(f"--measured shows every row; leave {brief(names[0])} out")
    found = compare()
    if as_json:
        say_json({"measured": [_measured(one) for one in found]})
        return
    for line in table(found).splitlines():
        say(line)


def _measured(one: ModelComparison) -> dict[str, Any]:
    row = one.row
    return {
        "operation": row.op,
        "gpu": row.gpu,
        "ranks": row.ranks,
        "bytes": row.size_bytes,
        "measured_us": row.time_us,
        "model_us": one.model.time,
        "ratio": one.ratio,
        "missed": one.missed,
        "cause": one.cause if one.missed else None,
        "reason": one.reason if one.missed else None,
        "source": row.source,
    }


def claims_report(found: Sequence[Answer]) -> dict[str, Any]:
    """Everything `claims --json` prints."""
    return {
        "looked_at": _looked_at(found)[0],
        "settled": len(found),
        "verdicts": _counts(found),
        "claims": [_report(one) for one in found],
    }


def number(value: float, unit: str) -> str:
    """A computed number with its unit.

    >>> number(14.0, "GB"), number(3.5, "x"), number(98000000, ""), number(1, "yes/no")
    ('14 GB', '3.5x', '98,000,000', 'yes')
    """
    if unit == "yes/no":
        return "yes" if value else "no"
    text = f"{value:,.0f}" if 1e4 <= abs(value) < 1e15 else f"{value:.4g}"
    return f"{text}{unit}" if unit in ("x", "%") else f"{text} {unit}".rstrip()


def _say_page(group: Sequence[Answer]) -> None:
    for one in group:
        say_paragraph(one.claim.says, f"  {one.name:<5}{one.verdict}", INDENT)
        for part, values in zip(one.claim.parts, one.values, strict=True):
            unit = part.said.unit
            blank = "" if unit in ("", "x", "%", "yes/no") else " "
            said = f"{part.said.text}{blank}{unit.removesuffix('yes/no')}"
            found = [f"{number(value, unit)} ({when})" for when, value in values.items()]
            say_paragraph(
                f"{part.what}: the page says {said}; we get {', '.join(found)}", " ", INDENT
            )
        if one.claim.why:
            say_paragraph(one.claim.why, " ", INDENT)


def _summary(found: Sequence[Answer]) -> str:
    looked_at, read = _looked_at(found)
    settled = f"{plural(len(found), 'claim')} settled by numbers"
    return f"{settled}, of {looked_at} on {plural(read, 'page')}: {_verdicts(found)}"


def _looked_at(found: Sequence[Answer]) -> tuple[int, int]:
    """How many claims were looked at, and on how many pages."""
    read = {one.page.letter: one.page.looked_at for one in found}
    return sum(read.values()), len(read)


def _verdicts(found: Sequence[Answer]) -> str:
    """How many claims are right, imprecise and wrong."""
    return ", ".join(f"{count} {verdict}" for verdict, count in _counts(found).items())


def _counts(found: Sequence[Answer]) -> dict[str, int]:
    counted = Counter(one.verdict for one in found)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def _report(one: Answer) -> dict[str, Any]:
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
