"""What a recording is asked for: a schedule, what it promises and where it runs, held valid."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.catalog import DEFAULT_CHUNKS, Row, Setting
from collectives.catalog.row import HELPERS
from collectives.collective import Collective, find_collective, own_cells
from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.schedule import Schedule, Step
from collectives.schedule.stamping import iterable
from collectives.theory import Case
from collectives.values import instance, items_of, whole
from collectives.words import brief, nearest, plural, shown_name

Array = npt.NDArray[Any]
Size = int | Callable[[int], int] | None  # of somebody's own function it may depend on n
Promise = str | Collective | Callable[[int], Collective] | None
MAX_STEPS = 1 << 20  # of an algorithm: a minute of work
MAX_MESSAGES = 1 << 36  # of an algorithm: minutes of work
MAX_PIPELINE_STEPS = 1 << 16  # each step differs from the one before: seconds of work
MAX_PIPELINE_MESSAGES = 1 << 24
MAX_CHANNEL_ROWS = 1 << 28  # chunks moved in several channels: a minute of work
MAX_COUNT = 1 << 48  # of anything that is counted, such as the elements of a vector
MAX_VECTOR_BYTES = 1 << 62  # of all nodes' vectors, so that the bytes a node sends fit in 64 bits


@dataclass(frozen=True)
class RecordingRequest:
    """A schedule that is asked for: what it promises, where it runs, how it is made."""

    promise: Collective
    name: str
    nodes: int
    chunk_count: int
    scratch: int
    chunks: int | None
    row: Row | None
    make: Callable[[], Schedule]
    helpers: str
    parameters: Mapping[str, int] = field(default_factory=dict)
    steps: int = 0  # of a catalog algorithm, as its closed form says

    @property
    def slots(self) -> int:
        """Slots of each node."""
        return self.promise.promised_slots(self.chunk_count) + self.scratch


def whole_numbers(
    parameters: Mapping[str, object], rows: Iterable[Row], ranks: int
) -> dict[str, int]:
    """Parameters of these algorithms; raises BadInput, with the default, for what is no number."""
    taken = {take.name: take for row in rows for take in row.takes}
    usual = {name: parameter.default(ranks, {}) for name, parameter in taken.items()}
    return {
        name: taken[name].way(value)
        if name in taken and taken[name].ways
        else whole(name, value, 0, MAX_COUNT, usual.get(name))
        for name, value in parameters.items()
    }


def catalog_request(
    row: Row,
    ranks: int,
    root: int,
    chunks: int | None,
    parameters: Mapping[str, object],
    most_steps: int = MAX_STEPS,
) -> RecordingRequest:
    """An algorithm of the catalog in one setting; raises BadInput where it takes more steps."""
    if chunks is not None:
        chunks = whole("chunks", chunks, 1, MAX_COUNT)
    refuse_root(row.promise, root)
    setting = row.setting(ranks, root, chunks, whole_numbers(parameters, [row], ranks))
    chunk_count = row.chunk_count(setting)
    steps = _check_size(row, setting, chunk_count, most_steps)
    return RecordingRequest(
        row.promise_in(setting),
        row.algorithm,
        row.nodes(setting),
        chunk_count,
        row.scratch(setting),
        setting.chunks if "chunks" in row.parameters else None,
        row,
        lambda: row.schedule(setting),
        row.helpers,
        setting.parameters,
        steps,
    )


def own_request(
    schedule: Iterable[Step],
    name: str | None,
    ranks: int,
    collective: Promise,
    chunks: int | None,
    slots: Size,
    scratch: Size,
    nodes: Size,
    helpers: str,
) -> RecordingRequest:
    """Anybody's own steps; without slots, a barrier has one and others one for each rank."""
    if not iterable(schedule):
        raise BadInput(f"{brief(schedule)} holds no steps; try: my_schedule({ranks})")
    if collective is None:
        raise BadInput("collective= is missing: it says what the schedule promises")
    named = find_collective(collective) if isinstance(collective, str) else collective
    promise = instance("collective", named, Collective, "all_reduce")
    if name is not None:
        instance("algorithm", name, str, "mine")
    usual = ranks if promise.moves_data else 1
    chunk_count = usual if slots is None else whole("slots", slots, 1, MAX_COUNT)
    promise.check_shape(ranks, chunk_count)
    return RecordingRequest(
        promise,
        shown_name(str(name or getattr(schedule, "__name__", "schedule"))),
        ranks if nodes is None else whole("nodes", nodes, ranks, MAX_COUNT),
        chunk_count,
        whole("scratch", scratch, 0, MAX_COUNT),
        None if chunks is None else whole("chunks", chunks, 1, MAX_COUNT),
        None,
        lambda: schedule,
        helper_kind(helpers),
    )


def refuse_own(row: Row, **options: object) -> None:
    """Raise BadInput for options of somebody's own schedule, beside an algorithm of the catalog."""
    for name, value in options.items():
        if value is not None:
            raise BadInput(f"{name} {brief(value)}: {row.title} has its own; leave it out")


def refuse_root(promise: Collective, root: int) -> None:
    """Raise BadInput for a root where the collective has none."""
    if root and not promise.rooted:
        raise BadInput(f"root {root}: {promise.title} has no root; leave it out")


def helper_kind(value: str) -> str:
    """What nodes beside the ranks are; raises BadInput for anything but switch and server."""
    if not isinstance(value, str) or value not in HELPERS:
        raise BadInput(
            f"helpers {brief(value)}: nodes beside the ranks are of kind switch or server; "
            f"{nearest(value, HELPERS)}"
        )
    return value


def count_of(count: int | None, array: Array | None, ranks: int, request: RecordingRequest) -> int:
    """Elements of the full vector: as given, as the data has, else four in each chunk."""
    if not request.promise.moves_data:
        if count not in (None, 0):
            raise BadInput(f"count {count}: a barrier moves no data; try: 0")
        return 0
    if count is not None:
        return whole("count", count, 0, MAX_COUNT)
    if array is not None and array.ndim == 2:
        return int(array.shape[1]) * (ranks if request.promise.precondition is own_cells else 1)
    return 4 * request.chunk_count


def counts_of(
    counts: Sequence[int], count: int | None, request: RecordingRequest
) -> tuple[int, ...]:
    """The elements of each chunk; raises BadInput where they do not fit."""
    listed = tuple(
        whole("counts", number, 0, MAX_COUNT) for number in items_of("counts", counts, "[4, 4]")
    )
    if count is not None:
        raise BadInput(f"count {count}: counts gives all sizes; leave count out")
    if not request.promise.moves_data:
        raise BadInput("counts: a barrier moves no data; leave it out")
    if len(listed) != request.chunk_count:
        raise BadInput(
            f"counts of {len(listed)} numbers: there are {request.chunk_count} chunks; "
            f"try: {request.chunk_count} numbers"
        )
    return listed


def check_bytes(count: int, itemsize: int, request: RecordingRequest) -> None:
    """Refuse vectors whose bytes cannot be counted, and slots there is no memory for."""
    nodes, slots = request.nodes, request.slots
    check_memory(64 * slots + 64 * nodes, f"{nodes} nodes of {slots} slots")
    if count * itemsize * nodes > MAX_VECTOR_BYTES:
        raise BadInput(
            f"count {count}: the bytes of {nodes} nodes do not fit in 64 bits; "
            f"try: {MAX_VECTOR_BYTES // (itemsize * nodes)}"
        )


def _check_size(row: Row, setting: Setting, chunk_count: int, most_steps: int) -> int:
    """The number of steps; what would not fit into memory is refused before it is allocated."""
    check_pipeline(row, setting)
    ranks, case = setting.ranks, _case(setting, chunk_count)
    messages, steps = row.form.message_count(case), row.form.step_count(case)
    if messages > MAX_MESSAGES:
        raise BadInput(
            f"{row.title} on {ranks} ranks would send {messages:.2g} messages; "
            f"at most 2^36 = {MAX_MESSAGES:.2g} are simulated"
        )
    if steps > most_steps:
        at_most = f"at most 2^{most_steps.bit_length() - 1} = {most_steps}"
        where = "are simulated" if most_steps == MAX_STEPS else "are read from a file"
        raise BadInput(f"{row.title} on {ranks} ranks would take {steps} steps; {at_most} {where}")
    _check_channels(row, setting)
    at_once = -(-messages // max(1, steps))
    chunks = setting.chunks if "chunks" in row.parameters else setting.channels
    needed = 1500 * steps + 100 * at_once + 40 * ranks * min(chunks, ranks)
    check_memory(needed, f"{row.title} on {ranks} ranks")
    return steps


def _case(setting: Setting, chunk_count: int) -> Case:
    """What the closed forms of an algorithm are functions of, with chunks of one size."""
    size = np.broadcast_to(np.intp(1), chunk_count)
    return Case(setting.ranks, size, setting.root, parameters=setting.parameters)


def check_pipeline(row: Row, setting: Setting) -> None:
    """Raise BadInput, naming the most chunks, where so many would take minutes."""
    if _runs_soon(row, setting):
        return
    case = _case(setting, row.chunk_count(setting))
    fewer = range(DEFAULT_CHUNKS + 1, setting.chunks)
    more = bisect_left(fewer, True, key=lambda q: not _runs_soon(row, replace(setting, chunks=q)))
    raise BadInput(
        f"chunks {setting.chunks}: {row.title} on {plural(setting.ranks, 'rank')} would take "
        f"{row.form.step_count(case)} steps and {row.form.message_count(case)} messages; a "
        f"pipeline has at most {MAX_PIPELINE_STEPS} and {MAX_PIPELINE_MESSAGES}; "
        f"try: {DEFAULT_CHUNKS + more} chunks"
    )


def _check_channels(row: Row, setting: Setting) -> None:
    """Raise BadInput, naming the most channels, where so many would take minutes."""
    moved = row.form.total_range(_case(setting, row.chunk_count(setting)))[1]
    if setting.channels == 1 or moved <= MAX_CHANNEL_ROWS:
        return
    limit = max(1, MAX_CHANNEL_ROWS * setting.channels // moved)
    near = max(fewer for fewer in range(1, limit + 1) if setting.ranks % fewer == 0)
    raise BadInput(
        f"channels {setting.channels}: {row.title} on {setting.ranks} ranks would move {moved:,} "
        f"chunks one by one; at most 2^28 are simulated; try: {near}"
    )


def _runs_soon(row: Row, setting: Setting) -> bool:
    """Whether a pipeline of so many chunks is recorded within seconds, as one of few is."""
    if "chunks" not in row.parameters or setting.chunks <= DEFAULT_CHUNKS:
        return True
    case = _case(setting, row.chunk_count(setting))
    few_steps = row.form.step_count(case) <= MAX_PIPELINE_STEPS
    return few_steps and row.form.message_count(case) <= MAX_PIPELINE_MESSAGES
