"""Two algorithms on a tree of switches: what crosses the busiest link of each, chunk by chunk."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.stages.tower import Tower
from animations.whys.uplink import Link, Nodes, Uplink

LAST = 0.85  # of a sentence, in which chunks cross
GAP, LANE, COUNT = 60.0, 44.0, 250.0  # pixels: between two trees, of a lane, for its count
ABOVE, BELOW = 64.0, 170.0  # pixels above and below a tree
DOT, PITCH = 24.0, 30.0  # pixels of a chunk, and from one to the next on its way
PASSES = 0.3  # of all of the time, in which a chunk goes its way, at most
NAME, FIGURE, SMALL = 38.0, 48.0, 28.0  # pixels of letters
Way = tuple[list[float], list[float], list[float]]
Tree = tuple[str, Uplink, str, str]  # a name, what crosses, how much that is, and the time


@dataclass(frozen=True, eq=False)
class LoadedTrees:
    """Trees side by side, the busiest link of each lit; as much crosses both in as much time.

    label: of what has crossed.
    """

    trees: tuple[Tree, ...]
    label: str

    def drawn(self, room: Box, time: float) -> Drawing:
        """The picture at a time of its sentence."""
        beside, drawing = room.width > room.height, Drawing()
        x, y = (room.width + GAP) / 2 * beside, (room.height + GAP) / 2 * (not beside)
        for side, tree in zip((-0.5, 0.5), self.trees, strict=True):
            half = Box(room.x + side * x, room.y + side * y, room.width - x, room.height - y)
            drawing += self._tree(half, tree, min(1.0, time / LAST))
        return drawing

    @property
    def _busier(self) -> float:
        """Vectors over the busier of both links."""
        return max(link.vectors for _, link, *_ in self.trees)

    def _tree(self, room: Box, tree: Tree, part: float) -> Drawing:
        """A tree with its ranks, what is on its way, and below it what has crossed."""
        title, link, _, lasts = tree
        scene = Box.between(room.left, room.top + ABOVE, room.right, room.bottom - BELOW)
        seats, ranks = Tower(link.parent).boxes(scene) or {}, link.parent[0]
        passing = min(len(link.chunks) - 1, max(0, int(self._past(link, part))))
        lit, strokes = {*link.chunks[passing][2]}, list[Stroke]()
        boxes = [
            ColoredBox(seat, "panel", 10, f"rank {node}" if node < ranks else "link", 3)
            for node, seat in seats.items()
        ]
        lines = [TextLine(title, room.left, room.top + 34, NAME, "ink", "bold")]
        for node, above in enumerate(link.parent[:-1]):
            seat = seats[node]
            ends, size = ((seat.x, seat.top), (seat.x, seats[above].bottom)), 0.6 * seat.width
            strokes.append(Stroke(ends, *(("now", 12) if lit == {node, above} else ("link", 4))))
            if node < ranks:
                at = seat.x, seat.bottom - 20, min(NAME, size)
                lines.append(TextLine(str(node), *at, f"rank {node}", "bold", "center"))
        if part == 1:
            end = room.right, room.top + 34, FIGURE
            lines.append(TextLine(lasts, *end, "now", "bold", "right"))
        boxes += self._under_way(seats, link, part)
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines)) + self._lane(room, tree, part)

    def _past(self, link: Uplink, part: float) -> float:
        """How many chunks are past the middle of the link, parts of one counted; below 0 before."""
        lead = PASSES * self._busier
        return (part * (self._busier + lead) - lead / 2) / float(link.part)

    def _under_way(self, seats: dict[int, Box], link: Uplink, part: float) -> list[ColoredBox]:
        """Chunks that cross the link, one behind the other, from rank to rank."""
        ways = [_way(seats, nodes, lit) for _, nodes, lit in link.chunks]
        longest = max(gone[-1] - gone[0] for gone, *_ in ways)
        pitch, boxes = max(PITCH, longest * float(link.part) / (PASSES * self._busier)), []
        for number, ((chunk, *_), (gone, *ends)) in enumerate(zip(link.chunks, ways, strict=True)):
            at = pitch * (self._past(link, part) - number - 0.5)
            if gone[0] < at < gone[-1]:
                x, y = (float(np.interp(at, gone, each)) for each in ends)
                boxes.append(ColoredBox(Box(x, y, DOT, DOT), f"rank {chunk}", 4, "ink", 2))
        return boxes

    def _lane(self, room: Box, tree: Tree, part: float) -> Drawing:
        """What has crossed, end to end, and how much of a vector that is."""
        _, link, total, _ = tree
        count = min(len(link.chunks), max(0, int(self._past(link, part) + 1e-9)))
        wide, top = (room.width - COUNT) * float(link.part) / self._busier, room.bottom - 90
        lane = Box.between(room.left, top, room.left + max(1, count) * wide, top + LANE)
        cells = (Box(lane.left + (k + 0.5) * wide, lane.y, wide - 2, LANE) for k in range(count))
        tones = (f"rank {chunk}" for chunk, *_ in link.chunks)
        boxes = tuple(ColoredBox(*cell, 3) for cell in zip(cells, tones, strict=False))
        text = f"{count}/{link.part.denominator}"
        text = f"{text} = {total}" if count == len(link.chunks) else text
        at, sizes = (lane.right + 16, lane.bottom - 6), (FIGURE, SMALL)
        lines = [TextLine(self.label, room.left, top - 16, SMALL, "faint")]
        if count:
            lines.append(line_within(room.right - at[0], sizes, text, *at, "now", "bold"))
        return Drawing(boxes, (), tuple(lines))


def _way(seats: dict[int, Box], nodes: Nodes, lit: Link) -> Way:
    """The way past some nodes: pixels from the middle of the lit link, and where that is."""
    points, middle = list[Point](), 0
    for src, dst in pairwise(nodes):
        x = min(seats[src], seats[dst], key=lambda seat: seat.width).x
        middle = len(points) if (src, dst) == lit else middle
        points += [(x, seats[src].y), (x, seats[dst].y)]
    xs, ys = map(list, zip(*points, strict=True))
    gone = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(xs)) + np.abs(np.diff(ys)))])
    return (gone - (gone[middle] + gone[middle + 1]) / 2).tolist(), xs, ys
