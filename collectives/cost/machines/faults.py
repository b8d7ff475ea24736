"""Trouble on purpose: slow and dead links, slow and late ranks, jitter; where a schedule stalls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.clock import dataflow
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.topology import Topology, changed
from collectives.errors import BadInput
from collectives.values import positive, seconds, whole

if TYPE_CHECKING:
    from collectives.cost.clocks.timing import Messages, Timing
    from collectives.recording.recording import Recording

MOST_SEED = 1 << 48
MOST_FACTOR = 1e12  # by which anything is slower or faster
SHOWN = 8  # ranks that wait, as a sentence lists them


def slow_link(topology: Topology, src: int, dst: int, factor: float) -> Topology:
    """The same topology with one direction of a link `factor` times slower, latency too.

    src and dst are nodes of the topology that a link joins.
    """
    link = _link(topology, src, dst)
    times = _slower(factor)
    bandwidth, latency = topology.bandwidth.copy(), topology.latency.copy()
    bandwidth[link] /= times
    latency[link] *= times
    return changed(topology, bandwidth=bandwidth, latency=latency)


def dead_link(topology: Topology, src: int, dst: int) -> Topology:
    """The same topology with one direction of a link over which nothing ever arrives.

    Messages are not sent another way round: see `stall` for where a schedule stops.
    """
    bandwidth = topology.bandwidth.copy()
    bandwidth[_link(topology, src, dst)] = 0.0
    return changed(topology, bandwidth=bandwidth)


def slow_rank(topology: Topology, costs: Costs, rank: int, factor: float) -> tuple[Topology, Costs]:
    """The same with all links of a rank, and what it adds, `factor` times slower."""
    node, times = _rank(topology, rank), _slower(factor)
    near = (topology.src == node) | (topology.dst == node)
    slower = changed(
        topology,
        bandwidth=np.where(near, topology.bandwidth / times, topology.bandwidth),
        latency=np.where(near, topology.latency * times, topology.latency),
    )
    known = costs.slowness.get(node, 1.0)
    return slower, replace(costs, slowness={**costs.slowness, node: known * times})


def late_rank(costs: Costs, rank: int, late: float) -> Costs:
    """The same with a rank that comes to the collective `late` seconds after the others."""
    node = whole("rank", rank)
    return replace(costs, arrivals={**costs.arrivals, node: seconds("lateness", late)})


def jittery(costs: Costs, most: float, seed: int = 0) -> Costs:
    """The same with every message up to `most` seconds longer, at random: same seed, same times."""
    return replace(costs, jitter=seconds("jitter", most), seed=whole("seed", seed, most=MOST_SEED))


@dataclass(frozen=True)
class Stall:
    """Where a schedule stops for ever: the first message that never arrives, and who waits.

    step counts from 1. waits: of each rank that waits for a message, the rank it waits for and
    the step of that message. The sender of the lost message may be stuck without waiting.
    """

    step: int
    src: int
    dst: int
    waits: dict[int, tuple[int, int]]
    sentence: str

    def __str__(self) -> str:
        """What happens, in a line."""
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
    all_messages = timing.messages
    lost = _lost(timing)
    first = int(lost[np.isfinite(all_messages.start[lost])][0])
    name = _names(timing.recording)
    src, dst = int(all_messages.src[first]), int(all_messages.dst[first])
    waits = _waits(all_messages, lost)
    told = [
        f"{name(node)} waits for {name(who)} (step {step})" for node, (who, step) in waits.items()
    ]
    if len(told) > SHOWN:
        told = [*told[:SHOWN], f"{len(told) - SHOWN} more wait"]
    step = int(all_messages.step[first]) + 1
    sentence = f"step {step}: {name(src)}'s message never reaches {name(dst)}; {', '.join(told)}"
    return Stall(step, src, dst, waits, sentence)


def _lost(timing: Timing) -> np.ndarray:
    """Messages that never come: those over a dead link, and those that are never sent.

    What does come and cannot be stored, as the receiver still sends what is in its place, is
    none of them: nobody waits for it.
    """
    every, topology = timing.messages, timing.topology
    never = np.flatnonzero(~np.isfinite(every.end))
    placement = topology.placement(timing.recording.ranks, timing.recording.nodes)
    paths = topology.paths(placement[every.src[never]], placement[every.dst[never]])
    dead = paths.least(topology.bandwidth) == 0
    lost: np.ndarray = never[dead | ~np.isfinite(every.start[never])]
    return lost


def _waits(all_messages: Messages, lost: np.ndarray) -> dict[int, tuple[int, int]]:
    """The first message each node never gets: from whom, and in which step."""
    waits: dict[int, tuple[int, int]] = {}
    for row in lost.tolist():
        node = int(all_messages.dst[row])
        waits.setdefault(node, (int(all_messages.src[row]), int(all_messages.step[row]) + 1))
    return waits


def _names(recording: Recording):  # type: ignore[no-untyped-def]
    return lambda node: f"rank {node}" if node < recording.ranks else f"node {node}"


def _link(topology: Topology, src: int, dst: int) -> int:
    """The link from one node to another; raises BadInput with one that there is."""
    for node in (src, dst):
        if whole("node", node) >= topology.nodes:
            most = topology.nodes - 1
            raise BadInput(f"node {node}: {topology.name} has nodes 0 to {most}; nearest: {most}")
    found = np.flatnonzero((topology.src == src) & (topology.dst == dst))
    if not len(found):
        ends = topology.dst[topology.src == src]
        near = int(ends[np.argmin(np.abs(ends - dst))]) if len(ends) else None
        hint = (
            f"nearest: {topology.label(src)} → {topology.label(near)}" if near is not None else ""
        )
        raise BadInput(
            f"{topology.name} has no link {topology.label(src)} → {topology.label(dst)}; {hint}"
        )
    return int(found[0])


def _slower(factor: float) -> float:
    """How many times slower; raises BadInput unless it is above 0 and leaves numbers in range."""
    times = positive("factor", factor)
    if not 1 / MOST_FACTOR <= times <= MOST_FACTOR:
        near = MOST_FACTOR if times > 1 else 1 / MOST_FACTOR
        raise BadInput(
            f"factor {times:g}: must be {1 / MOST_FACTOR:g} to {MOST_FACTOR:g}; nearest: {near:g}"
        )
    return times


def _rank(topology: Topology, rank: int) -> int:
    node = whole("rank", rank)
    if node >= topology.ranks:
        most = topology.ranks - 1
        raise BadInput(f"rank {node}: {topology.name} has ranks 0 to {most}; nearest: {most}")
    return node
