"""Whether a schedule has a transpose: no slot is used again after a reduce gave it away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from collectives.errors import WrongSchedule
from collectives.schedule.columns import Integers
from collectives.schedule.step import Step
from collectives.schedule.unique import all_different, has_room, numbered

Number = Callable[[Integers, Integers], Integers]


def check_transposable(steps: Sequence[Step]) -> None:
    """Raise WrongSchedule, naming step, rank and slot, where a schedule has no transpose."""
    number_of, limit = _cells(steps)
    used, spent = np.zeros((2, limit), np.bool_)
    for number, whole in enumerate(steps, 1):
        step = whole.unrolled()
        read, write = number_of(step.src, step.chunk), number_of(step.dst, step.into)
        again = spent[read]
        reduced = read[step.reduces]
        if len(reduced) and not all_different(read, limit):
            different, which, repeats = np.unique(read, return_inverse=True, return_counts=True)
            again |= (np.isin(different, reduced) & (repeats > 1))[which]
        if again.any():
            raise _refusal(number, "reads", step, again, "again after it was reduced away")
        used[read] = spent[reduced] = True
        gone = spent[write]
        wrong = np.where(step.reduces, gone, used[write] & ~gone)
        if wrong.any():
            if step.reduces[int(wrong.argmax())]:
                raise _refusal(number, "adds into", step, wrong, "after it was reduced away")
            raise _refusal(number, "overwrites", step, wrong, "which was in use")
        used[write] = True
        spent[write[~step.reduces]] = False


def _cells(steps: Sequence[Step]) -> tuple[Number, int]:
    """A function that numbers the slots of nodes, and how many numbers there are."""
    if not steps:
        return np.add, 0
    ends = [(step.src, step.dst, step.chunk, step.into) for step in steps]
    nodes = 1 + max(int(max(src.max(), dst.max())) for src, dst, *_ in ends)
    slots = max(int((np.maximum(step.chunk, step.into) + step.count).max()) for step in steps)
    lowest = min(int(column.min()) for columns in ends for column in columns)
    rows = sum(int(step.count.sum()) for step in steps)
    if lowest >= 0 and has_room(rows, nodes * slots):
        return (lambda node, slot: node * slots + slot), nodes * slots
    unrolled = [step.unrolled() for step in steps]
    node = np.unique(np.concatenate([end for step in unrolled for end in (step.src, step.dst)]))
    slot = np.unique(np.concatenate([end for step in unrolled for end in (step.chunk, step.into)]))

    def index(rows: Integers, seats: Integers) -> Integers:
        """The index of a slot in a table of all nodes and slots that occur."""
        return np.searchsorted(node, rows) * len(slot) + np.searchsorted(slot, seats)

    indices = [
        index(*end) for step in unrolled for end in ((step.src, step.chunk), (step.dst, step.into))
    ]
    known, _ = numbered(np.concatenate(indices), len(node) * len(slot))
    return (lambda rows, seats: np.searchsorted(known, index(rows, seats))), len(known)


def _refusal(
    number: int, verb: str, step: Step, wrong: npt.NDArray[np.bool_], why: str
) -> WrongSchedule:
    """The error of the first wrong row, with the slot it reads or writes."""
    row = int(wrong.argmax())
    node, slot = (step.src, step.chunk) if verb == "reads" else (step.dst, step.into)
    return WrongSchedule(
        f"not transposable: step {number} {verb} slot {slot[row]} of rank {node[row]} {why}"
    )
