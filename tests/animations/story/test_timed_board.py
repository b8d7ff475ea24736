"""Moves in modeled time: what has landed at any moment is what was executed up to it."""

from math import inf

import numpy as np
import pytest
from samples import case_title, pairs
from settings import sampled

from animations.story.compose import proved_storyboard
from animations.story.timed_board import timed_board_of
from collectives import record
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link, slow_link

FREE = Costs()
TROUBLE = Costs(jitter=3e-6, seed=5, arrivals={1: 2e-5})
CASES = sampled(pairs(range(2, 10)), 2)


def timed_board(name, algorithm, ranks, machine="crossbar", clock=dataflow, costs=FREE, **more):
    """The flights of a row of the catalog, with the storyboard's own proof."""
    recording = record(name, algorithm, ranks=ranks, **more)
    board = proved_storyboard(recording)
    machine = topology_for(recording, machine) if isinstance(machine, str) else machine
    return timed_board_of(board, clock(recording, machine, costs))


@pytest.mark.parametrize("case", CASES, ids=map(case_title, CASES))
def test_the_last_state_is_the_executed_one_by_every_clock(case):
    row, ranks = case
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    machine, last = topology_for(recording, "crossbar"), len(board.frames)
    for clock, costs in ((dataflow, FREE), (dataflow, TROUBLE), (lockstep, TROUBLE)):
        found = timed_board_of(board, clock(recording, machine, costs))
        assert found.cells(found.seconds) == board.cells(last)
        assert found.done(found.seconds) == found.begun(found.seconds) == last
        assert found.cells(-1.0) == board.start
        assert found.under_way(found.seconds) == ()
        assert found.seconds == found.timing.total
    for number in range(1, last + 1):  # of the lockstep clock
        end, following = found.timing.step_end[number - 1], found.timing.step_end[number:]
        if not len(following) or following[0] - end > found.rounding:  # a step that takes time
            assert found.cells(end) == board.cells(number), number


@pytest.mark.parametrize("machine", ["ring", "torus-2d"])
def test_links_that_are_shared_end_in_the_executed_state_too(machine):
    found = timed_board("all_to_all", "pairwise", 8, machine, costs=TROUBLE)
    assert found.cells(found.seconds) == found.board.cells(len(found.board.frames))


def test_sums_grow_as_messages_land_one_after_another():
    found = timed_board("reduce", "flat", 6, costs=TROUBLE)
    messages, seen = found.timing.messages, set()
    for now in np.linspace(0, found.seconds, 50):
        landed = {
            int(src) for src, end in zip(messages.src, messages.end, strict=True) if end <= now
        }
        held = set(found.cells(float(now))[0, 0].held)
        assert held == {0} | landed
        seen.add(len(held))
    assert seen == set(range(1, 7)), "each message lands alone"


def test_steps_overlap_without_barriers():
    late = Costs(arrivals={3: 5e-5})
    ring = timed_board("all_reduce", "ring", 6, costs=late)
    most = max(len(ring.under_way(float(now))) for now in np.linspace(0, ring.seconds, 99))
    assert most > 1
    locked = timed_board("all_reduce", "ring", 6, clock=lockstep, costs=late)
    assert all(
        len(locked.under_way(float(now))) < 2 for now in np.linspace(0, 1.1 * ring.seconds, 99)
    )
    assert locked.under_way(4e-5) == () == locked.under_way(-1.0)


def test_messages_that_are_under_way_have_begun_and_not_ended():
    slow = slow_link(topology("ring", 4), 1, 2, 3)
    ring = timed_board("all_reduce", "ring", 4, slow, count=1 << 22)
    messages = ring.timing.messages
    for now in np.linspace(0.003, 0.989, 37) * ring.seconds:
        on = (messages.start <= now) & (now < messages.end)
        keys = zip(messages.step[on] + 1, messages.src[on], messages.dst[on], strict=True)
        assert ring.moving(now) == {(int(k), (int(a), int(b))) for k, a, b in keys}
        assert ring.under_way(now) == tuple(sorted({step for step, _ in ring.moving(now)}))
        assert ring.done(now) < min(ring.under_way(now), default=inf)


def test_behind_a_dead_link_nothing_lands():
    found = timed_board("broadcast", "ring", 4, dead_link(topology("ring", 4), 1, 2), chunks=1)
    assert found.is_endless
    assert 0 < found.seconds < inf
    for now in (found.seconds, 100 * found.seconds):
        assert set(found.cells(now)) == {(0, 0), (1, 0)}
        assert found.under_way(now) == (2,)
        assert found.done(now) == 1


def test_moments_may_come_in_any_order():
    found = timed_board("all_reduce", "bruck", 5, costs=TROUBLE)
    times = np.linspace(0, found.seconds, 20).tolist()
    forward = [found.cells(now) for now in times]
    assert [found.cells(now) for now in reversed(times)] == forward[::-1]


@pytest.mark.parametrize("clock", [dataflow, lockstep])
def test_where_not_even_the_first_message_arrives_time_runs_as_long_as_of_one(clock):
    machine = dead_link(topology("ring", 4), 0, 1)
    found = timed_board("broadcast", "ring", 4, machine, clock, count=1 << 20, chunks=1)
    assert not found.landings
    assert machine.latency.max() < found.seconds < 1e-3


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("collective", ["all_reduce", "all_gather"])
def test_one_ring_is_drawn_by_the_clock_of_all_channels(collective, clock):
    recording = record(collective, "ring", ranks=8, count=256)
    machine = topology("cluster", 8, gpus=4)
    timing = timed_as_run(recording, machine, clock)
    assert timing.recording.setting.channels == 4 and timing.asked is recording
    board = proved_storyboard(recording, machine)
    found = timed_board_of(board, timing)
    assert found.seconds == timing.total
    for number, end in enumerate(timing.step_end.tolist(), 1):
        if clock is lockstep or number == len(timing.step_end):
            assert found.cells(end) == board.cells(number), number
    sent = np.array(found.sent(found.seconds))
    assert (sent == timing.recording.counters.bytes_sent).all()
    assert "1 of 4 channels" in board.subtitle
    assert board.counters[2].label == "time on cluster, 4 channels"
    assert board.counters[0].label == "steps (1 port a rank)"  # of what is drawn
    assert board.counters[2].values[-1] == lockstep(timing.recording, machine).total


def test_all_channels_are_drawn_where_they_are_asked_for():
    recording = record("all_reduce", "ring", ranks=8, parameters={"channels": 4})
    board = proved_storyboard(recording, topology("cluster", 8, gpus=4))
    assert "channels 4" in board.subtitle and "1 of" not in board.subtitle
    links = {(each.src, each.dst) for frame in board.frames for each in frame.transfers}
    assert len(links) == 16  # inside nodes, and from every rank to the other node
    one = proved_storyboard(record("all_reduce", "ring", ranks=8))
    assert "channel" not in one.subtitle  # on a crossbar
