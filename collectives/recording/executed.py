"""An executed schedule as facts: its fields, what follows from them, the same on other data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import numpy.typing as npt

from collectives.catalog import DEFAULT_CHUNKS, Row, Setting
from collectives.collective import Cells, Collective, Requirement, own_cells
from collectives.errors import BadInput, Deadlock
from collectives.memory_limit import check_memory
from collectives.recording import payload
from collectives.recording.counters import Counters
from collectives.recording.replay import Replay, Steps
from collectives.theory import Case
from collectives.theory.bounds import Bound, lower_bound
from collectives.values import whole
from collectives.words import capital, plural, steps_text

if TYPE_CHECKING:
    from collectives.schedule import Step
    from collectives.structure import Structure
    from collectives.structure.traffic import Traffic

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Refusal:
    """Why a schedule could not be executed to its end, and the step that was refused.

    step: None where what came was no step, or nothing came. number: that of the step that was
    refused, more than that of `step` where the recording leaves out repeated ones. deadlock: who
    waits for whom, where that is why. race: whether a race is why.
    """

    reason: str
    step: Step | None
    number: int
    deadlock: Deadlock | None = None
    race: bool = False


@dataclass(frozen=True, eq=False)
class ExecutedSchedule:
    """The fields of a recording, which `Recording` describes, and what follows from them."""

    collective: Collective
    algorithm: str
    ranks: int
    root: int
    nodes: int
    chunk_count: int
    slots: int
    count: int
    dtype: np.dtype[Any]
    op: str
    chunks: int | None
    row: Row | None
    steps: Steps
    counters: Counters
    helpers: str = "switch"
    parameters: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[str, int] = field(default_factory=dict)
    counts: tuple[int, ...] | None = None
    data: Array | None = None
    count_given: bool = field(default=True, compare=False)
    refused: Refusal | None = field(default=None, compare=False)
    unordered: str = field(default="", compare=False)
    _replays: dict[str, Replay] = field(default_factory=dict, init=False, repr=False)

    def __repr__(self) -> str:
        """One line that says what was recorded."""
        steps = steps_text(self.counters.steps, self.counters.walked)
        return (
            f"<Recording: {self.title}, {plural(self.ranks, 'rank')}, {steps}, "
            f"{self.count} x {self.dtype} in {self.slots} slots>"
        )

    @property
    def title(self) -> str:
        """The name as people write it: ring all-reduce."""
        return self.row.title if self.row else self.algorithm

    @property
    def heading(self) -> str:
        """The title of a picture: SHARP all-reduce; of `my_ring_all_reduce`, My ring all-reduce."""
        if self.row:
            return self.row.heading
        named, own = self.collective.name, self.title
        if own.endswith(f"_{named}"):
            own = f"{own.removesuffix(named)}{self.collective.title}"
        return capital(own.replace("_", " ").strip() or own)

    @property
    def promise(self) -> str:
        """What the collective promises, in a sentence that names the operation."""
        operation = payload.OPERATIONS[self.op]
        return self.collective.sentence.replace("the sum", f"the {operation}")

    @cached_property
    def precondition(self) -> Cells:
        """The (rank, slot) that hold their rank's data at the start."""
        return self._padded(self.collective.precondition(self.ranks, self.chunk_count, self.root))

    @cached_property
    def postcondition(self) -> Cells:
        """The (rank, slot) of which the collective promises something at the end."""
        cells = self.collective.postcondition(self.ranks, self.chunk_count, self.root)
        if self.collective.out_of_place:
            cells = np.pad(cells, ((0, 0), (self.chunk_count, 0)))
        return self._padded(cells)

    @cached_property
    def required(self) -> Requirement:
        """Which contributions each promised cell needs, [rank, slot]."""
        if self.collective.required is not None:
            return self.collective.required(self.ranks, self.chunk_count, self.root)
        shape = (self.ranks, self.promised_slots)
        slot = np.broadcast_to(np.arange(self.promised_slots) % self.chunk_count, shape)
        first, end = (np.broadcast_to(np.intp(rank), shape) for rank in (0, self.ranks))
        return Requirement(first, end, slot)

    @property
    def promised_slots(self) -> int:
        """Slots of each rank of which the promise speaks; scratch slots come after them."""
        return self.collective.promised_slots(self.chunk_count)

    @property
    def in_blocks(self) -> bool:
        """Whether a slot is a rank's whole block for another rank, or from it."""
        kind = self.collective
        return kind.in_blocks and kind.separate_buffers and self.chunk_count == self.ranks

    @cached_property
    def size(self) -> npt.NDArray[np.intp]:
        """Elements of each chunk, shape [chunks]."""
        return payload.chunk_sizes(self.count, self.chunk_count, self.counts)

    @property
    def uneven(self) -> bool:
        """Whether chunks were given sizes that no vector has that is split evenly."""
        return not np.array_equal(self.size, payload.chunk_sizes(self.count, self.chunk_count))

    @property
    def bytes_sent(self) -> list[int]:
        """Bytes sent by each node."""
        return list(self.counters.bytes_sent.tolist())

    @property
    def bytes_received(self) -> list[int]:
        """Bytes received by each node."""
        return list(self.counters.bytes_received.tolist())

    @property
    def bytes_busiest_port(self) -> int:
        """Bytes through the busiest port, sent or received; servers' ports included."""
        return self.counters.busiest_port(self.ranks, self.helpers)

    @property
    def case(self) -> Case:
        """What the closed forms of this recording are functions of."""
        unit, size = self.dtype.itemsize, self.size
        promise = self.collective
        if self.row is None and promise.pairs is None and (promise.owned or promise.in_blocks):
            size = size.reshape(self.ranks, -1).sum(axis=1)
        return Case(self.ranks, size * unit, self.root, unit, self.parameters)

    @property
    def bound(self) -> Bound:
        """The lower bounds of the collective, for the ports this algorithm uses."""
        in_network = self.nodes > self.ranks
        return lower_bound(self.collective, self.case, self.counters.ports, in_network)

    @cached_property
    def setting(self) -> Setting:
        """The arguments of the algorithm, as rows of the catalog take them."""
        chunks = DEFAULT_CHUNKS if self.chunks is None else self.chunks
        return Setting(self.ranks, self.root, chunks, self.parameters)

    @cached_property
    def traffic(self) -> Traffic:
        """Which links carry a message, step by step and chunk by chunk."""
        from collectives.structure.traffic import Traffic

        return Traffic(self.ranks, self.nodes, self.steps, self.counters.links)

    @cached_property
    def structure(self) -> Structure:
        """What the links are: as the catalog's row states it, else inferred from the steps."""
        from collectives.recording.structure_of import structure_of

        return structure_of(self)

    @cached_property
    def bytes_by_part(self) -> dict[str, int]:
        """Bytes over each part of the structure: levels, dimensions, distances; may be empty."""
        from collectives.structure.counted import bytes_by_part

        return bytes_by_part(self.structure, self.counters.links, self.counters.bytes_by_link)

    @cached_property
    def idle_ranks(self) -> tuple[int, ...]:
        """How many ranks idle in each step in which a message travels."""
        from collectives.structure.counted import idle_ranks

        return idle_ranks(self.traffic)

    @cached_property
    def inputs(self) -> Array:
        """The data the recording runs on: [rank, element of the full vector]."""
        if self.data is not None:
            return zeroed(self, self.data)
        check_memory(self.ranks * self.count * self.dtype.itemsize, f"{self.ranks} vectors")
        return zeroed(self, payload.example_data(self.ranks, self.count, self.dtype))

    def on(self, data: Array) -> Self:
        """The same schedule on other data: [rank, element], each rank's own input.

        Parameters
        ----------
        data : array, shape [rank, element]
            Of the recording's dtype; copied unless it is read-only. Where ranks start with their
            own slots only (gather, all-gather), a row may hold these alone.

        Returns
        -------
        Recording
            Of the same steps.

        Raises
        ------
        BadInput
            For another shape or dtype.
        """
        data = payload.array_of(data)
        if data.ndim != 2 or len(data) != self.ranks:
            raise BadInput(
                f"data of shape {data.shape}: it must be [rank, element] for "
                f"{plural(self.ranks, 'rank')}"
            )
        if data.dtype != self.dtype:
            raise BadInput(
                f"data of dtype {data.dtype}; the recording is of {self.dtype}: convert the data"
            )
        if data.shape[1] != self.count:
            own = self.collective.precondition is own_cells and self.case.even
            if not own or data.shape[1] * self.ranks != self.count:
                raise BadInput(
                    f"data has {data.shape[1]} elements per rank, but count is {self.count}; "
                    "leave count out, or cut the data"
                )
            data = payload.from_own_slots(data, self.precondition, self.count)
        owned = data.copy() if data.flags.writeable else data
        return replace(self, data=owned, count_given=True)

    def excerpt(self, elements: int) -> Self:
        """The same schedule on the first elements of each chunk.

        Parameters
        ----------
        elements : int
            How many elements of each chunk are kept at most.

        Returns
        -------
        Recording
            Of a smaller vector.

        Raises
        ------
        BadInput
            For a number that is not whole, or negative.
        """
        elements = whole("elements", elements)
        size = np.minimum(self.size, elements)
        if (size == self.size).all():
            return self
        skipped = np.cumsum(self.size - size) - (self.size - size)
        columns = np.arange(size.sum()) + np.repeat(skipped, size)
        if self.data is None:
            data = payload.example_columns(self.ranks, self.count, self.dtype, columns)
        else:
            data = self.data[:, columns]
        counts = tuple(size.tolist())
        return replace(self, count=int(size.sum()), counts=counts, data=data, count_given=True)

    def _padded(self, cells: Cells) -> Cells:
        """The cells of a promise, with columns for the scratch slots."""
        more = self.slots - cells.shape[1]
        return np.pad(cells, ((0, 0), (0, more))) if more else cells


def zeroed(recording: ExecutedSchedule, data: Array) -> Array:
    """Data [rank, element] with zeros where a rank has nothing to add, as in a combine."""
    holders = recording.collective.holders
    if holders is None:
        return data
    held = holders(recording.ranks, recording.chunk_count, recording.root)
    return np.where(np.repeat(held, recording.size, axis=1), data, np.zeros_like(data))
