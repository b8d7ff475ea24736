"""Axes: their ends, their figures, and how far along a value is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, log2, log10

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # from one figure of an axis to the next, times a power of ten
OCTAVES = (1, 2, 5, 10)  # from one figure of an axis of powers of two to the next
MOST_FIGURES, MOST_STEPS = 7, 8  # figures of an axis from zero; steps of one of octaves
Written = Callable[[float], str]


@dataclass(frozen=True)
class Axis:
    """What an axis is of, how its figures are written, the figures, and its ends."""

    name: str
    written: Written
    figures: tuple[float, ...] = ()
    ends: tuple[float, float] = (0.0, 1.0)
    logarithmic: bool = False

    def share(self, value: float) -> float:
        """How far a value is along the axis, 0 to 1."""
        low, high = self.ends
        if self.logarithmic:
            return log2(value / low) / log2(high / low)
        return (value - low) / (high - low)


def even_step(rough: float) -> float:
    """The step between the figures of an axis that is this or the next larger one."""
    power = 10.0 ** floor(log10(rough))
    return next(power * part for part in STEPS if power * part >= rough * (1 - 1e-9))


def from_zero(name: str, written: Written, values: Iterable[float]) -> Axis:
    """An axis from 0 to at least the largest value."""
    high = max(values)
    step = even_step(high / (MOST_FIGURES - 1))
    figures = tuple(step * number for number in range(ceil(high / step) + 1))
    return Axis(name, written, figures, (0.0, figures[-1]))


def by_powers_of_ten(name: str, written: Written, values: Iterable[float]) -> Axis:
    """A logarithmic axis of whole powers of ten round the values."""
    logs = [log10(value) for value in values]
    figures = tuple(10.0**power for power in range(floor(min(logs)), ceil(max(logs)) + 1))
    return Axis(name, written, figures, (figures[0], figures[-1]), True)


def by_octaves(name: str, written: Written, values: Iterable[float]) -> Axis:
    """A logarithmic axis from the smallest value to the largest, a figure every few doublings."""
    every = list(values)
    low, high = min(every), max(every)
    octaves = log2(high / low) + 1e-9
    step = next(step for step in OCTAVES if octaves / step <= MOST_STEPS)
    figures = tuple(low * 2**power for power in range(0, int(octaves) + 1, step))
    return Axis(name, written, figures, (low, high), True)
