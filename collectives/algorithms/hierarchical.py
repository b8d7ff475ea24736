"""Hierarchical machines: n ranks in nodes of `gpus` consecutive ranks."""

import numpy as np

from collectives.algorithms.binomial import binomial_broadcast, binomial_reduce
from collectives.algorithms.ring import ring_all_gather, ring_all_reduce, ring_reduce_scatter
from collectives.schedule import Schedule, within


def hierarchical_all_reduce(n: int, gpus: int) -> Schedule:
    """Reduce-scatter within each node, all-reduce across nodes, all-gather within each node.

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
    """Reduce-scatter in nodes, then across nodes of a rack, then across racks, and back again.

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
    """Reduce to the first rank of each node, all-reduce among those, broadcast in each node.

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
