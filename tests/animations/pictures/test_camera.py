"""The camera of a film: the first addition is near."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("manim")

from samples import steps_of

from animations.drawing.nearby import is_cut, near
from animations.drawing.render.painter import TILE
from animations.drawing.sheet import FILM
from animations.drawing.theme import DARK
from animations.pictures.camera import camera_of
from animations.pictures.scene import Layered, drawn, scene_of, still
from animations.pictures.stage import Stage
from animations.pictures.step_flights import StepFlights
from animations.pictures.tag import tag_of
from animations.score.score import AWAY, Keyframe, Play, gives_way
from animations.score.steps import score_of
from animations.score.story import looked_at
from animations.story.usual import usual_board
from collectives import record

BOARD = usual_board(record("all_reduce", "ring", ranks=8), sheet=FILM)


def cards(outlines):
    """The corners of everything that looks like a card, whatever its size."""
    ground = Stage(BOARD, DARK).ground
    looks = {outline.look[:-1] for outline in ground}
    points = [each.points for each in outlines if each.look[:-1] in looks]
    sizes = {len(outline.points) for outline in ground}
    return np.concatenate([each for each in points if len(each) in sizes])


def test_the_first_addition_fills_the_stage_and_the_sentence_stays():
    stage = steps_of(BOARD)
    near = [shot for shot in stage.shots if shot.moment.camera[1] == (0, 1)]
    assert {shot.moment.step for shot in near} == {1}
    scene = scene_of(stage, DARK)
    scene.show(near[-1].moment)
    scene.travel(1.0)
    ends = cards(drawn(scene))
    seen = BOARD.scenery.cards[0].box.width, BOARD.scenery.cards[1].box
    wide = np.ptp(ends[: len(ends) // BOARD.nodes, 0])
    assert wide > 1.5 * seen[0] and wide < FILM.stage.width / 2
    said = Stage(BOARD, DARK)
    said.show(Keyframe(1, landed=False, line=near[-1].said))
    shown = {outline.points.tobytes() for outline in drawn(scene)}
    assert {outline.points.tobytes() for outline in said._said} <= shown


def test_no_camera_cuts_a_card_or_hides_how_far_data_goes():
    board = usual_board(record("all_reduce", "recursive_doubling", ranks=8), sheet=FILM)
    assert board.frames[0].example.adds and board.scenery.chips
    assert looked_at(board, 0) == () and looked_at(BOARD, 0) == (0, 1)
    wide = usual_board(record("all_reduce", "ring", ranks=6), sheet=FILM)
    assert is_cut(wide.scenery, near(wide.scenery, FILM.stage, (0, 1)))
    assert looked_at(wide, 0) == ()


def test_small_chunks_are_near_where_a_phase_first_adds_one_and_so_is_their_name():
    board = usual_board(record("all_reduce", "hierarchical", ranks=16), sheet=FILM)
    assert [looked_at(board, step) for step in (0, 1, 7, 8)] == [(0, 1), (), (), ()]
    step_flights = StepFlights(board, board.frames[7], 0, in_turn=True)
    tag, seen = (
        tag_of(board, 8, step_flights, nodes=(7, 15)),
        near(board.scenery, FILM.stage, (7, 15)),
    )
    assert seen.holds(tag.plate) and not any(tag.plate.overlaps(c.box) for c in board.scenery.cards)
    meeting = usual_board(record("all_reduce", "two_shot", ranks=8), sheet=FILM)
    assert looked_at(meeting, 0) == (), "as one would not see from where they come"


def test_a_camera_goes_along_with_a_small_chunk_in_a_time_lapse_and_never_jumps():
    board = usual_board(record("all_reduce", "hierarchical", ranks=16), sheet=FILM)
    moments = [shot.moment for shot in steps_of(board).shots]
    moving = [m for m in moments if m.camera[1] and not m.landed and 1 < m.step <= 7]
    assert [m.camera for m in moving] == [((k, k + 1), (k, k + 1)) for k in range(1, 7)]
    pairs = pairwise(m for m in moments if m.play is not Play.AHEAD)
    assert all(before.camera[1] == after.camera[0] for before, after in pairs)
    torus = usual_board(record("all_reduce", "torus_2d", ranks=16), sheet=FILM)
    stays = [s for s in steps_of(torus).shots if s.moment.step == 6 and s.moment.camera[1]]
    assert [s.moment.play for s in stays] == [Play.NOTHING, Play.LANDED], "the sum of all is held"
    assert stays[1].seconds >= 1
    large = usual_board(record("all_reduce", "ring", ranks=8), sheet=FILM)
    near = [shot.moment.step for shot in steps_of(large).shots if shot.moment.camera[1]]
    assert {*near} <= {1, 14}, "of large chunks only the first addition, and the last picture"


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls_tree", 16), ("sharp", 4), ("sharp", 32)])
def test_a_camera_leaves_nobody_out_who_sends_to_a_switch_at_once(algorithm, ranks):
    """However small chunks are."""
    board = usual_board(record("all_reduce", algorithm, ranks=ranks, chunks=8), sheet=FILM)
    assert {shot.moment.camera for shot in steps_of(board).shots} <= {
        ((), ()),
        ((), AWAY),
        (AWAY, ()),
    }


def test_a_count_stands_where_the_camera_sees_it_and_a_name_too_small_to_be_read_is_not_there():
    """Columns of a torus have little room between their cards."""
    board = usual_board(record("all_reduce", "torus_2d", ranks=16), sheet=FILM)
    shots = steps_of(board).shots
    counted = [
        s.moment
        for s in shots
        if s.moment.play is Play.LANDED and s.moment.camera[0]
        if any(transfer.adds for transfer in board.frames[s.moment.step - 1].transfers)
    ]
    stage = Stage(board, DARK)
    for keyframe in counted:
        stage.show(keyframe)
        plate, _ = stage._count
        assert near(board.scenery, FILM.stage, keyframe.camera[0]).holds(plate.plate)
    assert len(counted) == 4, "first in a row and a column, and when all of these are added"
    comes, stays = (
        next(s.moment for s in shots if s.moment.step == 4 and s.moment.camera == camera)
        for camera in (((), (3, 7)), ((3, 7), (3, 7)))
    )
    stage.show(comes)
    before, after = (len(stage.front) for time in (0.0, 1.0) if stage.travel(time) is None)
    assert stage._name.size < FILM.smallest
    assert after == before + 2, "a plate and its letters"
    stage.show(stays)
    assert len(stage.front) == after


def test_what_a_camera_shows_beyond_the_page_is_not_drawn():
    stage = steps_of(BOARD)
    near = next(shot for shot in stage.shots if shot.moment.camera[1] == (0, 1))
    layered = Layered(scene_of(stage, DARK))
    canvas = layered.canvas((1920, 1080))
    for layers in layered.at(near, [0.0, 0.2, 0.5]):
        rows, columns = canvas.draw(layers).max(axis=0)
        assert rows < 1080 / TILE and columns < 1920 / TILE, "an encoder has no other tiles"


def test_a_stage_gives_way_to_a_why_unless_its_cards_stay_there():
    """It ends where the why begins, but for the sentence, and comes back from where that ends."""
    board = usual_board(record("broadcast", "ring", ranks=6), sheet=FILM)
    passages = score_of(board).passages
    _, first, need, second, why, *_ = passages
    *_, before, last = second.shots
    assert gives_way(last) and last.said == before.said
    assert not any(map(gives_way, steps_of(BOARD).shots))
    seams = ((first, -1, 1.0, need, 0, 0.0), (second, 0, 0.0, need, -1, 1.0))
    for stage, place, time, page, shot, at in (*seams, (second, -1, 1.0, why, 0, 0.0)):
        silent = replace(page, shown=replace(page.shown, silent=True))
        beside = picture(stage, stage.shots[place], time)
        assert np.array_equal(beside, picture(silent, page.shots[shot], at))
        assert not np.array_equal(beside, picture(page, page.shots[shot], at)), "with a sentence"
    here = picture(second, second.shots[0], 1.0)
    assert np.array_equal(here, picture(replace(second, beside=(None, None)), second.shots[0], 1.0))
    for time in (0.25, 0.5, 0.75):
        assert len(np.unique(picture(second, last, time))) > 50, "it is never empty"


def picture(passage, shot, time):
    return still(scene_of(passage, DARK), shot, time, (480, 270))


@pytest.mark.parametrize("row", ["torus-2d"])
def test_what_a_camera_would_cut_is_left_out(row):
    """Chips for all steps, and counts of bytes, are of the stage as a whole."""
    board = usual_board(record("all_reduce", row, ranks=16 if row == "torus-2d" else 8), sheet=FILM)
    near = next(shot for shot in steps_of(board).shots if shot.moment.camera[1])
    camera = camera_of(board, near.moment.camera, 1.0)
    uncut = camera.uncut(board.scenery)
    assert board.scenery.chips and not uncut.chips and not uncut.words
    whole = camera_of(board, ((), ()), 1.0)
    assert whole.uncut(board.scenery) == board.scenery
    knots = usual_board(record("all_reduce", "double-binary-tree", ranks=8), sheet=FILM).scenery
    assert camera.uncut(knots).chips == tuple(c for c in knots.chips if c.node is not None) != ()
