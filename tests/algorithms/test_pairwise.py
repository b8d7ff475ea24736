"""Pairwise exchange: the sentence of each, one port, and MPICH's order of additions."""

import pytest
from exchanges import RANKS, gathered, hops, scattered
from promises import Run, algorithms, keep, name

from collectives.algorithms import pairwise

ALGORITHMS = algorithms(pairwise)


def owners_add_those_before_them_in_turn(run):
    """The order in which MPICH's pairwise reduce-scatter adds: c, c - 1, c - 2, …"""
    orders = {chunk: [row.src for row in run.rows if row.chunk == chunk] for chunk in range(run.n)}
    owned = all(row.adds and row.dst == row.chunk for row in run.rows)
    expected = {c: [(c - k) % run.n for k in range(1, run.n)] for c in range(run.n)}
    return owned and orders == expected and scattered(run)


def each_sends_its_own_chunk_to_one_after_another(run):
    for rank in range(run.n):
        sent = [(row.dst, row.chunk) for row in run.rows if row.src == rank]
        if sent != [((rank + k) % run.n, rank) for k in range(1, run.n)]:
            return False
    return gathered(run)


PROMISES = {
    "Each owner adds to its chunk that of the rank before it, of the one before that, and so on.": (
        owners_add_those_before_them_in_turn
    ),
    "Each rank sends its own chunk to one rank after another, the next one first.": (
        each_sends_its_own_chunk_to_one_after_another
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_in_step_k_every_rank_sends_to_the_kth_after_it(function):
    for n in RANKS:
        run = Run(function, n)
        assert hops(run) == [{k} for k in range(1, n)]
        assert all(
            len(step) == len(links) == n
            for step, links in zip(run.steps, run.messages(), strict=True)
        )
