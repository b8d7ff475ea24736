"""The least time any algorithm of point-to-point messages can take on a machine."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.theory.bounds import Bound, lower_bound

MOST_NEAR = 64  # ranks among which the nearest two are looked for


@dataclass(frozen=True)
class TimeBound:
    """Steps of the least latency there is, and bytes that leave or reach the fastest rank.

    Both have to be waited for: in each step a message starts, and the bytes of the busiest rank
    leave it, or reach it if these are more, at best by all of its links at once.
    """

    seconds: float
    steps: int
    latency: float
    bytes: int
    bandwidth: float
    ports: int  # of a rank, which it may use at once


def time_bound(recording: Recording, topology: Topology, costs: Costs) -> TimeBound | None:
    """The lower bound for a recording's collective.

    None where switches or servers take part, or every link of the ranks is dead.

    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> ring = record("all_reduce", "ring", ranks=4, count=4_000_000, dtype="uint8")
    >>> f"{time_bound(ring, topology('crossbar', 4), Costs()).seconds:.3g}"
    '0.00013'
    """
    bound = _bound(recording, topology)
    if not bound.holds:
        return None
    latency = _nearest(topology) + costs.latency if recording.ranks > 1 else 0.0
    ways = np.zeros((2, topology.nodes))  # bandwidth out of each node, and into it
    for way, end in zip(ways, (topology.src, topology.dst), strict=True):
        np.add.at(way, end, topology.bandwidth * topology.lanes)
    fastest = float(ways[:, : topology.ranks].max())
    if costs.loggp is not None:
        latency, fastest = costs.loggp.L + 2 * costs.loggp.o, inf
    if bound.busiest_port and not fastest:
        return None
    moving = bound.busiest_port / fastest if bound.busiest_port else 0.0
    seconds = bound.steps * latency + moving
    return TimeBound(seconds, bound.steps, latency, bound.busiest_port, fastest, bound.ports)


def _bound(recording: Recording, topology: Topology) -> Bound:
    """The bounds for as many ports as the algorithm uses at once, or the machine has."""
    ranks = topology.src < topology.ranks
    out = np.bincount(topology.src[ranks], topology.lanes[ranks], minlength=1)
    ports = max(recording.counters.ports, int(out.max()))
    in_network = recording.nodes > recording.ranks
    return lower_bound(recording.collective, recording.case, ports, in_network)


def _nearest(topology: Topology) -> float:
    """The least latency between two ranks."""
    some = min(topology.ranks, MOST_NEAR)
    src, dst = np.nonzero(~np.eye(some, dtype=np.bool_))
    return float(topology.paths(src, dst).total(topology.latency).min())
