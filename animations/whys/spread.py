"""Whose data is where after each step, row below row: how it doubles, and in how many steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.counted import Flying, counted_formula

MOST_DRAWN = 16  # ranks of which each has a column
BAND = 130.0  # pixels of the band in which the formula stands
BESIDE, ABOVE = 220.0, 44.0  # pixels for the counts, and for the names of ranks
GAP, NAME, FURTHER, COUNT = 60.0, 28.0, 34.0, 56.0  # pixels between two ways, and of letters
VALUE, SMALLEST = 40.0, 24.0  # pixels of a number in a cell, at most and at least
LAST = 0.75  # of a sentence, in which steps come
TURN = 0.3  # of the last one, until further steps come


@dataclass(frozen=True)
class StepsReached:
    """What comes with a sentence: steps up to a number, and then a term of the formula.

    text: the number that becomes the term.
    """

    steps: int
    term: int = 0
    text: str = ""


@dataclass(frozen=True, eq=False)
class Spread:
    """Rows of cells, one for each state, with lines of what is sent between them.

    order: the ranks from left to right. held: by state and rank whose data it has, nothing where
    that matters no more. moves: by step from which rank to which. counts: what grows, by state.
    flows: the stripes of a cell fill it where there is one source. source: the formula.
    obvious: rows of the obvious way, whose sentences come first. counted: by state the number that
    the formula counts, if that is not the number of steps. values: by state and rank the number
    that stands in its cell, beside the stripes. marked: what comes again in some sentences: by step
    from which rank to which, or what stands idle if both are the same, and its tone. marks: these.
    idle: by state what stands in these instead of the counts. onward: with the last sentence the
    ranks that further steps reach, and the number of the formula then.
    """

    order: tuple[int, ...]
    held: tuple[tuple[tuple[int, ...], ...], ...]
    moves: tuple[tuple[tuple[int, int], ...], ...]
    counts: tuple[str, ...]
    one_source: bool
    source: str
    reaches: tuple[StepsReached, ...]
    obvious: Spread | None = None
    counted: tuple[int, ...] = ()
    values: tuple[tuple[str, ...], ...] = ()
    marked: tuple[tuple[int, int, int, str], ...] = ()
    marks: tuple[int, ...] = ()
    idle: tuple[str, ...] = ()
    onward: tuple[tuple[str, int], ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence: first of the obvious way, then of both."""
        if self.obvious is None:
            return self._alone(room, item, time)
        before = len(self.obvious.reaches)
        if item <= before:
            return self.obvious.drawn(room, item, time)
        if type(self.obvious) is not type(self):  # it takes the place of what looks different
            return self._alone(room, item - before, time)
        beside = room.width > room.height
        x, y = (room.width + GAP) / 2 * beside, (room.height + GAP) / 2 * (not beside)
        high, wide = room.height - y, room.width - x
        left, right = (Box(room.x + k * x, room.y + k * y, wide, high) for k in (-0.5, 0.5))
        return self.obvious.drawn(left, before, 1.0) + self._alone(right, item - before, time)

    def _alone(self, room: Box, item: int, time: float) -> Drawing:
        before = self.reaches[item - 2].steps if item > 1 else 0
        goal = self.reaches[item - 1].steps
        part = min(1.0, time / LAST) if goal > before else 1.0
        at = before + part * (goal - before)
        drawing = self.rows(room, int(at + 1e-9), item in self.marks)
        if at > int(at + 1e-9):
            drawing += self.coming(room, int(at), MOTION.eased(at - int(at)))
        if item in self.marks:
            drawing += self._marks(room, len(self.marked) * min(1.0, time / LAST))
        return drawing + self._formula(room, item, time, int(at + 1e-9))

    def _marks(self, room: Box, at: float) -> Drawing:
        """As many of the marks, one after another: the edge of a cell, and a line from there.

        Those of what is wrong go when one of what is right comes.
        """
        drawing, come = Drawing(), self.marked[: int(at + 0.999)]
        come = tuple(m for m in come if m[3] != "wrong" or come[-1][3] != "now")
        for number, (step, src, dst, tone) in enumerate(come):
            cell = ColoredBox(self.cell(room, step, src), "", 5, tone, 5)
            way = self._line(room, (step, src, dst, tone), MOTION.eased(min(1.0, at - number)), 10)
            drawing += Drawing((cell,), (way,) * (src != dst))
        return drawing

    def cell(self, room: Box, state: int, rank: int) -> Box:
        """The cell of a rank in a state."""
        rows, columns = len(self.held), len(self.order)
        wide = (room.width - BESIDE) / columns
        pitch = (room.height - BAND - ABOVE) / rows
        high = min(0.6 * pitch, 110.0)
        x = room.left + (self.order.index(rank) + 0.5) * wide
        return Box(x, room.top + ABOVE + 10 + state * pitch + high / 2, 0.8 * wide, high)

    def stripe(self, cell: Box, part: int) -> Box:
        """Where a part stands in a cell: below the one before, or in a wide cell beside it."""
        count, place = (1, 0) if self.one_source else (len(self.order), part)
        wide, high = cell.width / count, cell.height / count
        if cell.width > cell.height and count > 1:
            return Box(cell.left + (place + 0.5) * wide, cell.y, max(wide - 2, 1), cell.height)
        return Box(cell.x, cell.top + (place + 0.5) * high, cell.width, max(high - 1, 1))

    def rows(self, room: Box, steps: int, marked: bool) -> Drawing:
        """The rows up to a step; marked: with what is counted of the marks."""
        return _rows(self, room, steps, (marked and self.idle) or self.counts)

    def coming(self, room: Box, step: int, part: float) -> Drawing:
        """What is on its way in a step: a line from each cell to one of the next row."""
        pairs = self.moves[step]
        ways = [self._line(room, (step, src, dst, f"rank {src}"), part, 5) for src, dst in pairs]
        return Drawing(strokes=tuple(ways))

    def _line(self, room: Box, way: tuple[int, int, int, str], part: float, width: int) -> Stroke:
        """A part of the line of a step from a rank to another, in a tone."""
        (x, y), (u, v) = self.ends(room, *way[:3])
        return Stroke(((x, y), (x + part * (u - x), y + part * (v - y))), way[3], width)

    def ends(self, room: Box, step: int, src: int, dst: int) -> tuple[Point, Point]:
        """Where a line begins and ends."""
        a, b = self.cell(room, step, src), self.cell(room, step + 1, dst)
        return (a.x, a.bottom), (b.x, b.top)

    def _formula(self, room: Box, item: int, time: float, steps: int) -> Drawing:
        """How many steps were taken; the formula that they become, lit once it is counted."""
        if not self.source:
            return Drawing()
        terms = [reach.term for reach in self.reaches[:item] if reach.term]
        own = self.reaches[item - 1].term
        y, every = room.bottom - BAND / 2 + 24, [reach.term for reach in self.reaches if reach.term]
        more = self.onward if item == len(self.reaches) else ()
        more = more[: int(max(0.0, time - TURN) / (LAST - TURN) * len(more))]
        count = more[-1][1] if more else self.counted[steps] if self.counted else steps
        flying = Flying(str(count), own, time / (TURN if self.onward else LAST)) if own else None
        text, top = "   ".join(ranks for ranks, _ in more), room.bottom - BAND
        onward = Drawing(lines=(TextLine(text, room.left, top + FURTHER, FURTHER, "now", "bold"),))
        return onward + counted_formula(room.x, y, count, self.source, terms, every, flying)


@lru_cache(maxsize=64)
def _rows(spread: Spread, room: Box, steps: int, counts: tuple[str, ...]) -> Drawing:
    """The rows of all states up to a step, the lines between them, and the counts."""
    boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
    stripes, count = list[tuple[str, Box]](), len(spread.order)
    for rank in spread.order:
        top = spread.cell(room, 0, rank)
        if top.width > 1.5 * NAME or not rank % 2:
            name = TextLine(str(rank), top.x, top.top - 14, NAME, f"rank {rank}", "bold", "center")
            lines.append(name)
    for state in range(len(spread.held)):
        for rank in spread.order:
            box = spread.cell(room, state, rank)
            held = spread.held[state][rank] if state <= steps else ()
            full = len(held) == count or (spread.one_source and held)
            boxes.append(ColoredBox(box, "well", 5, "now" if full else "edge", 2))
            inner = Box(box.x, box.y, box.width - 8, box.height - 8)
            size = min(VALUE, 0.4 * box.width, 0.9 * box.height)
            if spread.values and state <= steps and size >= SMALLEST:
                at = box.right - 0.3 * box.width, box.y + 0.36 * size, size
                lines.append(TextLine(spread.values[state][rank], *at, "ink", "bold", "center"))
                inner = Box.between(inner.left, inner.top, box.x - 0.12 * box.width, inner.bottom)
            stripes += [(f"rank {part}", spread.stripe(inner, part)) for part in held]
        if state <= steps and state < len(counts):
            end, text = spread.cell(room, state, spread.order[-1]), counts[state]
            x, tone = room.right - BESIDE / 2 + 20, "now" if state == steps else "ink"
            size = min(COUNT, 1.25 * end.height, 400 / max(1, len(text)))
            lines.append(TextLine(text, x, end.y + 0.36 * size, size, tone, "bold", "center"))
        if state < steps:
            for src, dst in spread.moves[state]:
                ends = spread.ends(room, state, src, dst)
                strokes.append(Stroke(ends, f"rank {src}", 3.5, arrow=True))
    stripes.sort(key=lambda pair: pair[0])
    boxes += [ColoredBox(box, tone) for tone, box in stripes]
    return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def factor_of(counts: Sequence[int], end: int) -> int:
    """By how much each of these numbers is the one before, until the end is reached; else 0.

    >>> factor_of([1, 2, 4, 6], 6), factor_of([1, 3, 9], 9), factor_of([1, 2, 3, 4], 4)
    (2, 3, 0)
    """
    if len(counts) < 3 or counts[0] != 1 or counts[-1] != end:
        return 0
    factor = counts[1]
    return factor * all(b == min(factor * a, end) and b > a for a, b in pairwise(counts))
