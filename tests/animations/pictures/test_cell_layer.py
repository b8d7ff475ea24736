"""Cells that are drawn anew only where they changed are those of the state, in any order."""

from random import Random

import numpy as np
import pytest

pytest.importorskip("manim")

from each import each

from animations.drawing.curves import joined, rectangles
from animations.drawing.theme import DARK
from animations.pictures.cell_layer import CellLayer
from animations.pictures.step_flights import mark_points
from animations.story.cell_marks import cell_contents
from animations.story.compose import proved_storyboard
from collectives import record

CASES = [
    ("all_reduce", "ring", 5),
    ("all_to_all", "bruck", 6),
    ("barrier", "dissemination", 8),
    ("reduce_scatter", "ring", 20),
    ("all_gather", "ring", 65),
]


def shapes(points, size):
    """Shapes of so many points each, in order."""
    return sorted(map(bytes, np.round(points, 6).reshape(-1, size, 2) + 0.0))


@each(("collective", "algorithm", "ranks"), CASES, few=12)
def test_cells_are_those_of_the_step_wherever_it_came_from(collective, algorithm, ranks):
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    inks = len(board.view.mark_colors(DARK))
    layer, shown = CellLayer(board, inks), {}
    last, random = len(board.frames), Random(3)
    for step in [0, 1, 2, last, *(random.randint(0, last) for _ in range(6)), 0]:
        shown.update(layer.show(step))
        found = [mark for _, mark in cell_contents(board, step)]
        for ink in range(inks):
            wanted = rectangles([mark.box for mark in found if mark.ink == ink])
            assert shapes(shown[ink], 16) == shapes(wanted, 16), (step, ink)
        numbers = joined([mark_points(mark) for mark in found if mark.text])
        assert shapes(layer.numbers, 4) == shapes(numbers, 4), step
    assert layer.show(0) == {}, "nothing changed"


def test_only_changed_cells_are_drawn(monkeypatch):
    board = proved_storyboard(record("all_reduce", "ring", ranks=20))
    layer, drawn = CellLayer(board, len(board.view.mark_colors(DARK))), []
    kind = type(board.view)
    marks = kind.marks

    def counted(*given):
        drawn.append(given)
        return marks(*given)

    monkeypatch.setattr(kind, "marks", counted)
    layer.show(3)
    assert len(drawn) == len(board.cells(3)) > 100
    drawn.clear()
    layer.show(4)
    assert 0 < len(drawn) <= len(board.frames[3].cells) <= 20
