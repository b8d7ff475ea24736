"""The scenery of a storyboard as short lists that the player draws, knowing no family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from animations.drawing.card_shapes import BOLD
from animations.drawing.scenery import Card, CardShape, Chip, Ground, Scenery, StageLine, Way, Word
from animations.drawing.shapes import (
    CELL_RADIUS,
    HATCH,
    LENS_RADIUS,
    MOST_BADGES,
    MOTION,
    UNLIT,
    Box,
    TextLine,
    outline_width,
)
from animations.drawing.theme import DARK
from animations.pictures.card_text import label_lines, name_lines, sent_lines, zeros
from animations.story.cell_marks import axis_labels
from animations.story.flights import Flight, flies, flights
from animations.story.message_times import TICKS
from animations.story.storyboard import Frame, Storyboard
from animations.story.transfers import Cell, NodeSlot
from collectives.recording.packed import indexed

MARGIN = 12  # around the stage, for outlines and badges


def scenery_data(board: Storyboard, curves: Mapping[Way | None, int]) -> dict[str, Any]:
    """All of the scenery but what travels.

    Boxes are left, top, width and height; those of a shape are within its card. A card is [left,
    top, shape, tone]. A cell of a shape is [left, top, index of `bars`], and
    such an entry [width, height of the cell, then of its bars the left edge, width, height, and
    the upper edge of each]. Curves are indices of `curves`; steps and states as in `StageLine`;
    tones are names of colors in the style. `goals` are node and well of the cells that are
    promised, `stale` for each state those of the cells that begin or end to be of no more use.
    """
    scenery = board.scenery
    shapes = indexed(card.shape for card in scenery.cards)
    every = [(cell.width, cell.height) for shape in shapes for cell in shape.cells]
    sizes = indexed(sorted(every, reverse=True) if scenery.largest else every)  # the widest first
    box = board.sheet.stage if scenery.table else scenery.box
    lens = scenery.lens
    return {
        "stage": rounded_box(Box(box.x, box.y, box.width + 2 * MARGIN, box.height + 2 * MARGIN)),
        "cards": [_card(card, shapes) for card in scenery.cards],
        "shapes": [_shape(shape, sizes) for shape in shapes],
        "bars": [_bars(scenery, board.view.colors, *size) for size in sizes],
        "well": scenery.fold.well,
        "outline": round(outline_width(scenery.cards[0].shape.widest), 2),
        "rounding": [CELL_RADIUS, LENS_RADIUS],
        "grounds": list(map(_ground, scenery.grounds)),
        "lines": [_line(line, curves) for line in scenery.lines],
        "words": list(map(_word, scenery.words)),
        "chips": list(map(_chip, scenery.chips)),
        "gauges": [
            [rounded_box(g.box), g.label, _rounded(*g.shares, digits=4), g.texts, _tone(g.tone)]
            for g in scenery.gauges
        ],
        "lens": lens and _rounded(lens.x, lens.y, lens.width, lens.height),
        "measures": {
            "hatch": HATCH,
            "plain": len(DARK.hues),
            "unlit": UNLIT,
            "badge": scenery.badge,
            "badges": MOST_BADGES,
            "ticks": TICKS,
            "to_scale": int(scenery.largest > 0),
        },
        "motion": asdict(MOTION),
        "goals": [number for at in board.goals for number in at],
        "stale": _stale(board),
        "table": _table(board) if scenery.table else None,
        "texts": list(_texts(board)),
    }


def _texts(board: Storyboard) -> Iterator[list[Any]]:
    """Text on the cards, or on the sides of a matrix: its node and kind, then as in a word."""
    table = board.scenery.table
    kinds: dict[str, Iterable[tuple[int, TextLine]]] = {
        "axis": [(-1, line) for line in axis_labels(board)] if table else (),
        "label": () if table else label_lines(board),
        "sent": () if table else sent_lines(board, board.sent(0)),
        "zero": zeros(board),
        "name": name_lines(board, lambda name: BOLD * len(name)),
    }
    for kind, lines in kinds.items():
        for node, line in lines:
            place = _rounded(line.x, line.baseline, line.size)
            yield [node, kind, line.text, *place, _tone(line.color), line.align]


def _ground(ground: Ground) -> list[Any]:
    tones = _tone(ground.fill or "background"), _tone(ground.edge)
    return [rounded_box(ground.box), *tones, ground.radius, int(ground.dashed)]


def _line(line: StageLine, curves: Mapping[Way | None, int]) -> list[Any]:
    marks = map(int, (line.arrow, line.hidden, line.fixed, line.brief))
    look = line.steps, _tone(line.tone), line.width
    return [curves[line.points], *look, *marks, line.states]


def _word(word: Word) -> list[Any]:
    place = word.text, *_rounded(word.x, word.baseline, word.size), _tone(word.tone), word.align
    return [*place, int(word.bold), word.states, word.step or 0]


def _chip(chip: Chip) -> list[Any]:
    marks = map(int, (chip.stays, chip.hatched, chip.above))
    packed = [rounded_box(chip.box), chip.text, chip.steps, _tone(chip.tone), *marks]
    return packed if chip.node is None else [*packed, chip.node]


class PackedFlights:
    """The flights of all steps; curves and sizes of parcels as numbers, 0 for a straight way."""

    def __init__(self, board: Storyboard) -> None:
        self._of = [self._flights(board, frame) for frame in board.frames]
        self._transfers = [frame.transfers for frame in board.frames]
        flights = [flight for some in self._of for flight in some]
        self.cells = [column.cell for flight in flights for column in flight.columns]
        lines = (line.points for line in board.scenery.lines)
        self.curves = indexed([None, *lines, *(flight.way for flight in flights)])
        self._sizes = indexed(_size(flight) for flight in flights)

    @staticmethod
    def _flights(board: Storyboard, frame: Frame) -> tuple[Flight, ...]:
        return flights(board.scenery, frame) if flies(board.scenery, frame) else ()

    def data(self) -> dict[str, Any]:
        """Curves as x, y, x, y …, and sizes of parcels, see `_size`."""
        curves = [_curve(way) if way else [] for way in self.curves]
        return {"curves": curves, "parcels": list(self._sizes)}

    def numbers(self, number: int) -> list[int]:
        """Way, size and parcel of each flight of a step."""
        of = ((self.curves[t.way], self._sizes[_size(t)], t.parcel) for t in self._of[number - 1])
        return [part for flight in of for part in flight]

    def columns(self, number: int, cells: Mapping[Cell, int]) -> list[int]:
        """Transfer and cell of each column of all flights of a step; 0 for the transfer's cell."""
        transfers, columns = self._transfers[number - 1], list[int]()
        for column in (column for flight in self._of[number - 1] for column in flight.columns):
            own = column.cell == transfers[column.transfer].cell
            columns += column.transfer, 0 if own else cells[column.cell]
        return columns


def _size(flight: Flight) -> tuple[float, ...]:
    """Number of columns, their pitch, width and height of the first and of each that differs."""
    sizes = [_rounded(column.box.width, column.box.height) for column in flight.columns]
    kept = sizes if len(set(map(tuple, sizes))) > 1 else sizes[:1]
    return (len(flight.columns), round(flight.pitch, 2), *(side for size in kept for side in size))


def _card(card: Card, shapes: dict[CardShape, int]) -> list[Any]:
    return [*_rounded(card.box.left, card.box.top), shapes[card.shape], _tone(card.tone)]


def _tone(name: str) -> str:
    """The name of a tone's color in the style, see `Theme.tone` and `player_style`."""
    kind, _, number = name.replace("_", "-").partition(" ")
    of = {"rank": DARK.ranks, "phase": DARK.phases, "level": DARK.levels}
    return f"{kind}-{int(number) % len(of[kind])}" if number else kind


def _shape(shape: CardShape, sizes: dict[tuple[float, float], int]) -> dict[str, Any]:
    return {
        "size": _rounded(shape.width, shape.height),
        "radius": shape.radius,
        "cells": [
            [*_rounded(cell.left, cell.top), sizes[cell.width, cell.height]] for cell in shape.cells
        ],
        "letters": shape.label_size if shape.labels else 0,
        "groups": [rounded_box(group) for group in shape.groups],
        "parts": [rounded_box(part) for part in shape.parts or [_whole(shape)]],
    }


def _whole(shape: CardShape) -> Box:
    return Box(shape.width / 2, shape.height / 2, shape.width, shape.height)


def _bars(scenery: Scenery, colors: int, width: float, height: float) -> list[float]:
    """A cell's size and its bars."""
    cell = Box(width / 2, height / 2, width, height)
    bars = [scenery.stripe(cell, bar) for bar in range(colors)]
    first = bars[0]
    tops = [bar.top for bar in bars]
    return _rounded(width, height, first.left, first.width, first.height, *tops)


def _stale(board: Storyboard) -> list[list[int]]:
    """For each state the node and well of each cell that begins or ends to be stale, in a row."""
    stale, before = [], set[NodeSlot]()
    for step in range(len(board.frames) + 1):
        now = board.stale(step)
        stale.append([number for at in sorted(now ^ before) for number in at])
        before = now
    return stale


def _table(board: Storyboard) -> dict[str, Any]:
    """A matrix: its box, the size of its cells, text beside it, and complete cells by step."""
    cards, shape = [card.box for card in board.scenery.cards], board.scenery.cards[0].shape
    left, top = min(card.left for card in cards), min(card.top for card in cards)
    right, bottom = max(card.right for card in cards), max(card.bottom for card in cards)
    middles = [cell.x for cell in shape.cells]
    pitch = min((b - a for a, b in pairwise(middles)), default=shape.width)
    return {
        "box": _rounded(left, top, right - left, bottom - top),
        "size": [pitch, shape.height],
        "columns": [round(middle / pitch - 0.5, 3) for middle in middles],
        "progress": _rounded(board.sheet.table.right + 44, board.sheet.stage.y),
        "complete": board.complete,
        "promised": len(board.promised),
    }


def _curve(way: Way) -> list[float]:
    return _rounded(*(place for point in way for place in point), digits=1)


def _rounded(*values: float, digits: int = 2) -> list[float]:
    return [round(value, digits) for value in values]


def rounded_box(box: Box) -> list[float]:
    """Left, top, width and height."""
    return _rounded(box.left, box.top, box.width, box.height)
