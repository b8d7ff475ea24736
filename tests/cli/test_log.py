"""`collectives log`: the report, JSON, and the algorithm as a file that is a subject."""

from pathlib import Path

import pytest

import collectives
from collectives.errors import BadInput

FOLDER = Path(__file__).parents[1] / "data" / "nccl_logs"


@pytest.fixture
def log(folder):
    """The name of a copy of a sample in the folder."""

    def copy(name):
        (folder / "nccl.log").write_bytes((FOLDER / f"{name}.log").read_bytes())
        return "nccl.log"

    return copy


def test_the_report(right, log):
    lines = right("log", log("infiniband_2x4")).out.splitlines()
    for line in (
        "NCCL, no version in the log: 8 ranks on 2 nodes, 2 channels",
        "  ib-a  ranks 0-3",
        "  channel 0, 1  0 2 5 7 4 6 1 3",
        "  channel 0  1 (2 (3 (0)), 5 (6 (7 (4))))",
        "  NET/IB through GPU Direct RDMA  2 pairs",
        "  ring  ring of a log: every rank ends with the sum over all ranks, in 14 steps",
    ):
        assert line in lines
    assert lines[1] == "Slow or unusual" and lines[2].startswith("1. ")  # before all that is usual
    assert any(line[3:].startswith("Few channels, 2") for line in lines)
    assert any(line.startswith("   next: env | grep -E 'NCCL_MAX_") for line in lines)


def test_what_ran_is_in_the_report(right, log):
    out = right("log", log("tuner_2_30")).out
    assert "AllReduce of 32 MiB  Ring Simple  32 channels  3 ×" in out


def test_json(right, log):
    found = right("log", log("shm_8"), "--json").json
    assert (found["ranks"], found["channels"]) == (8, 2)
    assert found["rings"]["0"] == list(range(8))
    assert found["connections"] == {"SHM (host memory)": 8}
    assert found["executed"] == {"ring": True, "tree": True}
    assert len(found["findings"]) == len(found["next"]) == 2 and all(found["next"])


def test_an_algorithm_of_a_log_is_a_subject(right, log):
    name = log("infiniband_2x4")
    for options, steps in (("", 14), ("--algorithm tree", 9)):
        for suffix in ("json", "xml"):
            right(f"log {name} -o out.{suffix} {options}")
            assert right(f"run out.{suffix} --json").json["correct"] is True
        assert right("run out.json --json").json["steps"] == steps


def test_a_log_without_a_ring_has_no_algorithm(collectives, log):
    ended = collectives("log", log("sockets_2x8"), "-o", "out.json")
    assert ended.status == 2
    assert ended.err == (
        "collectives: nccl.log: the log has no whole ring; try: NCCL_DEBUG_SUBSYS=INIT,GRAPH\n"
    )


def test_the_drawing(right, log, folder):
    name = log("infiniband_2x4")
    assert right(f"log {name} -o nccl.svg --theme light").out == "nccl.svg\n"
    assert "NCCL's ring of 8 ranks" in (folder / "nccl.svg").read_text()
    right(f"log {name} -o nccl.png --algorithm tree")
    assert (folder / "nccl.png").read_bytes().startswith(b"\x89PNG")


def test_no_log(collectives, folder):
    (folder / "a.log").write_text("hello\n")
    ended = collectives("log a.log")
    assert (ended.status, ended.err.count("\n")) == (2, 1)
    assert "no NCCL line names ranks" in ended.err


def test_a_report_is_json_where_the_algorithm_is_written_too(right, tmp_path):
    path = tmp_path / "ring.json"
    assert right("log", str(FOLDER / "nvlink_8.log"), "--json", "-o", str(path)).json["ranks"] == 8
    assert path.exists()


def test_python_has_what_the_command_prints(right, log):
    path = log("infiniband_2x4")
    found = collectives.log(path)
    assert right("log", path, "--json").json == found.as_json()
    assert "\n".join(map(str, found.lines())) == right("log", path).out.rstrip("\n")
    assert found.recording("tree").check().ok
    with pytest.raises(BadInput, match="names no file"):
        collectives.log()
    with pytest.raises(BadInput, match="algorithm 'rings': unknown; did you mean ring"):
        found.recording("rings")
