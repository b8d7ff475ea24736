"""Pages of bars that come one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import fitted, size_for, text_width
from animations.drawing.shapes import MOTION, ColoredBox, TextLine

BEFORE = "rank 0"  # the tone of what comes before a bar
PITCH, GROWN = 420.0, 0.6  # pixels from bar to bar, at most; part of its time in which one grows


@dataclass(frozen=True)
class ValueBar:
    """A bar: what it is of, its value, this as text, its tone, and what comes before it."""

    label: str
    value: float
    text: str
    tone: str = "rank 0"
    before: float = 0.0


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
        layers = [self.head, Drawing(lines=(note,))]
        pitch = min(PITCH, (BOTTOM - TOP - 40) / max(1, len(self.bars)))
        for number, entry in enumerate(self.bars[:item]):
            grown = MOTION.eased(time / GROWN) if number == item - 1 else 1.0
            layers.append(self._bar(entry, TOP + 50 + pitch * number, pitch, grown))
        return joined(layers)

    def _bar(self, value_bar: ValueBar, top: float, pitch: float, grown: float) -> Drawing:
        size = min(72.0, 0.26 * pitch)
        wide = max(text_width(bar.text, size, "mono") for bar in self.bars) + 24
        room = RIGHT - LEFT - wide
        base = top + size
        label = fitted(value_bar.label, room, size_for(value_bar.label, room, size, 24))
        y, left, bodies = base + 0.5 * size + 0.14 * pitch, LEFT, list[ColoredBox]()
        whole = value_bar.before + value_bar.value
        length = room * self._share(whole) * grown
        if value_bar.before:  # it stands there when the bar begins to grow
            first = room * self._share(value_bar.before)
            bodies.append(bar(LEFT, y, first, 0.3 * pitch, BEFORE))
            left, length = LEFT + first, (room * self._share(whole) - first) * grown
        bodies.append(bar(left, y, length, 0.3 * pitch, value_bar.tone))
        lines = [TextLine(label, LEFT, base, size, "ink")]
        if grown == 1:  # a shorter bar has another value
            x, middle = left + length + 20, y + 0.36 * size
            lines.append(TextLine(value_bar.text, x, middle, size, "ink", "mono"))
        return Drawing(boxes=tuple(bodies), lines=tuple(lines))

    def _share(self, value: float) -> float:
        """The part of the longest bar."""
        highest = max(entry.before + entry.value for entry in self.bars) or 1.0
        if not self.logarithmic or value <= 0:
            return value / highest
        lowest = min(entry.value for entry in self.bars if entry.value > 0) / 3
        return log10(value / lowest) / log10(highest / lowest)
