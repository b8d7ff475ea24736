"""A page of lines of a program's output or a table, in which what is spoken of is marked."""

from __future__ import annotations

from dataclasses import dataclass

from animations.course.page import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.film.glyphs import text_width
from animations.score.page import Drawing
from animations.story.drawing import Box, ColoredBox, TextLine

LARGEST, SMALLEST = 54.0, 20.0  # pixels of the letters
PITCHES = 1.5, 2.6  # letters from row to row: at least, and where there is room


@dataclass(frozen=True)
class Marked:
    """Columns `first` to `last` (in letters, the last one left out) of a row, from 0."""

    row: int
    first: int = 0
    last: int = 1 << 10


@dataclass(frozen=True)
class TablePage(Headed):
    """Rows in letters of one width; with each item its marks are shown, and those before go."""

    rows: tuple[str, ...] = ()
    marks: tuple[tuple[Marked, ...], ...] = ()

    @property
    def items(self) -> int:
        """How many times the marks change."""
        return len(self.marks)

    @property
    def _size(self) -> float:
        longest = max(len(row) for row in self.rows)
        fits = (RIGHT - LEFT - 40) / (longest * text_width("0", 1, "mono"))
        return min(LARGEST, fits, (BOTTOM - TOP - 40) / (PITCHES[0] * len(self.rows)))

    def at(self, item: int, time: float) -> Drawing:
        """All rows, with the marks of this item."""
        size = self._size
        letter = text_width("0", size, "mono")
        pitch = min(PITCHES[1] * size, (BOTTOM - TOP - 40) / len(self.rows))
        panel_height = pitch * len(self.rows) + 50
        panel = Box((LEFT + RIGHT) / 2, TOP + panel_height / 2, RIGHT - LEFT, panel_height)
        boxes = [ColoredBox(panel, "panel", 14)]
        lit = set()
        for mark in self.marks[item - 1] if item else ():
            row = self.rows[mark.row]
            last = min(mark.last, len(row))
            left, wide = LEFT + 20 + letter * mark.first, letter * (last - mark.first)
            y = TOP + 25 + pitch * (mark.row + 0.5)
            boxes.append(ColoredBox(Box(left + wide / 2, y, wide + 12, pitch), "now_band", 6))
            lit.add(mark.row)
        lines = tuple(
            TextLine(
                row,
                LEFT + 20,
                TOP + 25 + pitch * (number + 0.5) + 0.36 * size,
                size,
                "ink" if number in lit or not item else "faint",
                "mono",
            )
            for number, row in enumerate(self.rows)
        )
        return joined([self.head, Drawing(tuple(boxes), (), lines)])
