"""Barriers: the sentence of each, who has heard of whom, the messages."""

import pytest
from libraries import largest_power
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import barrier

RANKS = sampled_ranks(range(1, 34))


def heard(run, step, rank):
    """Of which ranks one has heard after so many steps."""
    return {origin for origin, _ in run.states[step][rank, 0]}


def all_heard_of_all(run):
    everybody = set(range(run.n))
    return all(heard(run, -1, rank) == everybody for rank in range(run.n))


def twice_as_far_ahead(run):
    links = [{(r, (r + 2**k) % run.n) for r in range(run.n)} for k in range(len(run.steps))]
    assert run.messages() == links
    assert set(run.captions) <= {"every rank passes on all arrivals that it knows of"}
    return all_heard_of_all(run)


def up_the_tree_and_down(run):
    """A child's number is its parent's with one more one below its lowest one."""
    half = len(run.steps) // 2
    steps = run.messages()
    edges = {(v, v & (v - 1)) for v in range(1, run.n)}
    assert {link for step in steps[:half] for link in step} == edges
    assert sum(map(len, steps)) == 2 * len(edges)
    assert [{(dst, src) for src, dst in step} for step in steps[half:]] == steps[:half][::-1]
    assert all(
        text == "children report that all below have arrived" for text in run.captions[:half]
    )
    for number, step in enumerate(steps[:half]):
        for child, _ in step:
            assert heard(run, number, child) == below(child, run.n)
    return heard(run, half, 0) == set(range(run.n)) and all_heard_of_all(run)


def below(child, n):
    """The ranks of a subtree: those that are the child when some of the lowest ones are cut."""
    found = set()
    for rank in range(n):
        above = rank
        while above > child:
            above &= above - 1
        if above == child:
            found.add(rank)
    return found


def partners_tell_each_other(run):
    beyond = run.n - largest_power(run.n)
    team = [rank for rank in range(run.n) if rank >= 2 * beyond or rank % 2]
    steps = run.messages()
    if beyond:
        assert steps.pop(0) == {(2 * k, 2 * k + 1) for k in range(beyond)}
        assert steps.pop() == {(2 * k + 1, 2 * k) for k in range(beyond)}
    for k, step in enumerate(steps):
        assert step == {(team[seat], team[seat ^ 2**k]) for seat in range(len(team))}
    return 2 ** len(steps) == len(team) and all_heard_of_all(run)


def rank_0_alone_hears_and_answers(run):
    others = range(1, run.n)
    assert run.messages() == [
        step for step in ({(r, 0) for r in others}, {(0, r) for r in others}) if step
    ]
    return all_heard_of_all(run)


def the_tail_reports_to_the_first_ranks(run):
    power = largest_power(run.n)
    steps = run.messages()
    if power < run.n:
        assert steps.pop(0) == {(rank, rank - power) for rank in range(power, run.n)}
        assert steps.pop() == {(rank - power, rank) for rank in range(power, run.n)}
    for k, step in enumerate(steps):
        assert step == {(rank, rank ^ 2**k) for rank in range(power)}
    return 2 ** len(steps) == power and all_heard_of_all(run)


PROMISES = {
    "All ranks report to rank 0, which releases them all.": rank_0_alone_hears_and_answers,
    "Ranks beyond a power of two report to the first; these run recursive doubling.": (
        the_tail_reports_to_the_first_ranks
    ),
    "Each rank reports to one ahead round the ring, twice as far each step.": (twice_as_far_ahead),
    "Arrivals go up a binomial tree to rank 0, whose release comes back down.": (
        up_the_tree_and_down
    ),
    "Partners exchange the arrivals they know of, at twice the distance in each step.": (
        partners_tell_each_other
    ),
}


@pytest.mark.parametrize("function", algorithms(barrier), ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, RANKS, chunk_count=1)


@pytest.mark.parametrize(
    ("function", "five", "eight"),
    [
        (barrier.linear_barrier, 8, 14),
        (barrier.tail_fold_barrier, 10, 24),
        (barrier.recursive_doubling_barrier, 10, 24),
        (barrier.dissemination_barrier, 15, 24),
        (barrier.tree_barrier, 8, 14),
    ],
    ids=["linear", "tail fold", "recursive doubling", "dissemination", "tree"],
)
def test_messages_are_as_many_as_open_mpi_sends(function, five, eight):
    for n, messages in ((5, five), (8, eight)):
        assert sum(map(len, Run(function, n, chunk_count=1).messages())) == messages
