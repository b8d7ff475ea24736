"""A drawing as plain data: boxes, strokes, areas, text in tones; pages that grow item by item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from animations.drawing.shapes import Area, Box, ColoredBox, Point, Shape, Stroke, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme


@dataclass(frozen=True)
class Drawing:
    """What is shown at a time, in drawing order by kind; colors are names of tones of a theme."""

    boxes: tuple[ColoredBox, ...] = ()
    strokes: tuple[Stroke, ...] = ()
    lines: tuple[TextLine, ...] = ()
    areas: tuple[Area, ...] = ()

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All of it in drawing order."""
        return *self.strokes, *self.boxes, *self.areas, *self.lines

    def __add__(self, other: Drawing) -> Drawing:
        """Both, the other in front."""
        boxes, strokes = self.boxes + other.boxes, self.strokes + other.strokes
        return Drawing(boxes, strokes, self.lines + other.lines, self.areas + other.areas)

    def fitted(self, room: Box, place: Box, smallest: float = 0.0) -> Drawing:
        """What stands in a room, in the middle of another; letters of `smallest` pixels or more."""
        part = min(place.width / room.width, place.height / room.height)

        def on(*points: Point) -> tuple[Point, ...]:
            x, y = place.x - part * room.x, place.y - part * room.y
            return tuple((x + part * a, y + part * b) for a, b in points)

        def boxed(entry: ColoredBox) -> ColoredBox:
            corners = on((entry.box.left, entry.box.top), (entry.box.right, entry.box.bottom))
            box, radius = Box.between(*corners[0], *corners[1]), part * entry.radius
            return replace(entry, box=box, radius=radius, width=part * entry.width)

        def written(line: TextLine) -> TextLine:
            [(x, base)] = on((line.x, line.baseline))
            return replace(line, x=x, baseline=base, size=max(part * line.size, smallest))

        strokes = (replace(s, points=on(*s.points), width=part * s.width) for s in self.strokes)
        areas = (replace(area, points=on(*area.points)) for area in self.areas)
        boxes, lines = map(boxed, self.boxes), map(written, self.lines)
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines), tuple(areas))


def in_theme(shapes: Iterable[Shape], theme: Theme) -> Iterator[Shape]:
    """Shapes in the colors of a theme in place of the names of its tones."""
    for shape in shapes:
        color = theme.tone(shape.color)
        if isinstance(shape, ColoredBox):
            yield replace(shape, color=color, edge=theme.tone(shape.edge))
        else:
            yield replace(shape, color=color)


class PageMoment(NamedTuple):
    """A moment of a page: its last item, whether that comes just now, and the words pointed at."""

    item: int
    comes: bool
    pointed: tuple[str, ...] = ()


class Page(Protocol):
    """A page that grows item by item, one with each sentence that adds something."""

    @property
    def sheet(self) -> Sheet:
        """The page it is drawn on."""

    @property
    def items(self) -> int:
        """How many items there are."""

    def at(self, item: int, time: float) -> Drawing:
        """The page while item `item` (from 1; 0: none) comes, at `time` of its way, 0 to 1."""
