"""Rabenseifner's algorithms: the sentence of each, the order of additions, the bytes."""

from fractions import Fraction

import pytest
from libraries import (
    column,
    floats,
    in_vectors,
    largest_power,
    nearest_first,
    pairs_folded,
    traffic,
)
from promises import Run, algorithms, keep, name, unrolled
from settings import sampled_ranks

from collectives.algorithms import rabenseifner

RANKS = sampled_ranks(range(1, 18))
TEAMS = [1, 2, 4, 8, 16, 32]
OF_ALL_CHUNKS = (rabenseifner.uneven_halving, rabenseifner.butterfly_reduce_scatter)
FOLDING = (rabenseifner.uneven_halving, rabenseifner.fold_halves)
PARTS = (
    rabenseifner.vector_halving,
    rabenseifner.vector_gather,
    rabenseifner.vector_all_gather,
)


def backwards(number, digits):
    """The number whose binary digits are these, read from the right."""
    return int(f"{number:0{digits}b}"[::-1], 2) if digits else 0


def owners(run):
    """Which of 2^k ranks has which chunk, once vectors are halved: (rank, chunk)."""
    digits = largest_power(run.n).bit_length() - 1
    return [(rank, backwards(rank, digits)) for rank in range(run.n)]


def partners_halve(run):
    """Nearest first; each gives away what it does not keep, and keeps half of what it had."""
    works_on = {rank: set(range(run.n)) for rank in range(run.n)}
    for number, step in enumerate(run.steps):
        assert {(row.src, row.dst) for row in step} == {(r, r ^ 2**number) for r in range(run.n)}
        for rank in range(run.n):
            given = {row.chunk for row in unrolled(step) if row.src == rank}
            kept = works_on[rank] - given
            assert given < works_on[rank] and len(given) == len(kept)
            works_on[rank] = kept
    assert works_on == {rank: {chunk} for rank, chunk in owners(run)}
    return all(run.last[rank, chunk] == run.whole(chunk) for rank, chunk in owners(run))


def pieces_are_put_together(run):
    """A holder hands on all it has, once; the root, and it only, has everything in the end."""
    holds = {rank: {chunk} for rank, chunk in owners(run)}
    for text, step in zip(run.captions, run.steps, strict=True):
        assert text == "half of the remaining ranks send all their chunks on"
        senders = {row.src for row in step}
        assert 2 * len(senders) == len(holds)
        for src, dst in {(row.src, row.dst) for row in step}:
            given = {row.chunk for row in unrolled(step) if row.src == src}
            assert dst not in senders and given == holds.pop(src)
            assert not given & holds[dst]
            holds[dst] |= given
    return holds == {run.root: set(range(run.n))}


def the_halving_backwards(run):
    """And each cell then holds what the rank that keeps the chunk had in it."""
    there = swaps(Run(rabenseifner.vector_halving, run.n, collective="all_reduce"))
    back = [{(dst, src, chunk) for src, dst, chunk in step} for step in there[::-1]]
    assert swaps(run) == back and not any(row.adds for row in run.rows)
    return all(
        run.last[rank, chunk] == {(owner, chunk): 1}
        for rank in range(run.n)
        for owner, chunk in owners(run)
    )


def summed_on_one_rank(run, step):
    """Whether after so many steps some rank has each chunk of the sum, and no other it."""
    state = run.states[step]
    return all(
        sum(state[rank, chunk] == run.whole(chunk) for rank in range(run.n)) == 1
        for chunk in range(run.chunk_count)
    )


def same_way_back(run):
    half = len(run.steps) // 2
    moved = [{(r.src, r.dst, r.chunk) for r in unrolled(step)} for step in run.steps]
    turned = [{(dst, src, chunk) for src, dst, chunk in step} for step in moved]
    assert moved[half:] == turned[:half][::-1]
    assert not any(row.adds for step in run.steps[half:] for row in step)
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.chunk_count)]
    whole = all(run.last[rank, chunk] == run.whole(chunk) for rank, chunk in cells)
    return whole and (run.n == 1 or summed_on_one_rank(run, half))


def root_gathers(run):
    halved = largest_power(run.n).bit_length() - 1 + (largest_power(run.n) < run.n)
    assert run.n == 1 or summed_on_one_rank(run, halved)
    whole = all(run.last[run.root, chunk] == run.whole(chunk) for chunk in range(run.chunk_count))
    return whole and not any(row.adds for step in run.steps[halved:] for row in step)


def each_of_two_adds_a_half(run):
    """The odd one, which then gives its half away, the lower one."""
    power = largest_power(run.n)
    even = range(0, 2 * (run.n - power), 2)
    if not even:
        return not run.steps
    halves = {1: set(range(power // 2)), 0: set(range(power // 2, power))}
    for row in unrolled(run.steps[0]):
        assert row.adds and row.chunk in halves[row.src % 2]
    assert run.messages()[0] == {pair for e in even for pair in ((e, e + 1), (e + 1, e))}
    assert run.messages()[1] == {(e + 1, e) for e in even}
    return all(
        run.states[2][rank, chunk] == {(rank, chunk): 1, (rank + 1, chunk): 1}
        for rank in even
        for chunk in range(power)
    )


def halves_fold_and_the_rest_is_rabenseifners(run):
    folds = Run(
        rabenseifner.fold_halves, run.n, collective="all_reduce", chunk_count=run.chunk_count
    )
    assert each_of_two_adds_a_half(folds) and run.steps[: len(folds.steps)] == folds.steps
    team = [rank for rank in range(run.n) if rank % 2 == 0 or rank > 2 * (run.n - run.chunk_count)]
    plain = Run(rabenseifner.rabenseifner_all_reduce, run.chunk_count)
    there = [{(team[a], team[b], chunk) for a, b, chunk in step} for step in swaps(plain)]
    middle = swaps(run)[len(folds.steps) :][: len(there)]
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.chunk_count)]
    return middle == there and all(run.last[rank, c] == run.whole(c) for rank, c in cells)


def swaps(run):
    """Of each step who sends which chunk to whom."""
    return [{(row.src, row.dst, row.chunk) for row in unrolled(step)} for step in run.steps]


def partners_swap_what_the_other_keeps(run):
    """Nearest first, from all chunks down to those of the ranks that folded into one."""
    power = largest_power(run.n)
    fold = run.steps[: power < run.n]
    team = [rank for rank in range(run.n) if rank >= 2 * (run.n - power) or rank % 2]
    works_on = {rank: set(range(run.n)) for rank in team}
    for number, step in enumerate(run.steps[len(fold) :]):
        pairs = {(rank, team[seat ^ 2**number]) for seat, rank in enumerate(team)}
        assert {(row.src, row.dst) for row in step} == pairs
        for src, dst in pairs:
            given = {row.chunk for row in unrolled(step) if (row.src, row.dst) == (src, dst)}
            kept = {row.chunk for row in unrolled(step) if row.dst == src}
            assert given | kept == works_on[src] and not given & kept
        for row in step:
            works_on[row.dst] = set(range(row.chunk, row.chunk + row.count))
    blocks = sorted(map(sorted, works_on.values()))
    assert blocks == [
        [rank - 1, rank] if rank in {r.dst for s in fold for r in s} else [rank] for rank in team
    ]
    held = [(rank, chunk) for rank in team for chunk in works_on[rank]]
    return all(run.last[rank, chunk] == run.whole(chunk) for rank, chunk in held)


def chunks_reach_their_owners(run):
    """In the end; before that each chunk of the sum is on one rank only."""
    power = largest_power(run.n)
    halved = power.bit_length() - 1 + (power < run.n)
    state = run.states[halved]
    for chunk in range(run.n):
        assert sum(state[rank, chunk] == run.whole(chunk) for rank in range(run.n)) == 1
    assert all(row.dst == row.chunk for step in run.steps[halved:] for row in step)
    for text, step in zip(run.captions[halved:], run.messages()[halved:], strict=True):
        folded = {(dst, dst + 1) for _, dst in step} <= run.messages()[0]
        assert folded == (text == "the ranks that folded get their chunk")
        assert folded or step == {(dst, src) for src, dst in step}
    return all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))


PROMISES = {
    "Of two neighbors that fold each sums up half of the vector, and one gets both halves.": (
        each_of_two_adds_a_half
    ),
    "Ranks beyond a power of two fold, half a vector each way; the rest is Rabenseifner's.": (
        halves_fold_and_the_rest_is_rabenseifners
    ),
    "Partners swap what the other keeps, nearest first, until each chunk is summed on one rank.": (
        partners_swap_what_the_other_keeps
    ),
    "Vector halving sums each chunk on one rank, which hands it to its owner.": (
        chunks_reach_their_owners
    ),
    "Partners swap half of what they work on, nearest first, until each has summed one chunk.": (
        partners_halve
    ),
    "The halving backwards: partners return what they have summed, until each has all chunks.": (
        the_halving_backwards
    ),
    "The chunks that halving left on the ranks come together on the way to the root.": (
        pieces_are_put_together
    ),
    "Partners halve the work until each has summed one chunk; the sums go back the same way.": (
        same_way_back
    ),
    "Vector halving sums each chunk on one rank, and the root gathers them.": root_gathers,
}


@pytest.mark.parametrize("function", algorithms(rabenseifner), ids=name)
def test_the_docstrings_promise_is_kept(function):
    part = function in PARTS
    collective = {"collective": "all_reduce"} if part or function in FOLDING else {}
    chunks = {} if function in OF_ALL_CHUNKS else {"chunk_count": largest_power}
    keep(function, PROMISES, TEAMS if part else RANKS, **chunks, **collective)


def test_every_root_gets_the_sum_and_the_bits_of_the_libraries():
    for n in RANKS:
        for root in range(n):
            run = Run(rabenseifner.rabenseifner_reduce, n, root, chunk_count=largest_power(n))
            assert root_gathers(run)
            before, after = floats(run, seed=root)
            for chunk in range(run.chunk_count):
                values = column(before, chunk, n)
                assert after[root, chunk] == nearest_first(pairs_folded(values)), (n, root)


@pytest.mark.parametrize(
    "function",
    [rabenseifner.rabenseifner_all_reduce, rabenseifner.half_fold_all_reduce],
    ids=name,
)
def test_every_rank_gets_the_bits_of_the_libraries(function):
    for n in RANKS:
        run = Run(function, n, chunk_count=largest_power(n))
        for seed in range(4):
            before, after = floats(run, seed)
            for chunk in range(run.chunk_count):
                expected = nearest_first(pairs_folded(column(before, chunk, n)))
                assert column(after, chunk, n) == [expected] * n, (n, chunk)


def test_the_butterfly_adds_nearest_first():
    for n in RANKS:
        run = Run(rabenseifner.butterfly_reduce_scatter, n)
        before, after = floats(run, seed=1)
        for rank in range(n):
            assert after[rank, rank] == nearest_first(pairs_folded(column(before, rank, n)))


def test_a_piece_has_the_digits_of_its_rank_read_backwards():
    for n in TEAMS[1:]:
        first = rabenseifner.first_kept(n, n // 2).tolist()
        assert first == [backwards(rank, n.bit_length() - 1) for rank in range(n)]


@pytest.mark.parametrize(
    ("function", "n", "expected"),
    [
        (rabenseifner.rabenseifner_all_reduce, 8, in_vectors("14", "1.75", "1.75", 48)),
        (rabenseifner.half_fold_all_reduce, 4, in_vectors("6", "1.5", "1.5", 16)),
        (rabenseifner.half_fold_all_reduce, 8, in_vectors("14", "1.75", "1.75", 48)),
        (rabenseifner.rabenseifner_reduce, 8, in_vectors("8.5", "1.375", "1.75", 31)),
    ],
)
def test_bytes_are_those_open_mpi_counts(function, n, expected):
    """On a power of two; otherwise Open MPI folds halves of the vector."""
    assert traffic(Run(function, n, chunk_count=n)) == expected


def test_the_half_fold_moves_the_bytes_that_open_mpi_counts_where_ranks_fold():
    run = Run(rabenseifner.half_fold_all_reduce, 5, chunk_count=4)
    assert traffic(run) == in_vectors("8.5", "3", "2.5", 20)
    for n, rounds in [(5, 7), (6, 7), (7, 7), (9, 9)]:  # as SimGrid finds of its rab
        run = Run(rabenseifner.half_fold_all_reduce, n, chunk_count=largest_power(n))
        assert len(run.steps) == rounds


def test_bytes_and_rounds_are_those_simgrid_finds_where_ranks_fold():
    """SimGrid's rab_rdb and mvapich2_rs fold as MPICH does."""
    run = Run(rabenseifner.rabenseifner_all_reduce, 5, chunk_count=4)
    assert traffic(run)[:2] == (8, Fraction("2.5"))
    for n, rounds in [(5, 6), (6, 6), (7, 6), (8, 6), (9, 8)]:
        run = Run(rabenseifner.rabenseifner_all_reduce, n, chunk_count=largest_power(n))
        assert len(run.steps) == rounds


def test_a_caption_says_even_and_odd_where_they_are():
    for n in RANKS:
        run = Run(rabenseifner.rabenseifner_all_reduce, n, chunk_count=largest_power(n))
        for text, links in zip(run.captions, run.messages(), strict=True):
            if "each even rank" in text:
                assert links == {(2 * k, 2 * k + 1) for k in range(n - run.chunk_count)}
