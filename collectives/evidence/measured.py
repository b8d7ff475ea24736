"""Measurements of nccl-tests that others posted, each beside its model, and why some are missed."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from collectives.cost.busbw import operation
from collectives.errors import BadInput, naming
from collectives.evidence.left_out import left_out, source_lines, source_values
from collectives.evidence.measured_model import EFA_LATENCY, Model, model
from collectives.files import read_text
from collectives.units import size_text, time_text
from collectives.values import positive, whole
from collectives.words import brief, nearest, plural, quoted

ROWS = Path(__file__).with_name("nccl_tests_measured.csv")
CLOSE = 0.25  # of the measured time
STARTING = 0.5  # bytes are less than this part of what is measured: the rest is starting


@dataclass(frozen=True)
class Measured:
    """A row somebody posted: bytes as nccl-tests counts them, µs, and GB/s."""

    op: str
    gpu: str
    ranks: int
    nodes: int
    fabric: str
    size_bytes: int
    time_us: float
    algbw_GBps: float  # noqa: N815 - as the table has it
    busbw_GBps: float  # noqa: N815
    source: str
    note: str

    @property
    def setting(self) -> tuple[str, ...]:
        """What rows of one curve share: all but size and what was measured."""
        return self.op, self.gpu, str(self.ranks), str(self.nodes), self.fabric, self.source

    @property
    def repository(self) -> str:
        """Where rows of several operations are from: the source without its file or issue."""
        first = self.source.partition(" ")[0]
        return first if "/" in first else self.source.partition(",")[0]


@dataclass(frozen=True)
class ModelComparison:
    """A row beside its model, and why it is missed, where it is."""

    row: Measured
    model: Model
    cause: str = ""
    reason: str = ""

    @property
    def ratio(self) -> float:
        """The model's time over the measured one."""
        return self.model.time / self.row.time_us

    @property
    def missed(self) -> bool:
        """Whether the model is off by more than a quarter of what was measured."""
        return abs(self.ratio - 1) > CLOSE


def read(path: str | Path = ROWS) -> tuple[Measured, ...]:
    """The rows of a table, the project's own by default; raises BadInput naming the line."""
    lines = read_text(path, "rows are a CSV file").splitlines()
    file = quoted(str(path))
    numbered = [
        (f"{file} line {at}", next(csv.reader([line])))
        for at, line in enumerate(lines, 1)
        if line[:1] != "#"
    ]
    if not numbered:
        raise BadInput(f"{file}: has no rows")
    wanted = [field.name for field in fields(Measured)]
    (_, head), *rows = numbered
    for name in head:
        if name not in wanted:
            raise BadInput(f"{file}: unknown column {name!r}; {nearest(name, wanted)}")
    for name in wanted:
        if name not in head:
            raise BadInput(f"{file}: there is no column {name}")
    for where, cells in rows:
        if cells and len(cells) != len(head):
            raise BadInput(f"{where}: {len(cells)} cells, must be {len(head)}")
    return tuple(_row(dict(zip(head, cells, strict=True)), where) for where, cells in rows if cells)


def _row(cells: dict[str, str], where: str) -> Measured:
    """A row from its cells; raises BadInput naming the line and the column."""
    values: dict[str, Any] = dict(cells)
    for field in fields(Measured):
        if field.type == "str":
            continue
        text, name = cells[field.name].strip(), f"{where}: {field.name}"
        try:
            number = int(text) if text.isdecimal() else float(text)
        except ValueError:
            raise BadInput(f"{name} {brief(text)}: must be a number") from None
        least_one = field.type == "int"
        values[field.name] = whole(name, number, minimum=1) if least_one else positive(name, number)
    row = Measured(**values)
    if row.ranks < row.nodes:
        near = plural(row.nodes, "rank")
        ranks = f"{plural(row.ranks, 'rank')} on {row.nodes} nodes"
        raise BadInput(f"{where}: {ranks}; try: {near}")
    with naming(where):
        return replace(row, op=operation(row.op))


def compare(rows: Iterable[Measured] | None = None) -> tuple[ModelComparison, ...]:
    """Every row beside its model; those that are missed with a reason from the rows themselves."""
    compared = [ModelComparison(row, model(row)) for row in (read() if rows is None else rows)]
    return tuple(
        ModelComparison(comparison.row, comparison.model, *explain(comparison, compared))
        if comparison.missed
        else comparison
        for comparison in compared
    )


def explain(comparison: ModelComparison, others: Sequence[ModelComparison]) -> tuple[str, str]:
    """The cause of a miss in a word, and what shows it; each is read off the rows or the model."""
    row, modeled = comparison.row, comparison.model
    if _doubted(comparison, others):
        return "fault", "the poster suspects a fault of this cluster"
    if modeled.unknown_latency and modeled.unknown_latency < row.time_us < modeled.time:
        return "card latency", (
            f"between {modeled.unknown_latency:.0f} µs, with cards that add no latency, and "
            f"{modeled.time:.0f} µs, with the {EFA_LATENCY:.0f} µs that their plugin tells NCCL"
        )
    if comparison.ratio > 1:
        return "not explained", "nothing in the rows shows why"
    if modeled.moving < STARTING * min(row.time_us, modeled.time):
        return "starting", _starting(comparison, others)
    met = [peer for peer in others if not peer.missed]
    curve = _alike(comparison, met, "setting")
    fits = [larger for larger in curve if larger.row.size_bytes > row.size_bytes]
    if fits:
        last = max(fits, key=lambda fit: fit.row.size_bytes)
        share = row.busbw_GBps / last.row.busbw_GBps
        return "rising", (
            f"the rate is still rising: busbw is {100 * share:.0f} % of that at "
            f"{size_text(last.row.size_bytes)}, which is met to {100 * abs(last.ratio - 1):.0f} %"
        )
    same_size = _alike(comparison, met, "op", "gpu", "source", "size_bytes")
    fewer = [smaller for smaller in same_size if smaller.row.nodes < row.nodes]
    if fewer:
        near = max(fewer, key=lambda peer: peer.row.nodes)
        return "network", (
            f"on {near.row.ranks} ranks the same size is met to {100 * abs(near.ratio - 1):.0f} % "
            f"and has {near.row.busbw_GBps:.0f} GB/s, here {row.busbw_GBps:.0f}: "
            "the model's network has no contention"
        )
    return "not explained", "nothing in the rows shows why"


def _alike(
    comparison: ModelComparison, others: Iterable[ModelComparison], *columns: str
) -> list[ModelComparison]:
    """Those of the others whose rows agree with a row in these columns."""
    key = attrgetter(*columns)
    return [peer for peer in others if key(peer.row) == key(comparison.row)]


def _doubted(comparison: ModelComparison, others: Sequence[ModelComparison]) -> bool:
    """Whether the poster doubts the cluster, in this row's note or in that of its cluster."""
    if "fault" in comparison.row.note:
        return True
    faulty = ("fault" in peer.row.note for peer in _alike(comparison, others, "setting"))
    return "same cluster" in comparison.row.note and any(faulty)


def _starting(comparison: ModelComparison, others: Sequence[ModelComparison]) -> str:
    """How much time there is that has nothing to do with bytes."""
    row = comparison.row
    text = f"bytes take {comparison.model.moving:.1f} of {row.time_us:.0f} µs, the rest is starting"
    same = _alike(comparison, others, "repository", "gpu", "ranks", "size_bytes")
    if len(same) > 1:
        peers = [peer.row.time_us for peer in same]
        text += f"; {len(peers)} operations of this size take {min(peers):.0f} to {max(peers):.0f}"
    return text


@dataclass(frozen=True)
class MeasuredReport:
    """Rows beside their models, as `collectives claims --measured` prints them."""

    rows: Sequence[ModelComparison]

    def lines(self) -> Iterator[str]:
        """One for each row, the reason below those that are missed, and how many are met."""
        head = (
            f"{'operation':14} {'GPU':15} {'ranks':>5} {'size':>8} {'measured':>10} {'model':>10}"
        )
        yield f"{head}  model/measured"
        for compared in self.rows:
            row, times = compared.row, (compared.row.time_us, compared.model.time)
            measured, modeled = (time_text(time * 1e-6, 3) for time in times)
            yield (
                f"{row.op:14} {row.gpu[:15]:15} {row.ranks:5} {size_text(row.size_bytes):>8} "
                f"{measured:>10} {modeled:>10}  {compared.ratio:.2f}  {compared.model.how}"
            )
            if compared.missed:
                yield f"    {compared.cause}: {compared.reason}"
        met = sum(not row.missed for row in self.rows)
        yield from source_lines(left_out(self.rows))
        yield f"not fitted: {met} of {len(self.rows)} rows within {100 * CLOSE:.0f} %"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        sources = source_values(left_out(self.rows))
        return {"measured": [_values(row) for row in self.rows], "left_out": sources}


def _values(comparison: ModelComparison) -> dict[str, Any]:
    row = comparison.row
    return {
        "operation": row.op,
        "gpu": row.gpu,
        "ranks": row.ranks,
        "bytes": row.size_bytes,
        "measured_us": row.time_us,
        "model_us": comparison.model.time,
        "ratio": comparison.ratio,
        "missed": comparison.missed,
        "cause": comparison.cause if comparison.missed else None,
        "reason": comparison.reason if comparison.missed else None,
        "source": row.source,
    }
