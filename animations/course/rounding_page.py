"""A page of pieces of the number line: a sum of floats moves, and falls on one there is."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from animations.course.headed import LEFT, RIGHT, TOP, Headed, joined
from animations.course.readings import ADDENDS, operands, order
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine

AROUND, REACH = (-1e8, 0.0, 1e8), 10  # what pieces lie around; whole numbers to each side of it
UNIT, LINE, TICK, LIFT, DOT = 25.0, TOP + 220, 24.0, 100.0, 26.0  # pixels
MIDDLE, PITCH = (LEFT + RIGHT) / 2, 575.0  # pixels: of the line, from piece to piece
ROW, LETTERS, FALLS = 62.0, 36.0, 0.6  # pixels; part of an addition's time after which it falls


@dataclass(frozen=True)
class Addition:
    """An addition, from 0, of a chunk's sum in an all-reduce of four ranks."""

    name: str
    algorithm: str
    chunk: int
    number: int

    @property
    def addends(self) -> tuple[np.float32, np.float32]:
        """The sum so far, and what comes to it."""
        return operands(self.algorithm, self.chunk, self.number)


@dataclass(frozen=True)
class RoundingPage(Headed):
    """Additions that come one after the other; comes: how many there are after each item."""

    additions: tuple[Addition, ...] = ()
    comes: tuple[int, ...] = ()

    @property
    def items(self) -> int:
        """How many times something is added, or the line comes."""
        return len(self.comes)

    def at(self, item: int, time: float) -> Drawing:
        """The whole numbers that float32 has, the additions so far, and the last one's way."""
        before, count = (0, *self.comes)[max(0, item - 1)], (0, *self.comes)[item]
        now = min(before + time * (count - before), count - 1e-9)
        vectors = "   ".join(f"x{rank} = {x:,.0f}" for rank, x in enumerate(ADDENDS))
        lines = [TextLine(vectors, LEFT, TOP, LETTERS, "ink", "mono")]
        for row, addition in enumerate(self.additions[: int(now) + 1 if count else 0]):
            (left, right), tone = addition.addends, "ink" if row >= before else "faint"
            y = LINE + 150 + ROW * row
            if not addition.number:
                name = f"{addition.name}: {order(addition.algorithm, addition.chunk)}"
                lines.append(TextLine(name, LEFT, y, LETTERS, "ink", "mono"))
            text = f"{left:,.0f} + {right:,.0f} = {left + right:,.0f}".replace("+ -", "- ")
            lines.append(TextLine(text, RIGHT, y, LETTERS, tone, "mono", "right"))
        come = 1.0 if count else MOTION.eased(time)
        pieces = (_piece(around, come) for around in AROUND)
        drawing = joined([self.head, *pieces, Drawing(lines=tuple(lines))])
        return drawing + _dot(*self.additions[int(now)].addends, now % 1) if count else drawing


def _x(value: float) -> float:
    """Where a number stands in the piece of the line that has it."""
    place = min(range(len(AROUND)), key=lambda k: abs(value - AROUND[k]))
    return MIDDLE + PITCH * (place - 1) + UNIT * (value - AROUND[place])


def _piece(around: float, come: float) -> Drawing:
    """A piece of the line, a tick at each whole number of float32, as far as they have come."""
    whole = [around + k for k in range(-REACH, REACH + 1)]
    known = [value for value in whole if float(np.float32(value)) == value]
    known = known[: ceil(come * len(known))]
    ends = (_x(whole[0]), LINE), (_x(whole[-1]), LINE)
    ticks = (((_x(value), LINE - TICK), (_x(value), LINE + TICK)) for value in known)
    strokes = Stroke(ends, "edge", 4), *(Stroke(tick, "ink", 3) for tick in ticks)
    named = (value for value in known if not value % 8)
    lines = (TextLine(f"{x:,.0f}", _x(x), LINE + 64, 24, "faint", align="center") for x in named)
    return Drawing((), strokes, tuple(lines))


def _dot(left: np.float32, right: np.float32, time: float) -> Drawing:
    """A sum that flies to where the exact one stands, and falls on that of float32."""
    exact, rounded = float(left) + float(right), float(left + right)
    flown, fallen = (
        MOTION.eased(float(np.clip(part, 0, 1)))
        for part in (time / FALLS, (time - FALLS) / (0.9 - FALLS))
    )
    x = _x(float(left)) + flown * (_x(exact) - _x(float(left)))
    x += fallen * (_x(rounded) - x)
    y = LINE - LIFT * (min(1.0, 4 * flown) - fallen)
    tone = "wrong" if exact != rounded and flown == 1 else "now"
    return Drawing((ColoredBox(Box(x, y, DOT, DOT), tone, DOT / 2),))
