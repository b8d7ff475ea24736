"""BCube: the sentence of each, its ports, and the digits by which ranks are grouped."""

import pytest
from exchanges import (
    few_steps_and_no_byte_too_many,
    gathered,
    held,
    kept_sums,
    log_steps,
    reduced,
    reverse_of,
)
from promises import Run, algorithms, keep, name, unrolled

from collectives.algorithms import bcube

ALGORITHMS = algorithms(bcube)
CASES = [(base, base**m) for base in (2, 3, 4, 5, 7) for m in range(7) if base**m <= 64]


def digits(rank, base):
    """The base-`base` digits of a rank, lowest first."""
    return [rank // base**k % base for k in range(6)]


def groups_split_what_is_left(run):
    """Of what its group still has to add up, each of `base` ranks keeps an equal part."""
    base, kept = run.given["base"], kept_sums(run)
    for number, links in enumerate(run.messages()):
        for rank in range(run.n):
            group = {rank} | {dst for src, dst in links if src == rank}
            before, after = kept[number], kept[number + 1]
            parts = [after[member] for member in group]
            if len(group) != base or any(before[member] != before[rank] for member in group):
                return False
            if set().union(*parts) != before[rank]:
                return False
            if any(base * len(part) != len(before[rank]) for part in parts):
                return False
    return all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))


def all_they_have(run):
    for before, step in zip(run.states, run.steps, strict=False):
        for src, dst in {(row.src, row.dst) for row in step}:
            told = {row.chunk for row in step if (row.src, row.dst) == (src, dst)}
            if told != held(before, src):
                return False
    return gathered(run)


def groups_swap_whole_sums(run):
    """Each rank meets the base - 1 others that differ in one digit, the lowest first."""
    base = run.given["base"]
    for number, links in enumerate(run.messages()):
        apart = {(src, dst) for src, dst in links if abs(src - dst) % base**number == 0}
        digit = [
            [a != b for a, b in zip(*ends, strict=True)].index(True)
            for ends in [(digits(src, base), digits(dst, base)) for src, dst in links]
        ]
        if apart != links or set(digit) != {number} or len(links) != run.n * (base - 1):
            return False
    return len(run.steps) == log_steps(run.n, base) and reduced(run)


PROMISES = {
    "Groups of `base` ranks swap whole sums, `base` times as far apart in each step.": (
        groups_swap_whole_sums
    ),
    "In each step groups of `base` ranks split the chunks they still sum, one part each.": (
        groups_split_what_is_left
    ),
    "The reduce-scatter runs in reverse: groups of `base` ranks send each other all they have.": (
        reverse_of(bcube.bcube_reduce_scatter, all_they_have)
    ),
    "Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.": (
        few_steps_and_no_byte_too_many
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    for base, n in CASES:
        whole = function is bcube.recursive_multiplying_all_reduce
        keep(function, PROMISES, [n], base=base, chunk_count=1 if whole else n)


def test_in_step_k_every_rank_exchanges_with_all_that_differ_in_digit_k():
    for base, n in CASES:
        run = Run(bcube.bcube_reduce_scatter, n, base=base)
        for k, links in enumerate(run.messages()):
            expected = {
                (a, b)
                for a, b in run.pairs()
                if [i for i in range(6) if digits(a, base)[i] != digits(b, base)[i]] == [k]
            }
            assert links == expected
            assert all(len(step) == len(unrolled(step)) for step in run.steps)
