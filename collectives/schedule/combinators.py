"""Combinators: schedules made of schedules, so that algorithms need no offsets or groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice, zip_longest
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput, WrongSchedule
from collectives.schedule.columns import Integers, equal, frozen, integers, tiled
from collectives.schedule.provenance import in_reverse
from collectives.schedule.stamping import iterable, stamped
from collectives.schedule.step import Matrix, Step, merged
from collectives.schedule.transposable import check_transposable
from collectives.values import whole
from collectives.words import brief

Schedule = Iterable[Step]
Item = TypeVar("Item")
MAX_ITEMS = 1 << 20  # steps or chunks that are held at once


def together(*schedules: Schedule) -> Iterator[Step]:
    """Several schedules side by side: step k holds the k-th step of each that still has one.

    Parameters
    ----------
    *schedules : iterable of Step
        Schedules on different slots or nodes.

    Yields
    ------
    Step
        The rows of the k-th steps.

    Examples
    --------
    >>> from collectives.schedule import send, table
    >>> print(table(together([send(0, 1), send(1, 2)], [send(3, 4)])))
    step 1   0→1 =0   3→4 =0
    step 2   1→2 =0
    """
    for steps in zip_longest(*map(_pulled, schedules)):
        yield merged([step for step in steps if step is not None])


def pipelined(schedule: Schedule, chunks: Iterable[int], width: int = 1) -> Iterator[Step]:
    """A schedule of one slot, once for each chunk, each one step later than the one before.

    Parameters
    ----------
    schedule : iterable of Step
        Uses slots 0 to `width` - 1 only.
    chunks : iterable of int
        Slot s becomes slot `chunk * width + s`, of each of these chunks in turn.
    width : int
        Number of slots of a chunk.

    Yields
    ------
    Step
        The rows of all chunks that are under way.

    Raises
    ------
    WrongSchedule
        If the schedule uses any other slot.

    Examples
    --------
    >>> from collectives.schedule import send, table
    >>> print(table(pipelined([send(0, 1), send(1, 2)], range(2))))
    step 1   0→1 =0
    step 2   1→2 =0   0→1 =1
    step 3   1→2 =1
    """
    width = _width(width)
    steps = _all(_pulled(schedule), "steps")
    numbers = integers(_all(chunks, "chunks"), "chunks")
    for step in steps:
        _check_slots(step, width)
    if not steps or not len(numbers):
        return
    steps.reverse()  # the oldest chunk is in the last step
    every = merged(steps)
    first = numbers.astype(np.intp) * width  # slot of each chunk
    row = np.cumsum([0] + [len(step) for step in steps])
    stamp = np.cumsum([0] + [len(step.stamps) for step in steps])
    delay = np.repeat(np.arange(len(steps)), np.diff(row))  # of each row's chunk, in steps
    under_way, moving = (0, len(steps)), every
    for time in range(1 - len(steps), len(numbers)):
        begin, end = max(0, -time), min(len(steps), len(numbers) - time)
        if (begin, end) != under_way:
            moving = _part(every, (row[begin], row[end]), (stamp[begin], stamp[end]))
            under_way = begin, end
        start = first[delay[row[begin] : row[end]] + time]
        yield _shifted(moving, start)


def within(
    ranks: npt.ArrayLike, schedule: Schedule, first: npt.ArrayLike = 0, width: int = 1
) -> Iterator[Step]:
    """A schedule on every row of a matrix of ranks at once.

    Parameters
    ----------
    ranks : int array, shape (groups, nodes) or (nodes,)
        Node i of the schedule becomes `ranks[row, i]`.
    schedule : iterable of Step
        Runs within each row.
    first : int or int array, shape (groups,) or (groups, chunks)
        The first slot of each row; or the slot of each of its chunks, wherever that is: chunks
        that are consecutive in the schedule are then moved one by one.
    width : int
        Slot c of the schedule becomes the `width` slots from `first[row] + c * width` on.

    Yields
    ------
    Step
        The rows of all groups.

    Raises
    ------
    WrongSchedule
        If the schedule names a node that the rows do not have, or shapes do not fit.

    Examples
    --------
    >>> from collectives.schedule import send, table
    >>> print(table(within([[0, 1], [2, 3]], [send(0, 1)], first=[4, 6], width=2)))
    step 1   0→1 =4..5   2→3 =6..7
    """
    group = np.atleast_2d(integers(ranks, "ranks")).astype(np.intp)
    shard = integers(first, "first").astype(np.intp)
    width = _width(width)
    if group.ndim != 2 or shard.ndim > 2 or shard.shape[:1] not in ((), (len(group),)):
        raise WrongSchedule(f"within: ranks of shape {group.shape}, first of shape {shard.shape}")
    if shard.ndim < 2:
        shard = np.broadcast_to(shard, len(group))
    last: Step | None = None
    src = dst = group
    matrix: Matrix = tuple(map(tuple, group.tolist()))
    known: dict[tuple[Matrix, ...] | int, tuple[Matrix, ...]] = {}
    for pulled in _pulled(schedule):
        step = pulled.unrolled() if shard.ndim == 2 else pulled
        if last is None or not (equal(step.src, last.src) and equal(step.dst, last.dst)):
            src, dst = _members(group, step.src), _members(group, step.dst)
        last = step
        chunk = _slots_of(step.chunk, shard, width)
        inner = step.groups or len(step.stamps)
        if inner not in known:
            known[inner] = tuple(_inside(matrix, rows) for rows in step.grouped)
        yield Step(
            src=src,
            dst=dst,
            chunk=chunk,
            into=chunk if step.into is step.chunk else _slots_of(step.into, shard, width),
            needs=None if step.needs is None else _slots_of(step.needs, shard, width),
            count=tiled(step.count, len(group), width),
            reduces=tiled(step.reduces, len(group)),
            origin=tiled(step.origin, len(group)),
            stamps=step.stamps,
            groups=known[inner],
        )


def _inside(matrix: Matrix, inner: Matrix) -> Matrix:
    """The ranks of groups of places, within each row of a matrix of ranks."""
    if not inner:
        return matrix
    return tuple(tuple(row[place] for place in positions) for row in matrix for positions in inner)


def _width(width: int) -> int:
    """Slots of a chunk, at least one; raises WrongSchedule otherwise."""
    try:
        return whole("width", width, 1, MAX_ITEMS)
    except BadInput as problem:
        raise WrongSchedule(str(problem)) from None


def _slots_of(slots: Integers, shard: Integers, width: int) -> Integers:
    """The slots of a schedule within each row of a matrix of ranks, row after row."""
    if shard.ndim == 2:
        return frozen(_of_each_row("slot", shard, slots, "chunks"))
    return frozen(np.add.outer(shard, slots * width).reshape(-1))


def _members(group: Integers, nodes: Integers) -> Integers:
    """The ranks of a schedule's nodes within each row of a matrix of ranks, row after row."""
    return frozen(_of_each_row("node", group, nodes, "nodes"))


def _of_each_row(what: str, matrix: Integers, columns: Integers, noun: str) -> Integers:
    """What stands in these columns of every row, row after row; raises WrongSchedule outside."""
    outside = columns[(columns < 0) | (columns >= matrix.shape[1])]
    if len(outside):
        raise WrongSchedule(f"within: {what} {outside[0]} of a row of {matrix.shape[1]} {noun}")
    columns_of_rows: Integers = matrix[:, columns].reshape(-1)
    return columns_of_rows


def backwards(schedule: Schedule) -> Iterator[Step]:
    """The schedule run in reverse: last step first, every transfer the other way, verbs kept.

    Turns a scatter into a gather and a gather into a scatter.

    Parameters
    ----------
    schedule : iterable of Step
        At most 2^20 steps, in which no transfer needs another slot.

    Yields
    ------
    Step
        The reversed steps.

    Raises
    ------
    WrongSchedule
        If a transfer needs another slot, or the schedule does not end.

    Examples
    --------
    >>> from collectives.schedule import send, table
    >>> print(table(backwards([send(0, 2, chunk=2), send(0, 1, chunk=1)])))
    step 1   1→0 =1
    step 2   2→0 =2
    """
    for step in reversed(_all(_pulled(schedule), "steps")):
        yield _reversed(step)


def transposed(schedule: Schedule) -> Iterator[Step]:
    """The schedule in reverse with `send` and `reduce` exchanged: all-gather ↔ reduce-scatter.

    It is the transpose of the linear map from what slots hold before to what they hold after,
    provided that every send writes a slot whose value is not needed (it was never used, or was
    given away by a reduce), and no slot is used again after it was given away.

    Parameters
    ----------
    schedule : iterable of Step
        At most 2^20 steps, in which no transfer needs another slot.

    Yields
    ------
    Step
        The reversed steps, with the other verbs.

    Raises
    ------
    WrongSchedule
        If the schedule has no transpose.

    Examples
    --------
    >>> from collectives.schedule import send, table
    >>> print(table(transposed([send(0, 1), send([0, 1], [2, 3])])))
    step 1   2→0 +0   3→1 +0
    step 2   1→0 +0
    """
    steps = _all(_pulled(schedule), "steps")
    check_transposable(steps)
    for step in reversed(steps):
        yield replace(_reversed(step), reduces=frozen(~step.reduces))


def _pulled(schedule: Schedule) -> Iterator[Step]:
    return (step for step in stamped(schedule) if len(step))


def _all(items: Iterable[Item], what: str) -> list[Item]:
    """All of them in a list; raises WrongSchedule if they seem never to end."""
    if not iterable(items):
        raise WrongSchedule(f"{what} {brief(items)}: must be a list; try: range(4)")
    head = list(islice(items, MAX_ITEMS + 1))
    if len(head) > MAX_ITEMS:
        raise WrongSchedule(f"more than 2^20 = {MAX_ITEMS} {what}; do they ever end?")
    return head


def _check_slots(step: Step, width: int) -> None:
    """Refuse slots beyond those of a chunk."""
    used = (step.chunk, step.into, step.needed)
    highest = np.maximum.reduce(used)
    outside = (np.minimum.reduce(used) < 0) | (step.count > width - highest)
    if outside.any():
        row = int(outside.argmax())
        last = int(highest[row]) + int(step.count[row]) - 1
        allowed = "slot 0" if width == 1 else f"slots 0 to {width - 1}"
        raise WrongSchedule(f"pipelined: the schedule uses slot {last}; it may use {allowed} only")


def _part(step: Step, rows: tuple[int, int], stamps: tuple[int, int]) -> Step:
    """The step of a range of rows, which come from a range of its stamps."""
    some = step.select(slice(*rows))
    into = some.chunk if step.into is step.chunk else some.into
    origin = frozen(some.origin - stamps[0])
    part = slice(*stamps)
    return replace(
        some, into=into, origin=origin, stamps=step.stamps[part], groups=step.groups[part]
    )


def _shifted(step: Step, by: Integers) -> Step:
    """The step with each row's slots moved on by a number of slots."""
    chunk = frozen(step.chunk + by)
    into = chunk if step.into is step.chunk else frozen(step.into + by)
    needs = None if step.needs is None else frozen(step.needs + by)
    return replace(step, chunk=chunk, into=into, needs=needs)


def _reversed(step: Step) -> Step:
    """The step with every transfer the other way; refuses transfers that need other slots."""
    if step.needs is not None and (differing := np.flatnonzero(step.needs != step.chunk)).size:
        row = int(differing[0])
        raise WrongSchedule(
            f"a schedule in which transfers need other slots cannot be reversed: rank "
            f"{step.src[row]} needs slot {step.needs[row]} to send slot {step.chunk[row]}; "
            "try: write the reverse as a schedule of its own"
        )
    return replace(
        step,
        src=step.dst,
        dst=step.src,
        chunk=step.into,
        into=step.chunk,
        needs=None,
        stamps=tuple(map(in_reverse, step.stamps)),
    )
