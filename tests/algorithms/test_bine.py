"""Bine trees: the sentence of each, and hops shorter than those of binomial trees."""

import pytest
from exchanges import log_steps, reverse_of
from promises import Run, algorithms, keep, name

from collectives.algorithms import bine, binomial, swing

POWERS = [1, 2, 4, 8, 16, 32]


def even_one_way_odd_the_other(run):
    """By the same distance in each step; after each step twice as many have the data."""
    for step in run.steps:
        ways = {
            (row.dst - row.src if run.place(row.src) % 2 == 0 else row.src - row.dst) % run.n
            for row in step
        }
        if len(ways) != 1:
            return False
    having = [len({rank for rank, _ in state}) for state in run.states]
    return having == [2**k for k in range(log_steps(run.n) + 1)]


def the_root_has_the_sum(run):
    return run.last[run.root, 0] == run.whole(0)


def links(run):
    return [{(row.src, row.dst) for row in step} for step in run.steps]


def collected_on_the_tree_of_the_reduce(run):
    """Ranks send all chunks that they have."""
    for before, step in zip(run.states, run.steps, strict=False):
        for src in {row.src for row in step}:
            told = {row.chunk for row in step if row.src == src}
            if told != {chunk for rank, chunk in before if rank == src}:
                return False
    same = links(run) == links(Run(bine.bine_reduce, run.n, run.root))
    return same and all((run.root, chunk) in run.last for chunk in range(run.n))


def the_gather_backwards(run):
    there = [
        {(row.dst, row.src, row.chunk) for row in step}
        for step in Run(bine.bine_gather, run.n, run.root).steps
    ]
    back = [{(row.src, row.dst, row.chunk) for row in step} for step in run.steps]
    return back == there[::-1] and all((rank, rank) in run.last for rank in range(run.n))


PROMISES = {
    "Ranks at even distance from the root send one way round, others the other.": (
        even_one_way_odd_the_other
    ),
    "The broadcast runs in reverse: partial sums merge until the root has the sum.": (
        reverse_of(bine.bine_broadcast, the_root_has_the_sum)
    ),
    "The tree is that of the reduce: chunks are collected on the way to the root.": (
        collected_on_the_tree_of_the_reduce
    ),
    "The gather runs backwards: ranks pass on chunks until each rank has its own.": (
        the_gather_backwards
    ),
}


@pytest.mark.parametrize("function", algorithms(bine), ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, POWERS)


def far(run):
    """How far the messages go in all, the shorter way round."""
    return sum(min((d - s) % run.n, (s - d) % run.n) for s, d in run.links())


def test_messages_go_a_third_less_far_than_on_a_binomial_tree():
    """The gain that the paper states for large trees."""
    trees = [Run(function, 1024) for function in (bine.bine_broadcast, binomial.binomial_broadcast)]
    assert far(trees[0]) / far(trees[1]) == pytest.approx(2 / 3, abs=0.07)


def test_partners_are_those_of_swing():
    """Each step of the tree is a part of the step of Swing's all-gather with the same distance."""
    for n in POWERS:
        whole = Run(swing.swing_all_gather, n).messages()
        assert all(map(set.issubset, Run(bine.bine_broadcast, n).messages(), whole))
        assert len(whole) == log_steps(n)
