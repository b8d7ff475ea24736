"""Algorithms on a binomial tree: from or to the root in as many steps as n - 1 has bits."""

import numpy as np

from collectives.algorithms.flat import flat_scatter
from collectives.schedule import Schedule, backwards, send, transposed, within


def binomial_broadcast(n: int, root: int = 0) -> Schedule:
    """Each step can double how many ranks have the data, as all that have it send it on.

    >>> from collectives.schedule import table
    >>> print(table(binomial_broadcast(6)))
    step 1   0→4 =0
    step 2   0→2 =0
    step 3   0→1 =0   2→3 =0   4→5 =0
    """
    rank = root + np.arange(n)
    hop = 1 << (n - 1).bit_length() >> 1
    while hop:
        src = rank[: n - hop : 2 * hop]
        # ranks with the data send it on
        yield send(src % n, (src + hop) % n)
        hop //= 2


def doubling_broadcast(n: int, root: int = 0) -> Schedule:
    """After k steps the 2^k ranks from the root on have the data, or all there are.

    >>> from collectives.schedule import table
    >>> print(table(doubling_broadcast(6)))
    step 1   0→1 =0
    step 2   0→2 =0   1→3 =0
    step 3   0→4 =0   1→5 =0
    """
    rank, have = root + np.arange(n), 1
    while have < n:
        src = rank[: min(have, n - have)]
        # ranks with the data send it on
        yield send(src % n, (src + have) % n)
        have *= 2


def binomial_reduce(n: int, root: int = 0) -> Schedule:
    """The broadcast runs in reverse: partial sums merge until the root has the sum.

    >>> from collectives.schedule import table
    >>> print(table(binomial_reduce(6)))
    step 1   1→0 +0   3→2 +0   5→4 +0
    step 2   2→0 +0
    step 3   4→0 +0
    """
    tree = binomial_broadcast(n, root)
    # every second remaining rank sends its sum to its partner
    yield from transposed(tree)


def binomial_scatter(n: int, root: int = 0) -> Schedule:
    """Ranks pass on the upper part of their chunks until each rank has its own.

    >>> from collectives.schedule import table
    >>> print(table(binomial_scatter(6)))
    step 1   0→4 =4   0→4 =5
    step 2   0→2 =2   0→2 =3
    step 3   0→1 =1   2→3 =3   4→5 =5
    """
    chunk = np.arange(n)
    half = 1 << (n - 1).bit_length() >> 1
    while half:
        top = chunk[chunk & half > 0]
        src, dst = top & -2 * half, top & -half
        move = root + np.array([src, dst, top])
        # ranks that hold chunks pass on the upper part
        yield send(*move % n)
        half //= 2


def binomial_gather(n: int, root: int = 0) -> Schedule:
    """The scatter runs backwards: chunks are collected on the way to the root.

    >>> from collectives.schedule import table
    >>> print(table(binomial_gather(6)))
    step 1   1→0 =1   3→2 =3   5→4 =5
    step 2   2→0 =2   2→0 =3
    step 3   4→0 =4   4→0 =5
    """
    tree = binomial_scatter(n, root)
    # every second remaining rank sends its chunks on
    yield from backwards(tree)


def binomial_all_reduce(n: int) -> Schedule:
    """Sums merge up a tree to rank 0, and the total comes back down.

    >>> from collectives.schedule import table
    >>> print(table(binomial_all_reduce(4)))
    step 1   1→0 +0   3→2 +0
    step 2   2→0 +0
    step 3   0→2 =0
    step 4   0→1 =0   2→3 =0
    """
    yield from binomial_reduce(n)
    yield from binomial_broadcast(n)


def binomial_all_gather(n: int) -> Schedule:
    """Gather on rank 0, then broadcast all chunks from it.

    >>> from collectives.schedule import table
    >>> print(table(binomial_all_gather(4)))
    step 1   1→0 =1   3→2 =3
    step 2   2→0 =2   2→0 =3
    step 3   0→2 =0..3
    step 4   0→1 =0..3   2→3 =0..3
    """
    ranks = np.arange(n)
    tree = binomial_broadcast(n)
    yield from binomial_gather(n)
    yield from within(ranks, tree, width=n)


def binomial_reduce_scatter(n: int) -> Schedule:
    """Reduce all chunks to rank 0, then scatter them from it.

    >>> from collectives.schedule import table
    >>> print(table(binomial_reduce_scatter(4)))
    step 1   1→0 +0..3   3→2 +0..3
    step 2   2→0 +0..3
    step 3   0→2 =2   0→2 =3
    step 4   0→1 =1   2→3 =3
    """
    ranks = np.arange(n)
    tree = binomial_reduce(n)
    yield from within(ranks, tree, width=n)
    yield from binomial_scatter(n)


def non_overlapping_reduce_scatter(n: int) -> Schedule:
    """Reduce all chunks to rank 0, which sends every other rank its own.

    >>> from collectives.schedule import table
    >>> print(table(non_overlapping_reduce_scatter(4)))
    step 1   1→0 +0..3   3→2 +0..3
    step 2   2→0 +0..3
    step 3   0→1 =1   0→2 =2   0→3 =3
    """
    ranks = np.arange(n)
    tree = binomial_reduce(n)
    yield from within(ranks, tree, width=n)
    yield from flat_scatter(n)
