"""Cards, wells and what is in them, as boxes: the part of a step for which no font is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from animations.drawing import shapes
from animations.drawing.scenery import Card
from animations.drawing.scenery_shapes import ground_boxes
from animations.drawing.shapes import ColoredBox
from animations.drawing.theme import Theme
from animations.story.cell_views import CellMark
from animations.story.storyboard import Storyboard
from animations.story.transfers import NodeSlot

MOST_NAMED = 20_000  # marks and outlines; of more no single one could be told
NARROWEST = 5.0  # pixels of a cell, below which only its group has a well
CARD = 2.4  # pixels of its outline


def behind(board: Storyboard, theme: Theme) -> Iterator[ColoredBox]:
    """What is behind all: grounds, then cards."""
    yield from ground_boxes(board.scenery, theme)
    for card in board.scenery.cards:
        yield from panel(board, card, theme)


def panel(board: Storyboard, card: Card, theme: Theme) -> Iterator[ColoredBox]:
    """The boxes of a card; a row of a matrix has none."""
    edge, radius = theme.tone(card.tone), card.shape.radius
    for box in () if board.scenery.table else card.boxes:
        yield ColoredBox(box, theme.panel, radius, edge, CARD)


def wells(board: Storyboard, theme: Theme) -> Iterator[ColoredBox]:
    """The wells of the cells, or of groups of cells where these are narrow."""
    for card in board.scenery.cards:
        yield from card_wells(board, card, theme)


def card_wells(board: Storyboard, card: Card, theme: Theme) -> Iterator[ColoredBox]:
    """The wells of a card: of each cell, or of groups of cells where these are narrow."""
    table, widest = board.scenery.table, board.scenery.cards[0].shape.widest
    if table or widest.width < NARROWEST:
        color = theme.levels[0] if table else theme.well
        yield from (ColoredBox(box, color) for box in card.groups)
        return
    thin, edge = 1.5 if widest.width > 14 else 0.8, theme.tone(board.view.edge)
    for cell in map(card.cell, range(len(card.shape.cells))):
        yield ColoredBox(cell, theme.well, shapes.CELL_RADIUS, edge, thin)


def marks(
    board: Storyboard, held: Sequence[tuple[NodeSlot, CellMark]], theme: Theme
) -> Iterator[ColoredBox]:
    """What is in cells, see `cell_contents`; of very many those of one color together."""
    colors = board.view.mark_colors(theme)
    if len(held) > MOST_NAMED:
        by_color = sorted(held, key=lambda pair: pair[1].ink)
        yield from (ColoredBox(mark.box, colors[mark.ink]) for _, mark in by_color)
        return
    for (node, slot), mark in held:
        yield ColoredBox(mark.box, colors[mark.ink], name=f"mark-{node}-{slot}-{mark.ink}")
