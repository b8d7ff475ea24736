"""Recursive doubling and halving: ranks swap in pairs, twice or half as far in every step."""

import numpy as np

from collectives.schedule import Schedule, reduce, send
from collectives.schedule.columns import Integers


def fold(n: int, stays: int = -1) -> tuple[Integers, Integers]:
    """The ranks that fold into their neighbor, and the team: the power of two that stay.

    Of the pairs at the front the even rank folds into the odd one, unless it is `stays`.

    >>> fold(6)
    (array([0, 2]), array([1, 3, 4, 5]))
    >>> fold(6, stays=2)
    (array([0, 3]), array([1, 2, 4, 5]))
    """
    power = 1 << n.bit_length() - 1
    even = 2 * np.arange(n - power)
    folded = even + (even == stays)
    return folded, np.delete(np.arange(n), folded)


def other_part(n: int, half: int) -> tuple[Integers, Integers]:
    """The chunks that the partner at distance `half` and its neighbors keep, by rank in the team.

    The first of them and their number. A rank of the team keeps its own chunk and that of the
    rank that folded into it.

    >>> other_part(6, half=2)
    (array([4, 4, 0, 0]), array([2, 2, 4, 4]))
    """
    folded, team = fold(n)
    first = np.append(np.delete(np.arange(n), folded + 1), n)
    part = (np.arange(len(team)) ^ half) & -half
    return first[part], first[part + half] - first[part]


def recursive_doubling_all_gather(n: int) -> Schedule:
    """Partners swap all chunks they have, so that these double in each step.

    >>> from collectives.schedule import table
    >>> print(table(recursive_doubling_all_gather(4)))
    step 1   0→1 =0   1→0 =1   2→3 =2   3→2 =3
    step 2   0→2 =0..1   1→3 =0..1   2→0 =2..3   3→1 =2..3
    """
    rank, have = np.arange(n), 1
    while have < n:
        peer, first = rank ^ have, rank & -have
        # partners send each other all the chunks they have
        yield send(rank, peer, first, count=have)
        have *= 2


def recursive_doubling_all_reduce(n: int) -> Schedule:
    """Partners swap whole sums, at twice the distance in each step.

    >>> from collectives.schedule import table
    >>> print(table(recursive_doubling_all_reduce(5)))
    step 1   0→1 +0
    step 2   1→2 +0   2→1 +0   3→4 +0   4→3 +0
    step 3   1→3 +0   2→4 +0   3→1 +0   4→2 +0
    step 4   1→0 =0
    """
    even, team = fold(n)
    seat, distance = np.arange(len(team)), 1
    # each even rank of a pair folds into the odd one
    yield reduce(even, even + 1)
    while distance < len(team):
        # partners add each other's sum
        yield reduce(team, team[seat ^ distance])
        distance *= 2
    # the ranks that folded get the result back
    yield send(even + 1, even)


def tail_fold_all_reduce(n: int) -> Schedule:
    """Ranks beyond a power of two fold into the first; these run recursive doubling.

    >>> from collectives.schedule import table
    >>> print(table(tail_fold_all_reduce(5)))
    step 1   4→0 +0
    step 2   0→1 +0   1→0 +0   2→3 +0   3→2 +0
    step 3   0→2 +0   1→3 +0   2→0 +0   3→1 +0
    step 4   0→4 =0
    """
    power, distance = 1 << n.bit_length() - 1, 1
    team, tail = np.split(np.arange(n), [power])
    # each rank beyond the power of two folds into the team
    yield reduce(tail, tail - power)
    while distance < power:
        # partners add each other's sum
        yield reduce(team, team ^ distance)
        distance *= 2
    # the ranks that folded get the result back
    yield send(tail - power, tail)


def recursive_halving_reduce_scatter(n: int) -> Schedule:
    """Partners swap what the other answers for, until each has its own chunk of the sum.

    >>> from collectives.schedule import table
    >>> print(table(recursive_halving_reduce_scatter(4)))
    step 1   0→2 +2..3   1→3 +2..3   2→0 +0..1   3→1 +0..1
    step 2   0→1 +1   1→0 +0   2→3 +3   3→2 +2
    """
    even, team = fold(n)
    half = len(team) // 2
    # each even rank of a pair folds into the odd one
    yield reduce(even, even + 1, count=n)
    while half:
        peer = team[np.arange(len(team)) ^ half]
        low, size = other_part(n, half)
        # partners swap the chunks that the other one sums
        yield reduce(team, peer, low, count=size)
        half //= 2
    # the ranks that folded get their chunk
    yield send(even + 1, even, even)
