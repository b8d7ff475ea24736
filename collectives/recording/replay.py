"""States of a recording: its steps, and a payload at any of them by replay from checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.memory_limit import check_memory
from collectives.progress import counted
from collectives.recording import payload
from collectives.recording.memory import Memory, execute
from collectives.schedule import Step
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

Array = npt.NDArray[Any]


class Steps(Sequence[Step]):
    """The steps of a recording: kept, or made anew each time they are walked through."""

    def __init__(
        self, make: Callable[[], Iterator[Step]], length: int, kept: Sequence[Step] | None
    ) -> None:
        self._make, self._length, self._kept = make, length, kept

    def __len__(self) -> int:
        """Number of steps; none is empty."""
        return self._length

    def __iter__(self) -> Iterator[Step]:
        """The steps in order."""
        steps = self._make() if self._kept is None else iter(self._kept)
        return counted(steps, "executing the steps", len(self))

    def __repr__(self) -> str:
        """One line: how many there are."""
        return f"<Steps: {plural(len(self), 'step')}>"

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        """Step `index`, counted from 0; the first access keeps all steps in memory."""
        if self._kept is None:
            self._kept = tuple(self._make())
        return self._kept[index]


@dataclass(frozen=True, repr=False)
class State:
    """What all slots hold after a number of steps; arrays are [node, slot] and more axes.

    times[node, slot, rank]: how often that rank's data is in the slot; origin: the sum of the
    slots these contributions came from; full: whether the slot holds anything; values[node,
    slot, element]: the data, with `size[node, slot]` valid elements.
    """

    full: Cells
    times: npt.NDArray[np.int64]
    origin: npt.NDArray[np.int64]
    values: Array
    size: npt.NDArray[np.intp]

    def __repr__(self) -> str:
        """One line: how many slots there are, and hold something."""
        nodes, slots = self.full.shape
        shape = f"{plural(nodes, 'node')} of {plural(slots, 'slot')}"
        return f"<State: {shape}, {int(self.full.sum())} of {self.full.size} hold data>"

    def _repr_html_(self) -> str:
        from collectives.notebook_display import state_html

        return state_html(self)

    def value(self, node: int, slot: int) -> Array:
        """The elements in one slot; empty where nothing was written."""
        held: Array = self.values[node, slot, : self.size[node, slot]]
        return held


class Replay:
    """A payload at any step, from a checkpoint every √steps."""

    def __init__(self, steps: Steps, start: Memory, add: np.ufunc) -> None:
        self._steps, self._add = steps, add
        self._every = max(1, isqrt(len(steps)))
        self._checkpoints = [start.copy()]
        self._last = (0, start)

    def at(self, step: int) -> Memory:
        """The memory after `step` steps; valid until the next call."""
        now, memory = self._last
        nearest = min(step // self._every, len(self._checkpoints) - 1)
        if step < now or nearest * self._every > now:
            now, memory = nearest * self._every, self._checkpoints[nearest].copy()
        while now < step:
            execute([self._steps[now]], memory, self._add, first=now + 1)
            now += 1
            self._last = (now, memory)
            if now == len(self._checkpoints) * self._every:
                self._checkpoints.append(memory.copy())
        self._last = (now, memory)
        return memory


def start(recording: Recording, what: str) -> tuple[Memory, np.ufunc]:
    """A payload as it is before the first step, and what `reduce` does to it."""
    before, nodes = recording.precondition, recording.nodes
    if what == "values":
        add = payload.OPERATORS[recording.op]
        return payload.data_memory(recording.inputs, before, recording.size, nodes), add
    if what == "sizes":
        return payload.size_memory(before, recording.size, nodes), np.maximum
    if what == "levels" and recording.collective.exactly_once:
        return payload.level_memory(before, nodes), np.add
    if what == "levels":
        return payload.vector_memory(before, nodes), np.maximum
    needed = 32 * nodes * recording.slots * recording.ranks
    check_memory(needed, "the contributions in every slot")
    return payload.contribution_memory(before, nodes), np.add


def promised(recording: Recording, start: Array) -> Array:
    """What the promised cells must hold, of a payload that adds up exactly.

    `start[rank, slot]` (and any further axes) is the payload before the first step; so is the
    shape of the result, in which only promised cells count.
    """
    if recording.collective.required is None and not recording.collective.out_of_place:
        return np.broadcast_to(start.sum(axis=0), start.shape)
    needs, slots = recording.required, recording.promised_slots
    below = np.concatenate([np.zeros_like(start[:1]), np.cumsum(start, axis=0)])
    wanted = np.zeros_like(start)
    wanted[:, :slots] = below[needs.end, needs.origin] - below[needs.first, needs.origin]
    return wanted
