"""A ranking leaves out what comes first only by more messages at a port than it takes at once."""

from itertools import product

import pytest
from cost.choose.places import ALPHA, RATE, on, timed
from settings import sampled

from collectives import record
from collectives.catalog import find_row
from collectives.cost.choose.ports import Turns, overtaken, take_turns
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs, LogGP
from collectives.cost.machines import topology_for

SIZES = (1 << 10, 1 << 15, 1 << 20, 1 << 25)


def left_out(ranking):
    return {row.algorithm: str(turns) for row, turns in ranking.crowded}


@pytest.mark.parametrize(("n", "size"), sampled(product([64, 13], SIZES), 3))
def test_what_needs_many_ports_is_not_proposed(n, size):
    """By dataflow, which has the messages of a port wait, nothing is faster than the proposed."""
    ranking = rank_algorithms("all-reduce", n, size, on("crossbar"))
    assert ranking.best.timing.recording.counters.ports == 1
    flowing = rank_algorithms("all-reduce", n, size, on("crossbar", dataflow))
    assert not flowing.crowded
    there = {one.name: one.seconds for one in flowing.timed}
    assert there[ranking.best.name] <= flowing.best.seconds * 1.01
    assert {"two-shot"} <= set(left_out(ranking)) <= {row.algorithm for row, _ in ranking.left_out}


def test_the_reason_names_port_and_time():
    ranking = rank_algorithms("all-reduce", 64, 1 << 10, on("crossbar"))
    assert left_out(ranking)["flat"] == (
        "63 messages start at once over rank 0 → switch 0, which takes 1 at a time: "
        "one after another they take 310 µs longer"
    )
    assert dict(ranking.left_out)[find_row("all_reduce", "flat")] == left_out(ranking)["flat"]


@pytest.mark.parametrize(
    ("collective", "n", "setup"),
    [
        ("all-reduce", 2, on("crossbar")),
        ("all-reduce", 8, on("crossbar", ports=7)),
        ("all-reduce", 8, on("fully-connected")),
        ("gather", 8, on("fully-connected")),
    ],
)
def test_one_step_wins_where_ports_take_it(collective, n, setup):
    ranking = rank_algorithms(collective, n, 1 << 10, setup)
    assert not ranking.crowded
    assert "flat" in [one.name for one in ranking.timed if one.seconds == ranking.best.seconds]


def test_links_to_different_neighbors_are_different_ports():
    row = find_row("all_reduce", "bidirectional-ring")
    here, crossbar = (
        take_turns(timed(row, 8, 1 << 20, on(name)).timing) for name in ("ring", "crossbar")
    )
    assert not here.crowded
    assert (crossbar.messages, crossbar.lanes) == (2, 1)
    assert crossbar.in_turn == pytest.approx(crossbar.at_once + 14 * ALPHA)


@pytest.mark.parametrize("ports", [1, 2, 3, 7])
def test_messages_are_shared_out_to_the_lanes_of_a_port(ports):
    turns = take_turns(
        timed(find_row("gather", "flat"), 7, 7000, on("crossbar", ports=ports)).timing
    )
    each = ALPHA + 1000 / RATE
    assert turns.in_turn == pytest.approx(max(turns.at_once, 6 / ports * each))
    assert turns.at_once == pytest.approx(ALPHA + max(1, 6 / ports) * 1000 / RATE)


def test_late_ranks_additions_and_jitter_do_not_count_twice():
    """Every step with one message at a port takes as long by turns as by lockstep."""
    for costs in (
        Costs(arrivals={1: 1e-3}),
        Costs(gamma=1e-10),
        Costs(jitter=1e-6, seed=5),
        Costs(loggp=LogGP(1e-6, 1e-6, 1e-6, 1e-10)),
        Costs(eager=0),
    ):
        for name, machine in (("bidirectional-ring", "ring"), ("flat", "crossbar")):
            made = sized(find_row("all_reduce", name), 8, 1 << 16)
            turns = take_turns(lockstep(made, topology_for(made, machine), costs))
            assert turns.crowded == (name == "flat" and costs.loggp is None), (name, costs)


@pytest.mark.parametrize("name", ["knomial", "binary-tree", "double-binary-tree", "flat"])
def test_on_a_crossbar_the_fullest_port_has_the_messages_of_the_fullest_rank(name):
    made = sized(find_row("broadcast", name), 8, 1 << 16)
    assert take_turns(on("crossbar").time(made)).messages == made.counters.ports > 1


def test_additions_hold_the_port_they_came_by():
    made = record("reduce", "flat", ranks=5, count=1000, dtype="uint8")
    turns = take_turns(lockstep(made, topology_for(made, "crossbar"), Costs(gamma=1e-9)))
    flowing = dataflow(made, topology_for(made, "crossbar"), Costs(gamma=1e-9))
    assert turns.in_turn == pytest.approx(flowing.total)


@pytest.mark.parametrize("name", ["crossbar", "torus-2d", "cluster", "hgx-h100"])
def test_turns_take_no_longer_than_the_fastest_steps_a_port_allows(name):
    """Without barriers but with turns, `flat` takes at least its one step's turns."""
    setup = Setup(lambda recording: topology_for(recording, name))
    for collective in ("all_reduce", "all_gather", "gather", "scatter", "broadcast"):
        made = sized(find_row(collective, "flat"), 8, 1 << 16)
        turns = take_turns(setup.time(made))
        flowing = dataflow(made, topology_for(made, name)).total
        assert turns.at_once <= turns.in_turn <= flowing * (1 + 1e-9), collective


def test_who_is_overtaken():
    plain = [Turns(time, time) for time in (1.0, 2.0, 3.0)]
    assert overtaken(plain) == []
    assert overtaken([Turns(0.5, 2.5), *plain]) == [0]
    assert overtaken([Turns(0.5, 0.9), *plain]) == []
    assert overtaken([Turns(0.5, 0.995), *plain]) == [0]  # as fast within 1 %
    assert overtaken([*plain, Turns(4.0, 400.0)]) == []
    assert overtaken([Turns(0.5, 9.0), Turns(0.6, 8.0), Turns(0.7, 20.0)]) == [0]
