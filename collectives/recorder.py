"""Makes recordings: pulls a schedule, holds it against the rules, counts it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives import payload
from collectives.catalog import DEFAULT_CHUNKS, Row, find_row
from collectives.chunking import chunk_sizes
from collectives.collective import Collective, find_collective, own_cells
from collectives.counters import Counter, Counters
from collectives.errors import BadInput, WrongSchedule, brief
from collectives.recording import Recording
from collectives.replay import Steps
from collectives.resources import check_memory
from collectives.schedule import Schedule, Step
from collectives.schedule.rules import checked
from collectives.schedule.step import constant
from collectives.theory import Case

Array = npt.NDArray[Any]
KEPT_ROWS = 1 << 20  # transfers up to which the steps of a catalog row are kept in memory
MOST_KEPT = 1 << 17  # steps of a schedule that is kept: an endless one is stopped
MOST_STEPS = 1 << 20  # of an algorithm: a minute of work
MOST_MESSAGES = 1 << 36  # of an algorithm: minutes of work
MOST = 1 << 48  # of anything that is counted, such as the elements of a vector
ROW_BYTES = 40  # of memory, of a transfer that is kept
MOST_MOVED = 1 << 63  # bytes
MOST_BYTES = 1 << 62  # of all nodes' vectors, so that the bytes a node sends fit in 64 bits


def record(
    schedule: str | Iterable[Step],
    algorithm: str | None = None,
    *,
    ranks: int,
    collective: str | None = None,
    root: int = 0,
    count: int | None = None,
    dtype: npt.DTypeLike | None = None,
    op: str = "sum",
    chunks: int | None = None,
    slots: int | None = None,
    nodes: int | None = None,
    data: npt.ArrayLike | None = None,
) -> Recording:
    """Pull a schedule, hold each step against the rules, count it and return the recording.

    Either `record("all_reduce", "ring", ranks=8)`, an algorithm of the catalog, or
    `record(my_schedule(8), collective="all_reduce", ranks=8, slots=8)`, any iterable of
    steps. count: elements of the full vector (default 4 per slot). chunks: pieces of a
    pipeline (default 4). slots: places for chunks on each node (own schedules; default one per
    rank). nodes: ranks and switches (default: the ranks). data: [rank, element] to run on.
    dtype: of the elements (default that of the data, else int64).

    Raises BadInput for values that cannot be used, WrongSchedule for a step that breaks a rule.

    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> len(recording.steps), recording.bytes_sent
    (6, [192, 192, 192, 192])
    """
    number = _whole(ranks, "ranks", 1)
    start = _whole(root, "root", 0)
    if start >= number:
        raise BadInput(f"root {start} of {number} ranks; the ranks are 0 to {number - 1}")
    given = None if data is None else np.asarray(data)
    if dtype is None:
        dtype = "int64" if given is None else given.dtype
    kind = payload.find_dtype(dtype)
    payload.check_operator(op, kind)
    if isinstance(schedule, str):
        if collective is not None or slots is not None or nodes is not None:
            raise BadInput("collective, slots and nodes are the catalog's for its own algorithms")
        meant = _of_catalog(find_row(schedule, algorithm or ""), number, start, chunks)
    else:
        meant = _of_own(schedule, algorithm, number, collective, chunks, slots, nodes)
    if count is None and given is not None and given.ndim == 2:
        count = given.shape[1] * (number if meant.promise.before is own_cells else 1)
    elements = 4 * meant.slots if count is None else _whole(count, "count", 0)
    _check_bytes(elements, kind.itemsize, meant)
    size = np.broadcast_to(chunk_sizes(elements, meant.slots), (meant.nodes, meant.slots))
    steps, counters = _pull(meant.make, size, kind.itemsize, keep_all=meant.row is None)
    recording = Recording(
        collective=meant.promise,
        algorithm=meant.name,
        ranks=number,
        root=start,
        nodes=meant.nodes,
        slots=meant.slots,
        count=elements,
        dtype=kind,
        op=op,
        chunks=meant.chunks,
        row=meant.row,
        steps=steps,
        counters=counters,
    )
    return recording if given is None else recording.on(given)


@dataclass(frozen=True)
class _Meant:
    """A schedule that is asked for: what it promises, where it runs, how it is made."""

    promise: Collective
    name: str
    nodes: int
    slots: int
    chunks: int | None
    row: Row | None
    make: Callable[[], Schedule]


def _of_catalog(row: Row, ranks: int, root: int, chunks: int | None) -> _Meant:
    pieces = _chunks(row, chunks)
    slots = row.slots(ranks, pieces or 0)
    _check_size(row, ranks, slots, pieces or 1)

    def make() -> Schedule:
        return row.schedule(ranks, root, pieces or DEFAULT_CHUNKS)

    return _Meant(row.promise, row.algorithm, ranks, slots, pieces, row, make)


def _of_own(
    schedule: Iterable[Step],
    name: str | None,
    ranks: int,
    collective: str | None,
    chunks: int | None,
    slots: int | None,
    nodes: int | None,
) -> _Meant:
    if not hasattr(schedule, "__iter__"):
        raise BadInput(f"{brief(schedule)} holds no steps; call it, as in my_schedule({ranks})")
    if collective is None:
        raise BadInput("collective= is missing: it says what the schedule promises")
    promise = find_collective(collective)
    places = ranks if slots is None else _whole(slots, "slots", 1)
    promise.check_shape(ranks, places)
    return _Meant(
        promise,
        name or str(getattr(schedule, "__name__", "schedule")),
        ranks if nodes is None else _whole(nodes, "nodes", ranks),
        places,
        None if chunks is None else _whole(chunks, "chunks", 1),
        None,
        lambda: schedule,
    )


def _check_bytes(count: int, itemsize: int, meant: _Meant) -> None:
    """Refuse vectors whose bytes cannot be counted, and slots there is no memory for."""
    nodes, slots = meant.nodes, meant.slots
    check_memory(64 * slots + 64 * nodes, f"{nodes} nodes of {slots} slots")
    if count * itemsize * nodes > MOST_BYTES:
        raise BadInput(
            f"count {count}: the bytes of {nodes} nodes do not fit in 64 bits; "
            f"nearest: {MOST_BYTES // (itemsize * nodes)}"
        )


def _pull(
    make: Callable[[], Schedule], size: npt.NDArray[np.intp], itemsize: int, keep_all: bool
) -> tuple[Steps, Counters]:
    in_bytes = np.broadcast_to(size[0] * itemsize, size.shape)
    counter = Counter(in_bytes)
    kept: list[Step] | None = []
    rows, room = 0, KEPT_ROWS
    largest, moved = int(in_bytes.max()), 0
    for step in counter.watch(checked(make(), size)):
        rows += len(step)
        if keep_all:
            moved += largest * (constant(step.count) or int(step.count.max())) * len(step)
            if moved >= MOST_MOVED:
                raise BadInput(
                    f"count {int(size[0].sum())}: step {len(kept or ()) + 1} makes the bytes that "
                    "are sent more than 64 bits can hold; nearest: a smaller count"
                )
            if rows > room:
                check_memory(ROW_BYTES * rows, f"a schedule of more than {rows} transfers")
                room = 2 * rows
        if kept is not None:
            kept.append(step)
            if keep_all and len(kept) > MOST_KEPT:
                raise WrongSchedule(f"more than 2^17 = {MOST_KEPT} steps; does it ever end?")
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
