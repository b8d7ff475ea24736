"""What stands beside cells and in them: the legend, labels of a matrix, all marks of a state."""

from __future__ import annotations

from animations.drawing.shapes import TextLine
from animations.drawing.widths import LEAST_SHARE
from animations.story.cell_views import CellMark
from animations.story.labels import Labels
from animations.story.storyboard import Storyboard
from animations.story.transfers import NodeSlot


def legend_title(board: Storyboard) -> str:
    """What a mark is, in one line above the legend."""
    noun = board.say.noun(board.scenery.fold.noun)
    return board.say(f"legend.{board.view.legend_key()}", noun=noun)


def legend_note(board: Storyboard) -> str:
    """The signs on moving chunks and cells, in one line below the legend."""
    if board.scenery.table and not board.wrong:
        return board.say("legend.outlined")
    if board.wrong:
        return board.say("wrong.arrows" if board.wrong.stuck else "legend.faults")
    used = {parcel.adds for frame in board.frames for parcel in frame.parcels}
    signs = {True: "legend.adds", False: "legend.overwrites"}
    notes = [board.say(key) for adds, key in signs.items() if adds in used]
    if not board.view.labels_blocks:
        cells = (cell for frame in board.frames for cell in frame.cells.values())
        label = next((label for cell in cells for label in cell.labels if label), "")
        if label[:1] == "c":
            notes.append(board.say("legend.from_chunk", label=label, number=label[1:]))
    if board.scenery.largest:
        notes.append(board.say("legend.cut" if board.scenery.cut else "legend.to_scale"))
    return "     ".join(notes)


def legend(board: Storyboard) -> tuple[str, list[str], str]:
    """Title, labels and note of the legend."""
    return legend_title(board), board.view.legend_labels(), legend_note(board)


def explanation(board: Storyboard) -> list[str]:
    """How to read the picture: cards and cells, then marks."""
    labels, say = board.labels, board.say
    card = say("reading.card" if labels.moves_data else "reading.card_heard")
    if board.nodes > board.ranks:
        card += say("reading.helper", noun=say.noun(labels.helper))
    if labels.has_arrivals:
        card += say("reading.received")
    if board.slots > labels.promised_slots:
        card += say("reading.scratch")
    if board.scenery.largest:
        card += say("reading.to_scale")
    if board.scenery.cut:
        card += say("reading.cut", share=round(1 / LEAST_SHARE))
    if any(place.shape.hollow for place in board.scenery.cards):
        card += say("reading.hollow")
    return [card, board.view.explain()]


def axis_labels(board: Storyboard) -> list[TextLine]:
    """Labels of a matrix's rows and columns, in a tone."""
    cards, labels = [card.box for card in board.scenery.cards], board.labels
    shape = board.scenery.cards[0].shape
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * cards[0].height >= 22)
    top, left = min(card.top for card in cards), cards[0].left
    rank = labels.say("matrix.rank")
    texts = [TextLine(rank, left - 8, top - 12, 19.0, "faint", align="right")]
    slot, end = 0, left - 1
    for group in shape.groups:
        size = sum(group.left <= cell.x <= group.right for cell in shape.cells)
        text, start = _group_label(labels, slot, slot + size - 1), left + group.left
        if start > end:
            texts.append(TextLine(text, start, top - 12, 19.0, "faint"))
            end = start + 11.5 * len(text) + 10
        slot += size
    for node in range(0, board.nodes, every):
        card, (noun, number) = cards[node], labels.node(node).split()
        text = number if node < board.ranks else f"{noun[0]}{number}"
        texts.append(TextLine(text, card.left - 8, card.y + 6, 17.0, "faint", align="right"))
    return texts


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


def cell_contents(board: Storyboard, step: int) -> list[tuple[NodeSlot, CellMark]]:
    """The marks in all cells after so many steps."""
    return [
        (at, mark)
        for at, cell in board.cells(step).items()
        for mark in board.view.marks(cell, board.scenery.cards[at[0]].cell(at[1]))
    ]
