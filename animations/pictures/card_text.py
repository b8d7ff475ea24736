"""Text on the cards, placed alike in film, figure and page: names, labels, what a node has sent.

Each comes with its node; its color is the name of a tone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from animations.drawing.shapes import TextLine
from animations.story.storyboard import Storyboard

LEAST_NAME = 18.0  # pixels of the name of a card; a smaller one is cut to its number
SMALLEST_NAME = 15.0  # of that number; smaller ones are left out
LARGEST_NAME = 26.0


def name_lines(board: Storyboard, width: Callable[[str], float]) -> Iterator[tuple[int, TextLine]]:
    """The name of each card, or its number where that has no room; none on rows of a matrix.

    width: of a bold text, in times its size.
    """
    for node, card in enumerate(board.scenery.cards if not board.scenery.table else ()):
        box, shape = card.box, card.shape
        edge = 0.12 if shape.name_at == "center" else 0.2
        room = 0.42 * box.width if shape.shows_sent else box.width - min(16, edge * box.width)
        size = min(LARGEST_NAME, 0.82 * shape.header)
        whole = board.labels.node(node)
        fits = {name: min(size, room / width(name)) for name in (whole, whole.split()[-1])}
        name = next((name for name in fits if fits[name] >= LEAST_NAME), whole.split()[-1])
        if min(fits[name], shape.header) < SMALLEST_NAME:
            continue
        side = 12 if fits[name] == size or shape.shows_sent else min(8, 0.1 * box.width)
        x = box.x if shape.name_at == "center" else box.left + side
        base = box.top + 0.78 * shape.header + 2
        line = TextLine(name, x, base, fits[name], card.name_tone, "bold", shape.name_at)
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
    """A 0 in the cell of each empty chunk."""
    for node, card in enumerate(board.scenery.cards):
        for box in map(card.cell, card.shape.hollow):
            size = 0.8 * box.height
            yield node, TextLine("0", box.x, box.y + 0.36 * size, size, "faint", align="center")


def sent_lines(board: Storyboard, sent: Sequence[int]) -> Iterator[tuple[int, TextLine]]:
    """What each node has sent, on its card where there is room."""
    for node, card in enumerate(board.scenery.cards):
        if card.shape.shows_sent:
            base = card.box.top + 0.78 * card.shape.header + 1
            text = board.say("counters.sent", amount=board.amount(sent[node]))
            size = min(19.0, max(17.0, card.box.width / 15))
            yield node, TextLine(text, card.box.right - 12, base, size, "faint", align="right")
