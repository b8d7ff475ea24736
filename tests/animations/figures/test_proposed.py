"""Figures without names show the fastest by what ports can do, and say what they leave out."""

import pytest

from animations.figures.algorithm_times import over_ranks, over_sizes
from animations.figures.sweep import Sweep
from animations.figures.time_curves import draw_ranks, draw_sizes
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.machines import topology_for


def setup(name="crossbar", clock=lockstep, **parameters):
    return Setup(lambda recording: topology_for(recording, name, **parameters), clock)


def names(data):
    return {curve.row.algorithm for curve in data.curves}


def crowded(data):
    return {row.algorithm: messages for row, messages in data.crowded}


def test_over_sizes_no_algorithm_leads_by_63_messages_at_a_port(theme, legible):
    data = over_sizes("all-reduce", [], 64, Sweep(setup()), 1 << 10, 1 << 30)
    both = {"trivance": 2, "trivance-latency": 2}  # which send both ways
    assert crowded(data) == {"flat": 63, "two-shot": 63, "linear": 63, **both}
    assert not names(data) & set(crowded(data))
    sweep = Sweep(setup())
    assert all(sweep.recording(curve.row, 64).counters.ports == 1 for curve in data.curves)
    text = " ".join(legible(draw_sizes(data, theme))).replace("\n", " ")
    assert (
        "Left out: flat, two-shot, linear, Trivance (latency) and Trivance, "
        "which need ports that take up to 63 messages at once."
    ) in text


def test_over_ranks_no_algorithm_leads_by_many_messages_on_some_number(theme, legible):
    """BCube is as fast as any on 8 ranks; on 7 each rank sends to the 6 others at once."""
    ranks, size = range(2, 9), 1 << 20
    data = over_ranks("all-reduce", [], ranks, Sweep(setup()), size)
    found = crowded(data)
    assert found == {"two-shot": 7, "bcube": 6, "trivance": 2}
    for n in ranks:
        flowing = Sweep(setup(clock=dataflow))
        at = [
            (curve.row, curve.values[curve.at.index(n)]) for curve in data.curves if n in curve.at
        ]
        ahead = min(at, key=lambda one: one[1])[0]
        best = min(flowing.seconds(row, n, size) for row, _ in at)
        assert flowing.seconds(ahead, n, size) <= best * 1.01
    text = " ".join(legible(draw_ranks(data, theme))).replace("\n", " ")
    left_out = "two-shot, Trivance and BCube"
    assert f"{left_out}, which need ports that take up to 7 messages at once." in text


def test_one_that_is_left_out_needs_ports(legible):
    data = over_sizes("gather", [], 16, Sweep(setup()), 1 << 10, 1 << 14)
    assert names(data) == {"tree", "bine"}  # all there are, beside it
    text = " ".join(legible(draw_sizes(data))).replace("\n", " ")
    assert "Left out: flat, which needs ports that take 15 messages at once." in text


@pytest.mark.parametrize("machine", ["fully-connected", "crossbar"])
def test_one_step_is_proposed_where_ports_take_it(machine, legible):
    more = {"ports": 7} if machine == "crossbar" else {}
    data = over_sizes("all-reduce", [], 8, Sweep(setup(machine, **more)), 1 << 10, 1 << 24)
    assert names(data) == {"flat", "two-shot"}
    assert not data.crowded
    assert "Left out" not in " ".join(legible(draw_sizes(data)))


def test_names_are_drawn_whatever_ports_they_need():
    data = over_sizes("all-reduce", ["flat", "ring"], 8, Sweep(setup()), 1 << 10, 1 << 14)
    assert names(data) == {"flat", "ring"}
    assert not data.crowded


def test_by_dataflow_nothing_is_left_out():
    data = over_sizes("gather", [], 16, Sweep(setup(clock=dataflow)), 1 << 10, 1 << 14)
    assert names(data) == {"bine", "flat"}
    assert not data.crowded


def test_the_most_messages_of_all_numbers_of_ranks_are_told():
    """BCube of 7 ranks sends 6 messages at once, of 9 = 3 x 3 two, of 16 = 2^4 one."""
    data = over_ranks("all-reduce", [], [7, 9, 16], Sweep(setup()), 1 << 20)
    assert crowded(data) == {"two-shot": 15, "bcube": 6, "trivance": 2}


def test_one_that_leads_by_ports_at_small_sizes_is_shown_where_it_leads_without(theme, legible):
    """A broadcast by two trees leads at 1 MiB by two messages at a port, at 256 MiB anyway."""
    sweep, most = Sweep(setup()), 1 << 28
    data = over_sizes("broadcast", [], 16, sweep, 1 << 20, most)
    trees = next(curve for curve in data.curves if curve.row.algorithm == "double-binary-tree")
    start = trees.at[0]
    assert 1 << 20 < start < most
    assert set(data.starts) == {trees.row} and data.starts[trees.row][0] == start
    assert "double-binary-tree" not in crowded(data)
    for size in (start, most):
        times = {row: sweep.turns(row, 16, size) for row in (c.row for c in data.curves)}
        best = min(turns.in_turn for turns in times.values())
        assert times[trees.row].in_turn <= best * 1.01
    assert data.changes[-1].after == (trees.row,)
    assert data.changes[-1].size >= start
    assert start in {change.size for change in data.changes}
    text = " ".join(legible(draw_sizes(data, theme))).replace("\n", " ")
    assert "Double-binary-tree is shown from 16 MiB on: below, it may lead only by" in text
    assert "ports that take 2 messages at once." in text
    assert "scatter-doubling up to 16 MiB, then double-binary-tree" in text
