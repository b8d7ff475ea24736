"""`collectives.diagnose`: whether output of nccl-tests is healthy, and likely causes if not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from collectives.collective import find_collective
from collectives.comparison.measured_file import against, ranks_of, runs_of
from collectives.comparison.slow_causes import LikelyCause, likely_causes
from collectives.comparison.verdicts import (
    HEALTHY,
    SLOW,
    UNKNOWN,
    WRONG,
    HealthVerdict,
    judged,
    known_machine,
)
from collectives.cost.busbw import OTHER_NAMES, SIZES
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.files import path_of
from collectives.formats.nccl_tests import Table, has_rates_of, read
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import rate_text, size_text, time_text
from collectives.values import whole
from collectives.words import capital, listed, plural, quoted

WORST_FIRST = (WRONG, SLOW, UNKNOWN, HEALTHY)
BEHIND = 1.25  # times as long as the other files, from which on a node is slower than they are
STATUS = {HEALTHY: 0, SLOW: 1, WRONG: 1, UNKNOWN: 2}
WRONG_NEXT = (
    ("a broken GPU or its memory", "each node alone, then halves of its GPUs; dcgmi diag -r 3"),
    ("a broken link or network card", "pairs of nodes; NVLink and port error counters"),
    ("a protocol that the links do not keep", "NCCL_PROTO=Simple: is #wrong 0 then?"),
)


@dataclass(frozen=True)
class FileVerdict:
    """A file, what was measured in it, and the verdict on it."""

    path: str
    collective: str
    ranks: int
    verdict: HealthVerdict


@dataclass(frozen=True, repr=False)
class HealthReport:
    """What `collectives.diagnose` returns: a verdict on all files, and likely causes in order.

    files: the worst first. notes: what else a reader should know.
    """

    files: Sequence[FileVerdict]
    causes: Sequence[LikelyCause] = ()
    notes: Sequence[str] = ()

    @property
    def verdict(self) -> HealthVerdict:
        """The verdict on the worst file."""
        return self.files[0].verdict

    @property
    def healthy(self) -> bool:
        """Whether every file is."""
        return self.verdict.kind == HEALTHY

    @property
    def status(self) -> int:
        """The exit status: 0 healthy, 1 too slow or wrong results, 2 cannot say."""
        return STATUS[self.verdict.kind]

    def __repr__(self) -> str:
        """One line: the verdict, and the first cause."""
        cause = f"; perhaps {self.causes[0].name}" if self.causes else ""
        return f"<HealthReport: {self.verdict}{cause}>"

    def lines(self) -> Lines:
        """The verdict, what speaks for it, then the causes with what to run next."""
        first = self.files[0]
        yield Heading(capital(str(self.verdict)))
        where = f" on {self.verdict.machine}" if self.verdict.machine else ""
        name = first.collective.replace("_", "-")
        yield Paragraph(f"{quoted(first.path)}: {name}, {plural(first.ranks, 'rank')}{where}.")
        for file in self.files[1:]:
            yield Paragraph(f"{quoted(file.path)}: {file.verdict}.")
        for note in self.notes:
            yield Paragraph(f"{capital(note)}.")
        if self.verdict.sizes:
            yield ""
            yield Grid(_rows(self.verdict), ("size", "measured", "expected", "range", ""), range(4))
        if self.causes:
            yield ""
            yield Paragraph("Causes, the likeliest first; none is certain from times alone:")
            for at, cause in enumerate(self.causes, 1):
                text = f"{cause.name} ({cause.fit}): {cause.evidence}"
                if cause.tied:
                    text += f"; these times do not tell it from {listed(cause.tied, last='or')}"
                yield Paragraph(text, f"{at}.", 3)
                yield Paragraph(f"next: {cause.next_step}", "   ", 3)

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        slow = self.verdict.slow
        return {
            "verdict": self.verdict.kind,
            "says": str(self.verdict),
            "factor": slow[-1].ratio if slow else None,
            "from_size": slow[0].row.size if slow else None,
            "to_size": slow[-1].row.size if slow else None,
            "files": [
                {
                    "file": file.path,
                    "collective": file.collective,
                    "ranks": file.ranks,
                    "topology": file.verdict.machine or None,
                    "verdict": file.verdict.kind,
                    "says": str(file.verdict),
                }
                for file in self.files
            ],
            "causes": [vars(cause) | {"likely": cause.likely} for cause in self.causes],
            "notes": list(self.notes),
        }


def diagnose(
    *paths: str | Path,
    topology: str | Topology | None = None,
    ranks: int | None = None,
    collective: str | None = None,
    **machine: object,
) -> HealthReport:
    """Whether output of nccl-tests is healthy; if not, the likeliest causes and what to run next.

    Parameters
    ----------
    *paths : str or Path
        What `all_reduce_perf` or another of nccl-tests printed: a file, or one of each node.
    topology : str or Topology, optional
        The machine; by default that of the header, where its devices leave no doubt.
    ranks : int, optional
        How many there are, where a file does not say it.
    collective : str, optional
        What was measured, where a file does not say it.
    **machine
        Parameters of the machine, such as nics=4.

    Returns
    -------
    HealthReport
        `verdict`, `healthy`, `status` and `causes`; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For files that are none of nccl-tests, and values that do not fit them.
    """
    if not paths:
        raise BadInput("no file to diagnose; try: out.txt")
    ranks = None if ranks is None else whole("ranks", ranks, 1)
    where = where_of(topology, "lockstep", None, machine)
    return diagnosed([str(path_of(path)) for path in paths], where, ranks, collective)


def diagnosed(
    paths: Sequence[str], where: Where, ranks: int | None, collective: str | None
) -> HealthReport:
    """The same on a machine that is known; raises BadInput."""
    where.ranks(ranks)  # refuses a machine that is not known, before any file is read
    judged = [_of_file(path, where, ranks, collective) for path in paths]
    notes, slow_node = _slow_node([report for report, _ in judged])
    judged.sort(key=lambda pair: WORST_FIRST.index(pair[0].verdict.kind))
    worst, table = judged[0]
    notes += against(where, table, worst.ranks) if where.is_given else ()
    causes = [*slow_node]
    if worst.verdict.kind == SLOW:
        place = known_machine(where, table)
        assert place is not None
        sizes, last = worst.verdict.sizes, worst.verdict.slow[-1]
        causes += likely_causes(place, worst.collective, worst.ranks, sizes, last)
        if not causes:
            notes.append("no cause that is modeled makes such times; try: smaller groups of ranks")
    if worst.verdict.kind == WRONG:
        why = "times do not tell it from the others"
        causes = [LikelyCause(name, why, step, 1.0) for name, step in WRONG_NEXT]
    return HealthReport([report for report, _ in judged], causes, notes)


def _of_file(
    path: str, where: Where, ranks: int | None, collective: str | None
) -> tuple[FileVerdict, Table]:
    """The verdict on a file, and its table."""
    file, tables = quoted(path), read(path)
    name = collective_of(tables[0], ranks, file) if collective is None else collective
    name = find_collective(name).name
    table = runs_of(tables, name, ranks, file)
    number, _ = ranks_of(table, ranks, file)
    return FileVerdict(path, name, number, judged(table, name, number, where)), table


def collective_of(table: Table, ranks: int | None, file: str) -> str:
    """What a file measures: as it says, else by its rates; raises BadInput where that is open."""
    ours = {theirs: name for name, theirs in OTHER_NAMES.items()}
    if table.operation:
        return ours.get(table.operation, table.operation)
    number = ranks or table.ranks
    fits = [name for name in SIZES if number and has_rates_of(table, name, number)]
    if len(fits) != 1:
        near = fits[0] if fits else "all-reduce"
        may = f"; its rates fit {listed(fits)}" if fits else ""
        raise BadInput(f"{file}: does not say what it measures{may}; try: --collective {near}")
    return ours.get(fits[0], fits[0])


def _slow_node(files: Sequence[FileVerdict]) -> tuple[list[str], list[LikelyCause]]:
    """Whether a file is slower than the others, at the largest size that all have."""
    times = [{size.row.size: size.row.seconds for size in file.verdict.sizes} for file in files]
    common = set.intersection(*map(set, times)) if len(files) > 1 else set()
    if not common or len({(file.collective, file.ranks) for file in files}) > 1:
        return [], []
    size = max(common)
    slowest = max(range(len(files)), key=lambda at: times[at][size])
    usual = median(times[at][size] for at in range(len(files)) if at != slowest)
    factor = times[slowest][size] / usual
    if factor < BEHIND:
        return [], []
    path = quoted(files[slowest].path)
    text = f"{path} takes {factor:.2f} times as long as the others at {size_text(size)}"
    step = "nvidia-smi -q, dcgmi diag -r 3 and ibstat on that node; the same without it"
    return [text], [LikelyCause("one slow node", text, step, 0.0)]


def _rows(verdict: HealthVerdict) -> list[list[str]]:
    """Each size with its busbw, and what is expected."""
    rows = []
    for size in verdict.sizes:
        bounds = size.expected.bounds
        span = " to ".join(time_text(seconds, 3) for seconds in bounds) if bounds else ""
        times = [time_text(seconds, 3) for seconds in (size.row.seconds, size.expected.seconds)]
        mark = f"{size.ratio:.1f} times, {rate_text(size.busbw, 3)}" if size.is_slow else ""
        rows.append([size_text(size.row.size), *times, span, mark])
    return rows
