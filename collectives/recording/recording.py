"""A recording: an executed schedule with its state at any step, its result and its proof."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.memory_limit import check_memory
from collectives.recording import payload
from collectives.recording.executed import ExecutedSchedule
from collectives.recording.memory import Memory, execute
from collectives.recording.replay import Replay, State, promised, start
from collectives.recording.showable import Showable
from collectives.values import instance, whole

if TYPE_CHECKING:
    from collectives.proof.prove import Verdict

Array = npt.NDArray[Any]
NEAREST = "record('all_reduce', 'ring', ranks=4)"
MAX_TIMES = 1 << 53  # a State counts contributions up to this, exactly


@dataclass(frozen=True, eq=False, repr=False)
class Recording(ExecutedSchedule, Showable):
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


def check_recording(value: object) -> None:
    """Raise BadInput for anything but a recording."""
    instance("recording", value, Recording, NEAREST)
