"""Hierarchical machines: n ranks in nodes of `gpus` consecutive ranks."""

import numpy as np

from collectives.algorithms.binomial import binomial_broadcast, binomial_reduce
from collectives.algorithms.ring import ring_all_gather, ring_all_reduce, ring_reduce_scatter
from collectives.schedule import Schedule, reduce, send, within
from collectives.schedule.columns import Integers


def hierarchical_all_reduce(n: int, gpus: int) -> Schedule:
    """Nodes add up inside first; then each GPU takes only its share across.

    >>> from collectives.schedule import table
    >>> print(table(hierarchical_all_reduce(4, gpus=2)))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +1   2→0 +0   1→3 +3   3→1 +2
    step 3   0→2 =0   2→0 =1   1→3 =2   3→1 =3
    step 4   0→1 =0..1   1→0 =2..3   2→3 =0..1   3→2 =2..3
    """
    nodes = n // gpus
    rank = np.arange(n).reshape(nodes, gpus)
    inside = ring_reduce_scatter(gpus)
    across = ring_all_reduce(nodes)
    back = ring_all_gather(gpus)
    shard = nodes * np.arange(gpus)
    yield from within(rank, inside, width=nodes)
    yield from within(rank.T, across, shard)
    yield from within(rank, back, width=nodes)


def three_level_all_reduce(n: int, gpus: int, nodes: int) -> Schedule:
    """Reduce-scatter in nodes, then across a rack's nodes, then across racks, and back again.

    >>> from collectives.schedule import table
    >>> print(table(list(three_level_all_reduce(8, gpus=2, nodes=2))[2:4]))
    step 1   0→4 +1   4→0 +0   2→6 +3   6→2 +2   1→5 +5   5→1 +4   3→7 +7   7→3 +6
    step 2   0→4 =0   4→0 =1   2→6 =2   6→2 =3   1→5 =4   5→1 =5   3→7 =6   7→3 =7
    """
    rest = n // gpus
    rank = np.arange(n).reshape(rest, gpus)
    inside = ring_reduce_scatter(gpus)
    across = hierarchical_all_reduce(rest, nodes)
    back = ring_all_gather(gpus)
    shard = rest * np.arange(gpus)
    yield from within(rank, inside, width=rest)
    yield from within(rank.T, across, shard)
    yield from within(rank, back, width=rest)


def leader_all_reduce(n: int, gpus: int) -> Schedule:
    """Reduce to each node's first rank, all-reduce among those, broadcast in each node.

    >>> from collectives.schedule import table
    >>> print(table(leader_all_reduce(4, gpus=2)))
    step 1   1→0 +0..1   3→2 +0..1
    step 2   0→2 +1   2→0 +0
    step 3   0→2 =0   2→0 =1
    step 4   0→1 =0..1   2→3 =0..1
    """
    nodes = n // gpus
    rank = np.arange(n).reshape(nodes, gpus)
    leader = rank[:, 0]
    up = binomial_reduce(gpus)
    across = ring_all_reduce(nodes)
    down = binomial_broadcast(gpus)
    yield from within(rank, up, width=nodes)
    yield from within(leader, across)
    yield from within(rank, down, width=nodes)


def neighbors(n: int, gpus: int) -> tuple[Integers, Integers]:
    """Of each rank the one at its place in the next node, and the next one in its own node.

    >>> neighbors(4, gpus=2)
    (array([2, 3, 0, 1]), array([1, 0, 3, 2]))
    """
    rank = np.arange(n)
    place = rank % gpus
    return (rank + gpus) % n, rank - place + (place + 1) % gpus


def hierarchical_all_gather(n: int, gpus: int) -> Schedule:
    """Rings of like ranks bring all chunks to each node, where a ring passes them round.

    >>> from collectives.schedule import table
    >>> print(table(hierarchical_all_gather(4, gpus=2)))
    step 1   0→2 =0   1→3 =1   2→0 =2   3→1 =3
    step 2   0→1 =0   1→0 =1   2→3 =0   3→2 =1   0→1 =2   1→0 =3   2→3 =2   3→2 =3
    """
    rank = np.arange(n)
    ahead, beside = neighbors(n, gpus)
    for hop in range(n // gpus - 1):
        chunk = (rank - hop * gpus) % n
        # every rank passes a chunk on to the node ahead
        yield send(rank, ahead, chunk)
    first = np.arange(0, n, gpus)[:, None]
    for hop in range(gpus - 1):
        chunk = first + (rank - hop) % gpus
        # every rank passes a chunk of each node on
        yield send(rank, beside, chunk)


def hierarchical_reduce_scatter(n: int, gpus: int) -> Schedule:
    """A ring adds up all chunks in each node, then rings of like ranks add them across nodes.

    >>> from collectives.schedule import table
    >>> print(table(hierarchical_reduce_scatter(4, gpus=2)))
    step 1   0→1 +1   1→0 +0   2→3 +1   3→2 +0   0→1 +3   1→0 +2   2→3 +3   3→2 +2
    step 2   0→2 +2   1→3 +3   2→0 +0   3→1 +1
    """
    rank = np.arange(n)
    ahead, beside = neighbors(n, gpus)
    first = np.arange(0, n, gpus)[:, None]
    for hop in range(1, gpus):
        chunk = first + (rank - hop) % gpus
        # every rank sends a chunk of each node on to the next
        yield reduce(rank, beside, chunk)
    for hop in range(1, n // gpus):
        chunk = (rank - hop * gpus) % n
        # every rank sends a chunk to the node ahead, which adds it
        yield reduce(rank, ahead, chunk)
