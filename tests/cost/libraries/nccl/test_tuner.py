"""NCCL's choice against what its log says, and tables that are known of it."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from cost.libraries.nccl.asked import SIZES, logged, pick

from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.errors import BadInput

TABLE = Path(__file__).parents[3] / "data" / "nccl_tuner.csv"
LINES = TABLE.read_text().splitlines()
ROWS = list(csv.DictReader(line for line in LINES if not line.startswith("#")))
MACHINES = {"log": logged(), "h100": hgx("H100"), "a100": hgx("A100")}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: " ".join(row.values()))
def test_what_is_known_of_the_tuner(row):
    machine = MACHINES[row["machine"]]
    if row["quantity"] == "choice":
        assert tuner.choose(machine, "all-reduce", int(row["bytes"])).candidate.name == row["name"]
        return
    found = getattr(pick(machine, row["name"], int(row["bytes"] or 0)), row["quantity"])
    digits = len(row["value"].partition(".")[2])
    assert f"{found:.{digits}f}" == row["value"]


def test_there_are_all_cells_of_both_tables():
    cells = [row for row in ROWS if row["quantity"] in ("latency", "bandwidth")]
    assert len(cells) == 14 + 12
    assert len([row for row in ROWS if row["quantity"] == "time"]) == 2


def test_the_logged_choice_flips_where_the_log_flips():
    assert tuner.ranges(logged(), "all-reduce", [256, 65536, 131072]) == [
        (256, 65536, "Tree LL"),
        (131072, 131072, "Tree LL128"),
    ]


def test_choice_by_size_of_one_node():
    assert tuner.ranges(hgx("H200"), "all-reduce", SIZES) == [
        (8, 2**20, "Ring LL"),
        (2**21, 2**34, "NVLS Simple"),
    ]
    assert tuner.ranges(hgx("A100"), "all-reduce", SIZES) == [
        (8, 2**21, "Ring LL"),
        (2**22, 2**24, "Ring LL128"),
        (2**25, 2**34, "Ring Simple"),
    ]


def test_without_nvls_a_h200_node_runs_rings():
    machine = replace(hgx("H200"), without=("NVLS", "NVLSTree"))
    found = {name for _, _, name in tuner.ranges(machine, "all-reduce", SIZES)}
    assert found == {"Ring LL", "Ring LL128", "Ring Simple"}
    assert pick(machine, "NVLS Simple").off == "NVLS is switched off"


def test_one_rank_sends_nothing():
    machine = hgx("H100", per_node=1)
    found = tuner.choose(machine, "all-reduce", 2**20)
    assert (found.candidate.time, found.reason) == (0.0, "one rank sends nothing")
    assert all(one.off for one in tuner.candidates(machine, "all-reduce", 2**20))


def test_all_algorithms_off_is_told():
    machine = replace(hgx("H100"), without=("Ring", "Tree", "NVLS"))
    with pytest.raises(BadInput, match="every algorithm is off"):
        tuner.choose(machine, "all-reduce", 8)


def test_all_candidates_have_a_time_or_a_reason():
    found = {size: tuner.candidates(hgx("H100"), "all-reduce", size) for size in (2**20, 2**30)}
    times = {
        one.name: [f"{pick(hgx('H100'), one.name, size).time:.2f}" for size in found]
        for one in found[2**20]
        if not one.off
    }
    assert (len(found[2**20]), len(times)) == (21, 7)
    assert times["Ring LL"] == ["28.01", "13341.58"]
    assert times["NVLS Simple"] == ["28.86", "3972.58"]
