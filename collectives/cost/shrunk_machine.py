"""What a communicator that shrinks leaves: a machine without some ranks, and rings on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from collectives.algorithms.ring_channels import (
    rings_all_gather,
    rings_all_reduce,
    rings_reduce_scatter,
)
from collectives.cost.choose.channels import MOST_ROWS
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import within

BY_RANK = {rings_all_reduce: False, rings_all_gather: True, rings_reduce_scatter: True}


def without_ranks(topology: Topology, gone: Sequence[int]) -> Topology:
    """The same machine for the ranks that remain, renumbered in order; its links stay in order.

    What messages of others pass stays, as a ring's link does beside a rank that has left.

    >>> from collectives.cost.machines import topology
    >>> without_ranks(topology("ring", 4), [1])
    <Topology: ring: 3 ranks, 1 removed rank, 8 links one way>
    """
    left = np.delete(np.arange(topology.ranks), list(gone))
    sizes = {len(node) for node in nodes_of(topology, left)}
    gpus = max(sizes)
    even = len(sizes) == 1 and gpus < len(left)
    return replace(
        renumbered(topology, np.concatenate([left, list(gone)]).astype(np.intp)),
        kinds=(("rank", len(left)), ("removed rank", len(gone)), *topology.kinds[1:]),
        channels=min(topology.channels, gpus) if even else 1,
        gpus=gpus,
    )


def renumbered(topology: Topology, order: Integers) -> Topology:
    """The same machine whose rank r is the one that was `order[r]`; order: all ranks.

    >>> from collectives.cost.machines import topology
    >>> ring = renumbered(topology("ring", 4), np.array([0, 2, 1, 3]))
    >>> len(ring.paths([0], [1]).link)
    2
    """
    old = np.concatenate([order, np.arange(topology.ranks, topology.nodes)]).astype(np.intp)
    new = np.argsort(old)

    def route(src: Integers, dst: Integers) -> Paths:
        return topology.route(old[src], old[dst])

    return replace(topology, src=new[topology.src], dst=new[topology.dst], route=route, shape=())


def nodes_of(topology: Topology, left: Integers) -> list[Integers]:
    """The ranks that remain in each node that has any, by their new numbers."""
    node = left // topology.gpus
    return [np.flatnonzero(node == number) for number in np.unique(node)]


def uneven_rings(recording: Recording, topology: Topology, left: Integers) -> Recording | None:
    """A ring in as many channels as the smallest node has ranks; None where there are none.

    topology: before ranks left. Nodes of one size have channels of the catalog.
    """
    nodes, row = nodes_of(topology, left), recording.row
    sizes = {len(node) for node in nodes}
    channels = min(topology.channels, *sizes, MOST_ROWS // max(1, recording.counters.rows))
    make = None if row is None else row.in_channels
    if make not in BY_RANK or len(sizes) == 1 or channels < 2:
        return None
    shares = np.arange(channels)[:, None]
    turned = [
        [np.roll(node, -c * len(node) // channels) for node in nodes] for c in range(channels)
    ]
    ranks = np.array([np.concatenate(ring) for ring in turned])
    slots = channels * ranks + shares if BY_RANK[make] else recording.ranks * shares.ravel()
    return record(
        within(ranks, recording.steps, slots),
        recording.algorithm,
        collective=recording.collective,
        ranks=recording.ranks,
        slots=recording.ranks * channels,
        count=recording.count,
        dtype=recording.dtype,
        op=recording.op,
    )
