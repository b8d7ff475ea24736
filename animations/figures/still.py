"""A storyboard as a matplotlib figure: one state, for slides and papers; SVG, PDF or PNG."""

from __future__ import annotations

from matplotlib.figure import Figure

from animations.drawing.render.matplotlib import draw_shapes, page_of
from animations.drawing.shapes import Shape
from animations.drawing.theme import DARK, Theme
from animations.pictures import step as picture
from animations.score.score import Keyframe
from animations.story.storyboard import Storyboard


def figure(board: Storyboard, step: int, theme: Theme = DARK) -> Figure:
    """The picture after so many steps, 0 for the start, as the films show it.

    Marks have the gid "mark-NODE-SLOT-INK", by which they are found in the SVG, unless they are
    very many. Raises IndexError for a step the storyboard does not have.
    """
    page, axes = page_of(board.sheet, board.title, theme)
    draw_shapes(axes, shapes_after(board, step, theme))
    return page


def shapes_after(board: Storyboard, step: int, theme: Theme) -> list[Shape]:
    """The picture after so many steps, in drawing order."""
    return picture.still(board, Keyframe(range(len(board.frames) + 1)[step]), theme)
