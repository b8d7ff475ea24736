"""The census: its sentence, the fewest steps for every number of ranks, its order of additions."""

import pytest
from libraries import column, floats
from promises import Run, algorithms, keep, name

from collectives.algorithms import bar_noy


def runs_of_ranks(run):
    """After step k a rank has summed as many before it as the first k digits of n - 1 say."""
    digits = f"{run.n - 1:b}" if run.n > 1 else ""
    assert len(run.steps) == len(digits)
    for k, state in enumerate(run.states):
        length = int("0" + digits[:k], 2)
        for rank in range(run.n):
            before = {((rank - back) % run.n, 0): 1 for back in range(1, length + 1)}
            assert state.get((rank, 1), {}) == before
            assert state[rank, 0] == before | {(rank, 0): 1}
    return all(run.last[rank, 0] == run.whole(0) for rank in range(run.n))


PROMISES = {
    "Scratch 0 sums a run of ranks before a rank, and chunk 0 that run and the rank itself.": (
        runs_of_ranks
    ),
}


@pytest.mark.parametrize("function", algorithms(bar_noy), ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, range(1, 66), chunk_count=1)


def test_a_rank_sends_one_vector_in_each_of_the_fewest_steps():
    for n in range(1, 66):
        run = Run(bar_noy.bar_noy_all_reduce, n, chunk_count=1)
        fewest = next(k for k in range(n) if 2**k >= n)
        assert run.sent() == [fewest] * n
        for text, links in zip(run.captions, run.messages(), strict=True):
            assert text == "every rank adds one sum to both sums of another"
            assert {src for src, _ in links} == {dst for _, dst in links} == set(range(n))
            assert len(links) == n


def own_and_before(own, n):
    """Bar-Noy, Kipnis and Schieber's two sums of every rank, written by their definition."""
    with_own, before, length = list(own), [None] * n, 0
    for digit in f"{n - 1:b}":
        if digit == "1":
            come = [with_own[rank - length - 1] for rank in range(n)]
        else:
            come = [before[rank - length] for rank in range(n)]
        with_own = [a + b for a, b in zip(with_own, come, strict=True)]
        before = [b if a is None else a + b for a, b in zip(before, come, strict=True)]
        length = 2 * length + int(digit)
    return with_own


def test_additions_start_at_another_rank_everywhere_so_that_bits_may_differ():
    differ = 0
    for n in range(2, 18):
        run = Run(bar_noy.bar_noy_all_reduce, n, chunk_count=1)
        for seed in range(4):
            before, after = floats(run, seed)
            results = column(after, 0, n)
            assert results == own_and_before(column(before, 0, n), n), n
            differ += len(set(results)) > 1
    assert differ
