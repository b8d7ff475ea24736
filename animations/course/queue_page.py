"""A page of a queue: all send to one rank at once, and its port takes one message after another."""

from __future__ import annotations

from dataclasses import dataclass, field

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, TextLine
from animations.whys.port_queue import PortQueue
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text

ROOM = Box.between(LEFT, TOP, RIGHT, BOTTOM)


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
        queue = PortQueue(self.timing, self.until, self.say, _time, total)
        drawing = self.head + queue.drawn(ROOM, item, time)
        if item < 2:
            return drawing
        size = size_text(int(self.timing.messages.size.max()), digits=3, binary=True)
        each = self.say("course.each", size=size)
        return drawing + Drawing(lines=(TextLine(each, RIGHT, 74, 30, "faint", align="right"),))


def _time(seconds: float) -> str:
    return time_text(seconds, digits=3)
