"""The lockstep clock: messages of a step start at once and share links; the next step waits."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from collectives.cost.clocks.busy import running_maximum
from collectives.cost.clocks.costs import MessageCosts
from collectives.cost.clocks.event_clock import EventClock
from collectives.cost.clocks.fair_flows import fair_arrivals
from collectives.cost.clocks.step_messages import LocalWork, MessageSource, StepMessages, StepTimes
from collectives.cost.machines.paths import Floats, Integers


def step_by_step(source: MessageSource) -> Iterator[StepTimes]:
    """Every step begins when the last has ended, the first when all ranks have arrived."""
    costs = source.costs
    base, last = float(costs.arrivals.max(initial=0.0)), None
    costs.arrivals = np.zeros_like(costs.arrivals)
    run: StepTimes | None = None
    for messages in source:
        if run is not None:
            if messages is last and not costs.costs.jitter and run.length < np.inf:
                run.repeats += 1
                continue
            yield run
            base = base + run.repeats * run.length
        spread, last = _step(messages, source), messages
        work, length = _local_work(messages, spread[2], costs), float(spread[2].max(initial=0.0))
        length = length if work is None else max(length, float(work[2].max()))
        run = StepTimes(messages, base, spread, 1, length, True, work)
    if run is not None:
        yield run


def _step(messages: StepMessages, source: MessageSource) -> tuple[Floats, Floats, Floats]:
    """Start, end of sending and end of the messages of one step, from its start."""
    routes, costs, topology = messages.routes, source.costs, source.topology
    size = np.broadcast_to(messages.size, routes.number).astype(np.float64)
    start = np.zeros(routes.number)
    if not routes.number:
        return start, start, start
    if costs.costs.loggp is not None:  # messages of one port follow one another
        clock = EventClock(source)
        clock.add(messages, ordered=False)
        return clock.run()
    lead = costs.lead(routes, size)
    if routes.fits:
        sent = lead + costs.uncontended(routes, size)
    else:
        paths, flow = routes.paths, costs.flow(size)
        sent = fair_arrivals(
            lead, flow, paths.start, topology.group[paths.link], topology.capacity, routes.limit
        )
        sent[routes.limit == 0] = np.inf
    end = sent + routes.flight
    if costs.costs.gamma:
        end = _added(end, costs.gamma[routes.dst] * messages.added, routes.dst)
    return start, sent, end


def _local_work(messages: StepMessages, end: Floats, costs: MessageCosts) -> LocalWork | None:
    """When nodes add what they have themselves: after all that arrives in the step."""
    if messages.local is None:
        return None
    adding = np.bincount(messages.step.dst, messages.local, len(costs.gamma)) * costs.gamma
    begin = np.zeros(len(adding))
    np.maximum.at(begin, messages.routes.dst, end)
    node = np.flatnonzero(adding)
    return node, begin[node], begin[node] + adding[node]


def _added(arrival: Floats, adding: Floats, dst: Integers) -> Floats:
    """When each message is added: a receiver adds them one after another, as they arrive."""
    order = np.lexsort((arrival, dst))
    node = dst[order]
    before = np.cumsum(adding[order]) - adding[order]
    before = before - before[np.searchsorted(node, node)]
    end = np.empty(len(arrival))
    end[order] = running_maximum(arrival[order] - before, node) + before + adding[order]
    return end
