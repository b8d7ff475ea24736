"""A calibrated machine: known links come back, no row is fitted and judged, bad ones refused."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from collectives import BadInput, calibrate, expect
from collectives.comparison.calibration import FittedLink, machine_text
from collectives.cost.busbw import factor
from collectives.cost.machines.toml_file import parse_topology

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
POSTED = DATA / "superbenchmark_all_reduce.txt"
LINKS = (FittedLink("within", 4e-6, 200e9, ""), FittedLink("between", 12e-6, 50e9, ""))
SIZES = tuple(1 << power for power in range(12, 31, 3))


def printed(path, nodes, times=None, sizes=SIZES, per_node=4, gpu="GPU", wrong=0):
    """Output of all_reduce_perf on a machine of these links, or with other times."""
    ranks = nodes * per_node
    if times is None:
        machine = parse_topology(machine_text(ranks, nodes, LINKS))
        found = expect("all_reduce", topology=machine, sizes=list(sizes)).sizes
        times = [one.seconds for one in found]
    lines = ["# nThread 1 all_reduce_perf"]
    lines += [
        f"#  Rank {rank:2} Group 0 Pid 1 on host{rank // per_node} device {rank} [0x0] {gpu}"
        for rank in range(ranks)
    ]
    lines.append("# size count type redop root time algbw busbw #wrong time algbw busbw #wrong")
    for size, seconds in zip(sizes, times, strict=True):
        rate = size / seconds / 1e9
        one = f"{seconds * 1e6:.4f} {rate:.2f} {rate * float(factor('all_reduce', ranks)):.2f}"
        lines.append(f"{size} {size // 4} float sum -1 {one} {wrong} {one} {wrong}")
    path.write_text("\n".join(lines) + "\n")
    return path


def test_links_of_a_known_machine_come_back_though_times_are_rough(tmp_path):
    paths = []
    for nodes in (1, 2):
        rough = np.random.default_rng(nodes).uniform(0.97, 1.03, len(SIZES))
        machine = parse_topology(machine_text(4 * nodes, nodes, LINKS))
        exact = expect("all_reduce", topology=machine, sizes=list(SIZES)).sizes
        times = [one.seconds * by for one, by in zip(exact, rough, strict=True)]
        paths.append(printed(tmp_path / f"{nodes}.txt", nodes, times))
    found = calibrate(*paths)
    assert (found.ranks, found.nodes) == (8, 2)
    for link, true in zip(found.links, LINKS, strict=True):
        assert link.latency == pytest.approx(true.latency, rel=0.06)
        assert link.bandwidth == pytest.approx(true.bandwidth, rel=0.06)
    assert found.close == len(found.foretold) and not found.notes


def test_no_row_is_both_fitted_and_judged_and_a_judged_one_has_no_say(tmp_path):
    found = calibrate(POSTED)
    judged = {one.row.size for one in found.foretold}
    assert judged and not judged & {row.size for row in found.fitted}
    path = printed(tmp_path / "a.txt", 1)
    before = calibrate(path)
    times = {row.size: row.seconds for row in before.fitted}
    times |= {one.row.size: one.row.seconds * 3 for one in before.foretold}
    after = calibrate(printed(path, 1, [times[size] for size in SIZES]))
    assert [link.bandwidth for link in after.links] == pytest.approx(
        [link.bandwidth for link in before.links], rel=1e-3
    )
    assert after.close == 0 < before.close


def test_the_file_is_the_machine_that_was_judged_and_says_whence_it_comes(tmp_path):
    found = calibrate(POSTED)
    found.save(tmp_path / "mine.toml")
    text = (tmp_path / "mine.toml").read_text()
    assert text.startswith("# Calibrated from") and POSTED.name in text
    assert "tell nothing about a network" in text
    one = found.foretold[-1]
    (again,) = expect(
        "all_reduce", topology=str(tmp_path / "mine.toml"), sizes=[one.row.size]
    ).sizes
    assert again.seconds == pytest.approx(one.seconds)
    report = json.loads(json.dumps(found.as_json()))
    assert report["within_25_percent"] == found.close == 20
    assert re.fullmatch(r"<Calibration: .*20 of 20 rows .*>", repr(found))


def test_of_several_nodes_alone_the_inside_is_that_of_the_header(tmp_path):
    found = calibrate(printed(tmp_path / "a.txt", 2, gpu="NVIDIA H100 80GB HBM3"))
    assert "nvlink4" in found.links[0].origin and "fitted" in found.links[1].origin
    assert "GPU in the header" in found.notes[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nodes": 2}, "cannot be told apart; try: a run on one node"),
        ({"nodes": 1, "sizes": SIZES[:1], "times": [1e-5]}, "1 size with a time; 4 are needed"),
        ({"nodes": 1, "times": [3e-5] * len(SIZES)}, "do not tell latency from bandwidth"),
        ({"nodes": 1, "wrong": 3}, "results are wrong; try: collectives diagnose"),
    ],
)
def test_rows_that_cannot_tell_links_are_refused(tmp_path, options, message):
    with pytest.raises(BadInput, match=re.escape(message)) as caught:
        calibrate(printed(tmp_path / "a.txt", **options))
    assert "\n" not in str(caught.value)


def test_nodes_that_a_file_does_not_list_or_that_differ_are_asked_for(tmp_path):
    with pytest.raises(BadInput, match="try: --nodes 1"):
        calibrate(DATA / "aws_p5_all_reduce.txt", ranks=16, collective="all_reduce")
    with pytest.raises(BadInput, match="lists 1 host; try: --nodes 1"):
        calibrate(POSTED, nodes=2)
    paths = [printed(tmp_path / f"{n}.txt", 2, per_node=n) for n in (2, 4)]
    with pytest.raises(BadInput, match="nodes must be alike"):
        calibrate(*paths)


def test_a_network_that_limits_no_row_has_at_least_the_bandwidth_that_is_enough(tmp_path):
    """Four GPUs of one NVLink: the network is ten times as fast, which no time can tell."""
    links = (FittedLink("within", 1e-6, 450e9, ""), FittedLink("between", 12e-6, 4500e9, ""))
    machine = parse_topology(machine_text(4, 2, links))
    exact = expect("all_reduce", topology=machine, sizes=list(SIZES)).sizes
    times = [entry.seconds for entry in exact]
    path = printed(tmp_path / "a.txt", 2, times, per_node=2, gpu="NVIDIA H100 80GB HBM3")
    report = calibrate(path)
    network = report.links[1]
    assert network.origin.endswith("no row depends on the bandwidth, which is at least this")
    assert 450e9 * 0.9 < network.bandwidth < 4500e9
    assert report.close == len(report.foretold)
