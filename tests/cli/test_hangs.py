"""`collectives log` on calls: findings first, exit statuses, JSON, mixed files, and the stop."""

import json
import re
import sys
from pathlib import Path

import pytest
from incident_files import dump, flight_recorder, ras, ras_json, watchdog
from incidents import Job

import collectives
from collectives.errors import BadInput
from collectives.hangs.stop import stopped

HOSTILE = Path(__file__).parents[1] / "hostile"
DOCS = Path(__file__).parents[2] / "docs" / "hangs.md"
INFO = Path(__file__).parents[1] / "data" / "nccl_logs" / "nvlink_8.log"


def job(size=4, stops=None, dead=(), operation="all_reduce", calls=9):
    """A job of one group and one kind of call."""
    made = {rank: [("0", operation, 4096, "Float")] * calls for rank in range(size)}
    one = Job({"0": list(range(size))}, made, stops or {}, dead)
    one.is_stopped = bool(stops or dead)
    return one.run()


def test_the_page_in_the_docs_shows_what_is_printed(collectives, hang):
    text = DOCS.read_text().partition("$ collectives log nccl_trace_rank_*.json\n")[2]
    assert text.partition("```")[0] == collectives("log", *hang).out


@pytest.fixture
def hang(folder):
    """Dumps of four ranks, of which rank 3 is behind."""
    return [path.name for path in flight_recorder(job(stops={3: 4}), folder)]


def test_findings_come_first_and_name_who_is_behind(collectives, hang):
    ended = collectives("log", *hang)
    assert (ended.status, ended.err) == (1, "")
    lines = ended.out.splitlines()
    assert lines[0] == "A hang (Flight Recorder, 4 ranks; 1 finding)"
    assert lines[1] == (
        "1. Rank 3 has enqueued 4; all 3 others wait in 5, all_reduce of 4,096 elements (Float), "
        "of default_pg."
    )
    assert lines[2].startswith("   next: see what these ranks do")
    assert lines[3] == "   from: nccl_trace_rank_3.json, entry 3"


def test_healthy_dumps_are_status_0(right, folder):
    out = right("log", *(path.name for path in flight_recorder(job(), folder))).out
    assert out.startswith("Nothing wrong in these files (Flight Recorder, 4 ranks)\n")


def test_json_and_python_say_the_same(collectives, hang):
    value = collectives("log", "--json", *hang).json["hang"]
    assert (value["verdict"], value["formats"]) == ("hang", ["Flight Recorder"])
    (finding,) = value["findings"]
    assert (finding["kind"], finding["ranks"], finding["sequence"]) == ("behind", [3], 5)
    assert [rank["enqueued"] for rank in value["groups"][0]["ranks"]] == [7, 7, 7, 4]
    report = sys.modules["collectives"].log(*hang)
    assert report.as_json()["hang"] == value
    assert repr(report).count("\n") == 0 and "rank 3 has enqueued 4" in repr(report)
    assert collectives("log", *hang).out.rstrip("\n") == "\n".join(map(str, report.lines()))


def test_a_log_of_nccl_and_of_the_watchdog_is_both(collectives, folder):
    (path,) = watchdog(job(stops={3: 4}), folder)
    path.write_bytes(path.read_bytes() + INFO.read_bytes())
    ended = collectives("log", "job.log")
    assert ended.status == 1
    assert ended.out.startswith("A hang (watchdog, 4 ranks; 1 finding)")
    assert "8 ranks on 1 node" in ended.out
    assert collectives("log", "job.log", "--json").json["ranks"] == 8


def test_formats_are_mixed(collectives, folder):
    made = job(stops={3: 4})
    paths = [*flight_recorder(made, folder), *watchdog(made, folder), *ras(made, folder)]
    ended = collectives("log", *(path.name for path in paths))
    assert "Flight Recorder, watchdog and NCCL RAS" in ended.out.splitlines()[0]
    assert ended.status == 1 and "2 findings" in ended.out.splitlines()[0]


@pytest.mark.parametrize("write", [ras, ras_json])
def test_two_looks_say_whether_counts_stand_still(write, collectives, folder):
    paths = []
    for at, (calls, far) in enumerate([(9, 4), (9, 4), (19, 14)]):
        (path,) = write(job(stops={3: far}, calls=calls), folder)
        paths.append(path.rename(folder / f"{at}{path.suffix}").name)
    assert collectives("log", paths[0]).out.startswith("Ranks differ; whether they hang is open")
    still = collectives("log", *paths[:2])
    assert still.status == 1 and still.out.startswith("A hang (NCCL RAS")
    moving = collectives("log", paths[0], paths[2])
    assert moving.status == 0 and moving.out.startswith("Nothing wrong")


def test_a_rank_that_does_not_answer_is_absent(folder):
    report = collectives.log(*ras_json(job(dead=(1,)), folder))
    first = report.hang.findings[0]
    assert (report.hang.verdict, first.kind, first.ranks) == ("ranks fail", "absent", (1,))


def test_half_of_the_files_make_nobody_a_culprit(folder):
    paths = flight_recorder(job(size=8, stops={3: 4}), folder)
    report = collectives.log(*(path for path in paths if path.name[-6] in "0124"))
    assert all(one.ranks == () for one in report.hang.findings if one.kind != "missing")
    report = collectives.log(*(path for path in paths if path.name[-6] in "01"))
    assert [one.ranks for one in report.hang.findings] == [()]


def test_a_dump_without_calls_cannot_say(collectives, hang, folder):
    content = json.loads((folder / hang[0]).read_text()) | {"entries": [], "pg_status": {}}
    (folder / "empty_0.json").write_text(json.dumps(content))
    ended = collectives("log", "empty_0.json")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "collectives: empty_0.json: cannot say: no line names a call of a rank\n"


def test_two_dumps_of_a_rank_are_refused(collectives, hang, folder):
    (folder / "other_3.json").write_bytes((folder / hang[3]).read_bytes())
    ended = collectives("log", *hang, "other_3.json")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "two dumps of rank 3: nccl_trace_rank_3.json and other_3.json" in ended.err


def test_the_rank_of_a_dump_comes_of_its_groups_where_its_name_has_none(folder):
    made = job(size=3)
    made.groups |= {"1": [0, 2], "2": [1, 2]}
    path = folder / "dump.pkl"
    path.write_bytes(dump(made, 2, is_json=False))
    assert collectives.log(path).hang.evidence.calls[0].rank == 2


@pytest.mark.parametrize("is_dead", [False, True])
def test_the_stop_is_played_as_a_page(is_dead, collectives, folder):
    made = job(size=6, dead=(3,)) if is_dead else job(size=6, stops={3: 4})
    names = [path.name for path in flight_recorder(made, folder)]
    ended = collectives("log", *names, "-o", "stop.html")
    assert (ended.status, ended.out) == (1, "stop.html\n")
    page = (folder / "stop.html").read_text()
    assert "of default_pg on a ring, without rank 3" in page


def test_ranks_that_have_not_called_send_nothing(folder):
    report = collectives.log(*flight_recorder(job(size=6, stops={3: 4}), folder))
    recording = stopped(report.hang)
    sent = recording.bytes_sent
    assert sent[3] == 0 and all(sent[rank] > 0 for rank in (0, 1, 4, 5))
    assert recording.count == 4096 and recording.dtype == "float32"
    assert re.search(r"rank 3 \(ring.py line \d+\), which does no more$", recording.refused.reason)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"stops": {3: 4}, "operation": "broadcast"}, "is broadcast: what can be played is"),
        ({}, "there is no stop to play"),
    ],
)
def test_what_cannot_be_played_is_said(options, words, collectives, folder):
    names = [path.name for path in flight_recorder(job(**options), folder)]
    ended = collectives("log", *names, "-o", "stop.html")
    assert (ended.status, ended.err.count("\n")) == (2, 1) and words in ended.err
    assert not (folder / "stop.html").exists()


def test_files_without_rings_have_no_recording(hang, folder):
    with pytest.raises(BadInput, match="names no rings or trees"):
        collectives.log(*(folder / name for name in hang)).recording()


def test_strange_lines_are_read(collectives, folder, monkeypatch):
    monkeypatch.syspath_prepend(str(HOSTILE))
    from hostile_dumps import STRANGE

    for name, content in STRANGE:
        (folder / name).write_bytes(content)
        ended = collectives("log", name)
        assert (ended.status, ended.err) == (1, ""), name
        assert "\x1b" not in ended.out
