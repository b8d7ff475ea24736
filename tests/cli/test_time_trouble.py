"""`collectives time` with trouble on purpose: slow, late, jittered and dead."""

import re
import shlex
from pathlib import Path

import pytest

from collectives.cost.machines import MACHINES, topology
from collectives.cost.machines.toml_file import EXAMPLE

ALPHA, RATE = 5e-6, 50e9
GUIDE = Path(__file__).parents[2] / "docs" / "work.md"


def test_a_slow_link_by_hand(right):
    report = right(
        "time all-reduce ring -n 4 --size 4MB --topology ring --slow-link 1-2=0.5 --json"
    ).json
    assert report["seconds"] == pytest.approx(6 * (ALPHA + 1e6 / (RATE / 2)))
    assert report["without_trouble"] == pytest.approx(6 * (ALPHA + 1e6 / RATE))
    assert report["closed_form"]["seconds"] == pytest.approx(report["without_trouble"])


@pytest.mark.parametrize("text", ["1-2=0.5", "1-2=50%", "rank 1-rank 2=0.5", "1→2=0.5"])
def test_links_have_several_names(collectives, text):
    ended = collectives(
        "time", "all-reduce", "ring", "--size", "4MB", "--topology", "ring", "--slow-link", text,
        "--json",
    )  # fmt: skip
    assert ended.json["seconds"] == pytest.approx(6 * (ALPHA + 1e6 / (RATE / 2)))


@pytest.mark.parametrize(
    "link", ["NIC 0-leaf switch 0", "nic 0-Leaf Switch 0", "NIC0→leaf switch 0"]
)
def test_a_slow_card_of_a_cluster(collectives, link):
    """Rank 0 sends at half of 50 GB/s, and waits 2 us as before."""
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
    assert slow == pytest.approx(6 * (2e-6 + 1e6 / 25e9))


def test_the_guide_shows_a_file_that_is_read(right, folder):
    """The one that the module of such files has as its example."""
    (shown,) = re.findall(r"```toml\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    assert shown.strip() == EXAMPLE.strip()
    (folder / "own.toml").write_text(shown)
    words = ["time", "all-reduce", "ring", "--size", "4MB", "--topology", "own.toml", "--json"]
    assert right(*words).json["seconds"] == pytest.approx(6 * (4e-6 + 1e6 / 25e9))
    slow = right(*words, "--slow-link", "switch 0-switch 1=0.5").json["seconds"]
    assert slow == pytest.approx(6 * (4e-6 + 1e6 / 12.5e9)), "both directions share what is left"


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
        near = refused.err.strip().rpartition("try: ")[2]
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
        assert slow == pytest.approx(6 * (ALPHA + 1e6 / (RATE / 2)))


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
    assert f"Rank 5 arrives late and adds {share:.0f} % of the time" in report["limit"]
    assert "latency takes 2 % of the time; the rest is 112 MiB over each" in report["limit"]
    text = right(f"{words} --late 5=1ms").out
    assert "rank 5 starts 1" in text
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
    assert "rank 2 starts 3 µs late and rank 5 starts 1 ms late\n" in ranked


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_many_messages_at_a_port_are_told_where_the_clocks_differ(right, clock):
    """Lockstep: 2 steps. Dataflow: 15 messages one after another in each."""
    base = f"--size 64KiB -n 16 --topology cluster --clock {clock}"
    report = right(f"time all-reduce two-shot {base} --json").json
    assert report["ports"] == 15
    assert report["ports_note"].startswith("two-shot uses 15 ports at once: lockstep gives every")
    single = " ".join(right(f"time all-reduce two-shot {base}").out.split())
    assert report["ports_note"][1:] in single
    assert right("time all-reduce ring --size 1MB --json").json["ports_note"] is None


def test_a_ranking_leaves_out_by_lockstep_what_its_ports_make_fast(right):
    """By dataflow all are timed; what lockstep leaves out is told beside it."""
    words = "time all-reduce --size 64KiB -n 16 --topology cluster"
    locked, flowing = (right(f"{words} --clock {clock}") for clock in ("lockstep", "dataflow"))
    reason = "messages start at once over"
    report = right(f"{words} --json").json
    crowded = {one["algorithm"] for one in report["left_out"] if reason in one["reason"]}
    assert {"flat", "two-shot", "linear"} <= crowded
    assert not crowded & {one["algorithm"] for one in report["algorithms"]}
    assert report["other_clock"]["left_out"] == []
    other = right(f"{words} --clock dataflow --json").json
    assert {one["algorithm"] for one in other["other_clock"]["left_out"]} == crowded
    timed = {one["algorithm"]: one for one in other["algorithms"]}
    for name in crowded:
        assert timed[name]["other_clock_seconds"] is None
        assert f"\nnot shown: {name}: " in locked.out
        assert f"\nnot shown by lockstep: {name}: " in flowing.out


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
    assert not re.search(r"^(latency|phases|busiest link|idle|chunks) ", text, re.MULTILINE), text
    assert "rank 3 waits for rank 2" in " ".join(text.split())
    elsewhere = right(f"{words} --dead 3-0 --json").json
    assert elsewhere["seconds"] == elsewhere["without_trouble"]


@pytest.mark.parametrize(
    ("text", "near"),
    [("NIC 3", "'NIC 3-leaf switch 0'"), ("nic3", "'NIC 3-leaf switch 0'"), ("3", "'3-NIC 3'")],
)
def test_a_node_in_the_place_of_a_link_is_answered_with_a_link_of_it(collectives, text, near):
    line = f'time all-reduce ring -n 16 --topology cluster --size 1MiB --dead "{text}"'
    ended = collectives(line)
    assert ended.status == 2 and ended.err.endswith(f"try: {near}\n")


def test_a_clock_names_the_algorithms_it_has_not_timed(right):
    """A ring of 64 ranks in channels is not timed by dataflow: bcube is not the best of all."""
    out = " ".join(right("time all-reduce -n 64 --topology cluster --size 256MiB").out.split())
    found = re.search(r"Best by dataflow, without (.*?), which it has not timed: (\S+):", out)
    assert found and "ring" in found[1] and found[2] not in found[1]
