"""Flat algorithms: one step in which every rank sends directly to its destinations."""

import numpy as np

from collectives.schedule import Schedule, backwards, reduce, send, transposed


def flat_broadcast(n: int, root: int = 0) -> Schedule:
    """The root sends everything to every other rank at once.

    >>> from collectives.schedule import table
    >>> print(table(flat_broadcast(4, root=1)))
    step 1   1→0 =0   1→2 =0   1→3 =0
    """
    rank = np.arange(n)
    # the root sends its data to every other rank
    yield send(root, rank[rank != root])


def flat_reduce(n: int, root: int = 0) -> Schedule:
    """Every other rank sends everything to the root, which adds it all up.

    >>> from collectives.schedule import table
    >>> print(table(flat_reduce(4, root=1)))
    step 1   0→1 +0   2→1 +0   3→1 +0
    """
    broadcast = flat_broadcast(n, root)
    # every other rank sends its data to the root, which adds it
    yield from transposed(broadcast)


def flat_scatter(n: int, root: int = 0) -> Schedule:
    """The root sends each rank its chunk.

    >>> from collectives.schedule import table
    >>> print(table(flat_scatter(4)))
    step 1   0→1 =1   0→2 =2   0→3 =3
    """
    rank = np.arange(n)
    rank = rank[rank != root]
    # the root sends every other rank its chunk
    yield send(root, rank, chunk=rank)


def flat_gather(n: int, root: int = 0) -> Schedule:
    """Each rank sends its chunk to the root.

    >>> from collectives.schedule import table
    >>> print(table(flat_gather(4)))
    step 1   1→0 =1   2→0 =2   3→0 =3
    """
    scatter = flat_scatter(n, root)
    # every other rank sends its chunk to the root
    yield from backwards(scatter)


def flat_all_gather(n: int) -> Schedule:
    """Each rank sends its chunk to every other rank at once.

    >>> from collectives.schedule import table
    >>> print(table(flat_all_gather(3)))
    step 1   0→1 =0   0→2 =0   1→0 =1   1→2 =1   2→0 =2   2→1 =2
    """
    src, dst = np.nonzero(np.eye(n) == 0)
    # every rank sends its chunk to every other rank
    yield send(src, dst, chunk=src)


def flat_reduce_scatter(n: int) -> Schedule:
    """Each rank sends every other rank that rank's chunk, and adds up what it gets.

    >>> from collectives.schedule import table
    >>> print(table(flat_reduce_scatter(3)))
    step 1   0→1 +1   0→2 +2   1→0 +0   1→2 +2   2→0 +0   2→1 +1
    """
    src, dst = np.nonzero(np.eye(n) == 0)
    # every rank sends its chunks to the ranks that sum them
    yield reduce(src, dst, chunk=dst)


def flat_all_reduce(n: int) -> Schedule:
    """Each rank sends everything to every other rank, and adds up what it gets.

    >>> from collectives.schedule import table
    >>> print(table(flat_all_reduce(3)))
    step 1   0→1 +0   0→2 +0   1→0 +0   1→2 +0   2→0 +0   2→1 +0
    """
    src, dst = np.nonzero(np.eye(n) == 0)
    # every rank sends its data to all others, which add it
    yield reduce(src, dst)
