"""Linear algorithms: the root alone adds all data, always in the same order."""

import numpy as np

from collectives.algorithms.flat import flat_broadcast
from collectives.schedule import Schedule, reduce, send


def linear_reduce(n: int, root: int = 0) -> Schedule:
    """The root adds up the data of all ranks, from the last rank down to rank 0.

    >>> from collectives.schedule import table
    >>> print(table(linear_reduce(4, root=1)))
    step 1   3→1 +0:1   2→1 +0:1   1→1 +0:1   0→1 +0:1
    step 2   1→1 =1:0
    """
    rank = np.arange(n)[::-1]
    # the root adds all data, the last rank first
    yield reduce(rank, root, chunk=0, into=1)
    # the root replaces its data by the sum
    yield send(root, root, chunk=1, into=0)


def linear_all_reduce(n: int) -> Schedule:
    """Linear reduce to rank 0, which then sends the sum to everybody.

    >>> from collectives.schedule import table
    >>> print(table(linear_all_reduce(3)))
    step 1   2→0 +0:1   1→0 +0:1   0→0 +0:1
    step 2   0→0 =1:0
    step 3   0→1 =0   0→2 =0
    """
    yield from linear_reduce(n)
    yield from flat_broadcast(n)
