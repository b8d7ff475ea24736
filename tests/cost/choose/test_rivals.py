"""Algorithms beside those they were made to beat: by the clock, at their best."""

from functools import cache

import numpy as np
import pytest
from each import each
from settings import sampled

import collectives
from collectives import ROWS, record
from collectives.catalog import find_row, rivals_of
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.ports import take_turns
from collectives.cost.choose.rivals import CLOSE, SAME, _venue, lead, rivalries
from collectives.cost.choose.setup import Setup, resized, sized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.seats import to_and_fro
from collectives.cost.machines.topology import changed
from collectives.cost.machines.usual import named_machine, usual_machine, usual_size

COMPARED = [row for row in ROWS if row.pairs is None]
PIPELINES = ("double-binary-tree", "nvls")
CASES = [row for row in COMPARED if "chunks" not in row.parameters]
SOME = [*sampled(CASES, 3), *(find_row("all_reduce", name) for name in PIPELINES)]


def title(row):
    return row.title


@cache
def found(row, ranks=8):
    """The recording at its usual size, its machine, and its rivalries there."""
    recording = record(row.collective, row.algorithm, ranks=ranks)
    if recording.collective.moves_data:
        size = usual_size(recording.chunk_count)
        recording = resized(recording, size, recording.dtype)
    machine = usual_machine(recording)
    return recording, machine, rivalries(recording, machine)


def timed(entry, size, machine, ranks, best=False):
    """The timing of an algorithm with the chunks it was given or the best, recorded anew."""
    chunks = entry.recording.chunks if entry.chunks else None
    if entry.chunks and best:
        chunks = best_chunks(entry.row, ranks, size, Setup(lambda _: machine)).best
    given = entry.row.taken(entry.recording.parameters)
    again = record(
        entry.row.collective,
        entry.row.algorithm,
        ranks=ranks,
        count=size,
        dtype="uint8",
        chunks=chunks,
        parameters=given,
    )
    return collectives.time(again, seated(again, machine))


def seated(recording, machine):
    """The machine, through whose grid a ring goes from neighbor to neighbor."""
    return to_and_fro(machine) if recording.algorithm == "ring" else machine


def seconds(entry, size, machine, ranks):
    """The same, its time."""
    return timed(entry, size, machine, ranks).total


def test_each_collective_has_one_classic_algorithm_and_each_row_a_rival_that_is_another():
    for row in COMPARED:
        classic = [other for other in ROWS if other.collective == row.collective and other.classic]
        assert len(classic) == 1, row.title
        assert rivals_of(row) and row not in rivals_of(row), row.title
        assert all(rival.collective == row.collective for rival in rivals_of(row))
        assert not (row.classic and not row.against), row.title


@pytest.mark.parametrize(
    ("collective", "algorithm", "rivals"),
    [
        ("all_reduce", "hierarchical", "ring"),
        ("all_reduce", "nvls", "ring"),
        ("all_reduce", "rabenseifner", "recursive-doubling ring"),
        ("all_reduce", "double-binary-tree", "ring tree"),
        ("all_reduce", "swing", "ring rabenseifner"),
        ("all_reduce", "two-shot", "flat ring"),
        ("all_gather", "pat", "bruck ring"),
        ("all_to_all", "bruck", "pairwise"),
        ("broadcast", "bine", "tree"),
    ],
)
def test_rivals_are_those_of_the_sources(collective, algorithm, rivals):
    row = find_row(collective, algorithm)
    assert " ".join(rival.algorithm for rival in rivals_of(row)) == rivals


@each("row", SOME, title, few=12)
def test_what_is_said_of_both_is_what_time_gives_and_who_is_behind_wins_elsewhere(row):
    if not row.accepts(8):
        return
    recording, machine, rivals = found(row)
    size = recording.count * recording.dtype.itemsize
    assert rivals
    for rivalry in rivals:
        times = [seconds(each, size, machine, 8) for each in (rivalry.own, rivalry.other)]
        assert [rivalry.own.seconds, rivalry.other.seconds] == pytest.approx(times, rel=1e-9)
        apart = (times[0] - times[1]) / max(times)
        assert rivalry.order == (0 if abs(apart) <= SAME else 1 if apart > 0 else -1)
        win = rivalry.elsewhere
        behind = rivalry.order >= 0 or rivalry.close
        assert win is None or (behind and rivalry.turn is None)
        if rivalry.there:
            faster, slower = rivalry.there[:: -1 if rivalry.order <= 0 else 1]
            assert faster.seconds < slower.seconds * (1 - CLOSE), row.title
        if win is not None:
            assert win.own.seconds < win.other.seconds * (1 - CLOSE), row.title
            few = record(row.collective, row.algorithm, ranks=win.ranks)
            there = named_machine(few, win.machine)
            if "chunks" not in (*row.parameters, *rivalry.other.row.parameters):
                again = [
                    record(one.collective, one.algorithm, ranks=win.ranks)
                    if not win.size
                    else record(
                        one.collective,
                        one.algorithm,
                        ranks=win.ranks,
                        count=win.size,
                        dtype="uint8",
                        parameters=one.taken(few.parameters),
                    )
                    for one in (row, rivalry.other.row)
                ]
                again = [collectives.time(one, seated(one, there)) for one in again]
                times = [win.own.seconds, win.other.seconds]
                assert times == pytest.approx([one.total for one in again])


@each("row", sampled([row for row in CASES if row.promise.moves_data], 4), title)
def test_on_both_sides_of_the_size_the_clock_says_the_same(row):
    """Where messages of a port take turns; the algorithm that is named is ahead without, too."""
    _, machine, rivals = found(row) if row.accepts(8) else (None, None, ())
    for rivalry in rivals:
        for share in (0.5, 0.9, 1.1, 2) if rivalry.turn else ():
            size = int(rivalry.turn * share) // 64 * 64
            pair = [
                timed(each, size, machine, 8, best=True) for each in (rivalry.own, rivalry.other)
            ]
            own, other = (take_turns(each).in_turn for each in pair)
            assert (other < own) == (rivalry.below == (share < 1)), (row.title, share)
            if rivalry.order >= 0 and other > own:
                assert pair[0].total < pair[1].total, (row.title, share)
            if rivalry.order < 0 and own > other:
                assert pair[1].total < pair[0].total, (row.title, share)


def test_the_switch_wins_with_the_chunks_that_are_best_and_the_two_trees_below_a_size():
    nvls = found(find_row("all_reduce", "nvls"))[2][0]
    assert nvls.own.chunks > 32 and nvls.order == -1
    assert nvls.own.seconds < 0.75 * nvls.other.seconds
    ring, tree = found(find_row("all_reduce", "double-binary-tree"))[2]
    assert (ring.order, ring.below, tree.order) == (1, False, -1)
    assert ring.turn and ring.turn < 64 << 20


def test_who_is_ahead_only_by_messages_that_start_at_once_is_not_said_to_win():
    flat = found(find_row("all_to_all", "flat"))[2][0]
    assert (flat.order, flat.by_turns, flat.at_once, flat.turn) == (-1, True, 7, None)
    assert (flat.elsewhere.machine, flat.elsewhere.ranks) == ("hgx-h100", 8) and flat.close
    tree = found(find_row("barrier", "tree"))[2][0]
    assert (tree.order, tree.by_turns) == (1, True)


def test_a_size_where_only_turns_of_messages_change_who_is_ahead_is_not_named():
    multicast = found(find_row("all_reduce", "multicast"))[2][0]
    assert multicast.other.row.algorithm == "flat"
    assert (multicast.order, multicast.turn) == (1, None)


def test_schedules_of_no_row_and_of_no_data_have_no_rival():
    mine = record(
        record("all_reduce", "ring", ranks=4).steps, "mine", collective="all_reduce", ranks=4
    )
    assert not rivalries(mine, usual_machine(mine))
    nothing = record("all_reduce", "ring", ranks=4, count=0)
    assert not rivalries(nothing, usual_machine(nothing))
    alone = record("all_reduce", "ring", ranks=1)
    assert not rivalries(alone, usual_machine(alone))


def test_an_algorithm_for_a_short_rank_wins_where_a_rank_is_short():
    """There rank 2 has half its bandwidth; timed on that machine itself."""
    recording = record("all_reduce", "short-rank", ranks=8, parameters={"short": 2}, count=1 << 24)
    (rivalry,) = rivalries(recording, usual_machine(recording))
    win = rivalry.elsewhere
    assert rivalry.order == 1 and win is not None and win.short == 2
    machine = usual_machine(recording)
    near = (machine.src == 2) | (machine.dst == 2)
    slower = changed(machine, bandwidth=np.where(near, machine.bandwidth / 2, machine.bandwidth))
    ring = lockstep(sized(find_row("all_reduce", "ring"), 8, win.size), slower).total
    assert win.own.seconds < win.other.seconds == pytest.approx(ring)


@pytest.mark.parametrize(
    ("collective", "algorithm"),
    [("broadcast", "tree"), ("broadcast", "flat"), ("reduce", "knomial"), ("all_reduce", "flat")],
)
def test_nobody_is_ahead_below_a_size_only_because_messages_start_at_once(collective, algorithm):
    recording, machine, rivals = found(find_row(collective, algorithm))
    for rivalry in rivals:
        if rivalry.turn is None:
            continue
        for size in (rivalry.turn // 4, 4 * rivalry.turn):
            first, second = sorted(
                (
                    _venue(machine, 8, 0, recording.parameters).entry(each.row, size)
                    for each in (rivalry.own, rivalry.other)
                ),
                key=lambda each: each.turns.in_turn,
            )
            own_first = first.row is rivalry.own.row
            assert own_first == ((size < rivalry.turn) != rivalry.below)
            assert first.turns.in_turn < second.turns.in_turn


def test_no_tree_for_the_whole_vector_is_compared_with_what_nobody_runs():
    for collective in ("broadcast", "reduce", "all_reduce"):
        assert [row.algorithm for row in rivals_of(find_row(collective, "tree"))] == ["ring"]


def test_between_two_sizes_an_algorithm_is_ahead_of_all_its_rivals():
    recording, machine, every = found(find_row("broadcast", "van-de-geijn"))
    low, high = lead(recording, machine)
    for size, ahead in (
        (0.97 * low, False),
        (1.03 * low, True),
        (0.97 * high, True),
        (1.03 * high, False),
    ):
        sides = [every[0].own, *(rivalry.other for rivalry in every)]
        own, *rivals = (timed(side, int(size), machine, 8, best=True).total for side in sides)
        assert (own < min(rivals)) == ahead, size
    recording, machine, _ = found(find_row("all_reduce", "ring"))
    assert lead(recording, machine) is None
