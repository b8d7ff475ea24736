"""How cells are drawn without a stripe for each rank: as bars of groups, as squares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from animations.drawing.scenery import Fold
from animations.drawing.shapes import Box
from animations.drawing.theme import Theme
from animations.story.cell_views import MOST_NUMBERED, CellMark, Drawn, Shares, Snapshot, View
from animations.story.transfers import EMPTY, Cell, NodeSlot
from collectives.collective import Cells
from collectives.questions.names import Content
from collectives.recording.recording import Recording
from collectives.recording.replay import promised

PARTIAL = 4  # shades of cells that are not complete yet


def level_colors(theme: Theme) -> tuple[str, ...]:
    """The colors of levels, then the one of complete cells."""
    return (*theme.levels[-PARTIAL:], theme.complete)


class Bars(View):
    """A bar for each group of ranks, faint until the data of all of them is there."""

    name = "bars"
    shows_ranks = False
    edge = "line"  # its bars are thin
    explanation = "bars"

    def snapshots(self, recording: Recording) -> Callable[[int], Snapshot]:
        """The bars of slots and of wells."""
        rank, slot = _runs_of(self.fold.bar), _runs_of(self.fold.well)
        largest, most_of_wells = _largest_shares(recording, self.fold)

        def after(step: int) -> Snapshot:
            size, slots = recording.sizes(step), _summed(_held(recording, step), rank, 2)
            here, wells = _share(slots, largest), _share(_summed(slots, slot, 1), most_of_wells)
            return Snapshot(
                lambda at: _bar_cell(here[at]),
                lambda at: _bar_cell(wells[at]),
                lambda at: int(size[at]),
            )

        return after

    def drawn(self, recording: Recording) -> Drawn:
        """The bars of the slot's well."""
        _, largest = _largest_shares(recording, self.fold)
        rank, wells = _runs_of(self.fold.bar), np.array(self.fold.well)

        def bars(values: npt.NDArray[Any], full: Cells, at: NodeSlot) -> Cell:
            well = self.fold.well[at[1]]
            held = (values[at[0], wells == well, 0] > 0).sum(axis=0)
            return _bar_cell(_share(_summed(held[None], rank, 1)[0], largest[well]))

        return bars

    def cell_of(self, recording: Recording) -> Callable[[int, Content], Cell]:
        """The bars of the ranks of a content."""
        largest, _ = _largest_shares(recording, self.fold)

        def cell(slot: int, content: Content) -> Cell:
            held = np.zeros(recording.ranks, np.int64)
            held[[rank for rank, _, _ in content]] = 1
            return _bar_cell(_share(_summed(held, _runs_of(self.fold.bar), 0), largest[slot]))

        return cell

    def number(self, cell: Cell) -> int:
        """No number: bars are of many ranks."""
        return 0

    def marks(self, cell: Cell, box: Box, limit: int = MOST_NUMBERED) -> list[CellMark]:
        """A bar at its own height for each group."""
        return super().marks(cell, box, limit=0)

    def mark_colors(self, theme: Theme) -> tuple[str, ...]:
        """The colors of full bars, then of faint ones."""
        hues = super().mark_colors(theme)
        return (*hues, *map(theme.faded, hues))

    def legend_key(self) -> str:
        """What a bar is, or that it fills its cell."""
        if self.labels.has_arrivals:
            return "arrivals"
        return "bars_whole" if self.scenery.whole else "bars"

    def explain(self) -> str:
        """What a bar is, or the color of a whole cell."""
        return self.labels.say("reading.whole_bars") if self.scenery.whole else super().explain()

    def legend_labels(self) -> list[str]:
        """The numbers of full bars."""
        return [*super().legend_labels(), *[""] * self.colors]


class Squares(View):
    """Cells of a matrix: the more contributions are in one, the stronger it is."""

    name = "matrix"
    payload = "levels"
    shows_ranks = has_bars = False
    explanation = "matrix"

    def snapshots(self, recording: Recording) -> Callable[[int], Snapshot]:
        """How many contributions slots have, and whether these are exactly the required ones."""
        alike: dict[tuple[int, int], Cell] = {}

        def after(step: int) -> Snapshot:
            size, (count, complete) = recording.sizes(step), recording.levels(step)
            if recording.collective.separate_buffers:  # a block to be sent is not a required one
                complete[: recording.ranks] &= recording.postcondition

            def cell(at: NodeSlot) -> Cell:
                held = int(count[at]), int(complete[at])
                return alike.setdefault(held, Cell(held)) if held[0] else EMPTY

            return Snapshot(cell, cell, lambda at: int(size[at]))

        return after

    def drawn(self, recording: Recording) -> Drawn:
        """The level of a slot."""

        def level(values: npt.NDArray[Any], full: Cells, at: NodeSlot) -> Cell:
            count, complete = recording.levels_of(values[at], full[at], at)
            if recording.collective.separate_buffers and at[0] < recording.ranks:
                complete = complete & recording.postcondition[at]
            return Cell((int(count), int(complete))) if count else EMPTY

        return level

    def cell_of(self, recording: Recording) -> None:
        """None: no rank is shown."""

    def number(self, cell: Cell) -> int:
        """Whether it is complete."""
        return cell.held[1] if cell.held else 0

    def packed(self, cell: Cell) -> list[Any]:
        """The index of its color."""
        return [self._level(cell)]

    def _level(self, cell: Cell) -> int:
        count, complete = cell.held
        part = min(1.0, count / self.most_required)
        return PARTIAL if complete else min(PARTIAL - 1, int(PARTIAL * part))

    def marks(self, cell: Cell, box: Box, limit: int = MOST_NUMBERED) -> list[CellMark]:
        """The whole box."""
        return [CellMark(self._level(cell), box, "")] if cell.held else []

    def mark_colors(self, theme: Theme) -> tuple[str, ...]:
        """The shades of levels and the complete one."""
        return level_colors(theme)

    def legend_key(self) -> str:
        """What a square is."""
        return "arrivals" if self.labels.has_arrivals else super().legend_key()

    def legend_labels(self) -> list[str]:
        """The numbers of contributions of each shade."""
        say = self.labels.say
        if self.labels.has_arrivals:
            return ["", "", "", say("legend.a_block"), say("legend.arrived")]
        ends = [-(-self.most_required * part // PARTIAL) for part in range(PARTIAL + 1)]
        spans = [(max(1, first), last - 1) for first, last in pairwise(ends)]
        levels = [f"{a}-{b}" if a < b else f"{a}" if a == b else "" for a, b in spans]
        return [*levels, say("legend.complete")]


def combined(cells: Sequence[Cell], bars: int) -> Cell:
    """The cell of several slots in "bars": a bar is full where it is full in all of them."""
    if len(cells) == 1:
        return cells[0]
    known = {ink % bars for cell in cells for ink in cell.held}
    return Cell(
        tuple(bar if all(bar in c.held for c in cells) else bars + bar for bar in sorted(known))
    )


def most_required(recording: Recording) -> int:
    """The largest number of contributions that a promised cell needs."""
    required = promised(recording, recording.precondition.astype(np.intp))
    return int(required[recording.postcondition].max(initial=1))


def _held(recording: Recording, step: int) -> Cells:
    """Whose data each slot holds after some steps, [node, slot, rank]; of empty chunks none."""
    held = recording.contributors(step)
    if recording.collective.moves_data and not recording.size.all():
        held &= recording.sizes(step)[:, :, None] > 0
    return held


def _largest_shares(recording: Recording, fold: Fold) -> tuple[Shares, Shares]:
    """The most ranks of each bar whose data a slot, or a well, can hold: [slot or well, bar]."""
    ends = (_held(recording, step) for step in (0, len(recording.steps)))
    possible = np.any([held.any(axis=0) for held in ends], axis=0)  # in a slot of any node
    largest = _summed(possible, _runs_of(fold.bar), 1)
    return largest, _summed(largest, _runs_of(fold.well), 0)


def _share(number: Shares, largest: Shares) -> Shares:
    """Of each bar 0 where nothing is in it, 1 where something is, 2 where all is."""
    shares: Shares = (number > 0).astype(np.int64) + ((number == largest) & (largest > 0))
    return shares


def _runs_of(of: tuple[int, ...]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """An order in which equal numbers are neighbors, and where each number begins in it."""
    order = np.argsort(of, kind="stable")
    return order, np.searchsorted(np.array(of)[order], np.arange(max(of) + 1))


def _summed(
    values: npt.NDArray[Any], runs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]], axis: int
) -> Shares:
    """Sums over the numbers that share a bar or a well."""
    order, begins = runs
    taken = np.take(values, order, axis=axis).astype(np.int64)
    sums: Shares = np.add.reduceat(taken, begins, axis=axis)
    return sums


def _bar_cell(shares: Shares) -> Cell:
    """The cell of such shares."""
    bars = len(shares)
    held = (bar if share == 2 else bars + bar for bar, share in enumerate(shares.tolist()) if share)
    return Cell(tuple(held))
