"""Half-fold reduce: ranks beyond a power of two fold by halves, and any rank may be the root."""

import numpy as np

from collectives.algorithms.rabenseifner import fold_halves, vector_gather, vector_halving
from collectives.schedule import Schedule, send, within


def half_fold_reduce(n: int, root: int = 0) -> Schedule:
    """Ranks beyond a power of two fold; vector halving sums chunks that the root then gathers.

    >>> from collectives.schedule import table
    >>> print(table(half_fold_reduce(3, root=1)))
    step 1   0→1 +1   1→0 +0
    step 2   1→0 =1
    step 3   0→2 +1   2→0 +0
    step 4   0→1 =0
    step 5   2→1 =1
    """
    size = 1 << n.bit_length() - 1
    odd = 2 * np.arange(n - size) + 1
    team = np.delete(np.arange(n), odd)
    yield from fold_halves(n)
    yield from within(team, vector_halving(size))
    folded = odd[odd == root]
    # the first rank sends its chunk to a root that folded
    yield send(0 * folded, folded)
    team[: len(folded)] = folded
    seat = int(np.flatnonzero(team == root)[0])
    gather = vector_gather(size, seat)
    yield from within(team, gather)
