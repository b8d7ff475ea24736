"""Why a hierarchy: what one cable carries shrinks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter

import numpy as np

from animations.drawing.curves import PIECES, sampled
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Area, Box, ColoredBox, Point, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.structure import Groups
from collectives.structure.machines import homes
from collectives.units import size_beside, time_text

FLAT, TWICE, RINGS, INSIDE, WAITS, TURNS = range(6)  # what sentences are about
THICKEST = 96.0  # pixels of the widest stream
TILE, DOT = 60.0, 8.0  # pixels of a chunk, and of dots along a cable
LANES, NAMES, SEAM = 150.0, 150.0, 2.0  # pixels of lanes below panels, names, and between steps
DIGITS = 3  # of times
SLOW, LAST = 4.0, 0.85  # a hop between nodes, beside others; of a sentence, in which data moves
KINDS = "rank 0", "rank 1"  # the tones of links inside nodes and between them, as in prices
MOST_GPUS = 8  # of a node


@dataclass(frozen=True)
class NetworkUse:
    """What leaves a node over the network: bytes by each of its cables, and in which steps.

    busy: of steps that are alike, one after another, whether data moves inside nodes, whether it
    crosses the network, and their part of the time. kinds: of a time in which both work, the
    part of each.
    """

    cables: tuple[int, ...]
    steps: tuple[bool, ...]
    busy: tuple[tuple[bool, bool, float], ...]
    kinds: tuple[float, float] = (1.0, 1.0)

    def by_steps(self) -> NetworkUse:
        """The same where each step takes as long; the ring uses links inside, too."""
        both = all(inside and across for inside, across, _ in self.busy)
        count = len(self.steps)
        busy = tuple((both or not net, net, 1 / count) for net in self.steps)
        return replace(self, busy=busy, kinds=(1.0, 1.0))

    def at(self, time: float) -> tuple[bool, bool]:
        """What is busy at a part of the time."""
        for inside, across, part in self.busy[:-1]:
            if time < part:
                return inside, across
            time -= part
        return self.busy[-1][:2]


@dataclass(frozen=True)
class Walk:
    """A chunk on its way round a ring of `whole` ranks: its hops in two nodes, whose data it is."""

    hops: tuple[tuple[int, int], ...]
    held: tuple[tuple[int, ...], ...]
    whole: int

    def paths(self, gpus: list[list[Box]]) -> list[list[Point]]:
        """The way of each hop beside the GPUs of two nodes."""
        seats = [
            (box.right + TILE if side == 0 else box.left - TILE, box.y)
            for side, boxes in enumerate(gpus)
            for box in boxes
        ]
        ends = [(seats[src], seats[dst]) for src, dst in self.hops]
        return [[(x, y), ((x + u) / 2, y), ((x + u) / 2, v), (u, v)] for (x, y), (u, v) in ends]

    def tile(self, hop: int, box: Box) -> list[ColoredBox]:
        """The chunk in a hop: a stripe for each rank whose data it has, or one tone."""
        held, rows = self.held[hop], Box(box.x, box.y, TILE - 10, TILE - 10).rows(self.whole)
        whole = len(held) == self.whole
        edge = ColoredBox(box, "complete" if whole else "well", 5, "ink", 4)
        return [edge, *[ColoredBox(rows[rank], f"rank {rank}") for rank in held if not whole]]


@dataclass(frozen=True, eq=False)
class Cables:
    """Two nodes twice: one ring that crosses by one cable, then streams of every GPU.

    ring, own: what leaves the first node; the ring crosses from its last GPU to the first. titles,
    numbers: below one ring, a ring on each GPU, and the algorithm itself. walk: of a chunk in the
    ring. scenes: what each sentence is about. lanes: the names of links inside and between.
    axes: below both, how long it takes and in words, in steps and in seconds.
    """

    gpus: int
    ring: NetworkUse
    own: NetworkUse
    nodes: tuple[str, str]
    titles: tuple[str, str, str]
    numbers: tuple[str, ...]
    walk: Walk
    scenes: tuple[int, ...]
    lanes: tuple[str, str]
    axes: tuple[Sequence[tuple[float, str]], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        scene = self.scenes[item - 1]
        part = MOTION.eased(min(1.0, time / LAST))
        half = 0.47 * room.width
        slid = MOTION.eased(min(1.0, 4 * time)) if scene == INSIDE else float(scene > INSIDE)
        start = room.left + (1 - slid) * (room.width - half) / 2
        low = room.bottom - slid * LANES * (WAITS in self.scenes)
        left = Box.between(start, room.top, start + half, low)
        right = Box.between(room.right - half, room.top, room.right, low)
        if scene == TWICE:
            return self._crossing(left, min(1.0, time / LAST))
        drawing = self._panel(left, int(scene > FLAT), part if scene <= RINGS else 1.0)
        if scene == INSIDE and time > 0.25:
            drawing += self._panel(right, 2, MOTION.eased(min(1.0, max(0.0, 2 * time - 0.6))))
        if scene < WAITS:
            return drawing
        axis, drawing = self.axes[scene - WAITS], Drawing()
        uses = zip((1, 2), (left, right), (self.ring, self.own), axis, strict=True)
        for title, place, use, (long, takes) in uses:
            use = use if scene == TURNS else use.by_steps()
            part = long / max(axis)[0]
            gone = min(1.0, time / LAST / part)
            busy = use.at(gone) if gone < 1 or part == 1 else (False, False)
            drawing += self._panel(place, title, 1.0, busy)
            below = Box.between(place.left, room.bottom - LANES + 20, place.right, room.bottom)
            drawing += self._turns(below, use, gone, part, takes)
        return drawing

    def _turns(self, room: Box, use: NetworkUse, time: float, length: float, takes: str) -> Drawing:
        """A lane for links inside nodes and one for those between: how long each was busy so far.

        length: of all that, as a part of the lane. takes: what it takes, which is there at the end.
        """
        end_label = TextLine(takes, room.right, room.y + 10, 28, "now", "bold", "right")
        boxes, lines = list[ColoredBox](), [end_label] * (time == 1)
        for kind, row in enumerate(room.rows(2)):
            lane = Box.between(row.left + NAMES, row.top + 6, row.right - NAMES, row.bottom - 6)
            boxes.append(ColoredBox(lane, "well", 4))
            lines.append(TextLine(self.lanes[kind], row.left, row.y + 10, 28, KINDS[kind], "bold"))
            begin = 0.0
            for *busy, part in use.busy:
                share = use.kinds[kind] if all(busy) else 1.0
                end = begin + share * (min(begin + part, time) - begin)
                if busy[kind] and end > begin:
                    ends = (lane.left + at * length * lane.width for at in (begin, end))
                    box = Box.between(next(ends), lane.top, next(ends) - SEAM, lane.bottom)
                    boxes.append(ColoredBox(box, KINDS[kind], 4))
                begin += part
        return Drawing(tuple(boxes), (), tuple(lines))

    def _crossing(self, room: Box, time: float) -> Drawing:
        """A chunk on its way round the ring, and how often it has crossed the cable so far."""
        gpus, low = self._seats(room, self.titles[0], self.numbers[0])
        paths = self.walk.paths(gpus)
        lasts = [SLOW if path[0][0] != path[-1][0] else 1.0 for path in paths]
        gone = np.cumsum([0.0, *lasts])
        hop = min(int(np.searchsorted(gone, time * gone[-1], "right")), len(paths)) - 1
        way = float(min(1.0, (time * gone[-1] - gone[hop]) / lasts[hop]))
        cable = self.gpus - 1, self.gpus
        count = self.walk.hops[:hop].count(cable) + (self.walk.hops[hop] == cable and way > 0.5)
        at = np.linspace(0, 1, PIECES + 1)
        x, y = (float(np.interp(way, at, axis)) for axis in sampled(paths[hop]).T)
        boxes = self.walk.tile(hop, Box(x, y, TILE, TILE))
        text = TextLine(f"{count} ×", room.x, low - 24, 60, "now", "bold", "center")
        drawing = self._panel(room, 0, 0.0)
        cables = (path for path in paths if path[0][0] != path[-1][0])
        boxes[:0] = [  # dots along cables, behind the chunk
            ColoredBox(Box(place[0], place[1], DOT, DOT), "faint", DOT / 2)
            for cable in cables
            for place in sampled(cable)
        ]
        return drawing + Drawing(tuple(boxes), (), (text,) * (count > 0))

    def _seats(self, box: Box, named: str, counted: str) -> tuple[list[list[Box]], float]:
        """The GPUs of both nodes in a panel, and where nodes end above their title."""
        widths = text_width(named, 32, "bold"), text_width(counted, 60, "bold")
        below = 70.0 if sum(widths) + 30 > box.width else 0.0  # then a line for each of both
        high, wide = box.height - 110 - below, 0.26 * box.width
        pitch = (high - 70) / self.gpus
        rows = [box.top + 60 + (k + 0.5) * pitch for k in range(self.gpus)]
        middles = box.left + wide / 2, box.right - wide / 2
        seats = [[Box(x, y, 0.8 * wide, 0.72 * pitch) for y in rows] for x in middles]
        return seats, box.top + high

    def _panel(
        self, box: Box, title: int, part: float, busy: tuple[bool, bool] = (False, True)
    ) -> Drawing:
        """Two nodes, and up to a part of its way what one sends; busy: see `NetworkUse`."""
        rings = self.gpus * (sum(self.ring.cables) // self.gpus,)
        cables = (self.ring.cables, rings, self.own.cables)[title]
        named, counted = self.titles[title], self.numbers[title]
        gpu_boxes, low = self._seats(box, named, counted)
        wide = 0.26 * box.width
        boxes, lines, areas = list[ColoredBox](), list[TextLine](), list[Area]()
        gap = Box.between(box.left + wide + 12, box.top, box.right - wide - 12, low)
        boxes.append(ColoredBox(gap, "now_band", 6))
        lines.append(TextLine(self.lanes[1], gap.x, gap.top + 40, 28, "now", "bold", "center"))
        for number, seats in enumerate(gpu_boxes):
            node = Box(seats[0].x, (box.top + low) / 2, wide, low - box.top)
            boxes.append(ColoredBox(node, "panel", 12, "edge", 3))
            name = TextLine(self.nodes[number], node.x, node.top + 40, 30, "ink", "bold", "center")
            lines.append(name)
            for k, place in enumerate(seats):
                used, at = title or k == (self.gpus - 1, 0)[number], (place.x, place.y + 9)
                edge = "ink" if used else "line"
                boxes.append(ColoredBox(place, KINDS[0] if busy[0] else "well", 6, edge, 2))
                if place.height > 30:
                    tone = "now_ink" if busy[0] else "ink" if used else "faint"
                    lines.append(TextLine(f"GPU {k}", *at, 26, tone, align="center"))
        for k, carried in enumerate(cables):
            if carried and part:
                start, end = gpu_boxes[0][k], gpu_boxes[1][k if title else 0]
                width = max(4.0, THICKEST * carried / max(self.ring.cables))
                band = stream((start.right, start.y), (end.left, end.y), width, part)
                areas.append(band if busy[1] else replace(band, color="line"))
        lines.append(TextLine(named, box.left, low + 62, 32, "ink", "bold"))
        figure = TextLine(counted, box.right, box.bottom - 40, 60, "now", "bold", "right")
        return Drawing(tuple(boxes), (), (*lines, figure)) + Drawing(areas=tuple(areas))


def stream(start: Point, end: Point, width: float, part: float) -> Area:
    """A band that bends from one place to another, as wide as its bytes; part: how far it is."""
    (x, y), (u, v) = start, end
    u, v = x + part * (u - x), y + part * (v - y)
    bend, half = (u - x) / 2, width / 2
    upper = (x, y - half), (x + bend, y - half), (u - bend, v - half), (u, v - half)
    lower = (u, v + half), (u - bend, v + half), (x + bend, y + half), (x, y + half)
    sides = [
        [a, *[(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in (1 / 3, 2 / 3)], b]
        for a, b in ((upper[-1], lower[0]), (lower[-1], upper[0]))
    ]
    return Area((*upper, *sides[0], *lower, *sides[1]), "now", "stream")


def cable_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-reduce in nodes all of whose GPUs cross the network, beside a ring."""
    groups, recording = facts.recording.structure, facts.recording
    if not isinstance(groups, Groups) or recording.nodes > facts.ranks or not facts.even:
        return
    if recording.collective.name != "all_reduce" or isinstance(groups.between, Groups):
        return
    gpus, nodes = len(groups.members[0]), len(groups.members)
    order = [rank for group in groups.members for rank in group]
    if not 2 <= gpus <= MOST_GPUS or nodes < 2 or order != sorted(order):
        return
    flat = record("all_reduce", "ring", ranks=facts.ranks, count=recording.count // gpus * gpus)
    ring, own = crossing(flat, groups.members), crossing(recording, groups.members, facts.seconds)
    if ring is None or own is None or len({*own.cables}) > 1 or sum(own.steps) >= sum(ring.steps):
        return
    share = sum(ring.cables) // gpus
    if own.cables[0] >= share or [*map(bool, ring.cables)] != [False] * (gpus - 1) + [True]:
        return
    carried = max(ring.cables), share, own.cables[0]
    numbers = tuple(size_beside(number, facts.size) for number in carried)
    names = tell("cables_node", number=0), tell("cables_node", number=1)
    titles = tell("cables_flat"), tell("cables_rings", gpus=gpus), tell("cables_own")
    kinds = {FLAT: "flat", TWICE: "twice", RINGS: "rings", INSIDE: "once"}
    if facts.ranks <= 4:  # all chunks but one cross in each lap
        del kinds[TWICE]
    times = [(t, tell.decimal(time_text(t, DIGITS))) for t in facts.timed(flat, recording)]
    ring = replace(ring, kinds=facts.kinds(flat, homes(groups.members)[0])) if times else ring
    if nodes > 2:  # parts of a share go on
        kinds[INSIDE] = "own"
    if all(way[:2] == (True, True) for way in ring.busy) and not any(map(all, own.busy)):
        kinds |= {WAITS: "waits", TURNS: "turns"} if times else {WAITS: "waits"}
    sizes = dict(zip((FLAT, RINGS, INSIDE), numbers, strict=True))
    counts = {"gpus": gpus, "far": sum(own.steps), "steps": len(own.steps), "all": len(ring.steps)}
    sentences = [
        tell(f"cables_say_{kind}", size=sizes.get(scene, ""), part=f"1/{gpus}", **counts)
        for scene, kind in kinds.items()
    ]
    lanes = tell("cables_inside"), tell("cables_network")
    steps = [(len(use.steps), tell.say.plural(len(use.steps), "step")) for use in (ring, own)]
    parts = ring, own, names, titles, numbers, walk_of(WhyFacts(flat), 2 * gpus), (*kinds,), lanes
    picture = Cables(gpus, *parts, (steps, times))
    key = "cables_aside" if nodes == 2 else "cables_aside_two"
    need = len(sentences) - sum(scene >= INSIDE for scene in kinds)
    yield tell.why("cables", sentences, picture, tell(key, nodes=nodes, gpus=gpus), need)


def walk_of(facts: WhyFacts, drawn: int) -> Walk:
    """The way of the chunk that leaves the first rank first, among so many."""
    chunk = first.numbers[0] if (first := facts.sends[0][0]) else 0
    hops = sorted(facts.hops, key=itemgetter(2))
    seen = (hop for hop in hops if chunk in hop[3].numbers and max(hop[:2]) < drawn)
    every = [(hop[:2], dict(hop[3].chunks)[chunk]) for hop in seen]
    hops, held = zip(*every, strict=True)
    return Walk(hops, held, facts.ranks)


def crossing(
    recording: Recording, members: Sequence[tuple[int, ...]], seconds: Sequence[float] = ()
) -> NetworkUse | None:
    """What leaves each node over the network; nothing where nodes differ.

    seconds: of each step; none: all take as long.
    """
    home = homes(members)[0]
    src, dst = recording.counters.links.T
    across, moved = home[src] != home[dst], recording.counters.bytes_by_link
    carried = np.bincount(src[across], moved[across], recording.nodes).astype(int)
    ways = [home[step.src] != home[step.dst] for step in recording.steps]
    parts = seconds or (1.0,) * len(ways)
    kinds = [(not way.all(), bool(way.any()), part) for way, part in zip(ways, parts, strict=True)]
    runs = groupby(kinds, itemgetter(0, 1))
    busy = tuple((*kind, sum(way[2] for way in run) / sum(parts)) for kind, run in runs)
    cables = {tuple(carried[list(group)].tolist()) for group in members}
    steps = tuple(bool(way.any()) for way in ways)
    return NetworkUse(cables.pop(), steps, busy) if len(cables) == 1 else None
