"""The two clocks: `lockstep`, with a barrier after every step, and `dataflow`, without barriers.

Lockstep: all messages of a step start at once and share links; the next step starts when all of
them have arrived and been added. Dataflow: a message starts when the data it reads is ready and
both of its ports are free, whatever the others do. A port is the first or last link of a path; it
takes its messages in the order of the schedule, one at a time (as many as it has lanes).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from collectives.cost.clocks.contention import contention_free
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.event_clock import EventClock
from collectives.cost.clocks.lockstep import step_by_step
from collectives.cost.clocks.port_clocks import PortClocks, SlotsForgotten
from collectives.cost.clocks.step_messages import MessageSource, StepTimes
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording, check_recording
from collectives.values import instance

FREE = Costs()
Clock = Callable[[Recording, Topology, Costs], Timing]
Walk = Callable[[MessageSource, bool], Iterator[StepTimes]]  # whether all clocks are kept


def lockstep(recording: Recording, topology: Topology, costs: Costs = FREE) -> Timing:
    """Time a recording with a barrier after every step.

    Parameters
    ----------
    recording : Recording
        The schedule and the sizes of its messages.
    topology : Topology
        The machine, with as many ranks as the recording and nodes for its switches and servers.
    costs : Costs, optional
        What messages cost beside the links; nothing by default.

    Returns
    -------
    Timing
        The total and the start and end of every step, in seconds.

    Raises
    ------
    BadInput
        Where the machine has no place for the recording or no path for a message.

    Examples
    --------
    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> ring = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    >>> lockstep(ring, topology("crossbar", 4, latency="5us", bandwidth="1GB/s")).total * 1e6
    36.0
    """
    _check(recording, topology, costs)
    return _timing("lockstep", recording, topology, costs, lambda source, _: step_by_step(source))


def dataflow(recording: Recording, topology: Topology, costs: Costs = FREE) -> Timing:
    """Time a recording without barriers: a message waits for its data and its two ports only.

    Parameters
    ----------
    recording : Recording
        The schedule and the sizes of its messages.
    topology : Topology
        The machine, with as many ranks as the recording and nodes for its switches and servers.
    costs : Costs, optional
        What messages cost beside the links; nothing by default.

    Returns
    -------
    Timing
        The total and the start and end of every step, in seconds; steps may overlap.

    Raises
    ------
    BadInput
        Where the machine has no place for the recording or no path for a message, and where
        more than 2^20 messages contend for links.

    Examples
    --------
    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> chain = record("broadcast", "ring", ranks=4, chunks=3, count=3000, dtype="uint8")
    >>> dataflow(chain, topology("crossbar", 4, latency="5us", bandwidth="1GB/s")).total * 1e6
    30.0
    """
    _check(recording, topology, costs)
    pairs = recording.counters.links
    placement = topology.placement(recording.ranks, recording.nodes, recording.title)
    free = contention_free(topology, placement[pairs])

    def walk(source: MessageSource, keep: bool) -> Iterator[StepTimes]:
        return PortClocks(source, keep).times() if free else EventClock(source).times()

    return _timing("dataflow", recording, topology, costs, walk)


def _check(recording: Recording, topology: Topology, costs: Costs) -> None:
    """Raise BadInput for a value of another kind."""
    check_recording(recording)
    instance("topology", topology, Topology, "topology('crossbar', 4)")
    instance("costs", costs, Costs, "Costs(latency=5e-6)")


def _timing(
    clock: str, recording: Recording, topology: Topology, costs: Costs, walk: Walk
) -> Timing:
    """The total and the steps of a walk through the messages."""

    def again() -> Iterator[StepTimes]:
        return walk(MessageSource(recording, topology, costs), keep)

    keep = False
    try:
        starts, ends = _steps(again())
    except SlotsForgotten:
        keep = True
        starts, ends = _steps(again())
    total = max(max(costs.arrivals.values(), default=0.0), float(ends.max(initial=0.0)))
    if total != total:
        raise BadInput("the times of this schedule are beyond 1e308 seconds, the largest number")
    return Timing(clock, recording, topology, costs, total, starts, ends, again)


def _steps(runs: Iterable[StepTimes]) -> tuple[Floats, Floats]:
    """Start and end of every step."""
    starts: list[Floats] = [np.zeros(0)]
    ends: list[Floats] = [np.zeros(0)]
    latest = 0.0
    for run in runs:
        start, _, end = run.spread
        begins = run.begins
        over = float(end.max(initial=0.0))
        if run.work is not None:
            over = max(over, float(run.work[2].max()))
        elif not run.messages.routes.number:
            starts.append(np.maximum(begins, latest))
            ends.append(starts[-1])
            continue
        starts.append(begins + start.min(initial=over))
        until = np.arange(1, run.repeats + 1) * run.length if run.length else over
        ends.append(run.base + until + np.zeros(run.repeats))
        latest = max(latest, float(ends[-1][-1]))
    return np.concatenate(starts), np.concatenate(ends)
