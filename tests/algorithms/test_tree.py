"""Algorithms on trees that are data: the sentence of each, what they send, how long they take."""

from collections import Counter
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from libraries import traffic
from promises import Run, algorithms, keep, name
from settings import sampled_ranks
from shapes import both, children, hops

from collectives.algorithms import tree

RANKS = sampled_ranks(range(1, 18))
ON_A_TREE = [tree.tree_broadcast, tree.tree_reduce, tree.tree_all_reduce]
PIPELINED = [function for function in algorithms(tree) if function not in ON_A_TREE]
DOUBLE = [function for function in PIPELINED if "double" in name(function)]


def level_by_level(run):
    parent = run.given["parent"].tolist()
    edges = [
        {(parent[v], v) for v in range(run.n) if hops(parent, v) == level}
        for level in range(1, 1 + max(hops(parent, v) for v in range(run.n)))
    ]
    return edges


def data_goes_down(run):
    whole = all(run.last[rank, 0] == {(0, 0): 1} for rank in range(run.n))
    return whole and run.messages() == level_by_level(run)


def sums_go_up(run):
    up = [{(child, above) for above, child in level} for level in level_by_level(run)]
    return run.last[0, 0] == run.whole(0) and run.messages() == up[::-1]


def to_the_root_and_back(run):
    half = len(run.steps) // 2
    edges = level_by_level(run)
    up = [{(child, above) for above, child in level} for level in edges]
    whole = all(run.last[rank, 0] == run.whole(0) for rank in range(run.n))
    at_root = run.states[half][0, 0] == run.whole(0)
    return whole and at_root and run.messages() == up[::-1] + edges


def links_of(run, chunk):
    return {(row.src, row.dst) for row in run.rows if row.chunk == chunk}


def trees_of(run):
    """The links on which chunks go → the chunks."""
    found = {}
    for chunk in range(run.chunk_count):
        found.setdefault(frozenset(links_of(run, chunk)), []).append(chunk)
    return found


def first_use(run, link, chunk):
    return next(
        number
        for number, step in enumerate(run.steps)
        if any((row.src, row.dst, row.chunk) == (*link, chunk) for row in step)
    )


def follow_one_another(run):
    """On every link each chunk of a tree is one step later than the one before."""
    return all(
        first_use(run, link, later) == first_use(run, link, chunk) + 1
        for links, chunks in trees_of(run).items()
        for link in links
        for chunk, later in pairwise(chunks)
    )


def on_a_tree_without_gaps(run, links):
    """Whether (parent, child) makes levels of 1, 2, 4 … ranks, and the rest in the last one."""
    above = {child: parent for parent, child in links}
    ranks = [run.place(rank) for rank in range(run.n)]
    assert sorted(ranks) == list(range(run.n))
    parent = [above.get(rank, -1) for rank in range(run.n)]
    sizes = Counter(hops(parent, rank) for rank in range(run.n))
    levels = run.n.bit_length()
    return (
        parent[run.root] == -1
        and parent.count(-1) == 1
        and max(children(parent).values(), default=0) <= 2
        and all(sizes[k] == 1 << k for k in range(levels - 1))
        and max(sizes) == levels - 1
    )


def all_have(run):
    return all(
        run.last[rank, slot] == {(run.root, slot): 1}
        for rank in range(run.n)
        for slot in range(run.chunk_count)
    )


def the_root_has_the_sums(run):
    return all(run.last[run.root, slot] == run.whole(slot) for slot in range(run.chunk_count))


def chunks_down_a_binary_tree(run):
    (links,) = trees_of(run)
    return all_have(run) and follow_one_another(run) and on_a_tree_without_gaps(run, links)


def sums_up_a_binary_tree(run):
    (links,) = trees_of(run)
    turned = {(above, child) for child, above in links}
    adds = all(row.adds for row in run.rows)
    whole = adds and the_root_has_the_sums(run) and follow_one_another(run)
    return whole and on_a_tree_without_gaps(run, turned)


def halves(run):
    """The chunks of each of the two trees; both may use the same links where there are few."""
    half = run.chunk_count // 2
    return [range(half), range(half, run.chunk_count)]


def each_tree_takes_half(run):
    """No rank has more than two children in all."""
    down = Counter()
    for half, parent in zip(halves(run), both(run.n), strict=True):
        edges = {(parent[v], v) for v in range(run.n) if parent[v] >= 0}
        turned = {(v, p) for p, v in edges}
        assert all(links_of(run, chunk) == edges | turned for chunk in half)
        down.update(p for p, _ in edges)
    whole = all(
        run.last[r, s] == run.whole(s) for r in range(run.n) for s in range(run.chunk_count)
    )
    return whole and max(down.values(), default=0) <= 2


def on_two_trees_below_the_root(run, up):
    """Each spans the other ranks: one child of the root, and NCCL's tree below it."""
    for half, parent in zip(halves(run), both(run.n - 1), strict=True):
        rank = [(run.root + 1 + v) % run.n for v in range(run.n - 1)]
        edges = {(rank[p] if p >= 0 else run.root, rank[v]) for v, p in enumerate(parent)}
        edges = {(v, p) for p, v in edges} if up else edges
        assert all(links_of(run, chunk) == edges for chunk in half)
    return True


def the_root_hands_halves_to_two_trees(run):
    given = Counter(row.chunk for row in run.rows if row.src == run.root)
    once = given == Counter(range(run.chunk_count)) or run.n == 1
    return once and all_have(run) and on_two_trees_below_the_root(run, up=False)


def halves_are_summed_on_two_trees(run):
    adds = all(row.adds for row in run.rows)
    return adds and the_root_has_the_sums(run) and on_two_trees_below_the_root(run, up=True)


PROMISES = {
    "The data goes down from the root, one level of the tree in each step.": data_goes_down,
    "Sums go up to the root, the deepest level of the tree first.": sums_go_up,
    "Reduce to the root, then broadcast from it.": to_the_root_and_back,
    "Chunks follow one another down a binary tree in which no level has a gap.": (
        chunks_down_a_binary_tree
    ),
    "Sums of chunks follow one another up a binary tree in which no level has a gap.": (
        sums_up_a_binary_tree
    ),
    "Each of two trees takes half of the chunks, and no rank has more than two children in all.": (
        each_tree_takes_half
    ),
    "The root hands half of the chunks to each of two trees that span the other ranks.": (
        the_root_hands_halves_to_two_trees
    ),
    "Half of the chunks are summed up on each of two trees that span all ranks but the root.": (
        halves_are_summed_on_two_trees
    ),
}


@pytest.mark.parametrize("function", ON_A_TREE, ids=name)
def test_the_promise_is_kept_on_trees_with_the_root_0(function):
    for make in (tree.binary_tree, tree.complete_tree):
        keep(function, PROMISES, RANKS, parent=make, chunk_count=1)


@pytest.mark.parametrize("chunks", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("function", PIPELINED, ids=name)
def test_the_docstrings_promise_is_kept(function, chunks):
    keep(function, PROMISES, RANKS, chunks=chunks, chunk_count=chunks)


def test_any_parent_array_will_do():
    """A chain, a star, and one whose root is in the middle."""
    for parent in ([-1, 0, 1, 2], [-1, 0, 0, 0], [1, 2, -1, 2, 3]):
        n = len(parent)
        run = Run(tree.tree_all_reduce, n, parent=np.array(parent), chunk_count=1)
        assert all(run.last[rank, 0] == run.whole(0) for rank in range(n))


@pytest.mark.parametrize("function", DOUBLE, ids=name)
def test_both_trees_are_done_at_the_same_time(function):
    """Steps: the way down (or up and down) of one tree, then a chunk of the larger half each."""
    for n in RANKS[1:]:
        deep = 2 * (n - 1).bit_length() if "all" in name(function) else 1 + (n - 2).bit_length()
        for chunks in (1, 2, 5, 8):
            run = Run(function, n, chunks=chunks, chunk_count=chunks)
            assert len(run.steps) == deep + (chunks + 1) // 2 - 1


def test_with_two_trees_below_the_root_nobody_sends_more_than_the_root():
    for n in RANKS[1:]:
        for root in range(n):
            run = Run(tree.double_tree_broadcast, n, root, chunks=4, chunk_count=4)
            assert max(run.sent()) == run.sent()[root] == 4


@pytest.mark.parametrize(("n", "busiest"), [(2, "1"), (3, "3/2"), (4, "2"), (9, "2"), (16, "2")])
def test_the_busiest_rank_of_nccls_trees_sends_twice_the_vector(n, busiest):
    run = Run(tree.double_binary_tree_all_reduce, n, chunks=4, chunk_count=4)
    total, sent, _, _ = traffic(run)
    assert (total, sent) == (2 * (n - 1), Fraction(busiest))


@pytest.mark.parametrize("n", [5, 8])
def test_binary_trees_move_the_bytes_that_open_mpi_moves(n):
    """Its byte counters, unsegmented: total and the busiest sender, in full vectors."""
    down = Run(tree.binary_tree_broadcast, n, chunks=1, chunk_count=1)
    up = Run(tree.binary_tree_reduce, n, chunks=1, chunk_count=1)
    assert traffic(down) == (n - 1, 2, 1, n - 1)
    assert traffic(up) == (n - 1, 1, 2, n - 1)
