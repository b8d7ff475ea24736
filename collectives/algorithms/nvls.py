"""NVSwitches that add what passes through them and send one copy to each of their ranks."""

import numpy as np

from collectives.algorithms.flat import flat_reduce_scatter
from collectives.algorithms.tree import tree_all_reduce, two_trees
from collectives.schedule import Schedule, pipelined, reduce, send, together, within


def nvls_reduce_scatter(n: int) -> Schedule:
    """The switch, node n, adds up the data of all ranks and hands each the sum of its chunk.

    >>> from collectives.schedule import table
    >>> print(table(nvls_reduce_scatter(2)))
    step 1   0→2 +0..1   1→2 +0..1
    step 2   2→0 =0   2→1 =1

    On the machine both hops are one operation: a rank loads the sum of its chunk.
    """
    if n == 1:
        return  # there is nothing to add up
    rank = np.arange(n)
    # the switch adds up the data of all ranks
    yield reduce(rank, n, count=n)
    # the switch sends each rank the sum of its chunk
    yield send(n, rank, rank)


def nvls_all_gather(n: int) -> Schedule:
    """Each rank stores its chunk in the switch, node n, which sends all chunks to all ranks.

    >>> from collectives.schedule import table
    >>> print(table(nvls_all_gather(2)))
    step 1   0→2 =0   1→2 =1
    step 2   2→0 =0..1   2→1 =0..1

    On the machine both hops are one operation: a rank stores its chunk in all ranks.
    """
    if n == 1:
        return  # there is nobody to send it to
    rank = np.arange(n)
    # every rank stores its chunk through the switch
    yield send(rank, n, rank)
    # the switch sends the chunks it got to all ranks
    yield send(n, rank, count=n)


def switch_all_reduce(n: int) -> Schedule:
    """Each rank fetches the sum of one shard through the switch and stores it in all ranks.

    >>> from collectives.schedule import table
    >>> print(table(switch_all_reduce(2)))
    step 1   0→2 +0..1   1→2 +0..1
    step 2   2→0 =0   2→1 =1
    step 3   0→2 =0   1→2 =1
    step 4   2→0 =0..1   2→1 =0..1
    """
    yield from nvls_reduce_scatter(n)
    yield from nvls_all_gather(n)


def nvls_all_reduce(n: int, chunks: int = 4) -> Schedule:
    """Each chunk is summed in the switch, and every sum goes to all ranks.

    >>> from collectives.schedule import table
    >>> print(table(nvls_all_reduce(2, chunks=2)))
    step 1   0→2 +0..1   1→2 +0..1
    step 2   2→0 =0   2→1 =1   0→2 +2..3   1→2 +2..3
    step 3   0→2 =0   1→2 =1   2→0 =2   2→1 =3
    step 4   2→0 =0..1   2→1 =0..1   0→2 =2   1→2 =3
    step 5   2→0 =2..3   2→1 =2..3
    """
    steps = switch_all_reduce(n)
    part = range(chunks)
    yield from pipelined(steps, part, width=n)


def heads_all_reduce(n: int, gpus: int) -> Schedule:
    """Shard s is summed over rank s of every node: on one tree if s is even, on another if odd.

    >>> from collectives.schedule import table
    >>> print(table(heads_all_reduce(4, gpus=2)))
    step 1   2→0 +0   1→3 +1
    step 2   0→2 =0   3→1 =1
    """
    head = np.arange(n).reshape(-1, gpus).T
    shard = np.arange(gpus)
    trees = two_trees(n // gpus)
    first, two = map(tree_all_reduce, trees)
    yield from together(
        within(head[::2], first, shard[::2]),
        within(head[1::2], two, shard[1::2]),
    )


def two_level_all_reduce(n: int, gpus: int) -> Schedule:
    """Switches add within nodes, two trees add between them, switches send the sums to the ranks.

    >>> from collectives.schedule import table
    >>> print(table(two_level_all_reduce(4, gpus=2)))
    step 1   0→4 +0..1   1→4 +0..1   2→5 +0..1   3→5 +0..1
    step 2   4→0 =0   4→1 =1   5→2 =0   5→3 =1
    step 3   2→0 +0   1→3 +1
    step 4   0→2 =0   3→1 =1
    step 5   0→4 =0   1→4 =1   2→5 =0   3→5 =1
    step 6   4→0 =0..1   4→1 =0..1   5→2 =0..1   5→3 =0..1
    """
    nodes = n // gpus
    rank = np.arange(n).reshape(nodes, gpus)
    switch = n + np.arange(nodes)[:, None]
    node = np.hstack([rank, switch])
    add = nvls_reduce_scatter(gpus)
    hand_out = nvls_all_gather(gpus)
    yield from within(node, add)
    yield from heads_all_reduce(n, gpus)
    yield from within(node, hand_out)


def nvls_tree_all_reduce(n: int, gpus: int, chunks: int = 4) -> Schedule:
    """Switches add inside nodes, trees add between them, and the sums come back.

    >>> from collectives.schedule import table
    >>> print(table(nvls_tree_all_reduce(2, gpus=2, chunks=2)))
    step 1   0→2 +0..1   1→2 +0..1
    step 2   2→0 =0   2→1 =1   0→2 +2..3   1→2 +2..3
    step 3   0→2 =0   1→2 =1   2→0 =2   2→1 =3
    step 4   2→0 =0..1   2→1 =0..1   0→2 =2   1→2 =3
    step 5   2→0 =2..3   2→1 =2..3
    """
    steps = two_level_all_reduce(n, gpus)
    part = range(chunks)
    yield from pipelined(steps, part, width=gpus)


def multishot_all_reduce(n: int) -> Schedule:
    """Each rank sums its chunk from direct sends; the switch then hands every sum to all ranks.

    >>> from collectives.schedule import table
    >>> print(table(multishot_all_reduce(2)))
    step 1   0→1 +1   1→0 +0
    step 2   0→2 =0   1→2 =1
    step 3   2→0 =0..1   2→1 =0..1
    """
    yield from flat_reduce_scatter(n)
    yield from nvls_all_gather(n)


def multicast_all_reduce(n: int) -> Schedule:
    """The switch, node n, hands every rank's data to all others, and each rank adds it all up.

    >>> from collectives.schedule import table
    >>> print(table(multicast_all_reduce(2)))
    step 1   0→2 =0:1   1→2 =0:2
    step 2   2→1 +1:0   2→0 +2:0
    """
    if n == 1:
        return  # there is nothing to add up
    rank = np.arange(n)
    src, dst = np.nonzero(np.eye(n) == 0)
    # every rank sends its data to the switch
    yield send(rank, n, into=1 + rank)
    # the switch sends every rank what the others sent
    yield reduce(n, dst, 1 + src, into=0)
