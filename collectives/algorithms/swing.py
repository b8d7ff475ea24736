"""Swing: partners are 1, 1, 3, 5, 11, … ranks apart, now on one side, now on the other."""

import numpy as np

from collectives.algorithms.doubling import fold
from collectives.schedule import Schedule, reduce, send, transposed
from collectives.schedule.columns import Integers


def partner(n: int, step: int) -> Integers:
    """The partner of each of n ranks, an even number, in a step: odd ranks swing the other way.

    >>> [partner(8, step).tolist() for step in range(2)]
    [[1, 0, 3, 2, 5, 4, 7, 6], [7, 2, 1, 4, 3, 6, 5, 0]]
    """
    rank = np.arange(n)
    swing: int = (1 - (-2) ** (step + 1)) // 3
    return (rank + swing * (1 - 2 * (rank % 2))) % n


def leaving(n: int) -> Integers:
    """The step in which each rank sends its sum of chunk 0 away; rank 0, its owner, never (-1).

    Found backwards: who hands over to a rank that has or gets the sum later, if not before.

    >>> leaving(6)
    array([-1,  0,  0,  2,  1,  1])
    """
    leaving = np.full(n, -1)
    holders = np.arange(n) == 0
    for step in reversed(range((n - 1).bit_length())):
        joins = holders[partner(n, step)] & ~holders
        leaving[joins] = step
        holders |= joins
    return leaving


def departures(n: int) -> Integers:
    """The step in which each rank (row) sends its sum of each chunk (column) away.

    Seen from an even owner all is as from rank 0, seen from an odd one its mirror image.

    >>> departures(4)
    array([[-1,  0,  0,  1],
           [ 0, -1,  1,  0],
           [ 0,  1, -1,  0],
           [ 1,  0,  0, -1]])
    """
    rank, owner = np.ogrid[:n, :n]
    place: Integers = (rank - owner) * (1 - 2 * (owner % 2)) % n
    return leaving(n)[place]


def swing_reduce_scatter(n: int) -> Schedule:
    """Each sum moves on at the last meeting that still leads to its owner.

    >>> from collectives.schedule import table
    >>> print(table(swing_reduce_scatter(4)))
    step 1   0→1 +1   0→1 +2   1→0 +0   1→0 +3   2→3 +0   2→3 +3   3→2 +1   3→2 +2
    step 2   0→3 +3   1→2 +2   2→1 +1   3→0 +0
    """
    leaves = departures(n)
    for step in range((n - 1).bit_length()):
        rank, chunk = np.nonzero(leaves == step)
        peer = partner(n, step)[rank]
        # every rank sends sums to its partner, which adds them
        yield reduce(rank, peer, chunk)


def swing_all_gather(n: int) -> Schedule:
    """The reduce-scatter runs in reverse: chunks go back the way their sums came.

    >>> from collectives.schedule import table
    >>> print(table(swing_all_gather(4)))
    step 1   3→0 =3   2→1 =2   1→2 =1   0→3 =0
    step 2   1→0 =1   1→0 =2   0→1 =0   0→1 =3   3→2 =0   3→2 =3   2→3 =1   2→3 =2
    """
    reduce_scatter = swing_reduce_scatter(n)
    # partners send chunks that the other one lacks
    yield from transposed(reduce_scatter)


def swing_all_reduce(n: int) -> Schedule:
    """Partners on the right and left by turns swap sums; the finished sums go back the same way.

    >>> from collectives.schedule import table
    >>> print(table(swing_all_reduce(2)))
    step 1   0→1 +1   1→0 +0
    step 2   1→0 =1   0→1 =0
    """
    yield from swing_reduce_scatter(n)
    yield from swing_all_gather(n)


def swing_latency_all_reduce(n: int) -> Schedule:
    """Partners exchange whole sums; ranks beyond a power of two fold into a neighbor.

    >>> from collectives.schedule import table
    >>> print(table(swing_latency_all_reduce(5)))
    step 1   0→1 +0
    step 2   1→2 +0   2→1 +0   3→4 +0   4→3 +0
    step 3   1→4 +0   2→3 +0   3→2 +0   4→1 +0
    step 4   1→0 =0
    """
    even, team = fold(n)
    power = len(team)
    # even ranks beyond the power fold into the next one
    yield reduce(even, even + 1)
    for step in range(power.bit_length() - 1):
        peer = team[partner(power, step)]
        # partners add each other's sum to theirs
        yield reduce(team, peer)
    # the next rank returns the result
    yield send(even + 1, even)
