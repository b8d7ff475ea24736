"""Why there is a halo, and why it stays cheap: a rank needs the cells beside its border."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Ring

NEEDS, LACKS, COPIES, GROWS, WHOLE = range(1, 6)  # the sentences
FEWER, MOST_BLOCKS = 3, 8  # ranks that are drawn of more than so many
CELLS, GAP, LAST = 4, 2, 0.85  # along a block, and between two; of a sentence, that moves
SIZES = CELLS, 2 * CELLS, 4 * CELLS  # cells along blocks that are compared
LETTER = 40.0  # pixels


@dataclass(frozen=True, eq=False)
class Edges:
    """Square blocks of a grid that wraps round; each needs copies of its neighbors' edges.

    edges: that each block sends. names: of two bars, for edges and for whole blocks.
    """

    ranks: int
    edges: int
    names: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = min(1.0, time / LAST)
        if item == WHOLE:
            return self._bars(room, part)
        return self._growing(room, part) if item == GROWS else self._blocks(room, item, part)

    def _blocks(self, room: Box, item: int, part: float) -> Drawing:
        """Blocks between the next edges; a cell with its neighbors, or room for copies."""
        n, blocks = self.ranks, self.ranks if self.ranks <= MOST_BLOCKS else FEWER
        cell = min(room.width / (blocks * (CELLS + GAP) + GAP + 2), room.height / (CELLS + 1))
        boxes, lines = list[ColoredBox](), list[TextLine]()

        def at(place: int, column: float, row: float, tone: str, edge: str = "") -> ColoredBox:
            column += (place - (blocks - 1) / 2) * (CELLS + GAP) - (CELLS - 1) / 2
            y = room.y + 30 + (row - (CELLS - 1) / 2) * cell
            box = Box(room.x + column * cell, y, 0.88 * cell, 0.88 * cell)
            return ColoredBox(box, tone, 5, edge, 4 if edge else 0)

        rows = range(CELLS)
        for place, column in ((-1, CELLS - 1), (blocks, 0)):
            boxes += [at(place, column, y, "well", f"rank {place % n}") for y in rows]
        for rank in range(blocks):
            boxes += [at(rank, x, y, f"rank {rank}") for x in rows for y in rows]
            top = at(rank, (CELLS - 1) / 2, -1, "").box
            name = top.x, top.y + 20, LETTER, f"rank {rank}", "bold"
            lines.append(TextLine(str(rank), *name, "center"))
        if item == COPIES:
            for rank, y in product(range(blocks), rows):
                for x in rows[: round(CELLS * part)]:
                    boxes.append(at(rank, x, y, *(("well",) if 0 < x < CELLS - 1 else ("", "now"))))
                for x, ahead in ((-1, -1), (CELLS, 1)) if part == 1 else ():
                    boxes.append(at(rank, x, y, "well", f"rank {(rank + ahead) % n}"))
            return Drawing(tuple(boxes), (), tuple(lines))
        last = CELLS - 1
        x, y = (last - 1, round(last * part)) if item == NEEDS else (last, round(last * (1 - part)))
        for dx, dy in ((0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)):
            missing = x + dx >= CELLS
            if 0 <= y + dy < CELLS:
                tone = "" if dx or dy else "now"
                boxes.append(at(0, x + dx, y + dy, tone, "wrong" if missing else "now"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _growing(self, room: Box, part: float) -> Drawing:
        """Blocks of several sizes, each with what it computes, and what it sends."""
        cell = min(room.width / (sum(SIZES) + 12), (room.height - 190) / SIZES[-1])
        boxes, lines, base = list[ColoredBox](), list[TextLine](), room.bottom - 170
        left = room.x - (sum(SIZES) + 12) * cell / 2
        for number, size in enumerate(SIZES):
            come = min(1.0, max(0.0, part * len(SIZES) - number))
            sent, wide = round(come * size), size * cell
            boxes.append(ColoredBox(Box(left + wide / 2, base - wide / 2, wide, wide), "well", 5))
            for x in range(size):
                for y in range(sent):
                    edge = x in (0, size - 1)
                    box = Box(left + (x + 0.5) * cell, base - (y + 0.5) * cell, *2 * (0.86 * cell,))
                    boxes.append(ColoredBox(box, "now" if edge else "rank 1", 3))
            for row, (factor, tone) in enumerate(((size, "ink"), (self.edges, "now"))):
                text = f"{factor} × {sent} = {factor * sent}" if come == 1 else ""
                at = left + wide / 2, base + 62 + 70 * row, LETTER
                lines.append(TextLine(text, *at, tone, "bold", "center"))
            left += (size + 6) * cell
        return Drawing(tuple(boxes), (), tuple(lines))

    def _bars(self, room: Box, part: float) -> Drawing:
        """What the largest block sends, and what it would send as a whole."""
        side, boxes, lines = SIZES[-1], list[ColoredBox](), list[TextLine]()
        for row, (name, tone) in enumerate(zip(self.names, ("now", "rank 1"), strict=True)):
            y, cells = room.y + (2 * row - 1) * 0.2 * room.height, side ** (row + 1)
            wide = min(cells / side**2, part) * room.width
            bar = Box.between(room.left, y - 45, room.left + max(2.0, wide), y + 45)
            boxes.append(ColoredBox(bar, tone, 5))
            text = f"{name}: {self.edges} × {side}{'²' * row} = {self.edges * cells}"
            lines.append(TextLine(text, room.left, y - 70, LETTER, "ink", "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))


def edge_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what each rank hands to its two neighbors in one step."""
    recording, n = facts.recording, facts.ranks
    if recording.collective.name != "send_recv" or not isinstance(recording.structure, Ring):
        return
    links = frozenset((src, dst) for src, dst in recording.counters.links.tolist() if src != dst)
    if not 4 <= n <= MOST_DRAWN or len(recording.steps) > 1 or not facts.even:
        return
    edges, side = len(links) // n, SIZES[-1]
    if recording.chunk_count != edges:
        return
    picture = Edges(n, edges, (tell("edges_alone"), tell("edges_blocks")))
    sentences = [tell(f"edges_{key}") for key in ("needs", "lacks", "copies", "grows")]
    sentences.append(tell("edges_whole", few=edges * side, many=edges * side**2))
    yield tell.why("edges", sentences, picture, tell("edges_aside", ranks=tell.ranks(n)), 3)
