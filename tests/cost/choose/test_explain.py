"""What limits an algorithm and why one is the best, in sentences that hold."""

from dataclasses import replace

import pytest
from cost.choose.places import CHAIN, on, timed

from collectives import compare
from collectives.catalog import find_row
from collectives.cost.choose.explain import bottleneck, why_best
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import dataflow
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link


def test_what_limits():
    setup = on("crossbar")
    ring = find_row("all_reduce", "ring")
    few, much = (timed(ring, 8, size, setup) for size in (8, 8 * 10**9))
    assert bottleneck(few) == (
        "The latency of 14 steps takes 100 % of the time: "
        "fewer or shorter steps would help, faster links would not"
    )
    assert "the rest is 14 GB over each of 16 links, such as rank 0 → switch 0" in bottleneck(much)
    slow = timed(CHAIN, 4, 10**9, on("line"), chunks=1)
    assert "the rest is waiting" in bottleneck(slow)
    assert "takes 100 % of" in bottleneck(timed(find_row("barrier", "tree"), 4, 0, setup))
    assert bottleneck(timed(ring, 1, 100, setup)) == "nothing is sent"
    broken = dead_link(topology("ring", 4), 1, 2)
    assert bottleneck(timed(ring, 4, 100, Setup(lambda made: broken, dataflow))) == "it never ends"


def test_why_it_is_the_best():
    large = rank_algorithms("broadcast", 8, 10**8, on("crossbar"))
    text = why_best(large)
    assert text.startswith(f"{large.best.name}: ")
    assert "its bytes take" in text
    small = rank_algorithms("barrier", 8, 0, on("crossbar"))
    assert why_best(small).startswith("dissemination: it has 15 µs of latency in 3 steps, tree")
    alone = rank_algorithms("all-reduce", 1, 100, on("crossbar"))
    assert "tie" in why_best(alone)


def test_a_best_that_is_ahead_in_both():
    text = why_best(rank_algorithms("all-gather", 8, 1 << 20, on("fully-connected")))
    assert text.startswith("flat: its bytes take ")
    assert "vectors over the busiest link, not" in text
    assert "; and it has 1 µs of latency in 1 step, " in text


def test_one_step_cannot_become_fewer_and_no_bytes_are_said_to_be_none():
    found = rank_algorithms("broadcast", 4, 0, on("fully-connected"))
    assert found.best.timing.recording.counters.steps == 1
    assert (
        "takes 100 % of the time: a shorter step would help, faster links would not"
        in bottleneck(found.best)
    )
    assert "; there are no bytes" in why_best(found)


def test_the_only_one_left_is_not_said_to_be_the_only_one_that_runs():
    found = rank_algorithms("gather", 64, 1 << 10, on("crossbar"))
    alone = replace(found, timed=[one for one in found.timed if one.name == "tree"])
    assert why_best(alone) == "tree: all others need ports that take more messages at once"


@pytest.mark.parametrize("rival", ["hierarchical", "double-binary-tree"])
def test_bytes_over_links_are_named_only_where_they_are_the_reason(rival):
    """NICs and NVLink are not compared, nor 0.234 with 0.25 vectors for 1.8 times the time."""
    common = {"ranks": 16, "topology": "cluster", "size": "64MiB"}
    chunks = None if rival == "hierarchical" else 4
    found = compare("all_reduce", "ring", rival, chunks=chunks, **common)
    assert "over the busiest link" not in " ".join(map(str, found.lines()))
    near = compare("all_reduce", "ring", "tree", ranks=8, topology="hgx-h100", size="64MiB")
    assert "(1.75 vectors over the busiest link, not 3)" in " ".join(map(str, near.lines()))
