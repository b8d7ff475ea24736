"""A machine that is added is one row of its file, and every verb knows it by that row."""

from pathlib import Path

import pytest

from collectives.cli.time import MOST_OTHER, _most_other
from collectives.cost.machines import MACHINES, boxes
from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where

DATA = Path(__file__).parents[1] / "data" / "nccl_tests" / "superbenchmark_all_reduce.txt"


def dgx_1(ranks: int) -> Topology:
    """Up to 8 V100, here at one NVSwitch."""
    return boxes._hgx("dgx-1", ranks, "nvlink2", False, boxes.Makeup(chips=6))


@pytest.fixture(autouse=True)
def added(monkeypatch):
    row = NamedMachine(dgx_1, 8, star=True, usual_ranks=5, gpus=("V100",))
    monkeypatch.setitem(MACHINES, "dgx-1", row)


def test_it_is_listed_timed_and_drawn(right):
    assert "dgx-1" in right("list machines").out
    report = right("time all-reduce ring --size 1MiB --topology dgx-1 --json").json
    assert (report["topology"], report["ranks"]) == ("dgx-1", 5)
    right("figure topology dgx-1 -o machine.svg")
    right("page all-reduce ring --topology dgx-1 -o page.html")


def test_libraries_choose_on_it(right, collectives):
    assert (
        "1 x 8 V100" in right("time all-reduce --like nccl --size 1GiB --topology dgx-1 -n 8").out
    )
    refused = collectives("time all-reduce --like nccl --size 1GiB --topology ring")
    assert refused.status == 2 and "hgx-b200, cluster, dgx-1" in refused.err
    refused = collectives("time all-reduce --like rccl --size 1GiB --topology ring")
    assert refused.status == 2 and "--like rccl: its tuner" in refused.err


def test_measured_devices_lead_to_it(right, folder):
    (folder / "out.txt").write_text(DATA.read_text().replace("A100", "V100"))
    report = right("time all-reduce ring --measured out.txt --json").json
    assert report["topology"] == "dgx-1"
    other = right("time all-reduce ring --measured out.txt --topology hgx-a100 --json").json
    assert any("the machine is hgx-a100" in note for note in other["notes"])


def test_the_other_clock_is_asked_for_longer_where_only_ports_are_shared():
    assert _most_other(Where("dgx-1")) > _most_other(Where("ring")) == MOST_OTHER
