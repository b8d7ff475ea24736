"""The obvious way with which a film opens, executed and timed; and a way that goes further."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from collectives.catalog import find_row
from collectives.cost.choose.channels import as_libraries_run
from collectives.cost.choose.rivals import AtBest
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.cost.machines.usual import usual_machine
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule.step import Step
from collectives.structure import TwoTrees

FEWEST = 4  # ranks of which all but one make a queue
FURTHER = "rabenseifner"  # as many bytes as a ring, in fewer steps
SHARED = "sharded-parameter-server"  # as many servers as ranks
WAYS = {
    ("all_reduce", "ring"): (FURTHER,),
    ("all_reduce", "rabenseifner"): ("ring",),
    ("all_reduce", "double-binary-tree"): ("double-binary-tree",),
    ("all_reduce", "parameter-server"): (SHARED,),
}


def obvious_ways(own: AtBest) -> Iterator[tuple[str, Timing]]:
    """The ways of an algorithm's film that are slower there, or further ones that are faster."""
    recording, machine = own.recording, own.timing.topology
    for name in WAYS.get((recording.collective.name, recording.algorithm), ()):
        way = _way(recording, name, machine)
        if way.nodes > recording.nodes:  # each with a port of its own
            if machine.identity != usual_machine(recording).identity:
                continue
            machine = usual_machine(way)
        timing = lockstep(way, machine)
        further = name in (FURTHER, SHARED)
        if recording.ranks >= FEWEST and (timing.total < own.seconds) == further:
            yield name, timing


def _way(recording: Recording, name: str, machine: Topology) -> Recording:
    """An algorithm as the obvious way runs it: of two trees one only, in as many channels."""
    row, ranks, size = find_row(recording.collective.name, name), recording.ranks, recording.case.S
    trees = recording.structure
    if name == SHARED:
        return sized(row, ranks, size, parameters={"servers": ranks})
    if not isinstance(trees, TwoTrees):
        return sized(row, ranks, size, None, recording.root)
    both = sized(row, ranks, 2 * size, 2 * recording.chunk_count)  # half of its chunks are taken
    assert isinstance(both.structure, TwoTrees)
    run, own = as_libraries_run(both, machine), (both.structure.chunks[0], both.chunk_count)
    moving = [step for step in (_rows(step, *own) for step in run.steps) if len(step)]
    count, dtype, slots, promise = run.count, run.dtype, run.chunk_count, run.collective
    return record(
        moving, name, collective=promise, ranks=ranks, count=count, dtype=dtype, slots=slots
    )


def _rows(step: Step, chunks: tuple[int, ...], number: int) -> Step:
    """The transfers of a step whose chunk is one of these, of so many in each channel."""
    rows = step.unrolled()
    return rows.select(np.flatnonzero(np.isin(rows.chunk % number, chunks)))
