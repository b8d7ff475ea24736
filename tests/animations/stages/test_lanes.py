"""Lanes of ranks in modeled time: their bars and waits are the clock's, to a pixel."""

from math import inf

import numpy as np
import pytest
from settings import SOME_ROWS

from animations.drawing.shapes import Box
from animations.stages.lanes import LEAST_PITCH, NAMES, lanes_of, sent_by_step
from collectives import record
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link

WIDE = Box(960, 700, 1800, 260)


def timing_of(algorithm, ranks=8, size=64 << 10, clock=dataflow, collective="all_reduce", **costs):
    recording = record(collective, algorithm, ranks=ranks, count=size, dtype="uint8")
    machine = "hgx-h100" if ranks <= 8 else "crossbar"
    return clock(recording, topology_for(recording, machine), Costs(**costs))


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("row", SOME_ROWS, ids=lambda row: row.title)
def test_waits_are_what_the_clock_calls_idle(row, clock):
    ranks = next(n for n in (6, 4, 8, 9, 16) if row.accepts(n))
    recording = sized(row, ranks, 1 << 16)
    timing = clock(recording, topology_for(recording, "crossbar"))
    if not timing.total:
        return
    lanes = lanes_of(timing, WIDE)
    seconds = timing.total / lanes.box.width
    for lane in lanes.rows:
        waited = sum(b.width for b in lanes.waits if b.y == lane.box.y) * seconds
        after = timing.total - lane.done
        idle = timing.total - timing.busy[lane.node]
        assert waited + after == pytest.approx(idle, abs=1e-9 * timing.total), lane


def test_a_bar_is_as_long_as_its_message_takes():
    timing = timing_of("ring", size=64 << 20)
    lanes = lanes_of(timing, WIDE)
    messages = timing.messages
    third = next(lane for lane in lanes.rows if lane.node == 3)
    lower = [b.box for b in lanes.bars if abs(b.box.y - third.box.y) < 20 and b.box.y > third.box.y]
    into = np.flatnonzero(messages.dst == 3)
    lower = [box for box in lower if box.bottom <= third.box.bottom]
    assert len(lower) == len(into) == 14
    for box, number in zip(lower, into, strict=True):
        assert box.left == pytest.approx(lanes.x(messages.start[number]), abs=0.01)
        assert box.right == pytest.approx(lanes.x(messages.end[number]), abs=1.01)


def test_what_is_later_than_now_is_covered():
    timing = timing_of("tree")
    lanes = lanes_of(timing, WIDE)
    half = [cover.box for cover in lanes.cover(timing.total / 2)]
    assert [box.left for box in half] == [lanes.box.left + lanes.box.width / 2] * 8
    assert all(box.right >= lanes.box.right for box in half)
    assert lanes.now(timing.total / 2)[0][0] == half[0].left
    assert [cover.box.left for cover in lanes.cover(2 * timing.total)] == [lanes.box.right] * 8


def test_a_late_rank_does_not_wait_before_it_comes():
    timing = timing_of("tree", collective="broadcast", arrivals={0: 4e-6})
    lanes = lanes_of(timing, WIDE)
    first = {
        row.node: min((b.left for b in lanes.waits if b.y == row.box.y), default=WIDE.right)
        for row in lanes.rows
    }
    assert first.pop(0) >= lanes.x(4e-6)
    assert set(first.values()) == {lanes.box.left}, "the others wait for it"


def test_of_many_ranks_the_busiest_and_those_that_wait_longest_have_a_lane():
    timing = timing_of("tree", ranks=64)
    few = lanes_of(timing, Box(960, 500, 1800, 8 * LEAST_PITCH + 30))
    assert len(few.rows) == 8
    shown = {row.node for row in few.rows}
    assert int(timing.busy.argmax()) in shown
    assert few.left_out == 56
    wide = lanes_of(timing, WIDE)
    assert (len(wide.rows), wide.left_out) == (16, 48)


def test_switches_have_no_lane_where_there_is_no_room_for_all():
    timing = timing_of("nvls", size=1 << 20)
    assert len(lanes_of(timing, WIDE).rows) == 9
    few = lanes_of(timing, Box(960, 500, 1800, 8.5 * LEAST_PITCH + 26))
    assert [row.node for row in few.rows] == list(range(8))
    assert few.left_out == 0


def test_what_never_ends_waits_to_the_edge():
    recording = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    machine = dead_link(topology("ring", 4, latency="1us", bandwidth="1GB/s"), 0, 1)
    lanes = lanes_of(dataflow(recording, machine), WIDE)
    assert 0 < lanes.seconds < inf
    first = lanes.rows[1]
    assert first.done == inf
    ends = [b.right for b in [*lanes.waits, *(bar.box for bar in lanes.bars)]]
    assert max(ends) == pytest.approx(lanes.box.right, abs=1.01)
    assert max(ends) <= lanes.box.right + 1e-6


@pytest.mark.parametrize("height", [110, 180, 260, 420])
def test_nothing_of_the_lanes_leaves_their_box(height):
    box = Box(700, 600, 1200, height)
    lanes = lanes_of(timing_of("ring"), box)
    places = [*(row.box for row in lanes.rows), *(bar.box for bar in lanes.bars), *lanes.waits]
    for place in places:
        assert box.left + NAMES - 1e-6 <= place.left, place
        assert place.right <= box.right + 2, place
        assert box.top - 1e-6 <= place.top, place
        assert place.bottom <= box.bottom, place
    ticks = [word for word in lanes.words if word.baseline > lanes.box.bottom]
    assert ticks[0].text == "0 s"
    assert all("µs" in word.text for word in ticks[1:])


def test_no_message_hides_another_that_is_under_way_at_once():
    timing = timing_of("hierarchical", size=64 << 20, arrivals={3: 1e-3})
    bars = [bar.box for bar in sent_by_step(lanes_of(timing, WIDE), timing).bars]
    assert len(bars) == np.isfinite(timing.messages.start).sum()
    for place, bar in enumerate(bars):
        for later in bars[place + 1 :]:
            beside = later.left >= bar.right - 0.01 or bar.left >= later.right - 0.01
            assert beside or later.top >= bar.bottom or bar.top >= later.bottom, (bar, later)
