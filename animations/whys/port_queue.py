"""The queue before one port: all send to one rank, and it takes one message after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import cos, floor, sin, tau

import numpy as np

from animations.drawing.curves import straight
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Area, Box, ColoredBox, Point, Stroke, TextLine
from animations.phrases import Phrases
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.turn_tables import TurnTables, with_queues
from animations.whys.why import GrowingPicture, Joined, Why
from collectives.cost.clocks.clock import dataflow
from collectives.cost.clocks.timing import Messages
from collectives.cost.machines.grids import crossbar
from collectives.recording.recorder import record

CARD, TALL = (300.0, 490.0), 92.0  # pixels of the rank that all send to, and of a sender
DOOR, BESIDE, BELOW = (140.0, 150.0), 80.0, 130.0  # of its port; to it from the card, and its top
RADIUS, HIGH = 130.0, 740.0  # pixels of the clock, and of everything
FEWEST, MOST_SENDERS = 4, 16  # ranks; senders whose messages can be told apart
GAP, ARC = 14.0, 60  # pixels between cards; corners of a circle
SMALLEST = 24.0  # pixels of a number
SOON = 1e-6  # of a message that passes as good as whole
MOVES_UP = 0.85  # part of a time until the next moves up


@dataclass(frozen=True, eq=False)
class PortQueue:
    """Messages before one port, as their time passes.

    until: of each item the share of the time at its end; the first, of 0, brings the messages.
    figures: of a time in
    seconds the text that is drawn. lasts: seconds of all. total: the same in words. out: of the
    third item, how many chunks then leave for each sender, as long as one that comes in; one is
    what has been added up.
    """

    messages: Messages
    lasts: float
    until: tuple[float, ...]
    say: Phrases
    figures: Callable[[float], str]
    total: str
    out: int = 0

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The senders, the queue, the rank that takes it in, and the clock."""
        room = Box(room.x, room.y, room.width, min(room.height, HIGH))
        past = self.until[:item]
        ends = past[-1] if past else 0.0
        begins = past[-2] if len(past) > 1 else 0.0
        now = self.lasts * (begins + (ends - begins) * time)
        comes = time if item < 2 else 1.0
        inside, gone = self._inside(now), max(now - self._order[-1][2], 0.0) * (self.out > 0)
        parts = [*self._senders(room, (inside, gone), item > 1), self._rank(room, inside)]
        parts += self._queue(room, inside, comes) if item else ()
        parts += self._leaves(room, gone)
        return sum([*parts, self._dial(room, now)] if item > 1 else parts, Drawing())

    @cached_property
    def _order(self) -> list[tuple[int, float, float]]:
        """The messages to the rank that takes most, in order: sender, start and end in seconds."""
        messages = self.messages
        rows = np.flatnonzero(messages.dst == self._root)
        rows = rows[np.argsort(messages.start[rows], kind="stable")]
        columns = messages.src[rows], messages.start[rows], messages.end[rows]
        return list(zip(*(column.tolist() for column in columns), strict=True))

    @cached_property
    def _root(self) -> int:
        return int(np.bincount(self.messages.dst).argmax())

    def _cards(self, room: Box) -> dict[int, Box]:
        """The place of each sender, in the order of the queue, so that no message meets another."""
        senders, (_, port) = [src for src, *_ in self._order], self._seats(room)
        wide = (room.right - port.left + GAP) / len(senders)
        left = (port.left + wide * number for number in range(len(senders)))
        top = room.top + 10
        return {
            src: Box.between(x, top, x + min(wide - GAP, 210.0), top + TALL)
            for src, x in zip(senders, left, strict=True)
        }

    def _seats(self, room: Box) -> tuple[Box, Box]:
        """The place of the rank that takes all, and of its port."""
        top = max(room.top + 240, room.bottom - CARD[1])
        card = Box.between(room.left, top, room.left + CARD[0], room.bottom)
        return card, Box(card.right + BESIDE, top + BELOW, *DOOR)

    def _inside(self, now: float) -> float:
        """How many messages have come in, parts of one counted."""
        return sum(
            min(max((now - start) / (end - start), 0.0), 1.0) for _, start, end in self._order
        )

    def _senders(self, room: Box, passed: Point, begun: bool) -> Iterator[Drawing]:
        """A card for each sender; the one that sends is lit.

        passed: how much has come in, and gone out again.
        """
        inside, gone = passed
        sending = floor(inside) if begun and inside < len(self._order) else -1
        sending = floor(gone / self.out) if 0 < gone < self.out * len(self._order) else sending
        for number, (src, place) in enumerate(self._cards(room).items()):
            now = sending >= 0 and self._order[sending][0] == src
            edge = "now" if now else "link"
            card = ColoredBox(place, "panel", 12, edge, 5.0 if edge == "now" else 2.0)
            text = self.say("labels.node", noun=self.say.noun("rank"), number=src)
            size = 34.0
            if text_width(text, size, "bold") > place.width - GAP:
                text = f"{src}"
            tone = "ink" if edge == "now" else "faint"
            line = TextLine(text, place.x, place.y + 0.36 * size, size, tone, "bold", "center")
            back = min(max(gone / self.out - number, 0.0), 1.0) if self.out else 0.0
            bar = Box(place.left + place.width * back / 2, place.bottom - 7, place.width * back, 14)
            yield Drawing(boxes=(card, *[ColoredBox(bar, "now", 4)] * (back > 0)), lines=(line,))
        waiting = max(len(self._order) - floor(inside) - 1, 0)
        note = self.say("why.queue_waits", count=waiting) if begun and waiting else ""
        yield Drawing(lines=(TextLine(note, room.left, room.top + TALL + 58, 32, "faint"),))

    def _rank(self, room: Box, inside: float) -> Drawing:
        """The rank that takes all, a stripe for each vector that it has."""
        name = self.say("labels.node", noun=self.say.noun("rank"), number=self._root)
        card, place = self._seats(room)
        well = Box.between(card.left + 25, card.top + 80, card.right - 25, card.bottom - 25)
        count = len(self._order) + 1
        high, boxes = well.height / count, []
        for row, src in enumerate((self._root, *(src for src, *_ in self._order))):
            share = min(max(inside - row + 1, 0.0), 1.0) if row else 1.0
            if share:
                stripe = Box(well.x, well.top + high * (row + 0.5), well.width * share, high - 6)
                boxes.append(ColoredBox(stripe, f"rank {src % 8}", 4))
        frame = ColoredBox(card, "panel", 16, f"rank {self._root % 8}", 5.0)
        door = ColoredBox(place, "well", 14, "now", 6.0)
        port = self.say("why.queue_port")
        lines = (
            TextLine(name, card.left + 25, card.top + 56, 44, f"rank {self._root % 8}", "bold"),
            TextLine(port, place.left, place.bottom + 50, 36, "now", "bold"),
        )
        return Drawing(boxes=(frame, ColoredBox(well, "well", 6), *boxes, door), lines=lines)

    def _queue(self, room: Box, inside: float, comes: float) -> Iterator[Drawing]:
        """The messages that are not in yet; the first stands in the port."""
        cards, (_, place) = self._cards(room), self._seats(room)
        wide = room.right - place.right - 30
        pitch = min(130.0, wide / max(1, len(self._order) - 1))
        whole, part = divmod(inside, 1.0)
        moved = whole + MOTION.eased((part - MOVES_UP) / (1 - MOVES_UP))
        side = min(104.0, pitch - 12)
        first = DOOR[0] / 2 + 30 + side / 2  # pixels from the port to the head of the queue
        for number, (src, *_) in enumerate(self._order):
            turn = number - moved
            if number < whole or turn <= -1:
                continue
            x = place.x + first * min(turn, 1.0) + pitch * max(turn - 1, 0.0)
            card = cards[src]
            begin = card.x, card.bottom + 6 + side / 2
            way = MOTION.eased(comes)
            at = [now + way * (end - now) for now, end in zip(begin, (x, place.y), strict=True)]
            box = ColoredBox(Box(at[0], at[1], side, side), f"rank {src % 8}", 8)
            size = 0.5 * side
            text = TextLine(f"{src}", at[0], at[1] + 0.36 * size, size, "now_ink", "bold", "center")
            yield Drawing(boxes=(box,), lines=(text,) if size >= SMALLEST else ())

    def _leaves(self, room: Box, gone: float) -> Iterator[Drawing]:
        """The chunk that leaves the port, on its way to the sender whose turn it is."""
        if not 0 < gone < self.out * len(self._order):
            return
        number, part = divmod(gone, 1.0)
        place, side = self._seats(room)[1], 70.0
        target = self._cards(room)[self._order[int(number) // self.out][0]]
        x = place.x + part * (target.x - place.x)
        y = place.y + part * (target.bottom + 6 + side / 2 - place.y)
        tone = f"rank {int(number) % self.out % 8}" if self.out > 1 else "now"  # a finished sum
        yield Drawing(boxes=(ColoredBox(Box(x, y, side, side), tone, 8),))

    def _dial(self, room: Box, now: float) -> Drawing:
        """A clock with a mark for each message that has come in, and the time in figures."""
        x, y, total = room.right - RADIUS, room.bottom - RADIUS - 5, self.lasts

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
            TextLine(self.figures(now), left, y + 10, 84, "now", "bold", "right"),
            TextLine(self.total, left, y + 76, 34, "faint", align="right"),
        )
        areas = (Area(tuple((a, b) for a, b in sector.tolist()), "now"),) if share else ()
        return Drawing(areas=areas, strokes=(Stroke(rim, "link", 5.0), *marks), lines=lines)


def queue_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of the obvious way, in which all send to one rank first: what comes before the steps."""
    recording, n, root = facts.recording, facts.ranks, facts.recording.root
    promise, wanted = recording.collective, recording.postcondition[:n]
    if not FEWEST <= n <= MOST_SENDERS + 1 or not facts.even or not _all_send(facts):
        return
    adds, blocks, out = promise.reduces, promise.in_blocks, 0
    back = not blocks and bool(np.all(wanted == wanted[root]))  # all need what it then has
    recorded = partial(record, ranks=n, root=root, count=recording.count)
    obvious = recorded("reduce" if adds else "gather", "flat")
    size = obvious.bytes_received[root] / (n - 1)
    timing = dataflow(obvious, crossbar(n, latency=0.0, bandwidth=size))
    noun = "vector" if adds else "chunk" if back else "message"
    if back:  # the root then sends all of it to each of the others
        out = round(recorded("broadcast", "flat").bytes_sent[root] / (size * (n - 1)))
    rounds = 1 + out
    turns = (n - 1) * rounds
    total = tell.say("why.queue_of", time=tell.say.plural(turns, noun))
    lasts, ends = timing.total * rounds, (0.0, 1 / rounds, 1.0)
    figures = partial(_whole, tell)
    picture: GrowingPicture = PortQueue(timing.messages, lasts, ends, tell.say, figures, total, out)
    kind = "queue_first" if blocks else "queue_obvious"
    idle = not np.delete(wanted, root, 0).any()  # the others need nothing
    end = "wait" if blocks else "idle" if idle else "sum" if adds else "all"
    counts = {"ranks": tell.count(n), "idle": tell.count(n - 2), "number": tell.count(n - 1)}
    keys = [kind, f"queue_{end}", *[f"queue{'_sum' * adds}_back"] * back]
    if blocks:  # whoever has sent goes on to the next queue
        sends = tuple(with_queues(n)), tuple(hop[:3] for hop in facts.hops)
        turns = 1 + max(turn for *_, turn in sends[0])
        names = tell("turns_queues", turns=turns), tell("turns_steps", turns=facts.steps)
        tables = TurnTables(n, sends, names, tell("turns_legend"))
        picture = Joined(tuple((drawn, k) for drawn in (picture, tables) for k in (1, 2)))
        keys += ["queue_turns", "queue_enough"]
    counts |= {"turns": f"{turns}", "out": tell.count(out), "noun": tell.say.several(noun)}
    keys.append("queue_brief_back" if out == 1 else "queue_brief")
    *sentences, brief = (tell(key, root=root, **counts) for key in keys)
    why = tell.why(kind, sentences, picture, tell.ranks(n), len(sentences))
    yield replace(why, brief=brief, obvious="linear" * (adds and back))


def _all_send(facts: WhyFacts) -> bool:
    """Whether every rank has data that the root then has, and no table says who needs which."""
    promise, held = facts.recording.collective, facts.known
    plain = promise.moves_data and not promise.routed
    return (
        plain and all(held[0][: facts.ranks]) and len(held[-1][facts.recording.root]) == facts.ranks
    )


def _whole(tell: Teller, number: float) -> str:
    """How many messages have passed as a whole."""
    return tell.figure(floor(number + SOON))
