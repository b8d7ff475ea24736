"""Scatter, then all-gather: the sentence of each, and the bytes Open MPI counts."""

import pytest
from libraries import in_vectors, traffic
from promises import Run, algorithms, keep, name

from collectives.algorithms import scatter_all_gather

ALGORITHMS = algorithms(scatter_all_gather)
SIZES = {
    scatter_all_gather.van_de_geijn_broadcast: range(1, 18),
    scatter_all_gather.scatter_doubling_broadcast: [1, 2, 4, 8, 16, 32],
}


def scattered(run, owner):
    """How many steps the scatter takes, after which chunk c is with owner(c)."""
    steps = (run.n - 1).bit_length()
    after = run.states[steps]
    assert all(after[owner(c), c] == {(run.root, c): 1} for c in range(run.n))
    into = sorted(dst for step in run.messages()[:steps] for _, dst in step)
    assert into == sorted(run.others)
    return steps


def everybody_has_everything(run):
    return all(
        run.last[rank, chunk] == {(run.root, chunk): 1}
        for rank in range(run.n)
        for chunk in range(run.n)
    )


def then_once_round_the_ring(run):
    right = {(rank, (rank + 1) % run.n) for rank in range(run.n)}
    rounds = run.messages()[scattered(run, lambda chunk: chunk) :]
    return everybody_has_everything(run) and rounds == [right] * (run.n - 1)


def then_ever_more_in_pairs(run):
    """Partners are counted from the root, as in MPICH and Open MPI."""
    first = scattered(run, lambda chunk: (run.root + chunk) % run.n)
    for number, step in enumerate(run.steps[first:]):
        pairs = {(run.place(row.src), run.place(row.dst)) for row in step}
        assert pairs == {(rank, rank ^ 1 << number) for rank in range(run.n)}
        assert {row.count for row in step} == {1 << number}
    return everybody_has_everything(run) and len(run.steps) == 2 * first


PROMISES = {
    "Scatter the chunks down a binomial tree, then pass them once round the ring.": (
        then_once_round_the_ring
    ),
    "Scatter the chunks down a binomial tree, then swap ever more of them in pairs.": (
        then_ever_more_in_pairs
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, SIZES[function])


@pytest.mark.parametrize(
    ("function", "n", "counted"),
    [
        (scatter_all_gather.van_de_geijn_broadcast, 5, ("5", "1.6", "1.2", 24)),
        (scatter_all_gather.van_de_geijn_broadcast, 8, ("8.5", "1.75", "1.375", 63)),
        (scatter_all_gather.scatter_doubling_broadcast, 8, ("8.5", "1.75", "1.375", 31)),
    ],
)
def test_it_moves_the_bytes_that_open_mpi_counts(function, n, counted):
    assert traffic(Run(function, n)) == in_vectors(*counted)
