"""A recording: an executed schedule with all that is known of it, and its state at any step."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from collectives import payload
from collectives.catalog import Row
from collectives.chunking import chunk_sizes
from collectives.collective import Cells, Collective, own_cells
from collectives.counters import Counters
from collectives.errors import BadInput
from collectives.execute import Memory, execute
from collectives.replay import Replay, State, Steps
from collectives.resources import check_memory
from collectives.theory import Bound, Case, lower_bound

if TYPE_CHECKING:
    from collectives.proof import Verdict

Array = npt.NDArray[Any]
MOST_TIMES = 1 << 53  # a State counts contributions up to this, exactly


@dataclass(frozen=True, eq=False)
class Recording:
    """An algorithm, executed for given ranks and sizes. Made by `record`, not by hand.

    `nodes` are the ranks, then any switches; `slots` the places for chunks each node has;
    `count` the elements of the full vector, split over the slots by `chunk_sizes`. `row` is
    the catalog's, None for anybody's own schedule; `chunks` is None where nothing is pipelined.
    """

    collective: Collective
    algorithm: str
    ranks: int
    root: int
    nodes: int
    slots: int
    count: int
    dtype: np.dtype[Any]
    op: str
    chunks: int | None
    row: Row | None
    steps: Steps
    counters: Counters
    data: Array | None = None
    _replays: dict[str, Replay] = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        """One line that says what was recorded."""
        return (
            f"<Recording: {self.title}, {self.ranks} ranks, {len(self.steps)} steps, "
            f"{self.count} x {self.dtype} in {self.slots} slots>"
        )

    @property
    def title(self) -> str:
        """The name as people write it: ring all-reduce."""
        return self.row.title if self.row else self.algorithm

    @property
    def promise(self) -> str:
        """What the collective promises, in a sentence that names the operation."""
        operation = payload.OPERATIONS[self.op]
        return self.collective.sentence.replace("the sum", f"the {operation}")

    @cached_property
    def before(self) -> Cells:
        """The (rank, slot) that hold their rank's data at the start."""
        return self.collective.before(self.ranks, self.slots, self.root)

    @cached_property
    def after(self) -> Cells:
        """The (rank, slot) of which the collective promises something at the end."""
        return self.collective.after(self.ranks, self.slots, self.root)

    @cached_property
    def size(self) -> npt.NDArray[np.intp]:
        """Elements of each slot, shape [slots]."""
        return chunk_sizes(self.count, self.slots)

    @property
    def bytes_sent(self) -> list[int]:
        """Bytes sent by each node."""
        return [int(sent) for sent in self.counters.bytes_sent]

    @property
    def bytes_received(self) -> list[int]:
        """Bytes received by each node."""
        return [int(received) for received in self.counters.bytes_received]

    @property
    def case(self) -> Case:
        """What the closed forms of this recording are functions of."""
        unit = self.dtype.itemsize
        return Case(self.ranks, self.size * unit, self.root, unit)

    @property
    def bound(self) -> Bound:
        """The lower bounds of the collective, for the ports this algorithm uses."""
        return lower_bound(self.collective.name, self.case, self.counters.ports)

    @cached_property
    def inputs(self) -> Array:
        """The data the recording runs on: [rank, element of the full vector]."""
        if self.data is not None:
            return self.data
        check_memory(self.ranks * self.count * self.dtype.itemsize, f"{self.ranks} vectors")
        return payload.example_data(self.ranks, self.count, self.dtype)

    def on(self, data: Array) -> Recording:
        """The same schedule on other data: [rank, element], each rank's own input.

        Where ranks start with their own slots only (gather, all-gather) a row may hold just
        these. The data is copied unless it is read-only. Raises BadInput for another shape or
        a dtype that is not the recording's.
        """
        if data.ndim != 2 or len(data) != self.ranks:
            raise BadInput(
                f"data of shape {data.shape}: it must be [rank, element] for {self.ranks} ranks"
            )
        if data.dtype != self.dtype:
            raise BadInput(
                f"data of dtype {data.dtype}; the recording is of {self.dtype}: convert the data"
            )
        if data.shape[1] != self.count:
            own = self.collective.before is own_cells and self.count % self.slots == 0
            if not own or data.shape[1] * self.ranks != self.count:
                raise BadInput(
                    f"data has {data.shape[1]} elements per rank, but count is {self.count}; "
                    "leave count out, or cut the data"
                )
            data = payload.from_own_slots(data, self.before, self.count)
        owned = data.copy() if data.flags.writeable else data
        return replace(self, data=owned, _replays={})

    def state(self, step: int) -> State:
        """What every slot holds after `step` steps, 0 to len(steps).

        Replays from the nearest checkpoint. Raises BadInput for a step that does not exist
        and WrongSchedule where the schedule cannot be executed.
        """
        if not 0 <= step <= len(self.steps):
            raise BadInput(f"step {step}: this recording has the states 0 to {len(self.steps)}")
        held = self._replay("contributions").at(step)
        whole = np.minimum(held.values, MOST_TIMES).astype(np.int64)
        times, origin = np.moveaxis(whole, 2, 0)
        values = self._replay("values").at(step).values
        return State(held.full.copy(), times, origin, values.copy(), self.size)

    def levels(self, step: int) -> tuple[npt.NDArray[np.int64], Cells]:
        """How many contributions each slot holds after `step` steps, and whether just the due ones.

        Both are [node, slot]; a slot is complete if it holds every contribution to it there is,
        once, and nothing else (told by fingerprint). For more ranks than `state` has room for.
        """
        start = payload.level_memory(self.before, self.nodes).values
        due = start[: self.ranks, :, 1].sum(axis=0)
        held = self._replay("levels").at(step)
        count = np.minimum(held.values[:, :, 0], MOST_TIMES).astype(np.int64)
        return count, (held.values[:, :, 1] == due) & held.full

    def execute(self) -> Memory:
        """Run all steps on the data; the memory at the end. Raises WrongSchedule."""
        cells = self.nodes * self.slots * -(-self.count // self.slots)
        check_memory(2 * cells * self.dtype.itemsize, f"{self.nodes} nodes with their data")
        memory = payload.data_memory(self.inputs, self.before, self.nodes)
        execute(self.steps, memory, payload.OPERATORS[self.op])
        return memory

    def result(self) -> list[Array]:
        """What each rank ends with after all steps: an array of elements per rank.

        Empty for ranks to which the collective promises nothing. Raises WrongSchedule.
        """
        held = payload.outputs(self.execute(), self.after, self.count)
        if self.op != "avg" or not self.collective.reduces:
            return held
        return [payload.mean(vector, self.ranks) for vector in held]

    def check(self) -> Verdict:
        """Whether the collective's promise is kept: true in a condition, str() says why not."""
        from collectives.proof import prove

        return prove(self)

    def _replay(self, what: str) -> Replay:
        if what not in self._replays:
            if what == "values":
                start = payload.data_memory(self.inputs, self.before, self.nodes)
                add = payload.OPERATORS[self.op]
            elif what == "levels":
                start, add = payload.level_memory(self.before, self.nodes), np.add
            else:
                check_memory(
                    32 * self.nodes * self.slots * self.ranks, "the contributions in every slot"
                )
                start, add = payload.contribution_memory(self.before, self.nodes), np.add
            self._replays[what] = Replay(self.steps, start, add)
        return self._replays[what]
