"""Trivance: ranks send both ways round a ring at once, three times as far in each step."""

import numpy as np

from collectives.schedule import Schedule, reduce, send, transposed
from collectives.schedule.columns import Integers


def distances(n: int) -> list[int]:
    """How far ranks send in each step: 1, 3, 9, …, in the last no farther than the ring asks.

    >>> distances(9), distances(8)
    ([1, 3], [1, 3])
    >>> distances(4), distances(2)
    ([1, 1], [1])
    """
    distances, reached = [], 1
    while reached < n:
        distances.append(min(reached, (n - reached + 1) // 2))
        reached *= 3
    return distances


def departures(n: int) -> list[tuple[Integers, Integers]]:
    """Of each step the places, counted from an owner, that send its sum on, and how far.

    Found backwards: a rank sends in the last step that brings its sum to one that passes it on.

    >>> departures(4)
    [(array([2]), array([-1])), (array([1, 3]), array([-1,  1]))]
    """
    moves, holds = [], np.zeros(1, int)
    for hop in reversed(distances(n)):
        way = np.repeat([hop, -hop], len(holds))
        place = (np.tile(holds, 2) + way) % n
        place, first = np.unique(place, return_index=True)
        new = ~np.isin(place, holds)
        moves.append((place[new], -way[first[new]]))
        holds = np.union1d(holds, place)
    return moves[::-1]


def trivance_reduce_scatter(n: int) -> Schedule:
    """Each sum goes one way or the other, in the last step that still leads to its owner.

    >>> from collectives.schedule import table
    >>> print(table(trivance_reduce_scatter(3)))
    step 1   1→0 +0   2→0 +0   2→1 +1   0→1 +1   0→2 +2   1→2 +2
    """
    owner = np.arange(n)[:, None]
    for place, way in departures(n):
        src = (owner + place) % n
        # sums move towards their owners from both sides
        yield reduce(src, (src + way) % n, owner)


def trivance_all_gather(n: int) -> Schedule:
    """The reduce-scatter runs in reverse: chunks go back the way their sums came.

    >>> from collectives.schedule import table
    >>> print(table(trivance_all_gather(3)))
    step 1   0→1 =0   0→2 =0   1→2 =1   1→0 =1   2→0 =2   2→1 =2
    """
    reduce_scatter = trivance_reduce_scatter(n)
    # every rank sends chunks to a rank on either side
    yield from transposed(reduce_scatter)


def trivance_all_reduce(n: int) -> Schedule:
    """Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.

    >>> from collectives.schedule import table
    >>> print(table(trivance_all_reduce(2)))
    step 1   1→0 +0   0→1 +1
    step 2   0→1 =0   1→0 =1
    """
    yield from trivance_reduce_scatter(n)
    yield from trivance_all_gather(n)


def trivance_latency_all_reduce(n: int) -> Schedule:
    """Whole sums go to both sides; ranks beyond a power of three fold into one before them.

    >>> from collectives.schedule import table
    >>> print(table(trivance_latency_all_reduce(4)))
    step 1   3→2 +0
    step 2   0→1 +0   1→2 +0   2→0 +0   0→2 +0   1→0 +0   2→1 +0
    step 3   2→3 =0
    """
    power = 3 ** (len(distances(n + 1)) - 1)
    team = n * np.arange(power) // power
    rest = np.setdiff1d(np.arange(n), team)
    head = team[np.searchsorted(team, rest) - 1]
    # the others fold into a rank before them
    yield reduce(rest, head)
    for d in distances(power):
        to = np.roll(team, -d), np.roll(team, d)
        # every rank sends its sum to one on either side
        yield reduce(team, np.stack(to))
    # the rank before them returns the result
    yield send(head, rest)
