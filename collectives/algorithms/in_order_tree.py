"""A binary tree in which every subtree is a run of ranks, so that sums keep the order of ranks."""

import numpy as np

from collectives.algorithms.tree import below_root, tree_reduce
from collectives.schedule import Schedule, pipelined, send, within
from collectives.schedule.columns import Integers


def in_order_tree(n: int) -> Integers:
    """Open MPI's in-order tree: each node, then those on its left, then those on its right.

    >>> in_order_tree(8)
    array([-1,  0,  1,  1,  0,  4,  4,  6])
    """
    if n < 2:
        return np.full(n, -1)
    left = in_order_tree(n - 1 - n // 2)
    right = in_order_tree(n // 2)
    beside = np.where(right < 0, -1, right + len(left))
    return below_root(np.append(left, beside))


def in_order_sums(n: int, chunks: int) -> Schedule:
    """Sums go up the in-order tree to the last rank, the deepest level of the tree first.

    >>> from collectives.schedule import table
    >>> print(table(in_order_sums(4, chunks=1)))
    step 1   0→1 +0
    step 2   2→3 +0   1→3 +0
    """
    backwards = np.arange(n)[::-1]
    up = tree_reduce(in_order_tree(n))
    rooted = within(backwards, up)
    yield from pipelined(rooted, range(chunks))


def in_order_tree_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Only sums of adjacent ranks are joined, in order, on the last rank, which sends them on.

    >>> from collectives.schedule import table
    >>> print(table(in_order_tree_reduce(5, chunks=1)))
    step 1   2→3 +0   0→1 +0
    step 2   3→4 +0   1→4 +0
    step 3   4→0 =0
    """
    last = np.arange(n - 1, n)[: root != n - 1]
    yield from in_order_sums(n, chunks)
    # the last rank sends the sums to the root
    yield send(last, root, count=chunks)
