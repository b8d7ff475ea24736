"""What `collectives claims` prints: claims of widely read pages beside what is computed."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from collectives.cli.report import print_json
from collectives.cli.text import say, say_columns
from collectives.errors import BadInput
from collectives.evidence.claims import VERDICTS, Answer, Page, Part, answers, pages
from collectives.evidence.measured import Comparison, compare, table
from collectives.words import brief, plural

HEAD = ("claim", "verdict", "the claim", "the page says", "we get")


def show_claims(names: Sequence[str], as_json: bool) -> None:
    """Compute the claims of these names or pages, all by default, and print them."""
    found = answers(names)
    if as_json:
        print_json(claims_report(found))
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
        print_json({"measured": [_measured(one) for one in found]})
        return
    for line in table(found).splitlines():
        say(line)


def _measured(one: Comparison) -> dict[str, Any]:
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
        "looked_at": sum(page.looked_at for page in _pages_of(found)),
        "settled": len(found),
        "verdicts": _counts(found),
        "claims": [_report(one) for one in found],
    }


def number(value: float, unit: str) -> str:
    """A computed number with its unit.

    >>> number(14.0, "GB"), number(3.5, "x"), number(98000000, "")
    ('14 GB', '3.5x', '98,000,000')
    """
    if unit == "yes/no":
        return "yes" if value else "no"
    large = 1e4 <= abs(value) < 1e15
    text = f"{value:,.0f}" if large else f"{value:.4g}"
    return f"{text}{unit}" if unit in ("x", "%") else f"{text} {unit}".rstrip()


def _say_page(group: Sequence[Answer]) -> None:
    body, below = [], []
    for one in group:
        parts = list(zip(one.claim.parts, one.values, strict=True))
        for at, (part, values) in enumerate(parts):
            first = (one.name, one.verdict, one.claim.says) if at == 0 else ("", "", "")
            body.append([*first, _said(part), _computed(part, values)])
            below.append(one.claim.why if at == len(parts) - 1 else "")
    say_columns(body, HEAD, below)


def _said(part: Part) -> str:
    unit = "" if part.said.unit == "yes/no" else part.said.unit
    blank = " " if unit not in ("", "x", "%") else ""
    return f"{part.what}: {part.said.text}{blank}{unit}"


def _computed(part: Part, values: Mapping[str, float]) -> str:
    return "; ".join(f"{number(value, part.said.unit)} ({when})" for when, value in values.items())


def _summary(found: Sequence[Answer]) -> str:
    looked_at = sum(page.looked_at for page in _pages_of(found))
    of_pages = plural(len(_pages_of(found)), "page")
    return (
        f"{plural(len(found), 'claim')} settled by numbers, of {looked_at} on {of_pages}: "
        f"{_verdicts(found)}"
    )


def _verdicts(found: Sequence[Answer]) -> str:
    """How many claims are right, imprecise and wrong."""
    return ", ".join(f"{count} {verdict}" for verdict, count in _counts(found).items())


def _counts(found: Sequence[Answer]) -> dict[str, int]:
    counted = Counter(one.verdict for one in found)
    return {verdict: counted[verdict] for verdict in VERDICTS}


def _pages_of(found: Sequence[Answer]) -> list[Page]:
    letters = {one.page.letter for one in found}
    return [page for page in pages() if page.letter in letters]


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
                "from": part.said.least if math.isfinite(part.said.least) else None,
                "to": part.said.most if math.isfinite(part.said.most) else None,
                "verdict": part.verdict(values),
                "computed": [
                    {"when": when, "value": value, "agrees": part.said.holds(value)}
                    for when, value in values.items()
                ],
            }
            for part, values in zip(one.claim.parts, one.values, strict=True)
        ],
    }
