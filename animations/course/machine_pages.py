"""Pages of a machine and its links, and of what runs on it: ranks as lanes in time."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isfinite

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined, text_block
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.pictures.machine_picture import LinkKind, MachinePicture, link_kinds
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, time_text

DRAWN = 1060.0  # pixels that the drawing is wide
FACTS = LEFT + DRAWN + 90  # where the figures of the links begin
NAME, BAR = 34.0, 0.72  # pixels; part of a lane
ALL_DRAWN = 0.8  # of its time: until all of a lane is there
LOST = -1  # the step of a message that never arrives
STUCK = 3.0  # times the time until the last message arrives: shown of what never ends
AXIS_LEFT, AXIS_RIGHT = LEFT + 130, RIGHT - 130


@dataclass(frozen=True)
class MachinePage(Headed):
    """A topology; with each item the links of a kind are lit and their figures shown.

    lit: for each item the number of the kind, in the order of `link_kinds`.
    """

    topology: Topology = field(kw_only=True)
    lit: tuple[int, ...] = ()

    @property
    def items(self) -> int:
        """How many kinds of links are spoken of."""
        return len(self.lit)

    def at(self, item: int, time: float) -> Drawing:
        """The machine, with the figures of the kinds of links that have been spoken of."""
        now = self.lit[item - 1] if item else -1
        found = [self.head, self._links(now), self._picture.nodes()]
        pitch = min(190.0, (BOTTOM - TOP) / max(1, len(self._kinds)))
        for row, number in enumerate(dict.fromkeys(self.lit[:item])):
            kind, tone = self._kinds[number], "now" if number == now else "ink"
            base = TOP + 40 + pitch * row
            rate = rate_text(kind.bandwidth)
            each = f"{kind.lanes} × {rate}" if kind.lanes > 1 else rate
            found.append(Drawing(lines=(TextLine(each, FACTS, base, 44, tone, "bold"),)))
            texts = (self._facts(kind), kind.name(self._name))
            for line, text in enumerate(texts):
                at = base + 42 + 38 * line
                found.append(text_block(text, FACTS, at, RIGHT - FACTS, 28, "faint", 1))
        return joined(found)

    def _facts(self, kind: LinkKind) -> str:
        """Which way its bandwidth counts, and its latency, if it has one."""
        way = self.say("course.each_way" if kind.both else "course.one_way")
        if not kind.latency:
            return way
        return self.say("course.with_latency", way=way, latency=time_text(kind.latency))

    def _name(self, kind: str) -> str:
        """The name of a kind of node."""
        key = f"machines.{kind.replace(' ', '_')}"
        return self.say(key) if key in self.say.patterns else kind

    @cached_property
    def _kinds(self) -> tuple[LinkKind, ...]:
        return link_kinds(self.topology)

    @cached_property
    def _picture(self) -> MachinePicture:
        room = Box.between(LEFT, TOP, LEFT + DRAWN, BOTTOM)
        return MachinePicture(self.topology, room, self._name, filled=True)

    def _links(self, now: int) -> Drawing:
        """All links, those of the kind `now` lit."""
        topology, lit = self.topology, self._kinds[now] if now >= 0 else None
        pale, bright = list[Stroke](), list[Stroke]()
        columns = (topology.src, topology.dst, topology.bandwidth, topology.latency)
        for src, dst, rate, latency in zip(*(each.tolist() for each in columns), strict=True):
            ends = {topology.kind_of(src), topology.kind_of(dst)}
            if lit and (set(lit.ends), lit.bandwidth, lit.latency) == (ends, rate, latency):
                bright.append(self._picture.link(src, dst, "now", 5.0))
            else:
                pale.append(self._picture.link(src, dst, "link", 2.5))
        return Drawing(strokes=(*pale, *bright))


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
            now = MOTION.eased(time / ALL_DRAWN) if number == item - 1 else 1.0
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
