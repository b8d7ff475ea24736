"""Pages of bars that come one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import fitted, size_for, text_width
from animations.drawing.shapes import MOTION, ColoredBox, TextLine

PITCH, GROWN = 420.0, 0.6  # pixels from bar to bar, at most; part of its time in which one grows


@dataclass(frozen=True)
class ValueBar:
    """A bar: what it is of, its value as text, and its parts with their tones, from the left.

    start: what each part is when the bar comes.
    """

    label: str
    text: str
    parts: tuple[tuple[float, str], ...]
    start: tuple[float, ...]

    @property
    def values(self) -> tuple[float, ...]:
        """Its parts without their tones."""
        return tuple(value for value, _ in self.parts)


@dataclass(frozen=True)
class BarsPage(Headed):
    """Bars that come one after the other.

    unit: what is drawn, such as "bytes sent by the busiest rank"; limit: a value and its text, at
    which a red line stands.
    """

    bars: tuple[ValueBar, ...] = ()
    unit: str = ""
    limit: tuple[float, str] | None = None

    @property
    def items(self) -> int:
        """How many bars come."""
        return len(self.bars)

    def at(self, item: int, time: float) -> Drawing:
        """The bars that have come, the last growing."""
        layers = [self.head, Drawing(lines=(TextLine(self.unit, LEFT, TOP, 30, "faint"),))]
        pitch = min(PITCH, (BOTTOM - TOP - 40) / max(1, len(self.bars)))
        for number, entry in enumerate(self.bars[:item]):
            grown = MOTION.eased(time / GROWN) if number == item - 1 else 1.0
            layers.append(self._bar(entry, TOP + 50 + pitch * number, pitch, grown))
        if self.limit:
            x = LEFT + self._length(self.limit[0])
            line = TextLine(self.limit[1], x, BOTTOM + 40, 34, "wrong", "bold", "center")
            layers.append(Drawing(lines=(line,)))
        return joined(layers)

    def _bar(self, entry: ValueBar, top: float, pitch: float, grown: float) -> Drawing:
        size = min(72.0, 0.26 * pitch)
        base = top + size
        label = fitted(entry.label, self._room, size_for(entry.label, self._room, size, 24))
        y, left, bodies = base + 0.5 * size + 0.14 * pitch, LEFT, list[ColoredBox]()
        ends, starts = ([*map(self._length, accumulate(of))] for of in (entry.values, entry.start))
        for (_, tone), start, end in zip(entry.parts, starts, ends, strict=True):
            right = LEFT + start + (end - start) * grown
            bodies.append(bar(left, y, right - left, 0.3 * pitch, tone))
            left = right
        lines = [TextLine(label, LEFT, base, size, "ink")]
        if self.limit:
            x = LEFT + self._length(self.limit[0])
            bodies.append(bar(x - 3, y, 6, 0.4 * pitch, "wrong"))
            left = max(left, x)
        if grown == 1:  # a shorter bar has another value
            lines.append(TextLine(entry.text, left + 20, y + 0.36 * size, size, "ink", "mono"))
        return Drawing(boxes=tuple(bodies), lines=tuple(lines))

    @cached_property
    def _room(self) -> float:
        """Pixels of the longest bar, beside which its value is written."""
        pitch = min(PITCH, (BOTTOM - TOP - 40) / max(1, len(self.bars)))
        size = min(72.0, 0.26 * pitch)
        wide = max((text_width(bar.text, size, "mono") for bar in self.bars), default=0.0)
        return RIGHT - LEFT - wide - 24

    def _length(self, value: float) -> float:
        """Pixels of a value."""
        return self._room * value / (max(sum(entry.values) for entry in self.bars) or 1.0)
