"""Hierarchical collectives from two parts: what runs inside the nodes, and what between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from collectives.algorithms.doubling import recursive_doubling_all_reduce
from collectives.algorithms.flat import flat_all_gather, flat_reduce_scatter
from collectives.algorithms.nvls import nvls_all_gather, nvls_reduce_scatter
from collectives.algorithms.ring import ring_all_gather, ring_reduce_scatter
from collectives.schedule import Schedule, Step, together, within
from collectives.schedule.columns import Integers

Algorithm = Callable[[int], Schedule]


@dataclass(frozen=True)
class InNode:
    """What runs inside a node: both halves of an all-reduce; with a switch, it is the last node."""

    scatter: Algorithm
    gather: Algorithm
    switch: bool = False


@dataclass(frozen=True)
class TwoParts:
    """What runs between the ranks at one place of every node, and inside the nodes."""

    outside: Algorithm
    inside: InNode


RING = InNode(ring_reduce_scatter, ring_all_gather)
DIRECT = InNode(flat_reduce_scatter, flat_all_gather)
SWITCH = InNode(nvls_reduce_scatter, nvls_all_gather, switch=True)


def members(rank: Integers, inside: InNode) -> Integers:
    """The ranks of each node, and last the switch of the node if there is one.

    >>> members(np.array([[0, 1], [2, 3]]), SWITCH)
    array([[0, 1, 4],
           [2, 3, 5]])
    """
    switch = rank.size + np.arange(len(rank))
    return np.column_stack([rank, switch]) if inside.switch else rank


def on_all_chunks(node: Integers, part: Algorithm, gpus: int) -> Iterator[Step]:
    """An algorithm of `gpus` ranks in each node, with the chunks of every node side by side.

    >>> from collectives.schedule import table
    >>> print(table(on_all_chunks(np.array([[0, 1], [2, 3]]), flat_all_gather, 2)))
    step 1   0→1 =0   1→0 =1   2→3 =0   3→2 =1   0→1 =2   1→0 =3   2→3 =2   3→2 =3
    """
    chunks = range(0, gpus * len(node), gpus)  # the first of each node
    return together(*(within(node, part(gpus), first) for first in chunks))


def shard_doubling_all_reduce(n: int) -> Schedule:
    """Partners swap whole shards, at twice the distance in each step.

    >>> from collectives.schedule import table
    >>> print(table(shard_doubling_all_reduce(4)))
    step 1   0→1 +0..3   1→0 +0..3   2→3 +0..3   3→2 +0..3
    step 2   0→2 +0..3   1→3 +0..3   2→0 +0..3   3→1 +0..3
    """
    swaps = recursive_doubling_all_reduce(n)
    rank = np.arange(n)
    yield from within(rank, swaps, width=n)


def nested_all_reduce(n: int, gpus: int, parts: TwoParts) -> Schedule:
    """Nodes add up inside first; then each GPU takes only its share across.

    >>> from collectives.schedule import table
    >>> print(table(nested_all_reduce(4, 2, TwoParts(shard_doubling_all_reduce, DIRECT))))
    step 1   0→1 +2..3   1→0 +0..1   2→3 +2..3   3→2 +0..1
    step 2   0→2 +0..1   2→0 +0..1   1→3 +2..3   3→1 +2..3
    step 3   0→1 =0..1   1→0 =2..3   2→3 =0..1   3→2 =2..3
    """
    nodes = n // gpus
    rank = np.arange(n).reshape(nodes, gpus)
    node = members(rank, parts.inside)
    shard = nodes * np.arange(gpus)
    add = parts.inside.scatter(gpus)
    across = parts.outside(nodes)
    back = parts.inside.gather(gpus)
    yield from within(node, add, width=nodes)
    yield from within(rank.T, across, shard)
    yield from within(node, back, width=nodes)


def nested_all_gather(n: int, gpus: int, parts: TwoParts) -> Schedule:
    """Like ranks gather across nodes, then each node's ranks hand one another what they have.

    >>> from collectives.schedule import table
    >>> print(table(nested_all_gather(4, 2, TwoParts(ring_all_gather, SWITCH))))
    step 1   0→2 =0   2→0 =2   1→3 =1   3→1 =3
    step 2   0→4 =0   1→4 =1   2→5 =0   3→5 =1   0→4 =2   1→4 =3   2→5 =2   3→5 =3
    step 3   4→0 =0..1   4→1 =0..1   5→2 =0..1   5→3 =0..1   4→0 =2..3   4→1 =2..3   \
5→2 =2..3   5→3 =2..3
    """
    rank = np.arange(n).reshape(-1, gpus)
    node = members(rank, parts.inside)
    across = parts.outside(n // gpus)
    share = parts.inside.gather
    yield from within(rank.T, across, rank.T)
    yield from on_all_chunks(node, share, gpus)


def nested_reduce_scatter(n: int, gpus: int, parts: TwoParts) -> Schedule:
    """Each node's ranks add up every node's chunks, then like ranks add them across nodes.

    >>> from collectives.schedule import table
    >>> print(table(nested_reduce_scatter(4, 2, TwoParts(ring_reduce_scatter, DIRECT))))
    step 1   0→1 +1   1→0 +0   2→3 +1   3→2 +0   0→1 +3   1→0 +2   2→3 +3   3→2 +2
    step 2   0→2 +2   2→0 +0   1→3 +3   3→1 +1
    """
    rank = np.arange(n).reshape(-1, gpus)
    node = members(rank, parts.inside)
    add = parts.inside.scatter
    across = parts.outside(n // gpus)
    yield from on_all_chunks(node, add, gpus)
    yield from within(rank.T, across, rank.T)
