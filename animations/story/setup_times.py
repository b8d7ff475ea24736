"""The times of a storyboard's setup as numbers: what a page's sliders scale, the counters' own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from animations.story.machine_words import nodes_of
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.choose.ports import take_turns
from collectives.cost.choose.setup import emptied
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.link_use import busiest_in_turn, under_way
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Paths
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.structure import Torus


@dataclass(frozen=True)
class SetupTimes:
    """When each step has ended on the machine of a picture, by its clock.

    machine: its name. latency, bandwidth: of all messages, if they are the same, else 0. times:
    seconds in each state, the start included; waits: the same for a vector of no bytes. crowd: how
    many messages start at once over a port that takes fewer, where that favors the time; else 0.
    speed: of all messages, if that is the same, whatever their latencies, else 0. hop: the latency
    of each link where ranks are linked straight, if that is the same, else 0. halves: by step
    which half of all the cables of a torus it uses, 0 or 1; nothing where steps use more or less.
    carried: seconds that what passes the busiest link of each step takes, one step after another.
    kinds: of the time of bytes, the parts in which those within nodes and between them are under
    way, on a machine that is nodes.
    """

    machine: str
    latency: float
    bandwidth: float
    times: tuple[float, ...]
    waits: tuple[float, ...]
    crowd: int
    speed: float = 0.0
    hop: float = 0.0
    halves: tuple[int, ...] = ()
    carried: float = 0.0
    kinds: tuple[float, float] = (1.0, 1.0)

    @property
    def start(self) -> float:
        """The latency of all messages; else that of each step, where all wait as long; else 0."""
        starts = {float(f"{wait:.6g}") for wait in np.diff(self.waits) if wait > 0}
        return self.latency or (starts.pop() if self.speed and len(starts) == 1 else 0.0)


def setup_times(timing: Timing) -> SetupTimes:
    """The times of a timing."""
    recording, machine = timing.asked, timing.topology
    clock = lockstep if timing.clock == "lockstep" else dataflow
    bare = timed_as_run(emptied(recording), machine, clock, timing.costs)
    turns = take_turns(timing)
    figures = message_figures(recording, machine) or (0.0, 0.0)
    times, waits = ((0.0, *timed.step_end.tolist()) for timed in (timing, bare))
    crowd = turns.messages * turns.crowded
    in_step = clock is lockstep
    carried = busiest_in_turn(timing) if in_step else times[-1] - waits[-1]
    kinds = _kinds(timing, bare) if in_step else (1.0, 1.0)
    speeds = rates(recording, machine)
    speed = speeds[0] if len(speeds) == 1 else 0.0
    straight = machine.nodes == machine.ranks and machine.links and not np.ptp(machine.latency)
    hop = float(machine.latency[0]) if straight else 0.0
    halves = _halves(recording, machine) if straight else ()
    return SetupTimes(
        machine.name, *figures, times, waits, crowd, speed, hop, halves, carried, kinds
    )


def _kinds(timing: Timing, bare: Timing) -> tuple[float, float]:
    """The parts of the time of bytes in which those within nodes and between them are under way."""
    recording, machine, moved = timing.recording, timing.topology, timing.total - bare.total
    nodes = nodes_of(machine.name, recording.ranks)
    if nodes is None or recording.nodes > recording.ranks or not 0 < moved < np.inf:
        return 1.0, 1.0
    home = machine.placement(recording.ranks, recording.nodes, recording.title) // nodes[1]
    pairs = zip(under_way(timing, home), under_way(bare, home), strict=True)
    within, across = (min(1.0, (whole - start) / moved) for whole, start in pairs)
    return within, across


def _halves(recording: Recording, machine: Topology) -> tuple[int, ...]:
    """Which half of the cables each step uses, of a machine that is a torus, as the schedule."""
    steps = recording.steps if isinstance(recording.structure, Torus) else ()
    used = [{*map(frozenset, zip(step.src, step.dst, strict=True))} for step in steps]
    every = {*map(frozenset, zip(machine.src, machine.dst, strict=True))}
    half = all(
        2 * len(cables) == len(every) and cables in (used[0], every - used[0]) for cables in used
    )
    return tuple(int(cables != used[0]) for cables in used) if half else ()


def message_figures(recording: Recording, machine: Topology) -> tuple[float, float] | None:
    """Latency and bandwidth between all nodes that exchange messages, if they are the same."""
    latency, bandwidth = _figures(recording, machine)
    if not len(latency) or np.ptp(latency) > 1e-9 * latency.max() or np.ptp(bandwidth) > 0:
        return None
    return float(latency[0]), float(bandwidth[0])


def rates(recording: Recording, machine: Topology) -> list[float]:
    """The bandwidths between nodes that exchange messages, the highest first."""
    return sorted({*_figures(recording, machine)[1].tolist()}, reverse=True)


def _figures(recording: Recording, machine: Topology) -> tuple[np.ndarray, np.ndarray]:
    """Latency and bandwidth of each pair of nodes that exchange messages."""
    pairs, paths = recording.counters.links, Paths.of_table(np.full((0, 1), -1))
    if len(pairs):
        placement = machine.placement(recording.ranks, recording.nodes, recording.title)
        paths = machine.paths(*placement[pairs].T)
    return paths.total(machine.latency), paths.minimum(machine.bandwidth)
