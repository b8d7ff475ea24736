"""Broadcasts of large vectors: scatter the chunks, then all-gather them."""

import numpy as np

from collectives.algorithms.binomial import binomial_scatter
from collectives.algorithms.doubling import recursive_doubling_all_gather
from collectives.algorithms.ring import ring_all_gather
from collectives.schedule import Schedule, within


def van_de_geijn_broadcast(n: int, root: int = 0) -> Schedule:
    """Scatter the chunks down a binomial tree, then pass them once round the ring.

    >>> from collectives.schedule import table
    >>> print(table(van_de_geijn_broadcast(3)))
    step 1   0→2 =2
    step 2   0→1 =1
    step 3   0→1 =0   1→2 =1   2→0 =2
    step 4   0→1 =2   1→2 =0   2→0 =1
    """
    yield from binomial_scatter(n, root)
    yield from ring_all_gather(n)


def scatter_doubling_broadcast(n: int, root: int = 0) -> Schedule:
    """Scatter the chunks down a binomial tree, then swap ever more of them in pairs.

    >>> from collectives.schedule import table
    >>> print(table(scatter_doubling_broadcast(4)))
    step 1   0→2 =2   0→2 =3
    step 2   0→1 =1   2→3 =3
    step 3   0→1 =0   1→0 =1   2→3 =2   3→2 =3
    step 4   0→2 =0..1   1→3 =0..1   2→0 =2..3   3→1 =2..3
    """
    rank = (root + np.arange(n)) % n
    gather = recursive_doubling_all_gather(n)
    yield from within(rank, binomial_scatter(n))
    yield from within(rank, gather)
