"""Lanes in time: rows over one axis, bars, hatches of waits, names, ticks, and a cover of later.

All of it stands still: what is later than now is covered, so that bars seem to grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from animations.drawing.axis import even_step
from animations.drawing.shapes import Align, Box, ColoredBox, Point, Shape, Stroke, TextLine, hatch
from collectives.units import time_text

AXIS = 26.0  # pixels below the lanes, for the axis of time
SMALLEST, LARGEST = 12.0, 19.0  # em of names
TICK = 17.0  # em of the numbers of the axis
TICK_ROOM = 170.0  # pixels from one of them to the next
THINNEST = 1.5  # pixels of a bar, so that it is seen
GAP = 1.0  # pixels between bars
HATCH = 9.0  # pixels from one line of a hatch to the next


@dataclass(frozen=True)
class Lane:
    """A node's row. done: seconds at which its last message ends, inf where one never does."""

    node: int
    name: str
    box: Box
    done: float


@dataclass(frozen=True)
class Lanes:
    """Rows over one axis of time that begins at 0 and ends at `seconds`.

    box: of the rows. bars: messages. waits: where a rank neither sends nor receives, before it is
    done. words: names and ticks; grid: a line for each tick. left_out: ranks that have no row.
    lit: whether the waits are what one should see.
    """

    box: Box
    seconds: float
    rows: tuple[Lane, ...]
    bars: tuple[ColoredBox, ...]
    waits: tuple[Box, ...]
    words: tuple[TextLine, ...]
    grid: tuple[tuple[Point, Point], ...]
    left_out: int = 0
    lit: bool = False

    def x(self, now: float) -> float:
        """Where a time is."""
        return x_at(self.box, self.seconds, now)

    @property
    def shapes(self) -> Iterator[Shape]:
        """What is drawn below the cover: rows, bars, ticks, the hatches of waits, and text."""
        yield from (ColoredBox(row.box, "well") for row in self.rows)
        yield from self.bars
        yield from (Stroke(points, "edge", 2.0) for points in self.grid)
        for box in self.waits:
            yield from hatched(box, *(("now", 2.6) if self.lit else ("faint", 1.3)), HATCH)
        yield from self.words

    def cover(self, now: float) -> tuple[ColoredBox, ...]:
        """What covers the rows from now on."""
        left = self.x(now)
        wide = self.box.right + GAP - left
        boxes = (Box(left + wide / 2, r.box.y, wide, r.box.height + GAP) for r in self.rows)
        return tuple(ColoredBox(box, "well") for box in boxes)

    def now(self, now: float, above: float = 6.0) -> tuple[Point, Point]:
        """The line for now, from a little above the rows to their end."""
        return (self.x(now), self.box.top - above), (self.x(now), self.box.bottom + 4)


def x_at(box: Box, seconds: float, now: float) -> float:
    """Where a time is in rows that are so many seconds wide; their end where it is later."""
    return box.left + box.width * min(max(now / seconds, 0.0), 1.0)


def span(
    left: float, right: float, y: float, height: float, thinnest: float = THINNEST, gap: float = GAP
) -> Box:
    """The bar of a span in a lane, with a gap to the next one unless it is too short for that."""
    wide = max(thinnest, right - left - (gap if right - left > 4 * gap else 0))
    return Box(left + wide / 2, y, wide, height)


def stacked(spans: Sequence[tuple[float, float]], overlap: float) -> list[tuple[int, int]]:
    """Of spans in the order of their starts: the level of each, and how many levels it shares.

    Spans share a level if they overlap by at most `overlap`; so none hides another.

    >>> stacked([(0, 1), (1, 4), (2, 3), (5, 6)], 0.0)
    [(0, 1), (0, 2), (1, 2), (0, 1)]
    """
    levels, shared, ends, first = list[int](), list[int](), list[float](), 0
    for start, end in spans:
        if all(start >= last - overlap for last in ends):
            first, ends = len(levels), []
        free = next((k for k, last in enumerate(ends) if start >= last - overlap), len(ends))
        ends[free : free + 1] = [end]
        levels.append(free)
        shared[first:] = [len(ends)] * (len(levels) - first)
    return list(zip(levels, shared, strict=True))


def hatched(box: Box, tone: str, width: float, pitch: float) -> Iterator[Stroke]:
    """The lines of a hatch, where something waits."""
    return (Stroke(line, tone, width) for line in hatch(box, pitch))


def row_names(rows: Sequence[Lane], size: float) -> Iterator[TextLine]:
    """The names of the rows, only numbers or every other one where there is no room for more."""
    every = ceil(SMALLEST / size)
    for row in rows[::every]:
        em = max(SMALLEST, size)
        base = row.box.y + 0.36 * em
        yield TextLine(row.name, row.box.left - 12, base, em, "faint", align="right")


def time_axis(box: Box, seconds: float) -> tuple[list[TextLine], list[tuple[Point, Point]]]:
    """Ticks below the rows, of 1, 2, 2.5 or 5 times a power of ten."""
    words, grid = [], []
    step = even_step(seconds * TICK_ROOM / box.width)
    for number in range(int(seconds / step * (1 + 1e-9)) + 1):
        x = x_at(box, seconds, number * step)
        align: Align = "right" if box.right - x < 40 else "center"
        text = time_text(number * step)
        words.append(TextLine(text, x, box.bottom + 21, TICK, "faint", align=align))
        grid.append(((x, box.bottom), (x, box.bottom + 5)))
    return words, grid
