"""Parts of a picture as mobjects: what is drawn of a part follows how its anchor was moved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from manim import BLACK, VGroup, VMobject

from animations.drawing.curves import Points, straight
from animations.drawing.render.manim import on_page, wear
from animations.drawing.render.outlines import Outline, look
from animations.drawing.shapes import Box, Point


class Anchor(VMobject):  # type: ignore[misc]
    """Two edges of a box, never seen: they tell how the box was moved, scaled, turned or sheared.

    Colors, opacities and strokes do not change it.
    """

    def __init__(self, box: Box) -> None:
        super().__init__()
        super().set_fill(BLACK, 0)
        super().set_stroke(BLACK, 0, 0)
        super().set_stroke(BLACK, 0, 0, background=True)
        corner, right = np.array([[box.left, box.top]]), np.array([[box.right, box.top]])
        below = np.array([[box.left, box.bottom]])
        self.on_page = np.concatenate([straight(corner, right)[0], straight(corner, below)[0]])
        self.points = on_page(self.on_page)
        self._box = box

    def set_fill(self, *_: Any, **__: Any) -> Anchor:
        """Nothing: it is never seen."""
        return self

    set_stroke = set_opacity = set_color = fade = set_fill

    @property
    def frame(self) -> Points:
        """Where the page is now: [3, 3], by which (x, y, 1) of the page is multiplied."""
        box, (corner, right, below) = self._box, self.points[[0, 3, 7]]
        x, y = (right - corner) / box.width, (below - corner) / box.height
        place: Points = np.stack([x, y, corner - box.left * x - box.top * y])
        return place


class StagePart(VGroup):  # type: ignore[misc]
    """What is drawn in a box: an anchor, then outlines, always as many of them.

    room: how many there may be. Those that are not needed are points at a corner of the box, so
    that Manim finds the same family before and after a step.
    """

    def __init__(self, box: Box, room: int) -> None:
        super().__init__()
        self.anchor = Anchor(box)
        self.add(self.anchor, *(VMobject() for _ in range(room)))

    def draw(self, outlines: Sequence[Outline], placed: Sequence[Points] | None = None) -> None:
        """Show these outlines where the part is now.

        placed: their points in Manim's coordinates, where they do not follow the anchor.
        """
        nothing = np.repeat(self.anchor.points[:1], 4, axis=0)
        for number, mobject in enumerate(self.submobjects[1:]):
            if number >= len(outlines) or not len(outlines[number].points):
                wear(mobject, look(""))
                mobject.points = nothing.copy()
                continue
            wear(mobject, outlines[number].look)
            points = outlines[number].points
            mobject.points = placed[number] if placed else at_frame(points, self.anchor.frame)

    def span(self, outlines: Sequence[Outline], way: Sequence[Point], ends: list[Points]) -> None:
        """Show these outlines, of a way whose start and end are in frames of their own."""
        edges = self.anchor.on_page
        self.anchor.points = at_frame(edges, _along(edges, way, ends))
        placed = [at_frame(seen.points, _along(seen.points, way, ends)) for seen in outlines]
        self.draw(outlines, placed)


def _along(points: Points, way: Sequence[Point], ends: list[Points]) -> Points:
    """A frame for each point: as much of the second as it is nearer to the end of the way."""
    start, step = np.array(way[0]), np.subtract(way[-1], way[0])
    part = np.clip((points - start) @ step / max(step @ step, 1e-9), 0, 1)[:, None, None]
    frames: Points = ends[0] + part * (ends[1] - ends[0])
    return frames


def at_frame(points: Points, frame: Points) -> Points:
    """Points of the page in Manim's coordinates, by one frame for all, or for each of them."""
    if frame.ndim == 2:
        placed: Points = points @ frame[:2] + frame[2]
    else:
        placed = np.einsum("pi,pij->pj", points, frame[:, :2]) + frame[:, 2]
    return placed
