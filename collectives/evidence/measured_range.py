"""How far posted rows lie from the model near a size and a machine: the range to be expected."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log2

from collectives.evidence.measured import Measured, ModelComparison, compare
from collectives.evidence.measured_model import Model, domain

SMALLEST = 1 << 16  # bytes, up to which a time is start-up alone
NEAR_SIZE, NEAR_RANKS = 4, 2  # doublings between what is expected and a row that is near
SEVERAL = 3  # domains of NVLink, from which on a machine is one of several
MARGINS = (1.5, 1.25, 1.1)  # beyond the rows of one source, of two, and of more


@dataclass(frozen=True)
class MeasuredRange:
    """The measured time over the model's, from the least to the most, and by how many rows."""

    low: float
    high: float
    rows: int
    sources: tuple[str, ...]


@dataclass(frozen=True)
class Coverage:
    """Of rows of sources that were left out: how many have a range by the others, and lie in it."""

    inside: int
    ranged: int
    rows: int


@cache
def sound_rows() -> tuple[ModelComparison, ...]:
    """The posted rows beside the model, but for those whose posters suspect a fault."""
    return tuple(compared for compared in compare() if compared.cause != "fault")


def measured_range(
    row: Measured, its: Model, rows: Sequence[ModelComparison] | None = None
) -> MeasuredRange | None:
    """The range by the rows that are near one that may not be measured yet; None without any."""
    near = [
        compared
        for compared in (sound_rows() if rows is None else rows)
        if _near(row, its, compared)
    ]
    if not near:
        return None
    sources = tuple(sorted({compared.row.repository for compared in near}))
    margin = MARGINS[min(len(sources), len(MARGINS)) - 1]
    times = [1 / compared.ratio for compared in near]
    fastest = (its.unknown_latency or its.time) / its.time  # where cards may add no latency
    return MeasuredRange(fastest * min(times) / margin, max(times) * margin, len(near), sources)


@cache
def coverage() -> Coverage:
    """How the ranges do on rows of a source whose rows were all left out of them."""
    rows, inside, ranged = sound_rows(), 0, 0
    for tried in rows:
        others = [item for item in rows if item.row.repository != tried.row.repository]
        posted = measured_range(tried.row, tried.model, others)
        ranged += posted is not None
        inside += posted is not None and posted.low <= 1 / tried.ratio <= posted.high
    return Coverage(inside, ranged, len(rows))


def _near(row: Measured, its: Model, compared: ModelComparison) -> bool:
    """Whether a posted row is of the same kind of model and machine, and of a size like it."""
    sizes, ranks = (
        abs(log2(max(first, floor) / max(second, floor)))
        for first, second, floor in (
            (row.size_bytes, compared.row.size_bytes, SMALLEST),
            (row.ranks, compared.row.ranks, 1),
        )
    )
    alike = _kind(its) == _kind(compared.model) and _domains(row) == _domains(compared.row)
    return alike and sizes <= NEAR_SIZE and ranks <= NEAR_RANKS


def _kind(its: Model) -> str:
    """What the model is: NCCL's tuner, rings, or grouped sends."""
    return re.split(r":| at ", its.how)[0]


def _domains(row: Measured) -> int:
    """How many domains of NVLink a row's ranks are in, several as one number."""
    return min(-(-row.ranks // (domain(row.fabric) or row.ranks // row.nodes)), SEVERAL)
