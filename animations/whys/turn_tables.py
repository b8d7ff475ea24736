"""Why ranks take turns: who sends to whom in each turn, first with queues, then with none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, TextLine

LETTER, NUMBER = 34.0, 24.0  # pixels of letters, and the least of a number in a cell
SMALL, BELOW = 28.0, 54.0  # pixels of the legend's letters, and for it
TITLE, NAME, GAP, LAST = 70.0, 44.0, 60.0, 0.8  # pixels; part of the sentence, in which turns come
Send = tuple[int, int, int]  # source, destination, turn from 0


@dataclass(frozen=True, eq=False)
class TurnTables:
    """Two tables, whose rows are senders and whose columns are turns: a gap is a rank that waits.

    Each comes with its sentence. sends: of each table. names: above them; legend: below both.
    """

    ranks: int
    sends: tuple[tuple[Send, ...], ...]
    names: tuple[str, str]
    legend: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of its sentence."""
        counts = [1 + max(turn for *_, turn in sends) for sends in self.sends]
        wide = min((room.width - GAP - 2 * NAME) / sum(counts), 120.0)
        high = min((room.height - TITLE - BELOW) / self.ranks, 100.0)
        legend = TextLine(self.legend, room.x, room.bottom - 4, SMALL, "faint", align="center")
        left, whole = room.left, Drawing(lines=(legend,))
        for place, (sends, count) in enumerate(zip(self.sends, counts, strict=True), 1):
            right = left + NAME + count * wide
            table = Box.between(left + NAME, room.top + TITLE, right, room.bottom - BELOW)
            grown = (min(1.0, time / LAST) if place == item else float(place < item)) ** 2
            tone, name = "now" if place > 1 else "ink", self.names[place - 1] * (grown > 0)
            text = TextLine(name, table.left, room.top + 40, LETTER, tone, "bold")
            whole += self._table(table, sends, (wide, high), grown * count) + Drawing(lines=(text,))
            left = right + GAP
        return whole

    def _table(
        self, table: Box, sends: Sequence[Send], cell: tuple[float, float], now: float
    ) -> Drawing:
        """The turns so far; each cell has the number and the color of who gets the message.

        Who has still something to send and must wait has an edge.
        """
        (wide, high), lines, boxes = cell, list[TextLine](), list[ColoredBox]()
        size = min(0.5 * high, LETTER)
        for rank in range(self.ranks if size >= NUMBER else 0):
            y = table.top + (rank + 0.5) * high + 0.36 * size
            x, tone = table.left - 14, f"rank {rank % 8}"
            lines.append(TextLine(f"{rank}", x, y, size, tone, "bold", "right"))
        turns = range(1 + max(turn for *_, turn in sends))
        targets = {(src, turn): dst for src, dst, turn in sends}
        ends = {src: turn for src, _, turn in sends}
        for rank, turn in ((rank, turn) for turn in turns for rank in range(self.ranks)):
            x, y = table.left + (turn + 0.5) * wide, table.top + (rank + 0.5) * high
            box = Box(x, y, 0.9 * wide, 0.86 * high)
            target = targets.get((rank, turn)) if turn < now else None
            waits = target is None and turn < min(now, ends[rank])
            tone = "well" if target is None else f"rank {target % 8}"
            boxes.append(ColoredBox(box, tone, 5, "wrong" * waits, 4))
            if target is not None and min(size, 0.8 * wide) >= NUMBER:
                base = y + 0.36 * size
                lines.append(TextLine(f"{target}", x, base, size, "now_ink", "bold", "center"))
        return Drawing(tuple(boxes), lines=tuple(lines))


def with_queues(ranks: int) -> Iterator[Send]:
    """Each sends to rank 0, 1, 2, … as soon as that port is free; who waits longest comes first."""
    wanted = {src: [dst for dst in range(ranks) if dst != src] for src in range(ranks)}
    waits, turn = dict.fromkeys(wanted, 0), 0
    while any(wanted.values()):
        taken = set[int]()
        for src in sorted(filter(wanted.get, wanted), key=lambda rank: (waits[rank], rank)):
            if wanted[src][0] not in taken:
                taken.add(wanted[src][0])
                yield src, wanted[src].pop(0), turn
                waits[src] = turn + 1
        turn += 1
