"""Algorithms on a k-nomial tree: a rank that has the data sends to radix - 1 others in a step."""

import numpy as np

from collectives.schedule import Schedule, send, transposed


def knomial_broadcast(n: int, root: int, radix: int) -> Schedule:
    """Ranks with the data send it to up to radix - 1 others at once, in ever shorter hops.

    >>> from collectives.schedule import table
    >>> print(table(knomial_broadcast(8, root=0, radix=3)))
    step 1   0→3 =0   0→6 =0
    step 2   0→1 =0   0→2 =0   3→4 =0   3→5 =0   6→7 =0
    """
    v, span = np.arange(n), 1
    while span < n:
        span *= radix
    while span > 1:
        hop = span // radix
        new = v[(v % hop == 0) & (v % span > 0)]
        src = root + new - new % span
        # ranks with the data send it to up to radix - 1 others
        yield send(src % n, (root + new) % n)
        span = hop


def knomial_reduce(n: int, root: int, radix: int) -> Schedule:
    """The broadcast runs in reverse: up to radix sums become one in each step.

    >>> from collectives.schedule import table
    >>> print(table(knomial_reduce(8, root=0, radix=3)))
    step 1   1→0 +0   2→0 +0   4→3 +0   5→3 +0   7→6 +0
    step 2   3→0 +0   6→0 +0
    """
    tree = knomial_broadcast(n, root, radix)
    # up to radix - 1 ranks send their sums to one that adds them
    yield from transposed(tree)
