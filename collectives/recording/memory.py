"""Runs steps on a payload: real data, contributions or fingerprints, all by the same code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.errors import WrongSchedule
from collectives.schedule import Step
from collectives.schedule.columns import constant
from collectives.schedule.validate import step_location

Array = npt.NDArray[Any]
Add = Callable[..., Array]  # add(old, new, out=…), as a numpy ufunc
FEW_ROWS = 32  # below this many rows a plain loop beats numpy's indexing
WIDE_ROW = 16 * 1024  # bytes of a slot from which on indexing costs less than the copy it saves


class EmptySlot(WrongSchedule):
    """A step read a slot into which nothing had been written."""


class Memory:
    """What every slot of every node holds.

    `values[node, slot]` is the payload of a slot (any further axes), `full[node, slot]`
    whether anything was written there; nodes that `full` does not have start empty. Both are
    changed in place by `combine`.
    """

    def __init__(self, values: Array, full: npt.NDArray[np.bool_]) -> None:
        self.nodes, self.slots = values.shape[:2]
        self.values = np.ascontiguousarray(values)
        self._cells = self.values.reshape(self.nodes * self.slots, *values.shape[2:])
        self._full_bytes = bytearray(full.tobytes().ljust(self.nodes * self.slots, b"\0"))
        self._full = np.frombuffer(self._full_bytes, np.bool_)
        self._all_full = bool(self._full.all())
        self._width = int(np.prod(self._cells.shape[1:]))
        self._wide = self._cells.itemsize * self._width >= WIDE_ROW
        self._views: Any = None
        self._first_cell: tuple[tuple[Array, Array], ...] = ()
        self._last_dst: Array | None = None
        self._last_distinct = False

    @property
    def full(self) -> npt.NDArray[np.bool_]:
        """Which slots hold something: shape [nodes, slots], a view."""
        return self._full.reshape(self.nodes, self.slots)

    def copy(self) -> Memory:
        """An independent memory with the same content."""
        return Memory(self.values.copy(), self.full)

    def combine(self, step: Step, add: Add) -> None:
        """Carry out one step: all rows read, then all rows write, in row order.

        `add(old, new)` is what reduce does; into an empty slot it copies. Raises EmptySlot,
        naming node and slot, if a row reads or needs an empty slot; nothing is written then.
        """
        distinct = self._has_distinct_targets(step.dst)
        step = step.unrolled()
        source, target = self._cells_of(step.src, step.chunk), self._cells_of(step.dst, step.into)
        if not self._all_full:
            self._check_full(source, "read")
            if step.needs is not None:
                self._check_full(self._cells_of(step.src, step.needs), "needed")
        if self._wide or len(step) < FEW_ROWS:
            self._apply_one_by_one(source, target, step.reduces, add)
            return
        value = self._cells.take(source, axis=0, mode="clip")
        if distinct:
            self._write(target, value, step.reduces, add)
        else:
            for rows in _rounds(target):
                self._write(target[rows], value[rows], step.reduces[rows], add)

    def _check_full(self, cells: Array, verb: str) -> None:
        """Raise EmptySlot where nothing was written into one of the cells."""
        if not np.logical_and.reduce(self._full.take(cells, mode="clip")):
            node, slot = divmod(int(cells[~self._full[cells]][0]), self.slots)
            raise EmptySlot(f"slot {slot} of rank {node} is {verb}, but nothing was written there")

    def _apply_one_by_one(self, source: Array, target: Array, reduces: Array, add: Add) -> None:
        cells, full = self._rows(), self._full_bytes
        sources, targets = source.tolist(), target.tolist()
        early = {cell: cells[cell].copy() for cell in set(sources).intersection(targets)}
        for at, to, adds in zip(sources, targets, reduces.tolist(), strict=True):
            old, new = cells[to], early[at] if at in early else cells[at]
            if adds and full[to]:
                add(old, new, out=old)
            else:
                old[...] = new
                full[to] = 1

    def _rows(self) -> Any:
        """A view of each cell; those of wide cells are made once, as they are few."""
        if self._views is None:
            rows = self._cells.reshape(len(self._cells), self._width)
            self._views = list(rows) if self._wide else rows
        return self._views

    def _write(self, target: Array, value: Array, reduces: Array, add: Add) -> None:
        """Write rows whose targets are all different."""
        verb = constant(reduces)
        if verb == 1 and self._all_full:
            adds, every = reduces, True
        elif verb == 0:
            adds, every = reduces, False
        else:
            adds = reduces & self._full.take(target, mode="clip")
            every = bool(adds.all())
        if every:
            old = self._cells.take(target, axis=0, mode="clip")
            self._cells[target] = add(old, value, out=old)
        elif verb == 0 or not adds.any():
            self._cells[target] = value
            if not self._all_full:
                self._full[target] = True
        else:
            self._write(target[adds], value[adds], reduces[adds], add)
            self._write(target[~adds], value[~adds], np.zeros(int((~adds).sum()), bool), add)

    def _cells_of(self, node: Array, slot: Array) -> Array:
        """Where these slots are; of arrays of nodes that come again, the product is kept."""
        first = next((first for known, first in self._first_cell if known is node), None)
        if first is None:
            first = node * self.slots
            self._first_cell = (*self._first_cell[-1:], (node, first))
        cells: Array = first + slot
        return cells

    def _has_distinct_targets(self, dst: Array) -> bool:
        """Whether no node is written by two rows; a repeated pattern shares its dst array."""
        if dst is not self._last_dst:
            self._last_dst, self._last_distinct = dst, int(np.bincount(dst).max()) == 1
        return self._last_distinct


def _rounds(target: Array) -> Iterator[Array]:
    """Groups of rows, in row order, none of which names a target twice."""
    order = np.argsort(target, kind="stable")
    ranked = target[order]
    new = np.r_[True, ranked[1:] != ranked[:-1]]
    start = np.maximum.accumulate(np.where(new, np.arange(len(target)), 0))
    turn = np.empty(len(target), np.intp)
    turn[order] = np.arange(len(target)) - start
    by_turn = np.argsort(turn, kind="stable")
    first = 0
    for end in np.cumsum(np.bincount(turn)).tolist():
        yield by_turn[first:end]
        first = end


def execute(steps: Iterable[Step], memory: Memory, add: Add = np.add, first: int = 1) -> int:
    """Run all steps on a memory, in place; the number of the last one, counting from `first`.

    Raises EmptySlot with the step's number and source line.
    """
    number = first - 1
    with np.errstate(all="ignore"):
        for number, step in enumerate(steps, first):
            try:
                memory.combine(step, add)
            except EmptySlot as problem:
                raise EmptySlot(f"{step_location(number, step)}: {problem}") from None
    return number
