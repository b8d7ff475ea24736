"""Why a ping-pong is measured: one clock times a message there and back, and halves it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import MOTION, Area, Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.cost.choose.setup import resized
from collectives.units import time_text

LATENCY, BYTES = 1.0, 1.6  # of a message as it is drawn
LABEL, BAND = 130.0, 300.0  # pixels beside and below the lanes
LAST, FITS = 0.85, 0.5  # parts of a sentence, and of a half of t in which its time has room
LETTERS = 84.0  # pixels of the formula
BOTH, HALF, SMALL = range(1, 4)  # the sentences
SHORTEST, DIGITS = 8, 3  # bytes of a short message; digits of a time
SOURCE = "frac(1, 2) t = «1|alpha» + «2|frac(S, B)»"


@dataclass(frozen=True, eq=False)
class RoundTrip:
    """Two lanes in time, and a message that is slanted by its latency and as wide as its bytes.

    times: of the whole message and of a short one, both ways and one way, where they are known.
    """

    names: tuple[str, str]
    times: tuple[tuple[str, str], ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = MOTION.eased(min(1.0, time / LAST))
        wide = max(BYTES * (1 - part if item == SMALL else 1.0), 0.02)
        unit = (room.width - LABEL - 40) / (2 * (LATENCY + BYTES))
        top, low, left = room.top + 110, room.bottom - BAND, room.left + LABEL
        whole = 2 * (LATENCY + wide)
        now = part * whole if item == BOTH else whole
        ends = (self.names[0], top, low), (self.names[1], low, top)
        strokes, lines, areas = list[Stroke](), list[TextLine](), list[Area]()
        for rank, (name, start, end) in enumerate(ends):
            tone, at = f"rank {rank}", rank * (LATENCY + wide)
            lines.append(TextLine(name, left - 20, start + 10, 28, tone, "bold", "right"))
            strokes.append(Stroke(((left, start), (room.right, start)), "edge", 4))
            way = min(1.0, max(0.0, now - at) / LATENCY)
            if way:
                x, y, slant = left + unit * at, start + way * (end - start), way * unit * LATENCY
                ends_at = x + unit * wide
                corners = (x, start), (ends_at, start), (ends_at + slant, y), (x + slant, y)
                areas.append(Area(straight(corners), "now" if item == HALF and not rank else tone))
        clock = Box.between(left, room.top + 20, left + max(unit * now, 2.0), room.top + 60)
        half = Box.between(left, clock.top, left + part * clock.width / 2, clock.bottom)
        boxes = [ColoredBox(clock, "well", 4, "now", 3)]
        halves = item == HALF or (item == SMALL and part == 1)
        boxes += [ColoredBox(half, "now", 4)] * halves
        lines.append(TextLine("t", left - 20, clock.bottom - 8, 34, "now", "bold", "right"))
        if self.times and halves and part > FITS:
            (both, one_way), base = self.times[item - HALF], clock.bottom - 7
            lines.append(TextLine(both, clock.right - 12, base, 34, "now", "bold", "right"))
            lines.append(TextLine(one_way, half.x, base, 34, "now_ink", "bold", "center"))
        drawing = Drawing(tuple(boxes), tuple(strokes), tuple(lines), tuple(areas))
        if item > BOTH:
            starts, ends_at = left + unit * LATENCY, left + unit * whole / 2
            drawing += _part("α", left, starts, low)
            drawing += _part("S/B", starts, ends_at, low) if item == HALF else Drawing()
            lit_terms = (0, 1, 2) if item == HALF else (0, 1)
            typeset = formula(SOURCE)
            x, y = room.x - typeset.width * LETTERS / 2, room.bottom - 90
            drawing += typeset.drawn(x, y, LETTERS, lambda n: "now" if n in lit_terms else "line")
        return drawing


def _part(name: str, start: float, end: float, low: float) -> Drawing:
    """A part of the time of a message, below the lanes."""
    line = Stroke(((start + 3, low + 26), (end - 3, low + 26)), "now", 8)
    text = TextLine(name, (start + end) / 2, low + 72, 38, "now", "bold", "center")
    return Drawing(strokes=(line,), lines=(text,))


def straight(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The sides of a polygon as Bézier curves, four points each."""
    pairs = zip(corners, (*corners[1:], corners[0]), strict=True)
    return tuple(point for a, b in pairs for point in (a, a, b, b))


def round_trip_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of messages to ranks and back, of whatever these have: half of both is one."""
    there, back = ({hop[:2] for hop in facts.hops if hop[2] == step} for step in (0, 1))
    if back != {(dst, src) for src, dst in there} or facts.steps > 2 or (0, 1) not in there:
        return
    if facts.recording.collective.pairs is None or not facts.even or there & back:
        return
    few = (facts.recording, resized(facts.recording, SHORTEST))
    trips = facts.timed(*few) if facts.ranks == 2 else ()  # of more, other pairs may be slower
    both, half = ([tell.decimal(time_text(t / k, DIGITS)) for t in trips] for k in (1, 2))
    keys, timed = ("both", "half", "small"), "_timed" * bool(trips)
    texts = zip(keys, ("", timed, timed), ("", *(half or keys[1:])), strict=True)
    sentences = [tell(f"trip_{key}{kind}", half=time, number=SHORTEST) for key, kind, time in texts]
    times = tuple(zip(both, half, strict=True))
    picture, aside = RoundTrip((tell.rank(0), tell.rank(1)), times), tell("trip_aside")
    yield replace(tell.why("trip", sentences, picture, aside, 1, True), timed=bool(times))
