"""The graphs that the search finds in nodes of NVSwitch GPUs, against those of logs."""

import pytest

from collectives.cost.libraries.nccl import tables as nccl_tables
from collectives.cost.libraries.nccl.graphs import hgx


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
