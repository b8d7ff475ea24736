"""How the content of a cell is drawn in each view: which inks, in which boxes."""

from __future__ import annotations

from itertools import pairwise

from animations.box import Box
from animations.layout import stripe_in
from animations.storyboard import Cell, Storyboard
from animations.theme import Theme

PARTIAL = 4  # shades for cells that are on their way to completeness
HEADS = {
    "stripes": "A stripe: whose data is in the chunk",
    "levels": "A bar: from how many ranks a chunk has data",
    "matrix": "A cell: from how many ranks a chunk has data",
}


def inks(board: Storyboard, theme: Theme) -> tuple[str, ...]:
    """The colours of marks: one for each rank, or the shades of levels and the complete one."""
    if board.view == "stripes":
        return tuple(theme.rank(rank) for rank in range(board.ranks))
    return shades(theme)


def shades(theme: Theme) -> tuple[str, ...]:
    """The colours of levels, and of cells that are complete."""
    return (*theme.levels[-PARTIAL:], theme.complete)


def labels(board: Storyboard) -> list[str]:
    """A label for each ink; an ink without one is not in use."""
    if board.view == "stripes":
        return [f"{rank}" for rank in range(board.ranks)]
    ends = [-(-board.most * part // PARTIAL) for part in range(PARTIAL + 1)]
    spans = [(max(1, first), last - 1) for first, last in pairwise(ends)]
    levels = [f"{a}-{b}" if a < b else f"{a}" if a == b else "" for a, b in spans]
    return [*levels, "complete"]


def axis(board: Storyboard) -> list[tuple[str, float, float, float, str]]:
    """Words beside a matrix, on its rows and columns: text, x, baseline, size, left or right."""
    cards = board.layout.cards
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * cards[0].height >= 22)
    top, left = min(card.top for card in cards), cards[0].left
    chunks = "chunk 0" if board.slots == 1 else f"chunks 0 to {board.slots - 1}"
    words = [("rank", left - 8, top - 12, 19.0, "right"), (chunks, left, top - 12, 19.0, "left")]
    for node in range(0, board.nodes, every):
        card = cards[node]
        words.append((f"{node}", card.left - 8, card.y + 6, 17.0, "right"))
    return words


def marks(board: Storyboard, cell: Cell, box: Box) -> list[tuple[int, Box]]:
    """What is drawn of a cell's content in a box: (index of the ink, where).

    Stripes: one for each rank at its own height. Levels: a bar as high as the share of the
    contributions that are there. Matrix: the whole box.
    """
    if not cell:
        return []
    if board.view == "stripes":
        return [(rank, stripe_in(box, rank, board.ranks)) for rank in cell]
    count, complete = cell
    share = min(1.0, count / board.most)
    ink = PARTIAL if complete else min(PARTIAL - 1, int(PARTIAL * share))
    if board.view == "matrix":
        return [(ink, box)]
    height = max(1.0, share * box.height)
    return [(ink, Box(box.x, box.bottom - height / 2, box.width, height))]
