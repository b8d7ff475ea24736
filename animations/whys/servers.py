"""Ranks below and servers above: parts of vectors go up at once, and come back as sums."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine

LETTER, NAME = 32.0, 50.0  # pixels of names, and of the room for one
WIDE, GAP, UP = 150.0, 0.8, 0.14  # pixels of a cell; part of its room; of the height, of a server
SLIM = 0.7  # of the width of a cell, that of what flies
LAST = 0.9  # of the sentence, in which messages fly
MOST_STRIPES = 8  # ranks that have a stripe each in a sum; more are one
Hop = tuple[int, int, int]  # source, destination, step


@dataclass(frozen=True, eq=False)
class SharedServers:
    """As many servers as ranks, of which each adds up one part of all vectors.

    names: of the ranks, then of the servers. hops: in the first step up, in the second one down.
    """

    names: tuple[str, ...]
    hops: tuple[Hop, ...]

    @property
    def turns(self) -> dict[Hop, int]:
        """When each message flies: at no port two at a time."""
        count = len(self.names) // 2
        return {hop: hop[2] * count + (hop[1] - hop[0]) % count for hop in self.hops}

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of its sentence."""
        count = len(self.names) // 2
        now = 2 * count * min(1.0, time / LAST)
        turns = self.turns
        left = {(src, dst): now >= turn for (src, dst, _), turn in turns.items()}
        landed = {(src, dst): now >= turn + 1 for (src, dst, _), turn in turns.items()}
        boxes, lines = list[ColoredBox](), list[TextLine]()
        for node, name in enumerate(self.names):
            tone = f"rank {node}" if node < count else "ink"
            cells = [self._cell(room, node, part) for part in range(count if node < count else 1)]
            y = cells[-1].bottom + 40 if node < count else cells[0].top - 16
            lines.append(TextLine(name, cells[0].x, y, LETTER, tone, "bold", "center"))
            for part, cell in enumerate(cells):
                server = count + part if node < count else node
                boxes.append(ColoredBox(cell, "well", 3, "edge", 2))
                if node >= count:
                    boxes += self._stripes(cell, [r for r in range(count) if landed[r, node]])
                elif landed[server, node]:
                    boxes += self._stripes(cell, range(count))
                elif not left[node, server]:
                    boxes += self._stripes(cell, [node])
        for (src, dst, step), turn in turns.items():
            if turn <= now < turn + 1 and time < LAST:
                part = max(src, dst) - count
                start, end = (self._cell(room, node, part) for node in (src, dst))
                way = MOTION.eased(now - turn)
                x, y = start.x + way * (end.x - start.x), start.y + way * (end.y - start.y)
                parcel = Box(x, y, SLIM * start.width, start.height)
                boxes.append(ColoredBox(parcel, "well", 3, "now", 3))
                boxes += self._stripes(parcel, range(count) if step else [src])
        return Drawing(tuple(boxes), (), tuple(lines))

    def _cell(self, room: Box, node: int, part: int) -> Box:
        """The cell of a server, or of a rank that of a part of its vector."""
        count = len(self.names) // 2
        pitch, high = room.width / count, (0.6 * room.height - NAME) / count
        x, wide = room.left + (node % count + 0.5) * pitch, min(WIDE, GAP * pitch)
        low = room.bottom - NAME - (count - part - 0.5) * high
        y = room.top + NAME + UP * room.height / 2 if node >= count else low
        return Box(x, y, wide, GAP * min(high, UP * room.height))

    def _stripes(self, cell: Box, ranks: Sequence[int]) -> list[ColoredBox]:
        """What is in a cell: a stripe for each rank whose data is in it."""
        count = len(self.names) // 2
        if count > MOST_STRIPES:
            tone = "complete" if len(ranks) == count else f"rank {ranks[-1]}" if ranks else "well"
            return [ColoredBox(Box(cell.x, cell.y, cell.width - 6, cell.height - 6), tone)]
        wide = (cell.width - 8) / count
        return [
            ColoredBox(
                Box(cell.left + 4 + (rank + 0.5) * wide, cell.y, wide - 2, cell.height - 8),
                f"rank {rank}",
            )
            for rank in ranks
        ]
