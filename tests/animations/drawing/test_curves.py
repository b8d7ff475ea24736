"""Shapes of films: what overlaps in one path is filled."""

import numpy as np
import pytest

pytest.importorskip("cairo")

from animations.drawing.curves import stroke

LINES = {
    "right": [(0, 0), (100, 0)],
    "left": [(100, 0), (0, 0)],
    "down": [(0, 0), (30, 100)],
    "arc": [(0, 0), (50, -80), (100, 0)],
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_and_its_arrow_head_turn_the_same_way(name):
    """Else the head would be hollow where the line reaches into it."""
    both, line = (stroke(LINES[name], 4.0, arrow) for arrow in (True, False))
    head = both[len(line) :]
    assert len(head)
    assert np.sign(turn(head)) == np.sign(turn(line)) != 0


@pytest.mark.parametrize("name", LINES)
def test_dashes_draw_their_share_of_a_line(name):
    dashes = np.split(stroke(LINES[name], 2.0, dashes=(3, 1)), range(40, 10_000, 40))
    drawn = sum(abs(turn(dash)) for dash in dashes if len(dash))
    assert drawn / abs(turn(stroke(LINES[name], 2.0))) == pytest.approx(0.75, abs=0.03)


def turn(points):
    """Twice the area that closed curves run around, by their corners: its sign is their sense."""
    (x, y), (after, below) = points[::4].T, np.roll(points[::4], -1, axis=0).T
    return float((x * below - after * y).sum())
