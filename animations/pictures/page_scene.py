"""Pages of lectures as scenes: boxes, lines and text, drawn anew while an item comes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from manim import VMobject

from animations.drawing.drawing import Drawing, Page
from animations.drawing.render.color_layers import Shape, draw, each_of, layer
from animations.drawing.theme import Theme


class PageScene:
    """The scene of a page; a moment is the number of an item, and whether it comes or is there."""

    def __init__(self, page: Page, theme: Theme) -> None:
        self.page, self.theme, self.sheet = page, theme, page.sheet
        every = [page.at(item, time) for item in range(page.items + 1) for time in (0.0, 1.0)]
        shapes = zip(*map(_parts, every), strict=True)
        self._layers = [layer(theme.tone(s.color) for d in each for s in d) for each in shapes]
        self.still, self.settled, self.front = (list[VMobject]() for _ in range(3))
        self.moving = each_of(self._layers)
        self._item, self._comes = 0, False

    def show(self, moment: Any) -> None:
        """The page before the item has come, or with it."""
        self._item, self._comes = moment
        self.travel(0.0)

    def travels(self, moment: Any) -> bool:
        """Whether an item comes."""
        return bool(moment[1])

    def travel(self, time: float) -> None:
        """The page at `time` of the item's way."""
        drawing, tone = self.page.at(self._item, time if self._comes else 1.0), self.theme.tone
        for shown, shapes in zip(self._layers, _parts(drawing), strict=True):
            draw(shown, [replace(shape, color=tone(shape.color)) for shape in shapes])


def _parts(drawing: Drawing) -> tuple[tuple[Shape, ...], ...]:
    """What a page has, one above the other."""
    return drawing.strokes, drawing.boxes, drawing.lines
