"""Dots that run ahead: of all data that a step sends, or of what is followed alone."""

import numpy as np
import pytest

from animations.drawing.render.outlines import look
from animations.drawing.sheet import FILM
from animations.drawing.theme import DARK
from animations.pictures.accents import Accent
from animations.pictures.foot import headline
from animations.pictures.stage import Stage
from animations.score.score import Keyframe, Play
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
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


@pytest.mark.parametrize(("first", "hops"), [(0, [4, 2, 1]), (3, [1, 2, 4])])
def test_a_tree_is_run_through_whole_along_its_lines(first, hops):
    """Neither its dots nor their trails leave the lines that are drawn."""
    board = proved_storyboard(record("all_reduce", "tree", ranks=8), sheet=FILM)
    ahead = Keyframe(first, named=True, play=Play.AHEAD, ahead=(first, first + 3))
    accent, drawn = Accent(board, ahead, DARK), 0
    for place, number in enumerate(hops):
        trail, dots = accent.at((place + 0.5) / 3)
        assert len(dots.points) == number * DOT
        drawn += number
    trail, _ = accent.at(0.999)
    ends = np.array([line.points for line in board.scenery.lines])
    start, along = ends[:, 0], ends[:, -1] - ends[:, 0]
    off = trail.points[:, None] - start
    part = np.clip((off * along).sum(2) / (along**2).sum(1), 0, 1)[..., None]
    assert np.hypot(*np.moveaxis(off - part * along, 2, 0)).min(1).max() < 4


def test_nothing_is_lit_and_no_step_named_while_a_phase_is_announced():
    board = proved_storyboard(record("all_reduce", "tree", ranks=8), sheet=FILM)
    stage, lit = Stage(board, DARK), look(DARK.now)
    stage.show(Keyframe(3))
    assert lit in [outline.look for outline in stage.settled]
    assert headline(board, Keyframe(3)) == "Reduce: step 3 of 3"
    ahead = Keyframe(3, named=True, play=Play.AHEAD, ahead=(3, 6))
    stage.show(ahead)
    assert lit not in [outline.look for outline in stage.settled]
    assert headline(board, ahead) == "Broadcast"
    texts = [line.text for outline in stage.settled for line in outline.texts]
    assert not any(text.startswith("idle") for text in texts)


@pytest.mark.parametrize(("algorithm", "dots"), [("two_shot", 7), ("ring", 8)])
def test_of_a_heap_runs_what_goes_ahead_of_it(algorithm, dots):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=8))
    for step in range(2):
        ahead = Keyframe(0, play=Play.AHEAD, ahead=(step, step + 1))
        assert len(Accent(board, ahead, DARK).at(0.5)[-1].points) == dots * DOT


def test_a_block_that_stays_pulses_where_it_is():
    board = usual_board(record("all_to_all", "bruck", ranks=8), sheet=FILM)
    pulse = Accent(board, Keyframe(3, named=True, play=Play.WAVE), DARK)
    cells = [board.scenery.cards[node].cell(well) for node, well in board.traces(3)]
    for time in (0.2, 0.5, 0.9):
        (glow,) = pulse.at(time)
        low, high = glow.points.min(0), glow.points.max(0)
        assert [(low[0] + high[0]) / 2] == pytest.approx([cell.x for cell in cells])
    sizes = [np.ptp(pulse.at(time)[0].points[:, 0]) for time in (0.1, 0.3, 0.36, 0.6)]
    assert sizes[0] < sizes[1] > sizes[2] < sizes[3], "again and again"


@pytest.mark.parametrize(("step", "done"), [(1, 2), (2, 4)])
def test_ranks_that_have_their_result_glow_as_long_as_it_is_said(step, done):
    board = proved_storyboard(record("scan", "doubling", ranks=8))
    wave = Accent(board, Keyframe(step, play=Play.WAVE), DARK)
    (glow,) = wave.at(1.0)
    for rank, card in enumerate(board.scenery.cards):
        cell = card.cell(0)
        assert (np.hypot(*(glow.points - (cell.left, cell.top)).T).min() < 9) == (rank < done)
