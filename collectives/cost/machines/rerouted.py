"""Messages that go round dead links, by other cards of a node and through other ranks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.search import Search
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput


def rerouted(topology: Topology) -> Topology:
    """The same topology, whose messages take another path where theirs has a dead link.

    The other path has the fewest links that are alive, also through other ranks: what leaves a
    rank whose network card is dead leaves its node by the card of another rank, as R²CCL moves
    connections to a healthy card (arXiv 2512.25059, 2025) and NCCL's PXN relays. Messages that
    have no other path keep theirs, and never arrive.

    >>> from collectives.cost.machines import topology
    >>> from collectives.cost.machines.faults import dead_link
    >>> ring = topology("ring", 4)
    >>> ring.paths([0], [1]).link, rerouted(dead_link(ring, 0, 1)).paths([0], [1]).link
    (array([0]), array([4, 7, 6]))
    """
    dead = topology.bandwidth == 0
    alive = np.flatnonzero(~dead)
    ends = topology.src[alive], topology.dst[alive]
    search = Search(
        topology.nodes,
        (*ends, topology.latency[alive], topology.bandwidth[alive]),
        np.zeros(len(alive), np.intp),
        topology.name,
        topology.label,
    )

    def around(start: int, end: int, usual: Integers) -> Integers:
        try:
            return alive[search(np.array([start]), np.array([end])).link]
        except BadInput:
            return usual  # nothing else leads there

    def route(source: Integers, goal: Integers) -> Paths:
        usual = topology.route(source, goal)
        parts = np.split(usual.link, usual.start[1:-1])
        ends = zip(source.tolist(), goal.tolist(), parts, strict=True)
        taken = [around(a, b, part) if dead[part].any() else part for a, b, part in ends]
        lengths = [0, *map(len, taken)]
        return Paths(np.cumsum(lengths), np.concatenate([*taken, np.zeros(0, np.intp)]))

    return replace(topology, route=route)
