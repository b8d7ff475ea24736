"""Open MPI 5's fixed decisions (coll/tuned): which algorithm for how many ranks and bytes.

They are measurements of its developers' clusters, averaged; operations are commutative. A line
of `openmpi_rules.csv` reads: below so many ranks; then, below so many bytes this number, …, and
what is left. `openmpi_algorithms.csv` has the name of each number. The bytes are those of the
vector, in all-gather, all-to-all, gather and scatter those of one rank's block.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_right
from collections.abc import Mapping
from math import inf
from operator import itemgetter
from pathlib import Path

from collectives.cost.libraries.rules import Picked
from collectives.errors import BadInput
from collectives.units import size_text
from collectives.words import quoted

BLOCKS = ("all_gather", "all_to_all", "gather", "scatter")
RULES = Path(__file__).with_name("openmpi_rules.csv")
ALGORITHMS = Path(__file__).with_name("openmpi_algorithms.csv")
CELL = re.compile(r"(?:<(\d+)([KM]?):)?(\d)")
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}
UNFOLDED = {"half-fold": "rabenseifner", "tail-fold": "recursive-doubling"}  # on powers of two
Cells = list[tuple[float, int]]  # below so many bytes: the algorithm's number


def _cell(text: str) -> tuple[float, int]:
    """The limit and the number of a cell such as <4K:3; of the last, such as 6, without a limit."""
    match = CELL.fullmatch(text)
    if match is None:
        raise BadInput(f"{RULES.name}: {quoted(text)} must be like <4K:3, or 6 in the end")
    return int(match[1]) * UNITS[match[2]] if match[1] else inf, int(match[3])


def read_rules() -> Mapping[str, list[tuple[float, Cells]]]:
    """The decisions of each collective: below so many ranks, the cells of a line."""
    rules: dict[str, list[tuple[float, Cells]]] = {}
    for row in csv.DictReader(RULES.read_text(encoding="utf-8").splitlines()):
        below = int(row["ranks below"]) if row["ranks below"] else inf
        cells = [_cell(text) for text in row["rules"].split()]
        rules.setdefault(row["collective"], []).append((below, cells))
    for kind, lines in rules.items():
        every = (
            [below for below, _ in lines],
            *([limit for limit, _ in limits] for _, limits in lines),
        )
        if any(limits != sorted({*limits, inf}) for limits in every):
            raise BadInput(f"{RULES.name}: limits of {kind} must grow, the last must be open")
    return rules


def _read_names() -> Mapping[str, Mapping[int, tuple[str, str, str]]]:
    """Of each collective and number: its name, our row, and what is different from our row."""
    rules: dict[str, dict[int, tuple[str, str, str]]] = {}
    for row in csv.DictReader(ALGORITHMS.read_text(encoding="utf-8").splitlines()):
        names = rules.setdefault(row["collective"], {})
        names[int(row["number"])] = row["name"], row["row"], row["note"]
    return rules


TABLES = read_rules()
NAMES = _read_names()


def decide(kind: str, ranks: int, size: float) -> tuple[int, str]:
    """The number of the algorithm for a vector of so many bytes, and the rule in words.

    >>> decide("all_reduce", 8, 1 << 20)
    (6, 'from 8 to 15 ranks, from 8 KiB on')
    >>> decide("all_gather", 40, 40 << 12)
    (5, 'from 32 to 63 ranks, blocks from 1 KiB to below 64 KiB')
    """
    bytes_of, what = (size / ranks, "blocks ") if kind in BLOCKS else (size, "")
    lines = TABLES[kind]
    line = bisect_right(lines, ranks, key=itemgetter(0))
    first, (below, cells) = lines[line - 1][0] if line else 1, lines[line]
    cell = bisect_right(cells, bytes_of, key=itemgetter(0))
    low, (limit, number) = cells[cell - 1][0] if cell else 0, cells[cell]
    if below == inf:
        where = f"from {first} ranks on"
    else:
        where = f"on {first} ranks" if below == first + 1 else f"from {first} to {below - 1} ranks"
    since = f"{what}from {size_text(low)} " if low else what
    if limit < inf:
        where += f", {since}{'to ' if low else ''}below {size_text(limit)}"
    elif low:
        where += f", {since}on"
    return number, where


def pick(kind: str, ranks: int, size: int) -> Picked:
    """Our row, Open MPI's name, the rule in words, and what is different from our row."""
    number, rule = decide(kind, ranks, size)
    name, row, note = NAMES[kind][number]
    power = ranks & (ranks - 1) == 0
    if kind == "all_gather" and number == 3 and not power:
        return "bruck", "Bruck", f"{rule}; not a power of two: instead of recursive doubling", ""
    if kind == "all_gather" and number == 5 and ranks % 2:
        return "ring", "ring", f"{rule}; an odd number: instead of neighbor exchange", ""
    if kind == "broadcast" and number == 8 and not power:
        return "van-de-geijn", name, rule, "its all-gather is recursive doubling"
    return UNFOLDED.get(row, row) if power else row, name, rule, note
