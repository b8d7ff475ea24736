"""Exclusive scans: the sentence of each, the sum over the ranks before one, the messages."""

import pytest
from libraries import column, floats, in_vectors, traffic
from promises import Run, algorithms, keep, name

from collectives.algorithms import exscan

ALGORITHMS = algorithms(exscan)
RANKS = range(1, 34)


def before(rank):
    return {(r, 0): 1 for r in range(rank)}


def is_exscan(run):
    """Rank 0's slot is never written."""
    assert all(row.dst or row.into for row in run.rows)
    return all(run.last[rank, 0] == before(rank) for rank in range(1, run.n))


def once_through_the_ranks(run):
    links = [{(r, r + 1)} for r in range(run.n - 1)]
    local = [row for row in run.rows if row.src == row.dst]
    assert local == [(r, r, 0, 1, 1, False) for r in range(run.n - 1)]
    assert [messages for messages in run.messages() if messages] == links
    for row in run.rows[len(local) :]:
        assert (row.chunk, row.adds) == (1, row.into == 1)
    return is_exscan(run)


def partners_swap_and_the_upper_keeps(run):
    """Slot 1 is the partial sum, slot 0 the result."""
    assert run.steps[0] == [(r, r, 0, 1, 1, False) for r in range(run.n)]
    written = set()
    for k, step in enumerate(run.steps[1:]):
        pairs = {(r, r ^ 2**k) for r in range(run.n) if r ^ 2**k < run.n}
        swapped = [(row.src, row.dst) for row in step if row.into == 1]
        upwards = [(row.src, row.dst) for row in step if row.into == 0]
        assert sorted(swapped) == sorted(pairs)
        assert sorted(upwards) == sorted((src, dst) for src, dst in pairs if src < dst)
        assert all(row.chunk == 1 for row in step)
        assert all(row.adds == (row.into == 1 or row.dst in written) for row in step)
        written |= {dst for _, dst in upwards}
    return is_exscan(run)


PROMISES = {
    "The sum runs once through the ranks; each keeps it and passes it on with its own data.": (
        once_through_the_ranks
    ),
    "Partners swap partial sums, and the upper one keeps the first and adds the others to it.": (
        partners_swap_and_the_upper_keeps
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS, chunk_count=1)


@pytest.mark.parametrize(
    ("function", "n", "expected"),
    [
        (exscan.chain_exscan, 5, in_vectors("4", "1", "1", 4)),
        (exscan.chain_exscan, 8, in_vectors("7", "1", "1", 7)),
        (exscan.recursive_doubling_exscan, 5, in_vectors("10", "3", "3", 10)),
        (exscan.recursive_doubling_exscan, 8, in_vectors("24", "3", "3", 24)),
    ],
)
def test_bytes_are_those_open_mpi_counts(function, n, expected):
    assert traffic(Run(function, n, chunk_count=1)) == expected


def test_the_chain_adds_from_rank_0_upwards():
    for n in RANKS[1:]:
        given, after = floats(Run(exscan.chain_exscan, n, chunk_count=1))
        data, result = column(given, 0, n), column(after, 0, n)
        total = data[0]
        for rank in range(1, n):
            assert result[rank] == total
            total = total + data[rank]
