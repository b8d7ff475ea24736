"""Draws outlines with cairo, again only in the tiles of the picture where something changed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, zip_longest
from typing import Any

import cairo
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageColor

from animations.drawing.render.outlines import JUMP, Outline
from animations.drawing.shapes import Box
from animations.drawing.sheet import LECTURE

Array = npt.NDArray[Any]
Pixels = npt.NDArray[np.uint8]
TILE = 8  # pixels of the side of a tile
NO_BACKGROUND = "none"
MITER = 3.0  # of strokes: their corners reach at most this many half widths out
_NONE = np.zeros((0, 4), np.intp)


Layers = list[list[Outline]]  # what stays, what a shot settles, what moves, what lies in front


class Path:
    """An outline in pixels: its curves, its closed parts, and the tiles that each part may touch.

    curves: [curve, 8], from each curve's start on. first: the first curve of each part. tiles:
    [part, 4], first row, first column, end row, end column. grid: the largest of these four.
    """

    def __init__(self, outline: Outline, scale: float, shift: Array, grid: Array) -> None:
        self.outline = outline
        self.curves = (outline.points * scale + shift).reshape(-1, 8)
        ends = np.concatenate([[[np.inf, np.inf]], self.curves[:-1, 6:]])[: len(self.curves)]
        self.first = np.flatnonzero((np.abs(self.curves[:, :2] - ends) > JUMP).any(axis=1))
        self.tiles = _NONE
        if len(self.first):
            points, first = self.curves.reshape(-1, 2), 4 * self.first
            out = 1 + outline.look[-1] * scale * MITER / 2
            low = (np.minimum.reduceat(points, first) - out) // TILE
            high = (np.maximum.reduceat(points, first) + out) // TILE + 1
            corners = np.stack([low[:, 1], low[:, 0], high[:, 1], high[:, 0]], axis=1)
            self.tiles = np.clip(corners, 0, grid).astype(np.intp)
        self._traced: Any = None
        self._drawn_before = False

    def trace(self, context: Any) -> None:
        """Make this the path that is drawn next; from the third time on, as cairo kept it."""
        if self._traced is not None:
            context.append_path(self._traced)
            return
        move_to, curve_to, close_path = context.move_to, context.curve_to, context.close_path
        curves = self.curves.tolist()
        for first, end in pairwise([*self.first.tolist(), len(curves)]):
            x, y = curves[first][:2]
            move_to(x, y)
            for _, _, a, b, c, d, e, f in curves[first:end]:
                curve_to(a, b, c, d, e, f)
            if abs(x - e) < JUMP and abs(y - f) < JUMP:
                close_path()
        if self._drawn_before:
            self._traced = context.copy_path()
        self._drawn_before = True


class Canvas:
    """A picture in layers, each drawn over the one below; it keeps what it has drawn.

    The next state is drawn only in tiles where a part of a path came, went or changed: there
    all that touches them is drawn, on a sheet of its own, and the tiles are copied. Paths are
    always drawn whole, as cairo's shades at an edge depend on the rest of its path: so each
    pixel is what it would be if everything were drawn anew.
    """

    def __init__(
        self, size: tuple[int, int], background: str, layers: int, box: Box = LECTURE.page
    ) -> None:
        """size: width and height in pixels. background: a color; "none" where nothing is.

        box: the part of the plane of the page that it shows, in the page's pixels.
        """
        self.size = size
        width, height = (-(-length // (2 * TILE)) * 2 * TILE for length in size)
        self._grid = np.array([height // TILE, width // TILE])
        self._corners = np.tile([-(-size[1] // TILE), -(-size[0] // TILE)], 2)  # no margins
        self._scale = size[0] / box.width
        self._shift = -np.array([box.left, box.top]) * self._scale
        color = np.uint32(0)
        if background != NO_BACKGROUND:
            red, green, blue = ImageColor.getrgb(background)[:3]
            color = np.uint32(255 << 24 | red << 16 | green << 8 | blue)
        self._sheet, *self._layers = (
            np.full((height, width), color, np.uint32) for _ in range(2 + layers)
        )  # the lowest layer stays blank
        self._paths: list[list[Path]] = [[] for _ in range(layers)]
        surface = cairo.ImageSurface.create_for_data(
            self._sheet.data.cast("B"), cairo.FORMAT_ARGB32, width, height
        )
        self._context = cairo.Context(surface)
        self._context.set_miter_limit(MITER)

    @property
    def pixels(self) -> Array:
        """The picture, with margins at its right and lower edge up to whole tiles."""
        return self._layers[-1]

    def rgb(self) -> Array:
        """The picture as [height, width, 3]."""
        width, height = self.size
        colors = self.pixels[:height, :width, None].view(np.uint8)
        return colors[:, :, 2::-1].copy()

    def image(self) -> Image.Image:
        """The picture, with transparency."""
        width, height = self.size
        colors = np.ascontiguousarray(self.pixels[:height, :width])
        return Image.frombytes("RGBA", self.size, colors.tobytes(), "raw", "BGRa")

    def draw(self, layers: Sequence[Sequence[Outline]]) -> Array:
        """Draw the outlines of each layer; the tiles that changed, [tile, 2]."""
        at = np.zeros((0, 2), np.intp)
        for number, layer in enumerate(layers):
            below, pixels = self._layers[number : number + 2]
            before = self._paths[number]
            paths = self._paths[number] = self._as_paths(layer, before)
            pairs = zip_longest(before, paths)
            changed = [p for old, new in pairs if old is not new for p in (old, new) if p]
            if not (changed or len(at)):
                continue
            where = self._covered(changed)
            where[tuple(at.T)] = True
            at = np.argwhere(where)
            _put(self._sheet, at, _tiles(below, at))
            self._draw(paths, where)
            drawn = _tiles(self._sheet, at)
            differ = (drawn != _tiles(pixels, at)).any(axis=(1, 2))
            at = at[differ]
            _put(pixels, at, drawn[differ])
        return at

    def _covered(self, paths: Sequence[Path]) -> Array:
        """The tiles that paths may touch, as a mask of the grid."""
        corners = np.zeros(self._grid + 1, np.int32)
        top, left, bottom, right = np.concatenate([_NONE, *(path.tiles for path in paths)]).T
        for row, column, number in (
            (top, left, 1),
            (bottom, right, 1),
            (top, right, -1),
            (bottom, left, -1),
        ):
            np.add.at(corners, (row, column), number)
        np.cumsum(corners, axis=0, out=corners)
        np.cumsum(corners, axis=1, out=corners)
        covered: Array = corners[:-1, :-1] > 0
        return covered

    def _as_paths(self, outlines: Sequence[Outline], before: Sequence[Path]) -> list[Path]:
        """The outlines as paths, those of before where they are the same."""
        paths = []
        for place, outline in enumerate(outlines):
            if place < len(before) and before[place].outline.same(outline):
                paths.append(before[place])
            else:
                paths.append(Path(outline, self._scale, self._shift, self._corners))
        return paths

    def _draw(self, paths: Sequence[Path], where: Array) -> None:
        """Draw on the sheet all paths that touch some tiles."""
        covered = np.zeros(self._grid + 1, np.int32)
        np.cumsum(where.cumsum(axis=0, dtype=np.int32), axis=1, out=covered[1:, 1:])
        context = self._context
        for path in paths:
            top, left, bottom, right = path.tiles.T
            touched = covered[bottom, right] + covered[top, left]
            if (touched > covered[top, right] + covered[bottom, left]).any():
                path.trace(context)
                red, green, blue, opacity, *stroke, width = path.outline.look
                if opacity:
                    context.set_source_rgba(red, green, blue, opacity)
                    context.fill_preserve()
                if width and stroke[-1]:
                    context.set_source_rgba(*stroke)
                    context.set_line_width(width * self._scale)
                    context.stroke_preserve()
                context.new_path()


def tiled(pixels: Array, side: int) -> Array:
    """A view of a picture by its tiles: [row, column, side, side]."""
    height, width = pixels.shape
    view: Array = pixels.reshape(height // side, side, width // side, side)
    return view.transpose(0, 2, 1, 3)


def _tiles(pixels: Array, at: Array) -> Array:
    """Some tiles of a picture, [tile, row, column]."""
    tiles: Array = tiled(pixels, TILE)[at[:, 0], at[:, 1]]
    return tiles


def _put(pixels: Array, at: Array, tiles: Array) -> None:
    tiled(pixels, TILE)[at[:, 0], at[:, 1]] = tiles
