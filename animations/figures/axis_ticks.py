"""Ticks of axes: matplotlib's locators, with numbers as `collectives.units` writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from collectives.units import size_text

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.ticker import Locator

MANTISSAS = ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8))  # of ticks, the more the fewer powers
FEWEST = 3  # ticks of a logarithmic axis


def ticks(axis: Axis, at: Locator | Sequence[float], text: Callable[[float], str]) -> None:
    """Put ticks at these values, or where a locator finds them, and no minor ones."""
    from matplotlib.ticker import FixedLocator, Locator, NullLocator

    axis.set_major_locator(at if isinstance(at, Locator) else FixedLocator(list(at)))
    axis.set_major_formatter(lambda value, _: text(value))
    axis.set_minor_locator(NullLocator())


def size_ticks(axis: Axis, binary: bool = True) -> None:
    """Ticks of a logarithmic axis of bytes: powers of two, or of ten."""
    locator = log_locator(axis, 2 if binary else 10, limit=6 if binary else 9)
    ticks(axis, locator, lambda size: size_text(size, binary=binary))


def rank_ticks(axis: Axis, ranks: Sequence[int], limit: int = 10) -> None:
    """Ticks of a logarithmic axis of ranks: powers of two, or all numbers where these are few."""
    powers = [2**k for k in range(1, max(ranks).bit_length()) if 2**k >= min(ranks)]
    chosen = powers if len(powers) >= FEWEST else sorted(set(ranks))
    ticks(axis, chosen[:: -(-len(chosen) // limit)], lambda number: f"{number:,.0f}")


def log_locator(axis: Axis, base: int = 10, fewest: int = FEWEST, limit: int = 9) -> Locator:
    """Powers of the base between the limits of an axis; where they are few, multiples of them."""
    from matplotlib.ticker import LogLocator

    low, high = axis.get_view_interval()
    for mantissas in MANTISSAS:
        locator = LogLocator(base, mantissas, numticks=limit)
        inside = [value for value in locator.tick_values(low, high) if low <= value <= high]
        if base == 2 or len(inside) >= fewest:
            break
    return locator


def even_locator(steps: int = 6) -> Locator:
    """At most so many steps of 1, 2, 2.5 or 5 times a power of ten."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(steps, steps=[1, 2, 2.5, 5, 10])
