"""The two clocks: `lockstep`, in which steps wait for one another, and `dataflow`, without barrier.

Lockstep: all messages of a step start at once and share links; the next step starts when all of
them are there and added. Dataflow: a message starts when the data it reads is there and both of
its ports are free, whatever the others do. A port is the first or last link of a path; it takes
its messages in the order of the schedule, one at a time (as many as it has lanes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.contention import apart
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.delays import Delays
from collectives.cost.clocks.flow_network import Network, check_messages
from collectives.cost.clocks.loads import Loads
from collectives.cost.clocks.lockstep import in_lockstep
from collectives.cost.clocks.port_clocks import PortClocks
from collectives.cost.clocks.slots import SlotsForgotten
from collectives.cost.clocks.timed import Timed
from collectives.cost.clocks.timing import Timing, check_total
from collectives.cost.machines.paths import Floats
from collectives.cost.machines.topology import Topology

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

FREE = Costs()
Walk = Callable[["Recording", Topology, Costs, bool], Iterator[Timed]]


def lockstep(recording: Recording, topology: Topology, costs: Costs = FREE) -> Timing:
    """Time with a barrier after every step.

    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> ring = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    >>> lockstep(ring, topology("crossbar", 4, latency="5us", bandwidth="1GB/s")).total * 1e6
    36.0
    """
    return _timing("lockstep", recording, topology, costs, in_lockstep)


def dataflow(recording: Recording, topology: Topology, costs: Costs = FREE) -> Timing:
    """Time without barriers: what does not wait for anything goes on.

    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> chain = record("broadcast", "ring", ranks=4, chunks=3, count=3000, dtype="uint8")
    >>> dataflow(chain, topology("crossbar", 4, latency="5us", bandwidth="1GB/s")).total * 1e6
    30.0
    """
    pairs = recording.counters.links
    placement = topology.placement(recording.ranks, recording.nodes, recording.title)
    if apart(topology, placement[pairs]):
        return _timing("dataflow", recording, topology, costs, _by_ports)
    return _timing("dataflow", recording, topology, costs, _by_flows)


def _timing(
    clock: str, recording: Recording, topology: Topology, costs: Costs, walk: Walk
) -> Timing:
    """Add up what a walk through the loads finds."""
    again = partial(walk, recording, topology, costs, False)
    try:
        starts, ends = _steps(again())
    except SlotsForgotten:
        again = partial(walk, recording, topology, costs, True)
        starts, ends = _steps(again())
    come = max(costs.arrivals.values(), default=0.0)
    total = check_total(max(come, float(ends.max(initial=0.0))))
    return Timing(clock, recording, topology, costs, total, starts, ends, again)


def _steps(timed: Iterable[Timed]) -> tuple[Floats, Floats]:
    """Start and end of every step."""
    starts: list[Floats] = [np.zeros(0)]
    ends: list[Floats] = [np.zeros(0)]
    latest = 0.0
    for one in timed:
        pattern, (start, _, end) = one.load.pattern, one.spread
        at = one.at
        over = float(end.max(initial=0.0))
        if one.own is not None:
            over = max(over, float(one.own[2].max()))
        elif not pattern.number:
            starts.append(np.maximum(at, latest))
            ends.append(starts[-1])
            continue
        starts.append(at + start.min(initial=over))
        until = np.arange(1, one.times + 1) * one.length if one.length else over
        ends.append(one.base + until + np.zeros(one.times))
        latest = max(latest, float(ends[-1][-1]))
    return np.concatenate(starts), np.concatenate(ends)


def _by_ports(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """The dataflow clock where only ports are ever shared."""
    loads = Loads(recording, topology, costs)
    delays = Delays(topology, loads.placement, costs)
    clocks = PortClocks(topology, recording.nodes, recording.slots, delays, keep)
    return clocks.run(loads)


def _by_flows(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """The dataflow clock where messages get in each other's way."""
    check_messages(recording.counters.messages, topology)
    loads = Loads(recording, topology, costs)
    network = Network(topology, recording.slots, Delays(topology, loads.placement, costs))
    for load in loads:
        network.add(load)
    start, sent, end = network.run()
    first = 0
    for number, load in enumerate(network.loads):
        rows = slice(first, first + load.pattern.number)
        first = rows.stop
        own = network.own(number)
        yield Timed(load, 0.0, (start[rows], sent[rows], end[rows]), own=own)
