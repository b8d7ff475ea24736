"""Split-binary algorithms: the sentence of each, the twins, and the bytes Open MPI counts."""

import pytest
from libraries import in_vectors, traffic
from promises import Run, algorithms, keep, name, unrolled
from settings import sampled_ranks

from collectives.algorithms import split_binary

ALGORITHMS = [function for function in algorithms(split_binary) if "twins" not in name(function)]
RANKS = sampled_ranks(range(1, 18))


def half_of(run):
    return (run.chunk_count + 1) // 2


def twin(run, rank):
    """The twin of a rank; the root stands in for one that is not there."""
    v = run.place(rank)
    other = v + 1 if v % 2 else v - 1
    return (run.root + other) % run.n if other < run.n else run.root


def lacks(run, rank):
    """The half that does not come down on a rank's side."""
    first, chunk_count = half_of(run), run.chunk_count
    return set(range(first, chunk_count)) if run.place(rank) % 2 else set(range(first))


def swapped(run):
    """What a swap of all twins moves."""
    return {
        (twin(run, rank), rank, chunk) for rank in sorted(run.others) for chunk in lacks(run, rank)
    }


def moved(step):
    return {(row.src, row.dst, row.chunk) for row in unrolled(step)}


def twins_swap_their_halves(run):
    steps = [moved(step) for step in run.steps]
    return steps == ([swapped(run)] if swapped(run) else [])


def each_side_is_a_tree(run, links):
    """Of (parent, child): the root has a child on each side, no other link crosses sides."""
    child_of_root = {child for parent, child in links if parent == run.root}
    same = {(p, c) for p, c in links if p != run.root}
    assert child_of_root == {(run.root + v) % run.n for v in (1, 2) if v < run.n}
    assert all(run.place(p) % 2 == run.place(c) % 2 for p, c in same)
    parents = [p for p, _ in links]
    assert all(parents.count(p) <= 2 for p in parents)
    assert sorted(c for _, c in links) == sorted(run.others)
    return True


def split(run, steps):
    """The links on which chunks move within the sides, after what they carry was checked."""
    links = {}
    for step in steps:
        for src, dst, chunk in moved(step):
            links.setdefault((src, dst), []).append(chunk)
    for (src, dst), chunks in links.items():
        low = run.place(src if src != run.root else dst) % 2
        half = range(half_of(run)) if low else range(half_of(run), run.chunk_count)
        assert sorted(chunks) == list(half)
    return set(links)


def down_each_side_then_swap(run):
    whole = all(
        run.last[r, s] == {(run.root, s): 1} for r in range(run.n) for s in range(run.chunk_count)
    )
    if run.n == 1:
        return whole and not run.steps
    if run.chunk_count == 1:  # one side carries nothing
        return whole
    down = split(run, run.steps[:-1])
    return whole and each_side_is_a_tree(run, down) and moved(run.steps[-1]) == swapped(run)


def twins_add_then_each_side_carries(run):
    whole = all(run.last[run.root, s] == run.whole(s) for s in range(run.chunk_count))
    adds = all(row.adds for row in run.rows)
    if run.n == 1 or run.chunk_count == 1:
        return whole and adds
    up = {(parent, child) for child, parent in split(run, run.steps[1:])}
    given = {(src, dst, chunk) for dst, src, chunk in swapped(run)}
    return whole and adds and each_side_is_a_tree(run, up) and moved(run.steps[0]) == given


PROMISES = {
    "Twins, the nodes 2 i + 1 and 2 i + 2, swap their halves; a node without twin asks the root.": (
        twins_swap_their_halves
    ),
    "Half of the chunks go down each side of a binary tree; then both sides swap halves.": (
        down_each_side_then_swap
    ),
    "Twins add up one half each, and each side of the tree carries its half to the root.": (
        twins_add_then_each_side_carries
    ),
}


@pytest.mark.parametrize("chunks", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function, chunks):
    keep(function, PROMISES, RANKS, chunks=chunks, chunk_count=chunks)


@pytest.mark.parametrize("chunks", [1, 2, 3, 4])
def test_the_promise_of_the_swap_is_kept(chunks):
    swap = split_binary.twins_swap
    keep(swap, PROMISES, RANKS, chunks=chunks, chunk_count=chunks, collective="all_reduce")


def test_the_sides_are_odd_and_even():
    for n in RANKS:
        left, right = split_binary.sides(n)
        assert {v for v in range(n) if left[v] >= 0} == set(range(1, n, 2))
        assert {v for v in range(n) if right[v] >= 0} == set(range(2, n, 2))


@pytest.mark.parametrize(("n", "counted"), [(5, ("4", "1", "1", 8)), (8, ("7", "1.5", "1", 14))])
def test_it_moves_the_bytes_that_open_mpi_counts(n, counted):
    run = Run(split_binary.split_binary_broadcast, n, chunks=2, chunk_count=2)
    assert traffic(run) == in_vectors(*counted)


def test_in_a_reduce_every_rank_but_the_root_sends_the_vector_once():
    for n in RANKS:
        for chunks in (1, 2, 5):
            run = Run(split_binary.split_binary_reduce, n, chunks=chunks, chunk_count=chunks)
            assert run.sent() == [0] + [chunks] * (n - 1)
