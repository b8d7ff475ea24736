"""Files of some ranks only: what waits is said, and nothing is called right for lack of files."""

import json

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
