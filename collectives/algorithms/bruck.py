"""Bruck's algorithms: hops of 1, 2, 4, … ranks, in ceil(log2 N) steps for any number of ranks.

Every chunk keeps its own slot here; libraries store them rotated and rotate them back at the end.
"""

import numpy as np

from collectives.schedule import Schedule, send, transposed


def bruck_all_gather(n: int, radix: int) -> Schedule:
    """Every step gives a rank up to `radix` times as many chunks, until it has all.

    >>> from collectives.schedule import table
    >>> print(table(bruck_all_gather(3, radix=2)))
    step 1   0→2 =0   1→0 =1   2→1 =2
    step 2   0→1 =0   1→2 =1   2→0 =2
    """
    rank, have = np.arange(n)[:, None], 1
    while have < n:
        reach = min(radix * have, n)
        ahead = np.arange(have, reach)
        chunk = (rank + ahead % have) % n
        peer = (rank - ahead + ahead % have) % n
        # every rank sends chunks that the receiver lacks
        yield send(rank, peer, chunk)
        have *= radix


def bruck_reduce_scatter(n: int) -> Schedule:
    """The all-gather runs in reverse: sums merge, half as far each step, up to their owners.

    >>> from collectives.schedule import table
    >>> print(table(bruck_reduce_scatter(3)))
    step 1   1→0 +0   2→1 +1   0→2 +2
    step 2   2→0 +0   0→1 +1   1→2 +2
    """
    all_gather = bruck_all_gather(n, radix=2)
    # every rank sends another the sums that it does not keep
    yield from transposed(all_gather)


def bruck_all_reduce(n: int) -> Schedule:
    """Reduce-scatter, then all-gather: few steps, and no rank sends more than it must.

    >>> from collectives.schedule import table
    >>> print(table(bruck_all_reduce(3)))
    step 1   1→0 +0   2→1 +1   0→2 +2
    step 2   2→0 +0   0→1 +1   1→2 +2
    step 3   0→2 =0   1→0 =1   2→1 =2
    step 4   0→1 =0   1→2 =1   2→0 =2
    """
    yield from bruck_reduce_scatter(n)
    yield from bruck_all_gather(n, radix=2)
