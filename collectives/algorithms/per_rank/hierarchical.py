"""What one rank does in the hierarchical all-reduce: it is in a ring of its node and in another."""

from collectives.algorithms.per_rank.ring import (
    ring_all_gather,
    ring_all_reduce,
    ring_reduce_scatter,
)
from collectives.schedule.spmd import Program, Renamed


def hierarchical_all_reduce(rank: int, n: int, gpus: int) -> Program:
    """Reduce-scatter in this node, all-reduce across nodes, all-gather in this node."""
    node, seat = divmod(rank, gpus)
    nodes = n // gpus
    inside = range(node * gpus, rank - seat + gpus)
    across = range(seat, n, gpus)
    down = ring_reduce_scatter(seat, gpus)
    sums = ring_all_reduce(node, nodes)
    up = ring_all_gather(seat, gpus)
    shard = seat * nodes
    yield from Renamed(inside, down, width=nodes)
    yield from Renamed(across, sums, shard)
    yield from Renamed(inside, up, width=nodes)
