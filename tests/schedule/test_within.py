"""A schedule on every row of a matrix of ranks at once."""

from itertools import islice

import numpy as np
import pytest

from collectives import WrongSchedule, pipelined, record, reduce, send, together, transposed, within
from collectives.algorithms import ring
from collectives.schedule import merged
from collectives.schedule.columns import constant

PATH = [send(0, 1), send(1, 2)]


def lines(schedule):
    """The rows of each step as text, without the numbers of the steps."""
    return [str(step) for step in schedule]


@pytest.mark.parametrize(
    ("ranks", "first", "width", "expected"),
    [
        ([5, 7], 0, 1, "5→7 =0   7→5 +2..3:4..5"),
        ([5, 7], 10, 1, "5→7 =10   7→5 +12..13:14..15"),
        ([5, 7], 0, 3, "5→7 =0..2   7→5 +6..11:12..17"),
        ([5, 7], 1, 3, "5→7 =1..3   7→5 +7..12:13..18"),
        ([[0, 1], [2, 3]], 0, 1, "0→1 =0   1→0 +2..3:4..5   2→3 =0   3→2 +2..3:4..5"),
        ([[0, 2], [1, 3]], [0, 6], 1, "0→2 =0   2→0 +2..3:4..5   1→3 =6   3→1 +8..9:10..11"),
        ([[0, 2], [1, 3]], [0, 12], 2, "0→2 =0..1   2→0 +4..7:8..11   1→3 =12..13   3→1 +16.."),
    ],
)
def test_within_maps_nodes_and_slots(ranks, first, width, expected):
    step = merged([send(0, 1), reduce(1, 0, 2, 4, 2)])
    assert lines(within(ranks, [step], first, width))[0].startswith(expected)


def test_within_maps_every_row_to_its_stamp():
    step = merged([send(0, 1), reduce(1, 0, 2, 4, 2)])
    (mapped,) = within([[0, 1], [2, 3]], [step])
    assert mapped.origin.tolist() == [0, 1, 0, 1]


def test_each_stamp_has_the_ranks_of_the_innermost_groups():
    inner = within([[0, 1], [2, 3]], [send(0, 1)])
    (nested,) = within([[0, 2, 4, 6], [1, 3, 5, 7]], inner)
    assert nested.grouped == (((0, 2), (4, 6), (1, 3), (5, 7)),)
    alone, again = pipelined(within([4, 5], PATH[:1]), range(2))
    assert alone.grouped == again.grouped == (((4, 5),),)
    (both,) = together(within([0, 1], PATH[:1]), [send(2, 3)])
    assert both.grouped == (((0, 1),), ()) and both.select([1]).grouped == both.grouped
    (turned,) = transposed(within([0, 1], PATH[:1]))
    assert turned.grouped == (((0, 1),),)
    _, part = pipelined(together(within([0, 1, 2], PATH), [send(4, 5)]), [0])
    assert part.grouped == (((0, 1, 2),),)
    assert send(0, 1).groups == () and send(0, 1).grouped == ((),)


def test_within_follows_a_schedule_that_changes_who_talks_to_whom():
    steps = [send(0, 1), send(0, 1, 1), send(1, 0), send(0, 2), send([0, 1], 2), send([1, 0], 2)]
    assert lines(within([[3, 4, 5], [6, 7, 8]], steps, first=[0, 9])) == [
        "3→4 =0   6→7 =9",
        "3→4 =1   6→7 =10",
        "4→3 =0   7→6 =9",
        "3→5 =0   6→8 =9",
        "3→5 =0   4→5 =0   6→8 =9   7→8 =9",
        "4→5 =0   3→5 =0   7→8 =9   6→8 =9",
    ]


def test_within_keeps_what_is_the_same_in_all_rows_stored_once():
    rank = np.arange(12).reshape(3, 4)
    first, second = within(rank, islice(ring.ring_all_gather(4), 2), width=5)
    assert first.src is second.src
    assert first.dst is second.dst
    assert [constant(column) for column in (first.count, first.reduces, first.origin)] == [5, 0, 0]
    assert len(first.count) == len(first) == 12


def test_within_refuses_a_node_it_meets_later():
    with pytest.raises(WrongSchedule, match="within: node 3 of a row of 2 nodes"):
        list(within([[0, 1], [2, 3]], [send(0, 1), send(0, 3)]))


@pytest.mark.parametrize("node", [2, -1])
def test_within_refuses_nodes_the_rows_do_not_have(node):
    with pytest.raises(WrongSchedule, match=f"within: node {node} of a row of 2 nodes"):
        list(within([[0, 1], [2, 3]], [send(0, node)]))


@pytest.mark.parametrize(
    ("ranks", "first", "problem"),
    [
        ([0.5, 1.5], 0, "ranks must be integers"),
        ([[0, 1], [2]], 0, "ranks is ragged"),
        ([0, 1], 0.5, "first must be integers"),
        ([[0, 1], [2, 3]], [0, 1, 2], "first of shape"),
        (np.zeros((2, 2, 2), int), 0, r"ranks of shape \(2, 2, 2\)"),
    ],
)
def test_within_refuses_what_is_no_matrix_of_ranks(ranks, first, problem):
    with pytest.raises(WrongSchedule, match=problem):
        list(within(ranks, PATH, first))


@pytest.mark.parametrize(("nodes", "gpus"), [(1, 3), (2, 4), (3, 3), (4, 2)])
def test_a_hierarchical_all_reduce_is_made_with_within(nodes, gpus):
    rank = np.arange(nodes * gpus).reshape(nodes, gpus)

    def hierarchical_all_reduce():
        yield from within(rank, ring.ring_reduce_scatter(gpus), width=nodes)
        yield from within(rank.T, ring.ring_all_reduce(nodes), first=np.arange(gpus) * nodes)
        yield from within(rank, ring.ring_all_gather(gpus), width=nodes)

    recording = record(
        hierarchical_all_reduce(), collective="all_reduce", ranks=rank.size, slots=rank.size
    )
    assert recording.check()
    assert recording.counters.steps == 2 * (gpus - 1) + 2 * (nodes - 1)
