"""Half-fold reduce: its sentence, the root that has folded, Open MPI's bytes and bits."""

import pytest
from libraries import (
    column,
    floats,
    in_vectors,
    largest_power,
    nearest_first,
    pairs_folded,
    traffic,
)
from promises import Run, keep, unrolled
from settings import sampled_ranks

from collectives.algorithms import rabenseifner
from collectives.algorithms.half_fold import half_fold_reduce

RANKS = sampled_ranks(range(1, 18))


def moves(run):
    """Of each step who sends which chunk to whom, and whether it is added."""
    return [{(r.src, r.dst, r.chunk, r.adds) for r in unrolled(step)} for step in run.steps]


def halves_fold_and_the_root_gathers(run):
    """The first message to a root that has folded is from the rank whose place it takes."""
    n, size, root = run.n, run.chunk_count, run.root
    team = [rank for rank in range(n) if rank % 2 == 0 or rank >= 2 * (n - size)]
    folds = Run(rabenseifner.fold_halves, n, collective="all_reduce", chunk_count=size)
    halving = Run(rabenseifner.vector_halving, size, collective="all_reduce")
    expected = moves(folds)
    expected += [{(team[a], team[b], *row) for a, b, *row in step} for step in moves(halving)]
    if root not in team:
        expected.append({(0, root, 0, False)})
        team[0] = root
    seat = team.index(root)
    gather = Run(rabenseifner.vector_gather, size, seat, collective="all_reduce")
    expected += [{(team[a], team[b], *row) for a, b, *row in step} for step in moves(gather)]
    return moves(run) == expected and all(run.last[root, c] == run.whole(c) for c in range(size))


PROMISES = {
    "Ranks beyond a power of two fold; vector halving sums chunks that the root then gathers.": (
        halves_fold_and_the_root_gathers
    ),
}


def test_the_docstrings_promise_is_kept():
    keep(half_fold_reduce, PROMISES, RANKS, chunk_count=largest_power)


def test_every_root_gets_the_sum_and_the_bits_of_open_mpi():
    for n in RANKS:
        for root in range(n):
            run = Run(half_fold_reduce, n, root, chunk_count=largest_power(n))
            assert halves_fold_and_the_root_gathers(run)
            before, after = floats(run, seed=root)
            for chunk in range(run.chunk_count):
                values = column(before, chunk, n)
                assert after[root, chunk] == nearest_first(pairs_folded(values)), (n, root)


@pytest.mark.parametrize(
    ("n", "counted"),
    [(5, in_vectors("5.5", "1.25", "2.5", 14)), (8, in_vectors("8.5", "1.375", "1.75", 31))],
)
def test_the_half_fold_reduce_moves_the_bytes_that_open_mpi_counts(n, counted):
    run = Run(half_fold_reduce, n, chunk_count=largest_power(n))
    assert traffic(run) == counted
