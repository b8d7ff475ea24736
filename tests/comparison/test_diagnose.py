"""`collectives.diagnose`: posted rows, healthy and sick, and runs made sick in ten ways."""

from functools import cache
from pathlib import Path

import pytest
from each import each

from collectives import BadInput, Faults, diagnose, expect, record
from collectives.cost.busbw import factor
from collectives.cost.choose.setup import resized
from collectives.cost.where import Where
from collectives.evidence.measured_model import LAUNCH

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
A100, GATHER, P5 = (
    DATA / f"{name}.txt"
    for name in ("superbenchmark_all_reduce", "superbenchmark_all_gather", "aws_p5_all_reduce")
)
BOARD, CARD = "NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe"
HEAD = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
SIZES = [1 << power for power in range(16, 34)]


def printed(path, times, ranks=8, device=BOARD, wrong=0, operation="all_reduce"):
    """A file of nccl-tests with these seconds by size, on nodes of eight."""
    share = float(factor(operation, ranks))
    text = "".join(
        f"# Rank {k} Group 0 Pid 1 on node{k // 8} device {k % 8} [0x1b] {device}\n"
        for k in range(ranks)
    )
    text += f"# {operation}_perf\n" + HEAD
    for size, seconds in times.items():
        rate = size / seconds / 1e9
        cells = f"{seconds * 1e6:.2f} {rate:.2f} {rate * share:.2f} {wrong}"
        text += f"{size} {size // 4} float sum -1 {cells} {cells}\n"
    path.write_text(text)
    return path


@cache
def healthy(machine="hgx-h100", ranks=8):
    report = expect("all_reduce", topology=machine, ranks=ranks, sizes=SIZES)
    return {one.size: one.seconds for one in report.sizes}


def sick(machine, ranks, other, faults=None):
    """The expected times, longer as the clock's ring is on another machine or with faults."""
    ring = record("all_reduce", "ring", ranks=ranks, dtype="uint8")
    setups = [Where(name).setup() for name in (machine, other)]
    setups[1] = faults.of(setups[1], ranks) if faults else setups[1]
    times = {}
    for size, seconds in healthy(machine, ranks).items():
        before, after = (setup.time(resized(ring, size)).total for setup in setups)
        noise = 1 + 0.06 * (size.bit_length() * 7 % 3 - 1)
        start = LAUNCH * 1e-6
        times[size] = (start + (seconds - start) * after / before) * noise
    return times


SICK = {
    "one network card": ("cluster", 16, "cluster:nics=1", None),
    "half of the network cards": ("cluster", 16, "cluster:nics=4", None),
    "half their rate": ("cluster", 16, "cluster:outside=ib-hdr", None),
    "GPUDirect": ("cluster", 16, "cluster:pcie=pcie3", None),
    "sockets": ("cluster", 16, "cluster:nics=1,outside=ethernet-100", None),
    "oversubscribed": ("cluster", 16, "cluster:leaf=1,oversubscription=4", None),
    "one slow node or link": (
        "cluster",
        16,
        "cluster",
        Faults(slow_link="NIC 3-leaf switch 0=0.2"),
    ),
    "PCIe instead of NVLink": ("hgx-h100", 8, "pcie-box:generation=5", None),
    "P2P is disabled": ("hgx-h100", 8, "pcie-box:generation=5,width=8", None),
    "one slow GPU": ("hgx-h100", 8, "hgx-h100", Faults(slow_rank="3=0.4")),
}


@each("name", SICK, few=8)
def test_the_cause_of_what_the_model_made_sick_is_among_the_first_three(name, tmp_path):
    machine, ranks, other, faults = SICK[name]
    path = printed(tmp_path / "out.txt", sick(machine, ranks, other, faults), ranks)
    report = diagnose(path, topology=machine)
    assert report.verdict.kind == "too slow" and report.status == 1, report
    assert any(name in cause.name for cause in report.causes[:3]), report.causes
    text = " ".join(map(str, report.lines()))
    assert "none is certain" in text and "next:" in text and "GB/s at" in text


NOT_TUNED = ("alltoall", "gather", "scatter")  # groups of sends, which have no algorithm of NCCL's


@each("operation", ["all_gather", "reduce_scatter", "broadcast", "reduce", *NOT_TUNED], few=4)
def test_every_collective_has_causes_and_none_that_it_cannot_have(operation, tmp_path):
    sizes = expect(operation, topology="hgx-h100", sizes=SIZES[-2:]).sizes
    times = {one.size: 12 * one.seconds for one in sizes}
    path = printed(tmp_path / "out.txt", times, operation=operation)
    report = diagnose(path, topology="hgx-h100")
    assert report.verdict.kind == "too slow" and report.causes, report
    names = {cause.name for cause in report.causes}
    tree = "Tree is forced (NCCL_ALGO=Tree)"
    assert tree not in names or operation in ("broadcast", "reduce")
    assert not (operation in NOT_TUNED and any("forced" in name for name in names))
    assert all(cause.distance < 5 for cause in report.causes)


def test_a_slow_node_is_named_when_each_node_has_a_file(tmp_path):
    good = [printed(tmp_path / f"node{k}.txt", healthy()) for k in range(2)]
    times = sick("hgx-h100", 8, "hgx-h100", Faults(slow_rank="3=0.4"))
    report = diagnose(*good, printed(tmp_path / "node2.txt", times), topology="hgx-h100")
    assert report.files[0].path.endswith("node2.txt") and not report.healthy
    assert report.causes[0].name == "one slow node" and "node2.txt" in report.causes[0].evidence


HEALTHY = {
    "A100": (A100, {}),
    "A100 all-gather": (GATHER, {"collective": "all_gather"}),
    "two nodes of EFA": (P5, {"ranks": 16, "topology": "cluster:outside=efa-p5"}),
}


@each("name", HEALTHY, few=8)
def test_posted_files_are_healthy(name):
    path, options = HEALTHY[name]
    report = diagnose(path, **options)
    assert report.healthy and report.status == 0 and not report.causes, report


@pytest.mark.parametrize("seconds", [13435e-6, 22920e-6])
def test_posted_rows_with_a_suspected_fault_are_too_slow(seconds, tmp_path):
    path = printed(tmp_path / "sick.txt", {1 << 30: seconds}, 16)
    report = diagnose(path, topology="cluster")
    assert report.verdict.kind == "too slow" and report.verdict.slow[0].ratio > 3


def test_a_machine_of_which_nobody_posted_rows_is_not_called_sick(tmp_path):
    """Of a size and a machine without posted rows, what is near the model's time is not judged."""
    times = {size: 2 * seconds for size, seconds in healthy("cluster", 64).items()}
    report = diagnose(printed(tmp_path / "wide.txt", times, 64), topology="cluster")
    assert (report.verdict.kind, report.status) == ("cannot say", 2)
    assert "nobody posted rows" in str(report.verdict)


def test_a_wrong_result_comes_before_any_time(tmp_path):
    report = diagnose(printed(tmp_path / "wrong.txt", healthy(), wrong=3))
    assert report.verdict.kind == "wrong results" and report.status == 1
    assert not any(cause.likely for cause in report.causes)


@pytest.mark.parametrize("device", [CARD, "NVIDIA H100 NVL", "NVIDIA H100", "NVIDIA L40S"])
def test_a_box_of_cards_is_not_taken_for_an_hgx(device, tmp_path):
    report = diagnose(printed(tmp_path / "out.txt", healthy(), device=device))
    assert report.status == 2 and "which machine?" in str(report.verdict)
    assert "--topology" in str(report.verdict)


def test_two_nodes_do_not_tell_their_network_cards(tmp_path):
    report = diagnose(printed(tmp_path / "out.txt", healthy("cluster", 16), 16))
    assert report.status == 2 and "cluster:gpus=8" in str(report.verdict)


def test_faster_than_the_machine_allows_is_another_machine(tmp_path):
    path = printed(tmp_path / "out.txt", healthy("cluster", 16), 16)
    report = diagnose(path, topology="cluster:nics=1")
    assert report.status == 2 and "faster than on this machine" in str(report.verdict)


def test_small_sizes_alone_say_nothing_of_bandwidth(tmp_path):
    small = {size: seconds for size, seconds in healthy().items() if size < 1 << 22}
    report = diagnose(printed(tmp_path / "out.txt", small))
    assert report.status == 2 and "is the largest size" in str(report.verdict)


def test_a_machine_of_other_gpus_is_said():
    report = diagnose(A100, topology="hgx-h100")
    assert any("it was measured on A100" in note for note in report.notes)


def test_what_is_measured_is_asked_where_rates_leave_it_open():
    with pytest.raises(BadInput, match=r"does not say what it measures.*--collective all_gather"):
        diagnose(GATHER)


def test_a_table_that_names_neither_ranks_nor_collective_asks_for_the_collective():
    path = Path(__file__).parents[1] / "data" / "nccl_tests" / "aws_p5_all_reduce.txt"
    with pytest.raises(BadInput, match="does not say what it measures; try: --collective"):
        diagnose(path)


def test_one_size_is_too_slow_at_it_and_not_from_it_on(tmp_path):
    path = printed(tmp_path / "sick.txt", {1 << 30: 22920e-6}, 16)
    said = str(diagnose(path, topology="cluster").verdict)
    assert "times too slow at 1 GiB (busbw" in said and said.count("GiB") == 1, said


def test_causes_that_make_the_same_times_are_said_to(tmp_path):
    """With two cards, a card that is not used and cards at half their rate are one to a clock."""
    machine, half = "cluster:nics=2", "cluster:nics=1"
    report = diagnose(printed(tmp_path / "out.txt", sick(machine, 16, half), 16), topology=machine)
    first, second = report.causes[:2]
    assert {first.name, second.name} == {
        "one network card of the node is used",
        "the network cards run at half their rate",
    }
    assert (first.tied, second.tied) == ((), (first.name,))
    assert first.distance == second.distance
    lines = " ".join(" ".join(map(str, report.lines())).split())
    assert f"these times do not tell it from {first.name}" in lines


def test_what_would_make_no_size_too_slow_is_no_cause():
    report = diagnose(GATHER, topology="hgx-h100", collective="all_gather")
    last = report.verdict.slow[-1]
    rates = [float(cause.evidence.split()[3]) * 1e9 for cause in report.causes]
    assert rates and report.verdict.kind == "too slow"
    for rate in rates:
        assert last.expected.busbw_of(last.expected.seconds * last.limit) > 0.99 * rate
