"""Bar-Noy, Kipnis and Schieber's all-reduce of whole sums: fewest steps for any number of ranks."""

import numpy as np

from collectives.schedule import Schedule, reduce


def bar_noy_all_reduce(n: int) -> Schedule:
    """Scratch 0 sums a run of ranks before a rank, and chunk 0 that run and the rank itself.

    The length of the run is read off the binary digits of n - 1, one more in each step.

    >>> from collectives.schedule import table
    >>> print(table(bar_noy_all_reduce(3)))
    step 1   0→1 +0   1→2 +0   2→0 +0   0→1 +0:1   1→2 +0:1   2→0 +0:1
    step 2   0→1 +1:0   1→2 +1:0   2→0 +1:0   0→1 +1   1→2 +1   2→0 +1
    """
    rank, run = np.arange(n), 0
    both = np.array([[0], [1]])
    for digit in f"{n - 1:b}".lstrip("0"):
        own = int(digit)
        slot = 1 - own
        peer = (rank + run + own) % n
        # every rank adds one sum to both sums of another
        yield reduce(rank, peer, slot, both)
        run += run + own
