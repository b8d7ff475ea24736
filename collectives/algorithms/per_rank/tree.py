"""What one rank does in the all-reduce on two binary trees."""

from collections.abc import Iterator

import numpy as np

from collectives.algorithms.tree import depths, two_trees
from collectives.schedule.columns import Integers
from collectives.schedule.spmd import Program, Recv, RecvReduce, Send, sendrecv


def double_binary_tree_all_reduce(rank: int, n: int, chunks: int = 4) -> Program:
    """Each of two trees takes half of the chunks, each chunk a step after the one before."""
    trees, half = two_trees(n), chunks // 2
    parts = list(zip(trees, (range(half), range(half, chunks)), strict=True))
    steps = 2 * int(depths(trees[0]).max()) + chunks - half - 1
    for step in range(steps):
        mine: list[Send | Recv] = []
        for tree, part in parts:
            for place, chunk in enumerate(part):
                mine += moves(rank, tree, step - place, chunk)
        # sums go up two trees, results come down
        yield sendrecv(*mine)


def moves(rank: int, parent: Integers, step: int, chunk: int) -> Iterator[Send | Recv]:
    """What a rank does with a chunk in a step of the all-reduce on one tree."""
    depth, above = depths(parent), int(parent[rank])
    deepest = int(depth.max())
    up = step < deepest
    # how deep the lower ends of this step's links are
    lower = deepest - step if up else step - deepest + 1
    if not 0 <= step < 2 * deepest:
        return
    if depth[rank] == lower:
        yield Send(above, chunk) if up else Recv(above, chunk)
    if depth[rank] == lower - 1:
        for below in np.flatnonzero(parent == rank).tolist():
            yield RecvReduce(below, chunk) if up else Send(below, chunk)
