"""The model of posted rows with start-up, lost rate and filling fitted, one source left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from collectives.evidence.measured_model import LAUNCH, Model

if TYPE_CHECKING:
    from collectives.evidence.measured import ModelComparison

CLOSE = 0.25  # of the measured time
LAUNCHES = range(20, 41)  # µs
LOSSES = [part / 100 for part in range(21)]  # of the time of bytes
FILLINGS = range(5, 101, 5)  # µs


@dataclass(frozen=True)
class FittedStart:
    """What the model lacks: µs of a launch, bytes' time lost, and µs until a pipeline is full.

    Filling takes filling * moving / (moving + filling): all of it for many bytes, and no longer
    than the bytes themselves for few.
    """

    launch: float
    loss: float
    filling: float

    def time(self, model: Model) -> float:
        """The time of a model in µs with these in it."""
        filled = self.filling * model.moving / (model.moving + self.filling)
        return self.launch + model.time - LAUNCH + self.loss * model.moving + filled


@dataclass(frozen=True)
class LeftOutSource:
    """A source: fitted to the rows of all others, and how many of its rows are met."""

    name: str
    fit: FittedStart
    rows: int
    met: int
    met_before: int


def fit_start(rows: Sequence[ModelComparison]) -> FittedStart:
    """The start with the least sum of |log(model / measured)|, of a grid; faults are left out."""
    sound = [row for row in rows if row.cause != "fault"]
    measured = np.array([pair.row.time_us for pair in sound])
    moving = np.array([pair.model.moving for pair in sound])
    others = np.array([pair.model.time - LAUNCH for pair in sound])
    launches = np.array(LAUNCHES)[:, None]
    best, smallest = FittedStart(LAUNCH, 0.0, FILLINGS[0]), np.inf
    for loss in LOSSES:
        for filling in FILLINGS:
            times = launches + others + loss * moving + filling * moving / (moving + filling)
            missed = np.abs(np.log(times / measured)).sum(1)
            if missed.min() < smallest:
                smallest = missed.min()
                best = FittedStart(float(LAUNCHES[missed.argmin()]), loss, float(filling))
    return best


def left_out(rows: Sequence[ModelComparison]) -> tuple[LeftOutSource, ...]:
    """Each source judged by what was fitted to the rows of the others."""
    sources = []
    for name in sorted({row.row.repository for row in rows}):
        mine = [row for row in rows if row.row.repository == name]
        fit = fit_start([row for row in rows if row.row.repository != name])
        met = sum(abs(fit.time(pair.model) / pair.row.time_us - 1) <= CLOSE for pair in mine)
        before = sum(not pair.missed for pair in mine)
        sources.append(LeftOutSource(name, fit, len(mine), met, before))
    return tuple(sources)


def source_lines(sources: Sequence[LeftOutSource]) -> Iterator[str]:
    """A line for each source, and one for all."""
    yield "with launch, lost rate and filling fitted to the rows of all other sources:"
    for source in sources:
        fit = source.fit
        yield (
            f"  {source.name[:42]:42} {source.met:2} of {source.rows:2} (not fitted: "
            f"{source.met_before:2})  "
            f"{fit.launch:.0f} µs, {100 * fit.loss:.0f} %, {fit.filling:.0f} µs"
        )
    met, rows = sum(source.met for source in sources), sum(source.rows for source in sources)
    yield f"{met} of {rows} rows within {100 * CLOSE:.0f} %, none of a source that was fitted"


def source_values(sources: Sequence[LeftOutSource]) -> list[dict[str, Any]]:
    """The same as values."""
    return [
        {
            "source": source.name,
            "rows": source.rows,
            "met": source.met,
            "met_not_fitted": source.met_before,
            "launch_us": source.fit.launch,
            "loss": source.fit.loss,
            "filling_us": source.fit.filling,
        }
        for source in sources
    ]
