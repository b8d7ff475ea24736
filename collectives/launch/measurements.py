"""Readings of a launch: results compared bit for bit, times of steps, latency and bandwidth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ResultComparison:
    """How results compare: bits that are equal, else how many elements differ, by how much."""

    elements: int
    differing: int
    units: int  # in the last place, at most

    @property
    def equal(self) -> bool:
        """Whether all bits are the same."""
        return self.differing == 0


def compared(results: list[Any], expected: list[Any]) -> ResultComparison:
    """Elements that differ in a bit; of another length, all of them.

    >>> compared([np.array([1, 2])], [np.array([1, 3])])
    ResultComparison(elements=2, differing=1, units=1)
    """
    elements = differing = units = 0
    for result, wanted in zip(results, expected, strict=True):
        elements += max(len(result), len(wanted))
        if result.shape != wanted.shape or result.dtype != wanted.dtype:
            differing += max(len(result), len(wanted), 1)
            continue
        bits = np.dtype(f"u{result.itemsize}")
        differ = result.view(bits) != wanted.view(bits)
        differences = np.abs(_in_order(result[differ]) - _in_order(wanted[differ]))
        differing += len(differences)
        units = max([units, *differences.tolist()])
    return ResultComparison(elements, differing, int(units))


def _in_order(values: Any) -> Any:
    """Whole numbers that follow one another as the values do: of floats, -0.0 is just below 0.0.

    >>> _in_order(np.array([-1e-45, -0.0, 0.0, 1e-45], np.float32)).tolist()
    [-2, -1, 0, 1]
    """
    if values.dtype.kind != "f":
        return values.astype(object)
    bits = values.view(np.dtype(f"i{values.itemsize}"))
    return np.where(bits < 0, np.iinfo(bits.dtype).min - bits - 1, bits).astype(object)


def added(ends: Floats) -> Floats:
    """By how much each step puts off the end of those up to it, along the last axis.

    >>> added(np.array([[1.0, 3.0, 2.0, 5.0]])).tolist()
    [[1.0, 2.0, 0.0, 2.0]]
    """
    return np.diff(np.maximum.accumulate(ends, axis=-1), axis=-1, prepend=0.0)


def fitted(sizes: Floats, seconds: Floats) -> tuple[float, float]:
    """Latency and bandwidth of the line nearest to these times, by their relative distance.

    >>> [round(one, 9) for one in fitted(np.array([8.0, 1e6]), np.array([2e-6, 1e-3]))][0]
    1.992e-06
    """
    weight = 1 / seconds
    columns = np.stack([weight, sizes * weight], axis=1)
    (latency, per_byte), *_ = np.linalg.lstsq(columns, np.ones(len(sizes)), rcond=None)
    if latency <= 0 or per_byte <= 0:
        return float(seconds[0]), float(sizes[-1] / seconds[-1])
    return float(latency), float(1 / per_byte)
