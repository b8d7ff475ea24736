"""Pages of lectures as scenes: boxes, lines and text, drawn anew while an item comes."""

from __future__ import annotations

from typing import Any

from manim import VMobject

from animations.film.inks import box_points, draw, layer, line_points, stroke_points
from animations.score.page import Page
from animations.stages.drawn import Stroke
from animations.story.drawing import ColoredBox, TextLine
from animations.story.theme import Theme


class PageScene:
    """The scene of a page; a moment is the number of an item, and whether it comes or is there."""

    def __init__(self, page: Page, theme: Theme) -> None:
        self.page, self.theme, self.sheet = page, theme, page.sheet
        every = [page.at(item, time) for item in range(page.items + 1) for time in (0.0, 1.0)]
        boxes = (box.color for drawing in every for box in drawing.boxes)
        strokes = (stroke.color for drawing in every for stroke in drawing.strokes)
        lines = (line.color for drawing in every for line in drawing.lines)
        self._boxes, self._strokes, self._lines = (
            layer(dict.fromkeys(map(theme.tone, tones)))  # as they come, one above the other
            for tones in (boxes, strokes, lines)
        )
        self.still, self.settled, self.front = (list[VMobject]() for _ in range(3))
        layers = (self._strokes, self._boxes, self._lines)
        self.moving = [mobject for each in layers for mobject in each.values()]
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
        boxes = [ColoredBox(each.box, tone(each.color), each.radius) for each in drawing.boxes]
        strokes = [
            Stroke(each.points, tone(each.color), each.width, each.arrow)
            for each in drawing.strokes
        ]
        lines = [
            TextLine(t.text, t.x, t.baseline, t.size, tone(t.color), t.face, t.align)
            for t in drawing.lines
        ]
        draw(self._boxes, boxes, box_points)
        draw(self._strokes, strokes, stroke_points)
        draw(self._lines, lines, line_points)
