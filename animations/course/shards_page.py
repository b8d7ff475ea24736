"""A page of what GPUs hold for training: all of it each, then shards of one kind after another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, TextLine
from collectives.units import size_text

FIRST, ROOM = LEFT + 150, 230.0  # pixels: where bars begin, and for the number behind them
ROWS, NAME, NUMBER = TOP + 110, 34.0, 40.0  # where rows begin; pixels of letters


@dataclass(frozen=True, kw_only=True)
class ShardsPage(Headed):
    """GPUs one below the other, what each keeps in as many parts as there are GPUs.

    kinds: name, bytes and tone of each kind of data. comes: of each item how many kinds are there,
    and how many, from the last, are in shards. limit: what a GPU has room for, and its text.
    """

    kinds: tuple[tuple[str, float, str], ...]
    ranks: int
    limit: tuple[float, str]
    comes: tuple[tuple[int, int], ...]

    @property
    def items(self) -> int:
        """How many times something comes, or is let go."""
        return len(self.comes)

    def at(self, item: int, time: float) -> Drawing:
        """What is kept; of a kind that is cut each GPU lets go of all parts but its own."""
        scale = (RIGHT - ROOM - FIRST) / sum(size for _, size, _ in self.kinds)  # pixels of a byte
        pitch, limit = (BOTTOM - ROWS) / self.ranks, FIRST + self.limit[0] * scale
        name = TextLine(self.limit[1], limit, BOTTOM + 40, NAME, "wrong", "bold", "center")
        lines, boxes = [name], []
        for number, (kind, _, tone) in enumerate(self.kinds[: self._state(item)[0]]):
            x = FIRST + (RIGHT - FIRST) / len(self.kinds) * number
            boxes.append(bar(x, TOP + 20, 28, 28, tone))
            lines.append(TextLine(kind, x + 44, TOP + 32, NAME, "ink"))
        for rank in range(self.ranks):
            y, held, bright = ROWS + pitch * (rank + 0.5), 0.0, 0.0
            for size, tone in self.parts(rank, item, MOTION.eased(2.2 * time)):
                boxes.append(bar(FIRST + held * scale, y, size * scale - 1, 0.6 * pitch, tone))
                held += size
                bright += size * (tone != "well")  # what is dark is let go
            text, end = size_text(round(bright), digits=3, binary=False), FIRST + held * scale
            crosses = end < limit < end + 40 + text_width(text, NUMBER, "mono")
            at = (limit if crosses else end) + 20, y + 0.36 * NUMBER, NUMBER
            lines.append(TextLine(f"GPU {rank}", LEFT, y + 0.36 * NAME, NAME, "ink"))
            lines.append(TextLine(text, *at, "ink", "mono"))
        line = bar(limit - 3, (ROWS + BOTTOM) / 2, 6, BOTTOM - ROWS, "wrong")
        return self.head + Drawing((*boxes, line), (), tuple(lines))

    def parts(self, rank: int, item: int, way: float) -> Iterator[tuple[float, str]]:
        """Bytes of all that a GPU keeps, in parts, and the tone of each."""
        (old, old_cut), (new, new_cut) = self._state(item - 1), self._state(item)
        for number, (_, size, tone) in enumerate(self.kinds):
            from_last = len(self.kinds) - number
            there = way * (number < new) + (1 - way) * (number < old)
            cut = way * (from_last <= new_cut) + (1 - way) * (from_last <= old_cut)
            for part in range(self.ranks):
                kept = there * (1.0 if part == rank else 1 - MOTION.eased(2 * cut - 1))
                stays = part == rank or 2 * cut * self.ranks < part + 1  # dark one by one
                if kept > 0:
                    yield size / self.ranks * kept, tone if stays else "well"

    def _state(self, item: int) -> tuple[int, int]:
        """How many kinds are there after an item, and how many in shards; all, if one is cut."""
        return self.comes[item - 1] if item > 0 else (len(self.kinds) * (self.comes[0][1] > 0), 0)
