"""Why nobody sends less in an all-reduce: for each chunk all pieces but one go out, and sums in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import Area, Box, ColoredBox, Point, Stroke, TextLine

LOOK, OUT, IN, ALL = range(1, 5)  # the sentences
LEAVES = 1.5  # times that the hand would leave all rows in a sentence
LEGIBLE = 27.0  # pixels of letters, from which on they are shown
FINGERS = (0.62, 0.92, 1.0, 0.8)  # of the length of the longest
CIRCLE = 0.5523  # of its radius: handles of a quarter of a circle


@dataclass(frozen=True, eq=False)
class BoundTables:
    """Two tables of rank × chunk: the pieces that must go out, and the sums that must come in.

    summed: by chunk the rank on which its sum is complete first: what is not sent. texts: above the
    tables, and below them for a covered row.
    """

    names: tuple[str, ...]
    summed: tuple[int, ...]
    out: str
    back: str
    total: str
    dashed: str

    @property
    def ranks(self) -> int:
        """How many ranks there are, and chunks."""
        return len(self.names)

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        sent = {LOOK: 0.0, OUT: time}.get(item, 1.0)
        got = {LOOK: 0.0, OUT: 0.0, IN: time}.get(item, 1.0)
        cover = {LOOK: min(1.0, 2 * time), ALL: max(0.0, 1 - LEAVES * time)}.get(item, 1.0)
        bare = int((1 - cover) * (self.ranks - 1) + 0.01) if item == ALL else 0
        drawing = Drawing()
        for side, (text, part, tone) in enumerate(
            [(self.out, sent, "rank 0"), (self.back, got, "now")]
        ):
            table = self.table(room, side)
            label = TextLine(text, table.left, table.top - 26, 34, tone, "bold")
            count = round(part * (self.ranks - self.summed.count(0)))
            drawing += _cells(self, room, side, bare, count) + Drawing(lines=(label,))
            high = table.height / self.ranks
            size = min(44.0, 0.8 * high)
            left, above, look = table.right + 18, table.top + 0.3 * size, (size, tone, "bold")
            numbers = [TextLine(f"{count}", left, table.top + high / 2 + 14, 44, tone, "bold")]
            for row in range(1, (bare if size >= LEGIBLE else 0) + 1):
                sent_there = self.ranks - self.summed.count(row)
                numbers.append(TextLine(f"{sent_there}", left, above + (row + 0.5) * high, *look))
            drawing += Drawing(lines=tuple(numbers) if item > LOOK else ())
            drawing += self._hand(table, cover)
        place = room.x, room.bottom - 26
        lines = [TextLine(self.dashed, room.x, room.bottom - 24, 28, "now", align="center")]
        if item == ALL and time > 0.4:
            sizes = 46.0, 28.0
            lines = [line_within(room.width, sizes, self.total, *place, "now", "bold", "center")]
        return drawing + Drawing(lines=tuple(lines))

    def table(self, room: Box, side: int) -> Box:
        """The room of a table."""
        label, gap, number = 150.0, 60.0, 80.0
        if room.width > room.height:
            wide = (room.width - label - gap - 2 * number) / 2
            left = room.left + label + side * (wide + gap + number)
            right = left + min(wide, 1.55 * (room.height - 150))
            return Box.between(left, room.top + 60, right, room.bottom - 96)
        high = (room.height - 300) / 2
        top = room.top + 60 + side * (high + 90)
        return Box.between(room.left + label, top, room.right - number, top + high)

    def _hand(self, table: Box, cover: float) -> Drawing:
        """A hand over all rows but the first; it comes from below."""
        if not cover:
            return Drawing()
        high = table.height / self.ranks
        down = (1 - cover) * (table.height - high)
        palm = Box.between(
            table.left - 6, table.top + high + 8 + down, table.right + 6, table.bottom + 10 + down
        )
        points = hand(palm, table.bottom + 10)
        edges = [Stroke(points[i : i + 4], "ink", 3) for i in range(0, len(points), 4)]
        return Drawing(areas=(Area(points, "edge", "hand"),)) + Drawing(strokes=tuple(edges))


@lru_cache(maxsize=256)
def _cells(tables: BoundTables, room: Box, side: int, bare: int, count: int) -> Drawing:
    """The cells of a table; of rank 0 as many are bright as have been sent, or got.

    bare: how many rows below the first one the hand has left, which are bright.
    """
    table, n = tables.table(room, side), tables.ranks
    wide, high = table.width / n, table.height / n
    dashes, lines = list[Stroke](), list[TextLine]()
    stripes, boxes = list[tuple[str, Box]](), list[ColoredBox]()
    for rank in range(n):
        y = table.top + (rank + 0.5) * high
        if not side:
            tone = f"rank {rank}" if not rank else "faint"
            size = min(28.0, 0.9 * high)
            if size >= LEGIBLE:
                base = y + 0.36 * size
                name, left = tables.names[rank], table.left - 14
                lines.append(TextLine(name, left, base, size, tone, align="right"))
        seen = 0
        for chunk in range(n):
            x = table.left + (chunk + 0.5) * wide
            box = Box(x, y, 0.88 * wide, 0.84 * high)
            if tables.summed[chunk] == rank:
                look = ("now", 4) if rank <= bare else ("edge", 2)
                dashes += [Stroke(edge, *look, dashes=(3, 3)) for edge in box.sides]
                continue
            seen += 1
            bright = rank <= bare if rank else seen <= count
            boxes.append(ColoredBox(box, "well", 4, "now" if side and bright else "edge", 2))
            for piece in range(n) if side else [rank]:
                tall = (box.height - 6) / (n if side else 1)
                at = box.top + 3 + (piece + 0.5) * tall if side else y
                inner = Box(x, at, box.width - 6, max(tall - side, 1))
                if bright:
                    stripes.append((f"rank {piece}", inner))
    stripes.sort(key=lambda pair: pair[0])
    boxes += [ColoredBox(box, tone) for tone, box in stripes]
    return Drawing(tuple(boxes), tuple(dashes), tuple(lines))


def hand(box: Box, limit: float) -> tuple[Point, ...]:
    """The outline of four fingers on a palm, as closed curves; it ends at a lower limit."""
    left, right, bottom = box.left, box.right, min(box.bottom, limit)
    wide = box.width / len(FINGERS)
    palm = box.top + 0.45 * box.height
    points, here = list[Point](), (left, bottom)

    def line(to: Point) -> None:
        nonlocal here
        (x, y), (u, v) = here, to
        thirds = [(x + part * (u - x), y + part * (v - y)) for part in (1 / 3, 2 / 3)]
        points.extend([here, *thirds, to])
        here = to

    def quarter(to: Point, first_up: bool) -> None:
        nonlocal here
        (x, y), (u, v) = here, to
        bend = (x, y + CIRCLE * (v - y)) if first_up else (x + CIRCLE * (u - x), y)
        two = (u - CIRCLE * (u - x), v) if first_up else (u, v - CIRCLE * (v - y))
        points.extend([here, bend, two, to])
        here = to

    for number, length in enumerate(FINGERS):
        a, b = left + number * wide + 3, left + (number + 1) * wide - 3
        radius = (b - a) / 2
        top = min(palm - length * (palm - box.top) + radius, bottom)
        line((a, min(palm, bottom)))
        line((a, top))
        quarter((a + radius, max(top - radius, box.top)), True)
        quarter((b, top), False)
        line((b, min(palm, bottom)))
    line((right, bottom))
    line((left, bottom))
    return tuple(points)
