"""`collectives time`: every row on every machine, numbers against sums by hand, libraries."""

import json
import math
import os
import re
from zlib import crc32

import pytest
from each import each, row_title
from own_machine import TOML
from settings import SOME_ROWS, THOROUGH, sampled

from collectives import ROWS
from collectives.cost.machines import MACHINES

ALPHA, RATE = 5e-6, 50e9
KEYS = {
    "algorithm", "algbw", "best_chunks", "busbw", "busiest_link", "chunks", "clock", "cut",
    "closed_form", "collective", "idle", "latency_seconds", "library", "limit", "lower_bound",
    "dead_links", "late", "messages", "nodes", "other_clock", "parameters", "phases", "ports",
    "channels_note", "correct", "ports_note", "ranks", "root", "seconds",
    "size", "stall", "steps", "topology", "without_trouble",
}  # fmt: skip


def asked(row, more=""):
    size = "" if row.collective == "barrier" else "--size 7MiB"
    return f"time {row.collective} {row.algorithm} {size} {more} --json"


# --- rows on machines


def row_and_name(case):
    return f"{case[0].title} on {case[1]}"


def places(row):
    """The crossbar and another machine, not the same for every row; three others of THOROUGH."""
    others = sorted(set(MACHINES) - {"crossbar"})
    first = crc32(row.title.encode())
    return [
        "crossbar",
        *(others[(first + 4 * k) % len(others)] for k in range(3 if THOROUGH else 1)),
    ]


@each(
    ("row", "name"),
    [(row, name) for row in SOME_ROWS for name in places(row)],
    row_and_name,
    few=20,
)
def test_every_row_has_a_time_wherever_it_runs(collectives, row, name):
    """Where it does not, one line names machines on which it does.

    Without the command line every row is timed on every machine in cost/machines/test_machines.py,
    and beside its closed form in cost/bounds/test_closed.py.
    """
    n = 8 if row.accepts(8) else 4
    ended = collectives(asked(row, f"-n {n} --topology {name}"))
    if ended.status:
        assert (ended.status, ended.out) == (2, "")
        assert row.nodes(row.setting(n)) > n, ended.err
        assert "crossbar" in ended.err.partition("it runs on ")[2]
        assert ended.err.count("\n") == 1
        return
    assert ended.err == ""
    report = ended.json
    assert set(report) == KEYS
    assert report["seconds"] > 0
    assert report["latency_seconds"] <= report["seconds"] * (1 + 1e-12)
    assert report["topology"] == name
    if report["lower_bound"] is not None:
        assert report["seconds"] >= report["lower_bound"]["seconds"] * (1 - 1e-9)
    if report["cut"] is not None:
        assert report["cut"]["share"] <= 1 + 1e-9
    if name == "crossbar" and report["nodes"] == n and report["closed_form"]:
        assert report["seconds"] == pytest.approx(report["closed_form"]["seconds"], rel=1e-9)


@each("row", SOME_ROWS, row_title)
def test_machines_that_are_named_instead_do_run_it(collectives, right, row):
    n = 8 if row.accepts(8) else 4
    ended = collectives(asked(row, f"-n {n} --topology ring"))
    if ended.status == 2:
        for name in sampled(ended.err.partition("it runs on ")[2].strip().split(", "), 9):
            assert right(asked(row, f"-n {n} --topology {name}")).json["seconds"] > 0


# --- numbers by hand


def test_a_ring_by_hand(right):
    report = right("time all-reduce ring -n 8 --size 8MB --json").json
    seconds = 14 * (ALPHA + 1e6 / RATE)
    assert report["seconds"] == pytest.approx(seconds, rel=1e-12)
    assert report["latency_seconds"] == pytest.approx(14 * ALPHA)
    assert report["algbw"] == pytest.approx(8e6 / seconds)
    assert report["busbw"] == pytest.approx(8e6 / seconds * 14 / 8)
    assert [phase["seconds"] for phase in report["phases"]] == pytest.approx([seconds / 2] * 2)
    assert report["busiest_link"]["bytes"] == 14_000_000
    assert report["busiest_link"]["vectors"] == 1.75
    assert report["busiest_link"]["links_alike"] == 16
    assert report["idle"]["most"] == pytest.approx(0, abs=1e-12)
    least = 3 * ALPHA + 14e6 / RATE
    assert report["lower_bound"]["seconds"] == pytest.approx(least)
    assert report["closed_form"]["formula"] == ["2*(N-1)", "2*(N-1)/N*S"]


def test_latency_and_bandwidth_are_the_options(right):
    report = right(
        "time all-reduce ring -n 4 --size 4MB --latency 1ms --bandwidth 8Mb/s --json"
    ).json
    assert report["seconds"] == pytest.approx(6 * (1e-3 + 1.0))


def test_idle_ranks_by_hand(right):
    """A chain of 1 chunk on 4 ranks: the first and last are busy in 1 of 3 steps, others in 2."""
    report = right("time broadcast ring -n 4 --chunks 1 --size 1MB --json").json
    step = ALPHA + 1e6 / RATE
    assert report["seconds"] == pytest.approx(3 * step)
    assert report["idle"]["of_ranks"] == pytest.approx([2 * step, step, step, 2 * step])
    assert report["idle"]["most"] == pytest.approx(2 * step)
    assert report["idle"]["mean"] == pytest.approx(1.5 * step)


def test_a_shared_link_by_hand(right):
    """On a ring of 4, ranks two apart: two messages meet on every link they take."""
    report = right("time all-gather recursive-doubling -n 4 --size 4MB --topology ring --json").json
    first = ALPHA + 1e6 / RATE
    second = 2 * ALPHA + 2 * 2e6 / RATE
    assert report["seconds"] == pytest.approx(first + second)
    assert report["closed_form"]["seconds"] == pytest.approx(2 * ALPHA + 3e6 / RATE)


def test_a_pipeline_by_both_clocks(right):
    for clock in ("lockstep", "dataflow"):
        report = right(
            f"time broadcast ring -n 5 --chunks 10 --size 1MB --clock {clock} --json"
        ).json
        assert report["clock"] == clock
        assert report["seconds"] == pytest.approx(13 * (ALPHA + 1e5 / RATE))
        assert report["other_clock"]["name"] != clock
        assert report["other_clock"]["seconds"] == pytest.approx(report["seconds"])


def test_the_best_number_of_chunks(right):
    report = right("time broadcast ring -n 8 --size 100MB --chunks best --json").json
    star = math.sqrt(6 * 1e8 / RATE / ALPHA)
    assert report["best_chunks"]["closed_form"] == pytest.approx(star)
    assert report["chunks"] == report["best_chunks"]["chunks"]
    assert abs(report["chunks"] - star) <= 3
    assert report["seconds"] == report["best_chunks"]["seconds"]


def test_a_ring_in_channels_has_the_counts_of_a_closed_form_and_no_time(right):
    """Neighbors of a ring have links of several speeds: the form has one."""
    line = "time all-reduce ring -n 16 --topology cluster --size 1MiB --json"
    closed = right(line).json["closed_form"]
    alone = right(line.replace("ring ", "ring -p channels=1 ")).json["closed_form"]
    assert closed["seconds"] is closed["latency"] is closed["bandwidth"] is None
    counts = ("steps", "vectors", "formula")
    assert [closed[name] for name in counts] == [alone[name] for name in counts]
    assert alone["seconds"] > 0


def test_sizes_by_elements_and_by_bytes_are_the_same(right):
    one = right("time all-reduce ring -n 4 --count 1000 --json").json
    other = right("time all-reduce ring -n 4 --size 8000B --json").json
    assert one["size"] == other["size"] == 8000
    assert one["seconds"] == other["seconds"]
    uneven = right("time all-gather ring -n 3 --counts 1,2,3 --json").json
    assert uneven["size"] == 48
    assert uneven["closed_form"] is None
    assert uneven["seconds"] == pytest.approx(2 * (ALPHA + 24 / RATE))


def test_saved_recordings_and_own_schedules(right, folder):
    right("run all-reduce ring -n 4 --count 500000 -o saved.json")
    report = right("time saved.json --json").json
    assert (report["size"], report["ranks"]) == (4_000_000, 4)
    assert report["seconds"] == pytest.approx(6 * (ALPHA + 1e6 / RATE))
    larger = right("time saved.json --size 8MB --json").json
    assert larger["seconds"] == pytest.approx(6 * (ALPHA + 2e6 / RATE))
    (folder / "mine.py").write_text(
        "from collectives import send\n\n\ndef my_broadcast(n):\n"
        "    for rank in range(n - 1):\n        yield send(rank, rank + 1)\n"
    )
    own = right("time mine.py:my_broadcast -n 4 --slots 1 --size 1MB --json").json
    assert own["seconds"] == pytest.approx(3 * (ALPHA + 1e6 / RATE))
    right("run mine.py:my_broadcast -n 4 --slots 1 -o mine.json")
    again = right("time mine.json --size 1MB --json").json
    assert again["seconds"] == own["seconds"]


def test_it_is_said_how_near_an_algorithm_comes_to_its_cut(right):
    words = "time all-gather ring -n 8 --size 64MiB --topology hgx-h100"
    shown = " ".join(right(words).out.split())
    assert "cut 94.9 % of what hgx-h100 allows: 56 MiB must enter rank 0 over switch 0" in shown
    assert "450 GB/s, which takes 130.5 µs" in shown
    found = right(f"{words} --json").json["cut"]
    assert found["parts"] == [["rank 0"]] and found["direction"] == "in" and found["reachable"]
    assert found["share"] == pytest.approx(
        found["seconds"] / right(f"{words} --json").json["seconds"]
    )
    assert right("time all-to-all pairwise -n 8 --size 1MiB --json").json["cut"] is None
    ranked = right("time all-reduce -n 8 --size 64MiB --topology hgx-h100")
    assert "Nvls reaches at least 75.1 % of what hgx-h100 allows: 64 MiB must enter" in ranked.out


def test_a_wrong_algorithm_is_not_held_against_its_cut(collectives, folder):
    """It may move less than must pass."""
    (folder / "mine.py").write_text(
        "from collectives import send\n\n\ndef idle_all_gather(n):\n    yield send(0, 1, 0)\n"
    )
    ended = collectives("time mine.py:idle_all_gather -n 4 --size 64MiB --json")
    assert ended.status == 1 and ended.json["cut"] is None


def test_a_barrier_and_one_rank(right):
    assert right("time barrier dissemination -n 8 --json").json["seconds"] == pytest.approx(15e-6)
    assert right("time all-reduce ring -n 1 --size 1MB --json").json["seconds"] == 0
    for text in (right("time barrier tree").out, right("time all-reduce ring -n 1 --size 1MB").out):
        assert "by the lockstep clock" in text
    nothing = right("time all-reduce ring --size 0B --json").json
    assert (nothing["seconds"], nothing["algbw"]) == (pytest.approx(30e-6), None)


# --- machines


def test_machines_of_ones_own(right, collectives, folder):
    for name in ("row.toml", "ROW.TOML"):
        (folder / name).write_text(TOML)
        words = f"time broadcast ring --chunks 1 --size 10MB --topology {name} --json"
        assert right(words).json["topology"] == "three in a row"
    report = right("time broadcast ring --chunks 1 --size 10MB --topology row.toml --json").json
    assert (report["ranks"], report["topology"]) == (3, "three in a row")
    assert report["seconds"] == pytest.approx(2 * (2e-6 + 1e-3))
    ranked = right("time all-reduce --size 1MB --topology row.toml --json").json
    assert ranked["ranks"] == 3
    ended = collectives("time broadcast ring --size 1MB --topology row.toml -n 4")
    assert ended.status == 2
    assert "three in a row has 3" in ended.err


def test_machines_know_how_many_ranks_they_have(right):
    for name, ranks in {"hgx-h100": 8, "nvl72": 72, "cluster": 16, "cluster:gpus=4": 8}.items():
        assert (
            right(f"time all-gather ring --size 1MB --topology {name} --json").json["ranks"]
            == ranks
        )
    assert right("time all-gather ring --size 1MB --topology torus-2d --json").json["ranks"] == 4


def test_parameters_of_machines(right):
    one = right("time all-reduce ring --size 1GB --topology cluster:gpus=4,nics=1 --json").json
    many = right("time all-reduce ring --size 1GB --topology cluster:gpus=4 --json").json
    assert (one["parameters"], many["parameters"]) == ({}, {"channels": 4})
    assert one["seconds"] > 3.9 * many["seconds"]  # a ring crosses once each way, by one card
    said = right("time all-reduce ring --size 1GB --topology cluster:gpus=4 -p channels=1 --json")
    assert said.json["seconds"] == pytest.approx(one["seconds"])
    assert said.json["channels_note"].startswith("1 of 4 channels: one ring leaves a node by one")
    assert many["channels_note"].startswith("4 channels, as NCCL runs them on nodes with several")
    assert one["channels_note"] is None
    tree = right("time broadcast split-binary --size 1GB -n 16 --topology cluster").out
    few = tree.index("14 of 16 NICs carry bytes, in the one channel it is written for")
    assert tree.index("\nbandwidth") < few < tree.index("\nlatency")
    shared = right(
        "time all-reduce hierarchical --size 1GB --topology cluster:gpus=4,nics=1 --json"
    ).json
    alone = right("time all-reduce hierarchical --size 1GB --topology cluster:gpus=4 --json").json
    assert shared["parameters"] == {"gpus": 4}
    assert shared["seconds"] > 2 * alone["seconds"]
    half = right("time all-reduce ring --size 1GB --topology crossbar:half_duplex=true --json").json
    full = right("time all-reduce ring --size 1GB --topology crossbar --json").json
    assert half["seconds"] == pytest.approx(2 * full["seconds"], rel=1e-3)
    assert half["busiest_link"]["share"] == pytest.approx(1, rel=1e-2)
    assert [one["busiest_link"]["shared_by"] for one in (full, half)] == [1, 2]
    assert half["busiest_link"]["bytes"] == 2 * full["busiest_link"]["bytes"] == 3 * 10**9


def test_a_cable_that_both_directions_share_is_full(right):
    text = " ".join(
        right(
            "time all-reduce ring -n 8 --size 1GB --topology crossbar:half_duplex=true"
        ).out.split()
    )
    assert "rank 0 ↔ switch 0 (the other 7 carry the same): 3.5 GB = 3.5 S, busy 99.9 %" in text
    assert "the rest is 3.5 GB over each of 8 links, such as rank 0 ↔ switch 0." in text
    assert "waiting" not in text


def test_algorithms_follow_the_machine(right):
    """Nodes of eight, though the catalog's own default for 16 ranks is four."""
    report = right("time all-reduce hierarchical --size 1GB --topology cluster --json").json
    assert (report["ranks"], report["parameters"]) == (16, {"gpus": 8})
    text = right("time all-reduce hierarchical --size 1GB --topology cluster").out
    assert "2 node switches" in text
    every = right("time all-reduce --size 1MB --topology cluster --json").json["algorithms"]
    found = {one["algorithm"]: one["parameters"] for one in every}
    assert found["hierarchical"] == {"gpus": 8}
    own = right("time all-reduce hierarchical --size 1GB --topology cluster -p gpus=4 --json").json
    assert own["parameters"] == {"gpus": 4}


# --- all algorithms, and libraries


@pytest.mark.parametrize("name", sorted({row.collective for row in ROWS} - {"send_recv"}))
def test_all_algorithms_are_ranked(right, name):
    size = "" if name == "barrier" else "--size 1MiB"
    report = right(f"time {name} {size} -n 8 --topology hgx-h100 --json").json
    seconds = [one["seconds"] for one in report["algorithms"]]
    assert seconds == sorted(seconds)
    assert report["best"] == report["algorithms"][0]["algorithm"]
    assert report["reason"].startswith(report["best"])
    rows = sum(row.collective == name for row in ROWS)
    assert len(seconds) + len(report["left_out"]) == rows
    for one in report["algorithms"][:3]:
        more = "".join(f" -p {key}={value}" for key, value in one["parameters"].items())
        more += "" if one["chunks"] is None else f" --chunks {one['chunks']}"
        words = f"time {name} {one['algorithm']} {size} -n 8 --topology hgx-h100{more} --json"
        assert right(words).json["seconds"] == one["seconds"]


def test_a_ranking_says_why_by_both_clocks(right):
    text = right("time all-reduce --size 16MiB --topology hgx-h100").out
    assert "Best by lockstep: " in text
    assert "Best by dataflow: " in text
    assert "not shown: sharp: needs 3 switches or servers beside its ranks, hgx-h100 has 1" in text
    other = right("time all-reduce --size 16MiB -n 4 --clock dataflow").out
    assert other.index("Best by dataflow") < other.index("Best by lockstep")


def test_what_nccl_would_choose(right):
    small, large = (
        right(f"time all-reduce --like nccl --size {size} --topology hgx-h100 --json").json
        for size in ("1MiB", "2MiB")
    )
    assert (small["library"]["algorithm"], small["algorithm"]) == ("Ring LL", "ring")
    assert (large["library"]["algorithm"], large["algorithm"]) == ("NVLS Simple", "nvls")
    times = {one["name"]: one["seconds"] for one in small["library"]["candidates"]}
    running = {name: seconds for name, seconds in times.items() if seconds is not None}
    assert min(running, key=running.get) == "Ring LL"
    assert running["Ring LL"] == pytest.approx(28.01e-6, rel=1e-3)
    text = right("time all-reduce --like nccl --size 1MiB --topology hgx-h100").out
    assert "→  Ring LL" in text
    assert "off: CollNet is not enabled" in text
    fabric = right("time all-reduce --like nccl --size 1MiB --topology cluster -n 24 --json").json
    assert fabric["library"]["machine"] == "3 x 8 H100"
    words = "time all-reduce --like nccl --size 1GiB -n 16 --topology cluster"
    eight, one = (right(f"{words}{more} --json").json["library"] for more in ("", ":nics=1"))
    times = [{c["name"]: c["seconds"] for c in each["candidates"]} for each in (eight, one)]
    assert times[1]["Ring Simple"] > 4 * times[0]["Ring Simple"]
    groups = right("time all-to-all --like nccl --size 1MiB --topology hgx-a100 --json").json
    assert groups["algorithm"] == "triangular"


def test_what_mpi_would_choose(right):
    report = right("time all-reduce --like mpich --size 1MiB -n 8 --json").json
    assert report["algorithm"] == "rabenseifner"
    assert report["library"]["rule"] == "above 8 bytes"
    assert right("time all-reduce --like mpich --size 8B -n 8 --json").json["algorithm"] == (
        "recursive-doubling"
    )
    text = right("time broadcast --like openmpi --size 1KiB -n 8 --topology ring").out
    assert "Open MPI would use" in text
    assert "The times below are our clock's, for " in text


def test_open_mpis_binomial_broadcast_has_the_time_of_its_own_tree(right):
    """Its distances double, so that half of its messages leave the first node in the last step."""
    text = right(
        "time broadcast --like openmpi -n 16 --size 512KiB --topology cluster:gpus=8,nics=1"
    ).out
    assert "binomial: from 16 to 31 ranks, from 4 KiB to below 1 MiB" in text
    assert "92.38 µs by the lockstep clock" in text


def test_the_text_says_what_json_says(right):
    words = "time all-reduce ring -n 8 --size 1GiB --topology hgx-h100"
    text, report = right(words).out, right(f"{words} --json").json
    assert json.dumps(report)
    assert "4.19 ms by the lockstep clock" in text
    assert f"busbw {report['busbw'] / 1e9:.4g} GB/s" in text
    assert "14 α + 1.75 S β = 2 (N-1) α + 2 (N-1)/N S β" in " ".join(text.split())
    assert "reduce-scatter: 2.095 ms, steps 1-7" in text


def test_microseconds_are_spelled_as_the_terminal_can(right, command):
    """µs, as in figures, and us where an encoding has no µ; one spelling on a page."""
    for words in (
        "time all-reduce ring -n 8 --size 64MiB --late 5=1ms",
        "time all-reduce --size 64KiB -n 16 --topology cluster",
        "time all-reduce --like nccl --size 1MiB --topology hgx-h100",
    ):
        text = right(words).out
        assert " µs" in text
        assert not re.search(r"\d(us|ns|µs|ms|[KMG]?i?B)\b", text), text
    plain = {**os.environ, "PYTHONIOENCODING": "ascii"}
    text = command("time all-reduce ring --size 1KB", env=plain).out
    assert "30.03 us by the lockstep clock" in text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("send-recv ping-pong -n 2", "= 2 α + 2 S β"),
        ("broadcast flat -n 2", "= α + S β = α + (N-1) S β"),
        ("all-reduce ring -n 8", "= 14 α + 1.75 S β = 2 (N-1) α + 2 (N-1)/N S β"),
    ],
)
def test_a_closed_form_is_simplified_and_said_once(right, words, text):
    out = " ".join(right(f"time {words} --size 1MiB").out.split())
    assert re.search(r"closed form \S+ \S+ (= .*?) on a crossbar", out)[1] == text


def test_a_ranking_says_what_libraries_would_choose_and_expect(right):
    """NCCL's estimate is that of --like nccl, MPICH's row that of --like mpich."""
    words = "time all-reduce -n 8 --size 64MiB --topology hgx-h100"
    report, like = right(f"{words} --json").json, right(f"{words} --like nccl --json").json
    chosen = {one["name"]: one for one in report["libraries"]}
    candidates = {one["name"]: one["seconds"] for one in like["library"]["candidates"]}
    assert chosen["nccl"]["seconds"] == min(filter(None, candidates.values()))
    assert chosen["mpich"]["row"] == right(f"{words} --like mpich --json").json["algorithm"]
    rows = {one["algorithm"]: one["nccl_seconds"] for one in report["algorithms"]}
    assert rows["nvls"] == chosen["nccl"]["seconds"] and rows["bruck"] is None
    assert rows["ring"] == min(candidates[f"Ring {protocol}"] for protocol in ("LL", "Simple"))
    shown = right(words).out
    assert "start-up and protocols" in " ".join(shown.split())
    assert re.search(r"^NCCL +nvls +NVLS Simple +271.7 µs +198.6 µs$", shown, re.MULTILINE)


def test_a_library_that_leaves_it_to_nccl_uses_what_nccl_does(right):
    report = right("time all-reduce -n 16 --size 64MiB --topology cluster --json").json
    rows = {one["name"]: one["row"] for one in report["libraries"]}
    assert rows["nccl"] == rows["vllm"] == rows["msccl"] == "nvls-tree"


def test_machines_without_gpus_and_faults_have_no_choices_of_libraries_for_gpus(right):
    report = right("time all-reduce -n 8 --size 1MiB --topology crossbar --json").json
    names = {one["name"] for one in report["libraries"]}
    assert {"mpich", "openmpi", "gloo"} <= names and not names & {"nccl", "vllm", "rccl"}
    late = right("time all-reduce -n 8 --size 1MiB --topology crossbar --late 1=5us --json").json
    assert late["libraries"] == []
