"""Rules of libraries, read from `rules.csv`: the first row whose conditions all hold is used.

Conditions compare the number of ranks; bytes of the vector, of the `block` for each rank and
beyond a multiple of 16 (`unaligned`); its elements; and the largest power of two up to the ranks.
MPICH's rules are those of tuning/coll/mpir/generic.json for built-in operations, with the cut
points of Thakur and others, 2005.
"""

from __future__ import annotations

import csv
import operator
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from collectives.errors import BadInput
from collectives.units import parse_size
from collectives.words import quoted

TABLE = Path(__file__).with_name("rules.csv")
COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
}
KNOWN = "ranks|odd|power|size|unaligned|block|elements"
CONDITION = re.compile(rf"({KNOWN})([<>]=?|=)(power|\d+[A-Za-z]*)")
Picked = tuple[str, str, str, str]  # row of the catalog, the library's name, rule, note
Condition = tuple[str, str, str | int]  # what is compared, how, and with what


def _condition(text: str) -> Condition:
    """A condition such as size<4KiB; raises BadInput for anything else."""
    match = CONDITION.fullmatch(text)
    if match is None:
        raise BadInput(f"{TABLE.name}: {quoted(text)} must be like size<4KiB or ranks=power")
    name, sign, limit = match.groups()
    if limit.isalpha():
        return name, sign, limit
    return name, sign, int(limit) if limit.isdecimal() else parse_size(limit)


def read() -> Mapping[str, Mapping[str, list[tuple[list[Condition], Picked]]]]:
    """Of each library and collective: conditions, and what is picked where they hold."""
    by_library: dict[str, dict[str, list[tuple[list[Condition], Picked]]]] = {}
    for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()):
        rules = by_library.setdefault(row["library"], {}).setdefault(row["collective"], [])
        where = [_condition(text) for text in row["where"].split()]
        rules.append((where, (row["row"], row["name"], row["rule"], row["note"])))
    return by_library


RULES = read()


def pick(library: str, kind: str, ranks: int, size: int, itemsize: int) -> Picked:
    """Our row, the library's name, the rule in words, and what is different from our row.

    >>> pick("ucc", "broadcast", 8, 1 << 20, 4)[:3]
    ('van-de-geijn', 'scatter and all-gather, k-nomial', 'from 32 KiB on')
    """
    known = {
        "ranks": ranks,
        "odd": ranks % 2,
        "power": 1 << ranks.bit_length() - 1,
        "size": size,
        "unaligned": size % 16,
        "block": size / ranks,
        "elements": size / itemsize,
    }
    for where, (row, name, text, note) in RULES[library][kind]:
        if all(
            COMPARE[how](known[what], known[limit] if isinstance(limit, str) else limit)
            for what, how, limit in where
        ):
            return row, name, text.format(ranks=ranks, power=known["power"]), note
    raise AssertionError(f"{TABLE.name}: the last rule of {library} {kind} must hold always")
