"""Rabenseifner's algorithms: vectors are halved until each chunk is summed, then put together."""

import numpy as np

from collectives.algorithms.doubling import fold
from collectives.schedule import Schedule, reduce, send, transposed, within
from collectives.schedule.columns import Integers


def first_kept(n: int, distance: int) -> Integers:
    """The first chunk each of n ranks keeps once the partners up to this distance have halved.

    Where its rank has a one, a rank keeps the upper half, so that in the end the digits of its
    chunk are those of the rank read backwards.

    >>> first_kept(8, distance=1)
    array([0, 4, 0, 4, 0, 4, 0, 4])
    >>> first_kept(8, distance=4)
    array([0, 4, 2, 6, 1, 5, 3, 7])
    """
    rank, first, half = np.arange(n), np.zeros(n, np.intp), n
    while distance:
        half //= 2
        first += half * (rank & 1)
        rank, distance = rank // 2, distance // 2
    return first


def block_edges(n: int) -> Integers:
    """The first chunk of each block, and n: a block is of those who fold into one rank.

    >>> block_edges(5)
    array([0, 2, 3, 4, 5])
    """
    even, _ = fold(n)
    return np.append(np.delete(np.arange(n), even + 1), n)


def other_blocks(n: int, distance: int) -> tuple[Integers, Integers]:
    """The chunks that partners at this distance keep once they have halved, by rank in the team.

    The first of them and their number.

    >>> other_blocks(5, distance=1)
    (array([3, 0, 3, 0]), array([2, 3, 2, 3]))
    """
    edge = block_edges(n)
    power = len(edge) - 1
    low = first_kept(power, distance)[np.arange(power) ^ distance]
    return edge[low], edge[low + power // distance // 2] - edge[low]


def block_holder(n: int) -> Integers:
    """The rank that has summed each chunk once the vectors are halved.

    >>> block_holder(5)
    array([1, 1, 3, 2, 4])
    """
    _, team = fold(n)
    block = first_kept(len(team), len(team) // 2)
    return np.repeat(team[block], np.diff(block_edges(n)))


def vector_halving(n: int) -> Schedule:
    """Partners swap half of what they work on, nearest first, until each has summed one chunk.

    >>> from collectives.schedule import table
    >>> print(table(vector_halving(4)))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +1   1→3 +3   2→0 +0   3→1 +2
    """
    rank, distance = np.arange(n), 1
    while distance < n:
        peer = rank ^ distance
        half = n // distance // 2
        low = first_kept(n, distance)[peer]
        # every rank sends its partner the half that the partner sums
        yield reduce(rank, peer, low, count=half)
        distance *= 2


def vector_all_gather(n: int) -> Schedule:
    """The halving backwards: partners return what they have summed, until each has all chunks.

    >>> from collectives.schedule import table
    >>> print(table(vector_all_gather(4)))
    step 1   2→0 =1   3→1 =3   0→2 =0   1→3 =2
    step 2   1→0 =2..3   0→1 =0..1   3→2 =2..3   2→3 =0..1
    """
    halving = vector_halving(n)
    # partners return the chunks that they have summed
    yield from transposed(halving)


def uneven_halving(n: int) -> Schedule:
    """Partners swap what the other keeps, nearest first, until each chunk is summed on one rank.

    >>> from collectives.schedule import table
    >>> print(table(uneven_halving(5)))
    step 1   0→1 +0..4
    step 2   1→2 +3..4   2→1 +0..2   3→4 +3..4   4→3 +0..2
    step 3   1→3 +2   2→4 +4   3→1 +0..1   4→2 +3
    """
    even, team = fold(n)
    seat, distance = np.arange(len(team)), 1
    # each even rank of a pair folds into the odd one
    yield reduce(even, even + 1, count=n)
    while distance < len(team):
        peer = team[seat ^ distance]
        low, size = other_blocks(n, distance)
        # partners swap the chunks that the other one sums
        yield reduce(team, peer, low, count=size)
        distance *= 2


def fold_halves(n: int) -> Schedule:
    """Of two neighbors that fold each sums up half of the vector, and one gets both halves.

    >>> from collectives.schedule import table
    >>> print(table(fold_halves(3)))
    step 1   0→1 +1   1→0 +0
    step 2   1→0 =1
    """
    power = 1 << n.bit_length() - 1
    even = 2 * np.arange(n - power)
    half = power // 2
    rank = np.append(even, even + 1)
    low = half * (rank % 2 == 0)
    # neighbors that fold add half of the vector each
    yield reduce(rank, rank ^ 1, low, count=half)
    # the odd one of them gives its half away
    yield send(even + 1, even, half, count=half)


def vector_gather(n: int, root: int = 0) -> Schedule:
    """The chunks that halving left on the ranks come together on the way to the root.

    >>> from collectives.schedule import table
    >>> print(table(vector_gather(4, root=1)))
    step 1   3→1 =3   2→0 =1
    step 2   0→1 =0..1
    """
    hop = n // 2
    while hop:
        src = root ^ np.arange(hop, 2 * hop)
        dst, held = src ^ hop, n // hop // 2
        low = first_kept(n, hop)[src]
        # half of the remaining ranks send all their chunks on
        yield send(src, dst, low, count=held)
        hop //= 2


def rabenseifner_all_reduce(n: int) -> Schedule:
    """Partners halve the work until each has summed one chunk; the sums go back the same way.

    >>> from collectives.schedule import table
    >>> print(table(rabenseifner_all_reduce(3)))
    step 1   0→1 +0..1
    step 2   1→2 +1   2→1 +0
    step 3   2→1 =1   1→2 =0
    step 4   1→0 =0..1
    """
    even, team = fold(n)
    power = len(team)
    half = within(team, vector_halving(power))
    back = within(team, vector_all_gather(power))
    # each even rank of a pair folds into the odd one
    yield reduce(even, even + 1, count=power)
    yield from half
    yield from back
    # the ranks that folded get the result back
    yield send(even + 1, even, count=power)


def half_fold_all_reduce(n: int) -> Schedule:
    """Ranks beyond a power of two fold, half a vector each way; the rest is Rabenseifner's.

    >>> from collectives.schedule import table
    >>> print(table(half_fold_all_reduce(3)))
    step 1   0→1 +1   1→0 +0
    step 2   1→0 =1
    step 3   0→2 +1   2→0 +0
    step 4   2→0 =1   0→2 =0
    step 5   0→1 =0..1
    """
    power = 1 << n.bit_length() - 1
    odd = 2 * np.arange(n - power) + 1
    team = np.delete(np.arange(n), odd)
    half = within(team, vector_halving(power))
    back = within(team, vector_all_gather(power))
    yield from fold_halves(n)
    yield from half
    yield from back
    # the ranks that folded get the result back
    yield send(odd - 1, odd, count=power)


def butterfly_reduce_scatter(n: int) -> Schedule:
    """Vector halving sums each chunk on one rank, which hands it to its owner.

    >>> from collectives.schedule import table
    >>> print(table(butterfly_reduce_scatter(4)))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +1   1→3 +3   2→0 +0   3→1 +2
    step 3   2→1 =1   1→2 =2
    """
    even, team = fold(n)
    holder = block_holder(n)
    away = team[holder[team] != team]
    yield from uneven_halving(n)
    # the ranks that folded get their chunk
    yield send(holder[even], even, even)
    # partners swap the chunks that are not their own
    yield send(holder[away], away, away)


def rabenseifner_reduce(n: int, root: int = 0) -> Schedule:
    """Vector halving sums each chunk on one rank, and the root gathers them.

    >>> from collectives.schedule import table
    >>> print(table(rabenseifner_reduce(3)))
    step 1   1→0 +0..1
    step 2   0→2 +1   2→0 +0
    step 3   2→0 =1
    """
    folded, team = fold(n, stays=root)
    power = len(team)
    seat = int(np.searchsorted(team, root))
    half = vector_halving(power)
    gather = vector_gather(power, seat)
    # one rank of each pair folds into the other
    yield reduce(folded, folded ^ 1, count=power)
    yield from within(team, half)
    yield from within(team, gather)
