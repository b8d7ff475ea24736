"""Films, pages and pictures in modeled time: `--clock` with the trouble of `time`."""

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
@pytest.mark.parametrize("verb", ["video", "page"])
def test_trouble_needs_a_clock(collectives, verb, option):
    refused = collectives(f"{verb} all-reduce ring -n 4 {option}")
    assert refused.status == 2
    told = f"{option}: with --clock steps all steps take as long; nearest: --clock dataflow"
    assert told in refused.err


def test_too_many_messages_are_refused(collectives):
    refused = collectives("video all-reduce ring -n 128 --clock dataflow")
    assert refused.status == 2
    assert "32,512 messages" in refused.err
    assert "nearest: --clock steps" in refused.err
