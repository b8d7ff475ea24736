"""Linear algorithms: the sentence of each, and the order in which the root adds."""

from functools import reduce

import numpy as np
import pytest
from libraries import column, floats
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import linear

ALGORITHMS = algorithms(linear)


def falls_from_the_last_rank(run):
    """One step adds rank n - 1's data first and rank 0's last; one more puts the sum in place."""
    adds, place = run.steps
    added = [(row.src, row.dst, row.chunk, row.into) for row in adds if row.adds]
    (own,) = place
    return (
        added == [(rank, run.root, 0, 1) for rank in range(run.n - 1, -1, -1)]
        and len(added) == len(adds)
        and (own.src, own.dst, own.chunk, own.into) == (run.root, run.root, 1, 0)
        and run.last[run.root, 0] == run.whole(0)
    )


def reduces_then_sends(run):
    reduced = Run(linear.linear_reduce, run.n, chunk_count=1)
    assert run.steps[:2] == reduced.steps
    sent = [{(row.src, row.dst, row.adds) for row in step} for step in run.steps[2:]]
    return sent == [{(0, rank, False) for rank in range(1, run.n)}] * (run.n > 1)


PROMISES = {
    "The root adds up the data of all ranks, from the last rank down to rank 0.": (
        falls_from_the_last_rank
    ),
    "Linear reduce to rank 0, which then sends the sum to everybody.": reduces_then_sends,
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, chunk_count=1)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_root_alone_adds_and_always_in_the_same_order(function):
    """As the module says: a left fold from rank n - 1 down to 0, whoever is the root."""
    for n in RANKS:
        for root in {0, n - 1} if function is linear.linear_reduce else {0}:
            run = Run(function, n, root, chunk_count=1)
            assert {row.dst for row in run.rows if row.adds} == {root}
            before, after = floats(run)
            assert after[root, 0] == reduce(np.add, column(before, 0, n)[::-1])
