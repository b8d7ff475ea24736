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

from collectives.algorithms import rabenseifner

RANKS = range(1, 18)
TEAMS = [1, 2, 4, 8, 16, 32]
PARTS = (rabenseifner.vector_halving, rabenseifner.vector_gather)


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


PROMISES = {
    "Partners swap half of what they work on, nearest first, until each has summed one chunk.": (
        partners_halve
    ),
    "The chunks that halving left on the ranks are put together on the way to the root.": (
        pieces_are_put_together
    ),
    "Vector halving sums each chunk on one rank, and the same way back spreads them.": (
        same_way_back
    ),
    "Vector halving sums each chunk on one rank, and the root gathers them.": root_gathers,
}


@pytest.mark.parametrize("function", algorithms(rabenseifner), ids=name)
def test_the_docstrings_promise_is_kept(function):
    part = function in PARTS
    collective = {"collective": "all_reduce"} if part else {}
    keep(function, PROMISES, TEAMS if part else RANKS, chunk_count=largest_power, **collective)


def test_every_root_gets_the_sum_and_the_bits_of_the_libraries():
    for n in RANKS:
        for root in range(n):
            run = Run(rabenseifner.rabenseifner_reduce, n, root, chunk_count=largest_power(n))
            assert root_gathers(run)
            before, after = floats(run, seed=root)
            for chunk in range(run.chunk_count):
                values = column(before, chunk, n)
                assert after[root, chunk] == nearest_first(pairs_folded(values)), (n, root)


def test_every_rank_gets_the_bits_of_the_libraries():
    for n in RANKS:
        run = Run(rabenseifner.rabenseifner_all_reduce, n, chunk_count=largest_power(n))
        for seed in range(4):
            before, after = floats(run, seed)
            for chunk in range(run.chunk_count):
                expected = nearest_first(pairs_folded(column(before, chunk, n)))
                assert column(after, chunk, n) == [expected] * n, (n, chunk)


def test_a_piece_has_the_digits_of_its_rank_read_backwards():
    for n in TEAMS[1:]:
        first = rabenseifner.first_kept(n, n // 2).tolist()
        assert first == [backwards(rank, n.bit_length() - 1) for rank in range(n)]


@pytest.mark.parametrize(
    ("function", "n", "expected"),
    [
        (rabenseifner.rabenseifner_all_reduce, 8, in_vectors("14", "1.75", "1.75", 48)),
        (rabenseifner.rabenseifner_reduce, 8, in_vectors("8.5", "1.375", "1.75", 31)),
    ],
)
def test_bytes_are_those_open_mpi_counts(function, n, expected):
    """On a power of two; otherwise Open MPI folds halves of the vector."""
    assert traffic(Run(function, n, chunk_count=n)) == expected


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
