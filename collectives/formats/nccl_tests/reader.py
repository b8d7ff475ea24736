"""Reads the text of nccl-tests: as printed, with what launchers and logs put before each line, or
as people post it, without its `#`."""

from __future__ import annotations

import re
from dataclasses import replace
from re import Match
from typing import cast

from collectives.cost.busbw import known_operation
from collectives.errors import BadInput
from collectives.files import read_text
from collectives.formats.nccl_tests.headings import (
    TIMES,
    UNMARKED,
    Head,
    head_of,
    row_of,
    with_units,
)
from collectives.formats.nccl_tests.measured_tables import MAX_RANKS, Table
from collectives.words import brief, quoted

MAX_ROWS = 256  # of a file
MAX_LINES = 1 << 20
MAX_LINE = 2000  # characters of lines that are looked at
TIME = r"\d{4}-\d\d-\d\d[T ][\d:.,]{8,20}(?:Z|[-+]\d\d:?\d\d)?(?=\s)"
BEFORE = re.compile(rf"(?:[\s>|]|{TIME})*")  # marks of quotes, and times, which logs put first
DEVICE = re.compile(
    r"\bRank\s+(\d{1,9})\s+(?:Group\s+(\d{1,9})\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\s+\d+\s+"
    r"\[[^\]]*\]\s*(.*)"
)
PROGRAM = re.compile(r"\b([a-z_]{1,40})_perf\b")
BUILT = re.compile(r"(?:Compiling|Linking|make\b|nvcc\b|hipcc\b)")  # not run
ROW = re.compile(r"[-+]?\d\S*\s+\d")


def read(path: str) -> list[Table]:
    """The tables of a file that have rows; raises BadInput, naming the line, where there are none.

    Lines of other programs between them, such as those of NCCL_DEBUG, are left out.
    """
    file = quoted(path)
    reader = _Reader(file)
    text = read_text(path, "it is what nccl-tests print")
    if text.count("\n") > MAX_LINES:
        raise BadInput(f"{file}: more than {MAX_LINES:,} lines; try: those of the table alone")
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= MAX_LINE:
            begin = cast("Match[str]", BEFORE.match(line))  # which may be empty
            reader.take(line[begin.end() :], number)
    tables = [table for table in reader.tables if table.rows]
    if not tables:
        missing = (
            "rows of numbers below its columns"
            if reader.head
            else "line of columns ('# size count type …')"
        )
        raise BadInput(
            f"{file}: has no {missing}; expected: the output of nccl-tests, as of all_reduce_perf"
        )
    return tables


class _Reader:
    """Takes a file line by line."""

    def __init__(self, file: str) -> None:
        self.tables: list[Table] = []
        self.head: Head | None = None
        self._file = file
        self._label = ""  # what a launcher puts before the columns, and so before their rows
        self._operation = ""
        self._ranks: dict[int, tuple[int, str, str]] = {}  # their group, host and device
        self._listed: Table | None = None  # what these are, once columns came after them
        self._rows = 0

    def take(self, line: str, number: int) -> None:
        """One line of the file."""
        where = f"{self._file} line {number}"
        if "Pid" in line and (device := DEVICE.search(line)):
            self._device(int(device[1]), int(device[2] or 0), device[3], device[4].strip(), where)
        elif "_perf" in line and (program := PROGRAM.search(line)) and not BUILT.match(line):
            self._operation = known_operation(program[1]) or self._operation
        elif "size" in line and "count" in line and self._columns(line, where):
            self._table()
        elif self.head is not None:
            self._below(line.removeprefix(self._label).strip(), where, number)

    def _columns(self, line: str, where: str) -> bool:
        """Whether the line names columns: after a `#`, or nothing but the columns it must name."""
        label, mark, names = line.partition("#")
        if not (mark and {"size", "count"} <= set(names.split())):
            at = line.index("size")
            label, mark, names = line[:at], "", line[at:]
        head = head_of(" ".join(names.split()))
        if not mark and (head is None or not UNMARKED.fullmatch(names)):
            return False
        if not set(TIMES) & set(names.split()):
            return False
        if head is None:
            raise BadInput(
                f"{where}: unknown columns {brief(' '.join(names.split()))}; try: size count "
                "type redop root time algbw busbw #wrong time algbw busbw #wrong"
            )
        self.head, self._label = head, label.strip()
        if self._label.isdecimal():  # a size below it may begin with the same digits
            self._label = ""
        return True

    def _below(self, text: str, where: str, number: int) -> None:
        """A line below the columns, without their label: units, a row, or neither."""
        assert self.head is not None
        words = text.removeprefix("#").split()
        is_units = text.startswith("#") or all(word.startswith("(") for word in words)
        if "(B)" in words and is_units:
            self.head = with_units(self.head, words, where)
        elif ROW.match(text):
            self._rows += 1
            if self._rows > MAX_ROWS:
                raise BadInput(f"{where}: more than {MAX_ROWS} rows; try: fewer sizes")
            self.tables[-1].rows.append(row_of(words, self.head, where, number))
        elif self.head.is_row(words[-self.head.width :]):
            begin = " ".join(words[: len(words) - self.head.width + 1])
            label = brief(self._label) if self._label else "which have none"
            raise BadInput(
                f"{where}: row {brief(begin)} does not have the label of its columns, {label}; "
                "try: the lines of one process"
            )

    def _device(self, rank: int, group: int, host: str, device: str, where: str) -> None:
        if self._listed is not None:
            self._ranks, self._listed = {}, None
        if rank in self._ranks:
            raise BadInput(
                f"{where}: rank {rank} is listed twice: the processes are not connected, "
                "as with nccl-tests built without MPI; try: make MPI=1"
            )
        if rank >= MAX_RANKS:
            raise BadInput(f"{where}: rank {rank}; at most {MAX_RANKS} ranks are read")
        self._ranks[rank] = group, host, device

    def _table(self) -> None:
        """A table of what is listed, in place of the one before if that has no rows."""
        if self.tables and not self.tables[-1].rows:
            self.tables.pop()
        self._listed = self._listed or self._listing()
        self.tables.append(replace(self._listed, operation=self._operation, rows=[]))

    def _listing(self) -> Table:
        """The ranks, hosts and devices that are listed: those of the first group are measured."""
        first = min((group for group, _, _ in self._ranks.values()), default=0)
        groups = {group for group, _, _ in self._ranks.values()}
        mine = [rank for rank, (group, _, _) in self._ranks.items() if group == first]
        ranks = len(mine) if len(groups) > 1 else max(mine, default=-1) + 1  # some leave ranks out
        hosts = tuple(dict.fromkeys(self._ranks[rank][1] for rank in mine))
        devices = tuple(dict.fromkeys(self._ranks[rank][2] for rank in mine))
        return Table(ranks=ranks, hosts=hosts, devices=devices)
