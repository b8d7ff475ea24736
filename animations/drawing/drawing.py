"""A drawing as plain data: boxes, strokes, areas, text in tones; pages that grow item by item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from animations.drawing.shapes import Area, ColoredBox, Shape, Stroke, TextLine
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


def in_theme(shapes: Iterable[Shape], theme: Theme) -> Iterator[Shape]:
    """Shapes in the colors of a theme in place of the names of its tones."""
    for shape in shapes:
        color = theme.tone(shape.color)
        if isinstance(shape, ColoredBox):
            yield replace(shape, color=color, edge=theme.tone(shape.edge))
        else:
            yield replace(shape, color=color)


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
