"""Dots that run ahead: of all data that a step sends, or of what is followed alone."""

import numpy as np
import pytest

from animations.drawing.theme import DARK
from animations.pictures.accents import Accent
from animations.score.score import Keyframe, Play
from animations.story.compose import proved_storyboard
from collectives import record

BOARD = proved_storyboard(record("all_reduce", "ring", ranks=4))
DOT = 32  # points of a circle


@pytest.mark.parametrize(("named", "dots"), [(False, 4), (True, 1)])
def test_what_is_followed_runs_alone_and_leaves_a_trail(named, dots):
    ahead = Keyframe(0, named=named, play=Play.AHEAD, ahead=(0, 3))
    first, last = (Accent(BOARD, ahead, DARK).at(time) for time in (0.1, 0.9))
    assert len(first[-1].points) == len(last[-1].points) == dots * DOT
    assert (len(last) > 1) == named
    assert not named or len(last[0].points) > 2 * len(first[0].points)


@pytest.mark.parametrize(("step", "done"), [(1, 2), (2, 4)])
def test_ranks_that_have_their_result_glow_as_long_as_it_is_said(step, done):
    board = proved_storyboard(record("scan", "doubling", ranks=8))
    wave = Accent(board, Keyframe(step, play=Play.WAVE), DARK)
    (glow,) = wave.at(1.0)
    for rank, card in enumerate(board.scenery.cards):
        cell = card.cell(0)
        assert (np.hypot(*(glow.points - (cell.left, cell.top)).T).min() < 9) == (rank < done)
