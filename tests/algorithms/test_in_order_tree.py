"""The tree that keeps the order of ranks: its sentence, its subtrees, and Open MPI's bytes."""

import numpy as np
import pytest
from libraries import traffic
from promises import RANKS, Run, keep, unrolled

from collectives.algorithms.in_order_tree import in_order_sums, in_order_tree, in_order_tree_reduce

DRAWN = {  # as Open MPI's coll_base_topo.c draws it: rank → its parent
    2: {0: 1},
    3: {0: 2, 1: 2},
    4: {0: 1, 1: 3, 2: 3},
    9: {0: 1, 1: 3, 2: 3, 3: 8, 4: 5, 5: 7, 6: 7, 7: 8},
}


def runs_of_ranks_are_joined(run):
    """Every addition puts a run of ranks in front of the run that follows it."""
    return joined_in_order(run, None if run.root == run.n - 1 else (run.n - 1, run.root)) and all(
        run.last[run.root, chunk] == run.whole(chunk) for chunk in range(run.chunk_count)
    )


def level_by_level(run):
    """Each chunk, the deepest level first, whichever rank the caller's root is."""
    parent = in_order_tree(run.n).tolist()
    depth = [0] * run.n
    for v in range(1, run.n):
        depth[v] = depth[parent[v]] + 1
    levels = [
        {(run.n - 1 - v, run.n - 1 - parent[v]) for v in range(run.n) if depth[v] == level}
        for level in range(max(depth), 0, -1)
    ]
    for chunk in range(run.chunk_count):
        steps = [{(r.src, r.dst) for r in unrolled(s) if r.chunk == chunk} for s in run.steps]
        if [step for step in steps if step] != levels:
            return False
    return joined_in_order(run, None)


def joined_in_order(run, ends):
    """Whether all ranks are joined in order on the last rank, and then sent from, to these."""
    for chunk in range(run.chunk_count):
        held = {rank: [rank] for rank in range(run.n)}
        last = None
        for row in (row for step in run.steps for row in unrolled(step) if row.chunk == chunk):
            if row.adds:
                held[row.dst] = held[row.src] + held[row.dst]
                first = held[row.dst][0]
                if held[row.dst] != list(range(first, row.dst + 1)):
                    return False
            else:
                last = (row.src, row.dst)
        if last != ends or held[run.n - 1] != list(range(run.n)):
            return False
    return True


PROMISES = {
    "Sums go up the in-order tree to the last rank, the deepest level of the tree first.": (
        level_by_level
    ),
    "Only sums of adjacent ranks are joined, in order, on the last rank, which sends them on.": (
        runs_of_ranks_are_joined
    ),
}


@pytest.mark.parametrize("chunks", [1, 3])
def test_the_docstrings_promise_is_kept(chunks):
    keep(in_order_tree_reduce, PROMISES, RANKS, chunks=chunks, chunk_count=chunks)
    sums = {"collective": "all_reduce", "chunks": chunks, "chunk_count": chunks}
    keep(in_order_sums, PROMISES, RANKS, **sums)


@pytest.mark.parametrize("n", DRAWN)
def test_the_tree_is_open_mpis(n):
    links = {(n - 1 - v, n - 1 - above) for v, above in enumerate(in_order_tree(n)) if v}
    assert links == set(DRAWN[n].items())


def test_every_subtree_is_a_run_of_nodes_half_of_them_on_each_side():
    for n in range(1, 70):
        parent = in_order_tree(n)
        below = np.ones(n, np.intp)
        for v in range(n - 1, 0, -1):
            below[parent[v]] += below[v]
        for v in range(n):
            children = np.flatnonzero(parent == v)
            sizes = below[children].tolist()
            assert children.tolist() == [v + 1, v + 1 + sum(sizes[:1])][: len(sizes)]
            assert sum(sizes) == below[v] - 1
            assert len(sizes) < 2 or 0 <= sizes[1] - sizes[0] <= 1


@pytest.mark.parametrize("n", [5, 8])
def test_it_moves_the_bytes_that_open_mpi_counts(n):
    """The root is rank 0, so that the last rank sends the sum on."""
    run = Run(in_order_tree_reduce, n, chunks=1, chunk_count=1)
    assert traffic(run) == (n, 1, 2, n)
