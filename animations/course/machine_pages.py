"""Pages of a machine and its links, and of what runs on it: ranks as lanes in time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, chain, compress, pairwise
from math import ceil, dist, inf, isfinite
from statistics import mode
from typing import Any

import numpy as np
import numpy.typing as npt

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined, text_block
from animations.course.machine_run import MachineRun, slots_of
from animations.course.switch_slots import slots_by_way
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for, text_width
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.drawing.time_lanes import Lanes
from animations.pictures.machine_picture import LinkKind, MachinePicture, link_kinds
from animations.stages.lanes import NAMES, lanes_of, sent_by_step
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import stall
from collectives.cost.machines.paths import Floats, Paths
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rate_text, size_text, time_text

DRAWN = 1060.0  # pixels that the drawing is wide
FACTS = LEFT + DRAWN + 90  # where the figures of the links begin
NOTE, NOTE_PITCH = 48.0, 110.0  # pixels of a note, and to the next one
NAME, COUNT = 34.0, 28.0  # pixels of a schedule's name, and of a number below its lanes
RUN = 36.0, 28.0  # pixels of a run's name, at most and at least
TIMES_OVER, DOT = 3, 16.0  # how often data crosses a link in a sentence; pixels of its dot
ALL_DRAWN = 0.8  # of its time: until all of a lane is there
DIM = 0.65  # opacity of the veil over what waits
STUCK = 2.0  # times the time until the last message arrives: shown of what never ends
STOPS = 0.7  # of its time: until all that never ends stands still
THIN, LIT, THICK = 2.5, 9.0, 44.0  # pixels of links
ASIDE = 18.0  # pixels from a way that carries nothing to its way back
OF_RANK = 0.75  # of a rank's width: links, at most
ROUND = 150.0  # pixels further right, of an arrow across all lanes
HANDED = 2.0  # pixels between the bars of a message and of the next one with its chunk
LIMIT = 0.98  # part of the widest, from which on a link limits a run
BAR_TOP, BAR_HIGH = 118.0, 150.0  # pixels of counted bytes: below a run's name, and at most
DASHES = (1.5, 1.5)  # of links over which a way does not go on


Moved = tuple[Sequence[Point], float]  # a way, and how much of it is done
Lit = int | tuple[tuple[int, ...], ...] | MachineRun
AXIS_LEFT, AXIS_RIGHT = LEFT + 130, RIGHT - 130


@dataclass(frozen=True)
class MachinePage(Headed):
    """A topology; with each item some of its links are lit, or something runs on it.

    lit: of each item the number of a kind of links, in the order of `link_kinds`; the ranks on
    each way; or a run, whose links are as wide as the time that they work here for its bytes.
    names: of kinds.
    notes: of ways, by item; they stand below one another, each above what names its factors, if
    it has two lines. stays: of ways that stay lit their tone
    and bytes, by which they are wide. missing: links that an item's ways do not take,
    dashed. waits: of an item ranks, each with the one that it waits for, dashed arrows.
    """

    topology: Topology = field(kw_only=True)
    lit: tuple[Lit, ...] = ()
    names: Mapping[int, str] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    stays: Mapping[Lit, tuple[str, float]] = field(default_factory=dict)
    missing: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    waits: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)

    @property
    def items(self) -> int:
        """How many times links are spoken of."""
        return len(self.lit)

    def at(self, item: int, time: float) -> Drawing:
        """The machine, and the figures of what has been spoken of."""
        now: Lit = self.lit[item - 1] if item else ()
        links, *dots = self._links(now, time, [lit for lit in self.lit[: item - 1] if item])
        missing = self._dashed(self.missing.get(item, ()), "wrong", time)
        waits = self._dashed(self.waits.get(item, ()), "ink", time)
        layers = [self.head, links, missing, waits, *dots, self._picture.nodes()]  # names on top
        seen = dict.fromkeys(self.lit[:item])
        rows = [lit for lit in seen if not isinstance(lit, tuple)]
        highest = 360.0 if any(run.counts for run in self._runs) else 240.0
        pitch = min(highest, (BOTTOM - TOP) / max(1, len(rows)))
        for row, lit in enumerate(rows):
            base, tone = TOP + 40 + pitch * row, "now" if lit == now else "ink"
            if isinstance(lit, MachineRun):
                passed = lit.moment(min(time / ALL_DRAWN, 1.0) if lit == now else 1.0)
                layers.append(self._time(lit, passed, base, tone))
            elif isinstance(lit, int):
                layers.append(self._kind(self._kinds[lit], self.names.get(lit, ""), base, tone))
        for row, number in enumerate(n for n in sorted(self.notes) if n <= item):
            tone, base = "now" if number == item else "ink", TOP + 160 + NOTE_PITCH * row
            tone = self._looks.get(self.lit[number - 1], (tone,))[0]
            note, *factors = self.notes[number].split("\n")
            line = TextLine(note, FACTS, base, self._note_size, tone, "mono")
            named = (TextLine(text, FACTS, base + COUNT + 10, COUNT, "faint") for text in factors)
            layers.append(Drawing(lines=(line, *named)))
        return joined(layers)

    def _dashed(self, pairs: Sequence[tuple[int, int]], tone: str, time: float) -> Drawing:
        """Links that carry nothing, one after another; not red, arrows of what waits."""
        come = pairs[: ceil(len(pairs) * time / ALL_DRAWN)]
        lines = (line for pair in come for line in self._picture.link(*pair, tone, LIT))
        look: dict[str, Any] = {"dashes": DASHES, "arrow": tone != "wrong"}
        return Drawing(strokes=tuple(replace(line, **look) for line in lines))

    def _kind(self, kind: LinkKind, name: str, base: float, tone: str) -> Drawing:
        """The name of a kind of links, and its figures."""
        text = f"{name} " + f"{kind.lanes} × " * (kind.lanes > 1) + rate_text(kind.bandwidth)
        line = TextLine(text.strip(), FACTS, base, 44, tone, "bold")
        facts = text_block(self._facts(kind), FACTS, base + 42, RIGHT - FACTS, 28, "faint", 1)
        return Drawing(lines=(line,)) + facts

    def _facts(self, kind: LinkKind) -> str:
        """Which way its bandwidth counts, and its latency, if it has one."""
        way = self.say("course.each_way" if kind.both else "course.one_way")
        both = self.say("course.with_latency", way=way, latency=time_text(kind.latency))
        return both if kind.latency else way

    def _time(self, run: MachineRun, passed: float, base: float, tone: str) -> Drawing:
        """The name of a run, and its time as a bar beside those of the others."""
        longest, room = max(rival.timing.total for rival in self._runs), RIGHT - FACTS
        name = text_block(run.name, FACTS, base, room, size_for(run.name, room, *RUN), "ink", 1)
        well = bar(FACTS, base + 34, room * run.timing.total / longest, 22, "well")
        full = bar(FACTS, base + 34, room * passed / longest, 22, tone)
        text = TextLine(time_text(round(passed, 10), 3), FACTS, base + 98, 44, tone, "bold")
        drawing = name + Drawing((well, full), (), (text,))
        if run.counts:
            return drawing + self._counts(run, passed, base + BAR_TOP, tone)
        return drawing + Drawing(lines=tuple(self._ways(run, passed, base, tone)))

    def _counts(self, run: MachineRun, passed: float, top: float, tone: str) -> Drawing:
        """What went through each node of a kind, as bars in a row, their numbers above them."""
        counted, drawing = run.counted(passed), Drawing()
        highest = max(max(rival.counted(rival.timing.total)) for rival in self._runs)
        number, unit = size_text(round(highest), digits=3, binary=True).split()
        pitch, foot = (RIGHT - FACTS) / len(counted), top + BAR_HIGH
        for place, moved in enumerate(counted):
            high = max(2.0, (BAR_HIGH - 2 * COUNT) * moved / highest)
            x = FACTS + pitch * (place + 0.5)
            body = ColoredBox(Box(x, foot - high / 2, 0.7 * pitch, high), tone)
            text = f"{moved / highest * float(number):.{len(number.partition('.')[2])}f}"
            size = size_for(text, 0.85 * pitch, COUNT, 0, "bold")
            line = TextLine(text, x, foot - high - 8, size, tone, "bold", "center")
            drawing += Drawing((body,), (), (line,))
        text = self.say("course.through_each", unit=unit, node=self._name(run.counts))
        return drawing + Drawing(lines=(TextLine(text, FACTS, foot + 36, COUNT, "faint"),))

    def _ways(self, run: MachineRun, passed: float, base: float, tone: str) -> Iterator[TextLine]:
        """What the busiest link of a run has carried, and the link back, if it has carried any.

        Of a run of which a chunk is followed, the steps that have waited for slow links.
        """
        if run.follow >= 0:
            count, steps = run.slow_steps(passed), run.slow_steps(inf)
            text = self.say("course.slow_steps", count=count, steps=steps)
            yield TextLine(text, FACTS, base + 146, NAME, tone, "bold")
            return
        carried, (src, dst) = run.carried(passed), self._ends[run.busiest]
        for row, (start, end) in enumerate(((src, dst), (dst, src))):
            moved = sum(carried[k] for k, way in enumerate(self._ends) if way == (start, end))
            if moved or not row:
                size = size_text(round(moved), digits=3, binary=run.binary)
                text = f"{self._label(start)} → {self._label(end)}: {size}"
                letters = size_for(text, RIGHT - FACTS, 30, 26)
                yield TextLine(text, FACTS, base + 138 + 36 * row, letters, tone)

    def _label(self, node: int) -> str:
        """What a node is called: rank 3, leaf switch 0."""
        number = self.topology.label(node).rpartition(" ")[2]
        return f"{self._name(self.topology.kind_of(node))} {number}"

    def _name(self, kind: str) -> str:
        """The name of a kind of node."""
        key = f"machines.{kind.replace(' ', '_')}"
        return self.noun * (kind == "rank") or (self.say(key) if key in self.say.patterns else kind)

    @cached_property
    def _note_size(self) -> float:
        """Pixels of notes, one size for all."""
        first = (note.split("\n")[0] for note in self.notes.values())
        return min(size_for(note, RIGHT - FACTS, NOTE, COUNT, "mono") for note in first)

    @cached_property
    def _looks(self) -> dict[Lit, tuple[str, float]]:
        """The tone of ways that stay lit, and how wide their links are."""
        largest = max((size for _, size in self.stays.values()), default=0.0)
        looks = self.stays.items()
        return {way: (tone, max(LIT / 2, THICK * size / largest)) for way, (tone, size) in looks}

    @cached_property
    def _kinds(self) -> tuple[LinkKind, ...]:
        return link_kinds(self.topology)

    @cached_property
    def _runs(self) -> list[MachineRun]:
        return [lit for lit in self.lit if isinstance(lit, MachineRun)]

    @cached_property
    def _picture(self) -> MachinePicture:
        room = Box.between(LEFT, TOP, LEFT + DRAWN, BOTTOM)
        ranks = tuple(frozenset({rank}) for rank in range(self.topology.ranks))
        return MachinePicture(self.topology, room, self._name, parts=ranks, fitted=True)

    def _lit(
        self, now: Lit, passed: float, known: Collection[Sequence[int]] = ()
    ) -> tuple[Floats, npt.NDArray[np.bool_]]:
        """Pixels of each link's width, by the work of it and of all runs, and whether it is lit."""
        topology, width = self.topology, np.full(self.topology.links, LIT)
        if isinstance(now, MachineRun):
            rates = topology.bandwidth * topology.lanes
            widest = max(float((run.carried(inf) / rates).max()) for run in self._runs)
            thick = min(THICK, OF_RANK * self._picture.boxes[0].width)
            width = THIN + (thick - THIN) * now.carried(passed) / rates / (widest or 1.0)
            lit = width > THIN
            return np.where(lit & (now.follow >= 0), LIT, width), lit
        if isinstance(now, tuple):
            gone = {way: 1.0 if way in known else passed for way in now}
            hops = [[*pairwise(way)][: 1 + int(gone[way] * (len(way) - 1))] for way in now]
            pairs = np.array([*chain.from_iterable(hops)], np.intp).reshape(-1, 2)
            way = topology.paths(pairs[:, 0], pairs[:, 1]).link
            messages = np.bincount(way, minlength=topology.links)
            return width * np.maximum(messages, 1), messages > 0
        kind = self._kinds[now]
        ends = [{topology.kind_of(end) for end in pair} == {*kind.ends} for pair in self._ends]
        figures = (topology.bandwidth == kind.bandwidth) & (topology.latency == kind.latency)
        return width, figures & np.array(ends, np.bool_)

    def _links(self, now: Lit, time: float, past: Sequence[Lit]) -> Iterator[Drawing]:
        """All links, and on those that are lit dots on their way; what limits a run is red.

        past: what was lit before, of which some ways stay so.
        """
        gone = min(time / ALL_DRAWN, 1.0)
        passed = now.moment(gone) if isinstance(now, MachineRun) else gone
        known = {way for lit in past if isinstance(lit, tuple) for way in lit}
        width, lit = self._lit(now, passed, known)
        ended = now if isinstance(now, MachineRun) and time >= ALL_DRAWN else None
        rates = self.topology.bandwidth
        worked = ended.worked(inf) if ended and ended.limits else 0 * rates
        idle = ~lit & (rates == rates[ended.busiest]) if ended and ended.idle else lit & False
        pale, bright = list[Stroke](), list[Stroke]()
        silent = self._silent(now, passed)
        crossed = now.crossed(passed) if isinstance(now, MachineRun) else set()
        rows = zip(self._ends, width.tolist(), lit.tolist(), idle.tolist(), strict=True)
        for link, ((src, dst), wide, is_lit, is_idle) in enumerate(rows):
            tone = "wrong" if worked[link] > LIMIT * worked.max() else "now"
            tone = "edge" if link in silent else tone
            look = self._looks.get(now, (tone, wide)) if is_lit else ("link", THIN)
            if link in crossed and (link in silent or not is_lit):
                look = "rank 1", LIT / 2
            (bright if is_lit else pale).extend(self._picture.link(src, dst, *look))
            if is_idle:
                pale += map(_aside, self._picture.link(src, dst, "faint", LIT))
        stay = (stroke for lit in past if lit in self._looks for stroke in self._stay(lit))
        over = sorted(bright, key=lambda way: way.color == "wrong")  # of both ways
        yield Drawing(strokes=(*pale, *stay, *over))
        fastest = max(kind.bandwidth for kind in self._kinds)
        speed = self._kinds[now].bandwidth / fastest if isinstance(now, int) else 1.0
        along = TIMES_OVER * speed * time % 1.0
        lit_ways: Iterable[Moved] = ((way.points, along) for way in bright)
        dots_on = self._under_way(now, passed) if isinstance(now, MachineRun) else lit_ways
        if isinstance(now, tuple) and any(len(way) > 2 for way in now):
            going = (set(now) - known or set(now)) if passed < 1 else ()
            dots_on = (self._hop(way, passed) for way in going)
        if time < 1:
            dots = (ColoredBox(Box(*_on(*way), DOT, DOT), "ink", DOT / 2) for way in dots_on)
            yield Drawing(tuple(dots))

    def _stay(self, way: Lit) -> Iterator[Stroke]:
        """The links of a way that stays lit."""
        for ends in compress(self._ends, self._lit(way, 1.0)[1]):
            yield from self._picture.link(*ends, *self._looks[way])

    def _silent(self, now: Lit, passed: float) -> set[int]:
        """Links of a run that carry nothing at a moment, where it says so."""
        if not (isinstance(now, MachineRun) and now.pauses) or passed >= now.timing.total:
            return set()
        parts, paths = now.parts(passed), now.paths
        going = np.repeat((parts > 0) & (parts < 1), np.diff(paths.start))
        return {*range(self.topology.links)} - {*paths.link[going].tolist()}

    def _under_way(self, run: MachineRun, passed: float) -> Iterator[Moved]:
        """The way of each message that is under way, and how far it is; a chunk's last stays."""
        parts, paths, ends = run.parts(passed), run.paths, run.timing.messages.end
        going = np.flatnonzero((parts > 0) & (parts < 1))
        if run.follow >= 0 and not len(going):
            going = np.flatnonzero((parts == 1) & (ends == ends[parts == 1].max(initial=0.0)))
        for message in going.tolist():
            yield self._points(paths, message), float(parts[message])

    def _hop(self, way: Sequence[int], part: float) -> Moved:
        """The hop of a way from rank to rank that is under way, and how far it is."""
        hops, gone = [*pairwise(way)], part * (len(way) - 1)
        paths = self.topology.paths(*np.array(hops, np.intp).T)
        return self._points(paths, int(gone)), gone % 1.0

    def _points(self, paths: Paths, number: int) -> Sequence[Point]:
        """The way of one of many messages."""
        links = paths.link[paths.start[number] : paths.start[number + 1]].tolist()
        strokes = [self._picture.link(*self._ends[int(link)], "now", 1.0)[0] for link in links]
        return [point for stroke in strokes for point in stroke.points]

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        return list(zip(self.topology.src.tolist(), self.topology.dst.tolist(), strict=True))


def _aside(line: Stroke) -> Stroke:
    """A link at the right of where it is drawn, seen along its way: beside its way back."""
    (x, y), (u, v) = line.points[0], line.points[-1]
    along = (ASIDE / (dist((x, y), (u, v)) or 1.0)) * np.array((y - v, u - x))
    return replace(line, points=tuple((p + along[0], q + along[1]) for p, q in line.points))


def _on(points: Sequence[Point], part: float) -> Point:
    """Where a part of a way ends, from 0 to 1, along its straight pieces."""
    ends = [*accumulate((dist(*pair) for pair in pairwise(points)), initial=0.0)]
    x, y = (float(np.interp(part * ends[-1], ends, axis)) for axis in zip(*points, strict=True))
    return x, y


def _arrow(x: float, y: float, to: float, tone: str = "now") -> Drawing:
    """An arrow up or down across lanes."""
    way = ColoredBox(Box.between(x - 3, min(y, to), x + 3, max(y, to)), tone)
    head = TextLine("▼" if to > y else "▲", x, to + 14, 36, tone, align="center")
    return Drawing((way,), (), (head,))


def _by_link(timing: Timing) -> list[str]:
    """A tone for each message: another where the slowest link on its way is not a fast one."""
    return [f"rank {int(slow)}" for slow in MachineRun("", timing).slow]


def _by_chunk(timing: Timing) -> list[str]:
    """A tone for each message: that of the chunk of most of its data; the first message has one."""
    slots, messages = slots_of(timing), timing.messages
    shards = len(next(iter(slots.values()), [0]))
    keys = zip(messages.step, messages.src, messages.dst, strict=True)
    return [f"rank {mode(slot // shards for slot in slots[key]) % 8}" for key in keys]


COLORS = {"": lambda timing: (), "link": _by_link, "chunk": _by_chunk}  # what they may tell


@dataclass(frozen=True)
class Trips:
    """What outlines a chunk, from 1, on its trips, one after another."""

    chunk: int


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

    def passed(self, time: float) -> float:
        """Which part of that has passed; until one that stalls stands still, time is slow."""
        if self.ends:
            return MOTION.eased(time / ALL_DRAWN)
        return float(np.interp(time, (0.0, STOPS, ALL_DRAWN), (0.0, 1 / STUCK, 1.0)))


@dataclass(frozen=True)
class LanesPage(Headed):
    """Schedules one below the other, on one scale of time, drawn as their time passes.

    comes: of each item whether the next schedule comes, None, or the moment of the last one, in
    seconds, that is marked, infinite for whom each rank waits for, again where that began, or, a
    whole number, how many brackets stand below it: slots in which chunks go up to switches, both
    ways, or down; or the trips of a chunk. Without it a schedule each. colors: what they tell:
    steps, "link" slow links, "chunk" chunks; a moment then marks those that are handed on. rows:
    nodes that have lanes, and their names; by default all.
    """

    schedules: tuple[LaneSchedule, ...] = ()
    colors: str = ""
    rows: Mapping[int, str] = field(default_factory=dict)
    comes: tuple[float | int | Trips | None, ...] = ()

    @property
    def items(self) -> int:
        """How many times a schedule comes, or a moment is marked."""
        return len(self.comes or self.schedules)

    def at(self, item: int, time: float) -> Drawing:
        """The schedules that have come, the last one under way, or with a moment marked."""
        key = self.say(f"course.bar_{self.colors}".removesuffix("_"))
        line = TextLine(key, RIGHT, 74, 30, "faint", align="right")
        layers = [self.head, Drawing(lines=(line,))]
        shown = (self.comes or (None,) * len(self.schedules))[:item]
        for number in range(shown.count(None)):
            last = shown[-1] is None and number == shown.count(None) - 1
            now = self.schedules[number].passed(time) if last else 1.0
            layers.append(self._schedule(number, now))
        for place, entry in enumerate(shown, 1):
            if isinstance(entry, int):
                grown = MOTION.eased(time / ALL_DRAWN) if place == item else 1.0
                layers.append(self._brackets(shown[:place].count(None) - 1, entry, grown))
        if shown and isinstance(shown[-1], Trips):
            layers.append(Drawing(tuple(self._trips(shown.count(None) - 1, shown[-1].chunk, time))))
        if inf in shown:
            layers += self._waiting(shown, time if shown.index(inf) == item - 1 else 1.0)
        elif shown and isinstance(shown[-1], float):
            before = shown[-2] if isinstance(shown[-2], float) else 0.0
            moments, number = (before, shown[-1]), shown.count(None) - 1
            layers.append(self._moment(number, moments, MOTION.eased(2 * time)))
        return joined(layers)

    def alone(self, item: int) -> LanesPage:
        """A page with nothing but the schedule that came last."""
        number = self.comes[:item].count(None) if self.comes else item
        return replace(self, schedules=self.schedules[number - 1 : number], comes=())

    @cached_property
    def lanes(self) -> tuple[Lanes, ...]:
        """The lanes of each schedule, a bar for each message in the tone of its step."""
        longest = max(schedule.seconds for schedule in self.schedules)
        high = (BOTTOM - TOP + 50) / len(self.schedules)
        recordings = (schedule.timing.recording for schedule in self.schedules)
        widest = max(recordings, key=lambda recording: recording.nodes)
        names = [self.rows.get(k) or self._name(k, widest) for k in range(widest.nodes)]
        drawn, named = [], {"names": names, "nodes": [*self.rows], "axis": False}
        for number, schedule in enumerate(self.schedules):
            left, top = AXIS_LEFT - NAMES, TOP - 10 + high * number
            right = AXIS_LEFT + (AXIS_RIGHT - AXIS_LEFT) * schedule.seconds / longest
            box = Box.between(left, top + 40, right, top + high - 50)
            largest = 26.0 if len(self.schedules) > 1 else 38.0
            look: dict[str, Any] = {"seconds": schedule.seconds, "most_pitch": high, **named}
            lanes = lanes_of(schedule.timing, box, largest=largest, **look)
            tones = COLORS[self.colors](schedule.timing)
            drawn.append(sent_by_step(lanes, schedule.timing, tones))
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
        veils = (ColoredBox(box, "well", opacity=DIM) for box in lanes.waits)
        boxes = *wells, *lanes.bars, *veils, *self._absent(number), *lanes.cover(passed)
        return Drawing(boxes, (Stroke(lanes.now(passed), "now", 3.0),), tuple(lines))

    def _trips(self, number: int, chunk: int, time: float) -> Iterator[ColoredBox]:
        """Outlines of a chunk's part of each message that carries it, trip after trip."""
        timing, lanes = self.schedules[number].timing, self.lanes[number]
        messages, slots = timing.messages, slots_of(timing)
        rows = {row.node: row.box for row in lanes.rows}
        shards = len(next(iter(slots.values()), [0]))
        parts = {
            key: sum(slot // shards == chunk - 1 for slot in carried) / len(carried)
            for key, carried in slots.items()
        }
        trips = sorted({step for (step, *_), part in parts.items() if part})
        gone = trips[: ceil(len(trips) * time / ALL_DRAWN)]
        columns = messages.step, messages.src, messages.dst, messages.start, messages.end
        for step, src, dst, start, end in zip(*map(np.ndarray.tolist, columns), strict=True):
            if step in gone and src in rows and (part := parts[step, src, dst]):
                left, row = lanes.x(end - part * (end - start)), rows[src]
                body = Box.between(left, row.top, lanes.x(end), row.bottom)
                yield ColoredBox(body, f"rank {(chunk - 1) % 8}", 3, "ink", 5)

    def _brackets(self, number: int, count: int, grown: float) -> Drawing:
        """Below the lanes, how many slots have the same ways; the last comes."""
        lanes, drawing = self.lanes[number], Drawing()
        left, y = lanes.x(0.0), lanes.box.bottom + 10
        for way, slots, end in slots_by_way(self.schedules[number].timing)[:count]:
            right, count = lanes.x(end), count - 1
            reached = right if count else left + grown * (right - left)
            line = Stroke(((left + 4, y), (reached - 4, y)), "now", 6.0)
            at = (left + right) / 2, y + 30, COUNT
            text = TextLine(f"{slots} {way}", *at, "now", "bold", "center")
            drawing += Drawing((), (line,), (text,))
            left = right
        return drawing

    def _absent(self, number: int) -> Iterator[ColoredBox]:
        """Ranks that have not come yet, red."""
        lanes, arrivals = self.lanes[number], self.schedules[number].timing.costs.arrivals
        for row in lanes.rows:
            if wide := lanes.x(arrivals.get(row.node, 0.0)) - lanes.x(0.0):
                place = Box(lanes.x(0.0) + wide / 2, row.box.y, wide, row.box.height)
                yield ColoredBox(place, "wrong", 4, opacity=1 - DIM)

    def _waiting(self, comes: Sequence[object], time: float) -> Iterator[Drawing]:
        """Behind what each rank has done the step in which it waits, and an arrow to for whom.

        Then, where all have come, those of the earliest step stand out.
        """
        number, began = comes.count(None) - 1, comes.count(inf) > 1
        timing, lanes = self.schedules[number].timing, self.lanes[number]
        standstill = stall(timing.recording, timing.topology, timing.costs)
        waits, messages = standstill.waits if standstill else {}, timing.messages
        rows = {row.node: row.box.y for row in lanes.rows}
        ranks = sorted(waits, key=lambda rank: waits[rank][1])
        for rank in ranks[: ceil(len(ranks) * time / ALL_DRAWN)]:
            own = ((messages.src == rank) | (messages.dst == rank)) & np.isfinite(messages.end)
            whom, step = waits[rank]
            text, y = self.say("course.in_step", step=step), rows[rank]
            x = lanes.x(float(messages.end[own].max(initial=0.0))) + 20
            tone = "ink" if np.isfinite(messages.end[messages.src == rank]).any() else "now_ink"
            lit = not began or step == waits[ranks[0]][1]
            tone = "now" if began and lit else tone  # dark on its own bar
            words = TextLine(text, x, y + 0.36 * NAME, NAME, tone, "bold")
            x += text_width(text, NAME, "bold") + 24 + ROUND * (abs(rank - whom) > 1)
            x += ASIDE * (rank % 2)  # beside the arrow that ends there
            yield Drawing(lines=(words,)) + _arrow(x, y, rows[whom], "now" if lit else "edge")

    def _moment(self, number: int, moments: tuple[float, float], way: float) -> Drawing:
        """The line of a moment, which comes from the start or one before, and what is under way."""
        lanes = self.lanes[number]
        now = (1 - way) * moments[0] + way * moments[1]
        x = lanes.x(now)
        near = HANDED / 2 if self.colors == "chunk" else 0.0
        half = ((bar, bar.box.width / 2 + 1.5 * near) for bar in lanes.bars)
        under = [bar for bar, reach in half if way == 1 and abs(x - near - bar.box.x) <= reach]
        tones = Counter(bar.color for bar in under)  # of chunks only those that are handed on
        both = (bar for bar in under if not near or tones[bar.color] > 1)
        lit = [replace(x, color="", edge="ink", width=min(4.0, x.box.height / 5)) for x in both]
        at = x, lanes.box.bottom + 42, NAME
        text = TextLine(time_text(round(now, 10), digits=3), *at, "ink", "bold", "center")
        line = Drawing((), (Stroke(lanes.now(now), "ink", 4.0),), (text,))
        hands = [_arrow(x, end.box.y, start.box.y) for end, start in pairwise(lit) if near]
        return joined([line, Drawing(tuple(lit)), *hands])  # of one message to the next
