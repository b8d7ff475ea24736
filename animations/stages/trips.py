"""Parcels on the stage: the way of each to each of its nodes, and its chunks side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from animations.stages.scenery import Scenery, Way
from animations.story.cells import Cell, combined
from animations.story.drawing import Box

if TYPE_CHECKING:
    from animations.story.storyboard import Frame, Move

NARROWEST = 5.0  # pixels of a chunk in a parcel
LONGEST = 1.6  # of the width of a chunk on its way, that a parcel of several is wide at most


@dataclass(frozen=True)
class Column:
    """What a parcel shows of one move, or of several between the same wells.

    move: the first of them, as an index in the step. cell: what they carry. box: from the middle
    of the parcel.
    """

    move: int
    cell: Cell
    box: Box


@dataclass(frozen=True)
class Trip:
    """A parcel, by its index in the step, on its way to one of its nodes.

    way: where it travels, None for a straight line from the first cell to the first cell. pitch:
    from one of its columns to the next. Of very many columns only some are drawn.
    """

    parcel: int
    way: Way | None
    pitch: float
    columns: tuple[Column, ...]


def trips(scenery: Scenery, frame: Frame) -> tuple[Trip, ...]:
    """The trips of a step, in the order of its parcels."""
    return tuple(
        _trip(scenery, index, moves, frame.moves)
        for index, parcel in enumerate(frame.parcels)
        for dst in parcel.dsts
        if (moves := [i for i in parcel.moves if frame.moves[i].dst == dst])
    )


def _trip(scenery: Scenery, parcel: int, moves: list[int], of: Sequence[Move]) -> Trip:
    fold, first, (wide, high) = scenery.fold, of[moves[0]], scenery.parcel
    shared: dict[tuple[int, int], list[int]] = {}
    for i in moves:
        shared.setdefault((fold.well[of[i].chunk], fold.well[of[i].into]), []).append(i)
    start, end = scenery.cell(first.src, first.chunk), scenery.cell(first.dst, first.into)
    groups = list(shared.values())
    shown = min(len(groups), max(1, int(LONGEST * wide / NARROWEST)))
    pitch = min(wide, 1.2 * max(start.width, 18.0), LONGEST * wide / shown)
    high = min(high, 1.1 * max(start.height, end.height))
    columns = []
    for at in range(shown):
        group = groups[at * len(groups) // shown]
        box = Box((at - (shown - 1) / 2) * pitch, 0, 0.94 * pitch, high)
        columns.append(Column(group[0], combined([of[i].cell for i in group], fold.bars), box))
    return Trip(parcel, scenery.way(first.src, first.dst, first.chunk), pitch, tuple(columns))
