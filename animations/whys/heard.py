"""What one rank knows after each step, a row a step, whose data comes in beside what it has."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.whys.spread import ABOVE, BESIDE, NAME, SMALLEST, Spread

TOUCHING, ASIDE = 0.97, 46.0  # of a column, a cell; pixels that data comes from beside its place


@dataclass(frozen=True, eq=False)
class Heard(Spread):
    """Rows of one rank, with a column for each rank whose data it may have.

    name: above how many it knows of. sources: by step from whom it hears.
    """

    name: str = ""
    sources: tuple[str, ...] = ()

    def cell(self, room: Box, state: int, rank: int) -> Box:
        """Where the data of a rank stands in a state, beside the next."""
        box = super().cell(room, state, rank)
        return replace(box, width=TOUCHING * (room.width - BESIDE) / len(self.order))

    def rows(self, room: Box, steps: int, marked: bool) -> Drawing:
        """The rows up to a step, and from whom what is new has come, where there is room."""
        lines = [TextLine(self.name, room.right, room.top + ABOVE, NAME, "ink", "bold", "right")]
        for step, text in enumerate(self.sources[:steps]):
            had, has = self.held[step : step + 2]
            new = [self.cell(room, step + 1, r) for r in self.order if has[r] and not had[r]]
            size = min(NAME, new[0].top - self.cell(room, step, 0).bottom - 4) if new else 0.0
            if size >= SMALLEST:
                at = sum(box.x for box in new) / len(new), new[0].top - 5, size
                lines.append(TextLine(text, *at, "faint", align="center"))
        return super().rows(room, steps, marked) + Drawing(lines=tuple(lines))

    def coming(self, room: Box, step: int, part: float) -> Drawing:
        """What a rank has comes down to the next row; what is new comes beside it."""
        boxes, down = list[ColoredBox](), self.cell(room, 1, 0).y - self.cell(room, 0, 0).y
        for rank in (rank for rank, has in enumerate(self.held[step + 1]) if has):
            x, y = (0.0, down) if self.held[step][rank] else (ASIDE, 0.0)
            box = self.cell(room, step + 1, rank)
            box = replace(box, x=box.x - (1 - part) * x, y=box.y - (1 - part) * y)
            boxes.append(ColoredBox(box, f"rank {rank}", 5))
        return Drawing(tuple(boxes))
