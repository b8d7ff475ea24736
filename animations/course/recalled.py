"""What a page of a lecture has shown, once more and smaller beside words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP
from animations.drawing.drawing import Drawing, Page
from animations.drawing.shapes import Box
from animations.whys.why import SHORT, SMALLEST, Why

SHOWN = Box.between(LEFT - 20, TOP - 40, RIGHT + 80, BOTTOM + 40)  # below the heading of a page
PLACE = Box.between(LEFT + 600, TOP - 20, RIGHT + 50, BOTTOM - 60)

NAMES = 30.0  # pixels of letters on the page, from which on they are shown


@dataclass(frozen=True)
class Recalled:
    """An item of a page, or of a why, that comes once more; its small letters are left out."""

    page: Page
    item: int

    def at(self, time: float) -> Drawing:
        """What is below the heading, at `time` of the item's way."""
        if isinstance(self.page, Why):
            room, drawing = self.page.room, self.page.picture.drawn(self.page.room, self.item, time)
        else:
            room, whole = SHOWN, self.page.at(self.item, time)
            below = (line for line in whole.lines if line.baseline > room.top)
            drawing = replace(whole, lines=tuple(below))
        large = tuple(line for line in drawing.lines if line.size >= NAMES)
        small = replace(drawing, lines=large).fitted(room, PLACE)
        grown = (replace(line, size=max(line.size, SHORT * SMALLEST)) for line in small.lines)
        return replace(small, lines=tuple(grown))
