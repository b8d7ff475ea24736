"""Rings as libraries run them: as many channels as a node has network cards, and what that says."""

import numpy as np
import pytest
from each import each

from collectives import ROWS, compare, record, topology
from collectives.cost import by_name
from collectives.cost.choose import channels
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.libraries.nccl.tuner import candidates
from collectives.cost.ranking_report import RankingReport

GIB = 1 << 30
POSTED = (4.61e-3, 4.38855e-3)  # seconds of 1 GiB on 16 H100, and on 16 H200


def ring(ranks=16, size=GIB, collective="all_reduce", **given):
    asked = {"ranks": ranks, "count": size, "dtype": "uint8"}
    return record(collective, "ring", parameters=given, **asked)


def test_a_ring_of_1_gib_takes_what_nccl_expects_and_what_was_posted():
    """Within a quarter: of NCCL's own Ring Simple on two nodes of 8 H100, and of measurements."""
    ours = by_name.time(ring(), "cluster").total
    every = candidates(hgx("H100", nodes=2), "all_reduce", GIB)
    [theirs] = [one.seconds for one in every if one.name == "Ring Simple"]
    for reference in (theirs, *POSTED):
        assert 0.75 < ours / reference < 1.25
    assert by_name.time(ring(channels=1), "cluster").total > 6 * theirs


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize(
    "more",
    [{}, {"gpus": 4}, {"nics": 4}, {"nics": 2}, {"rails": 1}],
)
def test_every_card_of_a_node_carries_as_much_each_way(clock, more):
    """Where GPUs share cards, too, and where the cards of a number have a leaf of their own."""
    timing = Setup(lambda made: topology("cluster", made.ranks, **more), clock).time(ring(16))
    machine = timing.topology
    cards = [
        machine.kind_of(src) == "NIC" or machine.kind_of(dst) == "NIC"
        for src, dst in zip(machine.src.tolist(), machine.dst.tolist(), strict=True)
    ]
    wires = [link for link, card in enumerate(cards) if card and machine.latency[link] > 0]
    carried = {int(timing.link_bytes[link]) for link in wires}
    assert len(carried) == 1 and carried.pop() > 0
    whole = 2 * 15 / 16 * GIB / (more.get("nics", 0) or more.get("gpus", 8)) / 50e9
    assert timing.total == pytest.approx(whole, rel=0.02)


@pytest.mark.parametrize(
    ("collective", "algorithm", "theirs"),
    [
        ("broadcast", "ring", "Ring Simple"),
        ("reduce", "ring", "Ring Simple"),
        ("all_reduce", "double-binary-tree", "Tree Simple"),
    ],
)
def test_chains_and_trees_of_1_gib_take_what_nccl_expects(collective, algorithm, theirs):
    """Within a quarter on two nodes of 8 H100, as the ring; in one channel three times as long."""
    every = candidates(hgx("H100", nodes=2), collective, GIB)
    [expected] = [one.seconds for one in every if one.name == theirs]
    asked = {"ranks": 16, "chunks": 128, "count": GIB, "dtype": "uint8"}
    timing = by_name.time(record(collective, algorithm, **asked), "cluster")
    assert timing.recording.setting.channels == 8
    assert 0.75 < timing.total / expected < 1.25
    one = record(collective, algorithm, parameters={"channels": 1}, **asked)
    assert by_name.time(one, "cluster").total > 3 * expected


@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
def test_trees_from_a_root_use_every_card_of_a_node(collective):
    """Among the cards of the other node none carries more than a quarter above another one."""
    asked = {"ranks": 16, "chunks": 128, "count": GIB, "dtype": "uint8"}
    run = channels.as_libraries_run(
        record(collective, "double-binary-tree", **asked), topology("cluster", 16)
    )
    carried = np.zeros(16, np.int64)
    for step in run.steps:
        outside = step.src // 8 != step.dst // 8
        np.add.at(carried, (step.src if collective == "broadcast" else step.dst)[outside], 1)
    assert 0 < carried[8:].max() <= 1.25 * carried[8:].min()


def test_cards_that_work_as_one_need_one_ring():
    one = by_name.time(ring(), "cluster", stripe=True)
    assert one.recording.parameters == {} and one.one_ring is None
    many = by_name.time(ring(), "cluster")
    assert many.recording.parameters == {"channels": 8}
    assert one.total == pytest.approx(many.total, rel=1e-3)


@pytest.mark.parametrize(
    ("name", "more", "number"),
    [
        ("cluster", {}, 8),
        ("cluster", {"gpus": 4}, 4),
        ("cluster", {"nics": 1}, 1),
        ("cluster", {"nics": 3}, 3),  # cards that do not share out the GPUs: a ring for each
        ("cluster", {"nics": 4}, 8),
        ("cluster", {"nics": 5}, 5),
        ("cluster", {"gpus": 16}, 1),  # one node
        ("cluster", {"gpus": 1}, 1),
        ("crossbar", {}, 1),
        ("nvl72", {}, 1),
    ],
)
def test_how_many_channels_there_are(name, more, number):
    machine, asked = topology(name, 16, **more), ring(16, 1 << 16)
    assert machine.channels == channels.channels_there(asked, machine) == number
    timing = channels.timed_as_run(asked, machine)
    assert timing.recording.setting.channels == number
    assert timing.asked is asked
    assert len(timing.step_end) == len(asked.steps)


@pytest.mark.parametrize("nics", [2, 3, 5, 6, 7, 8])
@pytest.mark.parametrize("collective", ["all_reduce", "all_gather", "reduce_scatter"])
def test_cards_carry_as_much_as_one_another_also_where_they_do_not_share_out_the_gpus(
    collective, nics
):
    machine = topology("cluster", 16, nics=nics)
    asked = record(collective, "ring", ranks=16, count=1 << 20, dtype="uint8")
    run = channels.as_libraries_run(asked, machine)
    assert run.check().ok
    carried = np.zeros((2, 2, nics), np.int64)  # out and in, by node and card
    for step in run.steps:
        src, dst = step.unrolled().src, step.unrolled().dst
        outside = src // 8 != dst // 8
        for way, end in enumerate((src[outside], dst[outside])):
            np.add.at(carried, (way, end // 8, end % 8 * nics // 8), 1)
    of_cards = carried[carried.sum(axis=2) > 0]
    assert (of_cards == of_cards.reshape(-1, nics)[:, :1]).all()


def test_three_cards_take_as_long_as_three_eighths_of_eight():
    """At 1 GiB, where bytes are nearly all of the time."""
    few, many = (by_name.time(ring(16), "cluster", nics=nics).total for nics in (3, 8))
    assert few == pytest.approx(8 / 3 * many, rel=0.02)


def test_channels_that_are_asked_for_share_out_the_nodes_of_the_machine():
    machine = Setup(lambda _: topology("cluster", 16), parameters={"gpus": 8})
    [row] = [row for row in ROWS if row.title == "ring all-reduce"]
    assert machine.fill(row, 16, {"channels": 3}) == {"channels": 3, "gpus": 8}
    assert machine.fill(row, 16, {}) == {}
    assert machine.fill(row, 16, {"channels": 16}) == {"channels": 16}


def test_who_asks_for_one_ring_gets_one():
    machine = topology("cluster", 16)
    for asked in (ring(channels=1), ring(channels=4), record("all_reduce", "tree", ranks=16)):
        assert channels.timed_as_run(asked, machine).recording is asked
    as_asked = Setup(lambda _: machine, as_asked=True)
    assert as_asked.time(ring()).total == pytest.approx(lockstep(ring(), machine).total)


def test_rings_and_the_trees_of_nccl_have_channels():
    names = {(row.collective, row.algorithm) for row in ROWS if row.in_channels}
    rings = ("all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce")
    trees = ("all_reduce", "broadcast", "reduce")
    assert names == {
        *((name, "ring") for name in rings),
        *((name, "double-binary-tree") for name in trees),
    }
    for row in ROWS:
        taken = {one.name for one in row.takes}
        assert ("channels" in taken) == bool(row.in_channels) == bool(row.form.with_channels)


def test_uneven_sizes_that_were_given_stay_in_one_ring():
    uneven = record("all_reduce", "ring", ranks=16, counts=range(16))
    assert channels.timed_as_run(uneven, topology("cluster", 16)).recording is uneven


@pytest.mark.parametrize("size", [GIB, 5000, 100, 0])
@pytest.mark.parametrize("collective", ["all_reduce", "reduce_scatter", "all_gather"])
def test_all_sizes_come_from_one_recording(monkeypatch, collective, size):
    """Its counts and its times are those of a recording of this size, even or not."""
    made = []
    monkeypatch.setattr(channels, "record", lambda *a, **k: made.append(k) or record(*a, **k))
    channels.in_channels.cache_clear()
    machine = topology("cluster", 16)
    for asked in (ring(16, 1 << 20, collective), ring(16, size, collective)):
        run = channels.as_libraries_run(asked, machine)
    assert len(made) == 1
    alone = ring(16, size, collective, channels=8)
    assert run.count == size and run.size.tolist() == alone.size.tolist()
    for name, expected in vars(alone.counters).items():
        assert np.array_equal(getattr(run.counters, name), expected), name
    for clock in (lockstep, dataflow):
        one, other = clock(run, machine).messages, clock(alone, machine).messages
        assert one.end.tolist() == other.end.tolist()


def test_a_comparison_records_a_ring_in_channels_once(monkeypatch):
    made = []
    monkeypatch.setattr(channels, "record", lambda *a, **k: made.append(k) or record(*a, **k))
    channels.in_channels.cache_clear()
    compare("all_reduce", "ring", "hierarchical", ranks=16, topology="cluster")
    by_name.time(ring(16, 12345), "cluster")
    assert len(made) == 1


def test_4096_ranks_are_timed_in_all_channels():
    steps = 2 * 4095
    assert 8 * 4096 * steps <= channels.MOST_ROWS


def test_trees_in_channels_are_said_to_be_pairs_of_trees():
    trees = record("all_reduce", "double-binary-tree", ranks=16, chunks=8, count=GIB, dtype="uint8")
    machine = topology("cluster", 16)
    run = channels.as_libraries_run(trees, machine)
    assert "each is a pair of trees with a share" in channels.channels_note(run, machine)
    assert "one pair of trees uses few" in channels.channels_note(trees, machine)
    assert run.check() and type(run.structure) is not type(trees.structure)


@each(
    ("collective", "algorithm", "busy"),
    [
        ("broadcast", "tree", "2 of 16 NICs"),
        ("all_reduce", "recursive-doubling", ""),
        ("all_reduce", "hierarchical", ""),
        ("all_reduce", "ring", ""),
    ],
)
def test_it_is_said_how_few_cards_an_algorithm_of_one_channel_uses(collective, algorithm, busy):
    recording = record(collective, algorithm, ranks=16)
    note = channels.cards_note(lockstep(recording, topology("cluster", 16)))
    assert note == (f"{busy} carry bytes, in the one channel it is written for" if busy else "")
    assert not channels.cards_note(lockstep(recording, topology("nvl72", 16)))


def test_very_many_rows_stay_in_one_ring_which_is_said(monkeypatch):
    monkeypatch.setattr(channels, "MOST_ROWS", 100)
    timing = channels.timed_as_run(ring(), topology("cluster", 16))
    assert timing.recording.setting.channels == 1
    note = channels.channels_note(timing.recording, timing.topology)
    assert note.startswith("1 of 8 channels: one ring leaves a node by one network card")


def test_hierarchical_wins_below_and_the_ring_above():
    """With eight cards of a node as with one that is as fast as all of them, about 23.5 MiB."""
    setup = by_name.setup_on("cluster", "lockstep")
    for size, first in ((1 << 20, "hierarchical"), (16 << 20, "hierarchical"), (32 << 20, "ring")):
        ranking = rank_algorithms("all_reduce", 16, size, setup)
        both = [one.name for one in ranking.timed if one.name in ("ring", "hierarchical")]
        assert both[0] == first


def test_a_ranking_says_how_many_channels_a_ring_has():
    ranking = rank_algorithms("all_gather", 16, 1 << 20, by_name.setup_on("cluster", "lockstep"))
    report = RankingReport(ranking, 1 << 20)
    lines = " ".join(str(line) for line in report.lines())
    assert "Ring: 8 channels, as NCCL runs them on nodes with several network cards" in lines
    [values] = [one for one in report.as_json()["algorithms"] if one["algorithm"] == "ring"]
    assert values["parameters"] == {"channels": 8}
