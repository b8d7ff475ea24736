"""All-to-all: rank r's slot d is for rank d, and its slot n + s is what rank s has for it."""

import numpy as np

from collectives.schedule import Schedule, send
from collectives.schedule.columns import Integers


def flat_all_to_all(n: int) -> Schedule:
    """Each rank sends every rank its block at once.

    >>> from collectives.schedule import table
    >>> print(table(flat_all_to_all(2)))
    step 1   0→0 =0:2   0→1 =1:2   1→0 =0:3   1→1 =1:3
    """
    src, dst = np.divmod(np.arange(n * n), n)
    # every rank sends each rank the block meant for it
    yield send(src, dst, chunk=dst, into=n + src)


def pairwise_all_to_all(n: int) -> Schedule:
    """Each rank sends to the next, then to the one after, and so on.

    >>> from collectives.schedule import table
    >>> print(table(pairwise_all_to_all(3)))
    step 1   0→1 =1:3   1→2 =2:4   2→0 =0:5
    step 2   0→2 =2:3   1→0 =0:4   2→1 =1:5
    step 3   0→0 =0:3   1→1 =1:4   2→2 =2:5
    """
    rank = np.arange(n)
    for distance in range(1, n):
        peer = (rank + distance) % n
        # every rank sends a block over the same distance
        yield send(rank, peer, peer, n + rank)
    # every rank keeps its own block
    yield send(rank, rank, rank, n + rank)


def triangular_offsets(n: int) -> Integers:
    """The distances of the steps of NCCL's exchange: 0, 1, 3, 6, 10, … modulo a power of two.

    >>> triangular_offsets(8)
    array([0, 1, 3, 6, 2, 7, 5, 4])
    >>> triangular_offsets(5)
    array([0, 1, 3, 2, 4])
    """
    power = 1 << (n - 1).bit_length()
    k = np.arange(power)
    distance = k * (k + 1) // 2 % power
    return distance[distance < n]


def triangular_all_to_all(n: int) -> Schedule:
    """It is pairwise in NCCL's order: the distances are 0, 1, 3, 6, 10, … modulo a power of two.

    >>> from collectives.schedule import table
    >>> print(table(triangular_all_to_all(3)))
    step 1   0→0 =0:3   1→1 =1:4   2→2 =2:5
    step 2   0→1 =1:3   1→2 =2:4   2→0 =0:5
    step 3   0→2 =2:3   1→0 =0:4   2→1 =1:5
    """
    rank = np.arange(n)
    for distance in triangular_offsets(n):
        peer = (rank + distance) % n
        # every rank sends a block over the same distance
        yield send(rank, peer, peer, n + rank)


def exchange_all_to_all(n: int) -> Schedule:
    """In step k the ranks whose numbers differ by the bits of k swap blocks.

    >>> from collectives.schedule import table
    >>> print(table(exchange_all_to_all(2)))
    step 1   0→1 =1:2   1→0 =0:3
    step 2   0→0 =0:2   1→1 =1:3
    """
    rank = np.arange(n)
    for bits in range(1, n + 1):
        peer = rank ^ bits % n
        # partners exchange the blocks meant for each other
        yield send(rank, peer, peer, n + rank)


def bruck_hops(n: int, radix: int) -> list[tuple[Integers, Integers, Integers]]:
    """The rounds of Bruck's algorithm: distances that hop, how far they are before and after.

    A block that goes 5 = 12 in base 3 hops 2 when the digit of the ones is 2, and then 3.

    >>> for off, before, after in bruck_hops(6, 3):
    ...     print(off, before, after)
    [1 4] [0 0] [1 1]
    [2 5] [0 0] [2 2]
    [3 4 5] [0 1 2] [3 4 5]
    """
    off, unit, rounds = np.arange(n), 1, []
    while unit < n:
        for hop in range(unit, min(n, radix * unit), unit):
            take = off[off // unit % radix * unit == hop]
            rounds.append((take, take % unit, take % unit + hop))
        unit *= radix
    return rounds


def bruck_waits(n: int, radix: int) -> Integers:
    """The slot in which a block waits between hops, by its distance; these slots start at 2n.

    >>> bruck_waits(8, 2)
    array([15, 15, 15, 16, 16, 17, 18, 19])
    """
    hops = np.zeros(n, int)
    for off, _, _ in bruck_hops(n, radix):
        hops[off] += 1
    return 2 * n - 1 + np.cumsum(hops > 1)


def bruck_all_to_all(n: int, radix: int) -> Schedule:
    """Each block gets to its rank in a few hops; those that hop equally far share a message.

    >>> from collectives.schedule import table
    >>> print(table(bruck_all_to_all(4, radix=2)))
    step 1   0→0 =0:4   1→1 =1:5   2→2 =2:6   3→3 =3:7
    step 2   0→1 =1:4   0→1 =3:8   1→2 =2:5   1→2 =0:8
             2→3 =3:6   2→3 =1:8   3→0 =0:7   3→0 =2:8
    step 3   0→2 =2:4   1→3 =8:4   1→3 =3:5   2→0 =8:5
             2→0 =0:6   3→1 =8:6   3→1 =1:7   0→2 =8:7
    """
    rank = np.arange(n)[:, None]
    waits = bruck_waits(n, radix)
    # every rank keeps its own block
    yield send(rank, rank, rank, n + rank)
    for off, was, now in bruck_hops(n, radix):
        src = (rank + was) % n
        dst = (rank + now) % n
        via, new = waits[off], (rank + off) % n
        chunk = np.where(was > 0, via, new)
        into = np.where(now < off, via, n + rank)
        # blocks that need a hop of this distance move on
        yield send(src, dst, chunk, into)


def hierarchical_all_to_all(n: int, gpus: int) -> Schedule:
    """Blocks first gather within their node, on the rank with their destination's local index.

    >>> from collectives.schedule import table
    >>> print(table(hierarchical_all_to_all(4, gpus=2)))
    step 1   0→0 =0:8   0→1 =1:8   0→0 =2:10   0→1 =3:10
             1→0 =0:9   1→1 =1:9   1→0 =2:11   1→1 =3:11
             2→2 =0:8   2→3 =1:8   2→2 =2:10   2→3 =3:10
             3→2 =0:9   3→3 =1:9   3→2 =2:11   3→3 =3:11
    step 2   0→0 =8:4   1→1 =8:4   0→2 =10:4   1→3 =10:4
             0→0 =9:5   1→1 =9:5   0→2 =11:5   1→3 =11:5
             2→0 =8:6   3→1 =8:6   2→2 =10:6   3→3 =10:6
             2→0 =9:7   3→1 =9:7   2→2 =11:7   3→3 =11:7
    """
    src, dst = np.divmod(np.arange(n * n), n)
    via = src - src % gpus + dst % gpus
    wait = 2 * n + dst - dst % gpus + src % gpus
    # blocks go to the rank of their node that forwards them
    yield send(src, via, dst, into=wait)
    # each rank forwards them, in one message to each node
    yield send(via, dst, wait, into=n + src)


def opponents(n: int, turn: int) -> Integers:
    """Whom each rank meets in a turn of a round-robin tournament; itself where it meets nobody.

    >>> opponents(4, turn=0), opponents(3, turn=0)
    (array([3, 2, 1, 0]), array([0, 2, 1]))
    """
    seats = n - 1 + n % 2  # round which all ranks move; of an even number the last one stays
    seat = np.arange(seats)
    peer = (turn - seat) % seats
    if seats == n:
        return peer
    alone = seat[peer == seat]
    peer[alone] = seats
    return np.append(peer, alone)


def tournament_all_to_all(n: int) -> Schedule:
    """Ranks swap blocks in pairs, as in a tournament in which each meets every other once.

    >>> from collectives.schedule import table
    >>> print(table(tournament_all_to_all(3)))
    step 1   0→0 =0:3   1→2 =2:4   2→1 =1:5
    step 2   0→1 =1:3   1→0 =0:4   2→2 =2:5
    step 3   0→2 =2:3   1→1 =1:4   2→0 =0:5
    """
    rank = np.arange(n)
    for turn in range(n - 1 + n % 2):
        peer = opponents(n, turn)
        # partners exchange the blocks meant for each other
        yield send(rank, peer, peer, n + rank)
    if n % 2 == 0:
        # every rank keeps its own block
        yield send(rank, rank, rank, n + rank)
