"""Flights: the way of each parcel to each of its nodes, and its chunks side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from animations.drawing.scenery import Scenery, Way
from animations.drawing.shapes import MOST_TRANSFERS, Box
from animations.drawing.ways import LONGEST, side_by_side
from animations.drawing.widths import sized
from animations.story.folded_views import combined
from animations.story.frames import Frame
from animations.story.transfers import Cell, Transfer

NARROWEST = 5.0  # pixels of a chunk in a parcel


@dataclass(frozen=True)
class Column:
    """What a parcel shows of one transfer, or of several between the same wells.

    transfer: the first of them, as an index in the step. cell: what they carry. box: from the
    middle of the parcel.
    """

    transfer: int
    cell: Cell
    box: Box


@dataclass(frozen=True)
class Flight:
    """A parcel, by its index in the step, on its way to one of its nodes.

    way: where it travels, None for a straight line from the first cell to the first cell. pitch:
    from one of its columns to the next. Of very many columns only some are drawn.
    """

    parcel: int
    way: Way | None
    pitch: float
    columns: tuple[Column, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height."""
        first, last = self.columns[0].box, self.columns[-1].box
        return last.right - first.left, max(column.box.height for column in self.columns)


def flights(scenery: Scenery, frame: Frame) -> tuple[Flight, ...]:
    """The flights of a step, in the order of its parcels; those of one way pass side by side."""
    flying = [
        _flight(scenery, index, transfers, frame.transfers, forks=len(parcel.dsts) > 1)
        for index, parcel in enumerate(frame.parcels)
        for dst in parcel.dsts
        for transfers in _by_way(
            scenery, [i for i in parcel.transfers if frame.transfers[i].dst == dst], frame
        )
    ]
    with_ways = [i for i, flight in enumerate(flying) if flight.way]
    ways = side_by_side(
        [flying[i].way or () for i in with_ways], [flying[i].size for i in with_ways]
    )
    for i, way in zip(with_ways, ways, strict=True):
        flying[i] = replace(flying[i], way=way)
    return tuple(flying)


def _by_way(scenery: Scenery, transfers: list[int], frame: Frame) -> list[list[int]]:
    """Moves that travel together, apart where their chunks have ways of their own."""
    by_way: dict[Way | None, list[int]] = {}
    for i in transfers:
        transfer = frame.transfers[i]
        by_way.setdefault(
            scenery.stream_ways.get((transfer.src, transfer.dst, transfer.chunk)), []
        ).append(i)
    return list(by_way.values())


def flies(scenery: Scenery, frame: Frame) -> bool:
    """Whether the data of a step is drawn on its way, not only where it lands."""
    if scenery.table:
        return False
    counts = ((len(p.dsts), len(p.transfers) // len(p.dsts)) for p in frame.parcels)
    return sum(dsts * _columns_shown(scenery, chunks) for dsts, chunks in counts) <= MOST_TRANSFERS


def _columns_shown(scenery: Scenery, chunks: int) -> int:
    """How many columns a parcel of so many chunks has."""
    return min(chunks, max(1, int(LONGEST * scenery.parcel[0] / NARROWEST)))


def _flight(
    scenery: Scenery, parcel: int, transfers: list[int], of: Sequence[Transfer], forks: bool
) -> Flight:
    fold, first, (wide, high) = scenery.fold, of[transfers[0]], scenery.parcel
    shared: dict[tuple[int, int], list[int]] = {}
    for i in transfers:
        shared.setdefault((fold.well[of[i].chunk], fold.well[of[i].into]), []).append(i)
    start, end = (scenery.cards[node].shape.widest for node in (first.src, first.dst))
    groups = list(shared.values())
    columns_shown = _columns_shown(scenery, len(groups))
    pitch = min(wide, 1.2 * max(start.width, 18.0), LONGEST * wide / columns_shown)
    high = min(high, 1.1 * max(start.height, end.height))
    columns = []
    for at in range(columns_shown):
        group = groups[at * len(groups) // columns_shown]
        box = Box((at - (columns_shown - 1) / 2) * pitch, 0, 0.94 * pitch, high)
        box = sized(box, sum(of[i].size for i in group), scenery.largest)
        columns.append(Column(group[0], combined([of[i].cell for i in group], fold.bars), box))
    way = scenery.way(first.src, first.dst, first.chunk, forks)
    return Flight(parcel, way, pitch, tuple(columns))
