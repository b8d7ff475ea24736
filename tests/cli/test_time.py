"""`collectives time`: every row on every machine, numbers against sums by hand, bad input."""

import json
import math
import os
import re
import shlex
from pathlib import Path
from zlib import crc32

import pytest
from each import each

from collectives import ROWS
from collectives.cost.machines import MACHINES, topology
from collectives.cost.machines.custom import EXAMPLE

ALPHA, RATE = 5e-6, 50e9
README = Path(__file__).parents[2] / "README.md"
KEYS = {
    "algorithm", "algbw", "best_chunks", "busbw", "busiest_link", "chunks", "clock",
    "closed_form", "collective", "idle", "latency_seconds", "library", "limit", "lower_bound",
    "dead_links", "late", "messages", "nodes", "other_clock", "parameters", "phases", "ports",
    "ports_note", "ranks", "root", "seconds",
    "size", "stall", "steps", "topology", "without_trouble",
}  # fmt: skip
TOML = """
name = "three in a row"
ranks = 3
[[link]]
between = [[0, 1], [1, 2]]
bandwidth = "10GB/s"
latency = "2us"
"""


def asked(row, more=""):
    size = "" if row.collective == "barrier" else "--size 1MiB"
    return f"time {row.collective} {row.algorithm} {size} {more} --json"


# --- rows on machines


def row_and_name(case):
    return f"{case[0].title} on {case[1]}"


def places(row):
    """The crossbar and three other machines, which are not the same ones for every row."""
    others = sorted(set(MACHINES) - {"crossbar"})
    first = crc32(row.title.encode())
    return ["crossbar", *(others[(first + 4 * k) % len(others)] for k in range(3))]


@each(("row", "name"), [(row, name) for row in ROWS for name in places(row)], row_and_name)
def test_every_row_has_a_time_wherever_it_runs(collectives, row, name):
    """Where it does not, one line names machines on which it does.

    Without the command line every row is timed on every machine in tests/cost/test_machines.py.
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
    if name == "crossbar" and report["nodes"] == n and report["closed_form"]:
        assert report["seconds"] == pytest.approx(report["closed_form"]["seconds"], rel=1e-9)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_machines_that_are_named_instead_do_run_it(collectives, right, row):
    n = 8 if row.accepts(8) else 4
    ended = collectives(asked(row, f"-n {n} --topology ring"))
    if ended.status == 2:
        for name in ended.err.partition("it runs on ")[2].strip().split(", "):
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
    assert one["seconds"] == pytest.approx(many["seconds"])  # a ring crosses once each way
    shared = right(
        "time all-reduce hierarchical --size 1GB --topology cluster:gpus=4,nics=1 --json"
    ).json
    alone = right("time all-reduce hierarchical --size 1GB --topology cluster:gpus=4 --json").json
    assert shared["parameters"] == {"gpus": 4}
    assert shared["seconds"] > 2 * alone["seconds"]
    half = right("time all-reduce ring --size 1GB --topology crossbar:half_duplex=true --json").json
    full = right("time all-reduce ring --size 1GB --topology crossbar --json").json
    assert half["seconds"] == pytest.approx(2 * full["seconds"], rel=1e-3)


def test_algorithms_follow_the_machine(right):
    """Nodes of eight, though the catalog's own default for 16 ranks is four."""
    report = right("time all-reduce hierarchical --size 1GB --topology cluster --json").json
    assert (report["ranks"], report["parameters"]) == (16, {"gpus": 8})
    text = right("time all-reduce hierarchical --size 1GB --topology cluster").out
    assert "2 node switches" in text
    every = right("time all-reduce --size 1GB --topology cluster --json").json["algorithms"]
    found = {one["algorithm"]: one["parameters"] for one in every}
    assert found["hierarchical"] == {"gpus": 8}
    own = right("time all-reduce hierarchical --size 1GB --topology cluster -p gpus=4 --json").json
    assert own["parameters"] == {"gpus": 4}


# --- trouble


def test_a_slow_link_by_hand(right):
    report = right(
        "time all-reduce ring -n 4 --size 4MB --topology ring --slow-link 1-2=0.5 --json"
    ).json
    assert report["seconds"] == pytest.approx(6 * (2 * ALPHA + 1e6 / (RATE / 2)))
    assert report["without_trouble"] == pytest.approx(6 * (ALPHA + 1e6 / RATE))
    assert report["closed_form"]["seconds"] == pytest.approx(report["without_trouble"])


@pytest.mark.parametrize("text", ["1-2=0.5", "1-2=50%", "rank 1-rank 2=0.5", "1→2=0.5"])
def test_links_have_several_names(collectives, text):
    ended = collectives(
        "time", "all-reduce", "ring", "--size", "4MB", "--topology", "ring", "--slow-link", text,
        "--json",
    )  # fmt: skip
    assert ended.json["seconds"] == pytest.approx(6 * (2 * ALPHA + 1e6 / (RATE / 2)))


@pytest.mark.parametrize(
    "link", ["NIC 0-leaf switch 0", "nic 0-Leaf Switch 0", "NIC0→leaf switch 0"]
)
def test_a_slow_card_of_a_cluster(collectives, link):
    """Rank 0 sends at half of 50 GB/s, and 1 of the 2 us it waits doubles."""
    words = [
        "time",
        "all-reduce",
        "ring",
        "-n",
        "4",
        "--size",
        "4MB",
        "--topology",
        "cluster:gpus=1",
        "--json",
    ]
    slow = collectives(*words, "--slow-link", f"{link}=0.5").json["seconds"]
    assert slow == pytest.approx(6 * (3e-6 + 1e6 / 25e9))


def test_the_readme_shows_a_file_that_is_read(right, folder):
    """The one that the module of such files has as its example."""
    (shown,) = re.findall(r"```toml\n(.*?)```", README.read_text(), re.DOTALL)
    assert shown.strip() == EXAMPLE.strip()
    (folder / "own.toml").write_text(shown)
    words = ["time", "all-reduce", "ring", "--size", "4MB", "--topology", "own.toml", "--json"]
    assert right(*words).json["seconds"] == pytest.approx(6 * (4e-6 + 1e6 / 25e9))
    slow = right(*words, "--slow-link", "switch 0-switch 1=0.5").json["seconds"]
    assert slow == pytest.approx(6 * (6e-6 + 1e6 / 12.5e9)), "both directions share what is left"


@pytest.mark.parametrize("name", sorted(MACHINES))
def test_every_link_can_be_named_as_hints_name_it(collectives, name):
    """A link of each two kinds of nodes: what is near a link that there is not, is one."""
    words = ["time", "all-gather", "ring", "-n", "8", "--size", "1MB", "--topology", name]
    machine = topology(name, 8)
    ends = zip(machine.src.tolist(), machine.dst.tolist(), strict=True)
    kinds = {(machine.kind_of(src), machine.kind_of(dst)): src for src, dst in ends}
    for start in kinds.values():
        label = machine.label(start).removeprefix("rank ")
        refused = collectives(*words, "--dead", f"{label}→{label}")
        near = refused.err.strip().rpartition("nearest: ")[2]
        assert f"{label}→" in near, refused.err
        taken = collectives(*words, "--dead", *shlex.split(near))
        assert (taken.status, taken.err) == (0, "")


def test_the_example_of_the_help_works_where_it_says(right):
    told = " ".join(right("time --help").out.split())
    example = re.search(r"--slow-link (\S+) .*? on a (\w+)", told)
    right(f"time all-reduce ring --size 1GB --slow-link {example[1]} --topology {example[2]}")
    example = re.search(r"--dead (\S+) .*? on a (\w+)", told)
    right(f"time all-reduce ring --size 1GB --dead {example[1]} --topology {example[2]}")


def test_one_direction_of_a_link(right):
    """The ring that goes left uses 2 → 1 only."""
    words = ["time", "all-reduce", "leftward-ring", "--size", "4MB", "--topology", "ring", "--json"]
    plain = right(*words).json["seconds"]
    assert right(*words, "--slow-link", "1→2=0.5").json["seconds"] == plain
    for text in ("2→1=0.5", "1-2=0.5"):
        slow = right(*words, "--slow-link", text).json["seconds"]
        assert slow == pytest.approx(6 * (2 * ALPHA + 1e6 / (RATE / 2)))


def test_a_slow_rank_a_late_one_and_jitter(right):
    base = "time all-reduce ring -n 4 --size 4MB --json"
    plain = right(base).json["seconds"]
    late = right(f"{base} --late 2=10ms").json
    assert late["seconds"] == pytest.approx(plain + 10e-3)
    assert late["without_trouble"] == plain
    slow = right(f"{base} --slow-rank 2=0.5").json["seconds"]
    assert plain < slow <= 2 * plain * (1 + 1e-9)
    one, again, other = (
        right(f"{base} --jitter 10us --seed {seed}").json["seconds"] for seed in (1, 1, 2)
    )
    assert one == again != other
    assert plain < one <= plain + 6 * 10e-6


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_lateness_is_no_latency(right, clock):
    """A ring waits 1 ms for its late rank, which is not idle before it has come."""
    words = f"time all-reduce ring -n 8 --size 64MiB --clock {clock}"
    report = right(f"{words} --late 5=1ms --json").json
    plain = right(f"{words} --json").json
    assert plain["late"] is None
    assert report["latency_seconds"] == plain["latency_seconds"] == pytest.approx(14 * ALPHA)
    assert report["late"] == {"ranks": {"5": 1e-3}, "adds": pytest.approx(1e-3)}
    assert report["idle"]["of_ranks"][5] == pytest.approx(0, abs=1e-9)
    assert report["idle"]["of_ranks"][4] > 1e-4
    share = 100 * 1e-3 / report["seconds"]
    assert f"{share:.0f} % of the time is added by rank 5, which comes late" in report["limit"]
    assert "2 % of the time is latency; the rest is 112 MiB each" in report["limit"]
    text = right(f"{words} --late 5=1ms").out
    assert "rank 5 comes 1" in text
    if clock == "lockstep":
        spans = [phase["seconds"] for phase in report["phases"]]
        assert report["phases"][0]["start"] + sum(spans) == pytest.approx(report["seconds"])
        assert re.search(r"steps 1-7, from 1 ?ms on", text)
    assert "from" not in right(words).out.partition("phases")[2].splitlines()[0]


def test_a_rank_that_nobody_waits_for_adds_nothing(right):
    """In a tree rank 5 is asked last: 1 ms goes by before, on ports that others use."""
    words = "time broadcast tree -n 8 --size 64MiB --clock dataflow"
    report = right(f"{words} --late 5=1ms --json").json
    assert report["late"]["adds"] == 0
    assert report["latency_seconds"] == pytest.approx(3 * ALPHA)
    assert "late;" not in report["limit"]
    assert "that adds nothing" in right(f"{words} --late 5=1ms").out
    ranked = right("time broadcast --size 1MiB -n 8 --late 5=1ms --late 2=3us").out
    assert "rank 2 comes 3 µs late, rank 5 comes 1 ms late\n" in ranked


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_many_messages_at_a_port_are_told_where_the_clocks_differ(right, clock):
    """Lockstep: 2 steps. Dataflow: 15 messages one after another in each."""
    base = f"--size 64KiB -n 16 --topology cluster --clock {clock}"
    report = right(f"time all-reduce two-shot {base} --json").json
    assert report["ports"] == 15
    assert report["ports_note"].startswith("two-shot uses 15 ports at once: lockstep gives every")
    assert report["ports_note"] in " ".join(right(f"time all-reduce {base}").out.split())
    single = " ".join(right(f"time all-reduce two-shot {base}").out.split())
    assert report["ports_note"][1:] in single
    every = right(f"time all-reduce {base} --json").json["algorithms"]
    noted = {one["algorithm"] for one in every if one["ports_note"]}
    apart = {
        one["algorithm"]
        for one in every
        if max(pair := (one["seconds"], one["other_clock_seconds"])) > 2 * min(pair)
    }
    assert noted == apart == {"two-shot", "flat", "linear"}
    assert "flat uses 15 ports" not in right(f"time all-reduce {base}").out, "it is not the best"
    assert right("time all-reduce ring --size 1MB --json").json["ports_note"] is None


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_a_dead_link_stalls(right, clock):
    words = f"time broadcast ring -n 4 --chunks 1 --size 1MB --topology ring --clock {clock}"
    report = right(f"{words} --dead 1-2 --json").json
    assert report["seconds"] is None
    assert "rank 1's message never reaches rank 2" in report["stall"]
    assert report["limit"] == "it never ends"
    assert report["dead_links"] == [{"from": "rank 1", "to": "rank 2", "bytes": 1_000_000}]
    assert report["busiest_link"] is None and report["idle"] is None
    text = right(f"{words} --dead 1-2").out
    assert "never ends by the" in text and "1 MB over rank 1 → rank 2" in text
    assert not re.search(r"^(latency|phases|links|idle|chunks) ", text, re.MULTILINE), text
    assert "rank 3 waits for rank 2" in " ".join(text.split())
    elsewhere = right(f"{words} --dead 3-0 --json").json
    assert elsewhere["seconds"] == elsewhere["without_trouble"]


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
    text = right("time all-reduce --size 1GiB --topology hgx-h100").out
    assert "Best by lockstep: " in text
    assert "Best by dataflow: " in text
    assert "sharp: needs 3 switches or servers beside its ranks, hgx-h100 has 1" in text
    other = right("time all-reduce --size 1GiB -n 4 --clock dataflow").out
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
    assert "openmpi runs" in text
    assert "Timed here: our" in text


# --- bad input

BAD = [
    ("time all-reduce ring", "--size 1GiB"),
    ("time all-reduce ring --size 5", "--size 5", "no unit", "5B"),
    ("time all-reduce ring --size 5GX", "5GX", "choose from B"),
    ("time all-reduce ring --size 5gib", "5gib", "GiB"),
    ("time all-reduce ring --size 1Gb", "bits", "125MB"),
    ("time all-reduce ring --size 1.5B", "whole number of bytes"),
    ("time all-reduce ring --size=-1GB", "negative"),
    ("time all-reduce ring --size nanGB", "nanGB", "number and a unit"),
    ("time all-reduce ring --size 9223372036854775808B", "at most 256TiB; nearest: 256TiB"),
    ("time all-reduce ring --size 8EiB", "--size 8EiB: must be at most 256TiB; nearest: 256TiB"),
    ("time all-reduce ring --size 1e400B", "2^63"),
    ("time all-reduce ring --size 4EiB", "nearest: 256TiB"),
    ("time all-reduce ring --size 1PiB", "nearest: 256TiB"),
    ("time all-reduce ring --size 1GB --count 4", "--count 4", "leave it out"),
    ("time all-reduce ring --size 1GB --counts 1,2,3,4", "--counts"),
    ("time barrier tree --size 1GB", "barrier moves no data"),
    ("time barrier --size 1GB", "barrier moves no data"),
    ("time all-reduce ring --size 1GB --bandwidth 0GB/s", "--bandwidth", "above 0"),
    ("time all-reduce ring --size 1GB --bandwidth=-5GB/s", "must be above 0; nearest: 1GB/s"),
    ("time all-reduce ring --size 1GB --bandwidth 5GB", "5GB", "GB/s"),
    ("time all-reduce ring --size 1GB --bandwidth nanGB/s", "nan"),
    ("time all-reduce ring --size 1GB --bandwidth 1e19B/s", "--bandwidth", "2^63"),
    ("time all-reduce ring --size 1GB --latency 5", "--latency 5", "no unit"),
    ("time all-reduce ring --size 1GB --latency=-5us", "negative"),
    ("time all-reduce ring --size 1GB --latency 5us --topology hgx-h100", "links of its own"),
    ("time scan chain --size 1GB --latency 5us --topology ring:latency=1us", "--topology says"),
    ("time all-reduce ring --size 1GB --topology hgx", "did you mean hgx-a100 or hgx-h100"),
    ("time all-reduce ring --size 1GB --topology ''", "--topology", "choose from"),
    ("time all-reduce ring --size 1GB --topology nowhere.toml", "nowhere.toml", "No such file"),
    ("time all-reduce ring --size 1GB --topology hgx-h100 -n 9", "1 to 8", "nearest: 8"),
    ("time all-reduce ring --size 1GB --topology nvl72 -n 73", "1 to 72"),
    ("time all-reduce ring --size 1GB --topology cluster -n 9", "multiples", "nearest: 8 or 16"),
    ("time all-reduce ring --size 1GB --topology cluster:gpsu=4", "gpsu", "did you mean gpus?"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus", "NAME=VALUE"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus=x", "whole number"),
    ("time all-reduce ring --size 1GB --topology cluster:gpus=4,gpus=8", "twice"),
    ("time all-reduce ring --size 1GB --topology cluster:inside=nvlnk4", "nvlink4"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=x", "a number"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=nan", "a number"),
    ("time all-reduce ring --size 1GB --topology cluster:oversubscription=inf", "oversubscription"),
    ("time all-reduce ring --size 1GB --topology crossbar:half_duplex=maybe", "true or false"),
    ("time all-reduce ring --size 1GB --topology hgx-h100:gpus=4", "leave it out"),
    ("time all-reduce ring --size 1GB --clock sundial", "sundial", "choose from lockstep"),
    ("time all-reduce ring --size 1GB --chunks best", "--chunks best", "not pipelined"),
    ("time all-reduce ring --size 1GB --chunks most", "whole number"),
    ("time all-reduce --size 1GB --chunks 4", "--chunks 4", "name an algorithm"),
    ("time all-reduce --size 1GB --root 1", "no root"),
    ("time all-reduce --size 1GB -p gpsu=3", "gpsu"),
    ("time send-recv --size 1GB", "send-recv ping-pong"),
    ("time all-redcue --size 1GB", "did you mean all-reduce?"),
    ("time all-reduce nvls --size 1GB --topology ring", "it runs on crossbar, hgx-h100"),
    ("time all-reduce ring --like nccl --size 1GB", "library chooses"),
    ("time all-reduce --like ncll --size 1GB --topology hgx-h100", "did you mean nccl?"),
    ("time all-reduce --like nccl --size 1GB --topology ring", "knows GPUs"),
    ("time barrier --like nccl --topology hgx-h100", "barrier"),
    ("time all-reduce ring --size 1GB --topology h100", "FILE.toml; did you mean hgx-h100?"),
    ("time all-reduce ring --size 1GB --slow-link 1-2", "no link rank 1", "'1-switch 0=0.5'"),
    ("time all-reduce ring --size 1GB --slow-link 1-2=2 --topology ring", "above 0 up to 1"),
    ("time all-reduce ring --size 1GB --slow-link 1-2=nan --topology ring", "above 0 up to 1"),
    ("time scan chain --size 1GB --slow-link 0-2=0.5 --topology ring", "no link rank 0 → rank 2"),
    ("time all-reduce ring --size 1GB --slow-link x=0.5 --topology ring", "two nodes"),
    ("time all-reduce ring --size 1GB --slow-link '1-hub 2=0.5' --topology ring", "rank 0 to 3"),
    ("time all-reduce ring --size 1GB --slow-rank 4=0.5", "no rank 4", "0 to 3"),
    ("time all-reduce ring --size 1GB --slow-rank 2=0", "above 0 up to 1"),
    ("time all-reduce ring --size 1GB --late 9=5us", "no rank 9"),
    ("time all-reduce ring --size 1GB --late 2=5", "no unit"),
    ("time all-reduce ring --size 1GB --dead 1-3 --topology ring", "no link rank 1 → rank 3"),
    ("time all-reduce ring --size 1GB --jitter 5%", "--jitter"),
    ("time all-reduce ring --size 1GB --seed 1", "no jitter"),
    ("time all-reduce ring --size 1GB --jitter 1us --seed x", "--seed 'x'"),
    ("time none.json", "none.json"),
    ("time none.toml --size 1GB", "none.toml"),
]  # fmt: skip


@pytest.mark.parametrize("case", BAD, ids=lambda case: case[0][5:])
def test_bad_input_is_one_line(collectives, case):
    words, *told = case
    ended = collectives(words)
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.startswith("collectives: ")
    assert ended.err.count("\n") == 1
    for part in told:
        assert part in ended.err, ended.err


HINTED = [
    "--size 9EB",
    "--size 1GB --bandwidth=-1GB/s",
    "--size 1GB --bandwidth 0",
    "--size 1GB --bandwidth 1e19B/s",
    "--size 1GB --latency=-5us",
    "--size 1GB --latency 1e19s",
    "--size 8EiB",
    "--size 300TiB",
    "--size 1e30",
    "--size 1.5",
    "--size 1b",
    "--size 1GB --slow-rank 2=0",
    "--size 1GB --slow-rank 2",
    "--size 1GB --slow-rank 9=0.5",
    "--size 1GB --late 2=5",
    "--size 1GB --late 9=5us",
    "--size 1GB --jitter=-1us",
    "--size 1GB --topology ring --slow-link 1-2",
    "--size 1GB --topology ring --slow-link 1-2=7",
    "--size 1GB --slow-link 1-2=0.5",
    "--size 1GB --slow-link 1-2",
    "--size 1GB --slow-link x=0.5",
    "--size 1GB --topology ring --slow-link 0-2=0.5",
    "--size 1GB --topology ring --slow-link 0-99=0.5",
    "--size 1GB --topology ring --slow-link '0-hub 2=0.5'",
    "--size 1GB --topology hgx-h100 --slow-link 'rank 9-switch 0=50%'",
    "--size 1GB --topology cluster -n 8 --dead 0-1",
    "--size 1GB --dead 1-2",
    "--size 1GB --dead 1",
    "--size 1GB --topology ring --dead 1→9",
]


@pytest.mark.parametrize("typed", HINTED)
def test_hints_are_accepted_when_they_are_typed(collectives, typed):
    """The last option's value is replaced by what is said to be nearest."""
    *words, option, _ = shlex.split(typed.replace("=-", " -"))
    ended = collectives("time", "all-reduce", "ring", *shlex.split(typed))
    assert ended.status == 2
    near = ended.err.strip().rpartition("nearest: ")[2]
    again = collectives("time", "all-reduce", "ring", *words, option, *shlex.split(near))
    assert (again.status, again.err) == (0, ""), (near, again.err)


FILES = [
    (TOML.replace("ranks = 3", "ranks = 4"), "no way from rank", "rank 3"),
    (TOML.replace("between", "betwen"), "betwen", "did you mean between?"),
    (TOML.replace("ranks", "rnaks"), "rnaks", "did you mean ranks?"),
    (TOML.replace("10GB/s", "0GB/s"), "bandwidth", "above 0"),
    (TOML.replace("10GB/s", "10"), "unit"),
    (TOML.replace('"10GB/s"', "nan"), "bandwidth"),
    (TOML.replace("ranks = 3", "ranks = 9223372036854775808"), "ranks"),
    (TOML.replace("[1, 2]", "[1, 7]"), "no node 7"),
    ("ranks = ", "not TOML"),
]


@pytest.mark.parametrize("case", FILES, ids=lambda case: case[1])
def test_a_bad_file_is_one_line(collectives, folder, case):
    text, *told = case
    (folder / "bad.toml").write_text(text)
    ended = collectives("time all-reduce ring --size 1MB --topology bad.toml")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.count("bad") == 1 and ended.err.count("\n") == 1
    for part in told:
        assert part in ended.err, ended.err


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
