"""Topologies: paths, what is refused, what fits."""

import numpy as np
import pytest

from collectives import BadInput, record
from collectives.cost.machines import topology
from collectives.cost.machines.paths import Paths
from collectives.cost.machines.topology import changed, check_connected, from_links

TRIANGLE = ("triangle", [("rank", 3)], [0, 1, 2, 1, 2, 0], [1, 2, 0, 0, 1, 2])


def test_paths_have_the_fewest_hops_and_the_link_is_chosen_in_listed_order():
    """Of two links that lead on as shortly, an odd destination takes the second."""
    square = from_links("square", [("rank", 4)], [0, 0, 1, 2], [1, 2, 3, 3], 1e-6, 1e9)
    assert square.paths([0], [3]).link.tolist() == [1, 3]
    turned = from_links("square", [("rank", 4)], [0, 0, 1, 2], [2, 1, 3, 3], 1e-6, 1e9)
    assert turned.paths([0], [3]).link.tolist() == [1, 2]
    for machine in (square, topology("hgx-h100", 1)):
        assert machine.paths([], []).link.tolist() == []


def test_sums_and_least_values_of_paths():
    paths = Paths.of_table(np.array([[0, 1, -1], [-1, 2, -1]]))
    value = np.array([1.0, 2.0, 4.0])
    assert paths.total(value).tolist() == [3.0, 4.0]
    assert paths.minimum(value).tolist() == [1.0, 4.0]
    assert paths.first.tolist() == [0, 2] and paths.last.tolist() == [1, 2]


def test_a_disconnected_topology_names_the_two_ranks():
    broken = from_links("pairs", [("rank", 4)], [0, 1, 2, 3], [1, 0, 3, 2], 1e-6, 1e9)
    with pytest.raises(
        BadInput, match=r"pairs: no way from rank 0 to rank 2; connect them by a link"
    ):
        check_connected(broken)
    for src, dst, says in ((0, 1, "from rank 1 to rank 0"), (1, 0, "from rank 0 to rank 1")):
        with pytest.raises(BadInput, match=says):
            check_connected(from_links("one way", [("rank", 2)], [src], [dst], 1e-6, 1e9))


@pytest.mark.parametrize(
    ("latency", "bandwidth", "says"),
    [
        (1e-6, 0.0, "bandwidth 0.0 B/s: must be above 0"),
        (1e-6, -1.0, "bandwidth -1.0 B/s: must be above 0"),
        (1e-6, np.nan, "bandwidth nan: must be a number, neither infinite nor NaN"),
        (-1e-6, 1e9, "latency -1e-06 s: must not be negative"),
        (np.inf, 1e9, "latency inf"),
    ],
)
def test_figures_that_are_none_are_refused(latency, bandwidth, says):
    with pytest.raises(BadInput, match=says):
        from_links(*TRIANGLE, latency, bandwidth)


def test_links_must_end_somewhere():
    with pytest.raises(BadInput, match="does not exist; there are 2"):
        from_links("pair", [("rank", 2)], [0], [2], 1e-6, 1e9)


def test_links_that_share_have_the_capacity_of_the_fastest():
    made = from_links(
        "pair", [("rank", 2)], [0, 1], [1, 0], 0.0, np.array([1.0, 3.0]), share=np.zeros(2)
    )
    assert made.shared and made.capacity.tolist() == [3.0]
    assert changed(made, bandwidth=np.array([1.0, 6.0])).capacity.tolist() == [6.0]
    dead = changed(from_links(*TRIANGLE, 0.0, 1.0), bandwidth=np.array([0.0, 1, 1, 1, 1, 1]))
    assert dead.capacity.tolist() == [0, 1, 1, 1, 1, 1]


def test_what_nodes_and_links_are_called():
    made = topology("hgx-h100", 4)
    assert [made.label(k) for k in (0, 3, 4)] == ["rank 0", "rank 3", "switch 0"]
    assert made.link_label(0) == "rank 0 → switch 0"
    with pytest.raises(IndexError):
        made.label(5)


def test_an_algorithm_is_placed_on_ranks_and_in_network_nodes():
    made = topology("switch-tree", 4, radix=2)
    assert made.placement(4, 7).tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert made.placement(4, 4).tolist() == [0, 1, 2, 3]
    server = record("all_reduce", "parameter-server", ranks=4)
    with pytest.raises(BadInput) as told:
        topology("torus-2d", 4).placement(4, server.nodes, server.title)
    assert str(told.value) == (
        "parameter-server all-reduce needs 1 switch or server beside its ranks, torus-2d has "
        "none; try: crossbar with extra=1, or switch-tree"
    )


def test_a_capacity_follows_the_bandwidth_of_all_lanes():
    """Two links share 20 GB/s, as the one with two lanes needs; at a quarter it needs 5 GB/s."""
    share = np.zeros(2, np.intp)
    both = from_links(
        "both", [("rank", 2)], [0, 1], [1, 0], 1e-6, 1e10, lanes=np.array([1, 2]), share=share
    )
    assert both.capacity.tolist() == [2e10]
    assert changed(both, bandwidth=np.array([1e10, 2.5e9])).capacity.tolist() == [1e10]
    wide = topology("crossbar", 4, ports=2)
    slower = wide.bandwidth.copy()
    slower[0] /= 2
    assert changed(wide, bandwidth=slower).capacity.tolist() == [5e10, *[1e11] * 7]
