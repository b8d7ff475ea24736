"""Faults: what they cost, that a seed decides it, where a dead link stops a schedule."""

import math

import numpy as np
import pytest
from each import each, row_title
from settings import SOME_ROWS, taken

from collectives import BadInput, record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs, LogGP
from collectives.cost.machines import topology
from collectives.cost.machines.faults import (
    dead_link,
    jittery,
    late_rank,
    slow_link,
    slow_rank,
    stall,
)

ALPHA, BETA = 5e-6, 2e-11
RING = record("all_reduce", "ring", ranks=6, count=6000, dtype="uint8")
MACHINE = topology("crossbar", 6, latency=ALPHA, bandwidth=1 / BETA)
WHOLE = 10 * (ALPHA + 1000 * BETA)


def close(one, other):
    return math.isclose(one, other, rel_tol=1e-12)


def test_one_slow_link_slows_a_ring_in_every_step():
    """On a ring all wait for the slow link, of less bandwidth; chunk after chunk comes through."""
    made = topology("ring", 6, latency=ALPHA, bandwidth=1 / BETA)
    slow = slow_link(made, 2, 3, 400.0)
    most = 10 * (ALPHA + 400 * 1000 * BETA)
    assert close(lockstep(RING, slow).total, most)
    assert close(dataflow(RING, made).total, WHOLE)
    assert 0.8 * most < dataflow(RING, slow).total <= most * (1 + 1e-12)
    assert np.array_equal(slow.latency, made.latency)


def test_a_slow_rank_is_slow_in_all_it_does():
    costs = Costs(gamma=1e-9)
    made, slower = slow_rank(MACHINE, costs, 4, 3.0)
    assert slower.slowness == {4: 3.0}
    step = ALPHA / 2 + 3 * ALPHA / 2 + 3 * 1000 * BETA
    assert close(lockstep(RING, made).total, 10 * step)
    assert close(lockstep(RING, made, slower).total, 10 * step + 5 * 3 * 1000e-9)
    assert slow_rank(made, slower, 4, 2.0)[1].slowness == {4: 6.0}


def test_a_late_rank_is_waited_for():
    late = late_rank(Costs(), 3, 1e-3)
    assert close(lockstep(RING, MACHINE, late).total, 1e-3 + WHOLE)
    timing = dataflow(RING, MACHINE, late)
    assert 1e-3 + WHOLE * 0.5 < timing.total <= 1e-3 + WHOLE
    assert timing.idle[0] > 0.9e-3


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("name", ["crossbar", "torus-2d"])
def test_same_seed_same_times(clock, name):
    tree = record("all_reduce", "recursive-doubling", ranks=8, count=8000, dtype="uint8")
    made = topology(name, 8)
    times = [clock(tree, made, jittery(Costs(), 1e-6, seed)).total for seed in (1, 1, 2)]
    assert times[0] == times[1] != times[2]
    one, two = (clock(tree, made, jittery(Costs(), 1e-6, 1)) for _ in range(2))
    assert (one.messages.end == two.messages.end).all() and (one.idle == two.idle).all()
    plain = clock(tree, made).total
    assert plain < times[0] < plain + 3 * 1e-6 * 3


def test_jitter_draws_as_many_numbers_as_there_are_messages():
    steps = lockstep(RING, MACHINE, jittery(Costs(), 1e-6, 7))
    assert len(np.unique((steps.step_end - steps.step_start).round(12))) == len(RING.steps)
    assert dataflow(RING, MACHINE, jittery(Costs(), 1e-6, 7)).total == pytest.approx(
        59.0e-6, rel=0.1
    )


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("name", ["ring", "crossbar"])
def test_nothing_arrives_over_a_dead_link(clock, name):
    made = topology(name, 6)
    dead = dead_link(made, 2, 3 if name == "ring" else 6)
    timing = clock(RING, dead)
    assert timing.total == math.inf
    stalled = stall(RING, dead)
    assert stalled is not None and (stalled.step, stalled.src, stalled.dst) == (1, 2, 3)
    assert stalled.waits[3] == (2, 1) and stalled.waits[4] == (3, 2)
    assert str(stalled).startswith("step 1: rank 2's message never reaches rank 3; ")
    assert stall(RING, made) is None


def test_a_dead_link_that_nobody_uses_does_not_matter():
    chain = record("broadcast", "ring", ranks=6)
    assert stall(chain, dead_link(topology("ring", 6), 5, 0)) is None
    assert np.isfinite(lockstep(chain, dead_link(topology("ring", 6), 5, 0)).total)


def test_a_dead_link_stops_even_an_empty_message():
    barrier = record("barrier", "dissemination", ranks=4)
    dead = dead_link(topology("crossbar", 4), 1, 4)
    for costs in (Costs(), Costs(loggp=LogGP(1e-6, 1e-6, 1e-6, 1e-9))):
        for clock in (lockstep, dataflow):
            assert clock(barrier, dead, costs).total == math.inf
    shared = record("barrier", "dissemination", ranks=8)
    dead = dead_link(topology("ring", 8, half_duplex=True), 1, 2)
    assert dataflow(shared, dead).total == lockstep(shared, dead).total == math.inf


def test_empty_messages_that_share_a_dead_link_never_arrive():
    """In the second step 0→2 and 1→3 both go over the link in the middle."""
    barrier = record("barrier", "recursive-doubling", ranks=4)
    dead = dead_link(topology("line", 4), 1, 2)
    for clock in (lockstep, dataflow):
        assert clock(barrier, dead).total == math.inf
    assert stall(barrier, dead).step == 2


def test_sentences_of_many_ranks_are_short():
    chain = record("broadcast", "ring", ranks=64, chunks=1)
    stalled = stall(chain, dead_link(topology("ring", 64), 1, 2))
    assert stalled is not None and len(str(stalled)) < 500 and len(stalled.waits) == 62
    assert "54 more wait" in str(stalled)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: slow_link(MACHINE, 0, 1, 2.0), "crossbar has no link rank 0 → rank 1; try: "),
        (lambda: slow_link(MACHINE, 0, 99, 2.0), "node 99: must be at most 6; try: 6"),
        (lambda: slow_link(MACHINE, 0, 6, 0.0), "factor 0.0: must be above 0"),
        (lambda: slow_link(MACHINE, 0, 6, math.nan), "factor nan: must be a number, neither"),
        (lambda: slow_rank(MACHINE, Costs(), 6, 2.0), "rank 6: must be at most 5; try: 5"),
        (lambda: late_rank(Costs(), 0, -1.0), "lateness -1.0 s: must not be negative; try: 0"),
        (lambda: jittery(Costs(), math.inf), "jitter inf"),
        (lambda: jittery(Costs(), 1.0, -1), "seed -1: must be at least 0"),
        (lambda: Costs(gamma=-1.0), "gamma -1.0"),
        (lambda: Costs(eager=2**70), "eager"),
        (lambda: LogGP(1.0, math.nan, 0.0, 0.0), "o nan"),
    ],
)
def test_bad_faults_are_refused_in_one_line(call, says):
    with pytest.raises(BadInput) as told:
        call()
    assert says in str(told.value) and "\n" not in str(told.value)


@each("row", SOME_ROWS, row_title)
def test_a_stall_names_the_dead_link_and_only_ranks_that_wait(row):
    recording = record(row.collective, row.algorithm, ranks=taken(row, 4))
    if recording.nodes > recording.ranks:
        return  # its switches have no place on this machine
    machine = topology("fully-connected", recording.ranks)
    for src, dst in recording.counters.links.tolist():
        found = stall(recording, dead_link(machine, src, dst))
        uses = [((step.src == src) & (step.dst == dst)).any() for step in recording.steps]
        assert (found.step, found.src, found.dst) == (uses.index(True) + 1, src, dst)
        assert found.waits[dst] == (src, found.step)
        assert f"rank {src}'s message never reaches rank {dst};" in str(found)


def test_who_sends_over_a_dead_link_does_not_wait_for_what_has_come():
    """Rank 1 has rank 0's sum and cannot add it, as it still sends its own."""
    pairs = record("all_reduce", "recursive-doubling", ranks=4)
    found = stall(pairs, dead_link(topology("fully-connected", 4), 1, 0))
    assert found.waits == {0: (1, 1), 2: (0, 2), 3: (1, 2)}
