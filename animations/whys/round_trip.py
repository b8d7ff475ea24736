"""Why a ping-pong is measured: one clock times a message there and back, and halves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import MOTION, Area, Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why

LATENCY, BYTES = 1.0, 1.6  # of a message as it is drawn
LABEL, BAND, LAST = 130.0, 300.0, 0.85  # pixels beside and below the lanes; part of a sentence
LETTERS = 84.0  # pixels of the formula
BOTH, HALF, SMALL = range(1, 4)  # the sentences
SOURCE = "frac(1, 2) t = «1|alpha» + «2|frac(S, B)»"


@dataclass(frozen=True, eq=False)
class RoundTrip:
    """Two lanes in time, and a message that is slanted by its latency and as wide as its bytes."""

    names: tuple[str, str]
    clock: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = MOTION.eased(min(1.0, time / LAST))
        wide = BYTES * (1 - part if item == SMALL else 1.0)
        unit = (room.width - LABEL - 40) / (2 * (LATENCY + BYTES))
        top, low, left = room.top + 110, room.bottom - BAND, room.left + LABEL
        now = part * 2 * (LATENCY + BYTES) if item == BOTH else 9.0
        strokes, lines = list[Stroke](), list[TextLine]()
        for rank, (name, y) in enumerate(zip(self.names, (top, low), strict=True)):
            line = TextLine(name, left - 20, y + 10, 28, f"rank {rank}", "bold", "right")
            lines.append(line)
            strokes.append(Stroke(((left, y), (room.right, y)), "edge", 4))
        areas = list[Area]()
        for number, (start, end) in enumerate(((top, low), (low, top))):
            at = number * (LATENCY + wide)
            come = min(1.0, max(0.0, (now - at) / (LATENCY + wide)))
            tone = "now" if item == HALF and not number else f"rank {number}"
            if come:
                areas.append(Area(_slanted(left + unit * at, start, end, unit, wide, come), tone))
        whole = left + unit * min(now, 2 * (LATENCY + wide))
        box = Box.between(left, room.top + 20, max(whole, left + 2), room.top + 60)
        boxes = [ColoredBox(box, "well", 4, "now", 3)]
        if item == HALF:
            half = left + part * (whole - left) / 2
            boxes.append(ColoredBox(Box.between(left, box.top, half, box.bottom), "now", 4))
        lines.append(TextLine(self.clock, left - 20, box.bottom - 8, 34, "now", "bold", "right"))
        drawing = Drawing(tuple(boxes), tuple(strokes), tuple(lines), tuple(areas))
        if item > BOTH:
            bytes_lit = item == HALF and time > 0.5
            typeset, lit = formula(SOURCE), (0, 1, 2) if bytes_lit else (0, 1)
            drawing += typeset.drawn(
                room.x - typeset.width * LETTERS / 2,
                room.bottom - 90,
                LETTERS,
                lambda term: "now" if term in lit else "line",
            )
        return drawing


def _slanted(
    left: float, start: float, end: float, unit: float, wide: float, come: float
) -> tuple[Point, ...]:
    """What a message covers while it leaves one lane and comes in at the other."""
    slant, width = unit * LATENCY, unit * max(wide, 0.03)
    way = min(1.0, come * (LATENCY + wide) / LATENCY)
    y = start + way * (end - start)
    corners = (left, start), (left + width, start), (left + way * slant + width, y)
    return straight((*corners, (left + way * slant, y)))


def straight(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The sides of a polygon as Bézier curves, four points each."""
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
    return tuple(point for a, b in pairs for point in (a, a, b, b))


def round_trip_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a message to a rank and one back: half of both is one."""
    if [hop[:3] for hop in facts.hops] != [(0, 1, 0), (1, 0, 1)] or facts.ranks != 2:
        return
    if facts.recording.collective.name != "send_recv" or not facts.even:
        return
    sentences = [tell(f"trip_{key}") for key in ("both", "half", "small")]
    picture = RoundTrip((tell.rank(0), tell.rank(1)), "t")
    yield tell.why("trip", sentences, picture, tell("trip_aside"))
