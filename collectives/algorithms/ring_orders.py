"""More rings: both directions at once, and the other orders of additions found in libraries."""

import numpy as np

from collectives.algorithms.flat import flat_gather
from collectives.algorithms.ring import ring_all_reduce
from collectives.schedule import Schedule, reduce, send, together, within


def textbook_ring_all_reduce(n: int) -> Schedule:
    """Chunk c starts on rank c; its sum is whole on rank c - 1 and goes round once more.

    >>> from collectives.schedule import table
    >>> print(table(textbook_ring_all_reduce(3)))
    step 1   0→1 +0   1→2 +1   2→0 +2
    step 2   0→1 +2   1→2 +0   2→0 +1
    step 3   0→1 =1   1→2 =2   2→0 =0
    step 4   0→1 =0   1→2 =1   2→0 =2
    """
    rank = np.arange(n)
    right = (rank + 1) % n
    for step in range(n - 1):
        chunk = (rank - step) % n
        # every rank sends a chunk to the next, which adds it
        yield reduce(rank, right, chunk)
    for step in range(n - 1):
        chunk = (rank + 1 - step) % n
        # every rank passes a chunk on to the next
        yield send(rank, right, chunk)


def leftward_ring_reduce_scatter(n: int) -> Schedule:
    """Chunk c starts on rank c - 1 and goes to the left until rank c has its sum.

    >>> from collectives.schedule import table
    >>> print(table(leftward_ring_reduce_scatter(3)))
    step 1   0→2 +1   1→0 +2   2→1 +0
    step 2   0→2 +2   1→0 +0   2→1 +1
    """
    rank = np.arange(n)
    left = (rank - 1) % n
    for step in range(n - 1):
        chunk = (rank + step + 1) % n
        # every rank sends a chunk to the one before, which adds it
        yield reduce(rank, left, chunk)


def leftward_ring_all_gather(n: int) -> Schedule:
    """Every chunk goes once round to the left, from its own rank on.

    >>> from collectives.schedule import table
    >>> print(table(leftward_ring_all_gather(3)))
    step 1   0→2 =0   1→0 =1   2→1 =2
    step 2   0→2 =1   1→0 =2   2→1 =0
    """
    rank = np.arange(n)
    left = (rank - 1) % n
    for step in range(n - 1):
        chunk = (rank + step) % n
        # every rank passes a chunk on to the one before
        yield send(rank, left, chunk)


def leftward_ring_all_reduce(n: int) -> Schedule:
    """After the leftward reduce-scatter every sum goes once round to the left.

    >>> from collectives.schedule import table
    >>> print(table(leftward_ring_all_reduce(3)))
    step 1   0→2 +1   1→0 +2   2→1 +0
    step 2   0→2 +2   1→0 +0   2→1 +1
    step 3   0→2 =0   1→0 =1   2→1 =2
    step 4   0→2 =1   1→0 =2   2→1 =0
    """
    yield from leftward_ring_reduce_scatter(n)
    yield from leftward_ring_all_gather(n)


def leftward_ring_reduce(n: int, root: int = 0) -> Schedule:
    """After the leftward reduce-scatter every rank hands its sum to the root.

    >>> from collectives.schedule import table
    >>> print(table(leftward_ring_reduce(3)))
    step 1   0→2 +1   1→0 +2   2→1 +0
    step 2   0→2 +2   1→0 +0   2→1 +1
    step 3   1→0 =1   2→0 =2
    """
    yield from leftward_ring_reduce_scatter(n)
    yield from flat_gather(n, root)


def bidirectional_ring_all_reduce(n: int) -> Schedule:
    """Half of the vector goes to the right while the other half goes left.

    >>> from collectives.schedule import table
    >>> print(table(bidirectional_ring_all_reduce(3)))
    step 1   0→1 +2   1→2 +0   2→0 +1   0→2 +4   1→0 +5   2→1 +3
    step 2   0→1 +1   1→2 +2   2→0 +0   0→2 +5   1→0 +3   2→1 +4
    step 3   0→1 =0   1→2 =1   2→0 =2   0→2 =3   1→0 =4   2→1 =5
    step 4   0→1 =2   1→2 =0   2→0 =1   0→2 =4   1→0 =5   2→1 =3
    """
    rank = np.arange(n)
    left = leftward_ring_all_reduce(n)
    first = ring_all_reduce(n)
    second = within(rank, left, first=n)
    yield from together(first, second)
