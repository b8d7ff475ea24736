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


def every_step_makes_the_run_up_to_radix_times_as_long(run):
    for number, state in enumerate(run.states):
        for rank in range(run.n):
            long = min(run.given["radix"] ** number, run.n)
            expected = {(rank + j) % run.n for j in range(long)}
            if held(state, rank) != expected:
                return False
    return gathered(run)


def radix_two_all_gather(n):
    """The all-gather of radix 2."""
    yield from bruck.bruck_all_gather(n, radix=2)


def sums_meet_half_as_far_each_step(run):
    distances = [2**k % run.n for k in reversed(range(log_steps(run.n)))]
    return scattered(run) and hops(run) == [{distance} for distance in distances]


PROMISES = {
    "Every step gives a rank up to `radix` times as many chunks, until it has all.": (
        every_step_makes_the_run_up_to_radix_times_as_long
    ),
    "The all-gather runs in reverse: sums merge, half as far each step, up to their owners.": (
        reverse_of(radix_two_all_gather, sums_meet_half_as_far_each_step)
    ),
    "Reduce-scatter, then all-gather: few steps, and no rank sends more than it must.": (
        few_steps_and_no_byte_too_many
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    radix = {"radix": 2} if function is bruck.bruck_all_gather else {}
    keep(function, PROMISES, RANKS, **radix)


@pytest.mark.parametrize("radix", [3, 4, 7, 40])
def test_the_run_grows_by_the_radix_in_few_steps(radix):
    keep(bruck.bruck_all_gather, PROMISES, RANKS, radix=radix)
    for n in RANKS:
        run = Run(bruck.bruck_all_gather, n, radix=radix)
        assert len(run.steps) == log_steps(n, radix)
        assert all(len(links) <= n * (radix - 1) for links in run.messages())
        assert set(run.sent()) == {n - 1}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_every_rank_sends_one_message_in_each_of_few_steps(function):
    """As the captions say: every rank; and as the module says: 1, 2, 4, … ranks further."""
    for n in RANKS[1:]:
        radix = {"radix": 2} if function is bruck.bruck_all_gather else {}
        run = Run(function, n, **radix)
        ways = 2 if function is bruck.bruck_all_reduce else 1
        assert len(run.steps) == ways * log_steps(n)
        assert all(text.startswith("every rank ") for text in run.captions)
        assert all(len(links) == n for links in run.messages())
        assert {min(d, n - d) for hop in hops(run) for d in hop} == {
            min(2**k, n - 2**k) for k in range(log_steps(n))
        }


def test_the_other_does_not_have_yet_what_it_is_sent():
    for n in RANKS:
        run = Run(bruck.bruck_all_gather, n, radix=2)
        for before, step in zip(run.states, run.steps, strict=False):
            assert not any((row.dst, row.chunk) in before for row in step)


@pytest.mark.parametrize(("n", "messages"), [(5, 15), (8, 24)])
def test_messages_and_bytes_are_those_open_mpi_counts(n, messages):
    """Open MPI 5.0.11, all-gather 2, by its traffic monitor; each rank sends n - 1 chunks."""
    run = Run(bruck.bruck_all_gather, n, radix=2)
    assert sum(map(len, run.messages())) == messages
    assert set(run.sent()) == {n - 1}
