"""Why Swing goes left and right: partners have the next ranks, and cables carry less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, count, pairwise
from math import cos, pi, sin

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.doubling import numbers
from animations.whys.loads import again
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why

SUMS, DISTANCES, LOADS = range(2, 5)  # sentences of its own ring; the first is of halving
LAST = 0.8  # of a sentence, in which steps come
SEAT, ROOMY = 40.0, 46.0  # pixels of a rank, and so far apart that each has its name
LANE, LANES, BAND = 12.0, 72.0, 6.0  # pixels: of a message at most, of all, of its line
NAME, SMALL, TOTAL = 30.0, 24.0, 64.0  # pixels of letters
BESIDE, LINE = 250.0, 50.0  # pixels for the total, and for a line below a ring
PIECES = 8  # straight parts of a way along a cable


@dataclass(frozen=True)
class RingStep:
    """A step round a ring of cables.

    ways: of each message to the right its sender, and how many cables it passes; messages: those on
    the busiest cable, `busiest`; sent: its part of the vector. distance: of rank 0 to its partner.
    own, partner: the ranks in the sums of both before it.
    """

    ways: tuple[tuple[int, int], ...]
    messages: int
    busiest: int
    sent: Fraction
    distance: int
    own: frozenset[int]
    partner: frozenset[int]


@dataclass(frozen=True, eq=False)
class SwingRings:
    """Ranks on a ring of cables, once for each step: all messages to the right, and what joins.

    rows: of halving and of what swings the steps, and the total after each; the first comes before
    the other. distance: the words below a ring for how far partners are.
    """

    ranks: int
    rows: tuple[tuple[tuple[RingStep, ...], tuple[str, ...]], ...]
    distance: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = min(1.0, time / LAST)
        return self._row(0, room, LOADS, part) if item < SUMS else self._row(1, room, item, part)

    def _row(self, number: int, room: Box, item: int, part: float) -> Drawing:
        (steps, totals), drawing = self.rows[number], Drawing()
        wide, at = (room.width - BESIDE) / len(steps), part * len(steps)
        lanes = max(step.messages for step in steps)
        for place, step in enumerate(steps):
            left, come = room.left + place * wide, min(1.0, max(0.0, at - place))
            ring = Box.between(left, room.top, left + wide, room.bottom)
            drawing += self._ring(step, ring, item, come, lanes)
        if item == LOADS and at >= 1:
            spot = room.right - BESIDE / 2, room.y, TOTAL
            total = TextLine(f"= {totals[int(at) - 1]}", *spot, "now", "bold", "center")
            drawing += Drawing(lines=(total,))
        return drawing

    def _ring(self, step: RingStep, room: Box, item: int, come: float, lanes: int) -> Drawing:
        lane_height = min(LANE, LANES / lanes)
        out = SEAT / 2 + lane_height * (lanes + 0.5)
        middle = room.y - LINE / 2
        radius = min(room.width / 2 - 10, (room.height - LINE) / 2) - out

        def at(seat: float, more: float = 0.0) -> Point:
            angle = 2 * pi * seat / self.ranks - pi / 2
            return room.x + (radius + more) * cos(angle), middle + (radius + more) * sin(angle)

        strokes = [Stroke((at(k), at(k + 1)), "edge", 5) for k in range(self.ranks)]
        if item == LOADS and come:
            if come >= 1:
                strokes.append(Stroke((at(step.busiest), at(step.busiest + 1)), "now", BAND + 4))
            for lane, src, cables in _lanes(step.ways, self.ranks):
                pieces, more = PIECES * cables, SEAT / 2 + lane_height * (lane + 1)
                ways = [at(src + come * cables * k / pieces, more) for k in range(pieces + 1)]
                strokes += [Stroke(pair, f"rank {src}", BAND) for pair in pairwise(ways)]
        elif come:
            ends = at(step.distance), at(0)
            way = tuple(a + min(1.0, 2 * come) * (b - a) for a, b in zip(*ends, strict=True))
            strokes.append(Stroke((ends[0], (way[0], way[1])), "now", BAND))
        boxes, lines, pitch = list[ColoredBox](), list[TextLine](), 2 * pi * radius / self.ranks
        size = min(SEAT, 0.8 * pitch)
        for k in range(self.ranks):
            joins = k in step.partner and come >= (0.5 if item == SUMS else 0.0)
            lit = item != LOADS and come > 0 and (k in step.own or joins)
            tone = "rank 0" if k in step.own or item == SUMS else "rank 1"
            edge = tone if lit else "edge" if k else "now"
            seat = Box(*at(k), size, size)
            boxes.append(ColoredBox(seat, tone if lit else "panel", size / 2, edge, 3))
            if pitch > ROOMY:
                ink = "background" if lit else "ink"
                lines.append(TextLine(str(k), seat.x, seat.y + 9, SMALL, ink, "bold", "center"))
        if come >= (1 if item == LOADS else 0.5):
            away = f"{self.distance} {abs(step.distance)}"
            sums, load = f"{len(step.own)} + {len(step.partner)}", f"{step.messages} × {step.sent}"
            text = {SUMS: sums, DISTANCES: away, LOADS: load}[item]
            lines.append(TextLine(text, room.x, room.bottom - 12, NAME, "ink", "bold", "center"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def swing_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a vector's parts less far, round a ring, than halving would."""
    recording, n = facts.recording, facts.ranks
    if (recording.algorithm, recording.collective.name) != ("swing", "all_reduce") or n & n - 1:
        return
    halving = again(recording, "rabenseifner", n) if n <= MOST_DRAWN else None
    if halving is None:
        return
    sides = [tuple(_steps(side)) for side in (WhyFacts(halving), facts)]
    sums = [list(accumulate(step.messages * step.sent for step in side)) for side in sides]
    if sums[1][-1] >= sums[0][-1]:
        return
    totals = [tuple(tell.figure(float(total)) for total in side) for side in sums]
    messages = [numbers([step.messages for step in side]) for side in sides]
    sentences = [
        tell("swing_halving", messages=messages[0], total=totals[0][-1]),
        tell("swing_sums", numbers=numbers([2 * len(step.own) for step in sides[1]])),
        tell("swing_reach", reach=numbers([abs(step.distance) for step in sides[1]])),
        tell("swing_own", messages=messages[1], total=totals[1][-1], halving=totals[0][-1]),
    ]
    rows = tuple(zip(sides, totals, strict=True))
    picture = SwingRings(n, rows, tell.say("stage.distance"))
    yield tell.why("swing", sentences, picture, tell("swing_aside"), 1)


def _steps(facts: WhyFacts) -> Iterator[RingStep]:
    """The steps of the way there; data goes the shorter way round, to the right if both are."""
    n = facts.ranks
    every = enumerate(facts.sends[0][: facts.steps // 2])
    for step, sent in ((step, sent) for step, sent in every if sent):
        pairs = [(src, (dst - src) % n) for src, dst, at, _ in facts.hops if at == step]
        reaches = {src: way - n * (way > n // 2) for src, way in pairs}
        ways = tuple((src, cables) for src, cables in sorted(reaches.items()) if cables > 0)
        load = Counter((src + k) % n for src, cables in ways for k in range(cables))
        both = [facts.known[step][rank] for rank in (0, sent.to[0])]
        part, (busiest, messages) = Fraction(sent.bytes, facts.size), load.most_common(1)[0]
        yield RingStep(ways, messages, busiest, part, reaches[0], *both)


def _lanes(ways: tuple[tuple[int, int], ...], ranks: int) -> Iterator[tuple[int, int, int]]:
    """Each way in the first lane in which its cables are free, counted from 0."""
    taken = set[tuple[int, int]]()
    for src, cables in ways:
        passed = [(src + k) % ranks for k in range(cables)]
        lane = next(k for k in count() if not taken & {(k, cable) for cable in passed})
        taken |= {(lane, cable) for cable in passed}
        yield lane, src, cables
