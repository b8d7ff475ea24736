"""How the content of a cell is drawn in each view: which inks, in which boxes."""

from __future__ import annotations

from animations.layout import Box, stripe_in
from animations.storyboard import Cell, Storyboard
from animations.theme import Theme

PARTIAL = 4  # shades for cells that are on their way to completeness


def inks(board: Storyboard, theme: Theme) -> tuple[str, ...]:
    """The colours of marks: one for each rank, or the shades of levels and the complete one."""
    if board.view == "stripes":
        return tuple(theme.rank(rank) for rank in range(board.ranks))
    return (*theme.levels[-PARTIAL:], theme.complete)


def marks(board: Storyboard, cell: Cell, box: Box) -> list[tuple[int, Box]]:
    """What is drawn of a cell's content in a box: (index of the ink, where).

    Stripes: one for each rank at its own height. Levels: a bar as high as the share of the
    contributions that are there. Matrix: the whole box.
    """
    if not cell:
        return []
    if board.view == "stripes":
        return [(rank, stripe_in(box, rank, board.ranks)) for rank in cell]
    count, complete = cell
    share = min(1.0, count / board.most)
    ink = PARTIAL if complete else min(PARTIAL - 1, int(PARTIAL * share))
    if board.view == "matrix":
        return [(ink, box)]
    height = max(1.0, share * box.height)
    return [(ink, Box(box.x, box.bottom - height / 2, box.width, height))]
