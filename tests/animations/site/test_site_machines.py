"""Pages of machines: the picture, the file, which has the times of the machine it is of."""

from collectives import load, record, topology
from collectives.cost.machines.toml_file import read_topology

KINDS = ("svg", "png", "pdf", "json")


def test_the_file_of_a_machine_is_that_machine(site):
    read, named = read_topology(site.folder / "lookup" / "hgx-h100.toml"), topology("hgx-h100", 8)
    assert (read.ranks, read.name) == (8, "hgx-h100")
    columns = [
        sorted(
            zip(
                m.src.tolist(),
                m.dst.tolist(),
                m.bandwidth.tolist(),
                m.latency.tolist(),
                strict=True,
            )
        )
        for m in (read, named)
    ]
    assert columns[0] == columns[1]
    assert read.in_network.tolist() == named.in_network.tolist()


def test_a_machine_is_drawn_and_its_limit_is_that_of_its_ports(site):
    text = (site.folder / "lookup" / "machine-hgx-h100.html").read_text("utf-8")
    files = {kind: site.folder / "players" / f"machine-hgx-h100.{kind}" for kind in KINDS}
    assert all(f'href="../players/{path.name}" download' in text for path in files.values())
    assert files["svg"].read_text("utf-8").count("<path") > 8
    assert len(load(files["json"]).steps) == len(record("all_reduce", "ring", ranks=8).steps)
    assert "14 S must pass between 8 ranks" in text  # 2 (N - 1) S, without sums in switches
