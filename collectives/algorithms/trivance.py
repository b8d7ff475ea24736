"""Trivance: ranks send both ways round a ring at once, three times as far in every step."""

import numpy as np

from collectives.schedule import Schedule, reduce


def trivance_all_reduce(n: int) -> Schedule:
    """Each rank adds its sum into two others; a sum grows to three times as many ranks' data.

    >>> from collectives.schedule import table
    >>> print(table(trivance_all_reduce(3)))
    step 1   0→1 +0   1→2 +0   2→0 +0   0→2 +0   1→0 +0   2→1 +0
    """
    rank, reach = np.arange(n), 1
    both = np.array([[1], [-1]])
    while reach < n:
        peer = (rank + reach * both) % n
        # every rank adds its sum into a rank on either side
        yield reduce(rank, peer)
        reach *= 3
