"""Scans: rank r ends with the sum over the ranks up to and including itself."""

import numpy as np

from collectives.schedule import Schedule, reduce, send


def chain_scan(n: int) -> Schedule:
    """The sum runs once through the ranks, and each adds its own data.

    >>> from collectives.schedule import table
    >>> print(table(chain_scan(3)))
    step 1   0→1 +0
    step 2   1→2 +0
    """
    for rank in range(n - 1):
        # one rank sends its sum to the next, which adds its own
        yield reduce(rank, rank + 1)


def doubling_scan(n: int) -> Schedule:
    """After k steps a rank has the sum of the last 2^k ranks up to itself, or of all there are.

    >>> from collectives.schedule import table
    >>> print(table(doubling_scan(5)))
    step 1   0→1 +0   1→2 +0   2→3 +0   3→4 +0
    step 2   0→2 +0   1→3 +0   2→4 +0
    step 3   0→4 +0
    """
    rank, distance = np.arange(n), 1
    while distance < n:
        src = rank[:-distance]
        # ranks send their sums to ranks further up, which add them
        yield reduce(src, src + distance)
        distance *= 2


def recursive_doubling_scan(n: int) -> Schedule:
    """Partners swap partial sums, and the upper one adds the lower one's to its scan as well.

    >>> from collectives.schedule import table
    >>> print(table(recursive_doubling_scan(3)))
    step 1   0→0 =0:1   1→1 =0:1   2→2 =0:1
    step 2   0→1 +1:0   0→1 +1   1→0 +1
    step 3   0→2 +1:0   0→2 +1   2→0 +1
    """
    rank, distance = np.arange(n), 1
    # every rank copies its data to start a partial sum
    yield send(rank, rank, 0, into=1)
    while distance < n:
        peer = rank ^ distance
        swap, up = peer < n, rank < peer
        sums = np.stack([swap & up, swap])
        into, src = np.nonzero(sums)
        # partners exchange their partial sums
        yield reduce(src, peer[src], 1, into)
        distance *= 2
