"""Is a measurement healthy: its times against what is to be expected, size by size."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import links_of
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.evidence.expect import FROM, MOST_SIZES, expected
from collectives.evidence.expectation import ExpectedSize
from collectives.evidence.measured_model import gpu_of
from collectives.formats.nccl_tests import BenchmarkRow, Table
from collectives.units import rate_text, size_text
from collectives.words import plural

HEALTHY, SLOW, WRONG, UNKNOWN = "healthy", "too slow", "wrong results", "cannot say"
ENOUGH = 64 << 20  # bytes: smaller sizes do not show a bandwidth
UNRANGED = 4.0  # times the model, beyond which no sound posted row lies
UNSURE, TOO_FAST = 1.5, 0.8  # of the model, or of its range: what nobody measured proves nothing
ON_BOARDS = re.compile(r"SXM|HBM3|\bH200\b|\bB200\b", re.IGNORECASE)  # at NVSwitches, not in slots
IN_SLOTS = re.compile(r"PCIE|NVL", re.IGNORECASE)


@dataclass(frozen=True)
class JudgedSize:
    """A measured size beside what is expected of it."""

    row: BenchmarkRow
    expected: ExpectedSize

    @property
    def ratio(self) -> float:
        """The measured time over the model's."""
        return self.row.seconds / self.expected.seconds

    @property
    def is_slow(self) -> bool:
        """Whether it takes longer than posted rows of this kind do."""
        return self.ratio > self.limit

    @property
    def is_very_slow(self) -> bool:
        """Whether it does by far."""
        return self.ratio > UNSURE * self.limit

    @property
    def limit(self) -> float:
        """The most that posted rows of this kind take, in times of the model."""
        posted = self.expected.range
        return posted.high if posted else UNRANGED

    @property
    def is_too_fast(self) -> bool:
        """Whether no machine of this kind was ever measured so fast."""
        posted = self.expected.range
        return self.ratio < TOO_FAST * (posted.low if posted else 1.0)

    @property
    def busbw(self) -> float:
        """The measured busbw."""
        return self.expected.busbw_of(self.row.seconds)


@dataclass(frozen=True)
class HealthVerdict:
    """Whether a measurement is healthy, and the sizes that say so; why: where it cannot be said.

    slow: the sizes that are too slow, the largest last.
    """

    kind: str
    sizes: Sequence[JudgedSize] = ()
    slow: Sequence[JudgedSize] = ()
    why: str = ""
    machine: str = ""

    def __str__(self) -> str:
        """The verdict in a sentence, without its period."""
        if self.kind == SLOW:
            first, last = self.slow[0], self.slow[-1]
            rates = f"{rate_text(last.busbw, 3)} instead of {rate_text(last.expected.busbw, 3)}"
            size = size_text(last.row.size)
            where = f"from {size_text(first.row.size)} "
            where += "on" if last is self.sizes[-1] else f"to {size}"
            if first is last:
                return f"{last.ratio:.1f} times too slow at {size} (busbw {rates})"
            return f"{last.ratio:.1f} times too slow {where} (busbw {rates} at {size})"
        return f"{self.kind}: {self.why}" if self.why else self.kind


def known_machine(where: Where, table: Table) -> Where | None:
    """The machine that is meant, else that of devices that are at NVSwitches; None if unclear."""
    if where.is_given:
        return where
    gpus = {gpu_of(device) for device in table.devices}
    if len(table.hosts) != 1 or len(gpus) != 1:
        return None
    if any(IN_SLOTS.search(device) or not ON_BOARDS.search(device) for device in table.devices):
        return None
    boxes = [name for name, box in MACHINES.items() if gpus & set(box.gpus)]
    return replace(where, name=boxes[0]) if boxes else None


def judged(table: Table, collective: str, ranks: int, where: Where) -> HealthVerdict:
    """The verdict on a table of a collective; raises BadInput where the machine has no room."""
    wrong = wrong_rows(table)
    if wrong:
        sizes = plural(len(wrong), "size")
        return HealthVerdict(
            WRONG, why=f"#wrong is above 0 at {sizes}, first in line {wrong[0].line}"
        )
    place = known_machine(where, table)
    if place is None:
        return HealthVerdict(UNKNOWN, why=_which_machine(table, ranks))
    rows = {row.size: row for row in table.rows if row.size >= FROM and row.timed is not None}
    if not rows:
        why = "there is no size from 8 B on; try: all_reduce_perf -b 8 -e 8G -f 2"
        return HealthVerdict(UNKNOWN, why=why)
    if len(rows) > MOST_SIZES:
        raise BadInput(f"{len(rows)} sizes: at most {MOST_SIZES}; try: -f 2")
    expectation = expected(collective, place, ranks, list(rows))
    compared = [JudgedSize(rows[size.size], size) for size in expectation.sizes]
    return replace(_verdict(compared), sizes=compared, machine=place.called)


def _which_machine(table: Table, ranks: int) -> str:
    """That the machine must be named, with one of such GPUs to begin with."""
    hosts = len(table.hosts)
    if hosts < 2 and ranks <= 8:
        why = "The header does not tell; try: --topology hgx-h100, or pcie-box"
        return f"which machine? {why}"
    gpus = max(1, ranks // hosts) if hosts else min(8, ranks)
    inside, outside = links_of(gpu_of(table.devices[0]) if table.devices else None)
    near = f"cluster:gpus={gpus},nics={gpus},inside={inside},outside={outside}"
    return f"which machine? No header names the network: put yours in; try: --topology {near}"


def wrong_rows(table: Table) -> list[BenchmarkRow]:
    """The rows some of whose results are wrong."""
    return [
        row
        for row in table.rows
        if any(timed is not None and timed.wrong for timed in (row.out_of_place, row.in_place))
    ]


def _verdict(sizes: Sequence[JudgedSize]) -> HealthVerdict:
    """By the largest sizes in a row that are slow: up to the last, or very slow."""
    last = sizes[-1]
    runs = [list(alike) for slow, alike in groupby(sizes, lambda size: size.is_slow) if slow]
    runs = [run for run in runs if run[-1] is last or (len(run) > 1 and run[-1].is_very_slow)]
    size = size_text(last.row.size)
    if last.row.size >= ENOUGH and last.is_too_fast:
        why = f"{size} is faster than on this machine; which machine is it? try: --topology NAME"
        return HealthVerdict(UNKNOWN, why=why)
    if runs:
        return HealthVerdict(SLOW, slow=runs[-1])
    if last.row.size < ENOUGH:
        why = f"{size} is the largest size, and bandwidth shows from 64 MiB on; try: -e 8G"
        return HealthVerdict(UNKNOWN, why=why)
    if last.expected.range is None and last.ratio > UNSURE:
        why = (
            f"{size} takes {last.ratio:.1f} times as long as the model, and nobody posted rows of "
        )
        return HealthVerdict(UNKNOWN, why=f"{why}this kind; try: fewer nodes")
    return HealthVerdict(HEALTHY, why=f"busbw {rate_text(last.busbw, 3)} at {size}")
