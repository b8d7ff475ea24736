"""Plots: axes with figures, lines that grow, points, and the names of both, in a box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np

from animations.drawing.axis import Axis
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Align, Box, ColoredBox, Point, Stroke, TextLine

NAME, TICK, POINT, LINE = 30.0, 26.0, 22.0, 6.0  # pixels of names, figures, a point, a line
SIDES: Mapping[Align, int] = {"left": 1, "right": -1}  # of a point: its name's alignment
LABELS = 360.0  # pixels to the right of the axes, for names


@dataclass(frozen=True)
class Series:
    """Values to plot, with a name: a line through them; or, if measured, points."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    tone: str
    points: bool = False


@dataclass(frozen=True)
class Plot:
    """Two axes in a box, beside whose left and lower edge their figures stand."""

    box: Box
    across: Axis
    up: Axis

    def at(self, x: float, y: float) -> Point:
        """Where two values are."""
        box = self.box
        return (
            box.left + self.across.share(x) * box.width,
            box.bottom - self.up.share(y) * box.height,
        )

    @property
    def grid(self) -> Drawing:
        """A line for each figure, and the names of the axes."""
        box, strokes, lines = self.box, list[Stroke](), list[TextLine]()
        for value in self.across.figures:
            x, _ = self.at(value, self.up.ends[0])
            strokes.append(Stroke(((x, box.top), (x, box.bottom)), "line", 1.5))
            text, base = self.across.written(value), box.bottom + 38
            lines.append(TextLine(text, x, base, TICK, "faint", align="center"))
        for value in self.up.figures:
            _, y = self.at(self.across.ends[0], value)
            strokes.append(Stroke(((box.left, y), (box.right, y)), "line", 1.5))
            text = self.up.written(value)
            lines.append(TextLine(text, box.left - 16, y + 9, TICK, "faint", align="right"))
        across, up = self.across.name, self.up.name
        lines.append(TextLine(across, box.x, box.bottom + 80, NAME, "faint", align="center"))
        lines.append(TextLine(up, box.left - 150, box.top - 44, NAME, "faint"))
        return Drawing((), tuple(strokes), tuple(line for line in lines if line.text))

    def drawn(self, curve: Series, grown: float = 1.0) -> Drawing:
        """A curve, this part of it from its left end: a point alone is there at once."""
        points = [self.at(x, y) for x, y in zip(curve.xs, curve.ys, strict=True)]
        first, last = min(points)[0], max(points)[0]
        end = first + grown * (last - first) + 1e-6
        if curve.points:
            boxes = (Box(x, y, POINT, POINT) for x, y in points if x <= end)
            return Drawing(tuple(ColoredBox(box, curve.tone, POINT / 2) for box in boxes))
        pairs = list[tuple[Point, Point]]()
        for (x, y), (u, v) in pairwise(points):
            part = min(1.0, (end - x) / (u - x))
            pairs += [((x, y), (x + part * (u - x), y + part * (v - y)))] * (part > 0)
        return Drawing(strokes=tuple(Stroke(pair, curve.tone, LINE) for pair in pairs))

    def guides(self, curve: Series, grown: float) -> Drawing:
        """Lines from the lower axis up to points, and on to the left one, this part of them."""
        strokes, box = list[Stroke](), self.box
        for x, y in map(self.at, curve.xs, curve.ys):
            high, back = min(2 * grown, 1.0) * (box.bottom - y), max(2 * grown - 1, 0.0)
            corners = (x, box.bottom), (x, box.bottom - high), (x - back * (x - box.left), y)
            strokes += [Stroke(pair, curve.tone, 2) for pair in pairwise(corners[: 2 + (back > 0)])]
        return Drawing(strokes=tuple(strokes))

    def names(self, every: Iterable[Series], drawn: Sequence[Series] = ()) -> Iterator[TextLine]:
        """The names beside the ends of lines, apart from one another, and at the last point.

        drawn: the curves that names of points keep clear of.
        """
        left, free = self.box.right + 20, self.box.top
        for curve in sorted(every, key=lambda curve: -self.up.share(curve.ys[-1])):
            if curve.points:
                yield self._name_of_point(curve, [line for line in drawn if not line.points])
                continue
            base = self.at(curve.xs[-1], curve.ys[-1])[1] + 0.36 * NAME
            size = min(NAME, NAME * (LABELS - 24) / text_width(curve.name, NAME))
            yield TextLine(curve.name, left, max(base, free), size, curve.tone)
            free = max(base, free) + 1.25 * NAME

    def _name_of_point(self, point: Series, lines: Sequence[Series]) -> TextLine:
        """The name below or above the last point, right or left of it, where no line runs."""
        x, y = self.at(point.xs[-1], point.ys[-1])
        wide = text_width(point.name, NAME)
        paths = [
            np.array([self.at(*at) for at in zip(line.xs, line.ys, strict=True)]) for line in lines
        ]
        tried = list[TextLine]()
        for rows, (align, side) in product((1.6, -0.6, 2.8, -1.8), SIDES.items()):
            left, base = x + side * POINT, y + rows * NAME
            tried.append(TextLine(point.name, left, base, NAME, point.tone, align=align))
            along = np.linspace(x, left + side * wide, round(wide) + 2)
            above = [base - np.interp(along, path[:, 0], path[:, 1]) for path in paths]
            crossed = any(((high > -0.3 * NAME) & (high < NAME)).any() for high in above)
            if base < self.box.bottom and not crossed:
                return tried[-1]
        return tried[0]

    def mark(self, x: float, text: str, grown: float = 1.0) -> Drawing:
        """A line at a value, this part of the height, and at all of it a text beside its top."""
        (at, low), high = self.at(x, self.up.ends[0]), grown * self.box.height
        box = ColoredBox(Box(at, low - high / 2, 4, high), "now")
        line = TextLine(text, at + 12, self.box.top + 30, NAME, "now")
        return Drawing((box,), (), (line,) * (grown == 1))
