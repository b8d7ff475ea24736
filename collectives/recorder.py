"""Makes recordings: pulls a schedule, holds it against the rules, counts it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives import payload
from collectives.catalog import Row, Setting, find_row
from collectives.chunking import chunk_sizes
from collectives.collective import Collective, find_collective, own_cells
from collectives.counters import Counter, Counters
from collectives.errors import BadInput, WrongSchedule, brief
from collectives.recording import Recording
from collectives.replay import Steps
from collectives.resources import check_memory
from collectives.schedule import Schedule, Step
from collectives.schedule.rules import checked, place
from collectives.schedule.step import constant
from collectives.theory import Case

Array = npt.NDArray[Any]
KEPT_ROWS = 1 << 20  # transfers up to which the steps of a catalog row are kept in memory
MOST_KEPT = 1 << 16  # steps of an own schedule on few ranks: an endless one is stopped
STEPS_PER_NODE = 16  # of an own schedule on many
MOST_STEPS = 1 << 20  # of an algorithm: a minute of work
MOST_MESSAGES = 1 << 36  # of an algorithm: minutes of work
MOST = 1 << 48  # of anything that is counted, such as the elements of a vector
ROW_BYTES = 40  # of memory, of a transfer that is kept
MOST_RANKS = 1 << 20
MOST_MOVED = 1 << 63  # bytes
MOST_BYTES = 1 << 62  # of all nodes' vectors, so that the bytes a node sends fit in 64 bits


def record(
    schedule: str | Iterable[Step],
    algorithm: str | None = None,
    *,
    ranks: int,
    collective: str | Collective | None = None,
    root: int = 0,
    count: int | None = None,
    counts: Sequence[int] | None = None,
    dtype: npt.DTypeLike | None = None,
    op: str = "sum",
    chunks: int | None = None,
    slots: int | None = None,
    scratch: int = 0,
    nodes: int | None = None,
    data: npt.ArrayLike | None = None,
    parameters: Mapping[str, int] | None = None,
) -> Recording:
    """Pull a schedule, hold each step against the rules, count it and return the recording.

    Either `record("all_reduce", "ring", ranks=8)`, an algorithm of the catalog, or
    `record(my_schedule(8), collective="all_reduce", ranks=8, slots=8)`, any iterable of
    steps. count: elements of the full vector (default 4 per slot), or counts: those of each
    slot (of each rank, where every rank owns one). chunks: pieces of a pipeline (default 4).
    parameters: further arguments of a catalog algorithm, such as {"radix": 3}. For own schedules,
    slots: pieces of the vector, each with a slot on every node (default one per rank);
    scratch: further slots; nodes: ranks and switches (default: the ranks). data: [rank,
    element] to run on. dtype: of the elements (default that of the data, else int64).

    Raises BadInput for values that cannot be used, WrongSchedule for a step that breaks a rule.

    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> len(recording.steps), recording.bytes_sent
    (6, [192, 192, 192, 192])
    """
    number = _whole(ranks, "ranks", 1)
    if number > MOST_RANKS:
        raise BadInput(f"ranks {number}: at most 2^20 are simulated; nearest: {MOST_RANKS}")
    start = _whole(root, "root", 0)
    if start >= number:
        raise BadInput(f"root {start} of {number} ranks; the ranks are 0 to {number - 1}")
    given = None if data is None else np.asarray(data)
    if dtype is None:
        dtype = "int64" if given is None else given.dtype
    kind = payload.find_dtype(dtype)
    payload.check_operator(op, kind)
    if isinstance(schedule, str):
        if collective is not None or slots is not None or nodes is not None or scratch:
            raise BadInput(
                "collective, slots, scratch and nodes are the catalog's for its own algorithms"
            )
        row = find_row(schedule, algorithm or "")
        meant = _of_catalog(row, number, start, chunks, parameters or {})
    else:
        if parameters:
            name = next(iter(parameters))
            raise BadInput(f"{name}: give it to your own function, not to record")
        places = number if slots is None else _whole(slots, "slots", 1)
        meant = _of_own(schedule, algorithm, number, collective, chunks, places, scratch, nodes)
    if op == "avg" and meant.promise.name == "scan":
        raise BadInput("op avg: a scan has no average; nearest: sum")
    if counts is not None:
        listed = _counts(counts, count, meant)
        elements = sum(listed)
    else:
        listed, elements = None, _count(count, given, number, meant)
    _check_bytes(elements, kind.itemsize, meant)
    pieces = chunk_sizes(elements, meant.pieces) if listed is None else np.array(listed, np.intp)
    steps, counters = _pull(meant, pieces, kind.itemsize)
    recording = Recording(
        collective=meant.promise,
        algorithm=meant.name,
        ranks=number,
        root=start,
        nodes=meant.nodes,
        pieces=meant.pieces,
        slots=meant.slots,
        count=elements,
        dtype=kind,
        op=op,
        chunks=meant.chunks,
        row=meant.row,
        steps=steps,
        counters=counters,
        parameters=meant.parameters,
        counts=listed,
    )
    return recording if given is None else recording.on(given)


@dataclass(frozen=True)
class _Meant:
    """A schedule that is asked for: what it promises, where it runs, how it is made."""

    promise: Collective
    name: str
    nodes: int
    pieces: int
    scratch: int
    chunks: int | None
    row: Row | None
    make: Callable[[], Schedule]
    parameters: Mapping[str, int] = field(default_factory=dict)

    @property
    def slots(self) -> int:
        """Slots of each node."""
        return self.promise.places(self.pieces) + self.scratch


def _of_catalog(
    row: Row, ranks: int, root: int, chunks: int | None, parameters: Mapping[str, int]
) -> _Meant:
    if chunks is not None:
        chunks = _whole(chunks, "chunks", 1)
    whole = {name: _whole(value, name, 0) for name, value in parameters.items()}
    setting = row.setting(ranks, root, chunks, whole)
    pieces = row.pieces(setting)
    _check_size(row, setting, pieces)
    return _Meant(
        row.promise_in(setting),
        row.algorithm,
        row.nodes(setting),
        pieces,
        row.scratch(setting),
        setting.chunks if "chunks" in row.parameters else None,
        row,
        lambda: row.schedule(setting),
        setting.parameters,
    )


def _of_own(
    schedule: Iterable[Step],
    name: str | None,
    ranks: int,
    collective: str | Collective | None,
    chunks: int | None,
    pieces: int,
    scratch: int,
    nodes: int | None,
) -> _Meant:
    if not hasattr(schedule, "__iter__"):
        raise BadInput(f"{brief(schedule)} holds no steps; call it, as in my_schedule({ranks})")
    if collective is None:
        raise BadInput("collective= is missing: it says what the schedule promises")
    promise = find_collective(collective) if isinstance(collective, str) else collective
    promise.check_shape(ranks, pieces)
    return _Meant(
        promise,
        name or str(getattr(schedule, "__name__", "schedule")),
        ranks if nodes is None else _whole(nodes, "nodes", ranks),
        pieces,
        _whole(scratch, "scratch", 0),
        None if chunks is None else _whole(chunks, "chunks", 1),
        None,
        lambda: schedule,
    )


def _count(count: int | None, given: Array | None, ranks: int, meant: _Meant) -> int:
    """Elements of the full vector: as given, as the data has, else four in each piece."""
    if meant.promise.name == "barrier":
        if count not in (None, 0):
            raise BadInput(f"count {count}: a barrier moves no data; nearest: 0")
        return 0
    if count is not None:
        return _whole(count, "count", 0)
    if given is not None and given.ndim == 2:
        return int(given.shape[1]) * (ranks if meant.promise.before is own_cells else 1)
    return 4 * meant.pieces


def _counts(counts: Sequence[int], count: int | None, meant: _Meant) -> tuple[int, ...]:
    """The elements of each piece; raises BadInput where they do not fit."""
    listed = tuple(_whole(number, "counts", 0) for number in counts)
    if count is not None:
        raise BadInput(f"count {count}: counts says it all; leave count out")
    if meant.promise.name == "barrier":
        raise BadInput("counts: a barrier moves no data; leave it out")
    if len(listed) != meant.pieces:
        raise BadInput(
            f"counts of {len(listed)} numbers: the vector is cut into {meant.pieces} pieces; "
            f"nearest: {meant.pieces} numbers"
        )
    return listed


def _check_bytes(count: int, itemsize: int, meant: _Meant) -> None:
    """Refuse vectors whose bytes cannot be counted, and slots there is no memory for."""
    nodes, slots = meant.nodes, meant.slots
    check_memory(64 * slots + 64 * nodes, f"{nodes} nodes of {slots} slots")
    if count * itemsize * nodes > MOST_BYTES:
        raise BadInput(
            f"count {count}: the bytes of {nodes} nodes do not fit in 64 bits; "
            f"nearest: {MOST_BYTES // (itemsize * nodes)}"
        )


def _pull(meant: _Meant, pieces: npt.NDArray[np.intp], unit: int) -> tuple[Steps, Counters]:
    sizes = _Sizes(meant, pieces)
    keep_all = meant.row is None
    counter = Counter(sizes.live, unit, sizes.uniform)
    kept: list[Step] | None = []
    rows, room = 0, KEPT_ROWS
    largest, moved = int(pieces.max()) * unit, 0
    for step in counter.watch(checked(meant.make(), sizes.live, sizes.fixed)):
        rows += len(step)
        if keep_all:
            moved += largest * (constant(step.count) or int(step.count.max())) * len(step)
            if moved >= MOST_MOVED:
                raise BadInput(
                    f"count {int(pieces.sum())}: step {len(kept or ()) + 1} makes the bytes that "
                    "are sent more than 64 bits can hold; nearest: a smaller count"
                )
            if rows > room:
                check_memory(ROW_BYTES * rows, f"a schedule of more than {rows} transfers")
                room = 2 * rows
        if kept is not None:
            kept.append(step)
            if keep_all and len(kept) > max(MOST_KEPT, STEPS_PER_NODE * meant.nodes):
                raise _endless(len(kept), step)
            if rows > KEPT_ROWS and not keep_all:
                kept = None
    counters = counter.result()
    steps = Steps(
        lambda: checked(meant.make(), _Sizes(meant, pieces).live, sizes.fixed),
        counters.walked,
        kept,
    )
    return steps, counters


def _endless(number: int, step: Step) -> WrongSchedule:
    """That there are too many steps, where the last came from, and what it was about."""
    stamp = step.stamps[-1]
    values = [f"{name} = {value}" for name, value in (stamp[-1].locals if stamp else ())]
    there = f" There, {', '.join(values)}" if values else ""
    return WrongSchedule(
        f"{place(number, step)}: more than {number - 1} steps; does it ever end?{there}"
    )


class _Sizes:
    """Elements of each slot of each node, as `checked` keeps them up to date.

    uniform: whether all slots always have the same size. fixed: slots that keep theirs.
    """

    def __init__(self, meant: _Meant, pieces: npt.NDArray[np.intp]) -> None:
        shape = meant.nodes, meant.slots
        self.uniform = int(pieces.min()) == int(pieces.max())
        self.fixed = meant.slots if self.uniform else meant.pieces
        self.live: npt.NDArray[np.intp]
        if self.uniform:
            self.live = np.broadcast_to(pieces[:1], shape)
        elif meant.slots == meant.pieces:
            self.live = np.broadcast_to(pieces, shape)
        else:
            check_memory(8 * meant.nodes * meant.slots, "the sizes of all slots")
            self.live = np.zeros(shape, np.intp)
            self.live[:, : meant.pieces] = pieces


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


def _check_size(row: Row, setting: Setting, pieces: int) -> None:
    """Refuse, before anything is allocated, what would not fit into memory."""
    ranks = setting.ranks
    case = Case(
        ranks, np.broadcast_to(np.intp(1), pieces), setting.root, parameters=setting.parameters
    )
    messages = row.form.message_count(case)
    if messages > MOST_MESSAGES:
        raise BadInput(
            f"{row.title} on {ranks} ranks would send {messages:.2g} messages; "
            f"at most 2^36 = {MOST_MESSAGES:.2g} are simulated"
        )
    steps = row.form.step_count(case)
    if steps > MOST_STEPS:
        raise BadInput(
            f"{row.title} on {ranks} ranks would take {steps} steps; "
            f"at most 2^20 = {MOST_STEPS} are simulated"
        )
    at_once = -(-messages // max(1, steps))
    chunks = setting.chunks if "chunks" in row.parameters else 1
    needed = 1500 * steps + 100 * at_once + 40 * ranks * min(chunks, ranks)
    check_memory(needed, f"{row.title} on {ranks} ranks")
