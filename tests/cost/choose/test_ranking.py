"""The best algorithm against times that are added up by hand here, and the least time."""

from math import isclose

import pytest
from cost.choose.places import ALPHA, RATE, on

from collectives import ROWS, record
from collectives.catalog import find_row
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.choose.explain import why_best
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link
from collectives.errors import BadInput


def slow_sums(recording):
    """Seconds on a crossbar: by lockstep, and where the messages of a port take turns."""
    at_once = in_turn = 0
    for step in recording.steps:
        messages = set()
        for row in range(len(step)):
            src, dst, chunk = int(step.src[row]), int(step.dst[row]), int(step.chunk[row])
            if src != dst:
                messages |= {(src, dst, chunk + k) for k in range(int(step.count[row]))}
        if messages:
            size = {("out", src): 0 for src, _, _ in messages}
            size |= {("into", dst): 0 for _, dst, _ in messages}
            peers = {port: set() for port in size}
            for src, dst, chunk in messages:
                for port, peer in (("out", src), dst), (("into", dst), src):
                    size[port] += int(recording.size[chunk % recording.chunk_count])
                    peers[port].add(peer)
            at_once += ALPHA + max(size.values()) / RATE
            in_turn += max(ALPHA * len(peers[port]) + size[port] / RATE for port in size)
    return at_once, in_turn


@pytest.mark.parametrize(
    ("n", "size"), [(4, 504), (4, 5_040_000), (7, 504_000), (8, 504), (8, 5_040_000)]
)
def test_the_best_on_a_crossbar_is_the_best_of_slow_sums(n, size):
    ranking = rank_algorithms("all-reduce", n, size, on("crossbar"))
    plain = [row for row in ROWS if row.collective == "all_reduce" and row.accepts(n)]
    plain = [
        row for row in plain if "chunks" not in row.parameters and row.scratch(row.setting(n)) == 0
    ]
    by_hand = {}
    for row in plain:
        recording = sized(row, n, size)
        if recording.nodes == n:
            by_hand[row.algorithm] = slow_sums(recording)
    found = {one.name: (one.seconds, None) for one in ranking.timed}
    found |= {row.algorithm: (one.at_once, one.in_turn) for row, one in ranking.crowded}
    for name, (at_once, in_turn) in by_hand.items():
        assert found[name][0] == pytest.approx(at_once, rel=1e-9), name
        assert found[name][1] in (None, pytest.approx(in_turn, rel=1e-9)), name
    assert ranking.best.seconds <= min(in_turn for _, in_turn in by_hand.values()) * 1.01
    assert [one.seconds for one in ranking.timed] == sorted(one.seconds for one in ranking.timed)


def test_latency_counts_for_little_and_bytes_for_much():
    few = rank_algorithms("all-to-all", 16, 64, on("crossbar", dataflow))
    much = rank_algorithms("all-to-all", 16, 1 << 28, on("crossbar", dataflow))
    assert few.best.name == "bruck"
    assert {"pairwise", "exchange", "triangular"} & {one.name for one in much.timed[:5]}
    assert much.best.name != "bruck"
    assert "latency" in why_best(few)


def test_a_ring_wins_on_a_ring_by_its_links():
    """Where ranks have neighbors only, what travels further waits: here by hand, on 8 ranks."""
    ranking = rank_algorithms("all-gather", 8, 8 * 10**6, on("ring"))
    found = {one.name: one.seconds for one in ranking.timed}
    assert found["ring"] == pytest.approx(7 * (ALPHA + 10**6 / RATE))
    # distance 1, 2, 4 with 1, 2, 4 blocks: the flows of a step share links of 1, 2 and 4 hops
    doubling = 7 * ALPHA + (1 * 1 + 2 * 2 + 4 * 4) * 10**6 / RATE
    assert found["recursive-doubling"] == pytest.approx(doubling)
    assert found["neighbor-exchange"] < found["recursive-doubling"]


def test_every_part_of_a_ranking_is_its_clocks():
    setup = on("hgx-h100")
    ranking = rank_algorithms("reduce-scatter", 8, 1 << 20, setup)
    for one in ranking.timed:
        row = one.timing.recording.row
        again = sized(row, 8, 1 << 20, one.timing.recording.chunks)
        assert setup.time(again).total == one.seconds
        empty = setup.time(sized(row, 8, 0, again.chunks)).total
        assert one.latency == empty
        assert one.bytes_seconds == pytest.approx(one.seconds - empty)


def test_what_does_not_run_there_is_left_out_with_the_reason():
    ranking = rank_algorithms("all-reduce", 6, 1 << 20, on("ring"))
    why = {row.algorithm: text for row, text in ranking.left_out}
    assert "needs 1 switch or server" in why["nvls"]
    assert len(ranking.timed) + len(why) == sum(row.collective == "all_reduce" for row in ROWS)
    few = rank_algorithms("all-reduce", 8, 1 << 20, on("crossbar"), most_messages=50)
    recordings = [one.timing.recording for one in few.timed]
    assert all(each.counters.messages <= 50 or each.chunks for each in recordings)
    assert "too many" in {row.algorithm: text for row, text in few.left_out}["ring"]


def test_parameters_reach_the_algorithms_that_take_them():
    setup = on("cluster", gpus=4)
    for gpus in (2, 4):
        ranking = rank_algorithms("all-reduce", 8, 1 << 20, setup, parameters={"gpus": gpus})
        found = {one.name: dict(one.timing.recording.parameters) for one in ranking.timed}
        assert found["hierarchical"] == {"gpus": gpus}
    with pytest.raises(BadInput, match="no all-reduce algorithm has this parameter"):
        rank_algorithms("all-reduce", 8, 1 << 20, setup, parameters={"gpsu": 4})
    shared = Setup(setup.machine, parameters={"gpus": 4})
    (found,) = [
        one.timing.recording.parameters
        for one in rank_algorithms("all-reduce", 8, 1 << 20, shared).timed
        if one.name == "hierarchical"
    ]
    assert found == {"gpus": 4}


def test_the_same_alpha_and_beta():
    assert alpha_beta(topology("crossbar", 4), Costs()) == (ALPHA, RATE)
    assert alpha_beta(topology("hgx-a100", 4), Costs(latency=1e-6)) == (2e-6, 300e9)
    late, fast = alpha_beta(topology("cluster", 16), Costs())
    assert isclose(late, 2e-6) and fast == 50e9
    assert alpha_beta(topology("crossbar", 1), Costs()) == (0.0, float("inf"))


def test_what_the_root_of_a_gather_receives_takes_its_time():
    gather = sized(find_row("gather", "flat"), 8, 8 * 10**5)
    least = time_bound(gather, topology("crossbar", 8), Costs())
    assert (least.bytes, least.bandwidth) == (gather.case.S * 7 // 8, RATE)
    assert isclose(least.seconds, ALPHA + least.bytes / RATE)


def test_where_every_link_is_dead_there_is_no_least_time():
    machine = topology("ring", 2)
    for ends in ((0, 1), (1, 0)):
        assert time_bound(record("broadcast", "tree", ranks=2), machine, Costs())
        machine = dead_link(machine, *ends)
    assert time_bound(record("broadcast", "tree", ranks=2), machine, Costs()) is None


@pytest.mark.parametrize("name", ["crossbar", "ring", "torus-2d", "fully-connected", "hgx-h100"])
@pytest.mark.parametrize("clock", [lockstep, dataflow])
def test_nothing_is_faster_than_the_least_time(name, clock):
    for row in ROWS:
        if not row.accepts(8) or row.collective == "barrier":
            continue
        recording = sized(row, 8, 8 * 10**5)
        if recording.nodes == 8:
            machine = topology_for(recording, name)
            least = time_bound(recording, machine, Costs())
            assert clock(recording, machine, Costs()).total >= least.seconds * (1 - 1e-9), row.title
