"""Algorithms on a ring: every rank exchanges data with its two neighbors only."""

import numpy as np

from collectives.schedule import Schedule, pipelined, reduce, send, transposed


def ring_reduce_scatter(n: int) -> Schedule:
    """Each chunk travels once round the ring, and every rank adds its own data.

    >>> from collectives.schedule import table
    >>> print(table(ring_reduce_scatter(3)))
    step 1   0→1 +2   1→2 +0   2→0 +1
    step 2   0→1 +1   1→2 +2   2→0 +0
    """
    rank = np.arange(n)
    right = (rank + 1) % n
    for step in range(n - 1):
        chunk = (rank - step - 1) % n
        # every rank sends a chunk to the next, which adds it
        yield reduce(rank, right, chunk)


def ring_all_gather(n: int) -> Schedule:
    """Each chunk travels once round the ring, and every rank keeps a copy.

    >>> from collectives.schedule import table
    >>> print(table(ring_all_gather(3)))
    step 1   0→1 =0   1→2 =1   2→0 =2
    step 2   0→1 =2   1→2 =0   2→0 =1
    """
    rank = np.arange(n)
    right = (rank + 1) % n
    for step in range(n - 1):
        chunk = (rank - step) % n
        # every rank passes a chunk on to the next
        yield send(rank, right, chunk)


def ring_all_reduce(n: int) -> Schedule:
    """With one chunk for each rank, every port works in every step.

    >>> from collectives.schedule import table
    >>> print(table(ring_all_reduce(3)))
    step 1   0→1 +2   1→2 +0   2→0 +1
    step 2   0→1 +1   1→2 +2   2→0 +0
    step 3   0→1 =0   1→2 =1   2→0 =2
    step 4   0→1 =2   1→2 =0   2→0 =1
    """
    yield from ring_reduce_scatter(n)
    yield from ring_all_gather(n)


def chain_broadcast(n: int, root: int = 0) -> Schedule:
    """The data runs once along the ring, from the root to its left neighbor.

    >>> from collectives.schedule import table
    >>> print(table(chain_broadcast(3, root=1)))
    step 1   1→2 =0
    step 2   2→0 =0
    """
    for hop in range(n - 1):
        rank = (root + hop) % n
        # the data moves one rank further along the chain
        yield send(rank, (rank + 1) % n)


def ring_broadcast(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Chunks follow one another along the chain, so that several links work at once.

    >>> from collectives.schedule import table
    >>> print(table(ring_broadcast(3, chunks=2)))
    step 1   0→1 =0
    step 2   1→2 =0   0→1 =1
    step 3   1→2 =1
    """
    chain = chain_broadcast(n, root)
    yield from pipelined(chain, range(chunks))


def ring_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """Sums run along a chain to the root; each rank adds its own data.

    >>> from collectives.schedule import table
    >>> print(table(ring_reduce(3, chunks=2)))
    step 1   2→1 +0
    step 2   1→0 +0   2→1 +1
    step 3   1→0 +1
    """
    chain = transposed(chain_broadcast(n, root))
    # ranks send their partial sums to the ones before
    yield from pipelined(chain, range(chunks))
