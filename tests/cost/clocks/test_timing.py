"""What the clocks tell beside the total, and random cases held against the slow clocks."""

import math
import random
from itertools import pairwise

import numpy as np
import pytest
from cost.clocks import slow
from cost.clocks.slow import slow_machine
from each import each
from settings import SOME_ROWS, recorded, sampled, settings

from collectives import ROWS, BadInput, record
from collectives.cost.clocks.busy import joined
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import slow_link
from collectives.cost.machines.topology import changed

CASES = [(row, s) for row in SOME_ROWS for s in settings(row, (3, 4, 5, 8), all_roots=False)]


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-12, abs_tol=1e-18)


MACHINES = [
    ("crossbar", {}),
    ("crossbar", {"ports": 2}),
    ("crossbar", {"half_duplex": True}),
    ("ring", {}),
    ("ring", {"half_duplex": True}),
    ("line", {}),
    ("torus-2d", {}),
    ("torus-3d", {}),
    ("fully-connected", {}),
    ("pcie-box", {"gpus_per_switch": 2}),
    ("cluster", {"gpus": 2, "nics": 1, "leaf": 1, "oversubscription": 2.0}),
    ("cluster", {"gpus": 2, "leaf": 1, "rails": 1}),
    ("switch-tree", {}),
    ("hgx-h100", {}),
]


def random_case(seed):
    """A small recording on a machine with small whole figures, so that many things tie."""
    pick = random.Random(seed)
    while True:
        row, n = pick.choice(ROWS), pick.choice([2, 3, 4, 5, 6, 8])
        name, parameters = pick.choice(MACHINES)
        if not row.accepts(n):
            continue
        recording = record(
            row.collective,
            row.algorithm,
            ranks=n,
            root=pick.randrange(n) if row.promise.rooted else 0,
            chunks=pick.choice([1, 2, 3]) if "chunks" in row.parameters else None,
            count=0 if row.collective == "barrier" else pick.choice([0, 5, 24, 37, 120]),
            dtype="uint8",
        )
        try:
            made = topology_for(recording, name, **parameters)
            made.paths(*made.placement(n, recording.nodes)[recording.counters.links].T)
        except BadInput:
            continue  # does not fit
        late = [pick.choice([0.0, 1.0, 2.0]) for _ in range(made.links)]
        fast = [pick.choice([1.0, 2.0, 3.0]) for _ in range(made.links)]
        if pick.random() < 0.5:
            late, fast = [1.0] * made.links, [2.0] * made.links
        made = changed(made, latency=np.array(late), bandwidth=np.array(fast))
        costs = Costs(
            latency=pick.choice([0.0, 1.5]),
            gamma=pick.choice([0.0, 0.5]),
            arrivals={pick.randrange(n): 7.25} if pick.random() < 0.3 else {},
        )
        return recording, made, costs


@each("seed", sampled(range(200), 3))
def test_the_clocks_are_those_of_the_slow_ones(seed):
    recording, made, costs = random_case(seed)
    machine = slow_machine(made, recording)
    placement = made.placement(recording.ranks, recording.nodes)
    gamma = [0.0 if "switch" in made.kind_of(seat) else costs.gamma for seat in placement.tolist()]
    wanted = slow.dataflow(recording, machine, costs.latency, gamma, costs.arrivals)
    assert math.isclose(dataflow(recording, made, costs).total, wanted, rel_tol=1e-9)
    plain = Costs(latency=costs.latency, gamma=costs.gamma)
    wanted = slow.lockstep(recording, machine, costs.latency, gamma)
    assert math.isclose(lockstep(recording, made, plain).total, wanted, rel_tol=1e-9)


def test_messages_are_in_the_order_of_the_schedule_and_sum_up():
    for seed in range(40):
        recording, made, costs = random_case(seed)
        for clock in (lockstep, dataflow):
            timing = clock(recording, made, costs)
            every = timing.messages
            assert len(every) == recording.counters.messages
            assert (np.diff(every.step) >= 0).all()
            assert (every.start <= every.sent).all() and (every.sent <= every.end).all()
            assert every.size.sum() == sum(recording.bytes_sent)
            assert len(timing.step_start) == len(timing.step_end) == len(recording.steps)
            for step in np.unique(every.step):
                mine = every.step == step
                assert math.isclose(every.end[mine].max(), timing.step_end[step]) or costs.gamma
                assert math.isclose(every.start[mine].min(), timing.step_start[step])


def busy_by_counting(timing):
    """Busy seconds of each node, by asking at every moment between two events."""
    every = timing.messages
    moments = np.unique(np.concatenate([every.start, every.sent, every.end]))
    busy = np.zeros(timing.recording.nodes)
    for begin, end in pairwise(moments):
        middle = (begin + end) / 2
        for node in range(timing.recording.nodes):
            out = (every.src == node) & (every.start <= middle) & (middle < every.sent)
            into = (every.dst == node) & (every.start <= middle) & (middle < every.end)
            busy[node] += (end - begin) * (out.any() or into.any())
    return busy


def test_idle_is_what_is_neither_sent_nor_received():
    for seed in range(60):
        recording, made, costs = random_case(seed)
        if costs.gamma:
            continue
        for clock in (lockstep, dataflow):
            timing = clock(recording, made, costs)
            assert np.allclose(timing.busy, busy_by_counting(timing))
            assert np.allclose(timing.idle, timing.total - timing.busy[: recording.ranks])


def test_runs_of_equal_steps_are_timed_as_one_by_one():
    """Jitter of nothing but a seed has every step timed by itself; every third case of all."""
    for row, setting in CASES[::3]:
        recording = recorded(row, setting, dtype="uint8")
        machine = topology_for(recording, "crossbar")
        for clock in (lockstep, dataflow):
            quick, careful = (
                clock(recording, machine),
                clock(recording, machine, Costs(jitter=1e-30)),
            )
            assert close(quick.total, careful.total), (row, setting)
            assert np.allclose(quick.messages.end, careful.messages.end, rtol=1e-12)
            assert np.allclose(quick.busy, careful.busy, rtol=1e-11)


def test_bytes_of_links_are_those_of_their_paths():
    recording = record("all_to_all", "pairwise", ranks=6, count=60, dtype="uint8")
    made = topology("ring", 6)
    wanted = np.zeros(made.links, int)
    for messages, _ in slow.messages_of(recording):
        for m in messages:
            for link in made.paths([m.src], [m.dst]).link:
                wanted[link] += int(m.size)
    timing = dataflow(recording, made)
    assert timing.link_bytes.tolist() == wanted.tolist()
    assert np.allclose(timing.link_seconds, wanted / made.bandwidth)
    assert (timing.link_use <= 1 + 1e-12).all()


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("half", [False, True])
def test_a_full_cable_is_busy_all_the_time_also_where_both_directions_share_it(clock, half):
    recording = record("all_reduce", "ring", ranks=4, count=4 * 10**6, dtype="uint8")
    made = topology("crossbar", 4, latency=0.0, half_duplex=half)
    assert np.allclose(clock(recording, made).link_use, 1, rtol=1e-9)


def test_an_empty_direction_of_a_cable_is_not_busy():
    """The ring that goes round one way leaves the other directions of its links empty."""
    recording = record("all_reduce", "ring", ranks=4, count=4 * 10**6, dtype="uint8")
    timing = lockstep(recording, topology("ring", 4, latency=0.0, half_duplex=True))
    used = timing.link_bytes > 0
    assert used.sum() == 4 and np.allclose(timing.link_use, np.where(used, 1, 0))


def test_a_slow_direction_of_a_cable_is_as_busy_as_its_bytes_take():
    recording = record("all_reduce", "ring", ranks=2, count=4 * 10**6, dtype="uint8")
    made = slow_link(topology("crossbar", 2, latency=0.0, half_duplex=True), 0, 2, 4)
    assert np.isclose(lockstep(recording, made).link_use.max(), 1)


def test_an_interval_within_another_adds_nothing():
    assert joined([0, 1, 5, 7, 9], [4, 2, 6, 8, 9]) == [(0, 4), (5, 6), (7, 8)]
    assert joined([0, 4], [4, 5]) == [(0, 5)]
