"""The steps of a recording as loads: what each costs, worked out once a pattern."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.step_messages import Amount, Load, Pattern
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.memory_limit import check_memory
from collectives.recording.counters import each_slot_once, sums_of_rows
from collectives.schedule import Step
from collectives.schedule.step import constant

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

KEPT = 64  # patterns that are remembered beside the last
KEPT_ROWS = 1 << 16


class Loads:
    """The steps of a recording as loads; walked through once."""

    def __init__(self, recording: Recording, topology: Topology, costs: Costs) -> None:
        self._recording, self._topology, self._costs = recording, topology, costs
        self.placement = topology.placement(recording.ranks, recording.nodes, recording.title)
        costs.check_ranks(recording.ranks)
        self._unit = recording.dtype.itemsize
        sizes = recording.size
        self._one = int(sizes[0]) * self._unit if int(sizes.min()) == int(sizes.max()) else None
        self._live = self._sizes(sizes) if self._one is None else None
        self._full = self._fullness() if costs.gamma else None
        self._known: dict[tuple[bytes, bytes], Pattern] = {}

    def __iter__(self) -> Iterator[Load]:
        """The loads, step by step."""
        src = dst = pattern = load = None
        one = None if self._one is None else float(self._one)
        gamma, plain = bool(self._costs.gamma), self._full is None
        counts, verbs = _Constant(), _Constant()
        for step in self._recording.steps:
            if pattern is None or step.src is not src or step.dst is not dst:
                src, dst = step.src, step.dst
                pattern = self._pattern(step)
            count = None if one is None or pattern.repeats else counts.of(step.count)
            if one is None or count is None:
                yield self._load(step, pattern)
                continue
            size = one if count == 1 else one * count
            added: float | None = 0.0
            if gamma:
                adds = verbs.of(step.reduces) if plain and not pattern.local else None
                added = None if adds is None else size * adds
            if added is None:
                yield self._load(step, pattern)
            elif (
                load is not None
                and load.pattern is pattern
                and load.size == size
                and load.added == added
            ):
                load.step = step
                yield load
            else:
                load = Load(step, pattern, size, added)
                yield load

    def _pattern(self, step: Step) -> Pattern:
        if len(step) > KEPT_ROWS:
            return Pattern(step, self.placement, self._topology, self._costs)
        key = step.src.tobytes(), step.dst.tobytes()
        found = self._known.pop(key, None)
        if found is None:
            found = Pattern(step, self.placement, self._topology, self._costs)
            if len(self._known) >= KEPT:
                self._known.pop(next(iter(self._known)))
        self._known[key] = found
        return found

    def _load(self, step: Step, pattern: Pattern) -> Load:
        moved = self._moved(step)
        once = moved
        if pattern.repeats:
            lean = each_slot_once(step, pattern.of_move)
            once = moved if lean is step else self._moved(lean)
        size = self._by_message(pattern, once)
        added: Amount = 0.0
        own: Floats | None = None
        if self._costs.gamma:
            rows = self._added(step, moved)
            added = self._by_message(pattern, rows)
            own = np.where(pattern.of_row < 0, rows, 0.0) if pattern.local else None
            own = None if own is None or not own.any() else own
        if self._live is not None and self._live.ndim == 2:
            self._take(step)
        return Load(step, pattern, size, added, own)

    def _by_message(self, pattern: Pattern, moved: Integers) -> Floats:
        rows = moved[pattern.moves]
        if pattern.plain:
            return rows.astype(np.float64)
        size: Floats = np.bincount(pattern.of_move, rows, pattern.number).astype(np.float64)
        return size

    def _moved(self, step: Step) -> Integers:
        """Bytes of each row."""
        if self._one is not None:
            return self._one * step.count
        assert self._live is not None
        if self._live.ndim == 1:  # sums of the pieces before each
            sums: Integers = self._live[step.chunk + step.count] - self._live[step.chunk]
            return sums
        if constant(step.count) == 1:
            return self._live[step.src, step.chunk]
        each = step.unrolled()
        return sums_of_rows(self._live[each.src, each.chunk], step.count)

    def _sizes(self, sizes: Integers) -> Integers:
        """Bytes before each slot where slots keep their size, else of each [node, slot]."""
        recording = self._recording
        chunk_count = sizes * self._unit
        if recording.slots == recording.chunk_count:
            return np.concatenate([[0], np.cumsum(chunk_count)])
        check_memory(8 * recording.nodes * recording.slots, "the sizes of all slots")
        live = np.zeros((recording.nodes, recording.slots), np.intp)
        live[:, : recording.chunk_count] = chunk_count
        return live

    def _take(self, step: Step) -> None:
        """Give received and scratch slots the size of what came."""
        assert self._live is not None
        each = step.unrolled()
        takes = each.into >= self._recording.chunk_count
        moved = self._live[each.src[takes], each.chunk[takes]]
        self._live[each.dst[takes], each.into[takes]] = moved

    def _fullness(self) -> npt.NDArray[np.bool_] | None:
        """Which slots hold anything, where some do not: what is added to them is copied."""
        recording = self._recording
        if recording.nodes == recording.ranks and bool(recording.precondition.all()):
            return None
        check_memory(recording.nodes * recording.slots, "which slots are full")
        full = np.zeros((recording.nodes, recording.slots), np.bool_)
        full[: recording.ranks] = recording.precondition
        return full

    def _added(self, step: Step, moved: Integers) -> Integers:
        """Bytes of each row that are added: not overwritten, not copied into an empty slot."""
        if self._full is None:
            return moved * step.reduces
        each = step.unrolled()
        adds = each.reduces & self._full[each.dst, each.into]
        empty = np.flatnonzero(each.reduces & ~adds)
        if len(empty):
            cell = each.dst[empty] * self._full.shape[1] + each.into[empty]
            adds[empty] = True
            adds[empty[np.unique(cell, return_index=True)[1]]] = False
        self._full[each.dst, each.into] = True
        if each is step:
            return moved * adds
        first = np.cumsum(step.count) - step.count
        added: Integers = np.add.reduceat(self._moved(each) * adds, first)
        return added


class _Constant:
    """Tells columns that hold one value; quick where one equals that asked about before."""

    def __init__(self) -> None:
        self._bytes, self._value = b"", 0

    def of(self, column: npt.NDArray[np.integer | np.bool_]) -> int | None:
        """The value, None where there are several."""
        if column.strides == (0,):
            return int(column[0])
        if len(column) > KEPT_ROWS:
            return int(column[0]) if (column == column[0]).all() else None
        known = column.tobytes()
        if known != self._bytes:
            if not (column == column[0]).all():
                return None
            self._bytes, self._value = known, int(column[0])
        return self._value
