"""A page of what collectives promise: each rank's chunks before and after, data on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, joined
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for
from animations.drawing.pointer import DRAWN, frame
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from collectives.collective import Collective

SETTLED, ARRIVED = 0.2, 0.85  # parts of its time until data leaves, and has arrived
SIZE = 46.0  # pixels of a panel's title
GAP, NAMES, ARROW = 60.0, 130.0, 85.0  # pixels between panels, for names of ranks, for an arrow
Source = tuple[int, int]  # rank, slot


@dataclass(frozen=True)
class Promise:
    """A collective on so many ranks, as many chunks, and a line below its picture.

    of_sums: whether all data that it begins with is already the sum of all ranks'.
    """

    collective: Collective
    ranks: int = 4
    note: str = ""
    of_sums: bool = False

    @cached_property
    def before(self) -> set[Source]:
        """The cells that hold something at first."""
        return {
            (rank, slot)
            for rank, row in enumerate(self.collective.precondition(self.ranks, self.ranks, 0))
            for slot in row.nonzero()[0].tolist()
        }

    @cached_property
    def after(self) -> dict[Source, list[Source]]:
        """The cells that hold something at the end, and whose data; a receive buffer's from 0."""
        n, wanted = self.ranks, self.collective.required
        needed = wanted(n, n, 0) if wanted else None
        held = {}
        for rank, row in enumerate(self.collective.postcondition(n, n, 0)):
            for slot in row.nonzero()[0].tolist():
                if needed is None:
                    origins = [(q, slot) for q in range(n) if (q, slot) in self.before]
                else:
                    span = range(int(needed.first[rank, slot]), int(needed.end[rank, slot]))
                    origins = [(q, int(needed.origin[rank, slot])) for q in span]
                held[rank, slot % n] = origins
        return held

    @cached_property
    def regroups(self) -> bool:
        """Whether data ends in another slot, so that data has its number, and no slot a name."""
        return any(source[1] != at[1] for at, held in self.after.items() for source in held)

    def tones(self, source: Source) -> list[str]:
        """The colors of the stripes of what one rank begins with: ranks'."""
        return [f"rank {rank}" for rank in (range(self.ranks) if self.of_sums else source[:1])]


@dataclass(frozen=True)
class PromisesPage(Headed):
    """Panels that come one after the other.

    comes: of each item its panel, and whether data goes to where it ends, or only waits.
    marks: of each item the rows that light up in turn: a rank, or a rank (-1: each) and a slot.
    """

    promises: tuple[Promise, ...] = ()
    comes: tuple[tuple[int, bool], ...] = ()
    marks: tuple[tuple[tuple[int, ...], ...], ...] = ()

    @property
    def items(self) -> int:
        """How many times a panel comes, or its data goes."""
        return len(self.comes)

    def at(self, item: int, time: float) -> Drawing:
        """The panels that have come, data of the last on its way."""
        layers = [self.head]
        last, moves = self.comes[item - 1] if item else (-1, False)
        wide = self._width(item, time)
        for number in range(last + 1 if wide in (0.0, 1.0) else last):
            now = number == last
            stays = self.comes[item - 1] == self.comes[item - 2] and item > 1
            moved = 1.0 if stays else time
            layers.append(self._panel(number, moved * moves if now else 1.0, now, wide))
        return joined([*layers, self._lit(item, time, wide)])

    def _lit(self, item: int, time: float, wide: float) -> Drawing:
        """Frames round cells that a sentence speaks of, in turn: in the last state there."""
        marks = self.marks[item - 1] if item and self.marks else ()
        if not marks or 0.0 < wide < 1.0:
            return Drawing()
        number, moves = self.comes[item - 1]
        promise, columns = self.promises[number], 1 if wide else len(self.promises)
        grid = self._grids(promise, self._box(number, columns), SIZE, columns == 1)[moves]
        sides, n = list[ColoredBox](), promise.ranks
        for turn, (rank, *slots) in enumerate(marks):
            left, right = (slots or [0])[0], (slots or [n - 1])[0]
            first = _cell(grid, promise, (max(rank, 0), left))
            last = _cell(grid, promise, (rank % n, right))
            around = Box.between(first.left, first.top, last.right, last.bottom)
            sides += frame(around, min(1.0, time / DRAWN * len(marks) - turn))
        return Drawing(tuple(sides))

    def _width(self, item: int, time: float) -> float:
        """How much of the page the first panel has: 1, and 0 once a second one stands beside it."""
        last, before = (self.comes[at - 1][0] if at > 0 else 0 for at in (item, item - 1))
        if not last:
            return 1.0
        return 0.0 if before else 1.0 - MOTION.eased(time / SETTLED)

    def _box(self, number: int, columns: int) -> Box:
        """The place of a panel: all in a row."""
        wide = (RIGHT - LEFT - GAP * (columns - 1)) / columns
        x = LEFT + (wide + GAP) * number + wide / 2
        return Box(x, (TOP + BOTTOM) / 2 + 20, wide, BOTTOM - TOP + 90)

    def _panel(self, number: int, time: float, now: bool, wide: float) -> Drawing:
        """A panel: its name, both states, what is on its way, its note.

        wide: how much it has of a page of its own.
        """
        promise = self.promises[number]
        size, small = SIZE, 0.62 * SIZE
        ways = [
            (place, *self._grids(promise, place, size, columns == 1))
            for columns in (len(self.promises), 1)
            for place in [self._box(number, columns)]
        ]
        box, *grids = (row.toward(whole, wide) for row, whole in zip(*ways, strict=True))
        grids[1] = replace(grids[1], x=ways[0][2].toward(ways[1][2], min(2 * wide, 1.0)).x)
        grids[1] = replace(grids[1], y=ways[0][2].toward(ways[1][2], max(2 * wide - 1, 0.0)).y)
        tone = "now" if now and len(self.promises) > 1 else "ink"
        title = TextLine(promise.collective.title, box.left, box.top + size, size, tone, "bold")
        lines = [title] if time else []  # it names what has gone to where it ends
        named = grids[: 1 if SETTLED < time < ARRIVED else 2]  # no data flies over names
        for grid, word in zip(named, ("before", "after"), strict=False):
            text = self.say(f"course.{word}")
            lines.append(TextLine(text, grid.left, grid.top - 10, small, "faint"))
        if promise.note:
            base = grids[1].bottom + 2.1 * small
            fits = size_for(promise.note, box.width, small, 18, "mono")
            lines.append(TextLine(promise.note, box.left, base, fits, "ink", "mono"))
        names = (name for grid in named for name in self._names(promise, grid))
        parts = [Drawing(lines=tuple(lines)), *names]
        parts += [self._slots(promise, grid) for grid in grids if len(named) > 1]
        parts += [self._arrow(*grids)] if wide in (0.0, 1.0) and len(named) > 1 else []
        wells = [(0, at) for at in self._cells(promise)] + [(1, at) for at in self._cells(promise)]
        empty = tuple(ColoredBox(_cell(grids[side], promise, at), "well", 4) for side, at in wells)
        return joined([*parts, Drawing(boxes=empty), *self._data(promise, grids, time)])

    def _cells(self, promise: Promise) -> Iterator[Source]:
        return ((rank, slot) for rank in range(promise.ranks) for slot in range(promise.ranks))

    def _grids(self, promise: Promise, box: Box, size: float, alone: bool) -> tuple[Box, Box]:
        """Both states: side by side, of several panels one below the other."""
        small = 0.62 * size
        above, below = 1.2 * size + small + 20, (2.7 * small if promise.note else 0)
        top, left = box.top + above, box.left + NAMES
        if alone:
            side = min(box.height - above - below, 0.4 * (box.width - NAMES))
            first = Box(left + side / 2, top + side / 2, side, side)
            return first, replace(first, x=box.right - side / 2)
        wide = min(box.width - NAMES, 460.0)
        high = (box.height - above - below - ARROW) / 2
        first = Box(left + wide / 2, top + high / 2, wide, high)
        return first, replace(first, y=first.y + high + ARROW)

    def _arrow(self, before: Box, after: Box) -> Drawing:
        """From one state to the other."""
        ends = (before.right + 40, before.y), (after.left - 40, after.y)
        if before.x == after.x:
            ends = (before.x, before.bottom + 12), (after.x, after.top - 12)
        return Drawing(strokes=(Stroke(ends, "faint", 8.0, arrow=True),))

    def _names(self, promise: Promise, grid: Box) -> Iterator[Drawing]:
        """The ranks, at the left of a state."""
        size = min(30.0, 0.24 * grid.height / promise.ranks + 10)
        for rank in range(promise.ranks):
            cell = _cell(grid, promise, (rank, 0))
            text = self.say("labels.node", noun=self.noun or self.say.noun("rank"), number=rank)
            line = TextLine(text, cell.left - 16, cell.y + 0.36 * size, size, "ink", align="right")
            yield Drawing(lines=(line,))

    def _slots(self, promise: Promise, grid: Box) -> Drawing:
        """The chunks, below a state, unless data has their numbers."""
        size = min(30.0, 0.24 * grid.height / promise.ranks + 8)
        columns = [_cell(grid, promise, (0, slot)).x for slot in range(promise.ranks)]
        rows = enumerate(() if promise.regroups else columns)
        at = grid.bottom + size, size, "faint"
        return Drawing(lines=tuple(TextLine(f"c{k}", x, *at, align="center") for k, x in rows))

    def _data(self, promise: Promise, grids: Sequence[Box], time: float) -> Iterator[Drawing]:
        """What is there before, and all that goes from there to where it ends."""
        for source in sorted(promise.before):
            yield _filled(_cell(grids[0], promise, source), promise, source, True)
        if time <= SETTLED:
            return
        part = (time - SETTLED) / (ARRIVED - SETTLED)
        turns = sorted({rank for rank, _ in promise.before}, reverse=True)
        for at, origins in sorted(promise.after.items()):
            cell = _cell(grids[1], promise, at)
            for number, source in enumerate(origins):
                begin = _cell(grids[0], promise, source)
                high = cell.height / len(origins)
                end = Box(cell.x, cell.top + high * (number + 0.5), cell.width, high)
                row = sorted(slot for rank, slot in promise.before if rank == source[0])
                lag = 1 - (row.index(source[1]) + 1) / len(row)  # the last of a row goes first
                way = 2 * (part * len(turns) - turns.index(source[0])) - lag  # last rank first
                up = MOTION.eased(2 * way - 0.5)  # rows change between both states
                place = replace(begin.toward(end, MOTION.eased(way)), y=begin.toward(end, up).y)
                yield _filled(place, promise, source, len(origins) == 1)


def _cell(grid: Box, promise: Promise, at: Source) -> Box:
    """A cell: a row is a rank, a column a slot."""
    wide, high = grid.width / promise.ranks, grid.height / promise.ranks
    rank, slot = at
    x, y = grid.left + wide * (slot + 0.5), grid.top + high * (rank + 0.5)
    return Box(x, y, 0.9 * wide, 0.84 * high)


def _filled(box: Box, promise: Promise, source: Source, marked: bool) -> Drawing:
    """Data of one rank in a cell, or in a stripe; a sum is a stripe of each rank."""
    tones = promise.tones(source)
    high = box.height / len(tones)
    stripes = (Box(box.x, box.top + high * (k + 0.5), box.width, high) for k in range(len(tones)))
    filled = tuple(map(ColoredBox, stripes, tones, [min(4.0, high / 4)] * len(tones)))
    size = min(0.55 * box.height, 60.0)
    if not (marked and promise.regroups) or size < 14 or promise.of_sums:
        return Drawing(boxes=filled)
    base = box.y + 0.36 * size
    text = TextLine(str(source[1]), box.x, base, size, "now_ink", align="center")
    return Drawing(boxes=filled, lines=(text,))
