"""Best chunks, crossovers and best algorithms against times that are added up by hand here."""

from fractions import Fraction
from functools import cache
from math import ceil, isclose, log2, sqrt

import pytest

from collectives import ROWS
from collectives.catalog import find_row
from collectives.cost.advice.best import rank_algorithms, time_row
from collectives.cost.advice.closed import alpha_beta, closed_form
from collectives.cost.advice.crossover import Law, closed_crossings, crossings, law
from collectives.cost.advice.growth import crossover_table, ring_beats_trees
from collectives.cost.advice.least import least_time
from collectives.cost.advice.pipeline import best_chunks
from collectives.cost.advice.place import Place, sized
from collectives.cost.advice.reasons import limit, why_best
from collectives.cost.clock import dataflow, lockstep
from collectives.cost.machines import topology, topology_for
from collectives.cost.model import Costs
from collectives.cost.trouble import dead_link, slow_link
from collectives.errors import BadInput

ALPHA, RATE = 5e-6, 50e9
CHAIN = find_row("broadcast", "ring")
TREES = find_row("all_reduce", "double-binary-tree")


crossover = cache(ring_beats_trees)


def on(name, clock=lockstep, costs=None, **parameters):
    return Place(lambda made: topology_for(made, name, **parameters), clock, costs or Costs())


def chain_seconds(n, size, q):
    """A pipelined chain: every step takes alpha and the largest chunk that is on its way in it."""
    sizes = [size // q + (chunk < size % q) for chunk in range(q)]
    total = 0.0
    for step in range(n - 2 + q):
        under_way = sizes[max(0, step - n + 2) : step + 1]
        total += ALPHA + max(under_way) / RATE
    return total


# --- chunks


@pytest.mark.parametrize("n", [3, 4, 8, 13])
@pytest.mark.parametrize("size", [0, 1, 5, 999, 250_000, 1 << 20, 10**7])
def test_the_best_number_of_chunks_of_a_chain_is_the_best_of_all(n, size):
    found = best_chunks(CHAIN, n, size, on("crossbar"))
    every = {q: chain_seconds(n, size, q) for q in range(1, 200)}
    assert found.seconds == pytest.approx(every[found.best], rel=1e-12)
    assert found.seconds <= min(every.values()) * (1 + 1e-4)


@pytest.mark.parametrize("n", [4, 9, 16])
def test_it_is_beside_the_closed_form(n):
    size = 10**8
    found = best_chunks(CHAIN, n, size, on("crossbar"))
    star = sqrt((n - 2) * size / RATE / ALPHA)
    assert found.closed == pytest.approx(star, rel=1e-9)
    assert abs(found.best - star) <= 0.05 * star + 1


@pytest.mark.parametrize("clock", [lockstep, dataflow])
@pytest.mark.parametrize("row", [row for row in ROWS if "chunks" in row.parameters])
def test_no_number_of_chunks_is_much_better_than_the_best(row, clock):
    n, size, place = 5, 500_000, on("crossbar", clock)
    found = best_chunks(row, n, size, place)
    every = {q: place.time(sized(row, n, size, q)).total for q in range(1, 49)}
    least = min(every.values())
    assert found.seconds <= least * 1.01, (found.best, min(every, key=every.get))
    assert found.seconds == min(found.tried.values())


def test_chunks_are_asked_of_pipelines_only():
    with pytest.raises(BadInput, match="ring all-reduce is not pipelined"):
        best_chunks(find_row("all_reduce", "ring"), 4, 10**6, on("crossbar"))


# --- laws and crossovers


@pytest.mark.parametrize("n", [4, 8, 16, 33])
def test_the_law_of_a_chain_is_the_textbooks(n):
    found = law(CHAIN, n)
    wanted = Law(n - 2, 1, n - 2, 1)
    for name in "abcd":
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), abs=1e-9)
    size = 10**9
    best = (n - 2) * ALPHA + size / RATE + 2 * sqrt((n - 2) * ALPHA * size / RATE)
    assert found.seconds(size, ALPHA, RATE) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("row", [row for row in ROWS if "chunks" in row.parameters])
@pytest.mark.parametrize("n", [1, 2, 3, 6, 8, 9, 17])
def test_the_law_of_every_pipeline_holds_for_other_numbers_of_chunks(row, n):
    found = law(row, n)
    for q in (90, 151, 256):
        closed = closed_form(sized(row, n, 0, q))
        assert found.a + found.b * q == pytest.approx(closed.steps, abs=0.51 if q % 2 else 1e-9)
        assert found.d + found.c / q == pytest.approx(
            float(closed.wire), rel=0.03 if q % 2 else 1e-9
        )


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_doubling_and_rabenseifner_cross_where_the_literature_says(k):
    n = 2**k
    one, other = (find_row("all_reduce", a) for a in ("recursive-doubling", "rabenseifner"))
    place = on("crossbar")
    wanted = ALPHA * RATE * k / (k - Fraction(2 * (n - 1), n))
    by_clock = crossings(
        lambda size: place.time(sized(one, n, size)).total,
        lambda size: place.time(sized(other, n, size)).total,
    )
    assert [found.second_wins for found in by_clock] == [True]
    assert by_clock[0].size == pytest.approx(float(wanted), rel=3e-3)
    (closed,) = closed_crossings(law(one, n), law(other, n), ALPHA, RATE)
    assert closed == pytest.approx(float(wanted), rel=1e-12)


def test_crossings_of_made_up_times():
    flat, steep = (lambda size: 100.0), (lambda size: size / 10)
    assert [c.second_wins for c in crossings(flat, steep)] == [False]
    assert crossings(flat, steep)[0].size in (1000, 1001)
    assert [c.second_wins for c in crossings(steep, flat)] == [True]
    assert crossings(flat, flat) == []
    assert crossings(flat, lambda size: 200.0 + size) == []
    hill = lambda size: 200.0 if 1000 <= size < 10**6 else 50.0  # noqa: E731
    there, back = crossings(hill, flat)
    assert (there.second_wins, back.second_wins) == (True, False)
    assert there.size == pytest.approx(1000, rel=2e-3)
    assert back.size == pytest.approx(10**6, rel=2e-3)
    assert crossings(flat, steep, least=1, most=900) == []


def test_laws_that_never_cross():
    ring, circulant = (law(find_row("all_reduce", a), 8) for a in ("ring", "circulant"))
    assert closed_crossings(ring, circulant, ALPHA, RATE) == []
    assert closed_crossings(ring, ring, ALPHA, RATE) == []


def test_ring_and_trees_cross_at_sizes_that_grow_like_n_squared():
    """No constant: the size of the crossover quadruples, nearly, whenever the ranks double."""
    found = {n: crossover(n) for n in (4, 8, 16)}
    for n in (8, 16):
        assert 3.3 < found[n].clock / found[n // 2].clock < 4.5
        assert 3.3 < found[n].closed / found[n // 2].closed < 4.5
    for n, one in found.items():
        assert one.clock == pytest.approx(one.closed, rel=0.25)
        depth = ceil(log2(n))
        assert one.limit == pytest.approx(n * (n - 1 - depth) * ALPHA * RATE)
        assert one.closed < one.limit
    far = [
        max(closed_crossings(law(TREES, n), law(find_row("all_reduce", "ring"), n), ALPHA, RATE))
        for n in (128, 256)
    ]
    assert 3.3 < far[1] / far[0] < 4.5


def test_at_the_crossover_both_take_as_long():
    n = 8
    ring, place = find_row("all_reduce", "ring"), on("crossbar")
    size = crossover(n).clock
    by_ring = place.time(sized(ring, n, size)).total
    every = [place.time(sized(TREES, n, size, q)).total for q in range(2, 40)]
    assert by_ring == pytest.approx(min(every), rel=2e-3)


def test_the_table_of_the_readme():
    lines = crossover_table((4, 8)).splitlines()
    assert lines[2].startswith("| ranks |")
    assert len(lines) == 6
    assert lines[5] == "| 8 | 1.43MB | 1.25MB | 8MB |"


# --- the best algorithm


def steps_and_wire(recording):
    """Steps, and bytes through the busiest port of each: a message at a time."""
    steps = wire = 0
    for step in recording.steps:
        messages = set()
        for row in range(len(step)):
            src, dst, chunk = int(step.src[row]), int(step.dst[row]), int(step.chunk[row])
            if src != dst:
                messages |= {(src, dst, chunk + k) for k in range(int(step.count[row]))}
        if messages:
            out, into = {}, {}
            for src, dst, chunk in messages:
                size = int(recording.size[chunk % recording.pieces])
                out[src] = out.get(src, 0) + size
                into[dst] = into.get(dst, 0) + size
            steps += 1
            wire += max(*out.values(), *into.values())
    return steps, wire


@pytest.mark.parametrize("size", [8 * 9 * 7, 8 * 9 * 7 * 10**3, 8 * 9 * 7 * 10**6])
@pytest.mark.parametrize("n", [4, 7, 8, 9])
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
            steps, wire = steps_and_wire(recording)
            by_hand[row.algorithm] = steps * ALPHA + wire / RATE
    found = {one.name: one.seconds for one in ranking.timed}
    for name, seconds in by_hand.items():
        assert found[name] == pytest.approx(seconds, rel=1e-9), name
    assert ranking.best.seconds <= min(by_hand.values()) * (1 + 1e-9)
    assert [one.seconds for one in ranking.timed] == sorted(one.seconds for one in ranking.timed)


def test_latency_counts_for_little_and_bytes_for_much():
    few = rank_algorithms("all-to-all", 16, 64, on("crossbar", dataflow))
    much = rank_algorithms("all-to-all", 16, 1 << 28, on("crossbar", dataflow))
    assert few.best.name == "bruck"
    assert {"pairwise", "exchange", "triangular"} & {one.name for one in much.timed[:5]}
    assert much.best.name != "bruck"
    assert "latency" in why_best(few)


def test_a_ring_wins_on_a_ring_by_its_links():
    """Where ranks have neighbours only, what travels further waits: here by hand, on 8 ranks."""
    ranking = rank_algorithms("all-gather", 8, 8 * 10**6, on("ring"))
    found = {one.name: one.seconds for one in ranking.timed}
    assert found["ring"] == pytest.approx(7 * (ALPHA + 10**6 / RATE))
    # distance 1, 2, 4 with 1, 2, 4 blocks: the flows of a step share links of 1, 2 and 4 hops
    doubling = 7 * ALPHA + (1 * 1 + 2 * 2 + 4 * 4) * 10**6 / RATE
    assert found["recursive-doubling"] == pytest.approx(doubling)
    assert found["neighbor-exchange"] < found["recursive-doubling"]


def test_every_part_of_a_ranking_is_its_clocks():
    place = on("hgx-h100")
    ranking = rank_algorithms("reduce-scatter", 8, 1 << 20, place)
    for one in ranking.timed:
        row = one.timing.recording.row
        again = sized(row, 8, 1 << 20, one.chunks)
        assert place.time(again).total == one.seconds
        empty = place.time(sized(row, 8, 0, one.chunks)).total
        assert one.latency == empty
        assert one.moving == pytest.approx(one.seconds - empty)


def test_what_does_not_run_there_is_left_out_with_the_reason():
    ranking = rank_algorithms("all-reduce", 6, 1 << 20, on("ring"))
    why = {row.algorithm: text for row, text in ranking.left_out}
    assert "switches or servers" in why["nvls"]
    assert "powers of" in why["bcube"] or "bcube" not in why
    assert len(ranking.timed) + len(why) == sum(row.collective == "all_reduce" for row in ROWS)
    few = rank_algorithms("all-reduce", 8, 1 << 20, on("crossbar"), most_messages=50)
    assert all(one.timing.recording.counters.messages <= 50 or one.chunks for one in few.timed)
    assert "too many" in {row.algorithm: text for row, text in few.left_out}["ring"]


def test_parameters_reach_the_algorithms_that_take_them():
    place = on("cluster", gpus=4)
    for gpus in (2, 4):
        ranking = rank_algorithms("all-reduce", 8, 1 << 20, place, parameters={"gpus": gpus})
        found = {one.name: dict(one.timing.recording.parameters) for one in ranking.timed}
        assert found["hierarchical"] == {"gpus": gpus}
    with pytest.raises(BadInput, match="no all-reduce algorithm has this parameter"):
        rank_algorithms("all-reduce", 8, 1 << 20, place, parameters={"gpsu": 4})
    shared = Place(place.machine, parameters={"gpus": 4})
    timed = time_row(find_row("all_reduce", "hierarchical"), 8, 1 << 20, shared)
    assert timed.timing.recording.parameters == {"gpus": 4}


# --- in sentences


def test_what_limits():
    place = on("crossbar")
    ring = find_row("all_reduce", "ring")
    few, much = (time_row(ring, 8, size, place) for size in (8, 8 * 10**9))
    assert limit(few).startswith("100 % of the time is latency, of 14 steps")
    assert "the rest is 14GB each over rank 0 → switch 0 and 15 other links" in limit(much)
    slow = time_row(CHAIN, 4, 10**9, on("line"), chunks=1)
    assert "the rest is waiting" in limit(slow)
    assert limit(time_row(find_row("barrier", "tree"), 4, 0, place)).startswith("100 %")
    assert limit(time_row(ring, 1, 100, place)) == "nothing is sent"
    broken = dead_link(topology("ring", 4), 1, 2)
    assert limit(time_row(ring, 4, 100, Place(lambda made: broken, dataflow))) == "it never ends"


def test_why_it_is_the_best():
    large = rank_algorithms("broadcast", 8, 10**9, on("crossbar"))
    text = why_best(large)
    assert text.startswith(f"{large.best.name}: ")
    assert "its bytes take" in text
    small = rank_algorithms("barrier", 8, 0, on("crossbar"))
    assert why_best(small).startswith("dissemination: it has 15us of latency in 3 steps, tree")
    alone = rank_algorithms("all-reduce", 1, 100, on("crossbar"))
    assert "tie" in why_best(alone)


def test_the_same_alpha_and_beta():
    assert alpha_beta(topology("crossbar", 4), Costs()) == (ALPHA, RATE)
    assert alpha_beta(topology("hgx-a100", 4), Costs(latency=1e-6)) == (2e-6, 300e9)
    late, fast = alpha_beta(topology("cluster", 16), Costs())
    assert isclose(late, 2e-6) and fast == 50e9
    assert alpha_beta(topology("crossbar", 1), Costs()) == (0.0, float("inf"))


@pytest.mark.parametrize("name", ["crossbar", "ring", "torus-2d", "fully-connected", "hgx-h100"])
@pytest.mark.parametrize("clock", [lockstep, dataflow])
def test_nothing_is_faster_than_the_least_time(name, clock):
    for row in ROWS:
        if not row.accepts(8) or row.collective == "barrier":
            continue
        recording = sized(row, 8, 8 * 10**5)
        if recording.nodes == 8:
            machine = topology_for(recording, name)
            least = least_time(recording, machine, Costs())
            assert clock(recording, machine, Costs()).total >= least.seconds * (1 - 1e-9), row.title


@pytest.mark.parametrize("times", [3, 10])
def test_the_best_number_of_chunks_is_found_where_the_closed_form_is_far_off(times):
    """A slow link: the closed form, of the others, asks for too many."""
    slow = slow_link(topology("ring", 5), 1, 2, times)
    place = Place(lambda made: slow)
    found = best_chunks(CHAIN, 5, 10**9, place)
    every = {q: place.time(sized(CHAIN, 5, 10**9, q)).total for q in range(1, 130)}
    fast = best_chunks(CHAIN, 5, 10**9, on("ring"))
    assert found.seconds <= min(every.values()) * (1 + 1e-5)
    assert found.best < fast.best * 0.9


def test_a_best_that_is_ahead_in_both():
    text = why_best(rank_algorithms("all-reduce", 64, 1 << 18, on("crossbar")))
    assert text.startswith("two-shot: its bytes take ")
    assert "vectors over the busiest link, not" in text
    assert "; and it has 10us of latency in 2 steps, " in text
