"""Shapes as matplotlib's artists, in drawing order; text stays text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.text import Text

from animations.drawing.curves import Points
from animations.drawing.fonts import MONO, SANS, drawable
from animations.drawing.render.letters import families, is_known
from animations.drawing.render.outlines import Outline, outlines, parts
from animations.drawing.shapes import Shape, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme

INCH = 144.0  # pixels of the page, so that the usual one is as wide as a slide
POINT = 72 / INCH  # of one pixel of the page
STRAIGHT = 1e-3  # pixels from a curve's handles to where those of a straight line are
FACES = {
    "sans": FontProperties(family=families(SANS)),
    "bold": FontProperties(family=families(SANS), weight="bold"),
    "mono": FontProperties(family=families(MONO)),
}


def page_of(sheet: Sheet, title: str, theme: Theme) -> tuple[Figure, Axes]:
    """An empty page, and axes in its pixels."""
    page = Figure(figsize=(sheet.width / INCH, sheet.height / INCH), facecolor=theme.background)
    page.set_label(title)
    axes = page.add_axes((0, 0, 1, 1))
    in_pixels(axes, sheet)
    return page, axes


def in_pixels(axes: Axes, sheet: Sheet) -> None:
    """Give axes the pixels of a sheet, y pointing down."""
    axes.set_axis_off()
    axes.set(xlim=(0, sheet.width), ylim=(sheet.height, 0))


def draw_shapes(axes: Axes, shapes: Iterable[Shape], scale: float = 1.0, prefix: str = "") -> None:
    """Draw shapes in axes of pixels; named ones apart, and their names are gids after `prefix`.

    scale: of type and lines beside those of a page of its own.
    """
    for artist in _artists(shapes, scale, prefix):
        axes.add_artist(artist)  # a patch would widen the axes, which are fixed


def _artists(shapes: Iterable[Shape], scale: float, prefix: str) -> Iterator[Artist]:
    for name, run in groupby(shapes, lambda shape: getattr(shape, "name", None)):
        if name is None:
            yield from (_text(line, scale) for line in run if isinstance(line, TextLine))
            continue
        for outline in outlines(run):
            patch = patch_of(outline, scale)
            patch.set_gid(f"{prefix}{name}" if name else None)
            yield patch


def patch_of(outline: Outline, scale: float = 1.0) -> PathPatch:
    """An outline as a patch."""
    red, green, blue, opacity, *edge, width = outline.look
    return PathPatch(
        _path(outline),
        facecolor=(red, green, blue, opacity),
        edgecolor=tuple(edge) if width else "none",
        linewidth=width * POINT * scale,
        joinstyle="miter",
        snap=False,
    )


def _path(outline: Outline) -> Path:
    """The curves of an outline as a path, of which straight ones are lines."""
    points: list[Points] = []
    codes: list[np.uint8] = []
    for curves in parts(outline):
        thirds = (2 * curves[:, 0] + curves[:, 3]) / 3
        straight = np.abs(curves[:, 1] - thirds).max(axis=1) < STRAIGHT
        points.append(curves[0, :1])
        codes.append(Path.MOVETO)
        for curve, is_line in zip(curves, straight.tolist(), strict=True):
            points.append(curve[3:] if is_line else curve[1:])
            codes += [Path.LINETO] if is_line else [Path.CURVE4] * 3
        points.append(curves[0, :1])
        codes.append(Path.CLOSEPOLY)
    return Path(np.concatenate(points), codes) if points else Path(np.zeros((0, 2)))


def _text(line: TextLine, scale: float) -> Text:
    return Text(
        line.x,
        line.baseline,
        drawable(line.text, is_known),
        color=line.color,
        fontproperties=FACES[line.face],
        fontsize=line.size * POINT * scale,
        horizontalalignment=line.align,
        verticalalignment="baseline",
        parse_math=False,
    )
