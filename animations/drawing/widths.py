"""How wide a chunk is drawn: in proportion to its size, where chunks are of several sizes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from animations.drawing.scenery import CardShape
from animations.drawing.shapes import Box

LEAST_SHARE = 1 / 6  # of the width of the largest chunk: smaller ones are drawn as wide as that
ALIKE = 0.97  # of the largest size, from which on a difference could not be seen
HOLLOW = 24.0  # pixels: side of the square that is drawn for a chunk without elements


def largest_of(sizes: Iterable[float]) -> float:
    """The size that is drawn in full width; 0 where all are so alike that each is.

    >>> largest_of([10, 20, 0]), largest_of([3, 3]), largest_of([1000, 999])
    (20, 0, 0)
    """
    every = list(sizes)
    largest = max(every, default=0)
    return largest if largest and min(every) < ALIKE * largest else 0


def sized(box: Box, size: float, largest: float) -> Box:
    """The box of a chunk of this size, where `box` is that of the largest.

    >>> [sized(Box(50, 50, 60, 80), size, 12).width for size in (12, 6, 1, 0)]
    [60.0, 30.0, 10.0, 24.0]
    """
    if not largest:
        return box
    if not size:
        side = min(box.width, box.height, HOLLOW)
        return replace(box, width=side, height=side)
    return replace(box, width=max(size / largest, LEAST_SHARE) * box.width)


def is_cut(sizes: Iterable[float], largest: float) -> bool:
    """Whether a chunk is drawn wider than its size calls for."""
    return any(0 < size < LEAST_SHARE * largest for size in sizes)


def to_scale(shape: CardShape, sizes: Sequence[float], largest: float) -> CardShape:
    """A card whose cells, which have the width of the largest chunk, are of these sizes."""
    cells = (sized(*size, largest) for size in zip(shape.cells, sizes, strict=True))
    hollow = tuple(well for well, size in enumerate(sizes) if not size)
    return replace(shape, cells=tuple(cells), hollow=hollow)
