"""Why Swing goes left and right: what it sends far is little, so that cables carry less."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from math import cos, pi, sin

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.loads import again
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why

# cables to the right or, less than 0, to the left; messages on the busiest cable; part of S each
Crossing = tuple[int, int, Fraction]
LAST = 0.8  # of a sentence, in which steps come
RADIUS, BANDS, THICKEST = 0.29, 102.0, 48.0  # of the height; pixels: of all steps, and of S
PIECES = 12  # straight parts of a way along a cable


@dataclass(frozen=True, eq=False)
class SwingRings:
    """Ranks on a ring of cables, and what rank 0 sends along it, a band as thick as its part.

    panels: of each ring its title, its steps, and the total after each.
    """

    ranks: int
    panels: tuple[tuple[str, tuple[Crossing, ...], tuple[str, ...]], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        drawing, wide = Drawing(), room.width / len(self.panels)
        for number in range(min(item, len(self.panels))):
            left, part = room.left + number * wide, min(1.0, time / LAST)
            come = part if number == item - 1 else 1.0
            counts = (come, 0.0, part)[item - 1] if number or item == 1 else 1.0
            place = Box.between(left, room.top, left + wide, room.bottom)
            drawing += self._ring(number, place, come, counts)
        return drawing

    def _ring(self, number: int, room: Box, part: float, counts: float) -> Drawing:
        title, steps, totals = self.panels[number]
        radius = min(RADIUS * room.height, room.width / 2 - 44 - BANDS)
        middle = room.y - 50

        def at(seat: float, out: float = 0.0) -> Point:
            angle = 2 * pi * seat / self.ranks - pi / 2
            return room.x + (radius + out) * cos(angle), middle + (radius + out) * sin(angle)

        strokes = [Stroke((at(k), at(k + 1)), "edge", 6) for k in range(self.ranks)]
        boxes, lines, sums = list[ColoredBox](), list[TextLine](), list[str]()
        for k in range(self.ranks):
            x, y = at(k)
            boxes.append(ColoredBox(Box(x, y, 52, 52), "panel", 26, "edge" if k else "now", 3))
            lines.append(TextLine(str(k), x, y + 10, 28, "ink" if k else "now", "bold", "center"))
        for step, (cables, messages, sent) in enumerate(steps):
            come, out = min(1.0, part * len(steps) - step), 44 + BANDS * step / len(steps)
            ways = [at(cables * come * k / (PIECES * 4), out) for k in range(PIECES * 4 + 1)]
            width = max(5.0, THICKEST * float(sent))
            pairs = pairwise(ways)
            strokes += [Stroke(pair, f"rank {step}", width) for pair in pairs if come > 0]
            sums += [f"{messages} × {sent}"] * (counts * len(steps) >= step + 1)
        if sums:
            y = room.bottom - 44
            lines.append(TextLine(" + ".join(sums), room.x, y, 34, "ink", "bold", "center"))
            total = totals[len(sums) - 1]
            lines.append(TextLine(total, room.x, middle + 24, 72, "now", "bold", "center"))
        lines.append(TextLine(title, room.x, room.bottom, 30, "ink", align="center"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def swing_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a vector's parts less far, round a ring, than halving would."""
    recording, n = facts.recording, facts.ranks
    if (recording.algorithm, recording.collective.name) != ("swing", "all_reduce") or n & n - 1:
        return
    halving = again(recording, "rabenseifner", n) if n <= MOST_DRAWN else None
    if halving is None:
        return
    sides = [_crossed(side) for side in (WhyFacts(halving), facts)]
    sums = [list(accumulate(messages * part for _, messages, part in side)) for side in sides]
    if sums[1][-1] >= sums[0][-1]:
        return
    totals = [tuple(tell.figure(float(total)) for total in side) for side in sums]
    reach, messages = (
        [", ".join(str(abs(step[at])) for step in side) for side in sides] for at in (0, 1)
    )
    sentences = [
        tell("swing_halving", messages=messages[0], total=totals[0][-1]),
        tell("swing_reach", reach=reach[1]),
        tell("swing_own", messages=messages[1], total=totals[1][-1], halving=totals[0][-1]),
    ]
    beside = map(tell, ("swing_beside_halving", "swing_beside_own"))
    panels = zip(beside, map(tuple, sides), totals, strict=True)
    yield tell.why("swing", sentences, SwingRings(n, tuple(panels)), tell("swing_aside"), 1)


def _crossed(facts: WhyFacts) -> list[Crossing]:
    """Of each step of the way there, how far rank 0 sends, what meets on a cable, of which part."""
    n, crossed, first = facts.ranks, defaultdict[int, Counter[int]](Counter), dict[int, int]()
    for src, dst, step, sent in facts.hops:
        way = (dst - src + n // 2 - 1) % n - n // 2 + 1
        for cable in range(src, src + way) if way > 0 else range(src + way, src):
            crossed[step][cable % n + n * (way > 0)] += sent.bytes
        first[step] = way if src == 0 else first.get(step, 0)
    own = facts.sends[0][: facts.steps // 2]
    return [
        (first[step], max(crossed[step].values()) // sent.bytes, Fraction(sent.bytes, facts.size))
        for step, sent in enumerate(own)
        if sent
    ]
