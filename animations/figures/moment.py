"""A moment of modeled time as a matplotlib figure: what the film's scene draws, as curves."""

from __future__ import annotations

from matplotlib.figure import Figure

from animations.drawing.render.matplotlib import page_of, patch_of
from animations.drawing.theme import DARK, Theme
from animations.pictures.clock_stage import ClockStage
from animations.pictures.scene import drawn
from animations.score.clock import ClockSpan
from animations.story.timed_board import TimedBoard


def figure(timed_board: TimedBoard, now: float, theme: Theme = DARK) -> Figure:
    """The page at a moment, in modeled seconds; at the end with what is wrong, if it is."""
    scene = ClockStage(timed_board, theme)
    scene.show(ClockSpan(now, now, now >= timed_board.seconds - timed_board.rounding))
    page, axes = page_of(timed_board.sheet, timed_board.board.title, theme)
    for outline in drawn(scene):
        axes.add_artist(patch_of(outline))
    return page
