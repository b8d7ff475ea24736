"""`collectives time … -o FILE.trace.json`: traces of every kind of subject, and what is refused."""

import json

import pytest
from each import each
from msccl_programs import program
from own_machine import TOML
from trace_format import check

OWN = """
from collectives.schedule import send
def passing_broadcast(n, root):
    for k in range(n - 1):
        yield send((root + k) % n, (root + k + 1) % n, 0)
"""
SUBJECTS = {
    "all-reduce ring -n 3": 12,
    "all-reduce ring -n 3 --clock dataflow --late 1=20us --jitter 1us --slow-rank 0=0.5": 12,
    "broadcast ring -n 3 --chunks best": None,
    "all-reduce -n 3 --like mpich": None,
    "own.py:passing_broadcast -n 3 --slots 1": 2,
    "three.xml": 3,
    "all-gather ring --topology three.toml --slow-link 0-1=0.5": 6,
}


@pytest.fixture
def subjects(folder):
    """Files with a subject each, and a machine."""
    (folder / "own.py").write_text(OWN)
    (folder / "three.toml").write_text(TOML)
    blocks = [[f"{(k + 1) % 3} {(k - 1) % 3} 0: s i0 -; r - o0"] for k in range(3)]
    (folder / "three.xml").write_bytes(program("custom", *blocks, inplace=0, chunks=1))


@each("asked", SUBJECTS, few=5)
def test_every_subject_has_a_trace(right, folder, subjects, asked):
    ended = right(f"time {asked} --size 3MB -o x.trace.json")
    assert ended.out.endswith("written: x.trace.json\n")
    found = json.loads((folder / "x.trace.json").read_text())
    arrows = len(check(found).starts)
    report = right(f"time {asked} --size 3MB --json -o y.trace.json").json
    assert report["seconds"] == found["otherData"]["seconds"]
    assert arrows == report["messages"] and SUBJECTS[asked] in (None, arrows)
    same = (folder / "x.trace.json").read_bytes() == (folder / "y.trace.json").read_bytes()
    assert same


def test_a_recording_has_a_trace(right, folder):
    right("run all-reduce ring -n 3 -o ring.json")
    right("time ring.json -o ring.trace.json")
    assert len(check(json.loads((folder / "ring.trace.json").read_text())).starts) == 12


def test_a_stalled_schedule_has_a_trace(right, folder):
    right("time all-reduce ring -n 4 --size 1MB --topology ring --dead 1-2 -o dead.trace.json")
    found = json.loads((folder / "dead.trace.json").read_text())
    assert found["otherData"]["seconds"] is None
    assert any(one.end is None for one in check(found).slices)


REFUSED = [
    ("all-reduce ring --size 1MB -o x.json", "x.json", "try: x.trace.json"),
    ("all-reduce ring --size 1MB -o x.perfetto", "try: x.perfetto.trace.json"),
    ("all-reduce --size 1MB -o x.trace.json", "a trace is of one algorithm"),
    ("all-reduce ring --size 1MB -o no/x.trace.json", "no folder"),
    ("all-reduce ring -n 600 --size 1MB -o x.trace.json", "718,800 messages are too many"),
]


@each("case", REFUSED)
def test_what_has_no_trace_is_refused(collectives, folder, case):
    asked, *words = case
    ended = collectives(f"time {asked}")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert all(word in ended.err for word in words), ended.err
    assert list(folder.iterdir()) == []
