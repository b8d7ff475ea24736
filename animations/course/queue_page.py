"""A page of a queue: all send to one rank at once, and its port takes one message after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, floor, sin, tau

import numpy as np

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.drawing.curves import straight
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Area, Box, ColoredBox, Stroke, TextLine
from collectives.cost.clocks.timing import Timing
from collectives.units import size_text, time_text

CARD, TALL = Box.between(LEFT, 460.0, LEFT + 300.0, BOTTOM), 92.0  # of the rank that all send to
DOOR = Box(CARD.right + 80.0, 590.0, 140.0, 150.0)
DIAL, RADIUS = (RIGHT - 130.0, 815.0), 130.0
MOST_SENDERS = 16  # whose messages can be told apart
GAP, ARC = 14.0, 60  # pixels between cards; corners of a circle
LATER, MOVES_UP = 0.6, 0.85  # parts of a time: until the last sets off, until the next moves up


@dataclass(frozen=True)
class QueuePage(Headed):
    """Messages before one port, as their time passes.

    until: of each item the share of the time at its end; the first, of 0, brings the messages, and
    one that ends as the item before lights the ports that did nothing.
    """

    timing: Timing = field(kw_only=True)
    until: tuple[float, ...] = ()

    @property
    def items(self) -> int:
        """How many times something happens."""
        return len(self.until)

    def at(self, item: int, time: float) -> Drawing:
        """The senders, the queue, the rank that takes it in, and the clock."""
        shown = self.until[:item]
        ends = shown[-1] if shown else 0.0
        begins = shown[-2] if len(shown) > 1 else 0.0
        now = self.timing.total * (begins + (ends - begins) * time)
        comes = time if item < 2 else 1.0
        lit = time if len(shown) > 1 and begins == ends else 0.0
        inside = self._inside(now)
        parts = [self.head, *self._senders(inside, lit, item > 1), self._rank(inside)]
        parts += self._queue(inside, comes) if item else ()
        return joined([*parts, self._dial(now)] if item > 1 else parts)

    @cached_property
    def _order(self) -> list[tuple[int, float, float]]:
        """The messages to the rank that takes most, in order: sender, start and end in seconds."""
        messages = self.timing.messages
        rows = np.flatnonzero(messages.dst == self._root)
        rows = rows[np.argsort(messages.start[rows], kind="stable")]
        columns = messages.src[rows], messages.start[rows], messages.end[rows]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @cached_property
    def _root(self) -> int:
        return int(np.bincount(self.timing.messages.dst).argmax())

    @cached_property
    def _cards(self) -> dict[int, Box]:
        """The place of each sender, by rank."""
        senders = sorted(src for src, *_ in self._order)
        wide = (RIGHT - LEFT + GAP) / len(senders)
        left = (LEFT + wide * number for number in range(len(senders)))
        top = TOP + 10
        return {
            src: Box.between(x, top, x + min(wide - GAP, 210.0), top + TALL)
            for src, x in zip(senders, left, strict=True)
        }

    def _inside(self, now: float) -> float:
        """How many messages have come in, parts of one counted."""
        return sum(
            min(max((now - start) / (end - start), 0.0), 1.0) for _, start, end in self._order
        )

    def _senders(self, inside: float, lit: float, begun: bool) -> Iterator[Drawing]:
        """A card for each sender; the one that sends is lit, at the end those that did not."""
        sending = floor(inside) if begun and inside < len(self._order) else -1
        for number, (src, place) in enumerate(self._cards.items()):
            now = sending >= 0 and self._order[sending][0] == src
            edge = "now" if now or lit > (number + 1) / (len(self._order) + 1) else "link"
            card = ColoredBox(place, "panel", 12, edge, 5.0 if edge == "now" else 2.0)
            text = self.say("labels.node", noun=self.say.noun("rank"), number=src)
            size = 34.0
            if text_width(text, size, "bold") > place.width - GAP:
                text = f"{src}"
            tone = "ink" if edge == "now" else "faint"
            line = TextLine(text, place.x, place.y + 0.36 * size, size, tone, "bold", "center")
            yield Drawing(boxes=(card,), lines=(line,))
        waiting = max(len(self._order) - floor(inside) - 1, 0)
        key = "course.one_sends" if sending >= 0 else "course.none_sends"
        note = self.say(key, count=waiting) if begun else ""
        yield Drawing(lines=(TextLine(note, LEFT, TOP + 10 + TALL + 48, 32, "faint"),))

    def _rank(self, inside: float) -> Drawing:
        """The rank that takes all, a stripe for each vector that it has."""
        name = self.say("labels.node", noun=self.say.noun("rank"), number=self._root)
        well = Box.between(CARD.left + 25, CARD.top + 80, CARD.right - 25, CARD.bottom - 25)
        count = len(self._order) + 1
        high, boxes = well.height / count, []
        for row, src in enumerate((self._root, *(src for src, *_ in self._order))):
            share = min(max(inside - row + 1, 0.0), 1.0) if row else 1.0
            if share:
                stripe = Box(well.x, well.top + high * (row + 0.5), well.width * share, high - 6)
                boxes.append(ColoredBox(stripe, f"rank {src % 8}", 4))
        frame = ColoredBox(CARD, "panel", 16, f"rank {self._root % 8}", 5.0)
        door = ColoredBox(DOOR, "well", 14, "now", 6.0)
        port = self.say("course.one_port")
        lines = (
            TextLine(name, CARD.left + 25, CARD.top + 56, 44, f"rank {self._root % 8}", "bold"),
            TextLine(port, DOOR.left, DOOR.bottom + 50, 36, "now", "bold"),
        )
        return Drawing(boxes=(frame, ColoredBox(well, "well", 6), *boxes, door), lines=lines)

    def _queue(self, inside: float, comes: float) -> Iterator[Drawing]:
        """The messages that are not in yet; the first stands in the port."""
        room = RIGHT - DOOR.right - 30
        pitch = min(130.0, room / max(1, len(self._order) - 1))
        whole, part = divmod(inside, 1.0)
        moved = whole + MOTION.eased((part - MOVES_UP) / (1 - MOVES_UP))
        side = min(104.0, pitch - 12)
        first = DOOR.width / 2 + 30 + side / 2  # pixels from the port to the head of the queue
        for number, (src, *_) in enumerate(self._order):
            place = number - moved
            if number < whole or place <= -1:
                continue
            x = DOOR.x + first * min(place, 1.0) + pitch * max(place - 1, 0.0)
            card = self._cards[src]
            begin = card.x, card.bottom + 6 + side / 2
            waits = LATER * number / len(self._order)
            way = MOTION.eased((comes - waits) / (1 - LATER))
            at = [now + way * (end - now) for now, end in zip(begin, (x, DOOR.y), strict=True)]
            tone = f"rank {src % 8}"
            box = ColoredBox(Box(at[0], at[1], side, side), tone, 8)
            size = 0.5 * side
            text = TextLine(f"{src}", at[0], at[1] + 0.36 * size, size, "now_ink", "bold", "center")
            yield Drawing(boxes=(box,), lines=(text,))

    def _dial(self, now: float) -> Drawing:
        """A clock with a mark for each message that has come in, and the time in figures."""
        (x, y), total = DIAL, self.timing.total

        def on(share: float, radius: float) -> tuple[float, float]:
            return x + radius * sin(tau * share), y - radius * cos(tau * share)

        share = now / total
        corners = np.array([(x, y), *(on(share * k / ARC, RADIUS - 14) for k in range(ARC + 1))])
        sector = straight(corners, np.roll(corners, -1, axis=0)).reshape(-1, 2)
        rim = tuple(on(k / ARC, RADIUS) for k in range(ARC + 1))
        marks = (
            Stroke((on(end / total, RADIUS - 22), on(end / total, RADIUS)), "faint", 3.0)
            for *_, end in self._order
        )
        left = x - RADIUS - 40
        lines = (
            TextLine(time_text(now, digits=3), left, y + 10, 84, "now", "bold", "right"),
            TextLine(
                self.say("course.of_time", time=time_text(total, digits=3)),
                left,
                y + 76,
                34,
                "faint",
                align="right",
            ),
            TextLine(
                self.say(
                    "course.each",
                    size=size_text(int(self.timing.messages.size.max()), digits=3, binary=True),
                ),
                RIGHT,
                74,
                30,
                "faint",
                align="right",
            ),
        )
        areas = (Area(tuple((a, b) for a, b in sector.tolist()), "now"),) if share else ()
        return Drawing(areas=areas, strokes=(Stroke(rim, "link", 5.0), *marks), lines=lines)
