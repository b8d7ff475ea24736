"""The lockstep clock: the messages of a step start at once and share links, then all wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.busy import running_most
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.delays import Delays
from collectives.cost.clocks.fair_share import SAME
from collectives.cost.clocks.flow_network import Network
from collectives.cost.clocks.loads import Loads
from collectives.cost.clocks.step_messages import Load, Pattern
from collectives.cost.clocks.timed import Own, Timed
from collectives.cost.clocks.uneven import arrivals_at_best
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology

if TYPE_CHECKING:
    from collectives.recording.recording import Recording


def in_lockstep(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """Every step begins when the last has ended, the first when all ranks have come."""
    loads = Loads(recording, topology, costs)
    delays = Delays(topology, loads.placement, costs)
    base, last = float(delays.arrive.max(initial=0.0)), None
    delays.arrive = np.zeros_like(delays.arrive)
    run: Timed | None = None
    for load in loads:
        if run is not None and load is last and not costs.jitter and run.length < np.inf:
            run.times += 1
            continue
        if run is not None:
            yield run
            base = base + run.times * run.length
        spread, last = _step(load, topology, delays), load
        own, length = _own(load, spread[2], delays), float(spread[2].max(initial=0.0))
        length = length if own is None else max(length, float(own[2].max()))
        run = Timed(load, base, spread, 1, length, True, own)
    if run is not None:
        yield run


def _step(load: Load, topology: Topology, delays: Delays) -> tuple[Floats, Floats, Floats]:
    """Start, end of sending and end of the messages of one step, from its start."""
    pattern = load.pattern
    size = np.broadcast_to(load.size, pattern.number).astype(np.float64)
    start = np.zeros(pattern.number)
    if not pattern.number:
        return start, start, start
    if delays.costs.loggp is not None:
        return _step_in_turn(load, topology, delays)
    lead = delays.lead(pattern, size)
    if _fits(pattern, topology):
        sent = lead + delays.alone(pattern, size)
    else:
        paths, flow = pattern.paths, delays.flow(size)
        sent = arrivals_at_best(
            lead, flow, paths.start, topology.group[paths.link], topology.capacity, pattern.limit
        )
        sent[pattern.limit == 0] = np.inf
    end = sent + pattern.flight
    if delays.costs.gamma:
        end = _added(end, delays.gamma[pattern.dst] * load.added, pattern.dst)
    return start, sent, end


def _own(load: Load, end: Floats, delays: Delays) -> Own | None:
    """When nodes add what they have themselves: after all that comes in the step."""
    if load.own is None:
        return None
    adding = np.bincount(load.step.dst, load.own, len(delays.gamma)) * delays.gamma
    begin = np.zeros(len(adding))
    np.maximum.at(begin, load.pattern.dst, end)
    node = np.flatnonzero(adding)
    return node, begin[node], begin[node] + adding[node]


def _step_in_turn(load: Load, topology: Topology, delays: Delays) -> tuple[Floats, Floats, Floats]:
    """As `_step` by LogGP, in which messages of one port follow one another."""
    network = Network(topology, 1, delays)
    network.add(load, ordered=False)
    return network.run()


def _fits(pattern: Pattern, topology: Topology) -> bool:
    """Whether all messages at once leave each the rate of its slowest link."""
    if pattern.fits is None:
        paths = pattern.paths
        rate = np.repeat(pattern.limit, np.diff(paths.start))
        wanted = np.bincount(topology.group[paths.link], rate, len(topology.capacity))
        pattern.fits = bool((wanted <= topology.capacity * (1 + SAME)).all())
    return pattern.fits


def _added(come: Floats, adding: Floats, dst: Integers) -> Floats:
    """When each message is added: a receiver adds them one after another, as they come."""
    order = np.lexsort((come, dst))
    node = dst[order]
    before = np.cumsum(adding[order]) - adding[order]
    head = np.searchsorted(node, node)
    before = before - before[head]
    end = np.empty(len(come))
    end[order] = running_most(come[order] - before, node) + before + adding[order]
    return end
