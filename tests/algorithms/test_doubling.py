"""Recursive doubling and halving: the sentence of each, its order of additions, its bytes."""

import re

import pytest
from libraries import (
    column,
    farthest_first,
    floats,
    in_vectors,
    largest_power,
    nearest_first,
    pairs_folded,
    tail_folded,
    traffic,
)
from promises import Run, algorithms, keep, name, unrolled
from settings import sampled_ranks

from collectives.algorithms import doubling

ALGORITHMS = algorithms(doubling)
RANKS = sampled_ranks(range(1, 18))
SIZES = {doubling.recursive_doubling_all_gather: [1, 2, 4, 8, 16, 32]}
WHOLE_VECTORS = (doubling.recursive_doubling_all_reduce, doubling.tail_fold_all_reduce)


def make(function, n):
    return Run(function, n, chunk_count=1 if function in WHOLE_VECTORS else n)


def team_of(n):
    """The ranks that stay when the even ones of the pairs at the front fold away."""
    beyond = n - largest_power(n)
    return [rank for rank in range(n) if rank >= 2 * beyond or rank % 2]


def partners(team, distance):
    """Everybody of the team and who sits at the distance in the same block, both ways."""
    found = set()
    for seat, rank in enumerate(team):
        other = seat + distance if seat // distance % 2 == 0 else seat - distance
        found.add((rank, team[other]))
    return found


def exchanges(run):
    """Messages of the steps between folding and unfolding, after these were checked."""
    messages = run.messages()
    if largest_power(run.n) == run.n:
        return messages
    folds = {(2 * k, 2 * k + 1) for k in range(run.n - largest_power(run.n))}
    assert messages[0] == folds
    assert messages[-1] == {(odd, even) for even, odd in folds}
    return messages[1:-1]


def chunks_double(run):
    for number, step in enumerate(run.steps):
        held = [{s for r, s in run.states[number] if r == rank} for rank in range(run.n)]
        assert all(len(chunks) == 2**number for chunks in held)
        sent = {rank: set() for rank in range(run.n)}
        for row in unrolled(step):
            sent[row.src].add(row.chunk)
        assert [sent[rank] for rank in range(run.n)] == held
        assert {(row.dst, row.src) for row in step} == {(row.src, row.dst) for row in step}
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.n)]
    return all(run.last[cell] == {(cell[1], cell[1]): 1} for cell in cells)


def everybody_has_the_sum(run):
    return all(run.last[rank, 0] == run.whole(0) for rank in range(run.n))


def sums_at_twice_the_distance(run):
    swaps = exchanges(run)
    assert swaps == [partners(team_of(run.n), 2**k) for k in range(len(swaps))]
    assert 2 ** len(swaps) == largest_power(run.n)
    return everybody_has_the_sum(run)


def the_last_fold_into_the_first(run):
    power, steps = largest_power(run.n), run.messages()
    if power < run.n:
        folds = {(rank, rank - power) for rank in range(power, run.n)}
        assert steps.pop(0) == folds
        assert steps.pop() == {(first, last) for last, first in folds}
    assert steps == [partners(range(power), 2**k) for k in range(len(steps))]
    return 2 ** len(steps) == power and everybody_has_the_sum(run)


def what_the_other_answers_for(run):
    team = team_of(run.n)
    odd = team[: run.n - len(team)]
    answers = {rank: {rank, rank - 1} if rank in odd else {rank} for rank in team}
    steps = [step for step, m in zip(run.steps, run.messages(), strict=True) if m in exchanges(run)]
    half = len(team)
    for step in steps:
        half //= 2
        assert {(row.src, row.dst) for row in step} == partners(team, half)
        for row in step:
            block = team.index(row.dst) // half
            due = set().union(*(answers[r] for k, r in enumerate(team) if k // half == block))
            assert set(range(row.chunk, row.chunk + row.count)) == due
    return all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))


PROMISES = {
    "Partners swap all chunks they have, so that these double in each step.": chunks_double,
    "Partners swap whole sums, at twice the distance in each step.": sums_at_twice_the_distance,
    "Ranks beyond a power of two fold into the first; these run recursive doubling.": (
        the_last_fold_into_the_first
    ),
    "Partners swap what the other answers for, until each has its own chunk of the sum.": (
        what_the_other_answers_for
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    chunk_count = {"chunk_count": 1} if function in WHOLE_VECTORS else {}
    keep(function, PROMISES, SIZES.get(function, RANKS), **chunk_count)


def test_the_helpers_say_who_folds_and_who_answers_for_what():
    for n in RANKS:
        for stays in range(-1, n):
            folded, team = (ranks.tolist() for ranks in doubling.fold(n, stays))
            assert sorted(folded + team) == list(range(n))
            assert len(team) == largest_power(n) and stays not in folded
            assert {rank // 2 for rank in folded} == set(range(n - len(team)))
            odd = [rank for rank in folded if rank % 2]
            assert odd == ([stays + 1] if 0 <= stays < 2 * len(folded) and not stays % 2 else [])
        half = largest_power(n) // 2
        while half:
            first, count = doubling.other_part(n, half)
            block = [(seat ^ half) // half for seat in range(len(first))]
            ends = {(b, f, f + c) for b, f, c in zip(block, first, count, strict=True)}
            edges = [edge for _, *part in sorted(ends) for edge in part]
            assert edges[0] == 0 and edges[-1] == n and edges[1:-1:2] == edges[2:-1:2]
            half //= 2


@pytest.mark.parametrize(
    ("function", "order"),
    [
        (doubling.recursive_doubling_all_reduce, lambda x: nearest_first(pairs_folded(x))),
        (doubling.tail_fold_all_reduce, lambda x: nearest_first(tail_folded(x))),
        (doubling.recursive_halving_reduce_scatter, lambda x: farthest_first(pairs_folded(x))),
    ],
    ids=["recursive doubling", "tail fold", "recursive halving"],
)
def test_additions_are_made_in_the_order_of_the_libraries(function, order):
    for n in RANKS:
        run = make(function, n)
        for seed in range(4):
            before, after = floats(run, seed)
            for rank in range(n):
                slot = rank if run.chunk_count == n else 0
                assert after[rank, slot] == order(column(before, slot, n)), (n, rank)


@pytest.mark.parametrize(
    ("function", "n", "expected"),
    [
        (doubling.recursive_doubling_all_reduce, 5, in_vectors("10", "3", "3", 10)),
        (doubling.recursive_doubling_all_reduce, 8, in_vectors("24", "3", "3", 24)),
        (doubling.recursive_halving_reduce_scatter, 5, in_vectors("4.2", "1", "2", 10)),
        (doubling.recursive_halving_reduce_scatter, 8, in_vectors("7", ".875", ".875", 24)),
    ],
)
def test_bytes_are_those_open_mpi_counts(function, n, expected):
    assert traffic(make(function, n)) == expected


@pytest.mark.parametrize(("n", "total"), [(5, 10), (6, 12), (7, 14), (9, 26)])
def test_recursive_doubling_moves_as_many_vectors_in_all_as_open_mpi(n, total):
    assert traffic(make(doubling.recursive_doubling_all_reduce, n))[0] == total


def test_captions_that_say_all_and_even_and_odd():
    for n in RANKS:
        for function in ALGORITHMS[1:]:
            run = make(function, n)
            for text, step in zip(run.captions, run.steps, strict=True):
                links = {(row.src, row.dst) for row in step}
                if text == "each even rank of a pair folds into the odd one":
                    assert all(src % 2 == 0 and dst == src + 1 for src, dst in links)
                elif text == "each rank beyond the power of two folds into the team":
                    power = largest_power(n)
                    assert {src for src, _ in links} == set(range(power, n))
                    assert all(dst < power for _, dst in links)
                elif text.startswith("the ranks that folded get"):
                    assert links == {(dst, src) for src, dst in run.messages()[0]}
                else:
                    assert re.match("partners (add|swap) ", text)
                    assert links == {(dst, src) for src, dst in links}
