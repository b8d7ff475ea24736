"""A recording: an executed schedule with all that is known of it, and its state at any step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from collectives.catalog import DEFAULT_CHUNKS, Row, Setting
from collectives.collective import Cells, Collective, Requirement, own_cells
from collectives.errors import BadInput, Deadlock
from collectives.memory_limit import check_memory
from collectives.recording import payload
from collectives.recording.counters import Counters
from collectives.recording.memory import Memory, execute
from collectives.recording.replay import Replay, State, Steps, promised, start
from collectives.recording.showable import Showable
from collectives.theory import Case
from collectives.theory.bounds import Bound, lower_bound
from collectives.values import instance, whole
from collectives.words import capital, plural, steps_text

if TYPE_CHECKING:
    from collectives.proof.prove import Verdict
    from collectives.schedule import Step
    from collectives.structure import Structure
    from collectives.structure.traffic import Traffic

Array = npt.NDArray[Any]
NEAREST = "record('all_reduce', 'ring', ranks=4)"
MAX_TIMES = 1 << 53  # a State counts contributions up to this, exactly


@dataclass(frozen=True, eq=False)
class Refusal:
    """Why a schedule could not be executed to its end, and the step that was refused.

    step: None where what came was no step, or nothing came. number: that of the step that was
    refused, more than that of `step` where the recording leaves out repeated ones. deadlock: who
    waits for whom, where that is why.
    """

    reason: str
    step: Step | None
    number: int
    deadlock: Deadlock | None = None


@dataclass(frozen=True, eq=False)
class Recording(Showable):
    """An algorithm, executed for given ranks and sizes. Made by `record`, not by hand.

    Attributes
    ----------
    collective : Collective
        What is promised.
    algorithm : str
        The catalog's name, or that of your own steps.
    ranks, root : int
        How many ranks take part, and the root where there is one.
    nodes : int
        The ranks, then any switches or servers.
    chunk_count : int
        Chunks into which the vector is cut.
    slots : int
        Slots of each node: those of the promise, then scratch slots.
    count : int
        Elements of the full vector.
    dtype : dtype
        Of the elements.
    op : str
        "sum", "prod", "min", "max" or "avg".
    chunks : int or None
        Chunks of the pipeline; None where nothing is pipelined.
    row : Row or None
        The catalog's row; None for your own steps.
    steps : Steps
        A sequence of Step.
    counters : Counters
        Steps, messages, and bytes by node and link.
    helpers : str
        What the nodes beside the ranks are: "switch" or "server".
    parameters : mapping
        The algorithm's further arguments.
    given : mapping
        Those of the parameters that somebody gave; the others follow from the number of ranks.
    counts : tuple of int or None
        Elements of each chunk, where they were given.
    data : array, shape [rank, element], or None
        The data that was given.
    count_given : bool
        Whether somebody said how many elements there are; else there are a few in each chunk, and
        pictures show larger vectors.
    refused : Refusal or None
        The step after the last, where it broke a rule: such a recording is never right. Found as
        `recording` of the WrongSchedule that `record` raises.
    unordered : str
        Operations of an MSCCL program that nothing orders, so that the result may depend on which
        runs first: such a recording, which is of one order, is never right. Empty for others.
    """

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
        if self.row is None and (self.collective.owned or self.collective.in_blocks):
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
            return self.data
        check_memory(self.ranks * self.count * self.dtype.itemsize, f"{self.ranks} vectors")
        return payload.example_data(self.ranks, self.count, self.dtype)

    def on(self, data: Array) -> Recording:
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

    def excerpt(self, elements: int) -> Recording:
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

    def state(self, step: int) -> State:
        """What every slot holds after `step` steps, 0 to len(steps).

        Parameters
        ----------
        step : int
            How many steps have been executed.

        Returns
        -------
        State
            Replayed from the nearest checkpoint.

        Raises
        ------
        BadInput
            For a step that does not exist.
        WrongSchedule
            Where the schedule cannot be executed.
        """
        step = whole("step", step, 0, len(self.steps))
        held = self._replay("contributions").at(step)
        counts = np.minimum(held.values, MAX_TIMES).astype(np.int64)
        times, origin = np.moveaxis(counts, 2, 0)
        values = self._replay("values").at(step).values
        return State(held.full.copy(), times, origin, values.copy(), self.sizes(step))

    def contributors(self, step: int) -> Cells:
        """Whose data each slot holds after some steps; cheaper than a state, which has values.

        Parameters
        ----------
        step : int
            How many steps have been executed.

        Returns
        -------
        array of bool, shape [node, slot, rank]
            Whether that rank's data is in the slot.

        Raises
        ------
        BadInput
            For a step that does not exist.
        """
        step = whole("step", step, 0, len(self.steps))
        held: Cells = self._replay("contributions").at(step).values[:, :, 0] > 0
        return held

    def sizes(self, step: int) -> npt.NDArray[np.intp]:
        """How many elements each slot holds after some steps.

        Parameters
        ----------
        step : int
            How many steps have been executed.

        Returns
        -------
        array, shape [node, slot]
            In elements; 0 where a slot is empty.

        Raises
        ------
        BadInput
            For a step that does not exist.
        """
        step = whole("step", step, 0, len(self.steps))
        return self._replay("sizes").at(step).values.copy()

    def levels(self, step: int) -> tuple[npt.NDArray[np.int64], Cells]:
        """How many contributions each slot holds after some steps, and which slots are complete.

        For more ranks than `state` has memory for.

        Parameters
        ----------
        step : int
            How many steps have been executed.

        Returns
        -------
        count : array, shape [node, slot]
            How many contributions a slot holds.
        complete : array of bool, shape [node, slot]
            Whether it holds the required ones, each once, and nothing else (by fingerprint).
        """
        step = whole("step", step, 0, len(self.steps))
        held = self._replay("levels").at(step)
        count, complete = self.levels_of(held.values, held.full)
        return count, complete

    def levels_of(
        self, values: Array, full: Cells, at: tuple[int, int] | None = None
    ) -> tuple[npt.NDArray[np.int64], Cells]:
        """As `levels`, of a payload of levels that somebody else has executed.

        Parameters
        ----------
        values, full : array
            Of all slots, or of slot `at` alone.
        at : (int, int), optional
            A node and a slot.

        Returns
        -------
        count, complete : array
            See `levels`.
        """
        if not self.collective.exactly_once:
            known = (values > 0).sum(axis=-1)
            return known, known == self.ranks
        wanted = self._wanted_prints if at is None else self._wanted_prints[at]
        count = np.minimum(values[..., 0], MAX_TIMES).astype(np.int64)
        return count, (values[..., 1] == wanted) & full

    @cached_property
    def _wanted_prints(self) -> Array:
        """The sum of the fingerprints that each slot must hold to be complete, [node, slot]."""
        prints = payload.level_memory(self.precondition, self.nodes).values[: self.ranks, :, 1]
        wanted = np.tile(prints.sum(axis=0), (self.nodes, 1))  # the most a switch or server holds
        wanted[: self.ranks] = promised(self, prints)
        return wanted

    def execute(self) -> Memory:
        """Run all steps on the data.

        Returns
        -------
        Memory
            What all slots of all nodes hold at the end.

        Raises
        ------
        BadInput
            Where there is too little memory.
        WrongSchedule
            Where the schedule cannot be executed.
        """
        cells = self.nodes * self.slots * int(self.size.max())
        check_memory(2 * cells * self.dtype.itemsize, f"{self.nodes} nodes with their data")
        memory = payload.data_memory(self.inputs, self.precondition, self.size, self.nodes)
        execute(self.steps, memory, payload.OPERATORS[self.op])
        return memory

    def result(self) -> list[Array]:
        """What each rank ends with after all steps.

        Returns
        -------
        list of array
            The elements of each rank; none where the collective promises it nothing.

        Raises
        ------
        BadInput
            Where there is too little memory.
        WrongSchedule
            Where the schedule cannot be executed.
        """
        held = self.outputs(self.execute())
        if self.op != "avg" or not self.collective.reduces:
            return held
        return [payload.mean(vector, self.ranks) for vector in held]

    def outputs(self, memory: Memory) -> list[Array]:
        """What the promised slots of each rank hold.

        Parameters
        ----------
        memory : Memory
            As `execute` returns it.

        Returns
        -------
        list of array
            The elements of each rank.
        """
        if self.collective.separate_buffers:
            sizes = self.sizes(len(self.steps))
            return payload.received(memory.values, self.postcondition, sizes)
        return payload.outputs(memory.values, self.postcondition, self.size)

    def check(self) -> Verdict:
        """Prove that the collective's promise is kept, or find the step that breaks it.

        Returns
        -------
        Verdict
            True in a condition if it is kept; its text says what is wrong, and warns where integer
            results of the data that was given overflow.
        """
        from collectives.proof.prove import Verdict, prove
        from collectives.proof.rounding import overflowed

        verdict = prove(self)
        elements = overflowed(self) if verdict and self.data is not None else 0
        if not elements:
            return verdict
        warning = f"{elements} of {self.count} elements overflow {self.dtype} and wrap, numpy's too"
        return Verdict(True, f"{verdict}; {warning}")

    def _replay(self, what: str) -> Replay:
        if what not in self._replays:
            self._replays[what] = Replay(self.steps, *start(self, what))
        return self._replays[what]

    def _padded(self, cells: Cells) -> Cells:
        """The cells of a promise, with columns for the scratch slots."""
        more = self.slots - cells.shape[1]
        return np.pad(cells, ((0, 0), (0, more))) if more else cells


def check_recording(value: object) -> None:
    """Raise BadInput for anything but a recording."""
    instance("recording", value, Recording, NEAREST)
