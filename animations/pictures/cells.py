"""Cards, wells and what is in them, as boxes: the part of a step for which no font is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from animations.drawing import shapes
from animations.drawing.scenery import Card
from animations.drawing.scenery_shapes import ground_boxes
from animations.drawing.shapes import Box, ColoredBox
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
    for card in () if board.scenery.table else board.scenery.cards:
        edge, radius = theme.tone(card.tone), card.shape.radius
        yield from (ColoredBox(box, theme.panel, radius, edge, CARD) for box in card.boxes)


def wells(board: Storyboard, theme: Theme) -> Iterator[ColoredBox]:
    """The wells of the cells, or of groups of cells where these are narrow."""
    cards, table = board.scenery.cards, board.scenery.table
    widest = cards[0].shape.widest
    if table or widest.width < NARROWEST:
        color = theme.levels[0] if table else theme.well
        yield from (ColoredBox(box, color) for card in cards for box in _groups(card))
    else:
        thin = 1.5 if widest.width > 14 else 0.8
        edge = theme.tone(board.view.edge)
        look = theme.well, shapes.CELL_RADIUS, edge, thin
        cells = (card.cell(well) for card in cards for well in range(len(card.shape.cells)))
        yield from (ColoredBox(cell, *look) for cell in cells)


def marks(
    board: Storyboard, held: Sequence[tuple[NodeSlot, CellMark]], theme: Theme
) -> Iterator[ColoredBox]:
    """What is in cells, see `cell_contents`; of very many those of one color together."""
    colors = board.view.mark_colors(theme)
    if len(held) > MOST_NAMED:
        by_color = sorted(held, key=lambda each: each[1].ink)
        yield from (ColoredBox(mark.box, colors[mark.ink]) for _, mark in by_color)
        return
    for (node, slot), mark in held:
        yield ColoredBox(mark.box, colors[mark.ink], name=f"mark-{node}-{slot}-{mark.ink}")


def _groups(card: Card) -> list[Box]:
    """The boxes around cells that stand close together."""
    left, top = card.box.left, card.box.top
    return [Box(left + b.x, top + b.y, b.width, b.height) for b in card.shape.groups]
