"""Times of NCCL's tuner, part by part, against what its formulas say by hand."""

from dataclasses import replace

import pytest
from cost.libraries.nccl.asked import pick, with_paths

from collectives.cost.libraries.nccl.graphs import Graph, hgx
from collectives.cost.libraries.nccl.model import (
    FORMULAS,
    TuningCase,
    nvls_tree_factor,
    plateau,
    tree_factor,
)
from collectives.cost.libraries.nccl.tables import ALGORITHMS
from collectives.cost.libraries.nccl.tuner import candidates


def case(machine, algorithm, protocol):
    """An all-reduce by this algorithm."""
    return TuningCase(machine, "all_reduce", algorithm, protocol)


def test_every_algorithm_has_facts_and_formulas():
    assert list(FORMULAS) == list(ALGORITHMS)


def test_a_simple_ring_of_one_node_is_its_latency_and_all_its_links():
    """base + 14 hops; 12 channels x 30 GB/s, of which an all-reduce uses 8/14."""
    one = pick(hgx("H100"), "Ring Simple", 10**9)
    assert one.time == pytest.approx(8.4 + 14 * 3.4 + 1e9 / (1000 * 360 * 8 / 14), rel=1e-14)
    assert one.seconds == one.time * 1e-6


def test_rings_between_nodes_pay_for_the_network():
    """2 x 8 ranks: 28 hops inside, at least 3 x 1 us of posting, and 2 across; a plateau of 1.4."""
    machine = hgx("H100", nodes=2, latency=1.5)
    one = pick(machine, "Ring Simple", 2**30)
    lost = 8.4 + 28 * 3.4 + 2 * (14.0 + 2 * 1.5)
    assert one.latency == pytest.approx(lost, rel=1e-14)
    assert one.time == pytest.approx(1.4 * lost + 2**30 / (1000 * 8 * 45 * 16 / 30), rel=1e-14)
    assert pick(machine, "Ring Simple", 100).time == pytest.approx(lost, rel=1e-4)
    assert pick(replace(machine, processor="amd"), "Ring Simple").latency == pytest.approx(
        8.4 + 28 * 6.0 + 2 * 17.0
    )
    assert pick(replace(machine, processor="amd"), "Ring LL").latency == pytest.approx(
        6.6 + 28 * 2.0 + 2 * (2.7 + 1.5)
    )
    assert plateau(case(hgx("V100", nodes=2), "Ring", "Simple"), 2**20) == 1.9


def test_ll_on_several_nodes_depends_on_the_processor():
    machine = hgx("H100", nodes=4)
    for processor, most in (("intel", 20.4), ("arm", 20.4), ("amd", 19.0), ("mixed", 19.0)):
        one = pick(replace(machine, processor=processor), "Ring LL")
        assert one.bandwidth == pytest.approx(most * 32 / 62)


# What a tree reaches at 64 B, 128 B, … 512 MB, in tenths (X is 10), as NCCL has measured it.
REACHED = {
    "LL": "XXXX987777654456789XXXXX",
    "LL128": "XXXXX9888766666689999XXX",
    "Simple": "99999998766555567877899X",
}


@pytest.mark.parametrize("protocol", REACHED)
def test_trees_are_slower_at_medium_sizes(protocol):
    machine, tenths = hgx("H100", nodes=2), REACHED[protocol]
    for level, tenth in enumerate(tenths):
        wanted = 1.0 if tenth == "X" else int(tenth) / 10
        for size in (64 << level, (128 << level) - 1):
            found = tree_factor(case(machine, "Tree", protocol), size)
            assert found == wanted, size
    assert tree_factor(case(machine, "Tree", protocol), 63) == 1.0
    assert tree_factor(case(machine, "Tree", protocol), 64 << 24) == 1.0


def test_nvls_trees_of_blackwell_are_slower_at_medium_sizes():
    machine = hgx("H100", nodes=2)
    both = [hgx("B200", nodes=2), replace(hgx("B200", nodes=2), processor="arm"), machine]
    found = [nvls_tree_factor(case(m, "NVLSTree", "Simple"), 64 << 23) for m in both]
    assert found == [0.9, 1.0, 1.0]


def test_two_nodes_use_what_there_is_inside_and_more_what_is_between():
    """On two nodes NCCL counts the channels' rate inside, on more that between nodes."""
    rates = {"nics": 4, "nic": 12.5}
    two, four = hgx("A100", nodes=2, **rates), hgx("A100", nodes=4, **rates)
    assert (two.graphs["tree"].intra, two.graphs["tree"].inter) == (24, 12)
    assert pick(two, "Tree Simple").bandwidth == pytest.approx(0.92 * 4 * 24 / 2)
    assert pick(four, "Tree Simple").bandwidth == pytest.approx(0.92 * 4 * 12 / 2)


def test_nvls_trees_of_two_nodes_cross_the_network_once():
    """Half of the vector goes each way: twice the rate of the cards, up to a cap."""
    rates = [pick(hgx("H100", nodes=n), "NVLSTree Simple").bandwidth for n in (2, 3)]
    assert rates == pytest.approx([8 * 57.7 * 16 / 30, 8 * 45.5 * 24 / 46])
    wide = hgx("H100", nodes=2)
    wide = replace(wide, graphs={**wide.graphs, "nvls": Graph(8, 40, 24)})
    assert pick(wide, "NVLSTree Simple").bandwidth == pytest.approx(8 * 48 * 16 / 30)
    slow = replace(wide, graphs={**wide.graphs, "nvls": Graph(8, 20, 48)})
    inside = 2 * 20 * 0.85 * 7 / 8
    assert pick(slow, "NVLSTree Simple").bandwidth == pytest.approx(8 * inside * 16 / 30)


def test_nvls_reaches_another_part_of_its_links_on_blackwell():
    """0.74 of them in a node, which counts twice; between nodes up to a cap of its own."""
    rates = []
    for nodes, graph in ((1, Graph(16, 40, 90)), (2, Graph(16, 400, 60)), (3, Graph(16, 400, 90))):
        machine = hgx("B200", nodes=nodes)
        machine = replace(machine, graphs={**machine.graphs, "nvls": graph})
        name = "NVLS Simple" if nodes == 1 else "NVLSTree Simple"
        rates.append(pick(machine, name).bandwidth)
    inside = 2 * 40 * 0.74 * 15 / 16
    assert rates == pytest.approx([16 * inside * 8 / 14, 16 * 96 * 16 / 30, 16 * 80 * 24 / 46])


def test_nodes_of_one_gpu_wait_for_the_network_as_trees_do():
    machine = hgx("H100", nodes=4, per_node=1, nics=1, nic=50)
    assert pick(machine, "Ring LL").latency == pytest.approx(6.6 + 6 * 5.0)
    assert pick(machine, "Tree LL").latency == pytest.approx(6.8 + 2 * 2 * 5.0)


def test_power_processors_take_a_rings_hop_for_a_trees():
    pci = with_paths(replace(hgx("V100"), processor="power"), inside="PIX")
    assert pick(pci, "Tree Simple").latency == pytest.approx(8.4 + 14 * 5.7)
    intel = replace(pci, processor="intel")
    assert pick(intel, "Tree Simple").latency == pytest.approx(8.4 + 14 * 4.0)


def test_a_tree_through_one_gpu_loses_a_part():
    whole, part = hgx("H100", nodes=2), replace(hgx("H100", nodes=2), one_gpu=True)
    ratio = pick(part, "Tree LL").bandwidth / pick(whole, "Tree LL").bandwidth
    assert ratio == pytest.approx(0.85)


def test_pat_is_for_one_gpu_per_node():
    machine = hgx("H100", nodes=16, per_node=1, nics=1, nic=50)
    one = pick(machine, "PAT Simple", 0, "all-gather")
    tree = machine.graphs["tree"]
    assert one.latency == pytest.approx(8.0 + 4 * 14 / 3.5 + 2.8 * 16)
    assert one.bandwidth == pytest.approx(0.75 * tree.inter * tree.channels)


def test_collnet_where_it_is_enabled():
    machine = hgx("H100", nodes=4)
    graphs = {**machine.graphs, "collnet": Graph(8, 40, 48)}
    machine = replace(machine, collnet=True, graphs=graphs)
    assert pick(machine, "CollNetDirect Simple").latency == pytest.approx(2 * (3.7 + 2.8) + 31)
    assert pick(machine, "CollNetDirect Simple").bandwidth == pytest.approx(8 * 40 * 0.85 / 2)
    assert pick(machine, "CollNetChain Simple").latency == pytest.approx(14 * 2.8 + 30)
    assert pick(machine, "NVLS Simple").latency == 25 + 18
    gather = pick(machine, "CollNetDirect Simple", 0, "all-gather")
    assert gather.bandwidth == pytest.approx(8 * min(40, 0.9 * 48))


def test_nvls_of_gathers_counts_the_own_part_once():
    machine = hgx("H100")
    one = pick(machine, "NVLS Simple", 0, "all-gather")
    assert one.bandwidth == pytest.approx(8 * 40 * 0.85 * 7 / 8 * 7 / 8)


def test_broadcast_has_one_hop_where_all_channels_go_the_same_way():
    assert pick(hgx("A100"), "Ring Simple", 0, "broadcast").latency == pytest.approx(8.4 + 3.4)
    two = hgx("A100", nodes=2)
    assert pick(two, "Ring Simple", 0, "broadcast").latency == pytest.approx(8.4 + 16 * 14)
    assert pick(two, "Ring LL", 0, "reduce").latency == pytest.approx(6.6 + 16 * 2.7)


def newer(machine, **graphs):
    """The same machine with NCCL 2.31.2, and these graphs."""
    return replace(machine, release="2.31.2", graphs={**machine.graphs, **graphs})


def bandwidths(machine, name, collective="all_reduce"):
    """GB/s of this candidate, with NCCL 2.30.7 and with 2.31.2."""
    both = (replace(machine, release=release) for release in ("2.30.7", "2.31.2"))
    return [pick(one, name, 0, collective).bandwidth for one in both]


def test_rings_on_two_nodes_of_blackwells_go_by_the_network_from_2_31_on():
    wide = {"ring": Graph(8, 60, 40)}
    for gpu, nodes, rate in (("B200", 2, 40), ("B200", 1, 60), ("B200", 3, 40), ("H100", 2, 60)):
        machine = newer(hgx(gpu, nodes=nodes), **wide)
        ranks = 8 * nodes
        rates = bandwidths(machine, "Ring Simple")
        assert rates[1] == pytest.approx(8 * rate * ranks / (2 * (ranks - 1))), (gpu, nodes)
        assert (rates[0] == rates[1]) == ((gpu, nodes) != ("B200", 2))


@pytest.mark.parametrize("rates", [(20, 12), (12, 20)])
def test_trees_of_blackwells_go_by_the_slower_link_from_2_31_on(rates):
    for gpu, nodes in (("B200", 1), ("B200", 2), ("B200", 3), ("H100", 2), ("H100", 3)):
        machine = newer(hgx(gpu, nodes=nodes), tree=Graph(4, *rates))
        older = rates[0] if nodes <= 2 else rates[1]
        rate = 12 if gpu == "B200" else older
        found = bandwidths(machine, "Tree Simple")
        assert found == pytest.approx([0.92 * 4 * each / 2 for each in (older, rate)])


def test_pat_goes_by_the_slower_link_and_flushes_once_from_2_31_on():
    older = hgx("H100", nodes=4, per_node=1, nics=1, nic=50, latency=7.0)
    machine = newer(older, tree=Graph(2, 12, 20, latency=7.0))
    one = pick(machine, "PAT Simple", 0, "all-gather")
    assert one.bandwidth == pytest.approx(0.75 * 2 * 12)
    assert one.latency == pytest.approx(8.0 + 2 * (14 + 7) / 3.5 + 2.8 * 4)
    assert pick(older, "PAT Simple", 0, "all-gather").latency == pytest.approx(
        8.0 + 2 * (14 + 2 * 7) / 3.5 + 2.8 * 4
    )


def test_gathers_in_a_node_of_blackwells_have_a_plateau_from_2_31_on():
    machine = newer(hgx("B200"))
    least = 64 * machine.channels * machine.ranks
    rings = {
        kind: TuningCase(machine, kind, "Ring", "Simple")
        for kind in ("all_gather", "reduce_scatter", "all_reduce", "broadcast")
    }
    assert [plateau(ring, least) for ring in rings.values()] == [1.4, 1.4, 1.0, 1.0]
    gather = rings["all_gather"]
    assert plateau(gather, least - 1) == 1.0
    assert plateau(replace(gather, protocol="LL"), least) == 1.0
    others = hgx("B200"), newer(hgx("H100")), newer(hgx("B200", nodes=2))
    for other in (*others, with_paths(machine, inside="PIX")):
        assert plateau(replace(gather, machine=other), 2**30) == 1.0
    assert plateau(case(newer(hgx("B200", nodes=2)), "Ring", "Simple"), 2**30) == 1.4


def test_only_rings_wait_as_trees_do_in_nodes_of_one_gpu_from_2_31_on():
    older = hgx("H100", nodes=4, per_node=1, nics=1, nic=50)
    graphs = {**older.graphs, "nvls": Graph(8, 40, 48)}
    older = replace(older, graphs=graphs)
    for machine, net in ((older, 14.0), (newer(older), 20.9)):
        assert pick(machine, "NVLSTree Simple").latency == pytest.approx(25 + 2 * 2 * net)
        assert pick(machine, "Ring LL").latency == pytest.approx(6.6 + 6 * 5.0)


def test_power_processors_keep_a_trees_hop_from_2_31_on():
    pci = with_paths(replace(hgx("V100"), processor="power"), inside="PIX")
    assert pick(newer(pci), "Tree Simple").latency == pytest.approx(8.4 + 14 * 4.0)


def test_hoppers_with_all_links_alike_are_timed_as_before():
    for nodes in (1, 2, 4):
        machine = hgx("H100", nodes=nodes)
        for collective in ("all-reduce", "all-gather", "broadcast"):
            for size in (2**10, 2**20, 2**30):
                found = [candidates(one, collective, size) for one in (machine, newer(machine))]
                assert found[0] == found[1]
