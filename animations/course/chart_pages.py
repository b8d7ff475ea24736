"""Pages of numbers: bars, and curves of times over sizes, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor, log2, log10

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import fitted, size_for, text_width
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from collectives.units import size_text, time_text

PITCH, GROWN = 300.0, 0.4  # pixels from bar to bar, at most; part of its time in which one grows
AXIS_LEFT, AXIS_BOTTOM = LEFT + 130, BOTTOM - 70
LABELS = 330.0  # pixels to the right of the axes, for the names of the curves
MOST_TICKS = 8
NAME = 30.0  # pixels of a name


@dataclass(frozen=True)
class ValueBar:
    """A bar: what it is of, its value, this as text, and its tone."""

    label: str
    value: float
    text: str
    tone: str = "rank 0"


@dataclass(frozen=True)
class BarsPage(Headed):
    """Bars that come one after the other; `logarithmic` where values differ by much.

    unit: what is drawn, such as "bytes sent by the busiest rank".
    """

    bars: tuple[ValueBar, ...] = ()
    unit: str = ""
    logarithmic: bool = False

    @property
    def items(self) -> int:
        """How many bars come."""
        return len(self.bars)

    def at(self, item: int, time: float) -> Drawing:
        """The bars that have come, the last growing."""
        text = self.say("course.logarithmic", unit=self.unit) if self.logarithmic else self.unit
        note = TextLine(text, LEFT, TOP, 30, "faint")
        found = [self.head, Drawing(lines=(note,))]
        pitch = min(PITCH, (BOTTOM - TOP - 40) / max(1, len(self.bars)))
        for number, each in enumerate(self.bars[:item]):
            grown = MOTION.eased(time / GROWN) if number == item - 1 else 1.0
            found.append(self._bar(each, TOP + 50 + pitch * number, pitch, grown))
        return joined(found)

    def _bar(self, each: ValueBar, top: float, pitch: float, grown: float) -> Drawing:
        size = min(52.0, 0.26 * pitch)
        wide = max(text_width(bar.text, size, "mono") for bar in self.bars) + 24
        room = RIGHT - LEFT - wide
        base = top + size
        label = fitted(each.label, room, size_for(each.label, room, size, 24))
        length = room * self._share(each.value) * grown
        y = base + 0.5 * size + 0.14 * pitch
        shown = bar(LEFT, y, length, 0.3 * pitch, each.tone)
        text = TextLine(each.text, LEFT + length + 20, y + 0.36 * size, size, "ink", "mono")
        lines = (TextLine(label, LEFT, base, size, "ink"), *((text,) if grown == 1 else ()))
        return Drawing(boxes=(shown,), lines=lines)

    def _share(self, value: float) -> float:
        """The part of the longest bar."""
        highest = max(each.value for each in self.bars) or 1.0
        if not self.logarithmic or value <= 0:
            return value / highest
        lowest = min(each.value for each in self.bars if each.value > 0) / 3
        return log10(value / lowest) / log10(highest / lowest)


@dataclass(frozen=True)
class SizeCurve:
    """Seconds over bytes, with a name and a tone."""

    name: str
    sizes: tuple[int, ...]
    seconds: tuple[float, ...]
    tone: str


@dataclass(frozen=True)
class CurvesPage(Headed):
    """Curves that come one after the other. marks: sizes at which a line stands, last of all."""

    curves: tuple[SizeCurve, ...] = ()
    marks: tuple[int, ...] = ()

    @property
    def items(self) -> int:
        """How many curves come, and then the marks, if there are any."""
        return len(self.curves) + bool(self.marks)

    def at(self, item: int, time: float) -> Drawing:
        """The curves that have come, the last growing from left to right."""
        found = [self.head, self._axes()]
        for number, curve in enumerate(self.curves[:item], 1):
            found.append(self._curve(curve, MOTION.eased(time) if number == item else 1.0))
        names = self.curves[: item if time == 1 else item - 1]
        found.append(Drawing(lines=tuple(self._names(names))))
        if self.marks and item == self.items:
            found.append(self._marks())
        return joined(found)

    def _x(self, size: float) -> float:
        sizes = self.curves[0].sizes
        share = log2(size / sizes[0]) / log2(sizes[-1] / sizes[0])
        return AXIS_LEFT + share * (RIGHT - LABELS - AXIS_LEFT)

    @property
    def _decades(self) -> tuple[int, int]:
        seconds = [value for curve in self.curves for value in curve.seconds]
        return floor(log10(min(seconds))), ceil(log10(max(seconds)))

    def _y(self, seconds: float) -> float:
        low, high = self._decades
        return AXIS_BOTTOM - (log10(seconds) - low) / (high - low) * (AXIS_BOTTOM - TOP)

    def _axes(self) -> Drawing:
        """Both axes with their ticks."""
        sizes, (low, high) = self.curves[0].sizes, self._decades
        bits = log2(sizes[-1] / sizes[0])
        pitch = next(step for step in (1, 2, 5, 10) if bits / step <= MOST_TICKS)
        strokes, lines = [], []
        right = RIGHT - LABELS
        for power in range(0, int(bits) + 1, pitch):
            x = self._x(sizes[0] << power)
            text = size_text(sizes[0] << power, binary=True)
            strokes.append(Stroke(((x, TOP), (x, AXIS_BOTTOM)), "line", 1.5))
            lines.append(TextLine(text, x, AXIS_BOTTOM + 38, 26, "faint", align="center"))
        for decade in range(low, high + 1):
            y = self._y(10.0**decade)
            strokes.append(Stroke(((AXIS_LEFT, y), (right, y)), "line", 1.5))
            text = time_text(10.0**decade)
            lines.append(TextLine(text, AXIS_LEFT - 16, y + 9, 26, "faint", align="right"))
        return Drawing((), tuple(strokes), tuple(lines))

    def _curve(self, curve: SizeCurve, grown: float) -> Drawing:
        points = [
            (self._x(size), self._y(value))
            for size, value in zip(curve.sizes, curve.seconds, strict=True)
        ]
        end = AXIS_LEFT + grown * (points[-1][0] - AXIS_LEFT)
        pairs = [pair for pair in pairwise(points) if pair[1][0] <= end + 1e-6]
        return Drawing(strokes=tuple(Stroke(pair, curve.tone, 5.0) for pair in pairs))

    def _names(self, curves: tuple[SizeCurve, ...]) -> list[TextLine]:
        """The names beside the ends of the curves, apart from one another."""
        order = sorted(curves, key=lambda curve: self._y(curve.seconds[-1]))
        lines, free = list[TextLine](), TOP
        for curve in order:
            y = max(self._y(curve.seconds[-1]) + 0.36 * NAME, free)
            size = min(NAME, NAME * (LABELS - 20) / text_width(curve.name, NAME))
            lines.append(TextLine(curve.name, RIGHT - LABELS + 16, y, size, curve.tone))
            free = y + 1.25 * NAME
        return lines

    def _marks(self) -> Drawing:
        boxes, lines = [], []
        for size in self.marks:
            x, text = self._x(size), size_text(size, digits=3, binary=True)
            boxes.append(ColoredBox(Box(x, (TOP + AXIS_BOTTOM) / 2, 4, AXIS_BOTTOM - TOP), "now"))
            lines.append(TextLine(text, x + 12, TOP + 30, NAME, "now"))
        return Drawing(tuple(boxes), (), tuple(lines))
