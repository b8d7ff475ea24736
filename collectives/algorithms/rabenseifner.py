"""Rabenseifner's algorithms: vectors are halved until each chunk is summed, then put together."""

import numpy as np

from collectives.algorithms.doubling import fold
from collectives.schedule import Schedule, reduce, send, transposed, within
from collectives.schedule.columns import Integers


def first_kept(n: int, distance: int) -> Integers:
    """The first chunk each of n ranks keeps once the partners up to this distance have halved.

    Where its rank has a one, a rank keeps the upper half, so that in the end the digits of its
    chunk are those of the rank read backwards.

    >>> first_kept(8, distance=1)
    array([0, 4, 0, 4, 0, 4, 0, 4])
    >>> first_kept(8, distance=4)
    array([0, 4, 2, 6, 1, 5, 3, 7])
    """
    rank, first, half = np.arange(n), np.zeros(n, np.intp), n
    while distance:
        half //= 2
        first += half * (rank & 1)
        rank, distance = rank // 2, distance // 2
    return first


def vector_halving(n: int) -> Schedule:
    """Partners swap half of what they work on, nearest first, until each has summed one chunk.

    >>> from collectives.schedule import table
    >>> print(table(vector_halving(4)))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +1   1→3 +3   2→0 +0   3→1 +2
    """
    rank, distance = np.arange(n), 1
    while distance < n:
        peer = rank ^ distance
        half = n // distance // 2
        low = first_kept(n, distance)[peer]
        # partners add the half that the other one keeps
        yield reduce(rank, peer, low, count=half)
        distance *= 2


def vector_gather(n: int, root: int = 0) -> Schedule:
    """The chunks that halving left on the ranks are put together on the way to the root.

    >>> from collectives.schedule import table
    >>> print(table(vector_gather(4, root=1)))
    step 1   3→1 =3   2→0 =1
    step 2   0→1 =0..1
    """
    hop = n // 2
    while hop:
        src = root ^ np.arange(hop, 2 * hop)
        dst, held = src ^ hop, n // hop // 2
        low = first_kept(n, hop)[src]
        # half of the remaining ranks send all their chunks on
        yield send(src, dst, low, count=held)
        hop //= 2


def rabenseifner_all_reduce(n: int) -> Schedule:
    """Vector halving sums each chunk on one rank, and the same way back spreads them.

    >>> from collectives.schedule import table
    >>> print(table(rabenseifner_all_reduce(3)))
    step 1   0→1 +0..1
    step 2   1→2 +1   2→1 +0
    step 3   2→1 =1   1→2 =0
    step 4   1→0 =0..1
    """
    even, team = fold(n)
    power = len(team)
    half = within(team, vector_halving(power))
    back = within(team, vector_halving(power))
    # each even rank of a pair folds into the odd one
    yield reduce(even, even + 1, count=power)
    yield from half
    # partners return the chunks that they have summed
    yield from transposed(back)
    # the ranks that folded get the result back
    yield send(even + 1, even, count=power)


def rabenseifner_reduce(n: int, root: int = 0) -> Schedule:
    """Vector halving sums each chunk on one rank, and the root gathers them.

    >>> from collectives.schedule import table
    >>> print(table(rabenseifner_reduce(3)))
    step 1   1→0 +0..1
    step 2   0→2 +1   2→0 +0
    step 3   2→0 =1
    """
    folded, team = fold(n, stays=root)
    power = len(team)
    seat = int(np.searchsorted(team, root))
    half = vector_halving(power)
    gather = vector_gather(power, seat)
    # one rank of each pair folds into the other
    yield reduce(folded, folded ^ 1, count=power)
    yield from within(team, half)
    yield from within(team, gather)
