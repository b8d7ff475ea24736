"""Why Swing goes left and right: what it sends far is little, so that few cables carry it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.whys.loads import again
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why

RIVAL, MOST_RANKS = "rabenseifner", 64
TITLE, TOTAL, LAST = 70.0, 110.0, 0.85  # pixels above and below; part of a sentence
SMALLEST = 24.0  # pixels of letters
Step = tuple[int, Fraction]  # how far, in ranks round the ring, and which part of the vector


@dataclass(frozen=True, eq=False)
class DistanceAreas:
    """Beside each other two algorithms: a box a step, as wide as it goes far, as high as it sends.

    titles, totals: above and below both.
    """

    sides: tuple[tuple[Step, ...], tuple[Step, ...]]
    titles: tuple[str, str]
    totals: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        farthest = max(distance for side in self.sides for distance, _ in side)
        unit = min(0.42 * room.width / farthest, 200.0)
        high = room.height - TITLE - TOTAL - 40
        for number, side in enumerate(self.sides[:item]):
            part = min(1.0, time / LAST) if number == item - 1 else 1.0
            left, y = room.left + number * 0.52 * room.width, room.top + TITLE
            half, title = 0.48 * room.width, self.titles[number]
            at = left, room.top + 34
            lines.append(line_within(half, (36.0, SMALLEST), title, *at, "ink", "bold"))
            ground = (left - 8, y), (left - 8, y + high)
            strokes.append(Stroke(ground, "edge", 3))
            for step, (distance, share) in enumerate(side):
                come = MOTION.eased(min(1.0, max(0.0, part * len(side) - step)))
                tall, tone = float(share) * high, "now" if number else "rank 0"
                for hop in range(distance):
                    right = left + unit * min(hop + 1, max(hop, come * distance)) - 4
                    if come * distance > hop:
                        box = Box.between(left + unit * hop, y, right, y + tall - 8)
                        boxes.append(ColoredBox(box, tone, 4))
                if come:
                    text = f"{distance} × {share}"
                    x = left + unit * distance + 16
                    lines.append(TextLine(text, x, y + tall / 2 + 6, 30, "ink"))
                y += tall
            if part == 1:
                base, tone = room.bottom - 30, "now" if number else "ink"
                total = self.totals[number]
                lines.append(line_within(half, (46.0, SMALLEST), total, left, base, tone, "bold"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def swing_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a vector's parts less far, round a ring, than halving would."""
    n = facts.ranks
    if facts.recording.algorithm != "swing" or facts.recording.collective.name != "all_reduce":
        return
    other = again(facts.recording, RIVAL, n) if n <= MOST_RANKS else None
    if other is None or n & n - 1:
        return
    theirs, own = (_way(each) for each in (WhyFacts(other), facts))
    totals = [float(sum(distance * share for distance, share in side)) for side in (theirs, own)]
    if totals[1] >= totals[0]:
        return
    lengths = [", ".join(str(distance) for distance, _ in side) for side in (theirs, own)]
    figures = [tell.figure(total) for total in totals]
    sentences = [
        tell("swing_halving", distances=lengths[0], total=figures[0]),
        tell("swing_own", distances=lengths[1], total=figures[1]),
    ]
    titles = tell("swing_beside"), tell.say("why.rival_here").capitalize()
    labels = tell("swing_total", total=figures[0]), tell("swing_total", total=figures[1])
    picture = DistanceAreas((theirs, own), titles, labels)
    yield tell.why("swing", sentences, picture, tell("swing_aside"))


def _way(facts: WhyFacts) -> tuple[Step, ...]:
    """How far rank 0 sends in each step of the way there, and what part of the vector."""
    steps = list[Step]()
    for sent in facts.sends[0][: facts.steps // 2]:
        if sent:
            distance = max(min(to % facts.ranks, -to % facts.ranks) for to in sent.to)
            steps.append((distance, Fraction(sent.bytes, facts.size)))
    return tuple(steps)
