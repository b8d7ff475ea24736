"""The marks in all cells as points, of which only those of changed cells are made anew."""

from __future__ import annotations

import numpy as np

from animations.drawing.curves import Points, joined, rectangles_of
from animations.pictures.step_flights import mark_points
from animations.story.storyboard import Storyboard
from animations.story.transfers import EMPTY, Cell, NodeSlot


class CellLayer:
    """The content of all cells after some step: the boxes of each ink, and their numbers.

    A cell has at most one mark of each ink.
    """

    def __init__(self, board: Storyboard, colors: int, smallest: float = 0.0) -> None:
        """smallest: pixels of letters, below which a mark has no text."""
        self._board, self._smallest = board, smallest
        self._step: int | None = None
        self._boxes = np.zeros((colors, board.nodes, board.scenery.fold.wells, 4))
        self._there = np.zeros(self._boxes.shape[:3], np.bool_)
        self._numbers: dict[NodeSlot, Points] = {}
        self._changed = set(range(colors))

    def show(self, step: int) -> dict[int, Points]:
        """Go to the state after so many steps; see `become`."""
        board, before = self._board, self._step
        if before is not None and before <= step:
            frames = board.frames[before:step]
            cells = {at: cell for frame in frames for at, cell in frame.cells.items()}
        else:
            past = dict.fromkeys(() if before is None else board.cells(before), EMPTY)
            cells = past | board.cells(step)
        self._step = step
        return self.become(cells)

    def become(self, cells: dict[NodeSlot, Cell]) -> dict[int, Points]:
        """Give cells another content; the boxes of the inks that changed, as curves."""
        for at, cell in cells.items():
            self._draw(at, cell)
        changed, self._changed = self._changed, set()
        return {ink: rectangles_of(self._boxes[ink][self._there[ink]]) for ink in changed}

    @property
    def numbers(self) -> Points:
        """The numbers and labels on the marks, as curves; in the same order for the same state."""
        return joined([self._numbers[at] for at in sorted(self._numbers)])

    def _draw(self, at: NodeSlot, cell: Cell) -> None:
        """Give a cell another content."""
        there = self._there[:, *at]
        self._changed.update(np.flatnonzero(there).tolist())
        there[:] = False
        texts = []
        for mark in self._board.view.marks(cell, self._board.scenery.cards[at[0]].cell(at[1])):
            self._changed.add(mark.ink)
            there[mark.ink] = True
            box = mark.box
            self._boxes[mark.ink, *at] = box.left, box.top, box.right, box.bottom
            if mark.text:
                texts.append(mark_points(mark, self._smallest))
        self._numbers.pop(at, None)
        if texts:
            self._numbers[at] = joined(texts)
