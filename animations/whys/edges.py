"""Why there is a halo, and why it stays cheap: a rank needs the cells beside its border."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Ring

NEEDS, LACKS, COPIES, GROWS, SHARE, MORE = range(1, 7)  # the sentences
FEWER, MOST_BLOCKS = 3, 8  # ranks that are drawn of more than so many
CELLS, GAP, LAST = 4, 2, 0.85  # along a block, and between two; of a sentence, that moves
NEAR = 3 * CELLS + 2 * GAP  # cells in a row that are seen at first: two blocks and beside them
SIZES = CELLS, 2 * CELLS, 4 * CELLS  # cells along blocks that are compared
BETWEEN, DIM = 6, 0.25  # cells between these; opacity of cells that are not sent
LETTER = 40.0  # pixels
Place = Callable[[int, float, float], Box]  # of a cell: by block, column and row


@dataclass(frozen=True, eq=False)
class Edges:
    """Square blocks of a grid that wraps round; each needs copies of its neighbors' edges.

    edges: that each block sends. rows: of so many ranks and of twice as many, what each takes.
    """

    ranks: int
    edges: int
    rows: tuple[str, ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = min(1.0, time / LAST)
        if item == MORE:
            return self._more(room, part)
        return self._compared(room, item, part) if item >= GROWS else self._row(room, item, part)

    def _more(self, room: Box, part: float) -> Drawing:
        """All blocks with the edges that they send, and below them twice as many."""
        boxes, lines, pitch = list[ColoredBox](), list[TextLine](), room.width / (2 * self.ranks)
        for row, text in enumerate(self.rows):
            y, grown = room.top + (0.3 + 0.45 * row) * room.height, min(1.0, 2 * part - row)
            for rank in range(max(1 - row, round((1 + row) * self.ranks * grown))):
                block = Box(room.left + (rank + 0.5) * pitch, y, 0.7 * pitch, 0.7 * pitch)
                boxes.append(ColoredBox(block, f"rank {rank % 8}", 5))
                for x in (block.left, block.right):
                    boxes.append(ColoredBox(Box(x, y, 0.14 * pitch, block.height), "now", 3))
            at = room.left, y - 0.35 * pitch - 34, LETTER, "now" if row else "ink", "bold"
            lines.append(TextLine(text * (grown > 0), *at))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _row(self, room: Box, item: int, part: float) -> Drawing:
        """The first two blocks, and a cell with its neighbors; then all, with room for copies."""
        n, blocks = self.ranks, self.ranks if self.ranks <= MOST_BLOCKS else FEWER
        zoomed = MOTION.eased(min(1.0, 2 * part)) if item == COPIES else 0.0
        across = NEAR + zoomed * (blocks * (CELLS + GAP) + GAP + 2 - NEAR)
        cell = min(room.width / across, room.height / (CELLS + 1))
        middle = zoomed * (blocks / 2 - 1)
        boxes, lines = list[ColoredBox](), list[TextLine]()

        def at(place: int, column: float, row: float) -> Box:
            column += (place - middle - 0.5) * (CELLS + GAP) - (CELLS - 1) / 2
            y = room.y + 30 + (row - (CELLS - 1) / 2) * cell
            return Box(room.x + column * cell, y, 0.88 * cell, 0.88 * cell)

        def add(place: int, column: int, row: int, tone: str, edge: str = "") -> None:
            box, solid = at(place, column, row), zoomed < 1 or column in (0, CELLS - 1)
            if room.left <= box.left and box.right <= room.right:
                boxes.append(ColoredBox(box, tone, 5, edge, 4 * bool(edge), 1 if solid else DIM))

        rows, copies = range(CELLS), min(1.0, max(0.0, 2 * part - 1)) * (item == COPIES)
        for place, column in ((-1, CELLS - 1), (blocks, 0)):
            for y in rows:
                add(place, column, y, "well", f"rank {place % n}")
        for rank, x, y in product(range(blocks), rows, rows):
            add(rank, x, y, f"rank {rank}", "now" if item == COPIES and x in (0, CELLS - 1) else "")
        for rank, y in product(range(blocks), rows[: round(CELLS * copies)]):
            for x, ahead in ((-1, -1), (CELLS, 1)):
                boxes.append(ColoredBox(at(rank, x, y), "well", 5, f"rank {(rank + ahead) % n}", 4))
        for rank in range(blocks):
            top = at(rank, (CELLS - 1) / 2, -1)
            if room.left <= top.x <= room.right:
                name = top.x, at(rank, 0, 0).top - 18, LETTER, f"rank {rank}", "bold"
                lines.append(TextLine(str(rank), *name, "center"))
        if item != COPIES:
            boxes += self._stencil(item, part, at)
        return Drawing(tuple(boxes), (), tuple(lines))

    def _stencil(self, item: int, part: float, at: Place) -> Iterator[ColoredBox]:
        """A cell of the first block that moves down, and those around it; what it lacks comes."""
        x, y = CELLS - (2 if item == NEEDS else 1), min(CELLS - 1, int(part * CELLS))
        for dx, dy in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
            if 0 <= y + dy < CELLS and x + dx < CELLS:
                yield ColoredBox(at(0, x + dx, y + dy), "" if dx or dy else "now", 5, "now", 4)
        for row in range(y + 1 if item == LACKS else 0):
            come = MOTION.eased(2 * (part * CELLS - row) - 0.8)
            place, there = at(0, CELLS, row), at(1, 0, row)
            yield ColoredBox(place, "", 5, "wrong" if come < 1 else "now", 4)
            yield ColoredBox(replace(place, x=there.x + come * (place.x - there.x)), "rank 1", 5)

    def _compared(self, room: Box, item: int, part: float) -> Drawing:
        """Blocks of several sizes, each with what it computes and sends; then as large as the last.

        So one sees which part of them is sent.
        """
        unit = min(room.width / (sum(SIZES) + 2 * BETWEEN), (room.height - 190) / SIZES[-1])
        same = MOTION.eased(min(1.0, 2 * part)) if item == SHARE else 0.0
        largest = min(unit * SIZES[-1], (room.width - 2 * BETWEEN * unit) / len(SIZES))
        wides = [size * unit + same * (largest - size * unit) for size in SIZES]
        boxes, lines, base = list[ColoredBox](), list[TextLine](), room.bottom - 170
        left = room.x - (sum(wides) + 2 * BETWEEN * unit) / 2
        for number, (size, wide) in enumerate(zip(SIZES, wides, strict=True)):
            grown = min(1.0, max(0.0, part * len(SIZES) - number)) if item == GROWS else 1.0
            sent, cell = round(grown * size), wide / size
            boxes.append(ColoredBox(Box(left + wide / 2, base - wide / 2, wide, wide), "well", 5))
            for x, y in product(range(size), range(sent)):
                edge = x in (0, size - 1)
                box = Box(left + (x + 0.5) * cell, base - (y + 0.5) * cell, *2 * (0.86 * cell,))
                faint = 1.0 if edge or item == GROWS else 1 - 0.6 * same
                boxes.append(ColoredBox(box, "now" if edge else "rank 1", 3, opacity=faint))
            texts = tuple(f"{wide} × {sent} = {wide * sent}" for wide in (size, self.edges))
            if item == SHARE:
                share = f" = {Fraction(self.edges, size)}" if part > (number + 1.5) / 5 else ""
                texts = "", f"{self.edges * size} / {size * size}{share}"
            for row, (text, tone) in enumerate(zip(texts, ("ink", "now"), strict=True)):
                at = left + wide / 2, base + 62 + 70 * row, LETTER
                lines.append(TextLine(text if grown == 1 else "", *at, tone, "bold", "center"))
            left += wide + BETWEEN * unit
        return Drawing(tuple(boxes), (), tuple(lines))


def edge_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what each rank hands to its two neighbors in one step."""
    recording, n = facts.recording, facts.ranks
    if recording.collective.name != "send_recv" or not isinstance(recording.structure, Ring):
        return
    links = frozenset((src, dst) for src, dst in recording.counters.links.tolist() if src != dst)
    if not 4 <= n <= MOST_DRAWN or len(recording.steps) > 1 or not facts.even:
        return
    edges = len(links) // n
    if recording.chunk_count != edges:
        return
    sentences = [tell(f"edges_{key}") for key in ("needs", "lacks", "copies", "grows")]
    shares = ", ".join(str(Fraction(edges, size)) for size in SIZES)
    sentences.append(tell("edges_share", shares=shares))
    rows, aside = list[str](), tell("edges_aside", ranks=tell.ranks(n))
    for run in (recording, again(recording, recording.algorithm, 2 * n)):
        if run and [run.counters.steps, len(run.counters.links)] == [1, edges * run.ranks]:
            rows.append(tell("edges_row", ranks=tell.ranks(run.ranks), edges=edges))
    sentences += [tell("edges_more", edges=edges)] * (len(rows) == 2)
    yield tell.why("edges", sentences, Edges(n, edges, tuple(rows)), aside, 3)
