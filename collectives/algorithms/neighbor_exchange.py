"""All-gathers that carry most of their bytes over short hops: neighbor exchange and Sparbit."""

import numpy as np

from collectives.schedule import Schedule, send
from collectives.schedule.columns import Integers


def side(n: int, step: int) -> Integers:
    """The side of each rank's partner: 1 to the right, -1 to the left, in turn.

    >>> side(4, step=0), side(4, step=1)
    (array([ 1, -1,  1, -1]), array([-1,  1, -1,  1]))
    """
    return 1 - 2 * ((np.arange(n) + step) % 2)


def neighbor_exchange_all_gather(n: int) -> Schedule:
    """Neighbors swap chunks, then meet their two neighbors in turn and pass the latest pair on.

    >>> from collectives.schedule import table
    >>> print(table(neighbor_exchange_all_gather(4)))
    step 1   0→1 =0   1→0 =1   2→3 =2   3→2 =3
    step 2   0→3 =0..1   1→2 =0..1   2→1 =2..3   3→0 =2..3
    """
    rank = chunk = np.arange(n)
    for step in range(n // 2):
        to = side(n, step)
        peer = (rank + to) % n
        if step:
            pair = rank // 2 - to * (step // 2)
            chunk = 2 * pair % n
        size = min(step + 1, 2)
        # neighbors exchange their latest chunks
        yield send(rank, peer, chunk, count=size)


def sparbit_all_gather(n: int) -> Schedule:
    """Every step passes chunks half as far as the one before, to ranks that lack them.

    >>> from collectives.schedule import table
    >>> print(table(sparbit_all_gather(4)))
    step 1   0→2 =0   1→3 =1   2→0 =2   3→1 =3
    step 2   0→1 =0   0→1 =2   1→2 =1   1→2 =3   2→3 =2   2→3 =0   3→0 =3   3→0 =1
    """
    rank = np.arange(n)[:, None]
    hop = 1 << (n - 1).bit_length() >> 1
    while hop:
        distance = np.arange(0, n - hop, 2 * hop)
        chunk = (rank - distance) % n
        # every rank sends chunks that the receiver lacks
        yield send(rank, (rank + hop) % n, chunk)
        hop //= 2
