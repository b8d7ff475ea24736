"""`collectives time … --measured FILE`: what nccl-tests printed, beside the model."""

import json
from pathlib import Path

import pytest
from chakra_traces import node, put, trace
from each import each
from msccl_programs import program

from collectives import measured
from collectives.cost.libraries.nccl import tuner
from collectives.evidence.measured_model import hgx

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
A100, GATHER, BROADCAST, P5, OCI = (
    DATA / f"{name}.txt"
    for name in (
        "superbenchmark_all_reduce",
        "superbenchmark_all_gather",
        "superbenchmark_broadcast",
        "aws_p5_all_reduce",
        "oci_two_nodes_all_reduce",
    )
)
HEAD = "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n"
EMPTY = ""
ROW = "1000000 250000 float sum -1 100.0 10.00 17.50 0 100.0 10.00 17.50 0\n"


def test_each_size_is_timed_as_by_itself(right):
    report = right(f"time all-reduce ring --measured {A100} --json").json
    assert (report["ranks"], report["topology"], report["operation"]) == (
        8,
        "hgx-a100",
        "all_reduce",
    )
    assert report["devices"] == ["A100-SXM4-40GB"] and len(report["sizes"]) == 32
    last = report["sizes"][-1]
    alone = right("time all-reduce ring -n 8 --topology hgx-a100 --size 8GiB --json").json
    assert last["size"] == 1 << 33
    assert last["model"]["seconds"] == alone["seconds"]
    assert last["model"]["busbw"] == pytest.approx(alone["busbw"])
    assert last["out_of_place"] == {
        "seconds": 63896e-6,
        "algbw": 134.44e9,
        "busbw": 235.26e9,
        "wrong": None,
    }
    assert last["ratio"] == pytest.approx(alone["seconds"] / 63896e-6)


def test_faults_clocks_and_roots_are_those_of_time(right):
    more = "--clock dataflow --late 3=1ms"
    report = right(f"time broadcast tree --measured {BROADCAST} {more} --json").json
    alone = right(f"time broadcast tree -n 8 --topology hgx-a100 --size 64KiB {more} --json").json
    assert [one["model"]["seconds"] for one in report["sizes"] if one["size"] == 65536] == [
        alone["seconds"]
    ]
    assert {one["root"] for one in report["sizes"]} == {0}


def test_roots_are_those_that_were_measured(right, folder):
    (folder / "out.txt").write_text(HEAD + ROW.replace("-1", "2"))
    machine = "-n 4 --topology line --late 2=1ms --clock dataflow"
    report = right(f"time broadcast ring {machine} --measured out.txt --json").json
    alone, other = (
        right(f"time broadcast ring {machine} --size 1MB --root {root} --json").json["seconds"]
        for root in (2, 0)
    )
    assert report["sizes"][0]["model"]["seconds"] == alone != other


def test_no_algorithm_means_nccl_with_its_estimate(right):
    report = right(f"time all-gather --measured {GATHER} --json").json
    assert any("what NCCL would choose" in note for note in report["notes"])
    for one in report["sizes"]:
        best = tuner.choose(hgx("A100", 1, 8), "all_gather", one["size"]).candidate
        assert one["model"]["estimate"] == pytest.approx(best.seconds)
    like = right(f"time all-gather --like nccl --measured {GATHER} --json").json
    assert like["sizes"] == report["sizes"]


def test_the_table_says_what_the_header_tells(right):
    out = right(f"time all-reduce ring --measured {OCI}").out
    for words in (
        "all-reduce, 16 ranks on 2 nodes (inst-li3ob-ao-ub24 and inst-wyzi7-ao-ub24)",
        "NVIDIA A100-SXM4-40GB, float sum",
        "--topology cluster:gpus=8,inside=nvlink3",
        "10 GiB",
        "191.8 GB/s",
    ):
        assert words in out
    out = " ".join(right(f"time all-reduce --measured {A100}").out.split())
    assert "2 rows of 0 bytes left out" in out and "NCCL's estimate" in out
    assert "At 128 B it takes 34.53 µs out of place, 43.78 µs in place." in out
    assert "4 of 32 sizes, from 1 GiB to 8 GiB" in out
    assert "4 B, which are mostly start-up, took 34.73 µs; the model has 14 µs" in out


def test_ranks_come_from_the_rates_where_none_are_listed(right):
    report = right(f"time all-reduce ring --measured {P5} --topology cluster --json").json
    assert report["ranks"] == 16
    assert "no ranks are listed: its ratio of busbw to algbw fits 16 ranks" in report["notes"]


@pytest.mark.parametrize(
    ("asked", "note"),
    [
        ("--topology cluster:gpus=4", "its nodes have 8 GPUs, those of the machine 4 GPUs"),
        ("--topology fully-connected", None),
    ],
)
def test_a_machine_that_differs_is_said(right, asked, note):
    report = right(f"time all-reduce ring --measured {OCI} {asked} --json").json
    assert report["notes"] == ([note] if note else [])


def test_a_machine_of_other_gpus_is_said(right):
    report = right(f"time all-reduce ring --measured {A100} --topology hgx-h100 --json").json
    assert "it was measured on A100-SXM4-40GB, the machine is hgx-h100" in report["notes"]


def test_what_is_odd_in_a_file_is_said(right, folder):
    wrong = ROW.replace("17.50 0 ", "17.50 7 ", 1)
    edited = ROW.replace("100.0", "400.0", 1)
    (folder / "odd.txt").write_text(HEAD + ROW + wrong + edited)
    report = right("time all-reduce ring -n 16 --measured odd.txt --json").json
    said = "; ".join(report["notes"])
    assert "not that of 16 ranks, but of 8" in said
    assert "results were wrong where #wrong is above 0: line 3" in said
    assert "algbw is not size over time in line 4" in said
    assert "no machine is known by its devices: timed on a crossbar" in said


def test_own_algorithms_and_files_are_set_beside_it(right, folder):
    (folder / "own.py").write_text(
        "from collectives.algorithms.ring import ring_all_reduce as my_all_reduce\n"
    )
    own = right(f"time own.py:my_all_reduce --measured {A100} --json").json
    ours = right(f"time all-reduce ring --measured {A100} --json").json
    seconds = [[one["model"]["seconds"] for one in each["sizes"]] for each in (own, ours)]
    assert seconds[0] == pytest.approx(seconds[1])
    right("convert all-reduce ring -n 8 ring.xml")
    converted = right(f"time ring.xml --measured {A100} --json").json
    assert [one["model"]["seconds"] for one in converted["sizes"]] == pytest.approx(seconds[1])


SAVED = {
    "of the catalog": "all-reduce ring -n 8",
    "of numbers that are not bytes": "all-reduce ring -n 8 --dtype float32 --op max",
    "of an operation that bytes do not have": "own.py:my_all_reduce -n 8 --dtype float64 --op avg",
}


@each("recording", SAVED, few=3)
def test_a_saved_recording_is_timed_at_every_measured_size(right, folder, recording):
    (folder / "own.py").write_text(
        "from collectives.algorithms.ring import ring_all_reduce as my_all_reduce\n"
    )
    right(f"run {SAVED[recording]} -o saved.json")
    saved = right(f"time saved.json --measured {A100} --json").json
    ours = right(f"time all-reduce ring --measured {A100} --json").json
    seconds = [[one["model"]["seconds"] for one in each["sizes"]] for each in (saved, ours)]
    assert seconds[0] == pytest.approx(seconds[1])


def test_messages_to_the_next_rank_are_set_beside_sendrecv(right, collectives, folder):
    """Of traces or a program; the time is that of one message over a link."""
    ends = [{"comm_dst": (k + 1) % 4, "comm_src": (k - 1) % 4, "comm_size": 8} for k in range(4)]
    put(folder, [trace(node(0, "send", **end), node(1, "recv", **end)) for end in ends], "next")
    device = "# Rank {} Group 0 Pid 1 on host device 0 [0x1b] NVIDIA H100\n".format
    row = ROW.replace("17.50", "10.00")
    text = "./sendrecv_perf\n" + "".join(map(device, range(4))) + HEAD + row
    (folder / "sendrecv.txt").write_text(text)
    (size,) = right("time next.et --measured sendrecv.txt --json").json["sizes"]
    seconds = 1e-6 + 1e6 / 450e9
    assert size["model"]["seconds"] == pytest.approx(seconds)
    assert size["model"]["busbw"] == pytest.approx(1e6 / seconds)
    for asked in ("all-reduce ring", "send-recv halo-exchange"):
        assert "as in next.et" in collectives(f"time {asked} --measured sendrecv.txt").err


REFUSED = {
    "all-gather ring --measured OCI": (
        "measures all_reduce, not all_gather",
        "try: all-reduce",
    ),
    "all-reduce ring -n 8 --measured OCI": ("-n 8", "measures 16 ranks", "try: -n 16"),
    "all-reduce ring --size 1GB --measured OCI": ("--size", "sizes of its own"),
    "all-reduce ring --count 8 --measured OCI": ("--count 8", "sizes of its own"),
    "all-reduce ring --measured OCI -o x.trace.json": ("leave --measured out",),
    "all-reduce ring --measured OCI --topology hgx-h100": ("takes 1 to 8", "cluster:gpus=8"),
    "all-reduce ring --measured GATHER": ("fits all_gather, ", "not all_reduce"),
    "all-gather ring -n 16 --measured P5": ("fits all_reduce on 16 ranks", "not all_gather"),
    "broadcast tree --root 2 --measured BROADCAST": ("--root 2", "try: --root 0"),
    "scan linear --measured OCI": ("nccl-tests measure no scan",),
    "barrier tree --measured OCI": ("nccl-tests measure no barrier",),
    "send-recv ping-pong --measured OCI": ("each rank sending to the next",),
    "all-reduce --measured P5": ("no algorithm is named", "not for crossbar", "all-reduce ring"),
    "all-reduce ring --like nccl --measured A100": ("the library chooses the algorithm",),
    "all-reduce ring --measured none.txt": ("none.txt", "no such file"),
    "all-reduce ring --measured .": ("cannot be read",),
    "all-reduce ring --measured EMPTY": ("--measured ''", "is empty", "--measured out.txt"),
    "all-reduce ring --measured /dev/zero": ("not a regular file",),
    "all-reduce ring --measured few.txt": ("it does not say how many ranks", "-n 8"),
    "all-reduce ring --measured zero.txt": ("no times of sizes above 0",),
    "all-reduce ring --measured runs.txt": ("has runs of", "try: -n 4"),
    "four.xml --measured mixed.txt": ("has runs of", "try: a file with one of them"),
    "all-to-all pairwise -n 700 --measured many.txt": ("40 sizes of 489,300 messages each",),
    "all-reduce ring --measured wide.txt": ("measures 2,048 ranks", "try: -n 2048"),
    "all-reduce double-binary-tree -n 8 --chunks best --measured sweep.txt": ("65 sizes",),
    "four.xml --measured OCI": ("-n 4", "measures 16 ranks"),
}


@pytest.fixture
def files(folder):
    """Files that measure little, and a program of four ranks."""
    tiny = ROW.replace("10.00 17.50", "0.00 0.00")
    (folder / "few.txt").write_text(HEAD + tiny)
    sizes = (tiny.replace("1000000 ", f"{size} ") for size in range(1000, 1040))
    (folder / "many.txt").write_text(HEAD + "".join(sizes))
    sizes = (tiny.replace("1000000 ", f"{size} ") for size in range(1000, 1065))
    (folder / "sweep.txt").write_text(HEAD + "".join(sizes))
    device = "# Rank 2047 Group 0 Pid 1 on host device 0 [0x1b] NVIDIA H100\n"
    (folder / "wide.txt").write_text(device + HEAD + ROW)
    (folder / "zero.txt").write_text(HEAD + ROW.replace("1000000 250000", "0 0"))
    rank = "# Rank {} Group 0 Pid 1 on host device 0 [0x1b] NVIDIA H100\n".format
    two, four = ("".join(map(rank, range(ranks))) for ranks in (2, 4))
    (folder / "runs.txt").write_text(two + HEAD + ROW + four + HEAD + ROW)
    runs = (f"./{name}_perf\n{HEAD}{ROW}" for name in ("all_reduce", "broadcast"))
    (folder / "mixed.txt").write_text("".join(runs))
    blocks = [[f"{(k + 1) % 4} {(k - 1) % 4} 0: s i0 -; r - o0"] for k in range(4)]
    (folder / "four.xml").write_bytes(program("custom", *blocks, inplace=0, chunks=1))


@each("asked", REFUSED, few=8)
def test_what_does_not_fit_is_refused(collectives, files, asked):
    words = asked.split()
    at = words.index("--measured") + 1
    words[at] = str(globals().get(words[at], words[at]))
    ended = collectives("time", *words)
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1), ended.err
    assert all(part in ended.err for part in REFUSED[asked]), ended.err


def test_python_says_what_the_command_says(right):
    for words, given in (("ring", ("ring",)), ("", ())):
        told = right(f"time all-reduce {words} --measured {A100} --json").json
        here = json.loads(json.dumps(measured(A100, "all_reduce", *given).as_json()))
        for row, other in zip(told["sizes"], here["sizes"], strict=True):
            assert row["model"]["seconds"] == other["model"]["seconds"], words
            assert row["model"]["algorithm"] == other["model"]["algorithm"]
        assert {key: told[key] for key in ("ranks", "topology")} == {
            key: here[key] for key in ("ranks", "topology")
        }
