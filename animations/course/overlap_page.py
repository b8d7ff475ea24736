"""A page of a step's two lanes: its passes, and under them the all-reduces of its buckets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """Both lanes fill as time passes; then GPUs become more, or the end of the step comes nearer.

    step: of so many GPUs seconds of the forward pass, and the backward pass with its all-reduces;
    counts: of each item the GPUs. Where they stay the same, the end comes nearer.
    """

    step: Callable[[int], tuple[float, Overlap]] = field(kw_only=True)
    counts: tuple[float, ...] = ()

    @property
    def items(self) -> int:
        """Time passes; then more GPUs share the work, or the end comes nearer."""
        return len(self.counts)

    def at(self, item: int, time: float) -> Drawing:
        """The lanes, so far as time has passed, of so many GPUs, or as near as the end has come."""
        moved = MOTION.eased(min(time / GONE, 1.0))
        before, count = (self.counts[max(0, item - back)] for back in (2, 1))
        gpus = round(before * (count / before) ** moved)
        (forward, run), widest = self.step(gpus), _seconds(*self.step(round(self.counts[0])))
        seconds, near = _seconds(forward, run), item > 1 and count == before
        passed = seconds * (moved if item == 1 else float(item > 1))
        nearest = NEAR * run.backward / len(run.ready)
        seen = widest + (nearest - widest) * moved * near
        view = (seconds - seen) * near, seen
        boxes = [box for spans in _spans(forward, run) for box in _drawn(spans, view, passed)]
        words = texts(self.language)["words"]
        names = [
            TextLine(words[name], LEFT, _middle(lane) + 12, LETTERS, "faint")
            for lane, name in enumerate(("compute", "network"))
        ]
        drawing = self.head + Drawing(tuple(boxes), (), tuple(names))
        text = self.say("course.step_of", gpus=gpus, time=time_text(round(passed, 6), 3))
        line = TextLine(text, LEFT + NAMED, FIRST - 40, FIGURE, "now", "bold")
        if passed < seconds:
            return drawing + Drawing((), (_upright(_x(passed, view), "now"),), (line,))
        if near and moved == 1:
            text = "+ " + time_text(run.exposed, 3)  # how much longer the last all-reduce takes
            line = TextLine(text, RIGHT, FIRST - 40, FIGURE, "now", "bold", "right")
        end = _upright(_x(forward + run.backward, view), "ink")
        return drawing + Drawing((), (end,), (line,))


def _seconds(forward: float, run: Overlap) -> float:
    """Of the whole step."""
    return forward + max(run.end)


def _spans(forward: float, run: Overlap) -> Iterator[list[tuple[int, float, float, str]]]:
    """Both lanes: of each what it does, from when to when, and in which tone."""
    moments = [(forward + start, forward + end) for start, end in pairwise((0.0, *run.ready))]
    yield [(0, 0.0, forward, "phase 0"), *((0, *pair, "phase 1") for pair in moments)]
    sums = zip(run.start, run.end, strict=True)
    yield [(1, forward + start, forward + end, "now") for start, end in sums]


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
