"""The words of titles and small print: which algorithm, how many ranks, what size, timed how."""

from __future__ import annotations

import numpy as np

from animations.figures.axis_ticks import bytes_text, rate_text, time_text
from collectives.catalog import Row
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.choose.setup import Setup
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.words import plural


def short(row: Row) -> str:
    """An algorithm's name without its collective: ring, PAT, SHARP."""
    return row.label if row.label != row.algorithm else row.label.replace("-", " ")


def heading(recording: Recording) -> str:
    """What is timed or counted: Ring all-reduce on 8 ranks."""
    return f"{recording.heading} on {plural(recording.ranks, 'rank')}"


def given(recording: Recording) -> str:
    """The arguments of a recording, for the small print: vector of 1 MiB, 4 chunks, radix = 3."""
    size = recording.count * recording.dtype.itemsize
    decimal = size % 1000 == 0 and size % 1024 != 0  # of those, in which it is told exactly
    parts = [f"vector of {bytes_text(size, not decimal)}"]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.chunks is not None:
        parts.append(plural(recording.chunks, "chunk"))
    parts += [f"{name} = {value}" for name, value in recording.parameters.items()]
    return ", ".join(parts)


def timed(topology: Topology, setup: Setup) -> str:
    """The model of a time, for the small print."""
    return f"{clock(setup)} on {machine(topology, setup)}"


def clock(setup: Setup) -> str:
    """The clock in words."""
    name = setup.clock.__name__
    about = {
        "lockstep": "a step's messages start at once, and end before the next step begins",
        "dataflow": "no barriers; a port takes one message after the other",
    }
    return f"model, not measured: {name} clock ({about.get(name, '')})"


def machine(topology: Topology, setup: Setup) -> str:
    """A machine with α and bandwidth between ranks r and r + 1, the slowest if they differ."""
    if topology.ranks < 2:
        return topology.name
    latency, bandwidth = alpha_beta(topology, setup.costs)
    rank = np.arange(topology.ranks - 1)
    paths = topology.paths(rank, rank + 1)
    late, fast = paths.total(topology.latency), paths.least(topology.bandwidth)
    alike = np.ptp(late) <= 1e-9 * late.max() and np.ptp(fast) == 0
    pairs = "neighbors" if alike else "the slowest neighbors"
    wire = f"{rate_text(bandwidth)} each way"
    return f"{topology.name}: α = {time_text(latency)}, {wire} between {pairs}"
