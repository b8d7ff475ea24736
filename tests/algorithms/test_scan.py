"""Scans: the sentence of each, the sum over the ranks up to one, the messages."""

import pytest
from libraries import column, floats, in_vectors, traffic
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import scan

ALGORITHMS = algorithms(scan)
RANKS = sampled_ranks(range(1, 34))


def up_to(rank, first=0):
    return {(r, 0): 1 for r in range(first, rank + 1)}


def is_scan(run):
    return all(run.last[rank, 0] == up_to(rank) for rank in range(run.n))


def once_through_the_ranks(run):
    adds = all(row.adds for row in run.rows)
    return adds and run.messages() == [{(r, r + 1)} for r in range(run.n - 1)] and is_scan(run)


def ranks_in_a_sum_double(run):
    """A rank whose sum would begin before rank 0 has all of it."""
    for k, state in enumerate(run.states):
        for rank in range(run.n):
            assert state[rank, 0] == up_to(rank, max(0, rank + 1 - 2**k))
    up = [{(r, r + 2**k) for r in range(run.n - 2**k)} for k in range(len(run.steps))]
    return run.messages() == up and all(up) and is_scan(run)


def partners_swap_and_the_upper_adds(run):
    """Slot 1 is the partial sum, slot 0 the scan."""
    assert all(row[:4] == (r, r, 0, 1) for r, row in enumerate(run.steps[0]))
    for k, step in enumerate(run.steps[1:]):
        pairs = {(r, r ^ 2**k) for r in range(run.n) if r ^ 2**k < run.n}
        swapped = [(row.src, row.dst) for row in step if (row.chunk, row.into) == (1, 1)]
        upwards = [(row.src, row.dst) for row in step if (row.chunk, row.into) == (1, 0)]
        assert sorted(swapped) == sorted(pairs)
        assert sorted(upwards) == sorted((src, dst) for src, dst in pairs if src < dst)
        assert len(step) == len(swapped) + len(upwards) and all(row.adds for row in step)
    return is_scan(run)


PROMISES = {
    "The sum runs once through the ranks, and each adds its own data.": once_through_the_ranks,
    "After k steps a rank has the sum of the last 2^k ranks up to itself, or of all there are.": (
        ranks_in_a_sum_double
    ),
    "Partners swap partial sums, and the upper one adds the lower one's to its scan as well.": (
        partners_swap_and_the_upper_adds
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS, chunk_count=1)


@pytest.mark.parametrize(
    ("function", "n", "expected"),
    [
        (scan.chain_scan, 5, in_vectors("4", "1", "1", 4)),
        (scan.chain_scan, 8, in_vectors("7", "1", "1", 7)),
        (scan.recursive_doubling_scan, 5, in_vectors("10", "3", "3", 10)),
        (scan.recursive_doubling_scan, 8, in_vectors("24", "3", "3", 24)),
    ],
)
def test_bytes_are_those_open_mpi_counts(function, n, expected):
    assert traffic(Run(function, n, chunk_count=1)) == expected


@pytest.mark.parametrize(("n", "messages"), [(5, 10), (6, 14), (8, 24), (9, 26)])
def test_recursive_doubling_sends_as_many_messages_as_mpi(n, messages):
    assert traffic(Run(scan.recursive_doubling_scan, n, chunk_count=1))[-1] == messages


def test_the_chain_adds_from_rank_0_upwards():
    for n in RANKS[1:]:
        before, after = floats(Run(scan.chain_scan, n, chunk_count=1))
        expected = column(before, 0, n)
        for rank in range(1, n):
            expected[rank] = expected[rank - 1] + expected[rank]
        assert column(after, 0, n) == expected


def sum_of(values):
    """The last 2^k values are added by themselves, k as large as can be without all of them."""
    if len(values) == 1:
        return values[0]
    apart = 1 << (len(values) - 1).bit_length() - 1
    return sum_of(values[:-apart]) + sum_of(values[-apart:])


def test_doubling_adds_the_later_ranks_by_themselves():
    for n in RANKS:
        before, after = floats(Run(scan.doubling_scan, n, chunk_count=1))
        values = column(before, 0, n)
        assert column(after, 0, n) == [sum_of(values[: rank + 1]) for rank in range(n)]


def test_captions_that_say_every_and_lower():
    for n in RANKS[1:]:
        for function in ALGORITHMS:
            run = Run(function, n, chunk_count=1)
            for text, step in zip(run.captions, run.steps, strict=True):
                if text.startswith("every rank "):
                    assert {row.src for row in step} == set(range(n))
                elif text.startswith("lower ranks "):
                    assert all(row.src < row.dst for row in step)
