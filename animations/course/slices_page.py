"""A page of a product x A B on GPUs that have a column of A and a row of B each."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from animations.course.headed import LEFT, TOP, Headed
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, TextLine

Matrix = npt.NDArray[np.int_]
CELL, PITCH = 74.0, 84.0  # pixels of a number's square, and from one to the next
DIGIT, NAME = 40.0, 38.0  # pixels of letters
INNER, FACTOR, PART = LEFT + 290, LEFT + 720, LEFT + 1280  # columns: x and h, A and B, products
UPPER, LOWER = TOP + 40, TOP + 330  # rows: x A, and h B
TOTAL = LOWER + 4 * PITCH + 24  # of the sum
TURN = 0.85  # of a sentence: until the last GPU has done its part
NO_GPU, SUM = ("well", "ink"), ("now", "now_ink")  # tones of numbers that no GPU has alone
CORNERS = 0.0, 0.15, 0.6, 0.85, 1.0  # of its way, at which a number that goes to its row turns


@dataclass(frozen=True)
class SlicesPage(Headed):
    """The product in four sentences: x A B, A by columns, B by rows, the sum of the parts.

    of: x, A and B; result: what an all-reduce of the parts has, executed.
    """

    of: tuple[Matrix, Matrix, Matrix] = field(kw_only=True)
    result: Matrix = field(kw_only=True)

    @property
    def items(self) -> int:
        """How many sentences bring something."""
        return 4

    def at(self, item: int, time: float) -> Drawing:
        """What has come; in a sentence one GPU after the other does its part."""
        x, a, b = self.of
        whole = (x[None], INNER, UPPER), (a, FACTOR, UPPER), (b, FACTOR, LOWER)
        drawing, there = self.head, _turns(1, item, time, len(whole))
        for (matrix, left, top), name, come in zip(whole, ("x", "A", "B"), there, strict=True):
            if come:
                drawing += _name(name, (left - 60, top))
                drawing += _cells(matrix, (left, top), *NO_GPU)
        columns, rows, sums = (_turns(step, item, time, len(b)) for step in (2, 3, 4))
        for gpu, (column, row, added) in enumerate(zip(columns, rows, sums[::-1], strict=True)):
            drawing += self._column(gpu, column, row) + self._row(gpu, row, added)
        if any(columns):
            drawing += _name("x A", (PART - 100, UPPER))
        return drawing + self._sum(sums[::-1])

    def _column(self, gpu: int, way: float, row: float) -> Drawing:
        """A GPU's column of A, and its number of x A until that goes to its row."""
        if not way:
            return Drawing()
        x, own, tones = self.of[0], self.of[1][:, gpu], (f"rank {gpu}", "now_ink")
        drawing = _cells(own[:, None], (FACTOR + gpu * PITCH, UPPER), *tones)
        drawing += _name(f"GPU {gpu}", (LEFT, LOWER + gpu * PITCH))
        if way < 1:
            terms = " + ".join(f"{number}·{weight}" for number, weight in zip(x, own, strict=True))
            return drawing + _name(f"{terms} = {x @ own}", (PART, UPPER + 1.4 * PITCH))
        number = _cells(x[None] @ own[:, None], (PART + gpu * PITCH, UPPER), *tones)
        return drawing if row else drawing + number

    def _row(self, gpu: int, way: float, added: float) -> Drawing:
        """A GPU's row of B, its number, which comes to it, and the product until it is added."""
        if not way:
            return Drawing()
        x, a, b = self.of
        top, tones, number = LOWER + gpu * PITCH, (f"rank {gpu}", "now_ink"), x @ a[:, gpu]
        left, beside, gap = PART + gpu * PITCH, INNER + 1.3 * PITCH, LOWER - 1.25 * PITCH
        xs, ys = (left, left, beside, beside, INNER), (UPPER, gap, gap, top, top)
        at = float(np.interp(way, CORNERS, xs)), float(np.interp(way, CORNERS, ys))
        drawing = _cells(b[gpu][None], (FACTOR, top), *tones)
        drawing += _cells(number[None, None], at, *tones)
        if way == 1 and added < 1:
            place = PART, top + added * (TOTAL - top)
            drawing += _cells((number * b[gpu])[None], place, *tones)
        return drawing

    def _sum(self, ways: list[float]) -> Drawing:
        """The sum of the parts that are there."""
        done = [way == 1 for way in ways]
        if not any(done):
            return Drawing()
        x, a, b = self.of
        total = self.result if all(done) else ((x @ a)[:, None] * b)[done].sum(axis=0)
        return _name("all-reduce", (FACTOR, TOTAL)) + _cells(total[None], (PART, TOTAL), *SUM)


def _turns(step: int, item: int, time: float, turns: int) -> list[float]:
    """How far each of those who take turns in a sentence is, in it and after it."""
    now = time * turns / TURN if step == item else turns * float(step < item)
    return [MOTION.eased(min(max(now - turn, 0.0), 1.0)) for turn in range(turns)]


def _name(text: str, at: Point) -> Drawing:
    """A text in the row of a number."""
    return Drawing(lines=(TextLine(text, at[0], at[1] + CELL / 2 + 0.36 * NAME, NAME, "ink"),))


def _cells(matrix: Matrix, at: Point, tone: str, ink: str) -> Drawing:
    """Numbers in squares, from this corner on."""
    drawing = Drawing()
    for (row, column), value in np.ndenumerate(matrix):
        x, y = at[0] + column * PITCH + CELL / 2, at[1] + row * PITCH + CELL / 2
        text = TextLine(f"{value}", x, y + 0.36 * DIGIT, DIGIT, ink, "mono", "center")
        drawing += Drawing((ColoredBox(Box(x, y, CELL, CELL), tone, 8),), (), (text,))
    return drawing
