"""Why Swing goes left and right: partners have the next ranks, and cables carry less."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import cos, pi, sin

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.drawing.ways import lanes
from animations.whys.doubling import numbers
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import GrowingPicture, Joined, Why

WAYS, LOADS = range(1, 3)  # what is shown of the cables of a ring
OUTSIDE, SUMS, DISTANCES = range(3)  # what is shown of the sums of rank 0
LAST = 0.65  # of a sentence, in which steps come
SEAT, ROOMY = 40.0, 46.0  # pixels of a rank, and so far from the next that each has its name
LANE, LANES, BAND = 12.0, 72.0, 6.0  # pixels: of a message at most, of all, of its line
NAME, SMALL, TOTAL = 30.0, 24.0, 64.0  # pixels of letters
BELOW, LINE = 130.0, 44.0  # pixels below rings for what they carry, and for a line of it
LARGE, STRETCH, LIFT, ROW = 56.0, 16.0, 70.0, 84.0  # pixels of a rank, of an arc, of a line
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


@dataclass(frozen=True)
class Circle:
    """Ranks at equal distances on a circle, clockwise from the top."""

    ranks: int
    middle: Point
    radius: float

    def at(self, seat: float, more: float = 0.0) -> Point:
        """The place of a rank, or between two; more: pixels outside of the circle."""
        angle, radius = 2 * pi * seat / self.ranks - pi / 2, self.radius + more
        return self.middle[0] + radius * cos(angle), self.middle[1] + radius * sin(angle)

    def arc(self, first: float, last: float, more: float, tone: str, wide: float) -> list[Stroke]:
        """A line round the circle."""
        pieces = max(1, round(PIECES * abs(last - first)))
        points = [self.at(first + (last - first) * k / pieces, more) for k in range(pieces + 1)]
        return [Stroke(pair, tone, wide) for pair in pairwise(points)]

    def cables(self) -> list[Stroke]:
        """A cable from each rank to the next."""
        return [Stroke((self.at(k), self.at(k + 1)), "edge", 5) for k in range(self.ranks)]

    def seats(self, largest: float, lit: dict[int, str]) -> Drawing:
        """Each rank, with its number where there is room; lit: the tones of some."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        pitch = 2 * pi * self.radius / self.ranks
        size = min(largest, 0.8 * pitch)
        for rank in range(self.ranks):
            tone, box = lit.get(rank, ""), Box(*self.at(rank), size, size)
            edge = tone or ("edge" if rank else "now")
            boxes.append(ColoredBox(box, tone or "panel", size / 2, edge, 3))
            if pitch > ROOMY:
                ink = "background" if tone else "ink"
                lines.append(TextLine(str(rank), box.x, box.y + 9, SMALL, ink, "bold", "center"))
        return Drawing(tuple(boxes), (), tuple(lines))


@dataclass(frozen=True, eq=False)
class CableRings:
    """A ring of cables for each step, with all messages to the right, and what cables carry.

    total: of the busiest cables. distance: the words below a ring for how far partners are.
    """

    ranks: int
    steps: tuple[RingStep, ...]
    total: str
    distance: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        drawing, steps, wide = Drawing(), self.steps, room.width / len(self.steps)
        at = min(1.0, time / LAST) * len(steps)
        for place, step in enumerate(steps):
            left, come = room.left + place * wide, min(1.0, max(0.0, at - place))
            ring = Box.between(left, room.top, left + wide, room.bottom - BELOW)
            drawing += self._ring(step, ring, item, come)
        if item == LOADS and at >= 0.5:
            parts = [(step.messages * step.sent.numerator, step.sent.denominator) for step in steps]
            text = " + ".join(f"{own}/{whole}" for own, whole in parts[: round(at)])
            text += f" = {self.total}" * (at == len(steps))
            line = TextLine(text, room.x, room.bottom - 8, TOTAL, "now", "bold", "center")
            drawing += Drawing(lines=(line,))
        return drawing

    def _ring(self, step: RingStep, room: Box, item: int, come: float) -> Drawing:
        highest = max(step.messages for step in self.steps)
        lane_height = min(LANE, LANES / highest)
        out = SEAT / 2 + lane_height * (highest + 0.5)
        radius = min(room.width / 2 - 10, room.height / 2) - out
        circle = Circle(self.ranks, (room.x, room.y), radius)
        strokes, grown = circle.cables(), come if item == WAYS else 1.0
        if item == LOADS and come >= 0.5:
            ends = circle.at(step.busiest), circle.at(step.busiest + 1)
            strokes.append(Stroke(ends, "now", BAND + 4))
        passed = [[(src + k) % self.ranks for k in range(way)] for src, way in step.ways]
        for lane, (src, cables) in zip(lanes(passed), step.ways, strict=True) if grown else ():
            more = SEAT / 2 + lane_height * (lane + 1)
            strokes += circle.arc(src, src + grown * cables, more, f"rank {src}", BAND)
        drawing = Drawing(strokes=tuple(strokes)) + circle.seats(SEAT, {})
        if come >= 0.5:
            away, load = f"{self.distance} {abs(step.distance)}", f"{step.messages} × {step.sent}"
            text = away if item == WAYS else load
            line = TextLine(text, room.x, room.bottom + LINE, NAME, "ink", "bold", "center")
            drawing += Drawing(lines=(line,))
        return drawing


@dataclass(frozen=True, eq=False)
class GrowingSum:
    """One ring: the ranks in the sum of rank 0, to which each partner's are docked.

    distance: the words for how far a partner is.
    """

    ranks: int
    steps: tuple[RingStep, ...]
    distance: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        at = min(1.0, time / LAST) * len(self.steps)
        place = min(int(at), len(self.steps) - 1)
        step, come = self.steps[place], at - place
        out = LARGE / 2 + STRETCH + LIFT
        x, radius = room.left + 0.36 * room.width, min(0.36 * room.width, room.height / 2) - out
        circle = Circle(self.ranks, (x, room.y), radius)
        docked = MOTION.eased(min(1.0, 2 * come))
        lit = dict.fromkeys(step.own, "rank 0")
        lit |= dict.fromkeys(step.partner, "rank 1" if come < 1 or item == DISTANCES else "rank 0")
        strokes, more = circle.cables(), LARGE / 2 + STRETCH
        if item == DISTANCES:
            strokes += circle.arc(0, docked * step.distance, 0, "now", BAND + 4)
        for ranks, lift in ((step.own, 0.0), (step.partner, (1 - docked) * LIFT)):
            first = next(rank for rank in ranks if (rank - 1) % self.ranks not in ranks)
            ends, tone = (first - 0.45, first + len(ranks) - 0.55), lit[first]
            strokes += circle.arc(*ends, more + lift, tone, STRETCH)
        lines, top = list[TextLine](), room.y - ROW * (len(self.steps) - 1) / 2
        for row, past in enumerate(self.steps[: place + (come >= 0.5)]):
            own, joins = len(past.own), len(past.partner)
            away = f"{self.distance} {abs(past.distance)}: + {joins}"
            text = ("", f"{own} + {joins} = {own + joins}", away)[item]
            tone, left = "now" if row == place else "ink", room.left + 0.74 * room.width
            lines.append(TextLine(text, left, top + ROW * row, LINE, tone, "bold"))
        return Drawing(strokes=tuple(strokes), lines=tuple(lines)) + circle.seats(LARGE, lit)


def swing_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a vector's parts less far, round a ring, than halving would."""
    recording, n = facts.recording, facts.ranks
    if (recording.algorithm, recording.collective.name) != ("swing", "all_reduce") or n & n - 1:
        return
    rival = again(recording, "rabenseifner", n) if n <= MOST_DRAWN and facts.at_home else None
    if rival is None:
        return
    sides = [tuple(_steps(side)) for side in (WhyFacts(rival), facts)]
    sums = [sum(step.messages * step.sent for step in side) for side in sides]
    if sums[1] >= sums[0]:
        return
    totals = [tell.figure(float(total)) for total in sums]
    messages = [numbers([step.messages for step in side]) for side in sides]
    reaches = [numbers([abs(step.distance) for step in side]) for side in sides]
    say, name = tell.say("stage.distance"), tell.say.rival("rabenseifner")
    halves, own = (CableRings(n, *side, say) for side in zip(sides, totals, strict=True))
    sums_of = GrowingSum(n, sides[1], say)
    summed = numbers([2 * len(step.own) for step in sides[1]])
    total = float(sums[0])
    halving = tell.say.plural(int(total) if total.is_integer() else total, "vector")
    carried = tell("swing_own", messages=messages[1], total=totals[1], halving=halving)
    items: list[tuple[str, GrowingPicture, int]] = [
        (tell("swing_partners", name=name, reach=reaches[0], far=n // 2), halves, WAYS),
        (tell("swing_halving", messages=messages[0], total=halving), halves, LOADS),
        (tell("swing_sums", numbers=summed), sums_of, SUMS),
        (tell("swing_reach", reach=reaches[1]), sums_of, DISTANCES),
        (carried, own, LOADS),
    ]
    sentences, *parts = zip(*items, strict=True)
    pictures = Joined(tuple(zip(*parts, strict=True)))
    yield tell.why("swing", sentences, pictures, tell("swing_aside"), 2)


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
