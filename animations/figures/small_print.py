"""The words of titles and small print: which algorithm, how many ranks, what size, timed how."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collectives.catalog import Row
from collectives.choices import CLOCKS
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.choose.setup import Setup
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rate_text, size_text, time_text
from collectives.words import capital, listed, plural


def names(rows: Sequence[Row]) -> str:
    """Algorithms without their collective: ring, PAT and SHARP."""
    return listed([row.label for row in rows])


def heading(recording: Recording) -> str:
    """What is timed or counted: Ring all-reduce on 8 ranks."""
    return f"{recording.heading} on {plural(recording.ranks, 'rank')}"


def arguments(recording: Recording) -> str:
    """The arguments of a recording: vector of 1 MiB, 4 chunks, radix = 3."""
    parts = [f"vector of {size_text(recording.count * recording.dtype.itemsize)}"]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.chunks is not None:
        parts.append(plural(recording.chunks, "chunk"))
    parts += [f"{name} = {value}" for name, value in recording.parameters.items()]
    return ", ".join(parts)


def channels(rows: Sequence[Row], topology: Topology) -> str:
    """In how many channels rings are timed on a machine, as a sentence; nothing where in one."""
    rings = [row for row in rows if row.in_channels]
    if not rings or topology.channels == 1:
        return ""
    return f"{capital(names(rings))}: {topology.channels} channels, as NCCL."


def model(topology: Topology, setup: Setup) -> str:
    """The model of a time: clock and machine."""
    return f"{clock(setup)} on {machine(topology, setup)}"


def clock(setup: Setup) -> str:
    """The clock in words."""
    name = setup.clock.__name__
    return f"model, not measured: {name} clock ({CLOCKS.get(name, '')})"


def machine(topology: Topology, setup: Setup) -> str:
    """A machine with α and bandwidth between ranks r and r + 1, the slowest if they differ."""
    if topology.ranks < 2:
        return topology.name
    rank = np.arange(topology.ranks - 1)
    paths = topology.paths(rank, rank + 1)
    latencies, bandwidths = paths.total(topology.latency), paths.minimum(topology.bandwidth)
    alike = np.ptp(latencies) <= 1e-9 * latencies.max() and np.ptp(bandwidths) == 0
    pairs = "neighbors" if alike else "the slowest neighbors"
    latency, bandwidth = alpha_beta(topology, setup.costs)
    figures = f"α = {time_text(latency)}, {rate_text(bandwidth)} each way"
    return f"{topology.name}: {figures} between {pairs}"
