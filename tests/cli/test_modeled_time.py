"""Films, pages and pictures in modeled time: `--clock` with the trouble of `time`."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

TROUBLE = "--topology ring --size 4MiB --slow-link 1-2=0.5 --late 3=20us --jitter 1us --seed 4"


@pytest.mark.parametrize("clock", ["lockstep", "dataflow"])
def test_a_film_takes_the_trouble_of_time(right, clock, folder):
    pytest.importorskip("manim")
    right(f"video all-reduce ring -n 4 --clock {clock} {TROUBLE} -q l -o ring.png")
    assert (folder / "ring.png").stat().st_size > 10_000


def test_a_film_behind_a_dead_link_is_drawn(right, folder):
    pytest.importorskip("manim")
    words = "broadcast ring -n 4 --topology ring --dead 1-2"
    right(f"time {words} --size 1MB")
    right(f"video {words} --clock dataflow -q l -o dead.png")
    assert (folder / "dead.png").exists()


@pytest.mark.parametrize(
    "option", ["--late 1=5us", "--dead 0-1", "--jitter 1µs", "--slow-rank 1=0.5"]
)
@pytest.mark.parametrize("verb", ["video", "page", "figure picture"])
def test_trouble_needs_a_clock(collectives, verb, option):
    refused = collectives(f"{verb} all-reduce ring -n 4 {option}")
    assert refused.status == 2
    told = f"{option}: with --clock steps all steps take as long; try: --clock dataflow"
    assert told in refused.err


def test_too_many_messages_are_refused(collectives):
    refused = collectives("video all-reduce ring -n 128 --clock dataflow")
    assert refused.status == 2
    assert "32,512 messages" in refused.err
    assert "try: --clock steps" in refused.err


def test_a_picture_is_of_a_moment(right, collectives, folder):
    words = f"figure picture all-reduce ring -n 4 --clock dataflow {TROUBLE}"
    right(f"{words} --at 40us -o moment.svg")
    right(f"{words} -o end.svg")
    one, other = ((folder / f"{name}.svg").read_bytes() for name in ("moment", "end"))
    assert one != other
    end = right(f"time all-reduce ring -n 4 --clock dataflow {TROUBLE} --json").json["seconds"]
    refused = collectives(f"{words} --at 1s -o late.svg")
    assert refused.status == 2
    near = refused.err.partition("try: --at ")[2].strip()
    assert float(near.removesuffix("µs")) * 1e-6 == pytest.approx(end, rel=1e-3)
    right(f"{words} --at {near} -o last.svg")
    assert (folder / "last.svg").read_bytes() == other


def test_a_picture_of_a_moment_needs_no_manim():
    code = """
import sys
sys.modules["manim"] = None
from collectives.__main__ import main
sys.argv = "collectives figure picture all-reduce ring -n 4 --clock dataflow -o moment.svg".split()
main()
"""
    with TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)
        assert Path(folder, "moment.svg").stat().st_size > 5000


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ("--at 5us", "--at 5µs: steps have no time; try: --clock dataflow"),
        ("--clock lockstep --step 2", "--step 2: with --clock lockstep name a time; try: --at"),
    ],
)
def test_steps_have_no_time_and_clocks_no_steps(collectives, options, told):
    refused = collectives(f"figure picture all-reduce ring -n 4 {options}")
    assert refused.status == 2
    assert told in refused.err


def test_a_page_has_the_times_of_its_clock(right, story_in, folder):
    right(f"page all-reduce ring -n 4 --clock dataflow {TROUBLE} -o ring.html")
    story = story_in(folder / "ring.html")
    seconds = {
        clock: right(f"time all-reduce ring -n 4 --clock {clock} {TROUBLE} --json").json["seconds"]
        for clock in ("dataflow", "lockstep")
    }
    assert story["clock"] == "dataflow"
    assert [[clock, total] for clock, _, total, _ in story["times"]] == [
        [clock, pytest.approx(total)] for clock, total in seconds.items()
    ]
    right("page all-reduce ring -n 4 -o plain.html")
    assert story_in(folder / "plain.html")["clock"] == ""


def test_a_page_of_what_never_ends_shows_who_waits_for_whom(right, story_in, folder):
    words = "broadcast ring -n 4 --topology ring --dead 1-2 --clock lockstep"
    right(f"page {words} -o dead.html")
    wrong = story_in(folder / "dead.html")["wrong"]
    assert wrong["band"] == "A link is dead: the run never ends"
    assert (wrong["heading"], wrong["text"]) == ("Who waits for whom", "0, 3 → 2 ✕ 1")


@pytest.mark.parametrize(
    "words",
    [
        "page barrier dissemination -n 4 --latency 0us",
        "figure picture all-reduce ring -n 1",
        "video all-reduce ring -n 4 --size 0B --latency 0us -q l",
    ],
)
def test_what_takes_no_time_is_not_shown_in_it(collectives, folder, words):
    refused = collectives(f"{words} --clock dataflow")
    assert refused.status == 2
    assert "--clock dataflow: it takes no time" in refused.err
    assert not [*folder.iterdir()]


def test_a_wrong_schedule_without_a_step_is_drawn_at_no_time(collectives, folder):
    (folder / "own.py").write_text("def idle_broadcast(n):\n    return iter(())\n")
    words = "figure picture own.py:idle_broadcast -n 3 --clock dataflow -o idle.svg"
    ended = collectives(words)
    assert (ended.status, ended.err.count("\n")) == (1, 1)
    assert (folder / "idle.svg").is_file()
