"""Where things stand on a title card: its page, the rooms before and after, and cards in them."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np

from animations.drawing.card_shapes import UNDER
from animations.drawing.curves import edges_of
from animations.drawing.nearby import Edges, covered
from animations.drawing.scenery import Card, CardShape, Scenery
from animations.drawing.shapes import MOTION, Align, Box
from animations.drawing.sheet import Sheet

CARD = 1080.0  # pixels of the shorter side of the page of a card
TITLE, STACKED = 110.0, 90.0  # baseline of the title; between stages one above the other
FILLS, TALLEST = 0.92, 1.6  # of its place that a card fills; times as high as wide, at most
AXIS = 48.0  # pixels beside a matrix, and above it
RAGGED = 0.7  # times as good as rows that are all full
MOMENTS = np.linspace(0, 1, 21).tolist()  # of a way, at which cards may lie over each other
FADE, BESIDE_PAGE = 0.2, 1e4  # part of the time in which what fades does; pixels
NAMED, HEADER, EDGE = 80.0, 36.0, 8.0  # of a card: side from which it has a name, its line, border
MEETS = 4.0  # pixels by which two cards may lie over each other


def card_page(sheet: Sheet) -> Sheet:
    """The page on which a card is laid out: as high as those with room for subtitles."""
    if sheet.cues:
        return sheet
    times = CARD / min(sheet.width, sheet.height)
    return replace(sheet, width=round(times * sheet.width), height=round(times * sheet.height))


def stage_rooms(sheet: Sheet) -> tuple[Box, Box]:
    """The rooms of the two stages of a title card: side by side, or one above the other."""
    top, bottom = TITLE + 250.0, sheet.height - 44.0
    if sheet.width > sheet.height:
        wide, high = sheet.width / 2 - 80, bottom - top
        y, left = top + high / 2, 50 + wide / 2
        return Box(left, y, wide, high), Box(sheet.width - left, y, wide, high)
    high = (bottom - top - STACKED) / 2
    wide = sheet.width - 100.0
    first, second = top + high / 2, bottom - high / 2
    return Box(sheet.width / 2, first, wide, high), Box(sheet.width / 2, second, wide, high)


def filling(scenery: Scenery, room: Box) -> Scenery:
    """The cards alone, in rows that fill a room; those of a matrix are its rows."""
    nodes, fold, whole_room = len(scenery.cards), scenery.fold, room
    if scenery.table:  # beside its labels
        room = Box.between(room.left + AXIS, room.top + AXIS, room.right, room.bottom)
    bars, fills = 1 if scenery.whole else fold.bars, 1.0 if scenery.table else FILLS

    def pitch(columns: int) -> tuple[float, float]:
        wide = room.width / columns
        return wide, min(room.height / ceil(nodes / columns), TALLEST * wide)

    def seen(columns: int) -> float:
        wide, high = pitch(columns)
        stripe = min(wide / fold.wells, (high - HEADER) / bars)
        return float(stripe * (wide * high) ** 0.5 * (RAGGED if nodes % columns else 1))

    columns = 1 if scenery.table else max(range(1, nodes + 1), key=seen)
    (wide, high), cards = pitch(columns), list[Card]()
    top = room.y - high * ceil(nodes / columns) / 2
    below = all(card.shape.name_top for card in scenery.cards)
    for node, card in enumerate(scenery.cards):
        row, column = divmod(node, columns)
        x, y = room.left + (column + 0.5) * wide, top + (row + 0.5) * high
        cards.append(_filled(card, Box(x, y, fills * wide, fills * high), scenery.table, below))
    bare = replace(scenery, box=whole_room, cards=tuple(cards), grounds=(), lines=(), words=())
    return replace(bare, chips=(), gauges=(), lens=None)


class CardsOnTheWay:
    """Cards that go from rows to where they stand when all is so much larger.

    They go both ways at once, first across, or first down: so that the fewest lie over others.
    Those that still would fade out of their row, and come where they stand.
    """

    def __init__(self, filled: Scenery, own: Scenery, times: float) -> None:
        self._filled, self._own, self._times = filled, own, times
        ends = [edges_of(card.box for card in cards) for cards in (filled.cards, own.cards)]
        fading = [_fading(ends[0], times * ends[1], order) for order in range(3)]
        self._order = min(range(3), key=lambda order: len(fading[order]))
        self.fading = fading[self._order]

    def at(self, part: float) -> Scenery:
        """The cards a part of the time later; those that fade are beside the page meanwhile."""
        last = 1 - FADE * bool(self.fading)
        goes = _progress(min(max((part - FADE) / (last - FADE), 0.0), 1.0), self._order)
        cards = list[Card]()
        for node, (card, goal) in enumerate(zip(self._filled.cards, self._own.cards, strict=True)):
            across, down = (float(part > 0.5),) * 2 if node in self.fading else goes
            card = _between(card, goal, self._times, across, down)
            away = BESIDE_PAGE * (node in self.fading and FADE <= part < last)
            cards.append(replace(card, x=card.x - away))
        return replace(self._filled, cards=tuple(cards))

    @staticmethod
    def hidden(part: float) -> float:
        """How much of what fades is gone after a part of the time."""
        return MOTION.eased(min(part, 1 - part) / FADE)


def _between(card: Card, goal: Card, times: float, across: float, down: float) -> Card:
    """A card so much of its way across and down to another one, so many times as large."""

    def between(first: float, last: float, part: float = down) -> float:
        return first + part * (times * last - first)

    def put(box: Box, goal: Box) -> Box:
        middle = between(box.x, goal.x, across), between(box.y, goal.y)
        return Box(
            *middle, between(box.width, goal.width, across), between(box.height, goal.height)
        )

    first, last, box = card.shape, goal.shape, put(card.box, goal.box)
    cells = tuple(map(put, first.cells, last.cells))
    groups = tuple(map(put, first.groups, last.groups))
    header, name_top = between(first.header, last.header), between(first.name_top, last.name_top)
    shape = replace(first, width=box.width, height=box.height, header=header)
    shape = replace(shape, cells=cells, groups=groups, name_top=name_top)
    return replace(card, x=box.x, y=box.y, shape=shape)


def _progress(part: float, order: int) -> tuple[float, float]:
    """How far cards are across and down: both at once, or in one of the two orders."""
    both, first, then = (MOTION.eased(time) for time in (part, 2 * part, 2 * part - 1))
    return ((both, both), (first, then), (then, first))[order]


def _fading(first: Edges, last: Edges, order: int) -> frozenset[int]:
    """Those without which no card lies over another on its way between two places."""
    goes = np.arange(len(first))
    while True:
        met = np.zeros(len(goes), int)
        for moment in MOMENTS:
            part = np.array(_progress(moment, order) * 2)
            edges = first[goes] + part * (last - first)[goes]
            met += covered(edges, edges, gap=-MEETS) - 1
        if not met.any():
            return frozenset(range(len(first))) - {*goes.tolist()}
        goes = goes[met < met.max()]


def _filled(card: Card, box: Box, row: bool, below: bool) -> Card:
    """A card in another box, which its cells fill below its name or above it; row: of a matrix."""
    shape, cells = card.shape, card.shape.cells
    header = HEADER if min(box.width, box.height) >= NAMED and not row else 0.0
    edge = 0.0 if row else min(EDGE, 0.06 * box.width)
    left, top = min(cell.left for cell in cells), min(cell.top for cell in cells)
    across = (box.width - 2 * edge) / (max(cell.right for cell in cells) - left)
    down = (box.height - max(header, edge) - edge) / (max(cell.bottom for cell in cells) - top)
    above = edge if below else max(header, edge)

    def put(cell: Box) -> Box:
        x, y = edge + across * (cell.x - left), above + down * (cell.y - top)
        return Box(x, y, across * cell.width, down * cell.height)

    inside = tuple(map(put, cells)), (), shape.label_size, tuple(map(put, shape.groups))
    name_top = box.height - header - UNDER if below else 0.0
    name_at: Align = "right" if shape.name_at == "right" else "left"
    shape = CardShape(box.width, box.height, shape.radius, header, *inside, hollow=shape.hollow)
    shape = replace(shape, name_at=name_at, name_top=name_top)
    return replace(card, x=box.x, y=box.y, shape=shape)
