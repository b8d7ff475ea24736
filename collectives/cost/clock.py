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

from collectives.cost.fair import SAME, arrivals
from collectives.cost.flows import Network
from collectives.cost.messages import Load, Loads, Pattern
from collectives.cost.model import Costs
from collectives.cost.ports import Delays, Own, PortClocks, SlotsForgotten, Timed
from collectives.cost.timing import NO_MESSAGES, Busy, Messages, Timing, check_total, running_most
from collectives.cost.topology import Floats, Integers, Topology

if TYPE_CHECKING:
    from collectives.recording import Recording

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
    return _timing("lockstep", recording, topology, costs, _in_lockstep)


def dataflow(recording: Recording, topology: Topology, costs: Costs = FREE) -> Timing:
    """Time without barriers: what does not wait for anything goes on.

    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> chain = record("broadcast", "ring", ranks=4, chunks=3, count=3000, dtype="uint8")
    >>> dataflow(chain, topology("crossbar", 4, latency="5us", bandwidth="1GB/s")).total * 1e6
    30.0
    """
    pairs = recording.counters.links
    seats = topology.seats(recording.ranks, recording.nodes, recording.title)
    if _apart(topology, seats[pairs]):
        return _timing("dataflow", recording, topology, costs, _by_ports)
    return _timing("dataflow", recording, topology, costs, _by_flows)


def _timing(
    clock: str, recording: Recording, topology: Topology, costs: Costs, walk: Walk
) -> Timing:
    """Add up what a walk through the loads finds."""
    again = partial(_messages, recording, topology, costs, walk)
    try:
        starts, ends, busy = _summed(walk(recording, topology, costs, False), recording.nodes)
    except SlotsForgotten:
        starts, ends, busy = _summed(walk(recording, topology, costs, True), recording.nodes)
    come = max(costs.arrivals.values(), default=0.0)
    total = check_total(max(come, float(ends.max(initial=0.0))))
    return Timing(clock, recording, topology, costs, total, starts, ends, busy, again)


def _summed(timed: Iterable[Timed], nodes: int) -> tuple[Floats, Floats, Floats]:
    """Start and end of every step, busy seconds of every node."""
    starts: list[Floats] = [np.zeros(0)]
    ends: list[Floats] = [np.zeros(0)]
    busy = Busy(nodes)
    latest = 0.0
    for one in timed:
        pattern, (start, sent, end) = one.load.pattern, one.spread
        at = one.base + np.arange(one.times) * one.length
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
        if one.alone:
            length = np.zeros(nodes)
            np.maximum.at(length, pattern.src, sent)
            np.maximum.at(length, pattern.dst, end)
            if one.own is not None:
                np.maximum.at(length, one.own[0], one.own[2])
            busy.more(length * one.times)
        else:
            _add_busy(busy, one)
    return np.concatenate(starts), np.concatenate(ends), busy.result()


def _add_busy(busy: Busy, one: Timed) -> None:
    """Count steps beside which other things may happen."""
    pattern, (start, sent, end) = one.load.pattern, one.spread
    last = one.base + (one.times - 1) * one.length
    for node, until in ((pattern.src, sent), (pattern.dst, end)):
        # those that go on from one step to the next without a pause
        whole = until == one.length if one.times > 1 else np.zeros(len(node), np.bool_)
        busy.add(node[whole], one.base + start[whole], last + until[whole])
        part = np.flatnonzero(~whole)
        at = one.base + np.repeat(np.arange(one.times), len(part)) * one.length
        each = np.tile(part, one.times)
        busy.add(node[each], at + start[each], at + until[each])
    if one.own is not None:
        busy.add(*one.own)


def _messages(recording: Recording, topology: Topology, costs: Costs, walk: Walk) -> Messages:
    """Every message with its times."""
    columns: list[tuple[Integers | Floats, ...]] = []
    step = 0
    for one in walk(recording, topology, costs, True):
        pattern = one.load.pattern
        size = np.broadcast_to(one.load.size, pattern.number)
        for k in range(one.times):
            at = one.base + k * one.length
            times = (at + part for part in one.spread)
            columns.append((np.full(pattern.number, step), pattern.src, pattern.dst, size, *times))
            step += 1
    return Messages(*map(np.concatenate, zip(*columns, strict=True))) if columns else NO_MESSAGES


def _in_lockstep(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """Every step begins when the last has ended, the first when all ranks have come."""
    loads = Loads(recording, topology, costs)
    delays = Delays(topology, loads.seats, costs)
    base, last = float(delays.arrive.max(initial=0.0)), None
    delays.arrive = np.zeros_like(delays.arrive)
    run: Timed | None = None
    for load in loads:
        if run is not None and load is last and not costs.jitter:
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
        sent = arrivals(
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


def _by_ports(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """The dataflow clock where only ports are ever shared."""
    loads = Loads(recording, topology, costs)
    delays = Delays(topology, loads.seats, costs)
    clocks = PortClocks(topology, recording.nodes, recording.slots, delays, keep)
    return clocks.run(loads)


def _by_flows(
    recording: Recording, topology: Topology, costs: Costs, keep: bool
) -> Iterator[Timed]:
    """The dataflow clock where messages get in each other's way."""
    loads = Loads(recording, topology, costs)
    network = Network(topology, recording.slots, Delays(topology, loads.seats, costs))
    for load in loads:
        network.add(load)
    start, sent, end = network.run()
    first = 0
    for number, load in enumerate(network.loads):
        rows = slice(first, first + load.pattern.number)
        first = rows.stop
        own = network.own(number)
        yield Timed(load, 0.0, (start[rows], sent[rows], end[rows]), own=own)


def _apart(topology: Topology, pairs: Integers) -> bool:
    """Whether no two messages between these pairs can ever be on a link, or in a group, at once.

    They cannot where all that use it leave by one port, or all come in by one; nor where it is
    a port itself and has room for as many as it takes at once.
    """
    if not len(pairs):
        return True
    paths = topology.paths(pairs[:, 0], pairs[:, 1])
    hops = np.diff(paths.start)
    group = topology.group[paths.link]
    out, into = np.repeat(paths.first, hops), np.repeat(paths.last, hops)
    number = len(topology.capacity)
    link = _one_value(paths.link, group, number)
    room = topology.capacity >= np.bincount(
        topology.group, topology.bandwidth * topology.lanes, number
    ) / np.maximum(1, np.bincount(topology.group, minlength=number))
    safe = np.zeros(number, np.bool_)
    for port in (out, into):
        one = _one_value(port, group, number)
        safe |= (one >= 0) & (topology.lanes[np.maximum(one, 0)] == 1)
        safe |= (one >= 0) & (one == link) & room
    return bool(safe[group].all())


def _one_value(value: Integers, group: Integers, number: int) -> Integers:
    """The value that all entries of a group have, -1 where they differ."""
    low, high = np.full(number, np.iinfo(np.intp).max), np.full(number, -1)
    np.minimum.at(low, group, value)
    np.maximum.at(high, group, value)
    return np.where(low == high, high, -1)
