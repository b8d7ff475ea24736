"""Pairwise exchange: in step k every rank sends to the k-th rank after it, through one port."""

import numpy as np

from collectives.schedule import Schedule, reduce, send


def pairwise_reduce_scatter(n: int) -> Schedule:
    """Each owner adds to its chunk that of the rank before it, of the one before that, and so on.

    >>> from collectives.schedule import table
    >>> print(table(pairwise_reduce_scatter(3)))
    step 1   0→1 +1   1→2 +2   2→0 +0
    step 2   0→2 +2   1→0 +0   2→1 +1
    """
    rank = np.arange(n)
    for step in range(1, n):
        peer = (rank + step) % n
        # every rank sends a chunk to its owner, which adds it
        yield reduce(rank, peer, chunk=peer)


def pairwise_all_gather(n: int) -> Schedule:
    """Each rank sends its own chunk to one rank after another, the next one first.

    >>> from collectives.schedule import table
    >>> print(table(pairwise_all_gather(3)))
    step 1   0→1 =0   1→2 =1   2→0 =2
    step 2   0→2 =0   1→0 =1   2→1 =2
    """
    rank = np.arange(n)
    for step in range(1, n):
        peer = (rank + step) % n
        # every rank sends its own chunk over the same distance
        yield send(rank, peer, chunk=rank)
