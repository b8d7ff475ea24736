"""The columns of nccl-tests: their names and units, and the rows of numbers below them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isfinite

from collectives.errors import BadInput
from collectives.formats.nccl_tests.measured_tables import BenchmarkRow, Timed
from collectives.words import brief, plural

MAX_SIZE = 1 << 48  # bytes
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
RATES = {"GB/s": 1e9, "MB/s": 1e6}
ABOUT = ("size", "count", "type", "redop", "root")
TIMES = ("time", "cputime")
ERRORS = ("#wrong", "error")
UNMARKED = re.compile(rf"(?:(?:{'|'.join((*ABOUT, *TIMES, 'algbw', 'busbw', *ERRORS))})(?:\s+|$))+")
NUMBER = re.compile(r"N/A|\d[\d.]*(?:e[-+]?\d+)?")


@dataclass(frozen=True)
class Head:
    """The columns of a table: names before the first time, those of a measurement, and units."""

    names: tuple[str, ...]
    measured: tuple[str, ...]
    times: int
    seconds: float = 1e-6
    rate: float = 1e9

    @property
    def width(self) -> int:
        """How many cells a row has."""
        return len(self.names) + len(self.measured) * self.times

    def is_row(self, cells: Sequence[str]) -> bool:
        """Whether these cells look like a row, after whatever stands before its first number."""
        numbers = (*cells[1:2], *cells[len(self.names) :])
        ends = len(cells) == self.width and cells[0][-1:].isdecimal()
        return ends and all(map(NUMBER.fullmatch, numbers))


@lru_cache(maxsize=16)
def head_of(names: str) -> Head | None:
    """The columns of a line of names; None where they are not those of nccl-tests.

    >>> head_of("size count time algbw busbw").measured
    ('time', 'algbw', 'busbw')
    """
    words = names.split()
    starts = [at for at, word in enumerate(words) if word in TIMES]
    if not starts or words[:2] != ["size", "count"]:
        return None
    width = (starts[1] if len(starts) > 1 else len(words)) - starts[0]
    measured = tuple(words[starts[0] : starts[0] + width])
    known = set(measured[1:]) <= {"algbw", "busbw", *ERRORS} and {"algbw", "busbw"} <= set(measured)
    same = [tuple(words[at + 1 : at + width]) == measured[1:] for at in starts]
    if not known or not all(same) or len(starts) > 2:
        return None
    return Head(tuple(words[: starts[0]]), measured, len(starts))


def with_units(head: Head, words: Sequence[str], where: str) -> Head:
    """The columns with the units of the line below them."""
    units = [word.strip("()") for word in words]
    rates = {unit for unit in units if unit.endswith("/s")}
    times = set(units) - rates - {"B", "elements"}
    for unit, known in (*((unit, UNITS) for unit in times), *((unit, RATES) for unit in rates)):
        if unit not in known:
            raise BadInput(f"{where}: unknown unit {brief(unit)}; choose from {', '.join(known)}")
    if len(times) > 1 or len(rates) > 1:
        raise BadInput(f"{where}: several units; try: (B) (elements) (us) (GB/s) (GB/s)")
    seconds = UNITS[next(iter(times), "us")]
    return replace(head, seconds=seconds, rate=RATES[next(iter(rates), "GB/s")])


def row_of(cells: Sequence[str], head: Head, where: str, line: int) -> BenchmarkRow:
    """A row from its cells; of the columns before the times some versions leave redop empty."""
    names, width = list(head.names), len(head.measured)
    named = len(cells) - width * head.times
    if named == len(names) - 1 and "redop" in names and "root" not in names:
        names.remove("redop")
    if named != len(names):
        raise BadInput(
            f"{where}: {plural(len(cells), 'cell')}, must be {head.width}: {brief(' '.join(cells))}"
        )
    about = dict(zip(names, cells, strict=False))
    size, _ = (_whole(about[name], name, where) for name in ("size", "count"))
    if size > MAX_SIZE:
        raise BadInput(f"{where}: size {size}: at most {MAX_SIZE} bytes")
    root = about.get("root")
    if root is not None and not re.fullmatch(r"-1|\d{1,9}", root):
        raise BadInput(f"{where}: root {brief(root)}: must be a rank, or -1 for none")
    parts = [cells[named + at * width : named + (at + 1) * width] for at in range(head.times)]
    timed = [_timed(dict(zip(head.measured, part, strict=True)), head, where) for part in parts]
    return BenchmarkRow(
        line,
        size,
        about.get("type", ""),
        about.get("redop", ""),
        None if root is None else int(root),
        timed[0],
        timed[1] if len(timed) > 1 else None,
    )


def _timed(cells: dict[str, str], head: Head, where: str) -> Timed | None:
    """A measurement; None where there is none."""
    time = head.measured[0]
    if cells[time] == "N/A":
        return None
    seconds = _number(cells[time], time, where) * head.seconds
    if not seconds:
        raise BadInput(f"{where}: {time} {brief(cells[time])}: must be above 0")
    algbw, busbw = (_number(cells[name], name, where) * head.rate for name in ("algbw", "busbw"))
    wrong = next((cells[name] for name in ERRORS if name in cells), "N/A")
    if wrong == "N/A" or "error" in cells:  # old versions have the largest difference there
        return Timed(seconds, algbw, busbw)
    return Timed(seconds, algbw, busbw, int(_number(wrong, "#wrong", where)))


def _number(text: str, name: str, where: str) -> float:
    try:
        value = float(text) if len(text) <= 40 else float("nan")
    except ValueError:
        value = float("nan")
    if not isfinite(value) or value < 0 or value > 1e15 or "_" in text:
        raise BadInput(f"{where}: {name} {brief(text)}: must be a number, 0 or above")
    return value


def _whole(text: str, name: str, where: str) -> int:
    if not re.fullmatch(r"\d{1,18}", text, re.ASCII):
        raise BadInput(f"{where}: {name} {brief(text)}: must be a whole number")
    return int(text)
