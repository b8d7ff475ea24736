"""All-reduces in two steps: ranks or servers sum shards, then send the sums to all ranks."""

import numpy as np

from collectives.algorithms.flat import flat_all_gather, flat_reduce_scatter
from collectives.schedule import Schedule, reduce, send


def two_shot_all_reduce(n: int) -> Schedule:
    """In the first shot, every rank sums one chunk; in the second, it sends the sum to all.

    >>> from collectives.schedule import table
    >>> print(table(two_shot_all_reduce(3)))
    step 1   0→1 +1   0→2 +2   1→0 +0   1→2 +2   2→0 +0   2→1 +1
    step 2   0→1 =0   0→2 =0   1→0 =1   1→2 =1   2→0 =2   2→1 =2
    """
    yield from flat_reduce_scatter(n)
    yield from flat_all_gather(n)


def parameter_server_all_reduce(n: int) -> Schedule:
    """A server, node n, adds up the data of all ranks and sends them the sum.

    >>> from collectives.schedule import table
    >>> print(table(parameter_server_all_reduce(3)))
    step 1   0→3 +0   1→3 +0   2→3 +0
    step 2   3→0 =0   3→1 =0   3→2 =0
    """
    if n == 1:
        return  # there is nothing to add up
    rank = np.arange(n)
    # every rank sends its data to the server, which adds it
    yield reduce(rank, n)
    # the server sends the sum to every rank
    yield send(n, rank)


def sharded_server_all_reduce(n: int, servers: int) -> Schedule:
    """Each server, from node n on, adds up its shard of all ranks and sends them the sum.

    >>> from collectives.schedule import table
    >>> print(table(sharded_server_all_reduce(2, servers=2)))
    step 1   0→2 +0   0→3 +1   1→2 +0   1→3 +1
    step 2   2→0 =0   3→0 =1   2→1 =0   3→1 =1
    """
    if n == 1:
        return  # there is nothing to add up
    rank = np.arange(n)[:, None]
    shard = np.arange(servers)
    # every rank sends each shard to its server, which adds it
    yield reduce(rank, n + shard, shard)
    # every server sends its sum to every rank
    yield send(n + shard, rank, shard)
