"""What the Manim stage draws, read back from its mobjects, is the recording's state."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

pytest.importorskip("manim")

from animations.story.layout import VIEWS
from each import each
from samples import case_title, pairs

from animations.film.shapes import UNIT
from animations.film.shots import Keyframe
from animations.film.stage import Stage
from animations.story.drawing import PAGE
from animations.story.storyboard import proved_storyboard
from collectives import record
from collectives.schedule.step import rows

SIZES = range(1, 17)


def striped(cases):
    """The cases with at most as many chunks as stripes are drawn for; others are levels."""
    chunk_count = [(row, ranks, row.chunk_count(row.setting(ranks))) for row, ranks in cases]
    return [(row, ranks) for row, ranks, number in chunk_count if number <= VIEWS["stripes"]]


def off_page(points):
    """Manim's coordinates as pixels of the page, [points, 2]."""
    return np.stack([points[:, 0] * UNIT + PAGE[0] / 2, PAGE[1] / 2 - points[:, 1] * UNIT], axis=1)


def rectangles(mobject):
    """Center and size of each rectangle in a mobject of merged rectangles."""
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


@each(("row", "ranks"), striped(pairs(SIZES)), case_title)
def test_stage_equals_recording_at_every_step(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    stage = Stage(proved_storyboard(recording))
    for step in range(len(recording.steps) + 1):
        stage.show(Keyframe(step))
        assert drawn(stage) == held(recording, step)
        assert all(len(mobject.points) == 0 for mobject in stage.moving)


@each(("row", "ranks"), striped(pairs([2, 5, 8, 16], 1)), case_title)
def test_moving_chunks_are_the_transfers_of_the_step(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    stage = Stage(board)
    for number, step in enumerate(recording.steps, 1):
        transfers = list(rows(step.unrolled()))
        first = board.frames[number - 1].followed
        stage.show(Keyframe(number, landed=False))
        assert drawn(stage) == held(recording, number - 1), "the step has not landed yet"
        for time, end in ((0.0, 0), (1.0, 1)):
            stage.travel(time)
            boxes = np.concatenate([_chunks(stage.hero), _chunks(stage.others)])
            expected = [
                board.layout.cell(*((dst, into) if end else (src, chunk)))
                for src, dst, chunk, into, _, _ in transfers
            ]
            expected.insert(0, expected.pop(first))
            centers = np.array([(box.x, box.y) for box in expected])
            np.testing.assert_allclose(boxes[:, :2], centers, atol=0.01)
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


def found_by_place(board):
    """A function from a point to the one cell it lies in: (node, slot) and the cell's box."""
    boxes = {at: board.layout.cell(*at) for at in np.ndindex(board.nodes, board.slots)}
    wide = max(box.width for box in boxes.values()) + 1
    high = max(box.height for box in boxes.values()) + 1
    near = defaultdict(set)  # cells by the fields of a grid that their corners are in
    for at, box in boxes.items():
        for x, y in product((box.left, box.right), (box.top, box.bottom)):
            for more in (-0.01, 0.01):
                near[(x + more) // wide, (y + more) // high].add((at, box))

    def find(x, y):
        (found,) = (
            (at, box)
            for at, box in near[x // wide, y // high]
            if box.left - 0.01 < x < box.right + 0.01 and box.top - 0.01 < y < box.bottom + 0.01
        )
        return found

    return find


def levels_drawn(stage, find):
    """{(node, slot): (share of the cell's height, complete)} from the bars' geometry alone."""
    found = {}
    for ink, mobject in enumerate(stage.stripes):
        for x, y, _, height in rectangles(mobject).tolist():
            at, box = find(x, y)
            assert at not in found, "two bars in one cell"
            found[at] = (height / box.height, ink == len(stage.stripes) - 1)
    return found


@each(("row", "ranks"), pairs([17, 32, 64, 65], 1), case_title)
def test_levels_and_matrix_equal_the_recording(row, ranks):
    """At the start, the end and some steps between: every row on one number of ranks, few on all.

    Which number it is differs from row to row, so bars and matrix are both seen of every kind.
    """
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    fits = ranks <= 64 and max(recording.nodes, recording.chunk_count) <= 64
    assert board.view == ("levels" if fits else "matrix")
    stage, find = Stage(board), found_by_place(board)
    due = np.array(
        [[wanted(recording, n, s) for s in range(board.slots)] for n in range(board.nodes)]
    )
    total = len(recording.steps)
    for step in sorted({0, 1, total // 2, total - 1, total} & set(range(total + 1))):
        stage.show(Keyframe(step))
        times = recording.state(step).times
        held = times if recording.collective.exactly_once else times > 0
        whole, shares = (held == due).all(axis=2), held.sum(axis=2) / board.most_required
        drawn = levels_drawn(stage, find)
        assert set(drawn) == set(
            zip(*map(np.ndarray.tolist, np.nonzero(times.sum(axis=2))), strict=True)
        )
        for at, (share, complete) in drawn.items():
            assert complete == whole[at], at
            if board.view == "levels":
                assert abs(share - min(1, shares[at])) <= 0.03, at


@pytest.mark.parametrize("time", [0.0, 0.3, 0.5, 0.9, 1.0])
def test_traveling_changes_nothing_settled(time):
    stage = Stage(proved_storyboard(record("all_reduce", "ring", ranks=8)))
    stage.show(Keyframe(3, landed=False))
    before = [mobject.points.copy() for mobject in (*stage.still, *stage.settled)]
    stage.travel(time)
    for old, mobject in zip(before, (*stage.still, *stage.settled), strict=True):
        np.testing.assert_array_equal(old, mobject.points)
