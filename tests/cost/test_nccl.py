"""NCCL's tuner against what its log says, its restatement, and slower ways to say the same."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collectives.cost import nccl
from collectives.cost.nccl import model as nccl_model
from collectives.cost.nccl import tables as nccl_tables
from collectives.cost.nccl.graphs import Graph, hgx
from collectives.errors import BadInput

TABLE = Path(__file__).parent.parent / "data" / "nccl_tuner.csv"
LINES = TABLE.read_text().splitlines()
ROWS = list(csv.DictReader(line for line in LINES if not line.startswith("#")))
SIZES = [2**exponent for exponent in range(3, 35)]


def logged():
    """The machine of NVIDIA/nccl issue 1453."""
    graph = Graph(16, 12, 12)
    h100 = hgx("H100", nodes=3)
    return replace(
        h100, graphs={**h100.graphs, "tree": graph, "ring": graph}, channels=32, one_gpu=True
    )


MACHINES = {"log": logged(), "h100": hgx("H100"), "a100": hgx("A100")}


def pick(machine, name, size=0, collective="all_reduce"):
    found = nccl.candidates(machine, collective, size)
    return next(one for one in found if one.name == name)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.values()))
def test_what_is_known_of_the_tuner(row):
    machine = MACHINES[row["machine"]]
    if row["quantity"] == "choice":
        assert nccl.choose(machine, "all-reduce", int(row["bytes"])).candidate.name == row["name"]
        return
    found = getattr(pick(machine, row["name"], int(row["bytes"] or 0)), row["quantity"])
    digits = len(row["value"].partition(".")[2])
    assert f"{found:.{digits}f}" == row["value"]


def test_there_are_all_cells_of_both_tables():
    cells = [row for row in ROWS if row["quantity"] in ("latency", "bandwidth")]
    assert len(cells) == 14 + 12
    assert len([row for row in ROWS if row["quantity"] == "time"]) == 2


def test_the_logged_choice_flips_where_the_log_flips():
    assert nccl.ranges(logged(), "all-reduce", [256, 65536, 131072]) == [
        (256, 65536, "Tree LL"),
        (131072, 131072, "Tree LL128"),
    ]


def test_choice_by_size_of_one_node():
    assert nccl.ranges(hgx("H200"), "all-reduce", SIZES) == [
        (8, 2**20, "Ring LL"),
        (2**21, 2**34, "NVLS Simple"),
    ]
    assert nccl.ranges(hgx("A100"), "all-reduce", SIZES) == [
        (8, 2**21, "Ring LL"),
        (2**22, 2**24, "Ring LL128"),
        (2**25, 2**34, "Ring Simple"),
    ]


def test_without_nvls_a_h200_node_runs_rings():
    machine = replace(hgx("H200"), without=("NVLS", "NVLSTree"))
    found = {name for _, _, name in nccl.ranges(machine, "all-reduce", SIZES)}
    assert found == {"Ring LL", "Ring LL128", "Ring Simple"}
    assert pick(machine, "NVLS Simple").off == "NVLS is switched off"


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
    assert nccl_model.plateau(hgx("V100", nodes=2), "all_reduce", "Ring", "Simple", 2**20) == 1.9


def test_ll_on_several_nodes_depends_on_the_processor():
    machine = hgx("H100", nodes=4)
    for processor, most in (("intel", 20.4), ("arm", 20.4), ("amd", 19.0), ("mixed", 19.0)):
        one = pick(replace(machine, processor=processor), "Ring LL")
        assert one.bandwidth == pytest.approx(most * 32 / 62)


def test_trees_are_slower_at_medium_sizes():
    machine = hgx("H100", nodes=2)
    rates = [
        nccl_model.tree_factor(machine, "all_reduce", "Tree", "LL", 64 << level)
        for level in range(25)
    ]
    assert rates[12] == 0.4 and rates[0] == 1.0 and rates[24] == 1.0
    assert nccl_model.tree_factor(machine, "all_reduce", "Tree", "LL", 63) == 1.0
    assert nccl_model.tree_factor(machine, "all_reduce", "Tree", "Simple", 64 << 22) == 0.9
    assert nccl_model.tree_factor(machine, "all_reduce", "Tree", "Simple", 64 << 23) == 1.0
    both = [hgx("B200", nodes=2), replace(hgx("B200", nodes=2), processor="arm"), machine]
    found = [nccl_model.tree_factor(m, "all_reduce", "NVLSTree", "Simple", 64 << 23) for m in both]
    assert found == [0.9, 1.0, 1.0]


@pytest.mark.parametrize(
    ("machine", "collective", "name", "reason"),
    [
        (hgx("A100"), "all-reduce", "NVLS Simple", "no graph for NVLS"),
        (hgx("H100"), "all-reduce", "NVLS LL", "NVLS has no LL"),
        (hgx("H100"), "all-reduce", "NVLSTree Simple", "needs several nodes"),
        (hgx("H100", nodes=2), "all-reduce", "NVLS Simple", "needs CollNet"),
        (hgx("H100"), "all-reduce", "CollNetDirect Simple", "not enabled"),
        (hgx("H100"), "all-gather", "Tree LL", "no Tree all-gather"),
        (hgx("H100"), "broadcast", "NVLS Simple", "no NVLS broadcast"),
        (hgx("H100", nodes=2), "all-gather", "PAT Simple", "nodes of one GPU"),
        (hgx("H100", nodes=2), "all-reduce", "PAT Simple", "no PAT all-reduce"),
    ],
)
def test_why_candidates_are_off(machine, collective, name, reason):
    one = pick(machine, name, 1024, collective)
    assert reason in one.off
    assert one.time == float("inf")


def with_paths(machine, **paths):
    graphs = {kind: replace(graph, **paths) for kind, graph in machine.graphs.items()}
    return replace(machine, graphs=graphs)


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


def test_nvls_needs_two_channels_and_small_nodes_for_gathers():
    machine = hgx("H100")
    single = replace(machine, graphs={**machine.graphs, "nvls": Graph(1, 40, 60)})
    assert "two channels" in pick(single, "NVLS Simple").off
    large = replace(machine, ranks=72)
    assert "more than 32 GPUs" in pick(large, "NVLS Simple", 0, "all-gather").off
    assert pick(large, "NVLS Simple").off == ""
    assert "from Hopper on" in pick(replace(machine, capability=80), "NVLS Simple").off


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


def test_channels_of_nvls():
    assert nccl_model.workers(hgx("H100"), "NVLS", "Simple", 8) == (16, 640)
    assert nccl_model.workers(hgx("B200"), "NVLS", "Simple", 8) == (32, 640)
    few = replace(hgx("H100", nodes=2), channels=4)
    assert nccl_model.workers(few, "NVLS", "Simple", 8) == (4, 640)
    assert nccl_model.workers(few, "NVLSTree", "Simple", 8) == (16, 640)


def test_graphs_of_other_machines_as_the_search_finds_them():
    """Few fast channels are split in two, many are not; NVLS loads a head's link twice."""
    found = {}
    for name, machine in {
        "b200": hgx("B200"),
        "h800": hgx("H800"),
        "h100 x 2": hgx("H100", nodes=2),
        "h100 x 2, 4 cards": hgx("H100", nodes=2, nics=4),
        "p4de": hgx("A100", nodes=2, nics=4, nic=12.5),
    }.items():
        graphs = machine.graphs.items()
        found[name] = {kind: (g.channels, g.intra, g.inter) for kind, g in graphs}
    assert found == {
        "b200": {"tree": (16, 45, 45), "ring": (16, 45, 45), "nvls": (8, 80, 90)},
        "h800": {"tree": (8, 20, 20), "ring": (8, 20, 20), "nvls": (8, 15, 30)},
        "h100 x 2": {"tree": (8, 48, 48), "ring": (8, 45, 45), "nvls": (8, 40, 48)},
        "h100 x 2, 4 cards": {"tree": (8, 24, 24), "ring": (8, 24, 24), "nvls": (4, 48, 48)},
        "p4de": {"tree": (4, 24, 12), "ring": (4, 12, 12)},
    }
    assert hgx("H100", nodes=2, nics=16, nic=25).graphs == hgx("H100", nodes=2).graphs


def test_where_ll128_is_off():
    assert "not PIX" in pick(with_paths(hgx("A100"), inside="PIX"), "Ring LL128").off
    assert "up to PXB, not PXN" in pick(with_paths(hgx("A100"), outside="PXN"), "Ring LL128").off
    assert pick(with_paths(hgx("H100"), outside="PXN"), "Ring LL128").off == ""
    assert "up to PXN" in pick(with_paths(hgx("H100"), outside="PHB"), "Ring LL128").off
    assert "alike" in pick(replace(hgx("A100"), most_capability=90), "Ring LL128").off
    assert pick(replace(hgx("H100"), most_capability=100), "Ring LL128").off == ""
    assert "Volta" in pick(replace(hgx("A100"), capability=60), "Tree LL128").off


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


def slow_workers(machine, algorithm, protocol, size):
    """Channels are given up one by one, then threads are halved: as it is told."""
    channels, threads = machine.channels, nccl_tables.THREADS[protocol]
    each = nccl_tables.BYTES_PER_THREAD[protocol]
    if (algorithm, protocol) == ("Ring", "LL"):
        each *= machine.ranks
    while size < channels * threads * each and channels >= 2:
        channels -= 1
    while size < channels * threads * each and threads % 128 == 0:
        threads //= 2
    if algorithm == "Tree":
        return channels, 640
    return channels, max(96, threads + (32 if protocol == "Simple" else 0))


def test_channels_and_threads_by_size():
    random = np.random.default_rng(5)
    for size in [0, 1, *(2 ** random.uniform(0, 32, 200)).astype(int).tolist()]:
        for machine in (hgx("H100"), hgx("A100", nodes=2, nics=4, nic=12.5)):
            for algorithm in ("Ring", "Tree"):
                for protocol in nccl_tables.PROTOCOLS:
                    found = nccl_model.workers(machine, algorithm, protocol, size)
                    assert found == slow_workers(machine, algorithm, protocol, size)
    assert nccl.choose(hgx("H100"), "all-reduce", 2**30).channels == 16
    assert nccl.choose(hgx("H100"), "all-reduce", 8).channels == 1
    assert nccl.choose(hgx("A100"), "all-reduce", 2**30).channels == 24
    assert nccl.choose(hgx("A100"), "all-reduce", 2**30).threads == 544


def test_slow_rings_take_half_of_the_threads():
    machine = hgx("H100", nodes=2)
    slow = replace(machine, graphs={**machine.graphs, "ring": Graph(2, 6, 6)})
    assert nccl_model.workers(slow, "Ring", "Simple", 2**30)[1] == 256 + 32


def test_collnet_drops_channels_one_at_a_time():
    machine = replace(hgx("H100", nodes=2), channels=24)
    load = 640 * 8 * 512
    found = [nccl_model.workers(machine, "CollNetDirect", "Simple", c * load) for c in (30, 20)]
    assert found == [(24, 640), (23, 640)]  # below 24, one is worth while for half as much
    assert nccl_model.workers(machine, "CollNetDirect", "Simple", 0) == (1, 640)


@pytest.mark.parametrize(
    ("made", "graphs"),
    [
        (hgx("A100"), {"ring": (12, 20, 20), "tree": (12, 20, 20)}),
        (hgx("H100"), {"ring": (12, 30, 30), "tree": (12, 30, 30), "nvls": (8, 40, 60)}),
    ],
)
def test_graphs_of_one_node_are_those_of_logs(made, graphs):
    found = {kind: (g.channels, g.intra, g.inter) for kind, g in made.graphs.items()}
    assert found == graphs


def test_graphs_never_ask_more_of_a_gpu_than_its_links():
    for gpu, total in nccl_tables.NVLINK.items():
        for nodes, nics, nic in ((1, 8, 50), (2, 8, 50), (4, 4, 12.5), (2, 16, 25), (3, 1, 25)):
            machine = hgx(gpu, nodes=nodes, nics=nics, nic=nic)
            ring, tree = machine.graphs["ring"], machine.graphs["tree"]
            assert ring.channels * ring.intra <= total
            assert tree.channels == ring.channels
            assert tree.channels * tree.intra * 7 / 8 <= total
            if nodes > 1:
                assert ring.channels * ring.inter <= nics * nic
                assert tree.channels * tree.inter <= nics * nic
            if "nvls" in machine.graphs:
                nvls = machine.graphs["nvls"]
                assert (nvls.channels + 1) * nvls.intra <= total


def test_one_rank_sends_nothing():
    machine = hgx("H100", per_node=1)
    found = nccl.choose(machine, "all-reduce", 2**20)
    assert (found.candidate.time, found.channels) == (0.0, 0)
    assert all(one.off for one in nccl.candidates(machine, "all-reduce", 2**20))


def test_the_table_shows_every_candidate():
    lines = nccl.table(hgx("H100"), "all-reduce", [2**20, 2**30]).splitlines()
    assert len(lines) == 1 + 21
    assert [line.split()[2:] for line in lines if "*" in line] == [
        ["28.01*", "13341.58"],
        ["28.86", "3972.58*"],
    ]
    assert sum("off: " in line for line in lines) == 14


BAD = [
    (lambda: hgx("H1000"), "unknown GPU 'H1000'; did you mean H100?"),
    (lambda: hgx("H100", nodes=0), "nodes 0: must be at least 1"),
    (lambda: hgx("GB200", per_node=72), "GPUs of a node 72: must be at most 16"),
    (lambda: hgx("H100", nodes=2, nic=0), "network card 0 GB/s: must be above 0"),
    (lambda: hgx("H100", nodes=2, nic=float("nan")), "neither infinite nor NaN"),
    (lambda: hgx("H100", processor="intle"), "did you mean intel?"),
    (lambda: Graph(0, 1, 1), "channels 0: must be at least 1"),
    (lambda: Graph(8, 1, -1), "inter bandwidth -1 GB/s: must be above 0"),
    (lambda: Graph(8, 1, 1, outside="PXX"), "unknown path 'PXX'; did you mean PXN?"),
    (lambda: replace(hgx("H100"), nodes=3), "8 ranks on 3 nodes"),
    (lambda: replace(hgx("H100"), graphs={}), "no graph for tree"),
    (lambda: replace(hgx("H100"), without=("NVSL",)), "did you mean NVLS?"),
    (lambda: nccl.choose(hgx("H100"), "all-to-all", 8), "it is a group of sends"),
    (lambda: nccl.choose(hgx("H100"), "allreduce-ish", 8), "unknown collective"),
    (lambda: nccl.choose(hgx("H100"), "all-reduce", -1), "size -1: must be at least 0"),
    (lambda: nccl.choose(hgx("H100"), "all-reduce", 2**63), "must be at most 2^63 - 1"),
    (lambda: nccl.choose(hgx("H100"), "all-reduce", float("nan")), "neither infinite nor NaN"),
    (lambda: nccl.choose(hgx("H100"), "all-reduce", 1.5), "must be a whole number; nearest: 2"),
    (lambda: nccl.choose(hgx("H100"), "all-reduce", "1GiB"), "must be a whole number"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_is_told_in_one_line(call, message):
    with pytest.raises(BadInput) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_all_algorithms_off_is_told():
    machine = replace(hgx("H100"), without=("Ring", "Tree", "NVLS"))
    with pytest.raises(BadInput, match="every algorithm is off"):
        nccl.choose(machine, "all-reduce", 8)
