"""A page of a step's two lanes: its passes, and under them the all-reduces of its buckets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from animations.course.headed import LEFT, RIGHT, TOP, Headed
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.story.training import texts
from collectives.training.overlap import Overlap
from collectives.units import time_text

FIRST, HIGH, GAP, NAMED = TOP + 150.0, 190.0, 14.0, 190.0  # pixels: lanes, and names beside them
GONE, NEAR = 0.85, 2.5  # part of a sentence in which time passes; layers that are seen from near
LETTERS, FIGURE = 34.0, 56.0  # pixels


@dataclass(frozen=True)
class OverlapPage(Headed):
    """Both lanes fill as time passes; then the end of the step comes nearer.

    run: the backward pass and its all-reduces; forward: seconds of the pass before it.
    """

    run: Overlap = field(kw_only=True)
    forward: float = 0.0

    @property
    def items(self) -> int:
        """Time passes, and the end comes nearer."""
        return 2

    @property
    def seconds(self) -> float:
        """Of the whole step."""
        return self.forward + max(self.run.end)

    def at(self, item: int, time: float) -> Drawing:
        """The lanes, so far as time has passed, or as near as the end has come."""
        moved = MOTION.eased(min(time / GONE, 1.0))
        passed = self.seconds * (moved if item == 1 else float(item > 1))
        nearest = NEAR * self.run.backward / len(self.run.ready)
        seen = self.seconds + (nearest - self.seconds) * (moved if item > 1 else 0.0)
        view = self.seconds - seen, seen
        boxes = [box for spans in self._spans() for box in _drawn(spans, view, passed)]
        words = texts(self.language)["words"]
        names = [
            TextLine(words[name], LEFT, _middle(lane) + 12, LETTERS, "faint")
            for lane, name in enumerate(("compute", "network"))
        ]
        drawing = self.head + Drawing(tuple(boxes), (), tuple(names))
        if passed < self.seconds:
            text, x = time_text(round(passed, 6), 3), _x(passed, view)
            line = TextLine(text, LEFT + NAMED, FIRST - 40, FIGURE, "now", "bold")
            return drawing + Drawing((), (_upright(x, "now"),), (line,))
        return drawing + self._end(view, item > 1 and moved == 1)

    def _spans(self) -> Iterator[list[tuple[int, float, float, str]]]:
        """Both lanes: of each what it does, from when to when, and in which tone."""
        layers = pairwise((0.0, *self.run.ready))
        moments = [(self.forward + start, self.forward + end) for start, end in layers]
        yield [(0, 0.0, self.forward, "phase 0"), *((0, *pair, "phase 1") for pair in moments)]
        sums = zip(self.run.start, self.run.end, strict=True)
        yield [(1, self.forward + start, self.forward + end, "now") for start, end in sums]

    def _end(self, view: tuple[float, float], near: bool) -> Drawing:
        """Where the passes end, and how much longer the last all-reduce takes."""
        end = _x(self.forward + self.run.backward, view)
        text = "+ " + time_text(self.run.exposed, 3)
        line = TextLine(text, RIGHT, FIRST - 40, FIGURE, "now", "bold", "right")
        return Drawing((), (_upright(end, "ink"),), (line,) if near else ())


def _x(moment: float, view: tuple[float, float]) -> float:
    """Where a moment is, of what is seen: from when on, and how many seconds."""
    first, seen = view
    return LEFT + NAMED + (RIGHT - LEFT - NAMED) * (moment - first) / seen


def _middle(lane: int) -> float:
    return FIRST + (lane + 0.5) * (HIGH + GAP)


def _upright(x: float, tone: str) -> Stroke:
    """A line across both lanes."""
    return Stroke(((x, FIRST - 20), (x, FIRST + 2 * (HIGH + GAP) + 20)), tone, 4.0)


def _drawn(
    spans: list[tuple[int, float, float, str]], view: tuple[float, float], passed: float
) -> Iterator[ColoredBox]:
    """What is seen of a lane's spans, up to a moment."""
    for lane, start, end, tone in spans:
        left = _x(max(start, view[0]), view)
        right = _x(min(end, passed), view)
        if end > view[0] and right > left:
            wide = max(right - left - min(3.0, 0.2 * (right - left)), 1.5)
            yield ColoredBox(Box(left + wide / 2, _middle(lane), wide, HIGH), tone, 3)
