"""A page of a queue: all send to one rank, whose port takes one after another, and answers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.port_queue import PortQueue
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text

ROOM = Box.between(LEFT, TOP, RIGHT, BOTTOM)


@dataclass(frozen=True, eq=False)
class AnsweringQueue(PortQueue):
    """The same of a rank that sends something back to each sender, through the same port."""

    def _dial(self, room: Box, now: float) -> Drawing:
        """The clock, and what by then is on its way from the port to a sender, or there."""
        drawing, (_, door) = super()._dial(room, now), self._seats(room)
        messages, cards = self.messages, self._cards(room)
        for row in np.flatnonzero((messages.src == self._root) & (messages.start < now)).tolist():
            part = (now - messages.start[row]) / (messages.end[row] - messages.start[row])
            card, way = cards[int(messages.dst[row])], MOTION.eased(float(part))
            x, y = (1 - way) * door.x + way * card.x, (1 - way) * door.y + way * (card.bottom + 98)
            drawing += Drawing(boxes=(ColoredBox(Box(x, y, 64, 64), "now", 8),))
        return drawing


@dataclass(frozen=True)
class QueuePage(Headed):
    """Messages before one port, as their time passes.

    until: see `PortQueue`.
    """

    timing: Timing = field(kw_only=True)
    until: tuple[float, ...] = ()

    @property
    def items(self) -> int:
        """How many times something happens."""
        return len(self.until)

    def at(self, item: int, time: float) -> Drawing:
        """The queue, and from the second item on how large a message is."""
        total = self.say("why.queue_of", time=_time(self.timing.total))
        passed = self.timing.messages, self.timing.total
        queue = AnsweringQueue(*passed, self.until, self.say, _time, total)
        drawing = self.head + queue.drawn(ROOM, item, time)
        if item < 2:
            return drawing
        size = size_text(int(self.timing.messages.size.max()), digits=3, binary=True)
        each = self.say("course.each", size=size)
        return drawing + Drawing(lines=(TextLine(each, RIGHT, 74, 30, "faint", align="right"),))


def _time(seconds: float) -> str:
    return time_text(seconds, digits=3)
