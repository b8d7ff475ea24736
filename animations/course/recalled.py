"""What a page of a lecture has shown, once more and smaller below a sentence or beside options."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP
from animations.drawing.curves import edges_of
from animations.drawing.drawing import Drawing, Page
from animations.drawing.nearby import text_box
from animations.drawing.shapes import Box
from animations.whys.why import SHORT, SMALLEST, Why

SHOWN = Box.between(LEFT - 20, TOP - 40, RIGHT + 80, BOTTOM + 40)  # below the heading of a page
BELOW = Box.between(LEFT, TOP + 92, RIGHT, BOTTOM + 40)  # a sentence, and beside options
BESIDE = Box.between(LEFT + 600, TOP - 20, RIGHT + 50, BOTTOM - 60)
ASIDE = Box.between(LEFT + 1060, TOP, RIGHT + 50, BOTTOM - 60)  # beside rows
LETTERS = SHORT * SMALLEST  # pixels at least, of letters that are shown smaller
NAMES = 30.0  # pixels of letters on the page, from which on they are shown


@dataclass(frozen=True)
class Recalled:
    """An item of a page, or of a why, that comes once more; its small letters are left out.

    still: whether it stands as it was at its end.
    """

    page: Page
    item: int
    still: bool = False

    def at(self, time: float, place: Box = BELOW) -> Drawing:
        """What is below the heading, at `time` of the item's way, in a place of the page."""
        page, room, time = self.page, SHOWN, 1.0 if self.still else time
        if isinstance(page, Why):
            room, drawing = page.room, page.picture.drawn(page.room, self.item, time)
            return _large(drawing, room).fitted(room, place, LETTERS)
        drawing, ended = (_large(page.at(self.item, now), room) for now in (time, 1.0))
        return drawing.fitted(_around(ended, place), place, LETTERS)


def _large(drawing: Drawing, room: Box) -> Drawing:
    """A drawing without its heading and small letters."""
    lines = (line for line in drawing.lines if line.size >= NAMES and line.baseline > room.top)
    return replace(drawing, lines=tuple(lines))


def _around(drawing: Drawing, place: Box) -> Box:
    """The room that a drawing fills, but none that would be enlarged in a place."""
    points = [point for stroke in drawing.strokes for point in stroke.points]
    boxes = [entry.box for entry in drawing.boxes] + [text_box(line) for line in drawing.lines]
    edges = edges_of((*boxes, *(Box(*point, 0.0, 0.0) for point in points)))
    room = Box.between(*edges[:, :2].min(0), *edges[:, 2:].max(0))
    return Box(room.x, room.y, max(room.width, place.width), max(room.height, place.height))
