"""No verb lets a wrong schedule pass: status 1, the diagnosis of `run`, and no bound is claimed."""

import pytest
from each import each
from msccl_programs import program
from settings import THOROUGH

import collectives as library
from collectives.formats.msccl import writing

MINE = '''
import numpy as np

from collectives import reduce


def passing_on_all_reduce(n):
    """Every rank passes on its sum."""
    rank = np.arange(n)
    for _ in range(n - 1):
        # every rank adds its sum into its right neighbor
        yield reduce(rank, (rank + 1) % n, chunk=0)
'''
TWICE = "rank 0, slot 0 ends wrong: chunk 0 of rank 2 is in it twice."
SUBJECTS = {
    "mine.py:passing_on_all_reduce": TWICE,
    "wrong.json": TWICE,
    "wrong.xml": TWICE,
    "race.xml": "right in the order that was tried, but others may differ: gpu 0, tb 0, step 0 (s)",
}
# One row a verb: what is typed, and the files that it still writes.
VERBS = [
    ("run S", []),
    ("run S --json", []),
    ("run S -o out.json", []),
    ("run S -o out.npy", []),
    ("check S", []),
    ("check S --json", []),
    ("time S --size 1MiB", []),
    ("time S --size 1MiB --json", []),
    ("time S --size 1MiB -o out.trace.json", ["out.trace.json"]),
    ("convert S out.json", []),
    ("convert S out.xml", []),
    ("program S --for mpi4py", []),
    ("program S --for torch -o out.py", []),
    ("launch S --backend mpi", []),
    ("page S -o out.html", ["out.html"]),
    ("page S --ask -o out.html", ["out.html"]),
    ("page S --clock dataflow -o out.html", ["out.html"]),
    ("page all-reduce ring --also S -o out.html", ["out.html"]),
    ("figure picture S -o out.svg", ["out.svg"]),
    ("figure storyboard S -o out.svg", ["out.svg"]),
    ("figure space-time S -o out.svg", ["out.svg"]),
    ("figure traffic S -o out.svg", ["out.svg"]),
    ("figure links S -o out.svg", ["out.svg"]),
    ("video S -o out.png", ["out.png"]),
]
MEASURED = """# nThread 1 nGpus 3 minBytes 1048576 maxBytes 1048576
# Collective test starting: all_reduce_perf
#   Rank  0 Group  0 Pid  1 on  a device  0 [0x1b] NVIDIA H100 80GB HBM3
#   Rank  1 Group  0 Pid  1 on  a device  1 [0x1c] NVIDIA H100 80GB HBM3
#   Rank  2 Group  0 Pid  1 on  a device  2 [0x1d] NVIDIA H100 80GB HBM3
# size count type redop root time algbw busbw #wrong time algbw busbw #wrong
# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s)
 1048576 262144 float sum -1 30.00 34.95 46.60 0 30.00 34.95 46.60 0
"""


@pytest.fixture
def wrong(collectives, folder):
    """A folder with a wrong schedule as a function, a recording and a program, and with a race."""
    (folder / "mine.py").write_text(MINE)
    names = {}
    exec(MINE, names)
    steps = names["passing_on_all_reduce"](3)
    recording = library.record(steps, collective="all_reduce", ranks=3)
    library.save(recording, folder / "wrong.json")
    writing.save(recording, str(folder / "wrong.xml"))
    blocks = [
        [f"{(r + k) % 3} -1 0: s i0 - 3" for k in (1, 2)]
        + [f"-1 {(r + k) % 3} 0: rrc i0 i0 3" for k in (1, 2)]
        for r in range(3)
    ]
    (folder / "race.xml").write_bytes(program("allreduce", *blocks, chunks=3))
    return collectives


@each("subject", SUBJECTS, str)
def test_no_verb_lets_a_wrong_schedule_pass(wrong, folder, subject):
    before = {path.name for path in folder.iterdir()}
    first = list(SUBJECTS).index(subject)
    for line, files in VERBS if THOROUGH else VERBS[first :: len(SUBJECTS) - 1]:
        ranks = " -n 3" if ":" in subject else ""
        ended = wrong(line.replace("S", subject, 1) + ranks)
        assert ended.status == 1, (line, ended)
        assert SUBJECTS[subject] in ended.err and ended.err.count("\n") == 1, (line, ended)
        assert "within 1 %" not in ended.out, (line, ended)
        made = {path.name for path in folder.iterdir()} - before
        assert made == set(files), line
        for name in made:
            (folder / name).unlink()


def test_a_time_of_a_wrong_algorithm_is_not_held_against_the_bound(wrong):
    shown = wrong("time mine.py:passing_on_all_reduce -n 3 --size 1MiB")
    assert shown.out.splitlines()[-3].endswith("; not compared: the algorithm is wrong")
    report = wrong("time mine.py:passing_on_all_reduce -n 3 --size 1MiB --json").json
    assert report["correct"] is False
    assert report["seconds"] < report["lower_bound"]["seconds"]


def test_beside_what_was_measured_it_is_told_too(wrong, folder):
    (folder / "measured.txt").write_text(MEASURED)
    ended = wrong("time mine.py:passing_on_all_reduce --measured measured.txt")
    assert ended.status == 1 and "slot 0 ends wrong" in ended.err


@pytest.mark.parametrize(
    ("body", "lacks"),
    [
        ("(n):\n    yield reduce(0, 1)", "from collectives import reduce, send"),
        ("(n):\n    yield together([], [])", "from collectives import together"),
        ("(n):\n    yield np.arange(n)", "import numpy as np"),
        (
            "(rank, n):\n    yield Send(1 - rank)",
            "from collectives.schedule.spmd import Recv, Send",
        ),
        ("(rank, n):\n    yield idle()", "from collectives.schedule.spmd import idle"),
    ],
)
def test_a_function_without_an_import_is_told_which(body, lacks, collectives, folder):
    (folder / "bare.py").write_text(f"def bare_broadcast{body}\n")
    ended = collectives("check bare.py:bare_broadcast -n 2")
    assert ended.status == 1
    assert f"is not defined; try: {lacks}" in ended.err
