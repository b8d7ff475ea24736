"""Amdahl, efficiency, the communication wall and the bandwidth it takes: limits and round trips."""

import math

import pytest

from collectives.cost.machines.links import Link
from collectives.training import scaling
from collectives.training.gradients import sync_seconds

NDR = Link("NDR", 50e9, 5e-6)


def test_the_limits_of_amdahl():
    assert [scaling.amdahl(part, 8) for part in (0, 1)] == [8, 1]
    assert scaling.amdahl_limit(0.01) == 100 and scaling.amdahl_limit(0) == math.inf
    assert scaling.amdahl(0.01, 10**12) == pytest.approx(100)


@pytest.mark.parametrize("ranks", [1, 2, 8, 1024])
def test_strong_scaling_is_amdahls_where_synchronization_takes_a_fixed_time(ranks):
    """Serial seconds that no rank shares are what a fixed synchronization is."""
    serial, parallel = 0.02, 0.98
    found = scaling.strong_scaling(parallel, lambda ranks: serial, ranks)
    if ranks > 1:
        one_rank = scaling.amdahl(serial, ranks) * parallel  # against 1 s, not 0.98 s
        assert found.speedup == pytest.approx(one_rank)
    assert found.seconds == pytest.approx(parallel / found.speedup)


def test_weak_scaling_loses_what_synchronization_takes():
    assert scaling.weak_scaling(3.0, lambda ranks: 1.0, 1).efficiency == 1
    found = scaling.weak_scaling(3.0, lambda ranks: 1.0, 16)
    assert (found.efficiency, found.speedup, found.seconds) == (0.75, 12, 4)


@pytest.mark.parametrize("most", [1, 2, 7, 100, 5000])
def test_the_wall_is_the_first_number_of_ranks_above_it(most):
    def compute(ranks):
        return 1.0 / ranks

    def sync(ranks):
        return sync_seconds(1e6, ranks, NDR)

    found = scaling.communication_wall(compute, sync, most)
    above = [ranks for ranks in range(2, most + 1) if sync(ranks) > compute(ranks)]
    assert found == (above[0] if above else None)
    assert (found is None) == (most < 313)


def test_one_rank_alone_hits_no_wall():
    assert scaling.communication_wall(lambda ranks: 1.0, lambda ranks: 2.0, 1) is None
    assert scaling.communication_wall(lambda ranks: 1.0, lambda ranks: 2.0, 2) == 2


def test_no_wall_where_nothing_is_sent():
    assert scaling.communication_wall(lambda ranks: 1.0, lambda ranks: 0.0, 1 << 20) is None


@pytest.mark.parametrize("goal", [0.1, 0.5, 0.9, 0.99])
@pytest.mark.parametrize("algorithm", ["ring", "tree"])
def test_the_minimum_bandwidth_reaches_just_the_efficiency(goal, algorithm):
    size, ranks, compute, latency, hidden = 14e9, 8, 0.2, 1e-6, 0.01
    least = scaling.minimum_bandwidth(size, ranks, compute, goal, latency, hidden, algorithm)
    took = sync_seconds(size, ranks, Link("it", least, latency), algorithm)
    assert scaling.efficiency(compute, took - hidden) == pytest.approx(goal)


def test_the_bandwidth_at_which_communication_takes_as_long_as_compute():
    """1.75 x 14 GB in 3.5 ms are 56,000 Gb/s."""
    assert scaling.minimum_bandwidth(14e9, 8, 3.5e-3, 0.5) * 8 == pytest.approx(56_000e9)


def test_dollars():
    assert scaling.dollars_per_step(30, 8, 0.031) == pytest.approx(30 * 8 * 0.031 / 3600)
    assert scaling.dollars_per_step(0, 8, 1) == 0
