"""What nccl-tests and rccl-tests print, such as `all_reduce_perf`, read as tables of times."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import isfinite

from collectives.errors import BadInput
from collectives.evidence.busbw import operation
from collectives.files import read_text
from collectives.words import brief, plural, quoted

MOST_ROWS, MOST_RANKS = 256, 1 << 16  # of a file
MOST_SIZE = 1 << 48  # bytes
MOST_LINES = 1 << 20
LONGEST_LINE = 2000  # of those that are looked at
LABEL = re.compile(r"\s*(?:\[\d+,\d+\]<std\w{3}>:|\d{1,6}:\s)")  # what mpirun and srun put before
DEVICE = re.compile(
    r"#\s+Rank\s+(\d{1,9})\s+(?:Group\s+(\d{1,9})\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+"
    r"\[[^\]]*\]\s*(.*)"
)
PROGRAM = re.compile(r"\b([a-z_]{1,40})_perf\b")
UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
RATES = {"GB/s": 1e9, "MB/s": 1e6}
TIMES = ("time", "cputime")
ERRORS = ("#wrong", "error")


@dataclass(frozen=True)
class Timed:
    """One measurement: seconds and bytes per second. wrong: results that are, where checked."""

    seconds: float
    algbw: float
    busbw: float
    wrong: int | None = None


@dataclass(frozen=True)
class BenchmarkRow:
    """A line of a table; None where something is not measured. root: -1 or None where none is."""

    line: int
    size: int
    kind: str
    op: str
    root: int | None
    out_of_place: Timed | None
    in_place: Timed | None

    @property
    def timed(self) -> Timed | None:
        """The measurement out of place, else in place."""
        return self.out_of_place or self.in_place

    @property
    def seconds(self) -> float:
        """The time of that; inf where nothing was measured."""
        return float("inf") if self.timed is None else self.timed.seconds


@dataclass
class Table:
    """The rows of a run, and what its header tells; empty where it does not.

    operation: as nccl-tests calls it. ranks: of a communicator. hosts, devices: each name once.
    """

    operation: str = ""
    ranks: int = 0
    hosts: tuple[str, ...] = ()
    devices: tuple[str, ...] = ()
    rows: list[BenchmarkRow] = field(default_factory=list)


@dataclass(frozen=True)
class Head:
    """The columns of a table: names before the first time, those of a measurement, and units."""

    names: tuple[str, ...]
    measured: tuple[str, ...]
    times: int
    seconds: float = 1e-6
    rate: float = 1e9


def read(path: str) -> list[Table]:
    """The tables of a file that have rows; raises BadInput, naming the line, where there are none.

    Lines of other programs between them, such as those of NCCL_DEBUG, are left out.
    """
    file = quoted(path)
    reader = _Reader(file)
    text = read_text(path, "it is what nccl-tests print")
    if text.count("\n") > MOST_LINES:
        raise BadInput(f"{file}: more than {MOST_LINES:,} lines; nearest: those of the table alone")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= LONGEST_LINE:
            label = LABEL.match(line)
            reader.take(line[label.end() if label else 0 :], f"{file} line {number}", number)
    found = [table for table in reader.tables if table.rows]
    if not found:
        missing = (
            "rows of numbers below its columns"
            if reader.head
            else "line of columns ('# size count type …')"
        )
        raise BadInput(
            f"{file}: has no {missing}; it is what all_reduce_perf and others of nccl-tests print"
        )
    return found


class _Reader:
    """Takes a file line by line."""

    def __init__(self, file: str) -> None:
        self.tables: list[Table] = []
        self.head: Head | None = None
        self._file = file
        self._operation = ""
        self._ranks: dict[int, tuple[int, str, str]] = {}  # their group, host and device
        self._used = False  # whether a table has these devices
        self._rows = 0

    def take(self, line: str, where: str, number: int) -> None:
        """One line, without what a launcher put before it."""
        text = line.strip()
        if text.startswith("#"):
            self._comment(text, where)
        elif found := PROGRAM.search(text):
            self._operation = _known(found[1]) or self._operation
        elif self.head is not None and re.match(r"[-+]?\d\S*\s+\d", text):
            self._rows += 1
            if self._rows > MOST_ROWS:
                raise BadInput(f"{where}: more than {MOST_ROWS} rows; nearest: fewer sizes")
            self.tables[-1].rows.append(_row(text.split(), self.head, where, number))

    def _comment(self, text: str, where: str) -> None:
        """A line of a header."""
        if device := DEVICE.match(text):
            self._device(int(device[1]), int(device[2] or 0), device[3], device[4].strip(), where)
            return
        if found := PROGRAM.search(text):
            self._operation = _known(found[1]) or self._operation
        words = text[1:].split()
        if {"size", "count"} <= set(words) and set(TIMES) & set(words):
            self.head = _head(words, where)
            self._table()
        elif self.head is not None and "(B)" in words:
            self.head = _units(self.head, words, where)

    def _device(self, rank: int, group: int, host: str, device: str, where: str) -> None:
        if self._used:
            self._ranks, self._used = {}, False
        if rank in self._ranks:
            raise BadInput(
                f"{where}: rank {rank} is listed twice: processes that do not know of one another, "
                "as of nccl-tests built without MPI; nearest: make MPI=1"
            )
        if rank >= MOST_RANKS:
            raise BadInput(f"{where}: rank {rank}; at most {MOST_RANKS} ranks are read")
        self._ranks[rank] = group, host, device

    def _table(self) -> None:
        """A table of what has been listed, whose first group is measured."""
        first = min((group for group, _, _ in self._ranks.values()), default=0)
        groups = {group for group, _, _ in self._ranks.values()}
        mine = [rank for rank, (group, _, _) in self._ranks.items() if group == first]
        ranks = len(mine) if len(groups) > 1 else max(mine, default=-1) + 1  # some leave ranks out
        hosts = tuple(dict.fromkeys(self._ranks[rank][1] for rank in mine))
        devices = tuple(dict.fromkeys(self._ranks[rank][2] for rank in mine))
        self.tables.append(Table(self._operation, ranks, hosts, devices))
        self._used = True


def _known(name: str) -> str:
    """The operation of a program's name, empty for another program."""
    try:
        return operation(name)
    except BadInput:
        return ""


def _head(words: Sequence[str], where: str) -> Head:
    """The columns that a header names."""
    starts = [at for at, word in enumerate(words) if word in TIMES]
    names = tuple(words[: starts[0]])
    width = (starts[1] if len(starts) > 1 else len(words)) - starts[0]
    measured = tuple(words[starts[0] : starts[0] + width])
    known = set(measured[1:]) <= {"algbw", "busbw", *ERRORS} and {"algbw", "busbw"} <= set(measured)
    same = [tuple(words[at + 1 : at + width]) == measured[1:] for at in starts]
    if not known or not all(same) or len(starts) > 2 or names[:2] != ("size", "count"):
        raise BadInput(
            f"{where}: unknown columns {brief(' '.join(words))}; nearest: size count type redop "
            "root time algbw busbw #wrong time algbw busbw #wrong"
        )
    return Head(names, measured, len(starts))


def _units(head: Head, words: Sequence[str], where: str) -> Head:
    """The same with the units of the line below it."""
    units = [word.strip("()") for word in words]
    rates = {unit for unit in units if unit.endswith("/s")}
    times = set(units) - rates - {"B", "elements"}
    for unit, known in (*((unit, UNITS) for unit in times), *((unit, RATES) for unit in rates)):
        if unit not in known:
            raise BadInput(f"{where}: unknown unit {brief(unit)}; choose from {', '.join(known)}")
    if len(times) > 1 or len(rates) > 1:
        raise BadInput(f"{where}: several units; nearest: (B) (elements) (us) (GB/s) (GB/s)")
    seconds = UNITS[next(iter(times), "us")]
    return Head(head.names, head.measured, head.times, seconds, RATES[next(iter(rates), "GB/s")])


def _row(cells: Sequence[str], head: Head, where: str, line: int) -> BenchmarkRow:
    """A row from its cells; of the columns before the times some versions leave redop empty."""
    names, width = list(head.names), len(head.measured)
    given = len(cells) - width * head.times
    if given == len(names) - 1 and "redop" in names and "root" not in names:
        names.remove("redop")
    if given != len(names):
        wanted = f"{len(head.names) + width * head.times}"
        raise BadInput(
            f"{where}: {plural(len(cells), 'cell')}, must be {wanted}: {brief(' '.join(cells))}"
        )
    about = dict(zip(names, cells, strict=False))
    size, _ = (_whole(about[name], name, where) for name in ("size", "count"))
    if size > MOST_SIZE:
        raise BadInput(f"{where}: size {size}: at most {MOST_SIZE} bytes")
    root = about.get("root")
    if root is not None and not re.fullmatch(r"-1|\d{1,9}", root):
        raise BadInput(f"{where}: root {brief(root)}: must be a rank, or -1 for none")
    parts = [cells[given + at * width : given + (at + 1) * width] for at in range(head.times)]
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


def ranks_by_rates(table: Table) -> Iterator[int]:
    """The numbers of ranks for which busbw is what it should be of the largest algbw.

    >>> one = Timed(1.0, 259.78e9, 487.09e9)
    >>> row = BenchmarkRow(1, 8, "", "", None, one, None)
    >>> list(ranks_by_rates(Table("all_reduce", rows=[row])))
    [16]
    """
    best = _largest(table)
    if best is not None:
        yield from (n for n in range(1, MOST_RANKS + 1) if _fits(best, table.operation, n))


def has_rates_of(table: Table, operation: str, ranks: int) -> bool:
    """Whether busbw is what it should be of the largest algbw; false where that is too small."""
    best = _largest(table)
    return best is not None and _fits(best, operation, ranks)


def _largest(table: Table) -> Timed | None:
    """The measurement with the largest algbw, None where its digits are too few."""
    every = [timed for row in table.rows if (timed := row.timed) is not None]
    best = max(every, key=lambda timed: timed.algbw, default=None)
    return best if best is not None and best.algbw >= 1e8 else None


def _fits(timed: Timed, operation: str, ranks: int) -> bool:
    from collectives.evidence.busbw import factor

    rounded = 0.006e9 * (1 + timed.busbw / timed.algbw)  # half of the last digit, of both
    return abs(float(factor(operation, ranks)) * timed.algbw - timed.busbw) <= rounded
