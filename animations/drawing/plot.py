"""Plots: axes with figures, lines that grow, points, and the names of both, in a box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from animations.drawing.axis import Axis
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine

NAME, TICK, POINT, LINE = 30.0, 26.0, 22.0, 6.0  # pixels of names, figures, a point, a line
LABELS = 360.0  # pixels to the right of the axes, for names


@dataclass(frozen=True)
class Series:
    """Values to plot, with a name: a line through them; or, where they are measured, points."""

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
        """A curve, this part of it from the left."""
        points = [self.at(x, y) for x, y in zip(curve.xs, curve.ys, strict=True)]
        end = self.box.left + grown * (max(points)[0] - self.box.left) + 1e-6
        if curve.points:
            boxes = (Box(x, y, POINT, POINT) for x, y in points if x <= end)
            return Drawing(tuple(ColoredBox(box, curve.tone, POINT / 2) for box in boxes))
        pairs = [pair for pair in pairwise(points) if pair[1][0] <= end]
        return Drawing(strokes=tuple(Stroke(pair, curve.tone, LINE) for pair in pairs))

    def names(self, every: Iterable[Series]) -> Iterator[TextLine]:
        """The names beside the ends of lines, apart from one another, and at the last point.

        That of a point stands below it, or above it where a line falls.
        """
        left, free = self.box.right + 20, self.box.top
        curves = sorted(every, key=lambda curve: -self.up.share(curve.ys[-1]))
        falls = any(curve.ys[-1] < curve.ys[0] for curve in curves if not curve.points)
        for curve in curves:
            x, y = self.at(curve.xs[-1], curve.ys[-1])
            base = y + 0.36 * NAME
            if curve.points:
                yield TextLine(
                    curve.name, x + POINT, y + (-0.6 if falls else 1.6) * NAME, NAME, curve.tone
                )
                continue
            size = min(NAME, NAME * (LABELS - 24) / text_width(curve.name, NAME))
            yield TextLine(curve.name, left, max(base, free), size, curve.tone)
            free = max(base, free) + 1.25 * NAME

    def mark(self, x: float, text: str) -> Drawing:
        """A line at a value, over all of the height, and a text beside its top."""
        at, _ = self.at(x, self.up.ends[0])
        box = ColoredBox(Box(at, self.box.y, 4, self.box.height), "now")
        return Drawing((box,), (), (TextLine(text, at + 12, self.box.top + 30, NAME, "now"),))
