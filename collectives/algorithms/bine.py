"""Bine trees: partners are sums of powers of -2 apart, nearer each other than in binomial trees."""

import numpy as np

from collectives.schedule import Schedule, backwards, send, transposed


def bine_broadcast(n: int, root: int = 0) -> Schedule:
    """Ranks at even distance from the root send one way round, others the other.

    >>> from collectives.schedule import table
    >>> print(table(bine_broadcast(8)))
    step 1   0→3 =0
    step 2   0→7 =0   3→4 =0
    step 3   0→1 =0   3→2 =0   7→6 =0   4→5 =0
    """
    power = n.bit_length() - 1
    has = np.zeros(1, int)
    while power:
        hop = (1 - (-2) ** power) // 3
        way = np.where(has % 2, -hop, hop)
        src = root + has
        # ranks with the data send it to one more rank each
        yield send(src % n, (src + way) % n)
        has = np.append(has, (has + way) % n)
        power -= 1


def bine_reduce(n: int, root: int = 0) -> Schedule:
    """The broadcast runs in reverse: partial sums merge until the root has the sum.

    >>> from collectives.schedule import table
    >>> print(table(bine_reduce(4)))
    step 1   1→0 +0   2→3 +0
    step 2   3→0 +0
    """
    tree = bine_broadcast(n, root)
    # half of the remaining ranks send their sum on
    yield from transposed(tree)


def bine_gather(n: int, root: int = 0) -> Schedule:
    """The tree is that of the reduce: chunks are collected on the way to the root.

    >>> from collectives.schedule import table
    >>> print(table(bine_gather(4)))
    step 1   1→0 =1   2→3 =2
    step 2   3→0 =2   3→0 =3
    """
    holder = np.arange(n)
    for step in bine_reduce(n, root):
        above = np.arange(n)
        above[step.src] = step.dst
        moves = above[holder] != holder
        chunk = np.flatnonzero(moves)
        src = holder[chunk]
        # half of the remaining ranks send all their chunks
        yield send(src, above[src], chunk)
        holder = above[holder]


def bine_scatter(n: int, root: int = 0) -> Schedule:
    """The gather runs backwards: ranks pass on chunks until each rank has its own.

    >>> from collectives.schedule import table
    >>> print(table(bine_scatter(4)))
    step 1   0→3 =2   0→3 =3
    step 2   0→1 =1   3→2 =2
    """
    tree = bine_gather(n, root)
    # ranks pass on the chunks of the ranks below them
    yield from backwards(tree)
