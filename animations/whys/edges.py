"""Why a halo stays cheap: each rank has two neighbors, however many ranks there are."""

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

HIGH, EDGE = 190.0, 0.16  # pixels of a card, and a part of it


@dataclass(frozen=True, eq=False)
class Edges:
    """Rows of cards side by side; each hands a copy of its edges to both neighbors.

    rows: of each its title, and its messages as pairs of ranks.
    """

    rows: tuple[tuple[str, int, tuple[tuple[int, int], ...]], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        drawing, high = Drawing(), room.height / len(self.rows)
        for number, (title, ranks, messages) in enumerate(self.rows[:item]):
            part = MOTION.eased(min(1.0, time / 0.85)) if number == item - 1 else 1.0
            y = room.top + (number + 0.5) * high + 20
            line = TextLine(title, room.left, y - HIGH / 2 - 44, 34, "ink", "bold")
            drawing += Drawing(lines=(line,)) + _row(room, y, ranks, messages, part)
        return drawing


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
        for side in (-1, 1):
            x = at(rank) + side * (wide - EDGE * wide) / 2
            boxes.append(ColoredBox(Box(x, y, EDGE * wide, HIGH - 16), tone, 3))
    for src, dst in messages:
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
    sentences = [tell("edges_both"), tell("edges_twice", ranks=tell.ranks(2 * n))]
    yield tell.why("edges", sentences, Edges(rows), tell("edges_aside"))
