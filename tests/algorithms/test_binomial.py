"""Algorithms on a binomial tree: the sentence of each, its captions, and its number of steps."""

import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import binomial

ALGORITHMS = algorithms(binomial)
THERE_AND_BACK = (
    binomial.binomial_all_reduce,
    binomial.binomial_all_gather,
    binomial.binomial_reduce_scatter,
)


def data_is_soon_everywhere(run):
    """In as many steps as the number of ranks can be halved."""
    having = [sum(1 for _, slot in state if slot == 0) for state in run.states]
    return having[0] == 1 and having[-1] == run.n and len(run.steps) == (run.n - 1).bit_length()


def sums_meet_until_one_is_left(run):
    left = set(range(run.n))
    for step in run.steps:
        left -= {row.src for row in step}
        if not all(row.adds and row.dst in left for row in step):
            return False
    return left == {run.root} and run.last[run.root, 0] == run.whole(0)


def holders_hand_on_the_upper_part(run):
    handed = {(run.root, run.place(chunk)) for chunk in range(run.n)}  # what each rank is to pass
    for step in run.steps:
        for src, dst in {(row.src, row.dst) for row in step}:
            part = {run.place(row.chunk) for row in step if (row.src, row.dst) == (src, dst)}
            held = {chunk for rank, chunk in handed if rank == src}
            if not part < held or min(part) <= max(held - part):
                return False
            handed -= {(src, chunk) for chunk in part}
            handed |= {(dst, chunk) for chunk in part}
    return all((rank, rank) in run.last for rank in range(run.n))


def chunks_are_collected_on_the_way(run):
    towards = all(run.place(row.dst) < run.place(row.src) for row in run.rows)
    return towards and all((run.root, chunk) in run.last for chunk in range(run.n))


def to_rank_0_and_back(adds):
    """First all to rank 0, added up or not, which then has everything; then all away from it."""

    def holds(run):
        half = len(run.steps) // 2
        there = [row for step in run.steps[:half] for row in step]
        back = [row for step in run.steps[half:] for row in step]
        ways = all(r.dst < r.src for r in there) and all(r.dst > r.src for r in back)
        verbs = {row.adds for row in there} <= {adds} and not any(row.adds for row in back)
        used = {row.chunk + k for row in run.rows for k in range(row.count)}
        return (
            ways
            and verbs
            and all(
                run.states[half][0, slot] == {cell: 1 for cell in run.states[0] if cell[1] == slot}
                for slot in used
            )
        )

    return holds


def the_first_have_it_and_double(run):
    """After each step those next to the root have the data: 1, 2, 4, … of them."""
    having = [{run.place(rank) for rank, slot in state if slot == 0} for state in run.states]
    return having == [set(range(min(1 << k, run.n))) for k in range(len(having))]


def all_to_rank_0_then_out(run):
    there, back = run.steps[:-1], run.steps[-1:]
    assert all(row.adds and row.dst < row.src for step in there for row in step)
    whole = {(0, slot): run.whole(slot) for slot in range(run.n)}
    assert whole.items() <= run.states[len(there)].items()
    out = [(row.src, row.dst, row.chunk, row.count, row.adds) for step in back for row in step]
    return out == [(0, rank, rank, 1, False) for rank in range(1, run.n)]


PROMISES = {
    "After k steps the 2^k ranks from the root on have the data, or all there are.": (
        the_first_have_it_and_double
    ),
    "Each step can double how many ranks have the data, as all that have it send it on.": (
        data_is_soon_everywhere
    ),
    "The broadcast runs in reverse: partial sums merge until the root has the sum.": (
        sums_meet_until_one_is_left
    ),
    "Ranks pass on the upper part of their chunks until each rank has its own.": (
        holders_hand_on_the_upper_part
    ),
    "The scatter runs backwards: chunks are collected on the way to the root.": (
        chunks_are_collected_on_the_way
    ),
    "Sums merge up a tree to rank 0, and the total comes back down.": to_rank_0_and_back(adds=True),
    "Gather on rank 0, then broadcast all chunks from it.": to_rank_0_and_back(adds=False),
    "Reduce all chunks to rank 0, which sends every other rank its own.": all_to_rank_0_then_out,
    "Reduce all chunks to rank 0, then scatter them from it.": to_rank_0_and_back(adds=True),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, range(1, 18))


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_one_way_along_a_tree_takes_as_many_steps_as_n_minus_1_has_binary_digits(function):
    ways = 2 if function in THERE_AND_BACK else 1
    out = function is binomial.non_overlapping_reduce_scatter  # a step in which the root sends
    for n in range(1, 34):
        digits = len(f"{n - 1:b}") if n > 1 else 0
        assert sum(1 for step in function(n) if len(step)) == ways * digits + (out and n > 1)


def test_captions_that_say_every_second():
    """Of the ranks that are left, the second, fourth, … hand theirs to the one before."""
    for function in (binomial.binomial_reduce, binomial.binomial_gather):
        for n in RANKS[1:]:
            run, left = Run(function, n), list(range(n))
            for text, step in zip(run.captions, run.steps, strict=True):
                assert text.startswith("every second ")
                assert {(row.src, row.dst) for row in step} == set(
                    zip(left[1::2], left[::2], strict=False)
                )
                left = left[::2]


def test_the_distance_halves_but_no_caption_says_it_of_the_first_step():
    for n in RANKS[1:]:
        run = Run(binomial.binomial_broadcast, n)
        hops = [{row.dst - row.src for row in step} for step in run.steps]
        assert set(run.captions) == {"ranks with the data send it on"}
        assert hops == [{1 << k} for k in reversed(range(len(run.steps)))]


def test_the_distance_doubles_but_no_caption_says_it_of_the_first_step():
    for n in RANKS[1:]:
        run = Run(binomial.doubling_broadcast, n)
        hops = [{row.dst - row.src for row in step} for step in run.steps]
        assert set(run.captions) == {"ranks with the data send it on"}
        assert hops == [{1 << k} for k in range((n - 1).bit_length())]


def test_a_scatter_leaves_chunk_r_with_rank_r_for_every_root():
    """So that an all-gather can follow it."""
    for n in RANKS:
        for root in range(n):
            last = Run(binomial.binomial_scatter, n, root).last
            assert all(last[rank, rank] == {(root, rank): 1} for rank in range(n))
