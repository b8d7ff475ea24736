"""More rings: the sentence of each, who adds in which order, and which way the data goes."""

import pytest
from machines import all_whole
from promises import RANKS, Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import flat, ring_orders

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))


def in_rank_order(run, first, way):
    """After k steps chunk c was added up over the k + 1 ranks from first(c) on."""
    for k in range(run.n):
        for chunk in range(run.n):
            seen = [(first(chunk) + way * i) % run.n for i in range(k + 1)]
            if run.states[k][seen[-1], chunk] != {(rank, chunk): 1 for rank in seen}:
                return False
    return True


def once_round(run, steps, first, way):
    """In the k-th of these steps chunk c is sent from k places after first(c) to the next."""
    expected = [
        {
            ((first(c) + way * k) % run.n, (first(c) + way * (k + 1)) % run.n, c)
            for c in range(run.n)
        }
        for k in range(run.n - 1)
    ]
    sends = not any(row.adds for step in steps for row in step)
    return sends and [{(r.src, r.dst, r.chunk) for r in step} for step in steps] == expected


def from_rank_c_once_more(run):
    added = in_rank_order(run, lambda c: c, way=1)  # so chunk c is summed on rank c - 1
    again = once_round(run, run.steps[run.n - 1 :], lambda c: c - 1, way=1)
    return added and again and all_whole(run)


def to_the_left_until_rank_c(run):
    ends = all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))
    return in_rank_order(run, lambda c: c - 1, way=-1) and ends and len(run.steps) == run.n - 1


def leftward_first(run):
    return run.steps[: run.n - 1] == Run(ring_orders.leftward_ring_reduce_scatter, run.n).steps


def then_once_round_to_the_left(run):
    again = once_round(run, run.steps[run.n - 1 :], lambda c: c, way=-1)
    return leftward_first(run) and again and all_whole(run)


def once_round_to_the_left(run):
    held = all(run.last[r, c] == {(c, c): 1} for r in range(run.n) for c in range(run.n))
    return once_round(run, run.steps, lambda c: c, way=-1) and held


def then_each_its_sum_to_the_root(run):
    handed = [{(r.src, r.dst, r.chunk, r.adds) for r in step} for step in run.steps[run.n - 1 :]]
    expected = [{(rank, run.root, rank, False) for rank in run.others}] if run.n > 1 else []
    return leftward_first(run) and handed == expected and all_whole(run, [run.root])


def half_each_way(run):
    ways = all(
        (row.dst - row.src) % run.n == (1 if row.chunk < run.n else -1) % run.n for row in run.rows
    )
    both = all({row.chunk < run.n for row in step} == {True, False} for step in run.steps)
    return ways and both and all_whole(run) and len(run.steps) == 2 * (run.n - 1)


PROMISES = {
    "Chunk c starts on rank c; its sum is whole on rank c - 1 and goes round once more.": (
        from_rank_c_once_more
    ),
    "Chunk c starts on rank c - 1 and goes to the left until rank c has its sum.": (
        to_the_left_until_rank_c
    ),
    "After the leftward reduce-scatter every sum goes once round to the left.": (
        then_once_round_to_the_left
    ),
    "Every chunk goes once round to the left, from its own rank on.": once_round_to_the_left,
    "After the leftward reduce-scatter every rank hands its sum to the root.": (
        then_each_its_sum_to_the_root
    ),
    "Half of the vector goes to the right while the other half goes left.": (half_each_way),
}


@pytest.mark.parametrize("function", algorithms(ring_orders), ids=name)
def test_the_docstrings_promise_is_kept(function):
    both = function is ring_orders.bidirectional_ring_all_reduce
    keep(function, PROMISES, SIZES, chunk_count=lambda n: 2 * n if both else n)


@pytest.mark.parametrize("function", algorithms(ring_orders), ids=name)
def test_ranks_talk_to_their_neighbors_until_the_root_gathers(function):
    for n in RANKS:
        chunks = n if function is ring_orders.leftward_ring_all_gather else 2 * n
        run = Run(function, n, n // 2, chunk_count=chunks)
        gather = flat.flat_gather(n, n // 2) if function is ring_orders.leftward_ring_reduce else ()
        ring = run.steps[: len(run.steps) - sum(1 for step in gather if len(step))]
        assert all((row.src - row.dst) % n in (1, n - 1) for step in ring for row in step)


def test_captions_that_say_every_rank_and_which_way():
    for function in algorithms(ring_orders):
        for n in RANKS[2:]:
            chunks = n if function is ring_orders.leftward_ring_all_gather else 2 * n
            run = Run(function, n, chunk_count=chunks)
            for text, step in zip(run.captions, run.steps, strict=True):
                if text.startswith("every rank ") and function.__name__.startswith("leftward"):
                    assert {(r.src, r.dst) for r in step} == {(r, (r - 1) % n) for r in range(n)}
                    assert "to the one before" in text
