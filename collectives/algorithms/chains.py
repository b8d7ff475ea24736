"""Chains: the root has several chains of ranks below it, all about as long."""

import numpy as np

from collectives.schedule import Schedule, pipelined, send, transposed, within


def down_chains(n: int, chains: int) -> Schedule:
    """A chunk goes down every chain, one rank further in each step.

    The n - 1 ranks below the root are shared out as by Open MPI: the first chains get more.

    >>> from collectives.schedule import table
    >>> print(table(down_chains(8, chains=3)))
    step 1   0→1 =0   0→4 =0   0→6 =0
    step 2   1→2 =0   4→5 =0   6→7 =0
    step 3   2→3 =0
    """
    length, longer = divmod(n - 1, chains)
    chain = np.arange(chains)
    size = length + (chain < longer)
    head = 1 + np.cumsum(size) - size
    for hop in range(size[0]):
        rank = head[hop < size] + hop
        before = rank - 1 if hop else 0 * rank
        # each chain carries the chunk one rank further
        yield send(before, rank)


def up_chains(n: int, chains: int) -> Schedule:
    """A sum goes up every chain, one rank nearer to the root in each step.

    >>> from collectives.schedule import table
    >>> print(table(up_chains(4, chains=2)))
    step 1   2→1 +0
    step 2   1→0 +0   3→0 +0
    """
    down = down_chains(n, chains)
    # each chain carries the sum one rank nearer to the root
    yield from transposed(down)


def chains_broadcast(n: int, root: int, chunks: int, chains: int) -> Schedule:
    """Chunks follow one another down every chain, whose lengths differ by at most one rank.

    >>> from collectives.schedule import table
    >>> print(table(chains_broadcast(5, root=0, chunks=2, chains=2)))
    step 1   0→1 =0   0→3 =0
    step 2   1→2 =0   3→4 =0   0→1 =1   0→3 =1
    step 3   1→2 =1   3→4 =1
    """
    rank = (root + np.arange(n)) % n
    down = down_chains(n, chains)
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
    up = up_chains(n, chains)
    rooted = within(rank, up)
    yield from pipelined(rooted, range(chunks))
