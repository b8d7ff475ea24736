"""Exclusive scans: rank r ends with the sum over the ranks before itself, and rank 0 with nothing.

Rank 0 receives nothing: its slot is not written, and nothing is promised of it, as in MPI.
"""

from itertools import pairwise

import numpy as np

from collectives.schedule import Schedule, merged, reduce, send
from collectives.schedule.columns import Integers


def chain_exscan(n: int) -> Schedule:
    """The sum runs once through the ranks; each keeps it and passes it on with its own data.

    >>> from collectives.schedule import table
    >>> print(table(chain_exscan(3)))
    step 1   0→0 =0:1   1→1 =0:1
    step 2   0→1 =1:0   0→1 +1
    step 3   1→2 =1:0
    """
    rank = np.arange(n)
    # the ranks before the last copy their data
    yield send(rank[:-1], rank[:-1], 0, into=1)
    for src, dst in pairwise(range(n - 1)):
        kept = send(src, dst, 1, into=0)
        # the next rank keeps the sum and adds it to its copy
        yield merged([kept, reduce(src, dst, 1)])
    # the last rank keeps the sum over all others
    yield send(rank[-2:-1], n - 1, 1, into=0)


def upper_partners(n: int, gap: int) -> tuple[Integers, Integers]:
    """Ranks whose partner is `gap` below: those without a sum so far, and those that have one.

    >>> [each.tolist() for each in upper_partners(8, 2)]
    [[2, 6], [3, 7]]
    """
    rank = np.arange(n)
    upper = rank[rank & gap > 0]
    new = upper % gap == 0
    return upper[new], upper[~new]


def recursive_doubling_exscan(n: int) -> Schedule:
    """Partners swap partial sums, and the upper one keeps the first and adds the others to it.

    >>> from collectives.schedule import table
    >>> print(table(recursive_doubling_exscan(3)))
    step 1   0→0 =0:1   1→1 =0:1   2→2 =0:1
    step 2   0→1 =1:0   0→1 +1   1→0 +1
    step 3   0→2 =1:0   0→2 +1   2→0 +1
    """
    rank, gap = np.arange(n), 1
    # every rank copies its data to start a partial sum
    yield send(rank, rank, 0, into=1)
    while gap < n:
        src = rank[rank ^ gap < n]
        swap = reduce(src, src ^ gap, 1)
        new, old = upper_partners(n, gap)
        kept = send(new - gap, new, 1, into=0)
        added = reduce(old - gap, old, 1, into=0)
        # partners exchange their partial sums
        yield merged([kept, added, swap])
        gap *= 2
