"""A page of a plot: lines, points and levels over a logarithmic axis, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, floor, log2, log10

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine

AXIS_LEFT, AXIS_BOTTOM = LEFT + 150, BOTTOM - 80
LABELS = 360.0  # pixels to the right of the axes, for names
NAME, TICK, POINT = 30.0, 26.0, 22.0  # pixels of names, of figures on axes, of a point
STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)  # from one figure of an axis to the next, times a power of ten
MOST_TICKS = 7
Written = Callable[[float], str]


@dataclass(frozen=True)
class Plotted:
    """A line through its values; or, where they are measured, points."""

    name: str
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    tone: str
    points: bool = False


@dataclass(frozen=True)
class Axis:
    """What an axis is of, and how its figures are written."""

    name: str
    written: Written


@dataclass(frozen=True)
class PlotPage(Headed):
    """Lines over a logarithmic axis; upwards from zero, or logarithmic, too."""

    plotted: tuple[Plotted, ...] = ()
    axes: tuple[Axis, Axis] = (Axis("", str), Axis("", str))
    logarithmic: bool = False

    @property
    def items(self) -> int:
        """How many lines come."""
        return len(self.plotted)

    def at(self, item: int, time: float) -> Drawing:
        """The lines that have come, the last growing from left to right."""
        found = [self.head, self._grid]
        for number, each in enumerate(self.plotted[:item], 1):
            found.append(self._drawn(each, MOTION.eased(time) if number == item else 1.0))
        named = self.plotted[: item if time == 1 else max(0, item - 1)]
        found.append(Drawing(lines=tuple(self._names(named))))
        return joined(found)

    @cached_property
    def _across(self) -> tuple[float, float]:
        every = [x for each in self.plotted for x in each.xs]
        return min(every), max(every)

    @cached_property
    def _up(self) -> tuple[float, ...]:
        """The figures of the axis upwards."""
        every = [y for each in self.plotted for y in each.ys]
        if self.logarithmic:
            return tuple(
                10.0**n for n in range(floor(log10(min(every))), ceil(log10(max(every))) + 1)
            )
        rough = max(every) / (MOST_TICKS - 1)
        power = 10.0 ** floor(log10(rough))
        step = next(step * power for step in STEPS if step * power >= rough)
        return tuple(step * number for number in range(ceil(max(every) / step) + 1))

    def _x(self, value: float) -> float:
        low, high = self._across
        share = log2(value / low) / log2(high / low)
        return AXIS_LEFT + share * (RIGHT - LABELS - AXIS_LEFT)

    def _y(self, value: float) -> float:
        low, high = self._up[0], self._up[-1]
        share = log10(value / low) / log10(high / low) if self.logarithmic else value / high
        return AXIS_BOTTOM - share * (AXIS_BOTTOM - TOP - 50)

    @property
    def _grid(self) -> Drawing:
        """Both axes with their figures and names."""
        (low, high), (across, up) = self._across, self.axes
        bits, right = log2(high / low), RIGHT - LABELS
        pitch = next(step for step in (1, 2, 3, 5, 10) if bits / step <= MOST_TICKS)
        strokes, lines = [], [TextLine(up.name, LEFT, TOP + 6, NAME, "faint")]
        for power in range(0, int(bits + 1e-9) + 1, pitch):
            x, text = self._x(low * 2**power), across.written(low * 2**power)
            strokes.append(Stroke(((x, TOP + 50), (x, AXIS_BOTTOM)), "line", 1.5))
            lines.append(TextLine(text, x, AXIS_BOTTOM + 36, TICK, "faint", align="center"))
        for value in self._up:
            y = self._y(value)
            strokes.append(Stroke(((AXIS_LEFT, y), (right, y)), "line", 1.5))
            text = up.written(value)
            lines.append(TextLine(text, AXIS_LEFT - 16, y + 9, TICK, "faint", align="right"))
        middle = (AXIS_LEFT + right) / 2
        lines.append(TextLine(across.name, middle, BOTTOM, NAME, "faint", align="center"))
        return Drawing((), tuple(strokes), tuple(lines))

    def _drawn(self, each: Plotted, grown: float) -> Drawing:
        points = [(self._x(x), self._y(y)) for x, y in zip(each.xs, each.ys, strict=True)]
        end = AXIS_LEFT + grown * (max(points)[0] - AXIS_LEFT) + 1e-6
        if each.points:
            boxes = (Box(x, y, POINT, POINT) for x, y in points if x <= end)
            return Drawing(tuple(ColoredBox(box, each.tone, POINT / 2) for box in boxes))
        pairs = [pair for pair in pairwise(points) if pair[1][0] <= end]
        return Drawing(strokes=tuple(Stroke(pair, each.tone, 6.0) for pair in pairs))

    def _names(self, named: tuple[Plotted, ...]) -> Iterator[TextLine]:
        """The names beside the ends of lines, apart from one another, and beside the last point."""
        free = TOP + 50
        for each in sorted(named, key=lambda each: self._y(each.ys[-1])):
            x, y = self._x(each.xs[-1]), self._y(each.ys[-1])
            if each.points:
                yield TextLine(each.name, x + POINT, y + 0.36 * NAME, NAME, each.tone)
                continue
            y = max(y + 0.36 * NAME, free)
            size = min(NAME, NAME * (LABELS - 24) / text_width(each.name, NAME))
            yield TextLine(each.name, RIGHT - LABELS + 20, y, size, each.tone)
            free = y + 1.25 * NAME
