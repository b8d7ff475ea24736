"""Bruck's algorithms: the sentence of each, its few steps, and hops of 1, 2, 4, … ranks."""

import pytest
from exchanges import (
    RANKS,
    few_steps_and_no_byte_too_many,
    gathered,
    held,
    hops,
    log_steps,
    reverse_of,
    scattered,
)
from promises import Run, algorithms, keep, name

from collectives.algorithms import bruck

ALGORITHMS = algorithms(bruck)


def every_step_doubles_the_run_of_chunks(run):
    for number, state in enumerate(run.states):
        for rank in range(run.n):
            expected = {(rank + j) % run.n for j in range(min(2**number, run.n))}
            if held(state, rank) != expected:
                return False
    return gathered(run)


def sums_meet_half_as_far_each_step(run):
    distances = [2**k % run.n for k in reversed(range(log_steps(run.n)))]
    return scattered(run) and hops(run) == [{distance} for distance in distances]


PROMISES = {
    "Every step doubles the run of chunks that a rank has, until it has all of them.": (
        every_step_doubles_the_run_of_chunks
    ),
    "The all-gather runs in reverse: sums merge, half as far each step, up to their owners.": (
        reverse_of(bruck.bruck_all_gather, sums_meet_half_as_far_each_step)
    ),
    "Reduce-scatter, then all-gather: few steps, and no rank sends a byte too many.": (
        few_steps_and_no_byte_too_many
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_every_rank_sends_one_message_in_each_of_few_steps(function):
    """As the captions say: every rank; and as the module says: 1, 2, 4, … ranks further."""
    for n in RANKS[1:]:
        run = Run(function, n)
        ways = 2 if function is bruck.bruck_all_reduce else 1
        assert len(run.steps) == ways * log_steps(n)
        assert all(text.startswith("every rank ") for text in run.captions)
        assert all(len(links) == n for links in run.messages())
        assert {min(d, n - d) for hop in hops(run) for d in hop} == {
            min(2**k, n - 2**k) for k in range(log_steps(n))
        }


def test_the_other_does_not_have_yet_what_it_is_sent():
    for n in RANKS:
        run = Run(bruck.bruck_all_gather, n)
        for before, step in zip(run.states, run.steps, strict=False):
            assert not any((row.dst, row.chunk) in before for row in step)


@pytest.mark.parametrize(("n", "messages"), [(5, 15), (8, 24)])
def test_messages_and_bytes_are_those_open_mpi_counts(n, messages):
    """Open MPI 5.0.11, all-gather 2, by its traffic monitor; each rank sends n - 1 chunks."""
    run = Run(bruck.bruck_all_gather, n)
    assert sum(map(len, run.messages())) == messages
    assert set(run.sent()) == {n - 1}
