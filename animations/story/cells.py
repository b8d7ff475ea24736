"""What slots hold after each step, in the terms of a view: whose data, or how much of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from animations.drawing.scenery import Fold
from animations.story.labels import Labels
from animations.story.moves import EMPTY, Cell, NodeSlot
from collectives.collective import Cells
from collectives.questions.names import Content
from collectives.recording.recording import MAX_TIMES, Recording
from collectives.recording.replay import State, promised

Array = npt.NDArray[Any]
Shares = npt.NDArray[np.int64]
VALUES_SHOWN = 4  # elements of a moving chunk that are printed


class Snapshot(NamedTuple):
    """All slots after a step: the cell of each, its first values and number as text, its elements.

    well: the cell that is drawn for a well of a node, which several slots may share.
    """

    cell: Callable[[NodeSlot], Cell]
    well: Callable[[NodeSlot], Cell]
    values: Callable[[NodeSlot], str]
    number: Callable[[NodeSlot], str]
    elements: Callable[[NodeSlot], int]


def shortened(recording: Recording) -> Recording:
    """The same schedule on as many elements of each chunk as are shown, and one more."""
    return recording.excerpt(VALUES_SHOWN + 1)


def snapshots(
    recording: Recording, view: str, labels: Labels, fold: Fold
) -> Callable[[int], Snapshot]:
    """A function that gives all slots after a step, in the terms of a view."""
    if view in ("stripes", "blocks", "chunks"):
        return _with_stripes(recording, labels, view == "chunks")
    return _with_bars(recording, fold) if view == "bars" else _with_levels(recording)


def _with_stripes(
    recording: Recording, labels: Labels, by_chunk: bool
) -> Callable[[int], Snapshot]:
    short = shortened(recording)

    def after(step: int) -> Snapshot:
        state, size = short.state(step), recording.sizes(step)

        def cell(at: NodeSlot) -> Cell:
            if by_chunk:
                return _chunk(state, at)
            return _contributions(state.times[at], state.origin[at], at[1], labels)

        def values(at: NodeSlot) -> str:
            return _first_values(state.value(*at).tolist())

        def number(at: NodeSlot) -> str:
            return _text(state.value(*at)[:1].tolist())

        return Snapshot(cell, cell, values, number, lambda at: int(size[at]))

    return after


def _with_bars(recording: Recording, fold: Fold) -> Callable[[int], Snapshot]:
    rank, slot = _sorted(fold.bar), _sorted(fold.well)
    largest, most_of_wells = _largest(recording, fold)

    def after(step: int) -> Snapshot:
        size, slots = recording.sizes(step), _summed(recording.contributors(step), rank, 2)
        here, wells = _share(slots, largest), _share(_summed(slots, slot, 1), most_of_wells)
        return Snapshot(
            lambda at: _bar_cell(here[at]),
            lambda at: _bar_cell(wells[at]),
            lambda _: "",
            lambda _: "",
            lambda at: int(size[at]),
        )

    return after


def _largest(recording: Recording, fold: Fold) -> tuple[Shares, Shares]:
    """The most ranks of each bar whose data a slot, or a well, can hold: [slot or well, bar]."""
    ends = map(recording.contributors, (0, len(recording.steps)))
    possible = np.any([held.any(axis=0) for held in ends], axis=0)  # in a slot of any node
    largest = _summed(possible, _sorted(fold.bar), 1)
    return largest, _summed(largest, _sorted(fold.well), 0)


def _with_levels(recording: Recording) -> Callable[[int], Snapshot]:
    alike = lru_cache(maxsize=None)(lambda count, complete: Cell((count, complete)))

    def after(step: int) -> Snapshot:
        size, (count, complete) = recording.sizes(step), recording.levels(step)
        if recording.collective.separate_buffers:  # a block still to be sent is not a required one
            complete[: recording.ranks] &= recording.postcondition

        def cell(at: NodeSlot) -> Cell:
            return alike(int(count[at]), int(complete[at])) if count[at] else EMPTY

        return Snapshot(cell, cell, lambda _: "", lambda _: "", lambda at: int(size[at]))

    return after


def well_contents(
    recording: Recording, view: str, labels: Labels, fold: Fold
) -> tuple[str, Callable[[Array, Cells, NodeSlot], Cell]]:
    """The payload that a view is of, and what is drawn for a slot of it: the cell of its well.

    The function takes the payload of all slots, whether they are full, and the slot.
    """
    if view == "bars":
        _, largest = _largest(recording, fold)
        rank, wells = _sorted(fold.bar), np.array(fold.well)

        def bars(values: Array, full: Cells, at: NodeSlot) -> Cell:
            well = fold.well[at[1]]
            held = (values[at[0], wells == well, 0] > 0).sum(axis=0)
            return _bar_cell(_share(_summed(held[None], rank, 1)[0], largest[well]))

        return "contributions", bars
    if view not in ("stripes", "blocks", "chunks"):

        def level(values: Array, full: Cells, at: NodeSlot) -> Cell:
            count, complete = recording.levels_of(values[at], full[at], at)
            if recording.collective.separate_buffers and at[0] < recording.ranks:
                complete = complete & recording.postcondition[at]
            return Cell((int(count), int(complete))) if count else EMPTY

        return "levels", level

    def stripes(values: Array, full: Cells, at: NodeSlot) -> Cell:
        times, origin = np.minimum(values[at], MAX_TIMES).astype(np.int64)
        if view == "chunks":
            return Cell(tuple(origin[times.nonzero()].tolist()))
        return _contributions(times, origin, at[1], labels)

    return "contributions", stripes


def cell_of(
    recording: Recording, view: str, labels: Labels, fold: Fold
) -> Callable[[int, Content], Cell] | None:
    """A function that gives the cell of a slot with some contents; None in "levels" and "matrix".

    These need not be contents that the slot ever has.
    """
    largest = _largest(recording, fold)[0] if view == "bars" else None

    def cell(slot: int, content: Content) -> Cell:
        if view == "chunks":
            return Cell(tuple(origin for _, origin, _ in content))
        times, origins = np.zeros((2, recording.ranks), np.int64)
        for rank, origin, number in content:
            times[rank] += number
            origins[rank] += origin * number
        if largest is None:
            return _contributions(times, origins, slot, labels)
        return _bar_cell(_share(_summed(times > 0, _sorted(fold.bar), 0), largest[slot]))

    return cell if view in ("stripes", "blocks", "chunks", "bars") else None


def combined(cells: Sequence[Cell], bars: int) -> Cell:
    """The cell of several slots in "bars": a bar is full where it is full in all of them."""
    if len(cells) == 1:
        return cells[0]
    known = {ink % bars for cell in cells for ink in cell.held}
    return Cell(
        tuple(bar if all(bar in c.held for c in cells) else bars + bar for bar in sorted(known))
    )


def _share(number: Shares, largest: Shares) -> Shares:
    shares: Shares = (number > 0).astype(np.int64) + ((number == largest) & (largest > 0))
    return shares


def _sorted(of: tuple[int, ...]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
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
    bars = len(shares)
    held = (bar if share == 2 else bars + bar for bar, share in enumerate(shares.tolist()) if share)
    return Cell(tuple(held))


def most_required(recording: Recording) -> int:
    """The largest number of contributions that a promised cell needs."""
    required = promised(recording, recording.precondition.astype(np.intp))
    return int(required[recording.postcondition].max(initial=1))


def _first_values(values: list[Any]) -> str:
    """The first of some values, as text."""
    text = _text(values[:VALUES_SHOWN])
    return f"[{text}{' …' * (len(values) > VALUES_SHOWN)}]" if text else ""


def _text(values: list[Any]) -> str:
    return " ".join(f"{v:.4g}" if isinstance(v, float) else f"{v}" for v in values)


def _chunk(state: State, at: NodeSlot) -> Cell:
    """The chunk that a slot holds, where all of them are one rank's."""
    (ranks,) = state.times[at].nonzero()
    return Cell(tuple(state.origin[at][ranks].tolist()))


def _contributions(of: Shares, origin: Shares, slot: int, labels: Labels) -> Cell:
    """Whose contributions a slot holds, and from which slots where these are others."""
    times = of.tolist()
    ranks = tuple(rank for rank, count in enumerate(times) if count)
    if not labels.moves_data or not ranks:
        return Cell(ranks)
    texts = tuple(_label(rank, times[rank], int(origin[rank]), slot, labels) for rank in ranks)
    return Cell(ranks, texts if any(texts) else ())


def _label(rank: int, times: int, origin: int, slot: int, labels: Labels) -> str:
    """The label of a contribution; of several of a rank, whose `origin` is a sum, how many."""
    return labels.contribution(rank, origin, slot) if times == 1 else f"{rank}×{times}"
