"""The obvious way with which a film opens, executed and timed; and a way that goes further."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from collectives.catalog import find_row
from collectives.cost.choose.channels import as_libraries_run
from collectives.cost.choose.rivals import AtBest, Rivalry, at_size, turn_at_once
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
MOST_TRIED = 16  # ranks of which pipelines of many sizes are tried


class WayBeside(NamedTuple):
    """An algorithm beside which the film of another one ends.

    further: whether it is told where it is faster, not where it is slower. close: whether as many
    bytes pass its ports, so that it is about as long.
    """

    algorithm: str
    further: bool = False
    close: bool = False


WAYS = {  # what its film does not show, and a viewer would ask
    "all_reduce ring": WayBeside("rabenseifner", further=True, close=True),  # that fewer steps do
    "all_reduce rabenseifner": WayBeside("ring"),  # that one would have chosen
    "all_reduce double-binary-tree": WayBeside("double-binary-tree"),  # that one were enough
    # how its queue goes away
    "all_reduce parameter-server": WayBeside("sharded-parameter-server", further=True),
}
SOONER = {"all_reduce tree": "recursive-doubling"}  # in fewer steps; told where starts decide
PIPES = {"broadcast split-binary": "ring", "reduce split-binary": "ring"}  # for long vectors


def obvious_way(own: AtBest) -> tuple[WayBeside, Timing] | None:
    """The way of an algorithm's film, if it is slower there, or a further one that is faster."""
    recording, machine = own.recording, own.timing.topology
    way = WAYS.get(f"{recording.collective.name} {recording.algorithm}")
    if way is None or recording.ranks < FEWEST:
        return None
    run = _run(recording, way, machine)
    if run.nodes > recording.nodes:  # each with a port of its own
        if machine.identity != usual_machine(recording).identity:
            return None
        machine = usual_machine(run)
    timing = lockstep(run, machine)
    return (way, timing) if (timing.total < own.seconds) == way.further else None


def pipeline(own: AtBest) -> Iterator[Rivalry]:
    """The pipeline that is faster for a long vector, and from which size on, of few ranks."""
    recording, machine = own.recording, own.timing.topology
    if name := PIPES.get(f"{recording.collective.name} {recording.algorithm}"):
        row = find_row(recording.collective.name, name)
        (way,) = at_size(recording, machine, [row], recording.case.S)
        few = recording.ranks <= MOST_TRIED
        turn = turn_at_once(recording, machine, own.row, row) if few else None
        yield from [Rivalry(own, way, turn, False)] * (way.seconds < own.seconds)


def _run(recording: Recording, way: WayBeside, machine: Topology) -> Recording:
    """As it is run: as many servers as ranks instead of one, and one only of two trees."""
    name, ranks, size = way.algorithm, recording.ranks, recording.case.S
    row = find_row(recording.collective.name, name)
    trees = recording.structure
    if recording.nodes > ranks:  # its servers
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
