"""Why fewer steps move as many bytes: what a port of the ring sends in turn, it sends at once."""

from __future__ import annotations

from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine

LETTER, TITLE = 36.0, 64.0  # pixels of letters, and of the line of a title
FLIGHT, LAST = 0.3, 0.85  # parts of the sentence: a flight, and until all have landed
WIDEST, FILLED = 96.0, 0.86  # pixels of a piece; the part of its room that it fills


@dataclass(frozen=True, eq=False)
class FoldedSteps:
    """A piece for each step of the ring; below it columns, one for each step, of the same pieces.

    pieces: how many of them each step sends. names: of both ways.
    """

    pieces: tuple[int, ...]
    names: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of its sentence; finished sums are gold."""
        total, tallest = sum(self.pieces), max(self.pieces)
        wide = min(WIDEST, room.width / total)
        high = min(wide, (room.height - 3 * TITLE) / (tallest + 1))
        base = room.bottom - 10
        boxes, dashes = list[ColoredBox](), list[Stroke]()
        goals = [(step, row) for step, count in enumerate(self.pieces) for row in range(count)]
        for number, (step, row) in enumerate(goals):
            start = Box(room.left + (number + 0.5) * wide, room.top + TITLE + high / 2, wide, high)
            x = room.left + (step + 0.5) * room.width / len(self.pieces)
            goal = Box(x, base - (row + 0.5) * high, wide, high)
            begin = (LAST - FLIGHT) * number / total
            way = MOTION.eased(min(1.0, max(0.0, (time - begin) / FLIGHT)))
            at, edge = start.toward(goal, way), Box(start.x, start.y, FILLED * wide, FILLED * high)
            dashes += [Stroke(side, "edge", 2, dashes=(3, 3)) for side in edge.sides]
            tone = "now" if 2 * number >= total else "rank 0"
            boxes.append(ColoredBox(Box(at.x, at.y, FILLED * wide, FILLED * high), tone, 5))
        tops = room.top + 36, room.top + 2 * TITLE + high + 36
        lines = [
            TextLine(name, room.left, y, LETTER, tone, "bold")
            for name, y, tone in zip(self.names, tops, ("ink", "now"), strict=True)
        ]
        return Drawing(tuple(boxes), tuple(dashes), tuple(lines))
