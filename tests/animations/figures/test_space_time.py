"""Arrows of a space-time diagram are the clock's messages, its bars what ranks are busy with."""

import numpy as np
import pytest

from animations.figures.space_time import draw, space_time
from collectives import record
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology_for
from collectives.errors import BadInput

CASES = [
    ("all_reduce", "ring", 4, {}),
    ("broadcast", "tree", 8, {}),
    ("broadcast", "ring", 6, {"chunks": 8}),
    ("all_reduce", "sharp", 8, {}),
    ("all_to_all", "pairwise", 5, {}),
    ("reduce", "flat", 16, {}),
    ("all_gather", "ring", 1, {}),
    ("barrier", "tree", 4, {}),
]


def setup(clock, name="crossbar"):
    return Setup(lambda recording: topology_for(recording, name), clock)


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize(("collective", "algorithm", "ranks", "more"), CASES)
def test_arrows_and_bars_are_the_timing(collective, algorithm, ranks, more, clock, legible, theme):
    size = {} if collective == "barrier" else {"count": 1_000_003, "dtype": "uint8"}
    recording = record(collective, algorithm, ranks=ranks, **size, **more)
    data = space_time(recording, setup(clock))
    page = draw(data, theme)
    texts = legible(page)
    assert {f"rank {rank}" for rank in range(ranks)} <= set(texts)
    messages, made = data.timing.messages, page.axes[0]
    arrows = [note for note in made.texts if (note.get_gid() or "").startswith("message")]
    assert len(arrows) == len(messages)
    for row, arrow in enumerate(arrows):
        start, end = arrow.get_position(), arrow.xy
        assert (start[0], round(start[1])) == (messages.start[row], messages.src[row])
        assert (end[0], round(end[1])) == (messages.end[row], messages.dst[row])
    for rank in range(ranks):
        hatched = [bar for bar in made.patches if bar.get_gid() == f"idle-{rank}"]
        full = [bar for bar in made.patches if bar.get_gid() == f"busy-{rank}"]
        assert all(bar.get_hatch() for bar in hatched)
        for bars, seconds in ((hatched, data.timing.idle), (full, data.timing.busy)):
            shown = sum(bar.get_width() for bar in bars)
            assert shown == pytest.approx(seconds[rank], rel=1e-9, abs=1e-8 * data.timing.total)


def test_a_pipeline_is_drawn_as_far_as_its_titles_say(legible):
    recording = record("broadcast", "ring", ranks=4, chunks=3, count=3000, dtype="uint8")
    slow = Setup(lambda r: topology_for(r, "crossbar", latency="5us", bandwidth="1GB/s"), dataflow)
    texts = " ".join(legible(draw(space_time(recording, slow)))).replace("\n", " ")
    assert "Ring broadcast on 4 ranks takes 30 µs: ranks idle 30 % of the time on average" in texts
    assert "dataflow clock (no barriers; a port takes one message after the other) on" in texts
    assert "on crossbar: α = 5 µs, 1 GB/s each way" in texts


def test_the_bubble_of_a_pipeline_is_hatched():
    """4 stages, 4 micro-batches: ends are busy for 4 of 6 messages, inner stages for 5."""
    pipeline = record("send_recv", "pipeline-activations", ranks=4, chunks=4, count=4000)
    data = space_time(pipeline, setup(dataflow))
    once = data.timing.total / 6
    bubbles = [[(4, 6)], [(5, 6)], [(0, 1)], [(0, 2)]]
    for rank, wanted in enumerate(bubbles):
        assert np.allclose(np.array(data.idle(rank)) / once, wanted)
    made = draw(data).axes[0]
    hatched = [bar for bar in made.patches if (bar.get_gid() or "").startswith("idle-")]
    assert len(hatched) == 4 and all(bar.get_hatch() for bar in hatched)


def test_intervals_that_touch_are_one():
    ring = record("all_reduce", "ring", ranks=8, count=1 << 20, dtype="uint8")
    data = space_time(ring, setup(lockstep))
    assert all(len(spans) == 1 for spans in data.busy)
    assert np.allclose([spans[0] for spans in data.busy], (0, data.timing.total))


def test_what_cannot_be_told_apart_is_refused():
    for ranks, more, message in ((64, {}, "at most 20 lines"), (16, {"chunks": 99}, "fewer ranks")):
        with pytest.raises(BadInput, match=message):
            space_time(record("broadcast", "ring", ranks=ranks, **more), setup(lockstep))
