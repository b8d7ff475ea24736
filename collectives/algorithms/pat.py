"""PAT, parallel aggregated trees: every chunk has a tree of its own, and a message serves several.

A rank's place in a tree is its distance to the chunk's owner. Places form a binomial tree: clearing
the lowest one bit of a place gives its parent, and the owner is at place 0.
"""

import numpy as np

from collectives.schedule import Schedule, reduce, send
from collectives.schedule.columns import Integers


def spread(n: int, aggregation: int) -> int:
    """The distance between the trees of one message, so that `aggregation` of them fit.

    >>> [spread(7, aggregation) for aggregation in (1, 2, 4)]
    [8, 4, 2]
    """
    return (1 << (n - 1).bit_length()) // aggregation


def powers(n: int, smallest: int) -> list[int]:
    """The powers of two below n from `smallest` on, largest first.

    >>> powers(7, 2)
    [4, 2]
    """
    return [1 << k for k in reversed(range(n.bit_length())) if smallest <= 1 << k < n]


def depth_first(size: int, top: int = 0) -> list[int]:
    """The places below `top`, each before all that are below it, the farthest first.

    >>> depth_first(8)
    [4, 6, 7, 5, 2, 3, 1]
    """
    if size == 1:
        return []
    half = size // 2
    return [top + half, *depth_first(half, top + half), *depth_first(half, top)]


def sharing(n: int, gap: int, place: int) -> Integers:
    """The places, this one the first, whose chunks go the same hop in the same message.

    >>> sharing(7, gap=2, place=1), sharing(7, gap=2, place=2)
    (array([1, 3, 5]), array([2, 6]))
    """
    hop = place & -place
    return np.arange(place, n, max(gap, 2 * hop))


def pat_all_gather(n: int, aggregation: int) -> Schedule:
    """Each chunk comes down its own tree; a message carries at most `aggregation` of them.

    >>> from collectives.schedule import table
    >>> print(table(pat_all_gather(4, aggregation=2)))
    step 1   2→0 =2   3→1 =3   0→2 =0   1→3 =1
    step 2   1→0 =1   1→0 =3   2→1 =2   2→1 =0   3→2 =3   3→2 =1   0→3 =0   0→3 =2
    """
    rank = np.arange(n)[:, None]
    gap = spread(n, aggregation)
    deep = depth_first(gap)
    for place in powers(n, gap) + deep:
        hop = place & -place
        tree = sharing(n, gap, place)
        chunk = (rank + tree) % n
        peer = (rank + hop) % n
        # chunks move one hop down their own trees
        yield send(peer, rank, chunk)


def pat_reduce_scatter(n: int, aggregation: int) -> Schedule:
    """Each sum goes up a tree of its own, from each place after all that are below it.

    >>> from collectives.schedule import table
    >>> print(table(pat_reduce_scatter(4, aggregation=2)))
    step 1   0→1 +1   0→1 +3   1→2 +2   1→2 +0   2→3 +3   2→3 +1   3→0 +0   3→0 +2
    step 2   0→2 +2   1→3 +3   2→0 +0   3→1 +1
    """
    rank = np.arange(n)[:, None]
    gap = spread(n, aggregation)
    deep = list(range(gap - 1, 0, -1))
    for place in deep + powers(n, gap)[::-1]:
        hop = place & -place
        tree = sharing(n, gap, place)
        chunk = (rank + tree) % n
        peer = (rank + hop) % n
        # every rank sends sums to its parent, which adds them
        yield reduce(rank, peer, chunk)
