"""Text on the cards, placed alike in film, figure and page: names, labels, what a node has sent.

Each comes with its node; its color is the name of a tone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from animations.drawing.card_shapes import name_line
from animations.drawing.shapes import TextLine
from animations.story.storyboard import Storyboard


def name_lines(board: Storyboard, width: Callable[[str], float]) -> Iterator[tuple[int, TextLine]]:
    """The name of each card, or its number where that has no room; none on rows of a matrix.

    width: of a bold text, in times its size.
    """
    for node, card in enumerate(board.scenery.cards if not board.scenery.table else ()):
        line = name_line(card, board.labels.node(node), width)
        if line is not None:
            yield node, line


def label_lines(board: Storyboard) -> Iterator[tuple[int, TextLine]]:
    """The labels of the slots of each card."""
    wells = board.scenery.fold.well
    for node, card in enumerate(board.scenery.cards):
        shape = card.shape
        for slot in range(board.slots if shape.labels else 0):
            if wells.index(wells[slot]) != slot or (board.labels.uncut and not slot):
                continue
            x, y = card.cell(wells[slot]).x, card.box.top + shape.labels[wells[slot]]
            text = board.labels.short(slot)
            yield node, TextLine(text, x, y, shape.label_size, "faint", align="center")


def zeros(board: Storyboard) -> Iterator[tuple[int, TextLine]]:
    """An ∅ in the cell of each empty chunk."""
    for node, card in enumerate(board.scenery.cards):
        for box in map(card.cell, card.shape.hollow):
            size = 0.8 * box.height
            yield node, TextLine("∅", box.x, box.y + 0.36 * size, size, "faint", align="center")


def sent_lines(board: Storyboard, sent: Sequence[int]) -> Iterator[tuple[int, TextLine]]:
    """What each node has sent, on its card where there is room."""
    for node, card in enumerate(board.scenery.cards):
        if card.shape.shows_sent:
            base = card.box.top + card.shape.name_top + 0.78 * card.shape.header + 1
            text = board.say("counters.sent", amount=board.amount(sent[node]))
            size = min(19.0, max(17.0, card.box.width / 15))
            left = card.shape.name_at == "right"
            x = card.box.left + 12 if left else card.box.right - 12
            yield node, TextLine(text, x, base, size, "faint", align="left" if left else "right")
