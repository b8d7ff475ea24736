"""What is shown and compared unless something else is asked for: 64 MiB, on a usual machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.named import MACHINES, topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

USUAL_SIZE = 64 << 20  # bytes of the vector
UNITS = (1 << 20, 1 << 10, 8)  # bytes, of which a chunk has a whole number


def usual_size(chunk_count: int) -> int:
    """The bytes nearest below 64 MiB, of which all chunks have the same whole number of MiB.

    Of KiB, where less than three quarters of it would be left.

    >>> [usual_size(chunks) >> 20 for chunks in (1, 3, 4, 6, 7, 8, 16)]
    [64, 63, 64, 60, 63, 64, 64]
    """
    sizes = (USUAL_SIZE // (chunk_count * unit) * chunk_count * unit for unit in UNITS)
    return next((size for size in sizes if 4 * size >= 3 * USUAL_SIZE), 8 * chunk_count)


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


def usual_machine(recording: Recording) -> Topology:
    """The most usual machine that a recording runs on; see `usual_names`."""
    servers = recording.nodes > recording.ranks and recording.helpers == "server"
    names = usual_names(recording.ranks, recording.parameters.get("gpus", 0), servers)
    for name in names[:-1]:
        key, _, inner = name.partition(":")
        multiple = {MACHINES[key].multiple_of: int(inner.partition("=")[2])} if inner else {}
        try:
            machine = topology_for(recording, key, **multiple)
            placement = machine.placement(recording.ranks, recording.nodes, recording.title)
            machine.paths(*placement[recording.counters.links].T)
        except BadInput:
            continue
        return machine
    return topology_for(recording, names[-1])
