"""Cells that no later step reads and nobody was promised or had, against a look ahead."""

import numpy as np
import pytest
from samples import sample, title

from animations.stages.choose import MOST_ROUTED
from animations.story.compose import proved_storyboard
from collectives import ROWS, record, send
from collectives.schedule.step import rows

EVERY = [(row, ranks) for row in ROWS for ranks in sample(row, (2, 3, 5, 8), 1)]
EVERY = [(row, n) for row, n in EVERY if n <= MOST_ROUTED or not row.promise.routed]  # no matrix


def matters(later, promised, at):
    """Whether the content of a cell is read before it is lost, or lasts and is promised."""
    for step in later:
        transfers = list(rows(step.unrolled()))
        if any((src, chunk) == at for src, _, chunk, *_ in transfers):
            return True
        needed = zip(step.unrolled().src.tolist(), step.unrolled().needed.tolist(), strict=True)
        if at in needed:
            return True
        if any((dst, into) == at and not adds for _, dst, _, into, _, adds in transfers):
            return False
    return at in promised


def ends(step):
    """The cells that a step writes."""
    return {(dst, into) for _, dst, _, into, *_ in rows(step.unrolled())}


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_stale_cells_are_of_no_use_later(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    promised, steps = set(board.promised), recording.steps
    gone = recording.collective.reduces or recording.collective.name == "all_to_all"
    gone |= not recording.precondition.any(axis=1).all()
    owned = {(int(rank), int(slot)) for rank, slot in np.argwhere(recording.precondition)}
    if board.scenery.table:  # no room to mark cells
        assert not board.used
        return
    for done in {0, 1, len(steps) // 2, max(0, len(steps) - 1), len(steps)}:
        done = min(done, len(steps))
        written = {end for step in steps[:done] for end in ends(step)}
        useless = {
            at
            for at in board.cells(done)
            if not matters(steps[done:], promised, at)
            and (gone or at not in owned or at in written)
        }
        assert board.stale(done) == useless, done


def test_a_sum_that_was_passed_on_is_stale_until_the_result_comes_back():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    assert [len(board.stale(step)) for step in range(7)] == [0, 4, 8, 12, 8, 4, 0]
    assert {(0, 3), (1, 3), (2, 3)} <= board.stale(3)


def test_the_data_of_a_reduce_is_stale_once_it_was_sent():
    board = proved_storyboard(record("reduce", "flat", ranks=3))
    assert board.stale(0) == set()
    assert board.stale(1) == {(1, 0), (2, 0)}


def test_a_root_that_deals_out_chunks_loses_them_like_those_that_pass_them_on():
    board = proved_storyboard(record("scatter", "tree", ranks=8))
    left = [{0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3}, {0, 1}, {0}]
    for step, chunks in enumerate(left):
        assert {chunk for rank, chunk in board.stale(step) if rank == 0} == {*range(8)} - chunks


def test_a_slot_that_a_transfer_was_computed_from_is_in_use():
    steps = [send(0, 1, 0, into=1), send(1, 1, 1, into=0), send(1, 2, 0, needs=1)]
    board = proved_storyboard(record(steps, collective="broadcast", ranks=3, slots=1, scratch=1))
    assert [sorted(board.stale(step)) for step in range(4)] == [[], [], [], [(1, 1)]]
