"""What is shown unless something else is asked for: mostly 64 MiB, on a usual machine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.named import DEFAULT, MACHINES, topology, topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

USUAL_SIZE = 64 << 20  # bytes of the vector
UNITS = (1 << 20, 1 << 10, 8)  # bytes, of which a chunk has a whole number


def usual_size(chunk_count: int, near: int = USUAL_SIZE) -> int:
    """The bytes nearest below 64 MiB, of which all chunks have the same whole number of MiB.

    Of KiB, where less than three quarters of it would be left. near: instead of 64 MiB, what the
    row of an algorithm is shown with; of few MiB, chunks may have a whole number of 64 KiB, too.

    >>> [usual_size(chunks) >> 20 for chunks in (1, 3, 4, 6, 7, 8, 16)]
    [64, 63, 64, 60, 63, 64, 64]
    """
    mib, *units = UNITS
    tried = (mib, *[mib >> 4] * (near < USUAL_SIZE), *units)
    sizes = (near // (chunk_count * unit) * chunk_count * unit for unit in tried)
    return next((size for size in sizes if 4 * size >= 3 * near), 8 * chunk_count)


def usual_names(ranks: int, gpus: int = 0, servers: bool = False) -> list[str]:
    """Machines for so many ranks as options name them, the most usual first.

    gpus: of the nodes an algorithm is made for. servers: it has some, each with a port of its own.

    >>> usual_names(8)[0], usual_names(12)[0], usual_names(8, gpus=4)[0]
    ('hgx-h100', 'cluster:gpus=6', 'cluster:gpus=4')
    """
    every = [name for name, machine in MACHINES.items() if machine.usual]
    box, nodes, *more = sorted(every, key=lambda name: MACHINES[name].usual)
    limit = MACHINES[box].max_ranks
    several = 0 < gpus < ranks and ranks % gpus == 0
    inner = gpus if several else max(n for n in range(1, limit + 1) if ranks % n == 0)
    first = f"{nodes}:{MACHINES[nodes].multiple_of}={inner}" if several or ranks > limit else box
    return [name for name in (first, *more) if not servers or _machine(name).adds_nodes]


def _machine(name: str) -> NamedMachine:
    return MACHINES[name.partition(":")[0]]


def names_to_try(ranks: int, own: int, gpus: int, helpers: bool) -> list[str]:
    """Machines to try for an algorithm, the most usual first; the last takes any.

    own: GPUs of the nodes it is made for. gpus: the same, where somebody says it. helpers: if
    it has nodes beside its ranks.

    >>> names_to_try(16, own=4, gpus=0, helpers=False)[0]
    'cluster:gpus=8'
    """
    inside = usual_names(ranks)[0].partition(":")[2] == ""
    names = usual_names(ranks, own if inside else gpus)
    more = usual_names(ranks, own)[:1] if helpers else []
    return [names[0], *more, *names[1:]]


def usual_machine(recording: Recording) -> Topology:
    """The machine of all pictures of so many ranks, by its full name; another where it must be.

    That which its row names as its home, if any. An algorithm of nodes has a cluster of them where
    all its ranks would be one node, or where somebody says how large they are. Servers have a
    crossbar with the links between nodes of that machine, and switches a machine that has them
    where they are needed. See `usual_names`.
    """
    ranks, helpers = recording.ranks, recording.nodes - recording.ranks
    own, chosen = (known.get("gpus", 0) for known in (recording.parameters, recording.given))
    names = names_to_try(ranks, own, chosen, bool(helpers))
    if helpers and recording.helpers == "server":
        latency, bandwidth = slowest_way(ranks, names[0])
        return topology_for(recording, DEFAULT, latency=latency, bandwidth=bandwidth)
    home = recording.row.home if recording.row else ""
    for name in (*[home] * bool(home), *names[:-1]):
        try:
            machine = named_machine(recording, name)
            placement = machine.placement(ranks, recording.nodes, recording.title)
            machine.paths(*placement[recording.counters.links].T)
        except BadInput:
            continue
        return machine
    return topology_for(recording, names[-1])


def named_machine(recording: Recording, name: str) -> Topology:
    """A machine by its full name."""
    key, parameters = _with_parameters(name)
    return replace(topology_for(recording, key, **parameters), name=name)


def _with_parameters(name: str) -> tuple[str, dict[str, int]]:
    """A machine's plain name, and how many GPUs its nodes have where the full name says so."""
    key, _, inner = name.partition(":")
    return key, {MACHINES[key].multiple_of: int(inner.partition("=")[2])} if inner else {}


def slowest_way(ranks: int, name: str) -> tuple[float, float]:
    """Latency and bandwidth of the slowest way between neighboring ranks of a machine."""
    key, parameters = _with_parameters(name)
    return neighbor_link(
        topology(key, max(2, ranks), **parameters)
    )  # one alone has no way to another


def neighbor_link(machine: Topology) -> tuple[float, float]:
    """Latency and bandwidth of the slowest way of a machine from a rank to the next."""
    rank = np.arange(machine.ranks)
    paths = machine.paths(rank, np.roll(rank, -1))
    latency = float(paths.total(machine.latency).max(initial=0.0))
    return latency, float(paths.minimum(machine.bandwidth).min())
