"""A page of f(x A) B on GPUs that have a column of A and a row of B each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from animations.course.headed import LEFT, TOP, Headed
from animations.course.training_numbers import bent
from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, TextLine

Matrix = npt.NDArray[np.int_]
CELL, PITCH = 74.0, 84.0  # pixels of a number's square, and from one to the next
DIGIT, NAME = 40.0, 38.0  # pixels of letters
INNER, FACTOR, PART = LEFT + 290, LEFT + 720, LEFT + 1280  # columns: x and h, A and B, products
UPPER, LOWER = TOP + 40, TOP + 330  # rows: x A with f(x A) below, and h B
TOTAL = LOWER + 4 * PITCH + 24  # of the sum
TURN, SUMMED = 0.6, 0.75  # of a sentence: until the last GPU has done its part, has the sum
NO_GPU, SUM = ("well", "ink"), ("now", "now_ink")  # tones of numbers that no GPU has alone
CORNERS = 0.0, 0.15, 0.6, 0.85, 1.0  # of its way, at which a number that goes to its row turns


@dataclass(frozen=True)
class SlicesPage(Headed):
    """f(x A) B in five sentences: it, A by columns, f, B by rows, the sum of the parts.

    f makes negative numbers 0. Of a sum it is not the sum of what it makes of the parts.

    of: x, A and B; result: what an all-reduce of the parts has, executed.
    """

    of: tuple[Matrix, Matrix, Matrix] = field(kw_only=True)
    result: Matrix = field(kw_only=True)

    items = 5  # sentences that bring something

    def at(self, item: int, time: float) -> Drawing:
        """What has come; in a sentence one GPU after the other does its part."""
        x, a, b = self.of
        there, *gpus = (_turns(step, item, time, len(b)) for step in range(1, 6))
        whole = ("x", x[None], INNER, UPPER), ("A", a, FACTOR, UPPER), ("B", b, FACTOR, LOWER)
        drawing, wide = self.head, (len(b) - 1) * PITCH + CELL
        for (name, matrix, left, top), come in zip(whole, there, strict=False):
            if come:
                drawing += _name(name, left - 60, top) + _cells(matrix, (left, top), *NO_GPU)
        for name, turns, top in zip(("x A", "f(x A)"), gpus, (UPPER, UPPER + PITCH), strict=False):
            if any(turns):
                drawing += _name(name, PART - 150, top)
        done = [way == 1 for way in gpus[-1]]
        got = all(done) * int(max(0.0, time - TURN) / (SUMMED - TURN) * len(b))  # so many GPUs
        for gpu, (column, f, row, added) in enumerate(zip(*gpus, strict=True)):
            for matrix, place in self._part(gpu, column, f, row, gpu < got):
                drawing += _cells(matrix, place, f"rank {gpu}", "now_ink")
            if 0 < added < 1:  # its row is being added
                body = Box(PART + wide / 2, LOWER + gpu * PITCH + CELL / 2, wide, CELL)
                drawing += Drawing((ColoredBox(body, "", 8, "ink", 6),))
            drawing += _name(f"GPU {gpu}", LEFT, LOWER + gpu * PITCH)
            if text := self._reason(gpu, column, f * (item == 3)):
                drawing += _name(text, PART - 150, UPPER + 2 * PITCH)
        if any(done):
            total = self.result if all(done) else (bent(x @ a)[:, None] * b)[done].sum(axis=0)
            tops = [LOWER + row * PITCH for row in range(min(got, len(b)))]
            drawing += _name("all-reduce", FACTOR, TOTAL)
            for top in (*tops, *(TOTAL,) * (got < len(b))):
                drawing += _cells(total[None], (PART, top), *SUM)
        return drawing

    def _reason(self, gpu: int, column: float, f: float) -> str:
        """How its number is computed, and where f of a sum is not the sum of f of its parts."""
        x, a, _ = self.of
        parts, factors = x * a[:, gpu], zip(a[:, gpu], x, strict=True)
        if 0 < column < 1:
            own = " + ".join(f"{p}·{q}" for p, q in factors).replace("+ -", "- ")
            return f"{own} = {parts.sum()}"
        own = " + ".join(f"f({part})" for part in parts) + f" ≠ f({parts.sum()})"
        return own if f and bent(parts.sum()) != bent(parts).sum() else ""

    def _part(self, gpu: int, *ways: float) -> Iterator[tuple[Matrix, Point]]:
        """What a GPU has, and where: its column, its number before and after f, its row, both.

        The sum takes the place of the product of both.
        """
        (x, a, b), (column, f, row, summed) = self.of, ways
        number, top, left = x[None] @ a[:, gpu, None], LOWER + gpu * PITCH, PART + gpu * PITCH
        beside, gap, below = INNER + 1.3 * PITCH, LOWER - 1.25 * PITCH, UPPER + PITCH
        xs, ys = (left, left, beside, beside, INNER), (below, gap, gap, top, top)
        if column:
            yield a[:, gpu, None], (FACTOR + gpu * PITCH, UPPER)
        if column == 1:
            yield number, (left, UPPER)
        if f == 1:
            for way in {0.0, row}:  # it stays in f(x A), too
                place = float(np.interp(way, CORNERS, xs)), float(np.interp(way, CORNERS, ys))
                yield bent(number), place
        if row:
            yield b[gpu][None], (FACTOR, top)
        if row == 1 and not summed:
            yield bent(number) * b[gpu], (PART, top)


def _turns(step: int, item: int, time: float, turns: int) -> list[float]:
    """How far each of those who take turns in a sentence is, in it and after it."""
    now = time * turns / TURN if step == item else turns * float(step < item)
    return [MOTION.eased(min(max(now - turn, 0.0), 1.0)) for turn in range(turns)]


def _name(text: str, x: float, y: float) -> Drawing:
    """A text in the row of a number."""
    return Drawing(lines=(TextLine(text, x, y + CELL / 2 + 0.36 * NAME, NAME, "ink"),))


def _cells(matrix: Matrix, at: Point, tone: str, ink: str) -> Drawing:
    """Numbers in squares, from this corner on."""
    drawing = Drawing()
    for (row, column), value in np.ndenumerate(matrix):
        x, y = at[0] + column * PITCH + CELL / 2, at[1] + row * PITCH + CELL / 2
        text = TextLine(f"{value}", x, y + 0.36 * DIGIT, DIGIT, ink, "mono", "center")
        drawing += Drawing((ColoredBox(Box(x, y, CELL, CELL), tone, 8),), (), (text,))
    return drawing
