"""Barriers: slot 0 is what a rank has heard of, and no rank leaves before it heard of all."""

import numpy as np

from collectives.algorithms.doubling import fold
from collectives.schedule import Schedule, reduce, send


def dissemination_barrier(n: int) -> Schedule:
    """Each rank tells the rank twice as far ahead in each step, all round the circle.

    >>> from collectives.schedule import table
    >>> print(table(dissemination_barrier(3)))
    step 1   0→1 +0   1→2 +0   2→0 +0
    step 2   0→2 +0   1→0 +0   2→1 +0
    """
    rank, distance = np.arange(n), 1
    while distance < n:
        # every rank tells one ahead whom it has heard of
        yield reduce(rank, (rank + distance) % n)
        distance *= 2


def tree_barrier(n: int) -> Schedule:
    """The news of arrivals climbs a binomial tree to rank 0, whose release comes down it.

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
        # parents let their children go
        yield send(dst - hop, dst)


def recursive_doubling_barrier(n: int) -> Schedule:
    """Partners tell each other whom they have heard of, at twice the distance in each step.

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
        # partners tell each other whom they have heard of
        yield reduce(team, team[seat ^ distance])
        distance *= 2
    # the odd ranks let the even ones go
    yield send(even + 1, even)
