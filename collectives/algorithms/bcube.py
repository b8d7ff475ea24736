"""BCube and recursive multiplying: in step k ranks meet that differ in digit k of their number."""

import numpy as np

from collectives.schedule import Schedule, reduce, transposed
from collectives.schedule.columns import Integers


def peers(n: int, base: int, place: int) -> Integers:
    """Sources and destinations that differ in one digit only, the one worth `place`.

    >>> peers(4, base=2, place=1)
    array([[0, 1, 2, 3],
           [1, 0, 3, 2]])
    >>> peers(4, base=2, place=2)
    array([[0, 1, 2, 3],
           [2, 3, 0, 1]])
    """
    rank, turn = np.divmod(np.arange(n * (base - 1)), base - 1)
    digit = rank // place % base
    peer = rank + (turn + (turn >= digit) - digit) * place
    return np.stack([rank, peer])


def bcube_reduce_scatter(n: int, base: int) -> Schedule:
    """In each step groups of `base` ranks split the chunks they still sum, one part each.

    >>> from collectives.schedule import table
    >>> print(table(bcube_reduce_scatter(4, base=2)))
    step 1   0→1 +1   0→1 +3   1→0 +0   1→0 +2   2→3 +1   2→3 +3   3→2 +0   3→2 +2
    step 2   0→2 +2   1→3 +3   2→0 +0   3→1 +1
    """
    place = 1
    while place < n:
        pair = peers(n, base, place)
        src, dst = pair[:, :, None]
        place *= base
        every = np.arange(0, n, place)
        chunk = dst % place + every
        # every rank sends its peers the chunks that they sum
        yield reduce(src, dst, chunk)


def bcube_all_gather(n: int, base: int) -> Schedule:
    """The reduce-scatter runs in reverse: groups of `base` ranks send each other all they have.

    >>> from collectives.schedule import table
    >>> print(table(bcube_all_gather(4, base=2)))
    step 1   2→0 =2   3→1 =3   0→2 =0   1→3 =1
    step 2   1→0 =1   1→0 =3   0→1 =0   0→1 =2   3→2 =1   3→2 =3   2→3 =0   2→3 =2
    """
    sums = bcube_reduce_scatter(n, base)
    # every rank sends all its chunks to its peers
    yield from transposed(sums)


def bcube_all_reduce(n: int, base: int) -> Schedule:
    """Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.

    >>> from collectives.schedule import table
    >>> print(table(bcube_all_reduce(3, base=3)))
    step 1   0→1 +1   0→2 +2   1→0 +0   1→2 +2   2→0 +0   2→1 +1
    step 2   1→0 =1   2→0 =2   0→1 =0   2→1 =2   0→2 =0   1→2 =1
    """
    yield from bcube_reduce_scatter(n, base)
    yield from bcube_all_gather(n, base)


def recursive_multiplying_all_reduce(n: int, base: int) -> Schedule:
    """Groups of `base` ranks swap whole sums, `base` times as far apart in each step.

    >>> from collectives.schedule import table
    >>> print(table(recursive_multiplying_all_reduce(3, base=3)))
    step 1   0→1 +0   0→2 +0   1→0 +0   1→2 +0   2→0 +0   2→1 +0
    """
    place = 1
    while place < n:
        src, dst = peers(n, base, place)
        # the ranks of each group add each other's sum
        yield reduce(src, dst)
        place *= base
