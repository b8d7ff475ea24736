"""Mobjects of one color each, redrawn from numpy arrays: what all scenes draw with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from manim import VMobject

from animations.drawing.curves import UNIT, Points, joined, on_page, rounded, stroke
from animations.drawing.glyphs import text_points
from animations.drawing.shapes import ColoredBox, Stroke, TextLine

Layer = dict[str, VMobject]  # a mobject for each color
Shape = ColoredBox | TextLine | Stroke


def ink(
    color: str,
    opacity: float = 1.0,
    stroke: str | None = None,
    stroke_pixels: float = 0.0,
    points: Points | None = None,
) -> VMobject:
    """A mobject of one color, with an outline where it has a width."""
    mobject = VMobject(
        fill_color=color,
        fill_opacity=opacity,
        stroke_color=stroke or color,
        stroke_width=stroke_pixels * 100 / UNIT,
    )
    if points is not None:
        put(mobject, points)
    return mobject


def put(mobject: VMobject, points: Points) -> None:
    """Give a mobject new points, in pixels of the page."""
    mobject.points = on_page(points)


def layer(colors: Iterable[str]) -> Layer:
    """A mobject for each color."""
    return {color: ink(color) for color in colors}


def draw(
    layer: Layer, shapes: Iterable[Shape], points: Callable[[list[Any]], Points] | None = None
) -> None:
    """Redraw a layer: all shapes of each color, of one kind, by default with its own points."""
    groups: dict[str, list[Shape]] = {color: [] for color in layer}
    for shape in shapes:
        groups[shape.color].append(shape)
    for color, mobject in layer.items():
        group = groups[color]
        put(mobject, (points or POINTS[type(group[0])])(group) if group else joined([]))


def fixed(*parts: Sequence[Shape]) -> list[VMobject]:
    """Mobjects of shapes that stay: of each part a layer."""
    layers = [layer(shape.color for shape in shapes) for shapes in parts]
    for shown, shapes in zip(layers, parts, strict=True):
        draw(shown, shapes)
    return each_of(layers)


def each_of(layers: Iterable[Layer]) -> list[VMobject]:
    """The mobjects of layers, in drawing order."""
    return [mobject for shown in layers for mobject in shown.values()]


class ColorLayers:
    """Boxes, strokes and text in some colors, one above the other."""

    def __init__(self, colors: Iterable[str]) -> None:
        known = dict.fromkeys(colors)
        self._layers = {kind: layer(known) for kind in POINTS}

    @property
    def mobjects(self) -> list[VMobject]:
        """All of them, in drawing order."""
        return each_of(self._layers.values())

    def draw(self, shapes: Sequence[Shape]) -> None:
        """Draw these shapes, and no others."""
        for kind, shown in self._layers.items():
            draw(shown, [shape for shape in shapes if isinstance(shape, kind)])


def box_points(boxes: list[ColoredBox]) -> Points:
    """The points of boxes, with round corners where they have a radius."""
    return rounded([box.box for box in boxes], [box.radius or 0.5 for box in boxes])


def line_points(lines: list[TextLine]) -> Points:
    """The points of the letters of lines of text."""
    return joined([text_points(t.text, t.x, t.baseline, t.size, t.face, t.align) for t in lines])


def stroke_points(lines: list[Stroke]) -> Points:
    """The points of lines, with heads where they are arrows."""
    return joined([stroke(line.points, line.width, line.arrow) for line in lines])


POINTS: dict[type[Shape], Callable[[list[Any]], Points]] = {
    ColoredBox: box_points,
    Stroke: stroke_points,
    TextLine: line_points,
}
