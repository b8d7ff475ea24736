"""Rings and trees as libraries run them: channels that enter and leave a node at other places."""

import numpy as np

from collectives.algorithms.ring import (
    ring_all_gather,
    ring_all_reduce,
    ring_broadcast,
    ring_reduce,
    ring_reduce_scatter,
)
from collectives.algorithms.tree import double_binary_tree_all_reduce as double_tree_all_reduce
from collectives.algorithms.tree import double_tree_broadcast, double_tree_reduce
from collectives.schedule import Schedule, within
from collectives.schedule.columns import Integers


def rotated_rings(n: int, channels: int, gpus: int) -> Integers:
    """The ranks in the order of each channel's ring: [channel, place].

    A node is `gpus` consecutive ranks, which the channels share out. Ring c enters every node at
    the first rank of share c, visits the ranks behind it, then those before it, and leaves.

    >>> rotated_rings(4, channels=2, gpus=2)
    array([[0, 1, 2, 3],
           [1, 0, 3, 2]])
    >>> rotated_rings(4, channels=3, gpus=4)
    array([[0, 1, 2, 3],
           [2, 3, 0, 1],
           [3, 0, 1, 2]])
    """
    node = np.arange(n).reshape(-1, gpus)
    first = -(-gpus * np.arange(channels) // channels)
    rings = [np.roll(node, -rank, axis=1) for rank in first]
    return np.reshape(rings, (channels, n))


def rings_all_reduce(n: int, channels: int, gpus: int) -> Schedule:
    """In each channel a ring adds and gathers a share of the vector.

    >>> from collectives.schedule import table
    >>> print(table(list(rings_all_reduce(4, channels=2, gpus=2))[:1]))
    step 1   0→1 +3   1→2 +0   2→3 +1   3→0 +2   1→0 +7   0→3 +4   3→2 +5   2→1 +6
    """
    ring = ring_all_reduce(n)
    ranks = rotated_rings(n, channels, gpus)
    share = n * np.arange(channels)
    yield from within(ranks, ring, share)


def rings_reduce_scatter(n: int, channels: int, gpus: int) -> Schedule:
    """In each channel a ring adds a share of every rank's chunk.

    >>> from collectives.schedule import table
    >>> print(table(list(rings_reduce_scatter(4, channels=2, gpus=2))[:1]))
    step 1   0→1 +6   1→2 +0   2→3 +2   3→0 +4   1→0 +5   0→3 +3   3→2 +1   2→1 +7
    """
    ring = ring_reduce_scatter(n)
    ranks = rotated_rings(n, channels, gpus)
    share = np.arange(channels)[:, None]
    chunk = channels * ranks + share
    yield from within(ranks, ring, chunk)


def rings_all_gather(n: int, channels: int, gpus: int) -> Schedule:
    """In each channel a ring passes on a share of every rank's chunk.

    >>> from collectives.schedule import table
    >>> print(table(list(rings_all_gather(4, channels=2, gpus=2))[:1]))
    step 1   0→1 =0   1→2 =2   2→3 =4   3→0 =6   1→0 =3   0→3 =1   3→2 =7   2→1 =5
    """
    ring = ring_all_gather(n)
    ranks = rotated_rings(n, channels, gpus)
    share = np.arange(channels)[:, None]
    chunk = channels * ranks + share
    yield from within(ranks, ring, chunk)


def rooted_rings(n: int, channels: int, gpus: int, root: int) -> Integers:
    """The ranks in the order of each channel's ring, from the root on: [channel, place].

    >>> rooted_rings(4, channels=2, gpus=2, root=1)
    array([[1, 2, 3, 0],
           [1, 0, 3, 2]])
    """
    ranks = rotated_rings(n, channels, gpus)
    first = np.argmax(ranks == root, axis=1)
    return np.take_along_axis(ranks, (first[:, None] + np.arange(n)) % n, axis=1)


def chains_down(n: int, channels: int, gpus: int, root: int, chunks: int) -> Schedule:
    """In each channel a share of the vector runs along a chain from the root.

    >>> from collectives.schedule import table
    >>> print(table(chains_down(4, 2, gpus=2, root=0, chunks=1)))
    step 1   0→1 =0   0→3 =1
    step 2   1→2 =0   3→2 =1
    step 3   2→3 =0   2→1 =1
    """
    ranks = rooted_rings(n, channels, gpus, root)
    chain = ring_broadcast(n, chunks=chunks)
    share = chunks * np.arange(channels)
    yield from within(ranks, chain, share)


def chains_up(n: int, channels: int, gpus: int, root: int, chunks: int) -> Schedule:
    """In each channel sums of a share of the vector run along a chain to the root.

    >>> from collectives.schedule import table
    >>> print(table(chains_up(4, 2, gpus=2, root=0, chunks=1)))
    step 1   3→2 +0   1→2 +1
    step 2   2→1 +0   2→3 +1
    step 3   1→0 +0   3→0 +1
    """
    ranks = rooted_rings(n, channels, gpus, root)
    chain = ring_reduce(n, chunks=chunks)
    share = chunks * np.arange(channels)
    yield from within(ranks, chain, share)


def trees_all_reduce(n: int, channels: int, gpus: int, chunks: int) -> Schedule:
    """In each channel two trees of the rotated ranks sum a share of the vector.

    >>> from collectives.schedule import table
    >>> print(table(list(trees_all_reduce(4, channels=2, gpus=2, chunks=2))[:1]))
    step 1   1→2 +0   3→2 +0   0→1 +1   2→1 +1   0→3 +2   2→3 +2   1→0 +3   3→0 +3
    """
    ranks = rotated_rings(n, channels, gpus)
    trees = double_tree_all_reduce(n, chunks)
    share = chunks * np.arange(channels)
    yield from within(ranks, trees, share)


def root_first(n: int, channels: int, gpus: int, root: int) -> Integers:
    """The root, then the others in the order of each channel's ring, from its node on.

    >>> root_first(4, channels=2, gpus=2, root=1)
    array([[1, 0, 2, 3],
           [1, 0, 3, 2]])
    """
    node = root // gpus
    ranks = np.roll(rotated_rings(n, channels, gpus), -node * gpus, axis=1)
    others = ranks[ranks != root].reshape(channels, n - 1)
    return np.insert(others, 0, root, axis=1)


def trees_down(n: int, channels: int, gpus: int, root: int, chunks: int) -> Schedule:
    """In each channel a share goes down two trees of the other ranks.

    >>> from collectives.schedule import table
    >>> print(table(trees_down(4, 2, gpus=2, root=0, chunks=2)))
    step 1   0→1 =0   0→2 =1   0→1 =2   0→3 =3
    step 2   1→3 =0   2→1 =1   1→2 =2   3→1 =3
    step 3   3→2 =0   1→3 =1   2→3 =2   1→2 =3
    """
    ranks = root_first(n, channels, gpus, root)
    trees = double_tree_broadcast(n, 0, chunks)
    share = chunks * np.arange(channels)
    yield from within(ranks, trees, share)


def trees_up(n: int, channels: int, gpus: int, root: int, chunks: int) -> Schedule:
    """In each channel sums of a share go up two trees of the other ranks.

    >>> from collectives.schedule import table
    >>> print(table(trees_up(4, 2, gpus=2, root=0, chunks=2)))
    step 1   2→3 +0   3→1 +1   3→2 +2   2→1 +3
    step 2   3→1 +0   1→2 +1   2→1 +2   1→3 +3
    step 3   1→0 +0   2→0 +1   1→0 +2   3→0 +3
    """
    ranks = root_first(n, channels, gpus, root)
    trees = double_tree_reduce(n, 0, chunks)
    share = chunks * np.arange(channels)
    yield from within(ranks, trees, share)
