"""Algorithms on a circulant graph: hops of n/2, n/4, …, 1 ranks, rounded up."""

from itertools import pairwise

import numpy as np

from collectives.schedule import Schedule, reduce, transposed


def halvings(n: int) -> list[int]:
    """The number n and its halves, each rounded up, down to 1.

    >>> halvings(11)
    [11, 6, 3, 2, 1]
    """
    halvings = [n]
    while halvings[-1] > 1:
        halvings.append((halvings[-1] + 1) // 2)
    return halvings


def circulant_reduce_scatter(n: int) -> Schedule:
    """Every step halves, rounding up, the run of sums that a rank keeps, down to its own chunk.

    >>> from collectives.schedule import table
    >>> print(table(circulant_reduce_scatter(3)))
    step 1   0→2 +2   1→0 +0   2→1 +1
    step 2   0→1 +1   1→2 +2   2→0 +0
    """
    rank = np.arange(n)[:, None]
    for run, keep in pairwise(halvings(n)):
        chunk = (rank + np.arange(keep, run)) % n
        peer = (rank + keep) % n
        # every rank sends another the far half of its sums
        yield reduce(rank, peer, chunk)


def circulant_all_gather(n: int) -> Schedule:
    """The reduce-scatter runs in reverse: chunks go back the way their sums came.

    >>> from collectives.schedule import table
    >>> print(table(circulant_all_gather(3)))
    step 1   1→0 =1   2→1 =2   0→2 =0
    step 2   2→0 =2   0→1 =0   1→2 =1
    """
    reduce_scatter = circulant_reduce_scatter(n)
    # every rank sends chunks that the receiver lacks
    yield from transposed(reduce_scatter)


def circulant_all_reduce(n: int) -> Schedule:
    """Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.

    >>> from collectives.schedule import table
    >>> print(table(circulant_all_reduce(3)))
    step 1   0→2 +2   1→0 +0   2→1 +1
    step 2   0→1 +1   1→2 +2   2→0 +0
    step 3   1→0 =1   2→1 =2   0→2 =0
    step 4   2→0 =2   0→1 =0   1→2 =1
    """
    yield from circulant_reduce_scatter(n)
    yield from circulant_all_gather(n)
