"""Schedules timed on machines with trouble: slow and dead links, slow and late ranks, jitter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from animations.course.examples import recording_of
from collectives.cost.by_name import time
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology
from collectives.cost.machines.faults import (
    dead_link,
    jittery,
    late_rank,
    slow_link,
    slow_rank,
    stall,
)
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.words import nearest

TROUBLES = ("slow", "slow_link", "dead", "late", "jitter")
Table = Mapping[str, Any]


def timed(table: Table, size: int) -> Timing:
    """The timing of a table's algorithm for so many bytes, with the trouble that it names.

    slow: a rank, and how many times slower it is; slow_link: two nodes and how many times; dead:
    two nodes; late: a rank and seconds; jitter: seconds at most, and a seed.
    """
    chunks = {"chunks": table["chunks"]} if "chunks" in table else {}
    recording = recording_of({**table, "with": chunks})
    machine, costs = _troubled(table)
    clock = table.get("clock", "dataflow")
    return time(recording, machine, size=size, clock=clock, costs=costs)


def _troubled(table: Table) -> tuple[Topology, Costs]:
    """The machine, and what messages cost beside its links."""
    machine = topology(table["machine"], table["ranks"], **table.get("with", {}))
    costs = Costs()
    if "slow" in table:
        machine, costs = slow_rank(machine, costs, *table["slow"])
    if "slow_link" in table:
        machine = slow_link(machine, *table["slow_link"])
    if "dead" in table:
        machine = dead_link(machine, *table["dead"])
    if "late" in table:
        costs = late_rank(costs, *table["late"])
    if "jitter" in table:
        costs = jittery(costs, *table["jitter"])
    return machine, costs


def _table(algorithm: str, ranks: int, machine: str, trouble: str, given: tuple[Any, ...]) -> Table:
    if trouble and trouble not in TROUBLES:
        raise BadInput(f"unknown trouble {trouble!r}; {nearest(trouble, TROUBLES)}")
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": ranks}
    return {**table, "machine": machine, **({trouble: given} if trouble else {})}


def troubled_seconds(
    algorithm: str, ranks: int, size: int, machine: str, trouble: str = "", *given: float
) -> float:
    """Seconds of an all-reduce with a trouble, such as "slow_link", 2, 3, 4; without, if none."""
    return timed(_table(algorithm, ranks, machine, trouble, given), size).total


def waiting(algorithm: str, ranks: int, machine: str, src: int, dst: int) -> int:
    """How many ranks wait for ever if a link is dead."""
    return len(_waits(algorithm, ranks, machine, src, dst))


def waits_for(algorithm: str, ranks: int, machine: str, src: int, dst: int, rank: int) -> int:
    """For whom a rank waits if a link is dead."""
    return _waits(algorithm, ranks, machine, src, dst)[rank][0]


def waits_in(algorithm: str, ranks: int, machine: str, src: int, dst: int, rank: int) -> int:
    """In which step a rank waits if a link is dead, counted from 1."""
    return _waits(algorithm, ranks, machine, src, dst)[rank][1]


def _waits(
    algorithm: str, ranks: int, machine: str, src: int, dst: int
) -> Mapping[int, tuple[int, int]]:
    """For each rank that waits, for whom and in which step."""
    table = _table(algorithm, ranks, machine, "dead", (src, dst))
    found = stall(record("all_reduce", algorithm, ranks=ranks), _troubled(table)[0])
    if found is None:
        raise BadInput(f"{algorithm}: no message goes from {src} to {dst}")
    return found.waits


READ = troubled_seconds, waiting, waits_for, waits_in
