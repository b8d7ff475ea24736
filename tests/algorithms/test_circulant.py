"""Träff's circulant algorithms: the sentence of each, its few steps, and its hops."""

import pytest
from exchanges import (
    RANKS,
    few_steps_and_no_byte_too_many,
    gathered,
    hops,
    kept_sums,
    log_steps,
    reverse_of,
    scattered,
)
from promises import Run, algorithms, keep, name

from collectives.algorithms import circulant

ALGORITHMS = algorithms(circulant)


def every_step_halves_the_run_of_sums(run):
    left = run.n
    for kept in kept_sums(run):
        if kept != [{(rank + j) % run.n for j in range(left)} for rank in range(run.n)]:
            return False
        last, left = left, -(-left // 2)
    return last == 1 and scattered(run)


PROMISES = {
    "Every step halves, rounding up, the run of sums that a rank keeps, down to its own chunk.": (
        every_step_halves_the_run_of_sums
    ),
    "The reduce-scatter runs in reverse: chunks go back the way their sums came.": (
        reverse_of(circulant.circulant_reduce_scatter, gathered)
    ),
    "Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.": (
        few_steps_and_no_byte_too_many
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_every_rank_sends_one_message_in_each_of_few_steps(function):
    """As the captions say: every rank; and as the module says: n/2, n/4, …, 1 ranks further."""
    for n in RANKS[1:]:
        run = Run(function, n)
        ways = 2 if function is circulant.circulant_all_reduce else 1
        assert len(run.steps) == ways * log_steps(n)
        assert all(text.startswith("every rank ") for text in run.captions)
        assert all(len(links) == n for links in run.messages())
        there = [{-(-n // 2**k)} for k in range(1, log_steps(n) + 1)]
        back = [{(n - hop) % n for hop in step} for step in there[::-1]]
        halves = {"circulant_reduce_scatter": there, "circulant_all_gather": back}
        assert hops(run) == halves.get(function.__name__, there + back)


def test_the_other_does_not_have_yet_what_it_is_sent():
    for n in RANKS:
        run = Run(circulant.circulant_all_gather, n)
        for before, step in zip(run.states, run.steps, strict=False):
            assert not any((row.dst, row.chunk) in before for row in step)
