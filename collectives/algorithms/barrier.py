"""Barriers: slot 0 holds the arrivals a rank knows of; no rank leaves before it knows of all."""

import numpy as np

from collectives.algorithms.doubling import fold
from collectives.schedule import Schedule, reduce, send


def dissemination_barrier(n: int) -> Schedule:
    """Each rank reports to one ahead round the ring, twice as far each step.

    >>> from collectives.schedule import table
    >>> print(table(dissemination_barrier(3)))
    step 1   0→1 +0   1→2 +0   2→0 +0
    step 2   0→2 +0   1→0 +0   2→1 +0
    """
    rank, distance = np.arange(n), 1
    while distance < n:
        # every rank passes on all arrivals that it knows of
        yield reduce(rank, (rank + distance) % n)
        distance *= 2


def tree_barrier(n: int) -> Schedule:
    """Arrivals go up a binomial tree to rank 0, whose release comes back down.

    >>> from collectives.schedule import table
    >>> print(table(tree_barrier(4)))
    step 1   1→0 +0   3→2 +0
    step 2   2→0 +0
    step 3   0→2 =0
    step 4   0→1 =0   2→3 =0
    """
    rank, hop = np.arange(n), 1
    while hop < n:
        src = rank[hop :: 2 * hop]
        # children report that all below have arrived
        yield reduce(src, src - hop)
        hop *= 2
    while hop > 1:
        hop //= 2
        dst = rank[hop :: 2 * hop]
        # parents release their children
        yield send(dst - hop, dst)


def linear_barrier(n: int) -> Schedule:
    """All ranks report to rank 0, which releases them all.

    >>> from collectives.schedule import table
    >>> print(table(linear_barrier(3)))
    step 1   1→0 +0   2→0 +0
    step 2   0→1 =0   0→2 =0
    """
    rank = np.arange(1, n)
    # every other rank reports to rank 0
    yield reduce(rank, 0)
    # rank 0 releases every other rank
    yield send(0, rank)


def tail_fold_barrier(n: int) -> Schedule:
    """Ranks beyond a power of two report to the first; these run recursive doubling.

    >>> from collectives.schedule import table
    >>> print(table(tail_fold_barrier(3)))
    step 1   2→0 +0
    step 2   0→1 +0   1→0 +0
    step 3   0→2 =0
    """
    power, distance = 1 << n.bit_length() - 1, 1
    team, tail = np.split(np.arange(n), [power])
    # each rank beyond the power of two reports to the team
    yield reduce(tail, tail - power)
    while distance < power:
        # partners exchange the arrivals they know of
        yield reduce(team, team ^ distance)
        distance *= 2
    # the team releases the ranks that reported to it
    yield send(tail - power, tail)


def recursive_doubling_barrier(n: int) -> Schedule:
    """Partners exchange the arrivals they know of, at twice the distance in each step.

    >>> from collectives.schedule import table
    >>> print(table(recursive_doubling_barrier(3)))
    step 1   0→1 +0
    step 2   1→2 +0   2→1 +0
    step 3   1→0 =0
    """
    even, team = fold(n)
    seat, distance = np.arange(len(team)), 1
    # each even rank of a pair reports to the odd one
    yield reduce(even, even + 1)
    while distance < len(team):
        # partners exchange the arrivals they know of
        yield reduce(team, team[seat ^ distance])
        distance *= 2
    # the odd ranks release the even ones
    yield send(even + 1, even)
