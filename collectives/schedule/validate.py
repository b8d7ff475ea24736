"""Validates a schedule as it is pulled: nodes, slots and sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from collectives.errors import WrongSchedule
from collectives.memory_limit import check_memory
from collectives.schedule.columns import Integers, constant, equal
from collectives.schedule.combinators import Schedule
from collectives.schedule.provenance import line_name
from collectives.schedule.pulling import Elsewhere, pulled
from collectives.schedule.step import Step, columns_of
from collectives.schedule.unique import RowGroups
from collectives.words import Quoted, Worded, located

Elements = npt.NDArray[np.integer]  # sizes of slots
COLUMN_KINDS = "iiiiibii"  # as numpy calls integers and booleans; the last may be missing


def checked(
    schedule: Schedule, size: npt.NDArray[np.integer], fixed: int | None = None, own: bool = False
) -> Iterator[Step]:
    """The steps of a schedule, stamped, without the empty ones, each validated.

    `size[node, slot]` is the number of elements of a slot; its shape gives the number of nodes
    and slots. The first `fixed` slots (default all) keep their size. The others take the size of
    what is sent into them, which is written into `size` when the next step is requested: until
    then it has the sizes that this step reads. A step whose src and dst equal those of the step
    before shares their arrays, so that `is` finds a repeated pattern. Raises WrongSchedule, naming
    step and line, for a node or slot that does not exist, a transfer between slots of unequal
    size, and a slot that is overwritten and written by another row of the same step; in somebody's
    `own` code also for a step that takes too long.
    """
    rules = _Rules(size, size.shape[1] if fixed is None else fixed)
    steps = schedule if isinstance(schedule, Elsewhere) else pulled(schedule, own)
    for number, step in enumerate(steps, 1):
        try:
            step = rules.check(step, number)
        except WrongSchedule as problem:
            where = step_location(number, step)
            attempted = step if _is_table(step) else None
            text = located(where, problem)
            raise WrongSchedule(text, attempted=attempted) from None
        yield step
        rules.step_done(step)


def step_location(number: int, step: Step) -> str:
    """A step's number and the source lines of its rows, for messages.

    >>> from collectives.schedule import send
    >>> step_location(3, send(0, 1))
    'step 3'
    """
    lines = {
        line_name(stamp[-1].source.file, stamp[-1].line): None for stamp in step.stamps if stamp
    }
    place = Worded(" ({lines})", lines=tuple(lines)) if lines else ""
    return Worded("step {step}{place}", step=number, place=place)


class _Rules:
    """The rules for steps on slots of these sizes; remembers the step before."""

    def __init__(self, size: npt.NDArray[np.integer], fixed: int) -> None:
        self._nodes, self._slots = size.shape
        known = size[:, :fixed]
        self._same_nodes = size.strides[0] == 0 or bool((known == known[:1]).all())
        self._uniform = self._same_nodes and bool((known[0] == known[0, 0]).all())
        self._size = size
        live = fixed < self._slots and not self._uniform
        self._live = _LiveSizes(size, fixed) if live else None
        self._last: Step | None = None
        self._one_write_each = False  # to every node, of the step
        self._writes = RowGroups(np.zeros(0, np.intp))  # of the step, by the node they go to

    def check(self, step: Step, number: int) -> Step:
        """The step, sharing columns with the step before; raises WrongSchedule for a wrong one."""
        check_columns(step)
        step = self._check_nodes(step)
        _check_range(step, step.chunk, step.count, self._slots, "slot")
        for slots in (step.into, step.needed):
            if slots is not step.chunk:
                _check_range(step, slots, step.count, self._slots, "slot")
        if step.needs is not None and equal(step.needs, step.chunk):  # it reads them anyway
            step = replace(step, needs=None)
        if constant(step.count) is None:
            check_memory(100 * int(step.count.sum()), f"step {number}")
        if self._live is not None:
            self._live.check(step.unrolled())
        elif not self._uniform and not (self._same_nodes and step.into is step.chunk):
            rows = step.unrolled()
            here, there = self._size[rows.src, rows.chunk], self._size[rows.dst, rows.into]
            _check_sizes(rows, here, there)
        if not self._one_write_each:
            _check_conflicts(step, self._writes, self._slots)
        return step

    def step_done(self, step: Step) -> None:
        """Take over the sizes that a step has written."""
        if self._live is not None:
            self._live.take(step.unrolled())
        self._last = step

    def _check_nodes(self, step: Step) -> Step:
        """Refuse nodes that do not exist; share columns that equal those of the step before."""
        last = self._last
        same_src = last is not None and equal(last.src, step.src)
        same_dst = last is not None and equal(last.dst, step.dst)
        if not same_src:
            _check_range(step, step.src, 1, self._nodes, "node")
        if not same_dst:
            _check_range(step, step.dst, 1, self._nodes, "node")
            self._one_write_each = int(np.bincount(step.dst).max()) == 1
            self._writes = RowGroups(step.dst)
        if last is not None and (same_src or same_dst):
            src, dst = last.src if same_src else step.src, last.dst if same_dst else step.dst
            step = step.like(src, dst, step.stamps)
        return step


def check_columns(step: Step) -> None:
    """Refuse a table that `send` and `reduce` would not have made."""
    shape = (len(step.src),)
    columns = columns_of(step) if step.needs is None else (*columns_of(step), step.needs)
    for column, kind in zip(columns, COLUMN_KINDS, strict=False):
        if getattr(column, "shape", None) != shape or column.dtype.kind != kind:
            raise WrongSchedule(
                "its columns are not integers of one length; make it by send or reduce"
            )
    origin = constant(step.origin)
    if (int(step.origin.max()) if origin is None else origin) >= len(step.stamps):
        raise WrongSchedule("a row comes from a stamp that is not there; make it by send or reduce")


def _is_table(step: Step) -> bool:
    """Whether a step is such a table, so that it can be drawn."""
    try:
        check_columns(step)
    except WrongSchedule:
        return False
    return True


def _check_range(step: Step, first: Integers, count: Integers | int, limit: int, what: str) -> None:
    """Refuse nodes or slots that do not exist, and transfers of no slots."""
    single = count if isinstance(count, int) else constant(count)
    lowest = int(first.min())
    highest = int(first.max()) + (single or 1) - 1
    if single is None and highest < limit:
        row = int((first + np.minimum(count, limit + 1)).argmax())  # no sum is too large
        highest = int(first[row]) + int(np.broadcast_to(count, first.shape)[row]) - 1
    elif highest >= limit:
        row = int(first.argmax())
    if lowest < 0 or highest >= limit:
        wrong, row = (lowest, int(first.argmin())) if lowest < 0 else (highest, row)
        raise WrongSchedule(_outside(step, row, wrong, limit, what))
    if (single is not None and single < 1) or (single is None and int(np.min(count)) < 1):
        pattern = "count {count}: a transfer moves at least one slot"
        raise WrongSchedule(Worded(pattern, count=int(np.min(count))))


def _outside(step: Step, row: int, wrong: int, limit: int, what: str) -> str:
    """That a node or slot does not exist, in which transfer, and what may have been meant."""
    near = "{near}; slots= or --slots makes more, scratch= or --scratch adds some"
    if what == "node":
        near = "{near}, or {number} % {limit} = {rest}"
        near += "; nodes= or --nodes adds switches" if wrong >= limit else ""
    numbers = {"number": wrong, "limit": limit}
    nearest = Worded(near, near=0 if wrong < 0 else limit - 1, rest=wrong % limit, **numbers)
    pattern = f"{what} {{number}} does not exist; there are {{limit}}, 0 to {{last}} \
(in the transfer {{transfer}}; try: {{nearest}})"
    transfer = Quoted(step.select(np.array([row])))
    return Worded(pattern, last=limit - 1, transfer=transfer, nearest=nearest, **numbers)


def _check_sizes(step: Step, here: Elements, there: Elements) -> None:
    """Refuse transfers between slots of unequal size: of each row, where it reads and writes."""
    unequal = np.flatnonzero(here != there)
    if len(unequal):
        row = int(unequal[0])
        pattern = "slot {chunk} of rank {src} has {here} elements, \
slot {into} of rank {dst} has {there}"
        columns = ("src", "chunk", "dst", "into")
        ends = {name: int(getattr(step, name)[row]) for name in columns}
        raise WrongSchedule(Worded(pattern, here=int(here[row]), there=int(there[row]), **ends))


class _LiveSizes:
    """Sizes of slots, where those from slot `fixed` on change with what is written there."""

    def __init__(self, size: npt.NDArray[np.integer], fixed: int) -> None:
        self._size, self._fixed = size, fixed
        self._full = np.zeros(size.shape, np.bool_)
        self._full[:, :fixed] = True

    def check(self, step: Step) -> None:
        """Refuse unequal sizes, but for slots that take the size of what is sent into them."""
        here = self._size[step.src, step.chunk]
        there = np.array(self._size[step.dst, step.into])
        takes = (step.into >= self._fixed) & ~(step.reduces & self._full[step.dst, step.into])
        cell = step.dst * self._size.shape[1] + step.into
        _, first, which = np.unique(cell, return_index=True, return_inverse=True)
        there[takes] = here[first[which]][takes]  # all that is added at once is of one size
        _check_sizes(step, here, there)

    def take(self, step: Step) -> None:
        """Give the slots that are not fixed the size of what the step wrote into them."""
        moved = self._size[step.src, step.chunk]
        takes = step.into >= self._fixed
        self._size[step.dst[takes], step.into[takes]] = moved[takes]
        self._full[step.dst, step.into] = True


def _check_conflicts(step: Step, writes: RowGroups, slots: int) -> None:
    """Refuse a slot that one row overwrites and another writes; writes: rows by their node."""
    if step.reduces.all() or (constant(step.count) is None and not _met(step, slots)):
        return
    rows = step.unrolled()
    if (writes if rows is step else RowGroups(rows.dst)).all_differ(rows.into, slots):
        return
    step, cell = rows, rows.dst * slots + rows.into
    order = np.argsort(cell, kind="stable")
    twice = cell[order][1:] == cell[order][:-1]
    shared = np.isin(cell, cell[order][1:][twice])
    clash = np.flatnonzero(shared & ~step.reduces)
    if len(clash):
        row = int(clash[0])
        others = sorted(int(r) for r in step.src[cell == cell[row]])
        who = "ranks {ranks} write"
        if len(set(others)) == 1:
            who = "rank {writer} writes {times} times into"
        raise WrongSchedule(
            Worded(
                f"{who} slot {{slot}} of rank {{rank}} at once; one step may overwrite a slot "
                "once, or only add into it",
                ranks=tuple(map(str, others)),
                writer=others[0],
                times=len(others),
                slot=int(step.into[row]),
                rank=int(step.dst[row]),
            )
        )


def _met(step: Step, slots: int) -> bool:
    """Whether rows write the same slot of which one overwrites it: row by row, not slot by slot."""
    first = step.dst * slots + step.into
    order = np.argsort(first, kind="stable")
    end, overwrites = (first + step.count)[order], ~step.reduces[order]
    first = first[order][1:]
    written = np.maximum.accumulate(end)[:-1]
    overwritten = np.maximum.accumulate(np.where(overwrites, end, 0))[:-1]
    return bool(((first < overwritten) | (overwrites[1:] & (first < written))).any())
