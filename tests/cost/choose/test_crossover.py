"""Laws of pipelines, and the sizes at which two algorithms take as long."""

from fractions import Fraction
from functools import cache
from math import ceil, log2, sqrt
from pathlib import Path

import pytest
from cost.choose.places import ALPHA, CHAIN, RATE, TREES, on
from each import each, row_title
from settings import THOROUGH, sampled

from collectives import ROWS
from collectives.catalog import find_row
from collectives.cost.bounds.closed import closed_form
from collectives.cost.choose.crossover import Law, closed_crossings, crossings, law
from collectives.cost.choose.ring_or_trees import ring_beats_trees
from collectives.cost.choose.setup import sized
from collectives.errors import BadInput
from collectives.units import size_text

crossover = cache(ring_beats_trees)


@pytest.mark.parametrize("n", [4, 8, 16, 33])
def test_the_law_of_a_chain_is_the_textbooks(n):
    found = law(CHAIN, n)
    wanted = Law(n - 2, 1, n - 2, 1)
    for name in "abcd":
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), abs=1e-9)
    size = 10**9
    best = (n - 2) * ALPHA + size / RATE + 2 * sqrt((n - 2) * ALPHA * size / RATE)
    assert found.seconds(size, ALPHA, RATE) == pytest.approx(best, rel=1e-9)


@each("row", [row for row in ROWS if "chunks" in row.parameters], row_title, few=6)
@pytest.mark.parametrize("n", sampled([1, 2, 3, 8, 9], 2))
def test_the_law_of_every_pipeline_holds_for_other_numbers_of_chunks(row, n):
    found = law(row, n)
    for q in (90, 151):
        made = sized(row, n, 0, q)
        closed = closed_form(made)
        assert found.a + found.b * q == pytest.approx(closed.steps, abs=0.51 if q % 2 else 1e-9)
        assert found.d + found.c / q == pytest.approx(
            float(closed.busiest_port), rel=0.03 if q % 2 else 1e-9
        )


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_doubling_and_rabenseifner_cross_where_the_literature_says(k):
    n = 2**k
    one, other = (find_row("all_reduce", a) for a in ("recursive-doubling", "rabenseifner"))
    setup = on("crossbar")
    wanted = ALPHA * RATE * k / (k - Fraction(2 * (n - 1), n))
    by_clock = crossings(
        lambda size: setup.time(sized(one, n, size)).total,
        lambda size: setup.time(sized(other, n, size)).total,
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
    assert crossings(flat, steep, smallest=1, largest=900) == []


@pytest.mark.parametrize(("jumps", "most"), [(False, 3), (True, 22)])
def test_few_sizes_are_tried(jumps, most):
    """Of straight lines three beside those of the ladder; of a leap twice as many as by halving."""
    tried = set()

    def second(size):
        tried.add(size)
        return 1000.0 * (size > 300_000) if jumps else size / 10

    (found,) = crossings(lambda size: 30_000.0 if not jumps else 1.0, second, 1 << 10, 1 << 30)
    assert found.size == pytest.approx(300_000, rel=1e-3)
    assert len(tried) <= 11 + most


def test_laws_that_never_cross():
    ring, circulant = (law(find_row("all_reduce", a), 8) for a in ("ring", "circulant"))
    assert closed_crossings(ring, circulant, ALPHA, RATE) == []
    assert closed_crossings(ring, ring, ALPHA, RATE) == []


@pytest.mark.parametrize("n", [4, 8, 32])
def test_where_laws_cross_both_take_as_long(n):
    """The trees with the number of chunks that is best there, be it whole or not."""
    trees, ring = law(TREES, n), law(find_row("all_reduce", "ring"), n)
    found = closed_crossings(trees, ring, ALPHA, RATE)
    assert trees.b and found
    for size in found:
        by_trees, by_ring = (one.seconds(size, ALPHA, RATE) for one in (trees, ring))
        assert by_trees == pytest.approx(by_ring, rel=1e-9)


def test_ring_and_trees_cross_at_sizes_that_grow_like_n_squared():
    """No constant: the size of the crossover quadruples, nearly, whenever the ranks double."""
    found = {n: crossover(n) for n in ((4, 8, 16) if THOROUGH else (4, 8))}
    for n in list(found)[1:]:
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
    ring, setup = find_row("all_reduce", "ring"), on("crossbar")
    size = crossover(n).clock
    by_ring = setup.time(sized(ring, n, size)).total
    every = [setup.time(sized(TREES, n, size, q)).total for q in range(2, 40)]
    assert by_ring == pytest.approx(min(every), rel=2e-3)


def test_the_table_of_the_guide():
    found = crossover(8)
    sizes = (found.clock, found.closed, found.limit)
    row = " | ".join(["8", *(size_text(size, digits=3, binary=False) for size in sizes)])
    assert row == "8 | 1.43 MB | 1.25 MB | 8 MB"
    guide = (Path(__file__).parents[3] / "docs" / "work.md").read_text()
    assert f"| {row} |" in guide


@pytest.mark.parametrize(
    ("ranks", "latency", "bandwidth", "says"),
    [
        (1, ALPHA, RATE, "ranks 1: must be at least 3; try: 3"),
        (2, ALPHA, RATE, "ranks 2: must be at least 3; try: 3"),
        (8, 0.0, RATE, "latency 0.0 s: must be above 0"),
        (8, ALPHA, -1.0, "bandwidth -1.0 B/s: must be above 0"),
        (8, None, RATE, "latency None: must be a number"),
    ],
)
def test_a_crossover_that_cannot_be_is_refused(ranks, latency, bandwidth, says):
    with pytest.raises(BadInput) as told:
        ring_beats_trees(ranks, latency, bandwidth)
    assert says in str(told.value)
