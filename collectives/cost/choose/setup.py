"""Where an algorithm is timed, by which clock, and its recording for so many bytes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from collectives.catalog import NO_PARAMETERS, Row
from collectives.catalog.parameters import CHANNELS, NODE_OF_CHANNELS
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.clock import Clock, dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.payload import find_dtype
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.recording.recount import is_scaled, recounted
from collectives.recording.request import MAX_COUNT
from collectives.values import whole

COMMON = ("gpus", "rows", "columns")  # parameters that algorithms share with machines
FEW_RANKS = 64  # up to which recordings are kept: a comparison asks for the same ones many times


@dataclass(frozen=True)
class Setup:
    """Where an algorithm runs and how that is timed.

    machine: the topology for a recording. parameters: those that it shares with algorithms.
    as_asked: rings are timed as they are recorded, not in as many channels as a library uses.
    """

    machine: Callable[[Recording], Topology]
    clock: Clock = lockstep
    costs: Costs = field(default_factory=Costs)
    parameters: Mapping[str, int] = field(default_factory=dict)
    as_asked: bool = False

    def time(self, recording: Recording) -> Timing:
        """The timing of a recording, of a ring in as many channels as a library uses there."""
        machine = self.machine(recording)
        if self.as_asked:
            return self.clock(recording, machine, self.costs)
        return timed_as_run(recording, machine, self.clock, self.costs)

    def both_clocks(self, recording: Recording) -> list[Timing]:
        """The timings of a recording by the clock, then by the other one."""
        return [self.time(recording), self.by_other_clock.time(recording)]

    @property
    def by_other_clock(self) -> Setup:
        """The same with the other of the two clocks."""
        return replace(self, clock=dataflow if self.clock is lockstep else lockstep)

    def fill(self, row: Row, ranks: int, chosen: Mapping[str, int]) -> dict[str, int]:
        """The parameters given, and those of the machine that the algorithm takes, too."""
        filled = {
            taken.name: self.parameters[taken.name]
            for taken in row.takes
            if taken.name in self.parameters
            and (taken is not NODE_OF_CHANNELS or CHANNELS.name in chosen)
            and taken.accepts(ranks, self.parameters[taken.name])
        }
        if not row.accepts(ranks, filled | dict(chosen)):
            return dict(chosen)
        return filled | dict(chosen)


def ranks_and_size(ranks: int, size: int) -> tuple[int, int]:
    """Ranks and bytes as Python's integers; raises BadInput for what they cannot be."""
    return whole("ranks", ranks, 1, MAX_COUNT), whole("size", size, 0, MAX_COUNT)


def sized(
    row: Row,
    ranks: int,
    size: int,
    chunks: int | None = None,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Recording:
    """The recording of an algorithm for a vector of so many bytes."""
    count, taken = size if row.promise.moves_data else 0, tuple(parameters.items())
    if ranks > FEW_RANKS:
        return _recorded(row, ranks, count, chunks, root, taken)
    usual = _kept(row, ranks, None, chunks, root, taken)
    if is_scaled(usual, count, usual.dtype):
        return recounted(usual, count, usual.dtype, usual.op)
    return _kept(row, ranks, count, chunks, root, taken)


def _recorded(
    row: Row,
    ranks: int,
    count: int | None,
    chunks: int | None,
    root: int,
    parameters: tuple[tuple[str, int], ...],
) -> Recording:
    """The recording of an algorithm for so many elements of one byte, or for its usual number."""
    return record(
        row.collective,
        row.algorithm,
        ranks=ranks,
        root=root,
        count=count,
        dtype="uint8",
        chunks=chunks,
        parameters=dict(parameters),
    )


_kept = lru_cache(maxsize=256)(_recorded)


def emptied(recording: Recording) -> Recording:
    """The same steps for a vector of no bytes."""
    nothing = None if recording.counts is None else (0,) * len(recording.counts)
    return replace(recording, count=0, counts=nothing, data=None)


def resized(recording: Recording, size: int, dtype: object = "uint8") -> Recording:
    """The same schedule for a vector of so many bytes; raises BadInput if its chunks are uneven."""
    if recording.uneven:
        raise BadInput(
            f"size {size} B: the recording states the size of each chunk; try: time without a size"
        )
    kind = find_dtype(dtype)
    count = size // kind.itemsize
    op = recording.op if kind == recording.dtype else "sum"
    if is_scaled(recording, count, kind):
        return recounted(replace(recording, counts=None), count, kind, op)
    common: dict[str, Any] = {"ranks": recording.ranks, "root": recording.root}
    common |= {"chunks": recording.chunks, "count": count, "dtype": kind, "op": op}
    if recording.row is not None:
        name = recording.collective.name
        return record(name, recording.algorithm, parameters=recording.given, **common)
    recording_of_size = record(
        recording.steps,
        recording.algorithm,
        collective=recording.collective,
        slots=recording.chunk_count,
        scratch=recording.slots - recording.promised_slots,
        nodes=recording.nodes,
        helpers=recording.helpers,
        **common,
    )
    return replace(recording_of_size, refused=recording.refused, unordered=recording.unordered)
