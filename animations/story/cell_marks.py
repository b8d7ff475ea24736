"""How the content of a cell is drawn in each view: colored boxes and their text, and the legend."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from animations.drawing.shapes import Box, TextLine
from animations.drawing.theme import Theme
from animations.story.labels import Labels
from animations.story.moves import Cell, NodeSlot
from animations.story.storyboard import Storyboard

PARTIAL = 4  # shades of cells that are not complete yet
MOST_NUMBERED = 8  # ranks up to which stripes have numbers
READABLE = 16  # width of a cell in which a number can be read
ROOMY = 44  # width of a cell in which a block's whole label can be read


class CellMark(NamedTuple):
    """A colored box in a cell: the index of its color, its box, and its text."""

    ink: int
    box: Box
    text: str


def mark_colors(board: Storyboard, theme: Theme) -> tuple[str, ...]:
    """The colors of marks: one for each rank, or the shades of levels and the complete one."""
    if board.view == "bars":
        hues = tuple(map(theme.rank, range(board.colors)))
        return (*hues, *(theme.faded(hue) for hue in hues))
    return tuple(map(theme.rank, range(board.colors))) if board.shows_ranks else level_colors(theme)


def level_colors(theme: Theme) -> tuple[str, ...]:
    """The colors of levels, then the one of complete cells."""
    return (*theme.levels[-PARTIAL:], theme.complete)


def legend_title(board: Storyboard) -> str:
    """What a mark is, in one line above the legend."""
    width, labels = board.scenery.cell(0, 0).width, board.labels
    noun = board.say.noun(board.scenery.fold.noun)
    if board.view == "blocks" and labels.in_blocks and width >= READABLE:
        key = "block_roomy" if width >= ROOMY else "block_narrow"
    elif labels.promised_slots > labels.chunk_count and not board.shows_ranks:
        key = "arrivals"
    elif board.view == "bars":
        key = "bars_whole" if board.scenery.whole else "bars"
    else:
        key = f"{'' if labels.moves_data else 'heard_'}{board.view}"
    return board.say(f"legend.{key}", noun=noun)


def legend_note(board: Storyboard) -> str:
    """The signs on moving chunks and cells, in one line below the legend."""
    if board.view == "matrix" and not board.wrong:
        return board.say("legend.outlined")
    if board.wrong:
        return board.say("wrong.arrows" if board.wrong.stuck else "legend.faults")
    used = {parcel.adds for frame in board.frames for parcel in frame.parcels}
    signs = {True: "legend.adds", False: "legend.overwrites"}
    notes = [board.say(key) for adds, key in signs.items() if adds in used]
    if board.view != "blocks" or not board.labels.in_blocks:
        cells = (cell for frame in board.frames for cell in frame.cells.values())
        label = next((label for cell in cells for label in cell.labels if label), "")
        if label[:1] == "c":
            notes.append(board.say("legend.from_chunk", label=label, number=label[1:]))
    return "     ".join(notes)


def legend_labels(board: Storyboard) -> list[str]:
    """A label for each color; empty for a color that is not in use."""
    if board.view == "bars":
        bars = board.colors
        return [*(f"{bar}" for bar in range(bars)), *[""] * bars]
    if board.shows_ranks:
        return [f"{ink}" for ink in range(board.colors)]
    if board.labels.promised_slots > board.labels.chunk_count:
        return ["", "", "", board.say("legend.a_block"), board.say("legend.arrived")]
    ends = [-(-board.most_required * part // PARTIAL) for part in range(PARTIAL + 1)]
    spans = [(max(1, first), last - 1) for first, last in pairwise(ends)]
    levels = [f"{a}-{b}" if a < b else f"{a}" if a == b else "" for a, b in spans]
    return [*levels, board.say("legend.complete")]


def legend(board: Storyboard) -> tuple[str, list[str], str]:
    """Title, labels and note of the legend."""
    return legend_title(board), legend_labels(board), legend_note(board)


def explanation(board: Storyboard) -> list[str]:
    """How to read the picture: cards and cells, then marks."""
    labels = board.labels
    card = "A card is a rank; a cell in it is a chunk of its data."
    if not labels.moves_data:
        card = "A card is a rank; its cell shows which ranks it has heard of."
    if board.nodes > board.ranks:
        card += f" A card with rounder corners is a {labels.helper}."
    if labels.promised_slots > labels.chunk_count:
        card += " Received data is below the data to send."
    if board.slots > labels.promised_slots:
        card += " Slots s0, s1, … hold data on its way."
    of_groups = board.view == "bars" and board.scenery.whole
    return [card, EXPLANATIONS["groups" if of_groups else board.view]]


EXPLANATIONS = {
    "stripes": "A stripe says whose data is in the cell: the same rank always has the same color, "
    "at the same height. From rank 8 on, stripes are hatched.",
    "blocks": "A cell that has its data is full, in the color of the rank that the data comes "
    "from, wherever it goes. From rank 8 on, colors are hatched.",
    "chunks": "All data is the root's. A cell that has a chunk is full: each chunk has a color, "
    "and its number stands on it. From chunk 8 on, colors are hatched.",
    "bars": "A bar in a cell is the data of a group of ranks, always at the same height. It is "
    "faint until the data of all of them is there.",
    "groups": "A cell that has its data is full, in the color of the group of ranks that the data "
    "comes from. It is faint until all of it is there.",
    "levels": "A bar is as high as the share of the ranks whose data is in the cell. A complete "
    "cell is gold: it holds all required data, once.",
    "matrix": "A row is a rank, a square in it a chunk of its data: the more ranks have their "
    "data in it, the more it stands out. A complete cell is gold; cells that the step changes are "
    "outlined.",
}


def axis_labels(board: Storyboard) -> list[TextLine]:
    """Labels of a matrix's rows and columns, in a tone."""
    cards, labels = [card.box for card in board.scenery.cards], board.labels
    shape = board.scenery.cards[0].shape
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * cards[0].height >= 22)
    top, left = min(card.top for card in cards), cards[0].left
    rank = labels.say("matrix.rank")
    found = [TextLine(rank, left - 8, top - 12, 19.0, "faint", align="right")]
    slot, end = 0, left - 1
    for group in shape.groups:
        size = sum(group.left <= cell.x <= group.right for cell in shape.cells)
        text, start = _group_label(labels, slot, slot + size - 1), left + group.left
        if start > end:
            found.append(TextLine(text, start, top - 12, 19.0, "faint"))
            end = start + 11.5 * len(text) + 10
        slot += size
    for node in range(0, board.nodes, every):
        card, (noun, number) = cards[node], labels.node(node).split()
        text = number if node < board.ranks else f"{noun[0]}{number}"
        found.append(TextLine(text, card.left - 8, card.y + 6, 17.0, "faint", align="right"))
    return found


def _group_label(labels: Labels, first: int, last: int) -> str:
    """The label of a group of columns of the matrix."""
    if first >= labels.promised_slots:
        return labels.say("matrix.scratch")
    if first >= labels.chunk_count:
        return labels.say("matrix.blocks_from" if labels.in_blocks else "matrix.received")
    if labels.in_blocks:
        return labels.say("matrix.blocks_for")
    if not labels.moves_data:
        return labels.say("matrix.heard")
    return labels.say("matrix.chunks" if last else "matrix.chunk", last=last)


def marks(board: Storyboard, cell: Cell, box: Box, limit: int = MOST_NUMBERED) -> list[CellMark]:
    """The marks of a cell's content, drawn in a box.

    Stripes: one for each rank at its own height, with its label, or its number if there are at
    most `limit` ranks. Blocks, chunks: the whole box. Levels: a bar as high as the share of the
    contributions it holds. Matrix: the whole box.
    """
    if not cell.held:
        return []
    if board.shows_ranks:
        numbers = [f"{ink}" if board.colors <= limit else "" for ink in cell.held]
        texts = [label or n for label, n in zip(cell.labels or numbers, numbers, strict=True)]
        return [
            CellMark(rank, board.scenery.stripe(box, rank), text)
            for rank, text in zip(cell.held, texts, strict=True)
        ]
    if board.view == "bars":
        bars = board.colors
        return [CellMark(ink, board.scenery.stripe(box, ink % bars), "") for ink in cell.held]
    ink, share = level(board, cell)
    if board.view == "matrix":
        return [CellMark(ink, box, "")]
    height = max(1.0, share * box.height)
    return [CellMark(ink, Box(box.x, box.bottom - height / 2, box.width, height), "")]


def cell_contents(board: Storyboard, step: int) -> list[tuple[NodeSlot, CellMark]]:
    """The marks in all cells after so many steps."""
    return [
        (at, mark)
        for at, cell in board.cells(step).items()
        for mark in marks(board, cell, board.scenery.cards[at[0]].cell(at[1]))
    ]


def level(board: Storyboard, cell: Cell) -> tuple[int, float]:
    """The color's index of a cell in a view of levels, and the share of its contributions."""
    count, complete = cell.held
    share = min(1.0, count / board.most_required)
    return PARTIAL if complete else min(PARTIAL - 1, int(PARTIAL * share)), share
