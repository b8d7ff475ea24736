"""Algorithms on trees that are data: `parent[v]` is the parent of node v, and -1 at the root."""

import numpy as np

from collectives.schedule import Schedule, pipelined, reduce, send, together, within
from collectives.schedule.columns import Integers


def binary_tree(n: int) -> Integers:
    """NCCL's first tree: to find its parent, v clears its lowest binary one and sets the next.

    Where there is no such rank it only clears.

    >>> binary_tree(8)
    array([-1,  2,  4,  2,  0,  6,  4,  6])
    """
    v = np.arange(n)
    low = v & -v
    up = v ^ low | 2 * low
    parent = np.where(up < n, up, v ^ low)
    parent[:1] = -1
    return parent


def mirrored(parent: Integers) -> Integers:
    """NCCL's second tree: the first one mirrored, or shifted by one rank if their number is odd.

    >>> mirrored(binary_tree(8))
    array([ 1,  3,  1,  7,  5,  3,  5, -1])
    >>> mirrored(binary_tree(5))
    array([ 1, -1,  3,  0,  3])
    """
    n = len(parent)
    rank = np.arange(n)
    shifted = (rank + 1) % max(n, 1)
    name = shifted if n % 2 else rank[::-1]
    second = np.empty_like(parent)
    second[name] = np.where(parent < 0, -1, name[parent])
    return second


def two_trees(n: int) -> tuple[Integers, Integers]:
    """NCCL's two trees of the same ranks: where one has leaves the other has inner nodes.

    >>> two_trees(4)
    (array([-1,  2,  0,  2]), array([ 1,  3,  1, -1]))
    """
    tree = binary_tree(n)
    return tree, mirrored(tree)


def complete_tree(n: int) -> Integers:
    """Open MPI's binary tree: to find its parent, v + 1 loses its second highest binary digit.

    Below the root the odd numbers are on the left and the even ones on the right.

    >>> complete_tree(7)
    array([-1,  0,  0,  1,  2,  1,  2])
    """
    v = np.arange(1, n + 1)
    high = 1 << np.frexp(v)[1] - 1
    parent = (v & high // 2 - 1 | high // 2) - 1
    parent[:1] = -1
    return parent


def below_root(parent: Integers) -> Integers:
    """A tree hung below one more node, which becomes node 0 and moves the others up by one.

    >>> below_root(binary_tree(4))
    array([-1,  0,  3,  1,  3])
    """
    return np.append(-1, parent + 1)


def depths(parent: Integers) -> Integers:
    """How many hops each node is away from the root.

    >>> depths(binary_tree(8))
    array([0, 3, 2, 3, 1, 3, 2, 3])
    """
    depth = np.zeros_like(parent)
    above = parent
    while (above >= 0).any():
        depth += above >= 0
        above = np.where(above < 0, -1, parent[above])
    return depth


def tree_broadcast(parent: Integers) -> Schedule:
    """The data goes down from the root, one level of the tree in each step.

    >>> from collectives.schedule import table
    >>> print(table(tree_broadcast(binary_tree(5))))
    step 1   0→4 =0
    step 2   4→2 =0
    step 3   2→1 =0   2→3 =0
    """
    depth = depths(parent)
    for level in range(1, depth.max() + 1):
        child = np.flatnonzero(depth == level)
        # parents send the data to all their children
        yield send(parent[child], child)


def tree_reduce(parent: Integers) -> Schedule:
    """Sums go up to the root, the deepest level of the tree first.

    >>> from collectives.schedule import table
    >>> print(table(tree_reduce(binary_tree(5))))
    step 1   1→2 +0   3→2 +0
    step 2   2→4 +0
    step 3   4→0 +0
    """
    depth = depths(parent)
    for level in range(depth.max(), 0, -1):
        child = np.flatnonzero(depth == level)
        # children send their sums to their parents, which add them
        yield reduce(child, parent[child])


def tree_all_reduce(parent: Integers) -> Schedule:
    """Reduce to the root, then broadcast from it.

    >>> from collectives.schedule import table
    >>> print(table(tree_all_reduce(binary_tree(3))))
    step 1   1→2 +0
    step 2   2→0 +0
    step 3   0→2 =0
    step 4   2→1 =0
    """
    yield from tree_reduce(parent)
    yield from tree_broadcast(parent)


def binary_tree_broadcast(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Chunks follow one another down a binary tree in which no level has a gap.

    >>> from collectives.schedule import table
    >>> print(table(binary_tree_broadcast(4, chunks=2)))
    step 1   0→1 =0   0→2 =0
    step 2   1→3 =0   0→1 =1   0→2 =1
    step 3   1→3 =1
    """
    rank = (root + np.arange(n)) % n
    tree = tree_broadcast(complete_tree(n))
    rooted = within(rank, tree)
    yield from pipelined(rooted, range(chunks))


def binary_tree_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Sums of chunks follow one another up a binary tree in which no level has a gap.

    >>> from collectives.schedule import table
    >>> print(table(binary_tree_reduce(4, chunks=2)))
    step 1   3→1 +0
    step 2   1→0 +0   2→0 +0   3→1 +1
    step 3   1→0 +1   2→0 +1
    """
    rank = (root + np.arange(n)) % n
    tree = tree_reduce(complete_tree(n))
    rooted = within(rank, tree)
    yield from pipelined(rooted, range(chunks))


def double_binary_tree_all_reduce(n: int, chunks: int = 4) -> Schedule:
    """Each of two trees takes half of the chunks, and no rank has more than two children in all.

    >>> from collectives.schedule import table
    >>> print(table(double_binary_tree_all_reduce(3, chunks=2)))
    step 1   1→2 +0   2→0 +1
    step 2   2→0 +0   0→1 +1
    step 3   0→2 =0   1→0 =1
    step 4   2→1 =0   0→2 =1
    """
    trees, half = two_trees(n), chunks // 2
    first, second = map(tree_all_reduce, trees)
    yield from together(
        pipelined(first, range(half)),
        pipelined(second, range(half, chunks)),
    )


def double_tree_broadcast(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """The root hands half of the chunks to each of two trees that span the other ranks.

    >>> from collectives.schedule import table
    >>> print(table(double_tree_broadcast(4, chunks=2)))
    step 1   0→1 =0   0→2 =1
    step 2   1→3 =0   2→1 =1
    step 3   3→2 =0   1→3 =1
    """
    trees = map(below_root, two_trees(n - 1))
    first, second = map(tree_broadcast, trees)
    half = chunks // 2
    both = together(
        pipelined(first, range(half)),
        pipelined(second, range(half, chunks)),
    )
    rank = (root + np.arange(n)) % n
    yield from within(rank, both)


def double_tree_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Half of the chunks are summed up on each of two trees that span all ranks but the root.

    >>> from collectives.schedule import table
    >>> print(table(double_tree_reduce(4, chunks=2)))
    step 1   2→3 +0   3→1 +1
    step 2   3→1 +0   1→2 +1
    step 3   1→0 +0   2→0 +1
    """
    trees = map(below_root, two_trees(n - 1))
    first, second = map(tree_reduce, trees)
    half = chunks // 2
    both = together(
        pipelined(first, range(half)),
        pipelined(second, range(half, chunks)),
    )
    rank = (root + np.arange(n)) % n
    yield from within(rank, both)
