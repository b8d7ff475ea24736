"""A page of the messages that one rank sends: slanted by latency, as wide as their bytes take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from animations.course.headed import LEFT, RIGHT, TOP, Headed, bar, joined
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Area, Stroke, TextLine
from animations.whys.round_trip import straight
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats
from collectives.units import size_text, time_text

NAME, TOTAL, PITCH, HIGH = 38.0, 160.0, 245.0, 110.0  # pixels, of a row and its messages
BELOW = 14.0  # pixels of the bar of latency
DRAWN, THINNEST = 0.8, 5.0  # part of a sentence in which a row comes or grows; pixels
MOST_ROWS = 3


@dataclass(frozen=True, eq=False)
class SentMessages:
    """What rank 0 sends by an algorithm without bytes, and of the vector when it is largest."""

    name: str
    bare: Timing
    full: Timing

    def at(self, part: float) -> tuple[Floats, Floats, Floats]:
        """When each starts to leave, has left and has come, of a part of the largest vector."""
        own, after = self.bare.messages.src == 0, self.full.messages
        before = self.bare.messages
        starts, ends = (
            (1 - part) * low[own] + part * high[own]
            for low, high in ((before.start, after.start), (before.end, after.end))
        )
        return starts, ends - (before.end - before.start)[own], ends

    def seconds(self, part: float) -> float:
        """How long all takes."""
        return (1 - part) * self.bare.total + part * self.full.total


@dataclass(frozen=True)
class MessagesPage(Headed):
    """Rows of messages, each an algorithm: rows come one by one, and the vector may grow.

    comes: how many rows there are at each item, and bytes of the vector; size: at the start.
    Time has one scale, at which the longest row is as wide as the page.
    """

    rows: tuple[SentMessages, ...] = field(kw_only=True)
    size: float = field(kw_only=True)
    comes: tuple[tuple[int, float], ...] = ()

    @property
    def items(self) -> int:
        """How many times rows come, or the vector grows."""
        return len(self.comes)

    def at(self, item: int, time: float) -> Drawing:
        """The rows so far; the last is drawn as its time passes, or all grow with the vector."""
        count, size = self.comes[item - 1] if item else (0, self.size)
        before = self.comes[item - 2] if item > 1 else (0, self.size)
        way, grows = MOTION.eased(min(1.0, time / DRAWN)), size != before[1]
        size = before[1] + way * (size - before[1])
        part = size / (max(entry for _, entry in (*self.comes, (0, self.size))) or 1.0)
        text = self.say("course.vector_of", size=size_text(round(size), digits=3, binary=True))
        key = TextLine(self.say("course.messages"), RIGHT, 74, 30, "faint", align="right")
        lines = key, TextLine(text, RIGHT, TOP + NAME, 44, "now", "bold", "right")
        layers = [self.head, Drawing(lines=lines)]
        rows, come = self.rows[:count], count if grows else before[0]
        longest = max((row.seconds(part) for row in rows), default=1.0)
        unit, tall = (RIGHT - TOTAL - LEFT) / longest, MOST_ROWS / max(1, len(self.rows))
        for number, row in enumerate(rows):
            passed = row.seconds(part) * (1.0 if number < come else way)
            layers += self._row(row, TOP + PITCH * tall * number, tall * HIGH, unit, part, passed)
        return joined(layers)

    def _row(
        self, row: SentMessages, top: float, tall: float, unit: float, part: float, passed: float
    ) -> Iterator[Drawing]:
        """The name of an algorithm, and what rank 0 has sent by then, from line to line."""
        high, low = top + NAME + 30, top + NAME + 30 + tall
        name = TextLine(row.name, LEFT, top + NAME, NAME, "ink", "bold")
        whole = row.seconds(part)
        lines = (((LEFT, y), (LEFT + unit * whole, y)) for y in (high, low))
        yield Drawing((), tuple(Stroke(line, "edge", 3) for line in lines), (name,))
        for start, left, come in zip(*row.at(part), strict=True):
            if start >= passed and passed < whole:
                return
            latency = come - left
            way = float(np.clip((passed - start) / (latency or 1.0), 0.0, 1.0))
            x, wide = LEFT + unit * start, max(unit * (min(left, passed) - start), THINNEST)
            y, slant = high + way * (low - high), way * unit * latency
            corners = (x, high), (x + wide, high), (x + wide + slant, y), (x + slant, y)
            waits = bar(x, low, slant, BELOW, "rank 0")
            yield Drawing((waits,), areas=(Area(straight(corners), "rank 1"),))
        if passed == whole:
            at = LEFT + unit * whole + 16, low + 8, NAME, "now", "bold"
            yield Drawing(lines=(TextLine(time_text(whole, digits=3), *at),))
