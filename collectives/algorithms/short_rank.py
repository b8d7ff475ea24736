"""Around a short rank, one of half the bandwidth: a ring of the others adds its data to theirs."""

import numpy as np

from collectives.schedule import Schedule, merged, reduce, send
from collectives.schedule.columns import Integers

Chunks = tuple[Integers, Integers, Integers, Integers]


def stages(n: int, chunks: int, time: int) -> Chunks:
    """The chunks that enter the ring in a step, are added and passed on in it, and leave it.

    In the ring they are pairs, of which the first is named.

    >>> stages(4, chunks=1, time=5)
    (array([5]), array([2]), array([0]), array([], dtype=int64))
    """
    chunk = np.arange(2 * (n - 1) * chunks)
    pair = chunk[::2]
    hop = time - pair - 3
    adds = pair[(hop >= 0) & (hop < n - 2)]
    sums = pair[(hop >= n - 2) & (hop < 2 * n - 4)]
    left = chunk[chunk == time - 2 * n]
    return chunk[chunk == time], adds, sums, left


def entry(ring: Integers, chunk: Integers) -> Integers:
    """The rank of the ring at which a chunk enters it, and leaves it.

    >>> entry(np.array([1, 2, 3]), np.array([0, 1, 7]))
    array([1, 1, 1])
    """
    return ring[chunk // 2 % len(ring)]


def link(ring: Integers, time: int, chunk: Integers) -> tuple[Integers, Integers]:
    """From where to where a chunk moves on in a step.

    >>> link(np.array([1, 2, 3]), 2, np.array([0, 4]))
    (array([1, 2]), array([2, 3]))
    """
    place = time - 2 - chunk // 2
    size = len(ring)
    return ring[place % size], ring[(place + 1) % size]


def short_rank_all_reduce(n: int, short: int, chunks: int = 4) -> Schedule:
    """A short rank hands in its data and gets the sums, one chunk at a time; a ring adds pairs.

    >>> from collectives.schedule import table
    >>> print(table(short_rank_all_reduce(3, short=0, chunks=1)))
    step 1   0→1 +0
    step 2   0→1 +1
    step 3   0→2 +2
    step 4   0→2 +3   2→1 +0..1
    step 5   1→2 =0..1
    step 6   1→2 +2..3
    step 7   2→1 =2..3   1→0 =0
    step 8   1→0 =1
    step 9   2→0 =2
    step 10   2→0 =3
    """
    ring = np.delete(np.arange(n), short)
    for time in range(2 * n * (chunks + 1)):
        groups = stages(n, chunks, time)
        new, adds, sums, old = groups
        up = reduce(short, entry(ring, new), new)
        src, dst = link(ring, time, adds)
        add = reduce(src, dst, adds, count=2)
        src, dst = link(ring, time, sums)
        pass_on = send(src, dst, sums, count=2)
        down = send(entry(ring, old), short, old)
        # chunks enter the ring, move on or leave it
        yield merged([up, add, pass_on, down])
