"""PAT: the sentence of each, NCCL's own messages, and its trees for any number of ranks."""

import json
from collections import Counter
from pathlib import Path

import pytest
from exchanges import RANKS, gathered, log_steps, scattered
from promises import Run, algorithms, keep, name

from collectives.algorithms import pat

ALGORITHMS = algorithms(pat)
TABLE = json.loads((Path(__file__).parents[1] / "data" / "nccl_pat_all_gather.json").read_text())


def aggregations(n):
    """What NCCL reaches: powers of two, up to the least that is at least half of n."""
    found = [1]
    while found[-1] < n // 2:
        found.append(2 * found[-1])
    return found


CASES = [(n, aggregation) for n in RANKS for aggregation in aggregations(n)]


def parent(rank, chunk, n):
    """One hop up the tree of a chunk: the lowest binary one of the place is cleared."""
    place = (chunk - rank) % n
    return (rank + (place & -place)) % n


def trees_share_messages(run):
    """Every chunk by its tree; trees `aggregation` to a message where n is a power of two."""
    down = {(parent(r, c, run.n), r, c) for r, c in run.pairs()}
    most = 0
    for step in run.steps:
        most = max(most, *Counter((row.src, row.dst) for row in step).values())
    aggregation = run.given["aggregation"]
    full = most == aggregation if run.n & (run.n - 1) == 0 else most <= aggregation
    return (
        len(run.rows) == len(down)
        and run.moved() == down
        and gathered(run)
        and (full or run.n == 1)
    )


def sums_go_up_after_all_below(run):
    up = {(r, parent(r, c, run.n), c) for r, c in run.pairs()}
    left = Counter((to, c) for _, to, c in up)  # sums still to come to a rank, of a chunk
    for step in run.steps:
        if any(left[row.src, row.chunk] for row in step):
            return False
        left.subtract((row.dst, row.chunk) for row in step)
    return len(run.rows) == len(up) and run.moved() == up and scattered(run)


PROMISES = {
    "Each chunk comes down its own tree; a message carries at most `aggregation` of them.": (
        trees_share_messages
    ),
    "Each sum goes up a tree of its own, from each place after all that are below it.": (
        sums_go_up_after_all_below
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    for n, aggregation in CASES:
        if n <= 17 or aggregation in (1, 2, aggregations(n)[-1]):
            keep(function, PROMISES, [n], aggregation=aggregation)


def from_rank_0(run):
    """Of each step, how far rank 0's message goes to the left and its chunks."""
    found = []
    for step in run.steps:
        rows = [row for row in step if row.src == 0]
        found += [[-rows[0].dst % run.n, [row.chunk for row in rows]]] if rows else []
    return found


def test_the_messages_are_those_of_nccl_itself():
    assert [(case["n"], case["agg"]) for case in TABLE["cases"]] == [
        (n, aggregation) for n, aggregation in CASES if 1 < n <= 9
    ]
    for case in TABLE["cases"]:
        run = Run(pat.pat_all_gather, case["n"], aggregation=case["agg"])
        assert from_rank_0(run) == case["messages"]


def test_every_rank_does_what_rank_0_does():
    for n, aggregation in CASES:
        for function in ALGORITHMS:
            for step in Run(function, n, aggregation=aggregation).steps:
                moves = [((r.dst - r.src) % n, (r.chunk - r.src) % n, r.src) for r in step]
                once = {move[:2] for move in moves}
                assert set(moves) == {(*move, rank) for move in once for rank in range(n)}


def test_steps_are_few_where_many_trees_share_a_message():
    """log2 A steps to fill the trees and 2^C / A - 1 below them; n - 1 where each is alone."""
    for n, aggregation in CASES:
        filling = log_steps(aggregation)
        below = 2 ** log_steps(n) // aggregation - 1
        expected = n - 1 if aggregation == 1 else filling + below
        for function in ALGORITHMS:
            assert len(Run(function, n, aggregation=aggregation).steps) == expected


def test_the_reduce_scatter_goes_from_the_deepest_place_up_then_the_widest_last():
    """NCCL counts places down, then doubles the distance: not the all-gather in reverse."""
    for n, aggregation in CASES:
        gap = pat.spread(n, aggregation)
        run = Run(pat.pat_reduce_scatter, n, aggregation=aggregation)
        least = [min((row.chunk - row.src) % n for row in step) for step in run.steps]
        wide = [gap << k for k in range(log_steps(aggregation))]
        assert least == [place for place in range(gap - 1, 0, -1) if place < n] + wide
