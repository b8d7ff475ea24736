"""The clocks of slots: when each may be read, and when it was last read or written."""

from __future__ import annotations

import numpy as np

from collectives.cost.machines.paths import Integers
from collectives.memory_limit import check_memory
from collectives.schedule import Step

PENDING_ROWS = 1 << 20  # that are remembered before they are written to the slots' clocks


class SlotsForgotten(Exception):  # noqa: N818
    """Clocks of slots are needed that were not kept."""


class Slots:
    """When each slot may be read, and when it was last read or written; [node * slot]."""

    def __init__(self, nodes: int, slots: int, keep: bool) -> None:
        self._cells, self._slots = nodes * slots, slots
        self._keep = keep
        self._made = False
        self._forgotten = False
        self._pending: list[tuple[Step, float, float]] = []
        self._rows = 0

    def later(self, step: Step, read: float, written: float) -> None:
        """Remember that all of a step was read and written at these times, after all before."""
        if self._forgotten:
            return
        self._pending.append((step, read, written))
        self._rows += len(step)
        if self._rows > PENDING_ROWS:
            if self._keep:
                self.settle()
            else:
                self._pending, self._forgotten = [], True

    def settle(self) -> None:
        """Write down what is pending; raises SlotsForgotten where some of it is gone."""
        if self._forgotten:
            raise SlotsForgotten
        if not self._made:
            check_memory(16 * self._cells, "the clocks of all slots")
            self.ready, self.touched = np.zeros(self._cells), np.zeros(self._cells)
            self._made = True
        if not self._pending:
            return
        steps = [step.unrolled() for step, _, _ in self._pending]
        lengths = [len(step) for step in steps]
        read, written = (np.repeat([entry[k] for entry in self._pending], lengths) for k in (1, 2))
        src, chunk, dst, into = (
            np.concatenate([getattr(step, name) for step in steps])
            for name in ("src", "chunk", "dst", "into")
        )
        self.touched[src * self._slots + chunk] = read  # the last one counts, and is the latest
        for step, (_, when, _) in zip(steps, self._pending, strict=True):
            if (needed := self.needed(step)) is not None:
                self.touched[needed] = np.maximum(self.touched[needed], when)
        cell = dst * self._slots + into
        self.ready[cell] = written
        self.touched[cell] = np.maximum(self.touched[cell], self.ready[cell])
        self._pending, self._rows = [], 0

    def cells(self, step: Step) -> tuple[Integers, Integers]:
        """Where each row of a step reads and writes."""
        return step.src * self._slots + step.chunk, step.dst * self._slots + step.into

    def needed(self, step: Step) -> Integers | None:
        """What each row needs beside what it reads; None where no row needs anything."""
        return None if step.needs is None else step.src * self._slots + step.needs
