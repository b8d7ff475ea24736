"""A page of lanes: when each rank sends, on a clock; gaps are waiting; schedules share a scale."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite

from animations.course.page import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.score.page import Drawing
from animations.stages.drawn import Stroke
from animations.story.drawing import MOTION, Box, ColoredBox, TextLine
from collectives.cost.clocks.timing import Timing
from collectives.units import time_text

NAME, BAR, DRAWN = 34.0, 0.72, 0.8  # pixels; part of a lane; part of its time until all is drawn
LOST = -1  # the step of a message that never arrives
STUCK = 3.0  # times the time until the last message arrives: shown of what never ends
AXIS_LEFT, AXIS_RIGHT = LEFT + 130, RIGHT - 130


@dataclass(frozen=True)
class LaneSpan:
    """A message in the lane of its sender, in seconds; its step, which gives it a color."""

    lane: int
    start: float
    end: float
    step: int


@dataclass(frozen=True)
class ScheduleLanes:
    """A schedule on a clock: its name, its spans, how long it takes, or is shown if it stalls."""

    name: str
    ranks: int
    spans: tuple[LaneSpan, ...]
    seconds: float
    ends: bool = True


def lanes_of(name: str, timing: Timing) -> ScheduleLanes:
    """The messages of a timing in the lanes of their senders."""
    messages, ranks = timing.messages, timing.recording.ranks
    columns = messages.src, messages.start, messages.end, messages.step
    rows = zip(*(each.tolist() for each in columns), strict=True)
    spans = tuple(LaneSpan(*row) for row in rows if row[0] < ranks)
    if isfinite(timing.total):
        return ScheduleLanes(name, ranks, spans, timing.total)
    last = STUCK * max((span.end for span in spans if isfinite(span.end)), default=1.0)
    begun = (span for span in spans if isfinite(span.start))
    shown = (span if isfinite(span.end) else replace(span, end=last, step=LOST) for span in begun)
    return ScheduleLanes(name, ranks, tuple(shown), last, ends=False)


@dataclass(frozen=True)
class LanesPage(Headed):
    """Schedules one below the other, on one scale of time, drawn as their time passes."""

    schedules: tuple[ScheduleLanes, ...] = ()

    @property
    def items(self) -> int:
        """How many schedules come."""
        return len(self.schedules)

    def at(self, item: int, time: float) -> Drawing:
        """The schedules that have come, the last one under way."""
        found = [self.head, self._legend]
        for number in range(item):
            now = MOTION.eased(time / DRAWN) if number == item - 1 else 1.0
            found.append(self._schedule(number, now))
        return joined(found)

    @property
    def _legend(self) -> Drawing:
        """What a bar is, and its color."""
        return Drawing(
            lines=(TextLine(self.say("course.bar"), RIGHT, 74, 30, "faint", align="right"),)
        )

    def _schedule(self, number: int, now: float) -> Drawing:
        each = self.schedules[number]
        high = (BOTTOM - TOP + 50) / len(self.schedules)
        top = TOP - 10 + high * number
        longest = max(one.seconds for one in self.schedules)
        scale = (AXIS_RIGHT - AXIS_LEFT) / longest
        pitch = (high - 90) / each.ranks
        boxes, lines, strokes = [], [TextLine(each.name, LEFT, top + 20, NAME, "ink", "bold")], []
        for rank in range(each.ranks):
            y = top + 40 + pitch * (rank + 0.5)
            size = min(26.0, 0.8 * pitch)
            text, base = (
                self.say("labels.node", noun=self.say.noun("rank"), number=rank),
                y + 0.36 * size,
            )
            lines.append(TextLine(text, AXIS_LEFT - 16, base, size, "faint", align="right"))
            wide = scale * each.seconds
            boxes.append(ColoredBox(Box(AXIS_LEFT + wide / 2, y, wide, BAR * pitch), "well", 4))
        passed = now * each.seconds
        for span in each.spans:
            end = min(span.end, passed)
            if end > span.start:
                wide = max(1.0, scale * (end - span.start) - 2)
                y = top + 40 + pitch * (span.lane + 0.5)
                box = Box(AXIS_LEFT + scale * span.start + wide / 2, y, wide, BAR * pitch)
                tone = "wrong" if span.step == LOST else f"rank {span.step % 8}"
                boxes.append(ColoredBox(box, tone, min(4.0, wide / 2)))
        x, bottom = AXIS_LEFT + scale * passed, top + 40 + pitch * each.ranks
        strokes.append(Stroke(((x, top + 36), (x, bottom + 6)), "now", 3.0))
        if now == 1 and each.ends:
            text = time_text(each.seconds, digits=3)
            lines.append(TextLine(text, x + 12, bottom - 4, NAME, "now", "bold"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))
