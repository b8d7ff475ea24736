"""Paths that are searched for: fewest hops, then fastest, spread over equals by destination."""

import time
from itertools import pairwise, product

import numpy as np
import pytest

from collectives import record
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.faults import dead_link, slow_link
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
    rule = "of equal shortest paths, the destination's number chooses"
    assert rule in leaves(2).describe() and rule not in leaves(1).describe()


NODES = """
ranks = 16
switches = 3            # one in each node, and a leaf
[[link]]
between = [{inside}]
bandwidth = "450GB/s"
latency = "0.5us"
priority = {first}
[[link]]
between = [{outside}]
bandwidth = "{wire}"
latency = "{late}"
priority = {second}
"""


def two_nodes(wire="50GB/s", late="1us", first=0, second=0):
    """Two nodes of eight GPUs at an NVSwitch each, and all at a leaf switch too."""
    inside = ", ".join(f'[{rank}, "switch {rank // 8}"]' for rank in range(16))
    outside = ", ".join(f'[{rank}, "switch 2"]' for rank in range(16))
    figures = {"wire": wire, "late": late, "first": first, "second": second}
    return parse_topology(NODES.format(inside=inside, outside=outside, **figures))


def within_and_across():
    """All pairs of ranks of two nodes, and whether they are in the same one."""
    src, dst = np.nonzero(~np.eye(16, dtype=bool))
    return src, dst, src // 8 == dst // 8


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"wire": "450GB/s", "late": "1us"},  # slower by its latency
        {"wire": "900GB/s", "first": 1},
        {"wire": "900GB/s", "second": -1},
    ],
)
def test_what_stays_in_a_node_takes_its_fast_switch(options):
    made = two_nodes(**options)
    src, dst, within = within_and_across()
    middle = made.dst[made.paths(src, dst).first]
    assert (middle == np.where(within, 16 + src // 8, 18)).all()


def test_a_priority_forces_the_slower_way_and_a_longer_one():
    src, dst, _ = within_and_across()
    made = two_nodes(second=1)
    assert set(made.dst[made.paths(src, dst).first].tolist()) == {18}
    text = (
        'ranks = 2\nswitches = 3\n[[link]]\nbetween = [[0, 1]]\nkind = "nvlink4"\npriority = {}\n'
        '[[link]]\nbetween = [[0, "switch 0"], ["switch 0", "switch 1"], ["switch 1", "switch 2"],'
        ' ["switch 2", 1]]\nkind = "pcie4"'
    )
    for first, hops in ((-1, 4), (0, 1), (1, 1)):
        assert len(parse_topology(text.format(first)).paths([0], [1]).link) == hops


def test_the_middle_of_a_way_decides_by_its_priority():
    """Links of a lower priority at both ends, which all ways have, leave the choice to others."""
    ends = [(0, 2), (2, 4), (4, 3), (2, 5), (5, 3), (3, 1)]
    both = np.array(ends).T
    for first in (3, 1):  # the link from one of the spines
        priority = np.zeros(6, int)
        priority[first] = 1
        kinds = [("rank", 2), ("switch", 4)]
        made = from_links("two spines", kinds, *both, 1e-6, 1e9, priority=priority)
        assert made.src[made.paths([0], [1]).link].tolist()[2] == ends[first][1]


@pytest.mark.parametrize("seed", range(8))
def test_paths_of_the_largest_bandwidth_then_the_least_latency_are_taken(seed):
    """Against a recursion over every way, on random layers of few bandwidths and latencies."""
    random = np.random.default_rng(seed)
    layers = [range(4), range(4, 7), range(7, 10), range(10, 14)]
    ends = [pair for a, b in pairwise(layers) for pair in product(a, b)]
    late, fast = (random.choice(some, len(ends)) for some in ([1, 2, 3], [1e9, 2e9]))
    made = from_links("layers", [("rank", 14)], *np.array(ends).T, late * 1e-6, fast)

    def fastest(node, goal):
        """The bandwidth of the best way, and its negative latency."""
        onward = [
            (min(fast[k], wide), early - late[k])
            for k, (src, dst) in enumerate(ends)
            if src == node and (goal == dst or dst < 10)
            for wide, early in (fastest(dst, goal),)
        ]
        return (np.inf, 0) if node == goal else max(onward)

    for one, other in product(layers[0], layers[-1]):
        path = made.paths([one], [other]).link
        assert (fast[path].min(), -late[path].sum()) == fastest(one, other)


def test_it_is_said_where_ways_as_short_differ_in_speed():
    told = two_nodes().describe()
    assert told.endswith(
        "paths as short differ in speed: to rank 0 messages take rank 1 → switch 0 (450 GB/s, "
        "1 µs), not rank 1 → switch 2 (50 GB/s, 2 µs); the priority of links changes that"
    )
    assert "destination's number" not in told  # no switch of a node is left by ways as short
    for made in (leaves(2), leaves(1), two_nodes(first=1), two_nodes("450GB/s", "0.5us")):
        assert "differ in speed" not in made.describe()


def test_faults_do_not_change_the_paths():
    src, dst, _ = within_and_across()
    made = two_nodes()
    slow = slow_link(dead_link(made, 0, 16), 1, 16, 100)
    assert np.array_equal(slow.paths(src, dst).link, made.paths(src, dst).link)


def test_ranks_at_one_switch_share_the_search():
    """4,096 ranks at 64 leaves: the search is made for leaves."""
    ranks, leaf = np.arange(4096), 4096 + np.arange(64)
    src = np.append(ranks, np.repeat(leaf, 16))
    dst = np.append(4096 + ranks // 64, np.tile(4160 + np.arange(16), 64))
    kinds = [("rank", 4096), ("switch", 80)]
    made = from_links("fat", kinds, src, dst, 1e-6, 1e9, both_ways=True)
    start = time.process_time()
    assert "destination's number chooses" in made.describe()
    assert time.process_time() - start < 8


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
