"""Which candidates are off and why, and what the tuner does not take."""

from dataclasses import replace

import pytest
from cost.libraries.nccl.asked import pick, with_paths

from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Graph, hgx
from collectives.errors import BadInput


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


def test_nvls_needs_two_channels_and_small_nodes_for_gathers():
    machine = hgx("H100")
    single = replace(machine, graphs={**machine.graphs, "nvls": Graph(1, 40, 60)})
    assert "two channels" in pick(single, "NVLS Simple").off
    large = replace(machine, ranks=72)
    assert "more than 32 GPUs" in pick(large, "NVLS Simple", 0, "all-gather").off
    assert pick(large, "NVLS Simple").off == ""
    assert "from Hopper on" in pick(replace(machine, capability=80), "NVLS Simple").off


def test_where_ll128_is_off():
    assert "not PIX" in pick(with_paths(hgx("A100"), inside="PIX"), "Ring LL128").off
    assert "up to PXB, not PXN" in pick(with_paths(hgx("A100"), outside="PXN"), "Ring LL128").off
    assert pick(with_paths(hgx("H100"), outside="PXN"), "Ring LL128").off == ""
    assert "up to PXN" in pick(with_paths(hgx("H100"), outside="PHB"), "Ring LL128").off
    assert "alike" in pick(replace(hgx("A100"), most_capability=90), "Ring LL128").off
    assert pick(replace(hgx("H100"), most_capability=100), "Ring LL128").off == ""
    assert "Volta" in pick(replace(hgx("A100"), capability=60), "Tree LL128").off


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
    (lambda: replace(hgx("H100"), release="2.31.3"), "'2.31.3': unknown; did you mean 2.31.2?"),
    (lambda: replace(hgx("H100"), release=2.31), "release 2.31: unknown; did you mean 2.31.2?"),
    (lambda: replace(hgx("H100"), release="2.29"), "'2.29': unknown; did you mean 2.30.7?"),
    (lambda: replace(hgx("H100"), release="3.0"), "'3.0': unknown; did you mean 2.31.2?"),
    (lambda: replace(hgx("H100"), release="new"), "'new': unknown; choose from 2.30.7, 2.31.2"),
    (lambda: tuner.choose(hgx("H100"), "all-to-all", 8), "it is a group of sends"),
    (lambda: tuner.choose(hgx("H100"), "allreduce-ish", 8), "unknown collective"),
    (lambda: tuner.choose(hgx("H100"), "all-reduce", -1), "size -1: must be at least 0"),
    (lambda: tuner.choose(hgx("H100"), "all-reduce", 2**63), "must be at most 2^63 - 1"),
    (lambda: tuner.choose(hgx("H100"), "all-reduce", float("nan")), "neither infinite nor NaN"),
    (lambda: tuner.choose(hgx("H100"), "all-reduce", 1.5), "must be a whole number; try: 2"),
    (lambda: tuner.choose(hgx("H100"), "all-reduce", "1GiB"), "must be a whole number"),
    (lambda: hgx("H100", nodes=2, latency=-1), "latency -1 µs: must not be negative; try: 0"),
    (lambda: hgx("H100", nodes=2, latency=float("nan")), "latency nan: must be a number"),
    (lambda: hgx("H100", nodes=2, nic=10**400), "must be below 1e308"),
    (lambda: replace(hgx("H100"), capability=float("nan")), "capability nan"),
    (lambda: replace(hgx("H100"), capability=-1), "capability -1: must be at least 0"),
    (lambda: replace(hgx("H100"), channels=0), "channels 0: must be at least 1"),
    (lambda: replace(hgx("H100"), most_capability=-1), "most_capability -1"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_is_refused_in_one_line(call, message):
    with pytest.raises(BadInput) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_nodes_of_one_gpu_have_no_nvls_for_gathers():
    """It would move (per node - 1) / per node of nothing: no rate at all."""
    machine = hgx("H100", nodes=2, per_node=1)
    graphs = {**machine.graphs, "nvls": Graph(8, 40, 48)}
    machine = replace(machine, collnet=True, graphs=graphs)
    for collective in ("all-gather", "reduce-scatter"):
        assert "several GPUs" in pick(machine, "NVLS Simple", 2**20, collective).off
        assert tuner.choose(machine, collective, 2**20).candidate.bandwidth > 0
    assert pick(machine, "NVLS Simple", 2**20).off == ""
