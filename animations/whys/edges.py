"""Why there is a halo, and why it stays cheap: a rank needs the cells beside its border."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.loads import again
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import Ring

HIGH = 190.0  # pixels of a card
CELLS, NEEDS, LACKS = 5, 1, 2  # cells of a card; sentences before its edges are sent
EDGE = 1 / CELLS  # of a card


@dataclass(frozen=True, eq=False)
class Edges:
    """Rows of cards side by side; each hands a copy of its edges to both neighbors.

    rows: of each its title, and its messages as pairs of ranks.
    """

    rows: tuple[tuple[str, int, tuple[tuple[int, int], ...]], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        drawing, high = Drawing(), room.height / len(self.rows)
        sent = item - LACKS  # rows whose edges are sent
        for number, (title, ranks, messages) in enumerate(self.rows[: max(sent, 1)]):
            part = MOTION.eased(min(1.0, time / 0.85)) if number == sent - 1 else float(sent > 0)
            y = room.top + (number + 0.5) * high + 20
            line = TextLine(title, room.left, y - HIGH / 2 - 44, 34, "ink", "bold")
            row = _row(room, y, ranks, messages, part)
            if sent < 1:
                row += _stencils(room, y, ranks, item, min(1.0, time / 0.85))
            drawing += Drawing(lines=(line,)) + row
        return drawing


def _stencils(room: Box, y: float, ranks: int, item: int, part: float) -> Drawing:
    """The cell that each rank computes, with those that it needs on both sides.

    First of all cells up to the border, then at the border: what is beyond is missing.
    """
    pitch, boxes = room.width / ranks, list[ColoredBox]()
    wide = 0.62 * pitch / CELLS
    at = part * (CELLS - 1) if item == NEEDS else float(CELLS - 1)
    for rank in range(ranks):
        middle = room.left + (rank + 0.5) * pitch
        for side in (-1, 0, 1):
            x = middle + (int(at + 0.5) + side - (CELLS - 1) / 2) * wide
            missing = abs(x - middle) > 0.31 * pitch
            tone = "wrong" if missing else "now"
            if not missing or item == LACKS or at > CELLS - 1.5:
                tall = (HIGH - 60) * (1.0 if item == NEEDS or not missing else part)
                boxes.append(ColoredBox(Box(x, y, 0.8 * wide, tall), "", 3, tone, 4))
    return Drawing(tuple(boxes))


def _row(
    room: Box, y: float, ranks: int, messages: tuple[tuple[int, int], ...], part: float
) -> Drawing:
    """Cards with their edges, and copies on their way to where they are needed."""
    pitch = room.width / ranks
    wide = 0.62 * pitch
    boxes = list[ColoredBox]()

    def at(rank: int) -> float:
        return room.left + (rank + 0.5) * pitch

    for rank in range(ranks):
        tone = f"rank {rank}"
        boxes.append(ColoredBox(Box(at(rank), y, wide, HIGH), "panel", 8, tone, 3))
        for cell in range(1, CELLS - 1):
            x = at(rank) + (cell - (CELLS - 1) / 2) * EDGE * wide
            boxes.append(ColoredBox(Box(x, y, 0.9 * EDGE * wide, HIGH - 16), "well", 3, tone, 1))
        for side in (-1, 1):
            x = at(rank) + side * (wide - EDGE * wide) / 2
            boxes.append(ColoredBox(Box(x, y, EDGE * wide, HIGH - 16), tone, 3))
    for src, dst in messages if part else ():
        side = 1 if (dst - src) % ranks == 1 else -1
        start = at(src) + side * (1 - EDGE) * wide / 2
        beside = at(src) + side * pitch - side * (0.5 + EDGE) * wide
        x = (start + part * (beside - start) - room.left) % room.width + room.left
        box = Box(x, y, 0.8 * EDGE * wide, HIGH - 40)
        boxes.append(ColoredBox(box, f"rank {src}", 3, "now", 2))
    return Drawing(tuple(boxes))


def edge_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what each rank hands to its two neighbors in one step; also with twice the ranks."""
    recording, n = facts.recording, facts.ranks
    if recording.collective.name != "send_recv" or not isinstance(recording.structure, Ring):
        return
    twice = again(recording, recording.algorithm, 2 * n) if 4 <= n <= MOST_DRAWN else None
    if twice is None or len(twice.steps) > 1 or not facts.even:
        return
    rows = tuple(
        (tell.ranks(played.ranks), played.ranks, tuple(map(tuple, played.counters.links.tolist())))
        for played in (recording, twice)
    )
    if any(len(links) != 2 * ranks for _, ranks, links in rows):
        return
    sentences = [
        tell("edges_needs"),
        tell("edges_lacks"),
        tell("edges_both"),
        tell("edges_twice", ranks=tell.ranks(2 * n)),
    ]
    yield tell.why("edges", sentences, Edges(rows), tell("edges_aside"))
