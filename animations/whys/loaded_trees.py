"""Two algorithms on a tree of switches: what crosses the busiest link of each, chunk by chunk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.stages.tower import Tower
from animations.whys.uplink import Uplink

LAST, FILLED = 0.85, 0.8  # of a sentence, in which chunks cross; of a lane, the longest
GAP, LANE, COUNT = 60.0, 44.0, 250.0  # pixels: between two trees, of a lane, for its count
ABOVE, BELOW = 64.0, 170.0  # pixels above and below a tree
DOT, PITCH = 24.0, 30.0  # pixels of a chunk, and from one to the next on its way
PASSES = 0.3  # of all of the time, in which a chunk goes its way, at most
NAME, FIGURE, SMALL = 38.0, 48.0, 28.0  # pixels of letters


@dataclass(frozen=True)
class LoadedTree:
    """An algorithm on the tree: its name, what crosses, how much that is, and its time in words."""

    name: str
    uplink: Uplink
    total: str
    time: str


@dataclass(frozen=True, eq=False)
class LoadedTrees:
    """Trees side by side, the busiest link of each lit; as much crosses both in as much time.

    label: of what has crossed.
    """

    trees: tuple[LoadedTree, ...]
    label: str

    def drawn(self, room: Box, time: float) -> Drawing:
        """The picture at a time of its sentence."""
        beside, drawing = room.width > room.height, Drawing()
        x, y = (room.width + GAP) / 2 * beside, (room.height + GAP) / 2 * (not beside)
        for side, tree in zip((-0.5, 0.5), self.trees, strict=True):
            place = Box(room.x + side * x, room.y + side * y, room.width - x, room.height - y)
            drawing += self._tree(place, tree, min(1.0, time / LAST))
        return drawing

    @property
    def _busier(self) -> float:
        """Vectors over the busier of both links."""
        return max(tree.uplink.vectors for tree in self.trees)

    def _tree(self, room: Box, tree: LoadedTree, part: float) -> Drawing:
        """A tree with its ranks, what is on its way, and below it what has crossed."""
        link = tree.uplink
        tower, scene = (
            Tower(link.parent),
            Box.between(room.left, room.top + ABOVE, room.right, room.bottom - BELOW),
        )
        seats = tower.boxes(scene) or {}
        ranks = [node for node in seats if not tower.below[node]]
        passing = min(len(link.chunks) - 1, max(0, int(self._past(link, part))))
        now = {*link.chunks[passing].link}
        boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        for node, above in enumerate(link.parent):
            if above >= 0:
                ends = (seats[node].x, seats[node].top), (seats[node].x, seats[above].bottom)
                lit = {node, above} == now
                strokes.append(Stroke(ends, *(("now", 12) if lit else ("link", 4))))
        for node, seat in seats.items():
            tone = f"rank {node}" if node in ranks else "link"
            boxes.append(ColoredBox(seat, "panel", 10, tone, 3))
            if node in ranks:
                size = min(NAME, 0.6 * seat.width)
                at = seat.x, seat.bottom - 0.6 * size, size
                lines.append(TextLine(str(node), *at, tone, "bold", "center"))
        lines.append(TextLine(tree.name, room.left, room.top + 34, NAME, "ink", "bold"))
        if part == 1:
            end = room.right, room.top + 34, FIGURE
            lines.append(TextLine(tree.time, *end, "now", "bold", "right"))
        boxes += self._under_way(seats, link, part)
        crossed = self._lane(room, tree, part)
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines)) + crossed

    def _past(self, link: Uplink, part: float) -> float:
        """How many chunks are past the middle of the link, parts of one counted; below 0 before."""
        lead = PASSES * self._busier
        return (part * (self._busier + lead) - lead / 2) / float(link.part)

    def _under_way(self, seats: dict[int, Box], link: Uplink, part: float) -> list[ColoredBox]:
        """Chunks that cross the link, one behind the other, from rank to rank."""
        ways = [_way(seats, crossing.nodes, crossing.link) for crossing in link.chunks]
        longest = max(way[0][-1] - way[0][0] for way in ways)
        pitch = max(PITCH, longest * float(link.part) / (PASSES * self._busier))
        boxes = []
        for number, (crossing, (gone, xs, ys)) in enumerate(zip(link.chunks, ways, strict=True)):
            at = pitch * (self._past(link, part) - number - 0.5)
            if gone[0] < at < gone[-1]:
                place = Box(
                    float(np.interp(at, gone, xs)), float(np.interp(at, gone, ys)), DOT, DOT
                )
                boxes.append(ColoredBox(place, f"rank {crossing.chunk}", 4, "ink", 2))
        return boxes

    def _lane(self, room: Box, tree: LoadedTree, part: float) -> Drawing:
        """What has crossed, end to end, and how much of a vector that is."""
        link = tree.uplink
        count = min(len(link.chunks), max(0, int(self._past(link, part) + 1e-9)))
        wide = (room.width - COUNT) * float(link.part) / self._busier
        top = room.bottom - BELOW + 80
        boxes = [
            ColoredBox(
                Box.between(room.left + k * wide, top, room.left + (k + 1) * wide - 2, top + LANE),
                f"rank {crossing.chunk}",
                3,
            )
            for k, crossing in enumerate(link.chunks[:count])
        ]
        text = f"{count}/{link.part.denominator}"
        text = f"{text} = {tree.total}" if count == len(link.chunks) else text
        at = room.left + count * wide + 16, top + LANE - 6
        lines = [TextLine(self.label, room.left, top - 16, SMALL, "faint")]
        if count:
            lines.append(line_within(room.right - at[0], (FIGURE, SMALL), text, *at, "now", "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))


def _way(
    seats: dict[int, Box], nodes: tuple[int, ...], lit: tuple[int, int]
) -> tuple[list[float], list[float], list[float]]:
    """The way past some nodes: pixels from the middle of the lit link, and where that is."""
    points, middle = list[Point](), 0
    for src, dst in pairwise(nodes):
        x = min(seats[src], seats[dst], key=lambda seat: seat.width).x
        middle = len(points) if (src, dst) == lit else middle
        points += [(x, seats[src].y), (x, seats[dst].y)]
    xs, ys = map(list, zip(*points, strict=True))
    steps = np.abs(np.diff(xs)) + np.abs(np.diff(ys))
    gone = np.concatenate([[0.0], np.cumsum(steps)])
    gone -= (gone[middle] + gone[middle + 1]) / 2
    return gone.tolist(), xs, ys
