"""A page behind a dead link ends in the state at which its film stands, with who waits for whom."""

from math import inf

import pytest

from animations.player.pack.data import story
from animations.story.compose import proved_storyboard
from animations.story.halted import up_to_standstill
from animations.story.message_times import TICKS
from animations.story.timed_board import timed_board_of
from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link

CASES = [
    ("broadcast", "ring", 4, lockstep, ["0, 3 → 2 ✕ 1"]),
    ("all_reduce", "ring", 6, dataflow, ["1 → 0 → 5 → 4 → 3 → 2 ✕ 1"]),
    ("all_reduce", "rabenseifner", 8, dataflow, []),
    ("all_gather", "bruck", 5, lockstep, []),
    ("broadcast", "flat", 4, dataflow, []),
    ("reduce_scatter", "recursive_halving", 4, dataflow, []),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{case[3].__name__}")
def test_the_last_state_is_that_of_the_film_and_all_that_arrived_did_so_in_time(case):
    collective, algorithm, ranks, clock, rows = case
    recording, machine = record(collective, algorithm, ranks=ranks), topology("ring", ranks)
    machine = dead_link(machine, 1, 2)
    timing = clock(recording, machine)
    assert timing.total == inf
    board = proved_storyboard(recording, machine, time=lambda _: [timing])
    timed_board, shown = timed_board_of(board, timing), up_to_standstill(board)
    cells = dict(shown.start)
    for frame in shown.frames:
        cells |= frame.cells
    assert {at: cell for at, cell in cells.items() if cell.held} == {
        at: cell for at, cell in timed_board.cells(timed_board.seconds).items() if cell.held
    }
    (times,) = shown.times
    assert times.total == timed_board.seconds
    assert [len(ticks) for ticks in times.steps] == [2 * len(f.transfers) for f in shown.frames]
    lost = {(transfer.src, transfer.dst) for transfer in shown.frames[-1].transfers}
    assert (timed_board.standstill.src, timed_board.standstill.dst) in lost
    assert set(times.steps[-1][1::2]) == {TICKS}
    assert all(tick < TICKS for ticks in times.steps[:-1] for tick in ticks)
    data = story(shown)
    assert data["clock"] == clock.__name__
    assert data["title"] == board.title
    assert [data["wrong"]["text"]] == (rows or [data["wrong"]["text"]])
    assert shown.wrong is not None and not shown.wrong.breaks_promise


def test_what_ends_stays_as_it_is():
    board = proved_storyboard(record("broadcast", "ring", ranks=4))
    assert up_to_standstill(board) is board


def test_where_every_link_is_dead_the_first_message_is_lost():
    recording, machine = record("broadcast", "tree", ranks=2), topology("ring", 2)
    machine = dead_link(dead_link(machine, 0, 1), 1, 0)
    timing = dataflow(recording, machine)
    shown = up_to_standstill(proved_storyboard(recording, machine, time=lambda _: [timing]))
    assert [(transfer.src, transfer.dst) for transfer in shown.frames[-1].transfers] == [(0, 1)]
    assert shown.counters[-1].bound is None
