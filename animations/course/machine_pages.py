"""Pages of a machine and its links, and of what runs on it: ranks as lanes in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import dist, isfinite
from typing import Any

import numpy as np

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined, text_block
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.drawing.time_lanes import Lanes
from animations.pictures.machine_picture import LinkKind, MachinePicture, link_kinds
from animations.stages.lanes import NAMES, lanes_of, sent_by_step
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rate_text, time_text

DRAWN = 1060.0  # pixels that the drawing is wide
FACTS = LEFT + DRAWN + 90  # where the figures of the links begin
NAME = 34.0  # pixels of a schedule's name
TIMES_OVER, DOT = 2, 16.0  # how often data crosses a link in a sentence; pixels of its dot
ALL_DRAWN = 0.8  # of its time: until all of a lane is there
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
        layers = [self.head, self._links(now), self._picture.nodes()]
        layers.append(self._flow(layers[1], now, time) if item and time < 1 else Drawing())
        pitch = min(190.0, (BOTTOM - TOP) / max(1, len(self._kinds)))
        for row, number in enumerate(dict.fromkeys(self.lit[:item])):
            kind, tone = self._kinds[number], "now" if number == now else "ink"
            base = TOP + 40 + pitch * row
            rate = rate_text(kind.bandwidth)
            lanes_text = f"{kind.lanes} × {rate}" if kind.lanes > 1 else rate
            layers.append(Drawing(lines=(TextLine(lanes_text, FACTS, base, 44, tone, "bold"),)))
            texts = (self._facts(kind), kind.name(self._name))
            for line, text in enumerate(texts):
                at = base + 42 + 38 * line
                layers.append(text_block(text, FACTS, at, RIGHT - FACTS, 28, "faint", 1))
        return joined(layers)

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
        for src, dst, rate, latency in zip(*(column.tolist() for column in columns), strict=True):
            ends = {topology.kind_of(src), topology.kind_of(dst)}
            if lit and (set(lit.ends), lit.bandwidth, lit.latency) == (ends, rate, latency):
                bright += self._picture.link(src, dst, "now", 5.0)
            else:
                pale += self._picture.link(src, dst, "link", 2.5)
        return Drawing(strokes=(*pale, *bright))

    def _flow(self, links: Drawing, now: int, time: float) -> Drawing:
        """Data on the links that are spoken of, both ways where their bandwidth counts so."""
        ways = (1, -1) if self._kinds[now].both else (1,)
        along = MOTION.eased(TIMES_OVER * time % 1.0)
        dots = [
            ColoredBox(Box(*_on(stroke.points[::way], along), DOT, DOT), "ink", DOT / 2)
            for stroke in links.strokes
            if stroke.color == "now"
            for way in ways
        ]
        return Drawing(tuple(dots))


def _on(points: Sequence[Point], part: float) -> Point:
    """Where a part of a way ends, from 0 to 1, along its straight pieces."""
    lengths = [dist(start, end) for start, end in pairwise(points)]
    left = part * sum(lengths)
    for (x, y), (u, v), length in zip(points, points[1:], lengths, strict=False):
        if left <= length:
            share = left / length if length else 0.0
            return x + share * (u - x), y + share * (v - y)
        left -= length
    return points[-1]


@dataclass(frozen=True)
class LaneSchedule:
    """A schedule on a clock, and its name."""

    name: str
    timing: Timing

    @property
    def ends(self) -> bool:
        """Whether all of its messages arrive."""
        return isfinite(self.timing.total)

    @property
    def seconds(self) -> float:
        """How long it takes, or is shown if it stalls."""
        if self.ends:
            return self.timing.total
        ends = self.timing.messages.end
        return STUCK * float(ends[np.isfinite(ends)].max(initial=0.0)) or 1.0


@dataclass(frozen=True)
class LanesPage(Headed):
    """Schedules one below the other, on one scale of time, drawn as their time passes.

    comes: of each item whether the next schedule comes, None, or the moment of the last one, in
    seconds, that is marked; without it a schedule each.
    """

    schedules: tuple[LaneSchedule, ...] = ()
    comes: tuple[float | None, ...] = ()

    @property
    def items(self) -> int:
        """How many times a schedule comes, or a moment is marked."""
        return len(self.comes or self.schedules)

    def at(self, item: int, time: float) -> Drawing:
        """The schedules that have come, the last one under way, or with a moment marked."""
        key = TextLine(self.say("course.bar"), RIGHT, 74, 30, "faint", align="right")
        layers = [self.head, Drawing(lines=(key,))]
        shown = (self.comes or (None,) * len(self.schedules))[:item]
        for number in range(shown.count(None)):
            last = shown[-1] is None and number == shown.count(None) - 1
            layers.append(self._schedule(number, MOTION.eased(time / ALL_DRAWN) if last else 1.0))
        if shown and shown[-1] is not None:
            layers.append(self._moment(shown.count(None) - 1, shown[-1], MOTION.eased(2 * time)))
        return joined(layers)

    @cached_property
    def lanes(self) -> tuple[Lanes, ...]:
        """The lanes of each schedule, a bar for each message in the tone of its step."""
        longest = max(schedule.seconds for schedule in self.schedules)
        high = (BOTTOM - TOP + 50) / len(self.schedules)
        recordings = (schedule.timing.recording for schedule in self.schedules)
        widest = max(recordings, key=lambda recording: recording.nodes)
        names = [self._name(node, widest) for node in range(widest.nodes)]
        drawn = []
        for number, schedule in enumerate(self.schedules):
            left, top = AXIS_LEFT - NAMES, TOP - 10 + high * number
            right = AXIS_LEFT + (AXIS_RIGHT - AXIS_LEFT) * schedule.seconds / longest
            box = Box.between(left, top + 40, right, top + high - 50)
            whole: dict[str, Any] = {
                "seconds": schedule.seconds,
                "most_pitch": high,
                "largest": 26.0,
            }
            lanes = lanes_of(schedule.timing, box, names=names, axis=False, **whole)
            drawn.append(sent_by_step(lanes, schedule.timing))
        return tuple(drawn)

    def _name(self, node: int, recording: Recording) -> str:
        """The name of a node: rank 3, switch 0."""
        beyond = node - recording.ranks
        noun, number = ("rank", node) if beyond < 0 else (recording.helpers, beyond)
        return self.say("labels.node", noun=self.say.noun(noun), number=number)

    def _schedule(self, number: int, now: float) -> Drawing:
        schedule, lanes = self.schedules[number], self.lanes[number]
        passed, box = now * schedule.seconds, lanes.box
        lines = [TextLine(schedule.name, LEFT, box.top - 20, NAME, "ink", "bold"), *lanes.words]
        if now == 1 and schedule.ends:
            text = time_text(schedule.seconds, digits=3)
            lines.append(TextLine(text, box.right + 12, box.bottom - 4, NAME, "now", "bold"))
        wells = (ColoredBox(row.box, "well", 4) for row in lanes.rows)
        boxes = *wells, *lanes.bars, *lanes.cover(passed)
        return Drawing(boxes, (Stroke(lanes.now(passed), "now", 3.0),), tuple(lines))

    def _moment(self, number: int, moment: float, way: float) -> Drawing:
        """The line of a moment, which comes from the end, and what is under way then."""
        schedule, lanes = self.schedules[number], self.lanes[number]
        now = schedule.seconds + way * (moment - schedule.seconds)
        x = lanes.x(now)
        lit = [
            replace(bar, edge="ink", width=min(4.0, bar.box.height / 5))
            for bar in lanes.bars
            if way == 1 and bar.box.left <= x <= bar.box.right
        ]
        text = TextLine(
            time_text(now, digits=3), x, lanes.box.bottom + 42, NAME, "ink", "bold", "center"
        )
        line = Stroke(lanes.now(now), "ink", 4.0)
        return Drawing(tuple(lit), (line,), (text,))
