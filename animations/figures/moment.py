"""A moment of modeled time as a matplotlib figure: what the film's scene draws, as shapes."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from animations.drawing.curves import ORIGIN, UNIT
from animations.drawing.render.painter import JUMP, Outline, outlines
from animations.drawing.theme import DARK, Theme
from animations.figures.still import INCH, POINT
from animations.pictures.clock_stage import ClockStage
from animations.pictures.scene import mobjects
from animations.score.clock import ClockSpan
from animations.story.flights import Flights


def figure(flights: Flights, now: float, theme: Theme = DARK) -> Figure:
    """The page at a moment, in modeled seconds; at the end with what is wrong, if it is."""
    scene, sheet = ClockStage(flights, theme), flights.sheet
    scene.show(ClockSpan(now, now, now >= flights.seconds - flights.rounding))
    page = Figure(figsize=(sheet.width / INCH, sheet.height / INCH), facecolor=theme.background)
    page.set_label(flights.board.title)
    axes = page.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, sheet.width), ylim=(sheet.height, 0))
    for outline in outlines(mobjects(scene)):
        if len(outline.points):
            axes.add_artist(_patch(outline))
    return page


def _patch(outline: Outline) -> PathPatch:
    """The curves of a mobject, filled and stroked as it is."""
    points = outline.points[:, :2] * (UNIT, -UNIT) + ORIGIN
    curves = points.reshape(-1, 4, 2)
    jumps = np.abs(curves[1:, 0] - curves[:-1, 3]).max(axis=1) > JUMP
    begins = np.concatenate([[True], jumps])
    corners, codes = [], []
    for curve, begin in zip(curves, begins, strict=True):
        corners += [curve[:1]] * bool(begin) + [curve[1:]]
        codes += [Path.MOVETO] * bool(begin) + [Path.CURVE4] * 3
    red, green, blue, opacity, *stroke, width = outline.look
    return PathPatch(
        Path(np.concatenate(corners), codes),
        facecolor=(red, green, blue, opacity),
        edgecolor=tuple(stroke) if width else "none",
        linewidth=width * UNIT * POINT,
        joinstyle="miter",
    )
