"""Chains: the root has several chains of ranks below it, all about as long."""

import numpy as np

from collectives.algorithms.tree import tree_broadcast, tree_reduce
from collectives.schedule import Schedule, pipelined, within
from collectives.schedule.columns import Integers


def chains_below_root(n: int, chains: int) -> Integers:
    """Open MPI's chains, as a tree: of the n - 1 ranks below the root the first chains get more.

    >>> chains_below_root(8, chains=3)
    array([-1,  0,  1,  2,  0,  4,  0,  6])
    """
    length, longer = divmod(n - 1, chains)
    chain = np.arange(chains)
    head = 1 + chain * length + np.minimum(chain, longer)
    parent = np.arange(n) - 1
    parent[head[: n - 1]] = 0
    return parent


def chains_broadcast(n: int, root: int, chunks: int, chains: int) -> Schedule:
    """Chunks follow one another down every chain, whose lengths differ by at most one rank.

    >>> from collectives.schedule import table
    >>> print(table(chains_broadcast(5, root=0, chunks=2, chains=2)))
    step 1   0→1 =0   0→3 =0
    step 2   1→2 =0   3→4 =0   0→1 =1   0→3 =1
    step 3   1→2 =1   3→4 =1
    """
    rank = (root + np.arange(n)) % n
    parent = chains_below_root(n, chains)
    down = tree_broadcast(parent)
    rooted = within(rank, down)
    yield from pipelined(rooted, range(chunks))


def chains_reduce(n: int, root: int, chunks: int, chains: int) -> Schedule:
    """Sums of chunks follow one another up every chain, and the root adds up those of all chains.

    >>> from collectives.schedule import table
    >>> print(table(chains_reduce(4, root=0, chunks=1, chains=2)))
    step 1   2→1 +0
    step 2   1→0 +0   3→0 +0
    """
    rank = (root + np.arange(n)) % n
    parent = chains_below_root(n, chains)
    up = tree_reduce(parent)
    rooted = within(rank, up)
    yield from pipelined(rooted, range(chunks))
