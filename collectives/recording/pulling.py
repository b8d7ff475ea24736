"""Pulls a schedule: holds each step against the rules, counts it, keeps what there is room for."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput, WrongSchedule
from collectives.memory_limit import check_memory
from collectives.recording.counters import Counter, Counters
from collectives.recording.replay import Steps
from collectives.recording.request import Request
from collectives.schedule import Step
from collectives.schedule.step import constant
from collectives.schedule.validate import checked, step_location

KEPT_ROWS = 1 << 20  # transfers up to which the steps of a catalog row are kept in memory
STEPS_PER_NODE = 16  # of an own schedule on many
MOST_KEPT = 1 << 16  # steps of an own schedule on few ranks: an endless one is stopped
ROW_BYTES = 40  # of memory, of a transfer that is kept
MOST_MOVED = 1 << 63  # bytes


def pull(request: Request, size: npt.NDArray[np.intp], unit: int) -> tuple[Steps, Counters]:
    """The steps of a plan and their counts; `chunks` in elements of `unit` bytes."""
    sizes = _Sizes(request, size)
    keep_all = request.row is None
    counter = Counter(sizes.live, unit, sizes.uniform)
    kept: list[Step] | None = []
    rows, room = 0, KEPT_ROWS
    largest, moved = int(size.max()) * unit, 0
    for step in counter.watch(checked(request.make(), sizes.live, sizes.fixed)):
        rows += len(step)
        if keep_all:
            moved += largest * (constant(step.count) or int(step.count.max())) * len(step)
            if moved >= MOST_MOVED:
                raise BadInput(
                    f"count {int(size.sum())}: step {len(kept or ()) + 1} makes the bytes that "
                    "are sent more than 64 bits can hold; nearest: a smaller count"
                )
            if rows > room:
                check_memory(ROW_BYTES * rows, f"a schedule of more than {rows} transfers")
                room = 2 * rows
        if kept is not None:
            kept.append(step)
            if keep_all and len(kept) > max(MOST_KEPT, STEPS_PER_NODE * request.nodes):
                raise _endless(len(kept), step)
            if rows > KEPT_ROWS and not keep_all:
                kept = None
    counters = counter.result()
    steps = Steps(
        lambda: checked(request.make(), _Sizes(request, size).live, sizes.fixed),
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
        f"{step_location(number, step)}: more than {number - 1} steps are not run; "
        f"does it ever end?{there}"
    )


class _Sizes:
    """Elements of each slot of each node, as `checked` keeps them up to date.

    uniform: whether all slots always have the same size. fixed: slots that keep theirs.
    """

    def __init__(self, request: Request, size: npt.NDArray[np.intp]) -> None:
        shape = request.nodes, request.slots
        self.uniform = int(size.min()) == int(size.max())
        self.fixed = request.slots if self.uniform else request.chunk_count
        self.live: npt.NDArray[np.intp]
        if self.uniform:
            self.live = np.broadcast_to(size[:1], shape)
        elif request.slots == request.chunk_count:
            self.live = np.broadcast_to(size, shape)
        else:
            check_memory(8 * request.nodes * request.slots, "the sizes of all slots")
            self.live = np.zeros(shape, np.intp)
            self.live[:, : request.chunk_count] = size
