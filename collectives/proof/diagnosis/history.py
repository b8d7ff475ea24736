"""What every slot held at every time, exactly, and which transfers put it there."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from collectives.collective import Cells
from collectives.proof.diagnosis.contents import SOME, Content, joined
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.columns import Integers

Cell = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SlotTransfer:
    """One transfer of one slot: row `index` of a step, counted slot by slot."""

    step: int
    index: int
    src: Cell
    dst: Cell
    adds: bool


@dataclass(frozen=True, slots=True, eq=False)
class Version:
    """What a slot holds from one step on, until the next that writes it.

    `old` is what it held before, None if it was empty; `rows` are the transfers of step `step`
    that wrote it, in their order, each with what it read. Step 0 is the start.
    """

    cell: Cell
    step: int
    content: Content
    old: Version | None = None
    rows: tuple[tuple[SlotTransfer, Version], ...] = ()

    @property
    def inputs(self) -> list[Version]:
        """What it was made of: what was read and, where that was added, what was there."""
        read = [version for _, version in self.rows]
        kept = self.rows and self.rows[0][0].adds and self.old is not None
        return [self.old, *read] if kept and self.old else read


class History:
    """Every version of every slot of a recording that can be executed.

    focus: contributions (rank, slot) that matter; then only slots that ever hold one of them
    are followed, which makes long schedules affordable.
    """

    def __init__(self, recording: Recording, focus: Iterable[Cell] | None = None) -> None:
        self.versions: dict[Cell, list[Version]] = defaultdict(list)
        self.now: dict[Cell, Version] = {}
        self.by_slot: dict[int, list[Version]] = defaultdict(list)
        self._slots = recording.slots
        start = recording.precondition
        self._followed: Cells | None = None
        if focus is not None:
            start = np.zeros_like(start)
            start[tuple(np.array(sorted(focus)).T)] = True
            self._followed = np.zeros(recording.nodes * recording.slots, np.bool_)
            self._followed[: start.size] = start.ravel()
            self._full = np.zeros(recording.nodes * recording.slots, np.bool_)
            self._full[: start.size] = recording.precondition.ravel()
        for rank, slot in np.argwhere(start).tolist():
            self._keep(Version((rank, slot), 0, {slot: (1 << rank, 0)}))
        for number, step in enumerate(recording.steps, 1):
            self._apply(number, step.unrolled())

    def holding(self, slot: int, rank: int) -> set[Cell]:
        """The cells that ever held this rank's data of this slot."""
        versions = self.by_slot[slot]
        return {v.cell for v in versions if v.content.get(slot, (0, 0))[0] >> rank & 1}

    def _keep(self, version: Version) -> None:
        self.versions[version.cell].append(version)
        self.now[version.cell] = version
        for slot in version.content.keys() | (version.old.content.keys() if version.old else ()):
            self.by_slot[slot].append(version)

    def _apply(self, number: int, step: Step) -> None:
        source = step.src * self._slots + step.chunk
        target = step.dst * self._slots + step.into
        written: dict[Cell, list[tuple[SlotTransfer, Version]]] = defaultdict(list)
        for index in self._relevant(source, target):
            src = divmod(int(source[index]), self._slots)
            dst = divmod(int(target[index]), self._slots)
            row = SlotTransfer(number, index, src, dst, bool(step.reduces[index]))
            written[dst].append((row, self.now.get(src) or Version(src, 0, SOME)))
        for cell, rows in written.items():
            old = self.now.get(cell) or self._unfollowed(cell)
            content = old.content if old and rows[0][0].adds else {}
            for _, read in rows:
                content = joined(content, read.content)
            self._keep(Version(cell, number, content, old, tuple(rows)))
        if self._followed is not None:
            self._full[target] = True

    def _unfollowed(self, cell: Cell) -> Version | None:
        """What a slot held that was not followed so far; None if it was empty."""
        if self._followed is None or not self._full[cell[0] * self._slots + cell[1]]:
            return None
        return Version(cell, 0, SOME)

    def _relevant(self, source: Integers, target: Integers) -> Iterable[int]:
        if self._followed is None:
            return range(len(source))
        rows = np.flatnonzero(self._followed[source] | self._followed[target])
        self._followed[target[rows]] = True
        return rows.tolist()


def contributions(recording: Recording, cell: Cell) -> Counter[Cell]:
    """Whose data one slot holds after the last step: (rank, origin slot) → how many times.

    Follows the slot backwards through the steps, so it needs no more memory than its answer.
    """
    slots = recording.slots
    wanted: Counter[int] = Counter({cell[0] * slots + cell[1]: 1})
    flowing = np.zeros(recording.nodes * slots, np.bool_)
    flowing[list(wanted)] = True
    for number in range(len(recording.steps) - 1, -1, -1):
        step = recording.steps[number].unrolled()
        target = step.dst * slots + step.into
        rows = np.flatnonzero(flowing[target])
        if not len(rows):
            continue
        read = (step.src * slots + step.chunk)[rows].tolist()
        earlier = Counter(wanted)
        overwritten = set()
        for src, dst, adds in zip(
            read, target[rows].tolist(), step.reduces[rows].tolist(), strict=True
        ):
            earlier[src] += wanted[dst]
            if not adds:
                overwritten.add(dst)
        for dst in overwritten:
            earlier[dst] -= wanted[dst]
        flowing[list(wanted)] = False
        wanted = +earlier
        flowing[list(wanted)] = True
    held = {divmod(index, slots): times for index, times in wanted.items()}
    there = recording.precondition
    return Counter({(r, s): n for (r, s), n in held.items() if r < len(there) and there[r, s]})
