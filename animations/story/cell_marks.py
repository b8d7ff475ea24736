"""How the content of a cell is drawn in each view: which inks, in which boxes, with what text."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from animations.story.box import Box
from animations.story.cells import Cell
from animations.story.labels import Names
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme

PARTIAL = 4  # shades for cells that are on their way to completeness
NUMBERED = 8  # ranks up to which stripes bear numbers
READABLE = 16  # width of a cell in which a number can be read
ROOMY = 44  # width of a cell in which a block's whole label can be read


class Mark(NamedTuple):
    """A colored box in a cell: the index of its ink, where it is, what is written on it."""

    ink: int
    box: Box
    text: str


def inks(board: Storyboard, theme: Theme) -> tuple[str, ...]:
    """The colors of marks: one for each rank, or the shades of levels and the complete one."""
    if tells_whose(board):
        return tuple(theme.rank(rank) for rank in range(board.ranks))
    return shades(theme)


def tells_whose(board: Storyboard) -> bool:
    """Whether marks stand for ranks, not for amounts."""
    return board.view in ("stripes", "blocks")


def shades(theme: Theme) -> tuple[str, ...]:
    """The colors of levels, and of cells that are complete."""
    return (*theme.levels[-PARTIAL:], theme.complete)


def head(board: Storyboard) -> str:
    """What a mark is, in one line above the legend."""
    width = board.layout.cell(0, 0).width
    if board.view == "blocks" and board.names.blocks and width >= READABLE:
        roomy = "A block: 0→2 is from rank 0 for rank 2"
        return roomy if width >= ROOMY else "Color: from whom. Number: for whom"
    if board.names.moves_data:
        return {
            "stripes": "A stripe: a rank that has been heard of",
            "levels": "A bar: how many ranks have been heard of",
            "matrix": "A cell: how many ranks have been heard of",
        }[board.view]
    if board.names.places > board.names.chunk_count and not tells_whose(board):
        return "A cell: whether a block is in it"
    return {
        "stripes": "A stripe: whose data is in the chunk",
        "blocks": "A block: the color says whose it is",
        "levels": "A bar: from how many ranks a chunk has data",
        "matrix": "A cell: from how many ranks a chunk has data",
    }[board.view]


def signs(board: Storyboard) -> str:
    """What else is seen, in one line below the legend."""
    if board.view == "matrix":
        return "outlined: changes in this step"
    words = "= overwrites" if board.view == "blocks" else "+ adds     = overwrites"
    labeled = board.view != "blocks" or not board.names.blocks
    if labeled and any(cell.labels for frame in board.frames for cell in frame.cells.values()):
        words += "     c2: from chunk 2"
    return words


def reading(board: Storyboard) -> list[str]:
    """How to read the picture, in some sentences."""
    noun = board.names.other
    other = f" A card with rounder corners is a {noun}." if board.nodes > board.ranks else ""
    card = f"A card is a rank; a cell in it is a chunk of its data.{other}"
    if board.names.moves_data:
        card = f"A card is a rank; its cell is whom it has heard of.{other}"
    if board.layout.lanes[0][0] < sum(map(sum, board.layout.lanes)):
        apart = board.names.places > board.names.chunk_count
        card += " Below what is sent lies what is received." if apart else ""
        card += " Slots s0, s1, … hold data on its way." * (board.slots > board.names.places)
    return [card, READING[board.view]]


READING = {
    "stripes": "A stripe says whose data is in the cell: the same rank always has the same color, "
    "at the same height. From rank 8 on, stripes are hatched.",
    "blocks": "A block has the color of the rank it comes from, wherever it goes. From rank 8 on, "
    "blocks are hatched.",
    "levels": "A bar is as high as the share of the ranks whose data is in the cell; in gold it is "
    "complete: it holds all that it should, once.",
    "matrix": "A row is a rank, a square in it a chunk of its data: the lighter it is, the more "
    "ranks have their data in it; in gold it is complete. Outlined is what the step changes.",
}


def labels(board: Storyboard) -> list[str]:
    """A label for each ink; an ink without one is not in use."""
    if tells_whose(board):
        return [f"{rank}" for rank in range(board.ranks)]
    ends = [-(-board.most * part // PARTIAL) for part in range(PARTIAL + 1)]
    spans = [(max(1, first), last - 1) for first, last in pairwise(ends)]
    levels = [f"{a}-{b}" if a < b else f"{a}" if a == b else "" for a, b in spans]
    if board.names.places > board.names.chunk_count:
        return ["", "", "", "a block", "arrived"]
    return [*levels, "complete"]


def axis(board: Storyboard) -> list[tuple[str, float, float, float, str]]:
    """Words beside a matrix, on its rows and columns: text, x, baseline, size, left or right."""
    cards, names = board.layout.cards, board.names
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * cards[0].height >= 22)
    top, left = min(card.top for card in cards), cards[0].left
    words = [("rank", left - 8, top - 12, 19.0, "right")]
    slot, end = 0, left - 1
    for bed in board.layout.beds(0):
        pitch = board.layout.pitch
        many = max(1, round(bed.width / pitch))
        text = _group(names, slot, slot + many - 1)
        if bed.left > end:
            words.append((text, bed.left, top - 12, 19.0, "left"))
            end = bed.left + 11.5 * len(text) + 10
        slot += many
    for node in range(0, board.nodes, every):
        card = cards[node]
        name = names.node(node).split()
        number = name[1] if node < board.ranks else f"{name[0][0]}{name[1]}"
        words.append((number, card.left - 8, card.y + 6, 17.0, "right"))
    return words


def _group(names: Names, first: int, last: int) -> str:
    """What a group of columns of the matrix is."""
    if first >= names.places:
        return "scratch"
    if first >= names.chunk_count:
        return "blocks from rank 0 on" if names.blocks else "received"
    if names.moves_data or names.blocks:
        return "heard" if names.moves_data else "blocks for rank 0 on"
    return f"chunks 0 to {last}" if last else "chunk 0"


def marks(board: Storyboard, cell: Cell, box: Box, most: int = NUMBERED) -> list[Mark]:
    """What is drawn of a cell's content in a box.

    Stripes: one for each rank at its own height, with its label, or its number where there are
    at most so many ranks. Blocks: the whole box. Levels: a bar as high as the share of the
    contributions that are there. Matrix: the whole box.
    """
    if not cell.held:
        return []
    if tells_whose(board):
        numbers = [f"{rank}" if board.ranks <= most else "" for rank in cell.held]
        texts = [label or n for label, n in zip(cell.labels or numbers, numbers, strict=True)]
        return [
            Mark(rank, board.layout.stripe_in(box, rank), text)
            for rank, text in zip(cell.held, texts, strict=True)
        ]
    count, complete = cell.held
    share = min(1.0, count / board.most)
    ink = PARTIAL if complete else min(PARTIAL - 1, int(PARTIAL * share))
    if board.view == "matrix":
        return [Mark(ink, box, "")]
    height = max(1.0, share * box.height)
    return [Mark(ink, Box(box.x, box.bottom - height / 2, box.width, height), "")]
