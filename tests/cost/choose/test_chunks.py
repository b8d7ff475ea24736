"""The best number of chunks against all numbers there are."""

from math import sqrt

import pytest
from cost.choose.places import ALPHA, CHAIN, RATE, on
from each import each, row_title
from settings import sampled

from collectives import ROWS
from collectives.catalog import find_row
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology
from collectives.cost.machines.faults import slow_rank
from collectives.errors import BadInput


def chain_seconds(n, size, q):
    """A pipelined chain: every step takes alpha and the largest chunk that is on its way in it."""
    sizes = [size // q + (chunk < size % q) for chunk in range(q)]
    total = 0.0
    for step in range(n - 2 + q):
        under_way = sizes[max(0, step - n + 2) : step + 1]
        total += ALPHA + max(under_way) / RATE
    return total


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
@each("row", [row for row in ROWS if "chunks" in row.parameters], row_title, few=6)
def test_no_number_of_chunks_is_much_better_than_the_best(row, clock):
    n, size, setup = 5, 500_000, on("crossbar", clock)
    found = best_chunks(row, n, size, setup)
    numbers = sampled((*range(1, 9), 10, 12, 15, 18, 24), 2)
    every = {q: setup.time(sized(row, n, size, q)).total for q in numbers}
    least = min(every.values())
    assert found.seconds <= least * 1.01, (found.best, min(every, key=every.get))
    assert found.seconds == setup.time(sized(row, n, size, found.best)).total


def test_chunks_are_asked_of_pipelines_only():
    with pytest.raises(BadInput, match="ring all-reduce is not pipelined"):
        best_chunks(find_row("all_reduce", "ring"), 4, 10**6, on("crossbar"))


@pytest.mark.parametrize("times", [3, 10])
def test_the_best_number_of_chunks_is_found_where_the_closed_form_is_far_off(times):
    """A slow rank: the closed form, of the others, asks for too many."""
    slow, _ = slow_rank(topology("ring", 5), Costs(), 1, times)
    setup = Setup(lambda made: slow)
    found = best_chunks(CHAIN, 5, 10**9, setup)
    every = {q: setup.time(sized(CHAIN, 5, 10**9, q)).total for q in range(1, 130, 4)}
    fast = best_chunks(CHAIN, 5, 10**9, on("ring"))
    assert found.seconds <= min(every.values()) * (1 + 1e-5)
    assert found.best < fast.best * 0.9


def test_of_few_chunks_all_nearby_are_tried():
    """Where the bytes do not divide by the number found first, fewer chunks are better."""
    row, setup = find_row("reduce", "split-binary"), on("crossbar")
    found = best_chunks(row, 8, 10**6, setup)
    every = {q: setup.time(sized(row, 8, 10**6, q)).total for q in range(1, 20)}
    assert found.seconds == min(every.values()) and found.best == 4
