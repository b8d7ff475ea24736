"""A moment of modeled time as a matplotlib figure: what the film's scene draws, as curves."""

from __future__ import annotations

from matplotlib.figure import Figure

from animations.drawing.render.matplotlib import page_of, patch_of
from animations.drawing.theme import DARK, Theme
from animations.pictures.clock_stage import ClockStage
from animations.pictures.scene import drawn
from animations.score.clock import ClockSpan
from animations.story.flights import Flights


def figure(flights: Flights, now: float, theme: Theme = DARK) -> Figure:
    """The page at a moment, in modeled seconds; at the end with what is wrong, if it is."""
    scene = ClockStage(flights, theme)
    scene.show(ClockSpan(now, now, now >= flights.seconds - flights.rounding))
    page, axes = page_of(flights.sheet, flights.board.title, theme)
    for outline in drawn(scene):
        axes.add_artist(patch_of(outline))
    return page
