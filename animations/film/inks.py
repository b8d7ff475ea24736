"""Mobjects of one color each, redrawn from numpy arrays: what all scenes draw with."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from manim import VMobject

from animations.film.glyphs import text_points
from animations.film.shapes import UNIT, Points, joined, on_page, rounded, stroke
from animations.stages.drawn import Stroke
from animations.story.drawing import ColoredBox, TextLine

Layer = dict[str, VMobject]  # a mobject for each color
T = TypeVar("T", ColoredBox, TextLine, Stroke)


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


def draw(layer: Layer, shapes: list[T], points: Callable[[list[T]], Points]) -> None:
    """Redraw a layer: all shapes of each color."""
    groups: dict[str, list[T]] = {color: [] for color in layer}
    for shape in shapes:
        groups[shape.color].append(shape)
    for color, mobject in layer.items():
        put(mobject, points(groups[color]))


def box_points(boxes: list[ColoredBox]) -> Points:
    """The points of boxes, with round corners where they have a radius."""
    return rounded([box.box for box in boxes], [box.radius or 0.5 for box in boxes])


def line_points(lines: list[TextLine]) -> Points:
    """The points of the letters of lines of text."""
    return joined([text_points(t.text, t.x, t.baseline, t.size, t.face, t.align) for t in lines])


def stroke_points(lines: list[Stroke]) -> Points:
    """The points of lines, with heads where they are arrows."""
    return joined([stroke(line.points, line.width, line.arrow) for line in lines])
