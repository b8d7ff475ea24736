"""Faults: slow and dead links, slow and late ranks, jitter; and where a schedule stalls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.clock import dataflow
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.paths import Integers
from collectives.cost.machines.topology import Topology, changed
from collectives.errors import BadInput
from collectives.values import positive, seconds, whole

if TYPE_CHECKING:
    from collectives.cost.clocks.timing import Timing
    from collectives.recording.recording import Recording

MOST_SEED = 1 << 48
MOST_FACTOR = 1e12  # by which a link or rank is slower or faster
SHOWN = 8  # ranks that wait, as a sentence lists them


def slow_link(topology: Topology, src: int, dst: int, factor: float) -> Topology:
    """The same topology with one direction of a link of `factor` times less bandwidth.

    The latency stays, as when lanes of a cable fail. src and dst are nodes that a link joins.
    """
    link = _link(topology, src, dst)
    bandwidth = topology.bandwidth.copy()
    bandwidth[link] /= _slower(factor)
    return changed(topology, bandwidth=bandwidth)


def dead_link(topology: Topology, src: int, dst: int) -> Topology:
    """The same topology with one direction of a link over which nothing ever arrives.

    Messages do not take another path: `stall` finds where a schedule stops.
    """
    bandwidth = topology.bandwidth.copy()
    bandwidth[_link(topology, src, dst)] = 0.0
    return changed(topology, bandwidth=bandwidth)


def slow_rank(topology: Topology, costs: Costs, rank: int, factor: float) -> tuple[Topology, Costs]:
    """The same with a rank `factor` times slower: its links, latency too, and what it adds."""
    node, times = whole("rank", rank, 0, topology.ranks - 1), _slower(factor)
    near = (topology.src == node) | (topology.dst == node)
    slower = changed(
        topology,
        bandwidth=np.where(near, topology.bandwidth / times, topology.bandwidth),
        latency=np.where(near, topology.latency * times, topology.latency),
    )
    known = costs.slowness.get(node, 1.0)
    return slower, replace(costs, slowness={**costs.slowness, node: known * times})


def late_rank(costs: Costs, rank: int, lateness: float) -> Costs:
    """The same with a rank that starts the collective `lateness` seconds after the others."""
    node = whole("rank", rank)
    return replace(costs, arrivals={**costs.arrivals, node: seconds("lateness", lateness)})


def jittery(costs: Costs, limit: float, seed: int = 0) -> Costs:
    """The same with each message up to `limit` seconds longer, at random: same seed, same times."""
    return replace(
        costs, jitter=seconds("jitter", limit), seed=whole("seed", seed, maximum=MOST_SEED)
    )


@dataclass(frozen=True)
class Stall:
    """Where a schedule stops for ever: the first message that never arrives, and who waits.

    step counts from 1. waits: for each rank that waits for a message, the rank it waits for and
    the step of that message. The sender of the lost message may be stuck without waiting.
    """

    step: int
    src: int
    dst: int
    waits: dict[int, tuple[int, int]]
    sentence: str

    def __str__(self) -> str:
        """The sentence."""
        return self.sentence


def stall(recording: Recording, topology: Topology, costs: Costs | None = None) -> Stall | None:
    """Where a recording stalls on a topology with dead links; None where it ends.

    >>> from collectives import record
    >>> from collectives.cost.machines import topology
    >>> chain = record("broadcast", "ring", ranks=4, chunks=1)
    >>> print(stall(chain, dead_link(topology("ring", 4), 1, 2)))
    step 2: rank 1's message never reaches rank 2; rank 2 waits for rank 1 (step 2), \
rank 3 waits for rank 2 (step 3)
    """
    timing = dataflow(recording, topology, costs or Costs())
    return None if np.isfinite(timing.total) else _stalled(timing)


def _stalled(timing: Timing) -> Stall:
    recording, messages = timing.recording, timing.messages
    lost = _lost(timing)
    first = int(lost[np.isfinite(messages.start[lost])][0])
    src, dst, step = messages.src.tolist(), messages.dst.tolist(), (messages.step + 1).tolist()
    waits: dict[int, tuple[int, int]] = {}  # the first message that each node never gets
    for row in lost.tolist():
        waits.setdefault(dst[row], (src[row], step[row]))

    def name(node: int) -> str:
        return f"rank {node}" if node < recording.ranks else f"node {node}"

    waiting = [f"{name(node)} waits for {name(who)} (step {k})" for node, (who, k) in waits.items()]
    if len(waiting) > SHOWN:
        waiting = [*waiting[:SHOWN], f"{len(waiting) - SHOWN} more wait"]
    lost_message = f"{name(src[first])}'s message never reaches {name(dst[first])}"
    sentence = f"step {step[first]}: {lost_message}; {', '.join(waiting)}"
    return Stall(step[first], src[first], dst[first], waits, sentence)


def _lost(timing: Timing) -> Integers:
    """Messages that never arrive: those over a dead link, and those that are never sent.

    A message that arrives and cannot be stored, as the receiver still sends what is in its slot,
    is not among them: nobody waits for it.
    """
    messages, topology = timing.messages, timing.topology
    never = np.flatnonzero(~np.isfinite(messages.end))
    placement = topology.placement(timing.recording.ranks, timing.recording.nodes)
    paths = topology.paths(placement[messages.src[never]], placement[messages.dst[never]])
    dead = paths.minimum(topology.bandwidth) == 0
    lost: Integers = never[dead | ~np.isfinite(messages.start[never])]
    return lost


def _link(topology: Topology, src: int, dst: int) -> int:
    """The link from one node to another; raises BadInput with one that there is."""
    for node in (src, dst):
        whole("node", node, 0, topology.nodes - 1)
    links = np.flatnonzero((topology.src == src) & (topology.dst == dst))
    if not len(links):
        begin, ends = topology.label(src), topology.dst[topology.src == src]
        near = [topology.label(end) for end in ends[np.argsort(np.abs(ends - dst))[:1]].tolist()]
        hint = f"; try: {begin} → {near[0]}" if near else ""
        raise BadInput(f"{topology.name} has no link {begin} → {topology.label(dst)}{hint}")
    return int(links[0])


def _slower(factor: float) -> float:
    """How many times slower; raises BadInput unless it is above 0 and leaves numbers in range."""
    times = positive("factor", factor)
    near = min(max(times, 1 / MOST_FACTOR), MOST_FACTOR)
    if times != near:
        rule = f"must be {1 / MOST_FACTOR:g} to {MOST_FACTOR:g}"
        raise BadInput(f"factor {times:g}: {rule}; try: {near:g}")
    return times
