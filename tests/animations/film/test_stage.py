"""What the Manim stage draws, read back from its mobjects, is the recording's state."""

import numpy as np
import pytest

pytest.importorskip("manim")

from contents import held
from each import each
from samples import case_title, pairs

from animations.film.shapes import UNIT
from animations.film.shots import Keyframe
from animations.film.stage import Stage
from animations.stages.trips import trips
from animations.story.drawing import PAGE
from animations.story.storyboard import proved_storyboard
from collectives import record
from collectives.schedule.step import rows

SIZES = range(1, 17)


def off_page(points):
    """Manim's coordinates as pixels of the page, [points, 2]."""
    return np.stack([points[:, 0] * UNIT + PAGE[0] / 2, PAGE[1] / 2 - points[:, 1] * UNIT], axis=1)


def rectangles(mobject):
    """Center and size of each rectangle in a mobject of merged rectangles."""
    corners = off_page(mobject.points).reshape(-1, 16, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    return np.concatenate([(low + high) / 2, high - low], axis=1)


def drawn(stage):
    """{(node, well, ink)} from the geometry of the settled marks alone."""
    board, bars = stage.board, stage.board.scenery.fold.bars
    cards = board.scenery.cards
    places = [(n, w, card.cell(w)) for n, card in enumerate(cards) for w in range(_wells(card))]
    node, well = np.array([(n, w) for n, w, _ in places]).T
    left, top, right, bottom = np.array([(b.left, b.top, b.right, b.bottom) for *_, b in places]).T
    found = set()
    for ink, mobject in enumerate(stage.stripes):
        x, y = rectangles(mobject)[:, :2, None].swapaxes(0, 1)
        stripe, at = np.nonzero((left < x) & (x < right) & (top < y) & (y < bottom))
        assert stripe.tolist() == list(range(len(x))), "a stripe lies in no cell, or in two"
        height = (y[:, 0] - top[at]) / (bottom - top)[at] * bars
        whole = board.scenery.whole or board.scenery.table
        assert whole or (height.astype(int) == ink % bars).all(), "a stripe at another's height"
        found.update((int(n), int(w), ink) for n, w in zip(node[at], well[at], strict=True))
    return found


def _wells(card):
    return len(card.shape.cells)


@each(("row", "ranks"), [*pairs(SIZES, 1), *pairs([17, 24, 32], 1)], case_title)
def test_stage_equals_recording(row, ranks):
    """At every step up to 16 ranks, beyond at the start, at the end and at some between."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    if board.scenery.table:
        return  # test_matrix_equals_the_recording
    stage, total = Stage(board), len(recording.steps)
    some = {0, total // 3, total // 2, total} & set(range(total + 1))
    for step in range(total + 1) if ranks <= 16 else sorted(some):
        stage.show(Keyframe(step))
        assert drawn(stage) == held(recording, board.scenery.fold, step)
        assert all(len(mobject.points) == 0 for mobject in stage.moving)


@each(("row", "ranks"), pairs([2, 5, 8, 16], 1), case_title)
def test_parcels_are_the_transfers_of_the_step(row, ranks):
    """They leave the cells that are read, arrive in those that are written, and carry the data."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    stage, fold = Stage(board), board.scenery.fold
    if board.scenery.table:
        return
    for number, step in enumerate(recording.steps, 1):
        transfers = list(rows(step.unrolled()))
        stage.show(Keyframe(number, landed=False))
        assert drawn(stage) == held(recording, fold, number - 1), "the step has not landed yet"
        found = trips(board.scenery, board.frames[number - 1])
        if any(len(trip.columns) < len(_wells_of(board, number, trip)) for trip in found):
            continue  # so many chunks that only some are drawn
        for time, ends in ((0.0, _sources(board, transfers)), (1.0, _targets(board, transfers))):
            stage.travel(time)
            boxes = np.concatenate([rectangles(mobject) for mobject in stage.moving[2:4]])
            shown = sorted({(round(x, 1), round(y, 1)) for x, y, *_ in boxes.tolist()})
            assert np.allclose(shown, sorted(ends), atol=0.2), f"step {number} at {time}"


def _wells_of(board, number, trip):
    frame, well = board.frames[number - 1], board.scenery.fold.well
    moves = (frame.moves[i] for i in frame.parcels[trip.parcel].moves)
    return {(well[move.chunk], well[move.into]) for move in moves}


def _sources(board, transfers):
    cells = {board.scenery.cell(src, chunk) for src, _, chunk, *_ in transfers}
    return {(round(cell.x, 1), round(cell.y, 1)) for cell in cells}


def _targets(board, transfers):
    cells = {board.scenery.cell(dst, into) for _, dst, _, into, *_ in transfers}
    return {(round(cell.x, 1), round(cell.y, 1)) for cell in cells}


def wanted(recording, node, slot):
    """Whose data a cell must hold to be complete; -1, which nothing is, where nothing is due."""
    apart = recording.collective.separate_buffers
    if node >= recording.ranks and recording.precondition[:, slot].any():
        return recording.precondition[:, slot]  # a switch or server can hold no more than there is
    if (
        node >= recording.ranks
        or slot >= recording.promised_slots
        or (apart and slot < recording.chunk_count)
    ):
        return np.full(recording.ranks, -1)
    if recording.collective.required is None:
        return recording.precondition[:, slot]
    due, rank = recording.required, np.arange(recording.ranks)
    some = (due.first[node, slot] <= rank) & (rank < due.end[node, slot])
    return some & recording.precondition[:, due.origin[node, slot]]


@each(("row", "ranks"), pairs([65, 72], 1), case_title)
def test_matrix_equals_the_recording(row, ranks):
    """At the start, the end and some steps between."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    assert board.view == "matrix"
    stage = Stage(board)
    due = np.array(
        [[wanted(recording, n, s) for s in range(board.slots)] for n in range(board.nodes)]
    )
    total = len(recording.steps)
    for step in sorted({0, 1, total // 2, total - 1, total} & set(range(total + 1))):
        stage.show(Keyframe(step))
        times = recording.state(step).times
        held = times if recording.collective.exactly_once else times > 0
        whole = (held == due).all(axis=2)
        marks = drawn(stage)
        assert {mark[:2] for mark in marks} == set(
            zip(*map(np.ndarray.tolist, np.nonzero(times.sum(axis=2))), strict=True)
        )
        complete = len(stage.stripes) - 1
        assert all((ink == complete) == whole[node, slot] for node, slot, ink in marks)


@pytest.mark.parametrize("time", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_traveling_changes_nothing_settled(time):
    stage = Stage(proved_storyboard(record("all_reduce", "ring", ranks=8)))
    stage.show(Keyframe(3, landed=False))
    before = [mobject.points.copy() for mobject in (*stage.still, *stage.settled)]
    stage.travel(time)
    for old, mobject in zip(before, (*stage.still, *stage.settled), strict=True):
        np.testing.assert_array_equal(old, mobject.points)
