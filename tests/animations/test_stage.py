"""What the Manim stage draws, read back from its mobjects, is the recording's state."""

import numpy as np
import pytest

pytest.importorskip("manim")

from samples import pairs, title

from animations.layout import VIEWS
from animations.shapes import off_page
from animations.sheet import Moment
from animations.stage import Stage
from animations.storyboard import storyboard
from collectives import record
from collectives.schedule.step import rows

SIZES = range(1, 17)


def striped(cases):
    """The cases with at most as many chunks as stripes are drawn for; others are levels."""
    pieces = [(row, ranks, row.pieces(row.setting(ranks))) for row, ranks in cases]
    return [(row, ranks) for row, ranks, number in pieces if number <= VIEWS["stripes"]]


def rectangles(mobject):
    """Centre and size of each rectangle in a mobject of merged rectangles."""
    corners = off_page(mobject.points).reshape(-1, 16, 2)
    low, high = corners.min(axis=1), corners.max(axis=1)
    return np.concatenate([(low + high) / 2, high - low], axis=1)


def drawn(stage):
    """{(node, slot, rank)} from the geometry of the settled stripes alone."""
    board = stage.board
    boxes = [[board.layout.cell(n, s) for s in range(board.slots)] for n in range(board.nodes)]
    cells = np.array([[(b.left, b.top, b.right, b.bottom) for b in row] for row in boxes])
    found = set()
    for rank, mobject in enumerate(stage.stripes):
        x, y = rectangles(mobject)[:, :2, None, None].swapaxes(0, 1)
        inside = (
            (cells[..., 0] < x) & (x < cells[..., 2]) & (cells[..., 1] < y) & (y < cells[..., 3])
        )
        stripe, node, slot = np.nonzero(inside)
        assert stripe.tolist() == list(range(len(x))), "a stripe lies in no cell, or in two"
        top, bottom = cells[node, slot, 1], cells[node, slot, 3]
        height = (y[:, 0, 0] - top) / (bottom - top) * board.ranks
        whole = board.layout.whole
        assert whole or (height.astype(int) == rank).all(), (
            "a stripe stands at another rank's height"
        )
        found.update((int(n), int(s), rank) for n, s in zip(node, slot, strict=True))
    return found


def held(recording, step):
    """{(node, slot, rank)} from the recording."""
    return set(zip(*map(np.ndarray.tolist, np.nonzero(recording.state(step).times)), strict=True))


@pytest.mark.parametrize(("row", "ranks"), striped(pairs(SIZES)), ids=title)
def test_stage_equals_recording_at_every_step(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    stage = Stage(storyboard(recording))
    for step in range(len(recording.steps) + 1):
        stage.show(Moment(step))
        assert drawn(stage) == held(recording, step)
        assert all(len(mobject.points) == 0 for mobject in stage.moving)


@pytest.mark.parametrize(("row", "ranks"), striped(pairs([2, 5, 8, 16], 1)), ids=title)
def test_moving_chunks_are_the_transfers_of_the_step(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = storyboard(recording)
    stage = Stage(board)
    for number, step in enumerate(recording.steps, 1):
        transfers = list(rows(step.unrolled()))
        stage.show(Moment(number, landed=False))
        assert drawn(stage) == held(recording, number - 1), "the step has not landed yet"
        for time, end in ((0.0, 0), (1.0, 1)):
            stage.travel(time)
            boxes = np.concatenate([_chunks(stage.hero), _chunks(stage.others)])
            expected = [
                board.layout.cell(*((dst, into) if end else (src, chunk)))
                for src, dst, chunk, into, _, _ in transfers
            ]
            centres = np.array([(box.x, box.y) for box in expected])
            np.testing.assert_allclose(boxes[:, :2], centres, atol=0.01)
        before = recording.state(number - 1).times
        for rank, mobject in enumerate(stage.flying):
            carrying = sum(before[src, chunk, rank] for src, _, chunk, *_ in transfers)
            assert len(rectangles(mobject)) == carrying
        signs = rectangles(stage.signs).reshape(-1, 2, 4)
        crossed = np.abs(signs[:, 0, :2] - signs[:, 1, :2]).max(axis=1) < 0.01
        assert crossed.tolist() == [adds for *_, adds in transfers], "+ where it adds, else ="


def _chunks(mobject):
    corners = off_page(mobject.points).reshape(-1, 32, 2)
    return (corners.min(axis=1) + corners.max(axis=1)) / 2


def wanted(recording, node, slot):
    """Whose data a cell must hold to be complete; -1, which nothing is, where nothing is due."""
    apart = recording.collective.apart
    if node >= recording.ranks or slot >= recording.places or (apart and slot < recording.pieces):
        return np.full(recording.ranks, -1)
    if recording.collective.due is None:
        return recording.before[:, slot]
    due, rank = recording.due, np.arange(recording.ranks)
    some = (due.first[node, slot] <= rank) & (rank < due.end[node, slot])
    return some & recording.before[:, due.origin[node, slot]]


def levels_drawn(stage):
    """{(node, slot): (share of the cell's height, complete)} from the bars' geometry alone."""
    board = stage.board
    cells = [(n, s) for n in range(board.nodes) for s in range(board.slots)]
    boxes = [board.layout.cell(*at) for at in cells]
    low = np.array([(box.left, box.top) for box in boxes]) - 0.01
    high = np.array([(box.right, box.bottom) for box in boxes]) + 0.01
    found = {}
    for ink, mobject in enumerate(stage.stripes):
        for x, y, _, height in rectangles(mobject):
            inside = ((low < (x, y)) & ((x, y) < high)).all(axis=1)
            (at,) = np.flatnonzero(inside)
            assert cells[at] not in found, "two bars in one cell"
            found[cells[at]] = (height / boxes[at].height, ink == len(stage.stripes) - 1)
    return found


@pytest.mark.parametrize(("row", "ranks"), pairs([17, 32, 64, 65], 1), ids=title)
def test_levels_and_matrix_equal_the_recording(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = storyboard(recording)
    fits = ranks <= 64 and max(recording.nodes, recording.pieces) <= 64
    assert board.view == ("levels" if fits else "matrix")
    stage = Stage(board)
    total = len(recording.steps)
    for step in sorted({0, 1, total // 3, total // 2, total - 1, total} & set(range(total + 1))):
        stage.show(Moment(step))
        times = recording.state(step).times
        drawn = levels_drawn(stage)
        assert set(drawn) == set(
            zip(*map(np.ndarray.tolist, np.nonzero(times.sum(axis=2))), strict=True)
        )
        for (node, slot), (share, complete) in drawn.items():
            held = times[node, slot] if recording.collective.once else times[node, slot] > 0
            assert complete == (held == wanted(recording, node, slot)).all(), (node, slot)
            if board.view == "levels":
                assert share == pytest.approx(min(1, int(held.sum()) / board.most), abs=0.03)


@pytest.mark.parametrize("time", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_travelling_changes_nothing_settled(time):
    stage = Stage(storyboard(record("all_reduce", "ring", ranks=8)))
    stage.show(Moment(3, landed=False))
    before = [mobject.points.copy() for mobject in (*stage.still, *stage.settled)]
    stage.travel(time)
    for old, mobject in zip(before, (*stage.still, *stage.settled), strict=True):
        np.testing.assert_array_equal(old, mobject.points)
