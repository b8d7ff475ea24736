"""Why a hierarchy: what one cable carries shrinks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np

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
from collectives.units import size_beside

FLAT, RINGS, INSIDE, TURNS = range(1, 5)  # the sentences
THICKEST = 96.0  # pixels of the widest stream
MOST_GPUS = 8  # of a node


@dataclass(frozen=True)
class NetworkUse:
    """What leaves a node over the network: bytes by each of its cables, and in how many steps.

    busy: of steps that are alike, one after another, whether data moves inside nodes, and whether
    it crosses the network.
    """

    cables: tuple[int, ...]
    steps: int
    busy: tuple[tuple[bool, bool], ...]

    def at(self, time: float) -> tuple[bool, bool]:
        """What is busy at a part of the time."""
        return self.busy[min(int(time * len(self.busy)), len(self.busy) - 1)]


@dataclass(frozen=True, eq=False)
class Cables:
    """Two nodes twice: one ring that crosses by one cable, then streams of every GPU.

    ring, own: what leaves the first node; the ring crosses from its last GPU to the first. titles,
    numbers: below one ring, a ring on each GPU, and the algorithm itself.
    """

    gpus: int
    ring: NetworkUse
    own: NetworkUse
    nodes: tuple[str, str]
    network: str
    titles: tuple[str, str, str]
    numbers: tuple[str, ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = MOTION.eased(min(1.0, time / 0.8))
        half = 0.47 * room.width
        slid = MOTION.eased(min(1.0, 4 * time)) if item == INSIDE else float(item == TURNS)
        start = room.left + (1 - slid) * (room.width - half) / 2
        left = Box.between(start, room.top, start + half, room.bottom)
        right = Box.between(room.right - half, room.top, room.right, room.bottom)
        busy = [use.at(time) if item == TURNS else (False, True) for use in (self.ring, self.own)]
        drawing = self._panel(left, min(item, RINGS) - 1, part if item <= RINGS else 1.0, busy[0])
        if item == TURNS or (item == INSIDE and time > 0.25):
            grown = MOTION.eased(min(1.0, max(0.0, 2 * time - 0.6))) if item == INSIDE else 1.0
            drawing += self._panel(right, 2, grown, busy[1])
        return drawing

    def _panel(self, box: Box, title: int, part: float, busy: tuple[bool, bool]) -> Drawing:
        """Two nodes with what one sends to the other; busy: see `NetworkUse`."""
        rings = self.gpus * (sum(self.ring.cables) // self.gpus,)
        cables = (self.ring.cables, rings, self.own.cables)[title]
        named, counted = self.titles[title], self.numbers[title]
        widths = text_width(named, 32, "bold"), text_width(counted, 60, "bold")
        below = 70.0 if sum(widths) + 30 > box.width else 0.0  # then a line for each of both
        high, wide = box.height - 110 - below, 0.26 * box.width
        nodes = [
            Box.between(x, box.top, x + wide, box.top + high) for x in (box.left, box.right - wide)
        ]
        boxes, lines, areas = list[ColoredBox](), list[TextLine](), list[Area]()
        gap = Box.between(nodes[0].right + 12, box.top, nodes[1].left - 12, box.top + high)
        boxes.append(ColoredBox(gap, "now_band", 6))
        lines.append(TextLine(self.network, gap.x, gap.top + 40, 28, "now", "bold", "center"))
        pitch = (high - 70) / self.gpus
        rows = [box.top + 60 + (k + 0.5) * pitch for k in range(self.gpus)]
        gpu_boxes = [[Box(node.x, y, 0.8 * wide, 0.72 * pitch) for y in rows] for node in nodes]
        for number, node in enumerate(nodes):
            name, at, tone = self.nodes[number], (node.x, node.top + 40), f"rank {number}"
            boxes.append(ColoredBox(node, "panel", 12, tone, 3))
            lines.append(TextLine(name, *at, 30, tone, "bold", "center"))
            for k, place in enumerate(gpu_boxes[number]):
                used, at = title or k == (self.gpus - 1, 0)[number], (place.x, place.y + 9)
                edge = "ink" if used else "line"
                boxes.append(ColoredBox(place, "now" if busy[0] else "well", 6, edge, 2))
                if place.height > 30:
                    tone = "now_ink" if busy[0] else "ink" if used else "faint"
                    lines.append(TextLine(f"GPU {k}", *at, 26, tone, align="center"))
        for k, carried in enumerate(cables):
            if carried:
                start, end = gpu_boxes[0][k], gpu_boxes[1][k if title else 0]
                width = max(4.0, THICKEST * carried / max(self.ring.cables))
                band = stream((start.right, start.y), (end.left, end.y), width, part)
                areas.append(band if busy[1] else replace(band, color="line"))
        base = box.top + high + 62
        lines.append(TextLine(named, box.left, base, 32, "ink", "bold"))
        figure = TextLine(counted, box.right, base + 8 + below, 60, "now", "bold", "right")
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
    ring, own = crossing(flat, groups.members), crossing(recording, groups.members)
    if ring is None or own is None or len({*own.cables}) > 1 or own.steps >= ring.steps:
        return
    share = sum(ring.cables) // gpus
    if own.cables[0] >= share or [*map(bool, ring.cables)] != [False] * (gpus - 1) + [True]:
        return
    carried = max(ring.cables), share, own.cables[0]
    numbers = tuple(size_beside(number, facts.size) for number in carried)
    names = tell("cables_node", number=0), tell("cables_node", number=1)
    titles = tell("cables_flat"), tell("cables_rings", gpus=gpus), tell("cables_own")
    picture = Cables(gpus, ring, own, names, tell("cables_network"), titles, numbers)
    crossed = "twice" if facts.ranks > 4 else "rings"  # all chunks but one in each lap
    kinds = "flat", crossed, "once" if nodes == 2 else "own"  # of more, parts of a share go on
    pairs = zip(kinds, numbers, strict=True)
    sentences = [tell(f"cables_say_{k}", size=s, gpus=gpus, part=f"1/{gpus}") for k, s in pairs]
    if all(map(all, ring.busy)) and not any(map(all, own.busy)):
        sentences.append(tell("cables_say_turns", gpus=gpus))
    key = "cables_aside" if nodes == 2 else "cables_aside_two"
    yield tell.why("cables", sentences, picture, tell(key, nodes=nodes, gpus=gpus), RINGS)


def crossing(recording: Recording, members: Sequence[tuple[int, ...]]) -> NetworkUse | None:
    """What leaves each node over the network; nothing where nodes differ."""
    home = homes(members)[0]
    src, dst = recording.counters.links.T
    across, moved = home[src] != home[dst], recording.counters.bytes_by_link
    carried = np.bincount(src[across], moved[across], recording.nodes).astype(int)
    ways = [home[step.src] != home[step.dst] for step in recording.steps]
    busy = tuple(kind for kind, _ in groupby((not way.all(), bool(way.any())) for way in ways))
    cables = {tuple(carried[list(group)].tolist()) for group in members}
    steps = int(np.sum([way.any() for way in ways]))
    return NetworkUse(cables.pop(), steps, busy) if len(cables) == 1 else None
