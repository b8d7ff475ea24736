"""Files of some ranks only: what waits is said, and nothing is called right for lack of files."""

import json
from pathlib import Path

from collectives import log


def dump(folder, rank, state):
    entry = {
        "pg_id": 0,
        "process_group": ["0", "default_pg"],
        "collective_seq_id": 7,
        "p2p_seq_id": 0,
        "op_id": 7,
        "profiling_name": "nccl:all_reduce",
        "input_sizes": [[1024]],
        "output_sizes": [[1024]],
        "input_dtypes": ["Float"],
        "output_dtypes": ["Float"],
        "state": state,
        "time_created_ns": 10**18,
        "is_p2p": False,
        "retired": state == "completed",
    }
    groups = {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2]"}}
    path = folder / f"trace_{rank}.json"
    path.write_text(json.dumps({"version": "2.10", "pg_config": groups, "entries": [entry]}))
    return str(path)


def test_a_rank_that_waits_alone_is_no_healthy_job(tmp_path):
    hang = log(dump(tmp_path, 0, "scheduled")).hang
    assert (hang.verdict, hang.status) == ("files are missing", 1)
    text = " ".join(map(str, hang.lines()))
    assert "Rank 0 waits in 7" in text and "add the files of ranks 1, 2" in text


def test_a_rank_whose_calls_are_complete_waits_for_nobody(tmp_path):
    hang = log(dump(tmp_path, 0, "completed")).hang
    assert (hang.verdict, hang.status) == ("nothing wrong", 0)


def test_all_ranks_of_a_group_leave_no_file_missing(tmp_path):
    paths = [dump(tmp_path, rank, "scheduled") for rank in range(3)]
    assert log(*paths).hang.verdict != "files are missing"


def test_a_mismatch_that_a_table_alone_says_is_told(tmp_path):
    path = tmp_path / "ras.txt"
    row = "    1         4         1         1         2         1   RUNNING  MISMATCH"
    path.write_text(f"Job summary\n===========\n\n    #  in group  per comm\n{row}\n")
    (finding,) = log(path).hang.findings
    assert "communicators of group 1: MISMATCH" in finding.text and not finding.ranks


def test_a_rank_whose_gpu_has_not_started_the_call_is_named(tmp_path):
    paths = [dump(tmp_path, rank, "started" if rank != 1 else "scheduled") for rank in range(3)]
    for path in map(Path, paths):  # that of a call that ran longer than its timeout
        path.write_text(path.read_text().replace('"retired": false', '"retired": true'))
    (finding,) = log(*paths).hang.findings
    assert (finding.kind, finding.ranks, finding.sequence) == ("unstarted", (1,), 7)
    assert "rank 1 has enqueued call 7 of default_pg, and its GPU has not started" in finding.text
    assert "ranks 0, 2 have started it and wait in 7" in finding.text


def test_where_all_have_started_nobody_is_named_and_no_dump_is_asked_for(tmp_path):
    paths = [dump(tmp_path, rank, "started") for rank in range(3)]
    for path in map(Path, paths):
        path.write_text(path.read_text().replace('"retired": false', '"retired": true'))
    (finding,) = log(*paths).hang.findings
    assert (finding.kind, finding.ranks) == ("stuck", ())
    assert "Flight Recorder" not in finding.advice


def test_a_rank_with_a_receive_that_is_over_has_calls_in_these_files(tmp_path):
    for rank, name, state in ((0, "nccl:send 0->1", "started"), (1, "nccl:recv 1<-0", "completed")):
        path = Path(dump(tmp_path, rank, state))
        text = path.read_text().replace('"is_p2p": false', '"is_p2p": true')
        path.write_text(text.replace("nccl:all_reduce", name).replace("[0, 1, 2]", "[0, 1]"))
    text = "\n".join(map(str, log(*sorted(tmp_path.glob("*.json"))).hang.lines()))
    assert "rank 1  waits in no call" in text and "none of its calls" not in text
