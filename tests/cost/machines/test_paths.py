"""Paths that are searched for: the fewest hops, spread over equals by destination."""

from itertools import product

import numpy as np
import pytest

from collectives import record
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.toml_file import parse_topology
from collectives.cost.machines.topology import from_links

ACROSS = [(one, other) for one, other in product(range(16), repeat=2) if one // 4 != other // 4]


def leaves(spines):
    """Four leaves of four ranks each, and spines that every leaf is joined to."""
    below = ", ".join(f'[{rank}, "switch {rank // 4}"]' for rank in range(16))
    above = ", ".join(
        f'["switch {leaf}", "switch {4 + spine}"]' for leaf in range(4) for spine in range(spines)
    )
    return parse_topology(
        f"ranks = 16\nswitches = {4 + spines}\n"
        f'[[link]]\nbetween = [{below}]\nbandwidth = "400GB/s"\nlatency = "0us"\n'
        f'[[link]]\nbetween = [{above}]\nbandwidth = "25GB/s"\nlatency = "0us"\n'
    )


def hops(nodes, src, dst):
    """The fewest hops between all nodes, by way of each node in turn."""
    far = np.full((nodes, nodes), np.inf)
    far[np.arange(nodes), np.arange(nodes)] = 0
    far[src, dst] = np.where(src == dst, 0, 1)
    for middle in range(nodes):
        far = np.minimum(far, far[:, middle, None] + far[None, middle])
    return far


def walked(made, path):
    """The nodes on a path."""
    assert (made.dst[path[:-1]] == made.src[path[1:]]).all()
    return [int(made.src[path[0]]), *made.dst[path].tolist()]


@pytest.mark.parametrize("algorithm", ["flat", "pairwise"])
def test_two_spines_carry_as_much_as_each_other(algorithm):
    made = leaves(2)
    run = record("all_to_all", algorithm, ranks=16, count=16 * 10**6, dtype="uint8")
    trunk = lockstep(run, made).link_bytes[made.bandwidth == 25e9]
    assert set(trunk.tolist()) == {len(ACROSS) * 10**6 // 8}


def test_two_spines_take_half_the_time_of_one():
    run = record("all_to_all", "flat", ranks=16, count=16 * 10**6, dtype="uint8")
    one, two = (lockstep(run, leaves(spines)).total for spines in (1, 2))
    assert one == pytest.approx(4 * 12 * 10**6 / 25e9, rel=1e-12)
    assert two == pytest.approx(one / 2, rel=1e-12)


def test_it_is_said_where_there_is_a_choice():
    rule = "of several shortest paths, the destination's number chooses"
    assert rule in leaves(2).describe() and rule not in leaves(1).describe()


@pytest.mark.parametrize("seed", range(12))
def test_every_path_has_the_fewest_hops_and_goes_by_the_destination(seed):
    random = np.random.default_rng(seed)
    nodes = int(random.integers(3, 14))
    ring = np.arange(nodes)
    src = np.concatenate([ring, random.integers(0, nodes, 4 * nodes)])
    dst = np.concatenate([(ring + 1) % nodes, random.integers(0, nodes, 4 * nodes)])
    made = from_links("any", [("rank", nodes)], src, dst, 1e-6, 1e9)
    far = hops(nodes, src, dst)
    for one, other in product(range(nodes), repeat=2):
        path = made.paths([one], [other]).link
        assert len(path) == far[one, other]
        at, left = one, other
        for link in path.tolist():
            equal = [
                k for k in range(len(src)) if src[k] == at and far[dst[k], other] < far[at, other]
            ]
            assert link == equal[left % len(equal)]
            at, left = int(dst[link]), left // len(equal)
        assert at == other


def test_ranks_with_two_leaves_reach_every_spine():
    """What one leaf gets, every other destination, goes over both spines all the same."""
    ranks, leaf, spine = range(8), (8, 9), (10, 11)
    far = [node + 6 for node in leaf]  # leaves of the other eight ranks, 12 to 15 behind them
    ends = [(rank, one) for rank in ranks for one in leaf]
    ends += [(one, top) for one in (*leaf, *far) for top in spine]
    ends += [(one, rank) for one in far for rank in range(16, 24)]
    both = np.array(ends + [pair[::-1] for pair in ends]).T
    made = from_links("dual rail", [("rank", 24)], *both, 1e-6, 1e9)
    used = {tuple(walked(made, made.paths([0], [rank]).link)[1:3]) for rank in range(16, 24)}
    assert used == set(product(leaf, spine))


def test_two_cables_side_by_side_are_both_used():
    made = from_links("pair", [("rank", 2)], [0, 0, 1, 1], [1, 1, 0, 0], 1e-6, 1e9)
    assert made.paths([0, 1], [1, 0]).link.tolist() == [1, 2]
