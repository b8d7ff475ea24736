"""Split-binary algorithms: each side of a binary tree carries half of the chunks."""

import numpy as np

from collectives.algorithms.tree import complete_tree, tree_broadcast
from collectives.schedule import Schedule, pipelined, send, together, transposed, within
from collectives.schedule.columns import Integers


def sides(n: int) -> tuple[Integers, Integers]:
    """The two halves of a complete binary tree: nodes of the other side have no parent.

    >>> sides(7)
    (array([-1,  0, -1,  1, -1,  1, -1]), array([-1, -1,  0, -1,  2, -1,  2]))
    """
    tree, odd = complete_tree(n), np.arange(n) % 2 > 0
    return np.where(odd, tree, -1), np.where(odd, -1, tree)


def twins_swap(n: int, chunks: int) -> Schedule:
    """Twins, the nodes 2 i + 1 and 2 i + 2, swap their halves; a node without twin asks the root.

    >>> from collectives.schedule import table
    >>> print(table(twins_swap(4, chunks=4)))
    step 1   2→1 =2..3   1→2 =0..1   0→3 =2..3
    """
    v, half = np.arange(1, n), (chunks + 1) // 2
    v = v[v % 2 * half < chunks]  # who lacks any
    twin = np.where(v % 2, v + 1, v - 1) % n
    first = v % 2 * half
    count = np.where(v % 2, chunks - half, half)
    # each rank gets the half of the chunks it still lacks
    yield send(twin, v, first, count=count)


def split_binary_broadcast(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Half of the chunks go down each side of a binary tree; then both sides swap halves.

    >>> from collectives.schedule import table
    >>> print(table(split_binary_broadcast(5, chunks=2)))
    step 1   0→1 =0   0→2 =1
    step 2   1→3 =0   2→4 =1
    step 3   2→1 =1   1→2 =0   4→3 =1   3→4 =0
    """
    left, right = map(tree_broadcast, sides(n))
    half = (chunks + 1) // 2
    down = together(
        pipelined(left, range(half)),
        pipelined(right, range(half, chunks)),
    )
    rank = (root + np.arange(n)) % n
    swap = twins_swap(n, chunks)
    yield from within(rank, down)
    yield from within(rank, swap)


def split_binary_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Twins add up one half each, and each side of the tree carries its half to the root.

    >>> from collectives.schedule import table
    >>> print(table(split_binary_reduce(5, chunks=2)))
    step 1   1→2 +1   2→1 +0   3→4 +1   4→3 +0
    step 2   3→1 +0   4→2 +1
    step 3   1→0 +0   2→0 +1
    """
    out = split_binary_broadcast(n, root, chunks)
    # ranks send sums to their twins, then to their parents
    yield from transposed(out)
