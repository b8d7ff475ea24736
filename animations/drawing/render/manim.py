"""What is drawn as Manim's mobjects, and mobjects of Manim as what is drawn: the one way to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Camera, VGroup, VMobject

from animations.drawing.curves import Points
from animations.drawing.render.outlines import Look, Outline
from animations.drawing.render.painter import TILE, Array, tiled
from animations.drawing.shapes import Box
from animations.drawing.sheet import LECTURE

UNIT = 135.0  # pixels of the page in one of Manim's units
ORIGIN = np.array([LECTURE.page.x, LECTURE.page.y])  # its own camera shows this sheet whole
WIDTH = 100.0  # of a line in Manim, of one unit


class Mobjects(VGroup):  # type: ignore[misc]
    """Outlines as mobjects, which are used again from picture to picture."""

    def draw(self, outlines: Sequence[Outline]) -> Mobjects:
        """Show these outlines, and no others."""
        self.add(*(VMobject() for _ in outlines[len(self.submobjects) :]))
        for mobject in self.submobjects[len(outlines) :]:
            mobject.points = on_page(np.zeros((0, 2)))
        for mobject, outline in zip(self.submobjects, outlines, strict=False):
            mobject.points = on_page(outline.points)
            wear(mobject, outline.look)
        return self


class CameraCanvas:
    """A picture that Manim's camera takes of mobjects; used in a film in place of a `Canvas`."""

    def __init__(self, size: tuple[int, int], background: str, box: Box) -> None:
        """size: width and height in pixels. background: a color.

        box: the part of the plane of the page that it shows, in the page's pixels.
        """
        self.size = size
        width, height = size
        high = box.width * height / width
        self._mobjects = Mobjects()
        self._camera = Camera(
            pixel_width=width,
            pixel_height=height,
            frame_width=box.width / UNIT,
            frame_height=high / UNIT,
            frame_center=on_page(np.array([[box.x, box.top + high / 2]]))[0],
            background_color=background,
        )
        rows, columns = (-(-length // (2 * TILE)) * 2 * TILE for length in (height, width))
        self.pixels: Array = np.zeros((rows, columns), np.uint32)
        self.draw([])

    def draw(self, layers: Sequence[Sequence[Outline]]) -> Array:
        """Take a picture of the outlines of all layers; the tiles that changed, [tile, 2]."""
        self._mobjects.draw([outline for layer in layers for outline in layer])
        self._camera.reset()
        self._camera.capture_mobjects([self._mobjects])
        width, height = self.size
        before = self.pixels.copy()
        colors = self.pixels.view(np.uint8).reshape(*self.pixels.shape, 4)
        colors[:height, :width] = self._camera.pixel_array[:, :, [2, 1, 0, 3]]
        changed: Array = (tiled(before, TILE) != tiled(self.pixels, TILE)).any(axis=(2, 3))
        return np.argwhere(changed)


def wear(mobject: VMobject, look: Look) -> None:
    """Draw a mobject in a look."""
    mobject.fill_rgbas, mobject.stroke_rgbas = np.reshape(look[:8], (2, 1, 4))
    mobject.stroke_width = look[8] / UNIT * WIDTH


def on_page(points: Points) -> Points:
    """Pixels of the page as Manim's coordinates: [points, 3]."""
    return np.pad((points - ORIGIN) / (UNIT, -UNIT), ((0, 0), (0, 1)))
