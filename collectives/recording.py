"""A recording: an executed schedule with all that is known of it, and its state at any step."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isqrt
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import numpy.typing as npt

from collectives import payload
from collectives.catalog import DEFAULT_CHUNKS, Row, find_row
from collectives.chunking import chunk_sizes
from collectives.collective import Cells, Collective, find_collective, own_cells
from collectives.counters import Counter, Counters
from collectives.errors import BadInput, WrongSchedule, brief
from collectives.execute import Memory, execute
from collectives.resources import check_memory
from collectives.schedule import Schedule, Step
from collectives.schedule.rules import checked
from collectives.theory import Bound, Case, lower_bound

if TYPE_CHECKING:
    from collectives.proof import Verdict

Array = npt.NDArray[Any]
KEPT_ROWS = 1 << 20  # transfers up to which the steps of a catalog row are kept in memory
MOST_STEPS = 1 << 17  # of a schedule that is kept
MOST_TIMES = 1 << 53  # a State counts contributions up to this, exactly
MOST_MESSAGES = 1 << 36  # of an algorithm: minutes of work
MOST_STEPS = 1 << 20  # of an algorithm: a minute of work
MOST = 1 << 48  # of anything that is counted, such as the elements of a vector
MOST_BYTES = 1 << 62  # of all nodes' vectors, so that the bytes a node sends fit in 64 bits


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
        return iter(self._kept) if self._kept is not None else self._make()

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | Sequence[Step]:
        """Step `index`, counted from 0; the first access keeps all steps in memory."""
        if self._kept is None:
            self._kept = tuple(self._make())
        return self._kept[index]


@dataclass(frozen=True)
class State:
    """What all slots hold after a number of steps; arrays are [node, slot] and more axes.

    times[node, slot, rank]: how often that rank's data is in the slot; origin: the sum of the
    slots these contributions came from; full: whether the slot holds anything; values[node,
    slot, element]: the data, with `size[slot]` valid elements.
    """

    full: Cells
    times: npt.NDArray[np.int64]
    origin: npt.NDArray[np.int64]
    values: Array
    size: npt.NDArray[np.intp]

    def value(self, node: int, slot: int) -> Array:
        """The elements in one slot; empty where nothing was written."""
        held: Array = self.values[node, slot, : self.size[slot] if self.full[node, slot] else 0]
        return held


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
    _replays: dict[str, _Replay] = field(default_factory=dict, repr=False)

    @property
    def title(self) -> str:
        """The name as people write it: ring all-reduce."""
        return self.row.title if self.row else self.algorithm

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
        these. Raises BadInput for another shape or a dtype that is not the recording's.
        """
        if data.ndim != 2 or len(data) != self.ranks:
            raise BadInput(
                f"data of shape {data.shape}: it must be [rank, element] for {self.ranks} ranks"
            )
        if data.dtype != self.dtype:
            raise BadInput(f"data of dtype {data.dtype}; the recording is of {self.dtype}")
        if data.shape[1] != self.count:
            own = self.collective.before is own_cells and self.count % self.slots == 0
            if not own or data.shape[1] * self.ranks != self.count:
                raise BadInput(
                    f"data has {data.shape[1]} elements per rank, but count is {self.count}"
                )
            data = payload.from_own_slots(data, self.before, self.count)
        return replace(self, data=data, _replays={})

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

    def _replay(self, what: str) -> _Replay:
        if what not in self._replays:
            if what == "values":
                start = payload.data_memory(self.inputs, self.before, self.nodes)
                add = payload.OPERATORS[self.op]
            else:
                check_memory(
                    32 * self.nodes * self.slots * self.ranks, "the contributions in every slot"
                )
                start, add = payload.contribution_memory(self.before, self.nodes), np.add
            self._replays[what] = _Replay(self.steps, start, add)
        return self._replays[what]


class _Replay:
    """A payload at any step, from a checkpoint every √steps."""

    def __init__(self, steps: Steps, start: Memory, add: np.ufunc) -> None:
        self._steps, self._add = steps, add
        self._every = max(1, isqrt(len(steps)))
        self._checkpoints = [start.copy()]
        self._last = (0, start)

    def at(self, step: int) -> Memory:
        """The memory after so many steps; valid until the next call."""
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


def record(
    schedule: str | Iterable[Step],
    algorithm: str | None = None,
    *,
    ranks: int,
    collective: str | None = None,
    root: int = 0,
    count: int | None = None,
    dtype: npt.DTypeLike = "int64",
    op: str = "sum",
    chunks: int | None = None,
    slots: int | None = None,
    nodes: int | None = None,
    data: Array | None = None,
) -> Recording:
    """Pull a schedule, hold each step against the rules, count it and return the recording.

    Either `record("all_reduce", "ring", ranks=8)`, an algorithm of the catalog, or
    `record(my_schedule(8), collective="all_reduce", ranks=8, slots=8)`, any iterable of
    steps. count: elements of the full vector (default 4 per slot). chunks: pieces of a
    pipeline (default 4). slots: places for chunks on each node (own schedules; default one per
    rank). nodes: ranks and switches (default: the ranks). data: [rank, element] to run on.

    Raises BadInput for values that cannot be used, WrongSchedule for a step that breaks a rule.

    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> len(recording.steps), recording.bytes_sent
    (6, [192, 192, 192, 192])
    """
    number = _whole(ranks, "ranks", 1)
    start = _whole(root, "root", 0)
    if start >= number:
        raise BadInput(f"root {start} of {number} ranks; the ranks are 0 to {number - 1}")
    kind = payload.find_dtype(dtype)
    payload.check_operator(op, kind)
    if isinstance(schedule, str):
        if collective is not None or slots is not None or nodes is not None:
            raise BadInput("collective, slots and nodes are the catalog's for its own algorithms")
        row = find_row(schedule, algorithm or "")
        pieces = _chunks(row, chunks)
        places = row.slots(number, pieces or 0)
        _check_size(row, number, places, pieces or 1)
        name, promise, there = row.algorithm, row.promise, number

        def make() -> Schedule:
            return row.schedule(number, start, pieces or DEFAULT_CHUNKS)

    else:
        if not hasattr(schedule, "__iter__"):
            raise BadInput(
                f"{brief(schedule)} holds no steps; call it, as in my_schedule({number})"
            )
        if collective is None:
            raise BadInput("collective= is missing: it says what the schedule promises")
        row, promise = None, find_collective(collective)
        pieces = None if chunks is None else _whole(chunks, "chunks", 1)
        places = number if slots is None else _whole(slots, "slots", 1)
        there = number if nodes is None else _whole(nodes, "nodes", number)
        promise.check_shape(number, places)
        name = algorithm or str(getattr(schedule, "__name__", "schedule"))
        given = schedule

        def make() -> Schedule:
            return given

    if count is None and data is not None and data.ndim == 2:
        count = data.shape[1] * (number if promise.before is own_cells else 1)
    elements = 4 * places if count is None else _whole(count, "count", 0)
    check_memory(64 * places + 64 * there, f"{there} nodes of {places} slots")
    if elements * kind.itemsize * there > MOST_BYTES:
        raise BadInput(
            f"count {elements}: the bytes of {there} nodes do not fit in 64 bits; "
            f"nearest: {MOST_BYTES // (kind.itemsize * there)}"
        )
    size = np.broadcast_to(chunk_sizes(elements, places), (there, places))
    steps, counters = _pull(make, size, kind.itemsize, keep_all=row is None)
    recording = Recording(
        promise,
        name,
        number,
        start,
        there,
        places,
        elements,
        kind,
        op,
        pieces,
        row,
        steps,
        counters,
    )
    return recording if data is None else recording.on(data)


def _pull(
    make: Callable[[], Schedule], size: npt.NDArray[np.intp], itemsize: int, keep_all: bool
) -> tuple[Steps, Counters]:
    in_bytes = np.broadcast_to(size[0] * itemsize, size.shape)
    counter = Counter(in_bytes)
    kept: list[Step] | None = []
    rows = 0
    for step in counter.watch(checked(make(), size)):
        rows += len(step)
        if kept is not None:
            kept.append(step)
            if keep_all and len(kept) > MOST_STEPS:
                raise WrongSchedule(f"more than 2^17 = {MOST_STEPS} steps; does it ever end?")
            if rows > KEPT_ROWS and not keep_all:
                kept = None
    counters = counter.result()
    steps = Steps(lambda: checked(make(), size), counters.steps, kept)
    return steps, counters


def _whole(value: object, name: str, least: int) -> int:
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise BadInput(f"{name} {brief(value)} is not a whole number; nearest: {least}") from None
    if number < least:
        raise BadInput(f"{name} {brief(number)}: must be at least {least}; nearest: {least}")
    if number > MOST:
        raise BadInput(f"{name} {brief(number)}: must be at most 2^48; nearest: {MOST}")
    return number


def _chunks(row: Row, chunks: int | None) -> int | None:
    if "chunks" in row.parameters:
        return DEFAULT_CHUNKS if chunks is None else _whole(chunks, "chunks", 1)
    if chunks is not None:
        raise BadInput(f"chunks {chunks}: {row.title} is not pipelined; leave chunks out")
    return None


def _check_size(row: Row, ranks: int, slots: int, chunks: int) -> None:
    """Refuse, before anything is allocated, what would not fit into memory."""
    case = Case(ranks, np.broadcast_to(np.intp(1), slots))
    messages = row.form.messages(case)
    if messages > MOST_MESSAGES:
        raise BadInput(
            f"{row.title} on {ranks} ranks would send {messages:.2g} messages; "
            f"at most 2^36 = {MOST_MESSAGES:.2g} are simulated"
        )
    steps = row.form.steps(case)
    if steps > MOST_STEPS:
        raise BadInput(
            f"{row.title} on {ranks} ranks would take {steps} steps; "
            f"at most 2^20 = {MOST_STEPS} are simulated"
        )
    at_once = -(-messages // max(1, steps))
    needed = 1500 * steps + 100 * at_once + 40 * ranks * min(chunks, ranks)
    check_memory(needed, f"{row.title} on {ranks} ranks")
