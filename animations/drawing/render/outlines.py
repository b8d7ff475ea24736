"""Shapes as outlines: curves of one look, which films and figures draw, and Manim as mobjects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from hashlib import blake2b
from itertools import groupby, zip_longest
from typing import Any

import numpy as np

from animations.drawing.curves import Points, joined, rectangles, rounded, stroke
from animations.drawing.glyphs import text_points
from animations.drawing.shapes import Area, ColoredBox, Shape, Stroke, TextLine, legible

Look = tuple[float, ...]  # fill and line, each as red, green, blue, opacity; the line's width


class Outline:
    """Curves that are drawn in one look; points: four for each curve, pixels of the page.

    texts: the lines of text that they are the letters of, if they are, for what keeps text as text.
    """

    def __init__(self, points: Points, look: Look, texts: Sequence[TextLine] = ()) -> None:
        self.points, self.look, self.texts = points, look, texts

    @cached_property
    def digest(self) -> bytes:
        """A digest of points and colors."""
        return blake2b(repr(self.look).encode() + self.points.tobytes(), digest_size=16).digest()

    def same(self, earlier: Outline) -> bool:
        """Whether both are drawn alike."""
        return self is earlier or (
            self.look == earlier.look
            and (self.points is earlier.points or np.array_equal(self.points, earlier.points))
        )


@lru_cache(maxsize=1024)
def look(color: str, opacity: float = 1.0, edge: str = "", width: float = 0.0) -> Look:
    """A look by its colors as #rrggbb; without a color it is not filled."""
    fill, line = (_rgb(name or "#000000") for name in (color, edge))
    return *fill, opacity * bool(color), *line, float(bool(edge)), width


def _rgb(color: str) -> tuple[float, ...]:
    return tuple(int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))


def of_look(shape: Shape) -> Look:
    """The look of a shape."""
    if isinstance(shape, ColoredBox):
        return look(shape.color, shape.opacity, shape.edge, shape.width)
    return look(shape.color)


def outlines(shapes: Iterable[Shape], smallest: float = 0.0) -> list[Outline]:
    """Shapes in drawing order: an outline for each run of one kind and look.

    smallest: pixels of letters, below which a text is left out.
    """
    runs = groupby(legible(shapes, smallest), lambda shape: (type(shape), of_look(shape)))
    drawn = []
    for (kind, seen), run in runs:
        alike: list[Any] = list(run)
        drawn.append(Outline(POINTS[kind](alike), seen, alike if kind is TextLine else ()))
    return drawn


def moved(outline: Outline, scale: float, shift: tuple[float, ...] = (0.0, 0.0)) -> Outline:
    """An outline so many times as large, its lines too, then shifted."""
    *colors, width = outline.look
    texts = [
        replace(
            line,
            x=scale * line.x + shift[0],
            baseline=scale * line.baseline + shift[1],
            size=scale * line.size,
        )
        for line in outline.texts
    ]
    return Outline(scale * outline.points + shift, (*colors, scale * width), texts)


def faded(outline: Outline, opacity: float) -> Outline:
    """An outline of which only a part of its opacity is left."""
    red, green, blue, filled, *line, lined, width = outline.look
    colors = (red, green, blue, opacity * filled, *line, opacity * lined, width)
    return Outline(outline.points, colors, outline.texts)


def kept(layers: Sequence[Outline], before: Sequence[Outline]) -> list[Outline]:
    """Outlines, each as the object at its place before where both are drawn alike."""
    kept: list[Outline] = []
    for new, old in zip_longest(layers, before[: len(layers)]):
        if old is not None and old.same(new):
            new.points = old.points  # so that next time no point is compared
            kept.append(old)
        else:
            kept.append(new)
    return kept


def parts(outline: Outline) -> Iterator[Points]:
    """The curves of an outline, [curve, 4, 2], by its closed parts."""
    curves = outline.points.reshape(-1, 4, 2)
    if len(curves):
        jumps = np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > JUMP
        yield from np.split(curves, np.flatnonzero(jumps) + 1)


def box_points(boxes: list[ColoredBox]) -> Points:
    """The points of boxes, with round corners where they have a radius."""
    if not any(box.radius for box in boxes):
        return rectangles([box.box for box in boxes])
    return rounded([box.box for box in boxes], [box.radius or 0.5 for box in boxes])


def line_points(lines: list[TextLine]) -> Points:
    """The points of the letters of lines of text."""
    return joined([text_points(t.text, t.x, t.baseline, t.size, t.face, t.align) for t in lines])


def stroke_points(lines: list[Stroke]) -> Points:
    """The points of lines, with heads where they are arrows."""
    return joined([stroke(line.points, line.width, line.arrow, line.dashes) for line in lines])


def area_points(areas: list[Area]) -> Points:
    """The points of areas."""
    return joined([np.array(area.points, np.float64).reshape(-1, 2) for area in areas])


JUMP = 1e-4  # pixels between the end of a curve and the start of one of another part
POINTS: dict[type[Shape], Callable[[list[Any]], Points]] = {
    ColoredBox: box_points,
    Stroke: stroke_points,
    Area: area_points,
    TextLine: line_points,
}
