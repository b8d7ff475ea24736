"""A storyboard as the short lists that player.js draws from, and these packed into a short text.

Boxes are in pixels of the page: `cards` and `slots` are upper left corners, the latter within a
card, `stripes` heights within a cell. A cell is an index of `contents`, the first of which is
empty: [mask of the ranks in it, the labels of their contributions, if any], or [index of the
color of its level, share of its contributions]. `captions`, `notes` and the texts of `counters`
are one for each state, the start included; `subtitles` one for the start and one for each phase.
A frame is [phase, moves, cells, sent, lines, values, hero]: moves of nine numbers each (src, dst,
chunk, into, adds, cell, size, data, line), of which size and data are indices of `sizes` and
`data`, line one of the frame's lines; cells of three (node, slot, cell); sent as indices of
`amounts`; a line as [index of sources, first line, last line, variables] or null; values as a
text for each move; hero the number of the move that the caption speaks of.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import numpy as np

from animations.story import cell_marks, drawing
from animations.story.cells import EMPTY, Cell, NodeSlot
from animations.story.counters import CounterRow
from animations.story.drawing import STAGE, TABLE, Box
from animations.story.layout import Matrix
from animations.story.source import is_remark
from animations.story.storyboard import Frame, Storyboard
from collectives.units import size_text

T = TypeVar("T")
MARGIN = 12  # around the stage, for outlines and badges
MOST_COLUMNS = 100  # letters of a line of code
WIDTHS = (9, 3, 1)  # numbers of a move, of a cell, of what was sent


def pack(story: dict[str, Any]) -> str:
    """The story for `unpacked` of player.js: base64, so no character can begin markup.

    Deflated are the length of the JSON, the JSON with lengths in place of numbers, and these as
    columns of 16 bits each: the start's cells, then all frames' moves, cells and sent.
    """
    frames = story["frames"]
    head = story | {
        "start": len(story["start"]),
        "frames": [[frame[0], *map(len, frame[1:4]), *frame[4:]] for frame in frames],
    }
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (len(text) % 2)
    parts = [np.uint32(len(text)).astype("<u4").tobytes(), text, _columns(story["start"], 3)]
    for i, width in enumerate(WIDTHS, 1):
        parts.append(_columns([number for frame in frames for number in frame[i]], width))
    return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode()


def _columns(numbers: Sequence[int], width: int) -> bytes:
    return np.array(numbers, "<u2").reshape(-1, width).T.tobytes()


def story(board: Storyboard) -> dict[str, Any]:
    """All that the player needs of a storyboard, ready for JSON."""
    moves = [move for frame in board.frames for move in frame.moves]
    changed = [cell for frame in board.frames for cell in frame.cells.values()]
    labels = board.labels
    cells = _numbered([EMPTY, *board.start.values(), *changed])
    sizes = _numbered(move.size for move in moves)
    data = _numbered(labels.data(move) for move in moves)
    amounts = _numbered([0, *(sent for frame in board.frames for sent in frame.sent)])
    sources = _numbered(move.source.text for move in moves if move.source)

    def packed(held: dict[NodeSlot, Cell]) -> list[int]:
        return [number for at, cell in held.items() for number in (*at, cells[cell])]

    def packed_frame(frame: Frame) -> list[Any]:
        lines = _numbered(move.source for move in frame.moves)
        numbers: list[int] = []
        for move in frame.moves:
            numbers += move.src, move.dst, move.chunk, move.into, int(move.adds), cells[move.cell]
            numbers += sizes[move.size], data[labels.data(move)], lines[move.source]
        return [
            frame.phase,
            numbers,
            packed(frame.cells),
            [amounts[sent] for sent in frame.sent] if board.layout.shows_sent else [],
            [
                line and [sources[line.text], line.first, line.last, line.variables]
                for line in lines
            ],
            [move.values for move in frame.moves] if board.shows_ranks else [],
            frame.followed,
        ]

    return {
        "title": board.title,
        "view": board.view,
        "shows_ranks": board.shows_ranks,
        "legend": cell_marks.legend(board),
        "explanation": cell_marks.explanation(board),
        "ranks": board.ranks,
        "names": [labels.node(node) for node in range(board.nodes)],
        "labels": [labels.short(slot) for slot in range(board.slots)],
        **_geometry(board),
        "links": board.links,
        "phases": [[phase.name, phase.first, phase.end] for phase in board.phases],
        "subtitles": _subtitles(board),
        "notes": _notes(board),
        "ending": f"{board.ending}.",
        "captions": board.captions,
        "counters": [_counter(row) for row in board.counters],
        "heading": board.heading,
        "contents": [_content(board, cell) for cell in cells],
        "sizes": [size_text(size) if labels.moves_data else "" for size in sizes],
        "data": list(data),
        "amounts": [board.amount(sent) for sent in amounts],
        "sources": [[text, _width(text)] for text in sources],
        "start": packed(board.start),
        "frames": [packed_frame(frame) for frame in board.frames],
    }


def _numbered(values: Iterable[T]) -> dict[T, int]:
    """Each value once, with its number."""
    return {value: number for number, value in enumerate(dict.fromkeys(values))}


def _counter(row: CounterRow) -> list[Any]:
    """Label, values and bound to six digits, which is enough for bars, and texts."""
    values = [float(f"{value:.6g}") for value in row.values]
    bound = None if row.bound is None else float(f"{row.bound:.6g}")
    return [row.label, values, [row.text(step) for step in range(len(values))], bound]


def _content(board: Storyboard, cell: Cell) -> list[Any]:
    if not cell.held:
        return []
    if board.shows_ranks:
        return [sum(1 << rank for rank in cell.held), *cell.labels]
    ink, share = cell_marks.level(board, cell)
    return [ink, round(share, 4)]


def _geometry(board: Storyboard) -> dict[str, Any]:
    """Boxes, corner radii and motion."""
    layout = board.layout
    card, cell, lens = layout.cards[0], layout.cell(0, 0), layout.lens
    stripes = [layout.stripe(cell, rank) for rank in range(board.ranks)]
    slots, corner = range(board.slots), (card.left, card.top)
    stage = Box(STAGE.x, STAGE.y, STAGE.width + 2 * MARGIN, STAGE.height + 2 * MARGIN)
    return {
        "stage": _corner_and_size(stage),
        "cards": [_rounded(box.left, box.top) for box in layout.cards],
        "card": _rounded(card.width, card.height),
        "radii": {
            "card": layout.radius(0),
            "switch": round(layout.radius(board.nodes - 1), 2),
            "cell": drawing.CELL_RADIUS,
            "lens": drawing.LENS_RADIUS,
        },
        "header": round(layout.header, 2),
        "label": _rounded(*map(layout.label_base, slots)) if layout.label_height else None,
        "shows_sent": layout.shows_sent,
        "slots": [_corner_and_size(layout.cell(0, slot), *corner)[:2] for slot in slots],
        "cell": _rounded(cell.width, cell.height),
        "pitch": round(layout.pitch, 4),
        "groups": [_corner_and_size(box, *corner) for box in layout.group_boxes(0)],
        "stripes": _rounded(*(stripe.top - cell.top for stripe in stripes)),
        "stripe": _rounded(stripes[0].left - cell.left, stripes[0].width, stripes[0].height),
        "lens": _rounded(lens.x, lens.y, lens.width, lens.height) if lens else None,
        "motion": asdict(layout.motion),
        "most": {"links": drawing.MOST_LINKS, "moves": drawing.MOST_MOVES},
        "table": _table(board, layout) if isinstance(layout, Matrix) else None,
    }


def _table(board: Storyboard, layout: Matrix) -> dict[str, Any]:
    """A matrix: its box, the size of its cells, text beside it, and complete cells by step."""
    cards = layout.cards
    left, top = min(card.left for card in cards), min(card.top for card in cards)
    right, bottom = max(card.right for card in cards), max(card.bottom for card in cards)
    return {
        "box": _rounded(left, top, right - left, bottom - top),
        "size": [layout.pitch, cards[0].height],
        "columns": layout.columns,
        "axis": [
            [text, *_rounded(x, base, size), "end" if align == "right" else "start"]
            for text, x, base, size, align in cell_marks.axis_labels(board)
        ],
        "progress": _rounded(TABLE.right + 44, STAGE.y),
        "complete": board.complete,
        "promised": len(board.promised),
    }


def _rounded(*values: float) -> list[float]:
    return [round(value, 2) for value in values]


def _corner_and_size(box: Box, x: float = 0.0, y: float = 0.0) -> list[float]:
    """Left, top, width and height of a box, from a corner of its card or of the page."""
    return _rounded(box.left - x, box.top - y, box.width, box.height)


def _subtitles(board: Storyboard) -> list[str]:
    total = len(board.phases)
    phases = [
        f" · phase {number} of {total}: {phase.name}" if total > 1 else ""
        for number, phase in enumerate(board.phases, 1)
    ]
    return [board.subtitle + phase for phase in ("", *phases)]


def _notes(board: Storyboard) -> list[str]:
    """What holds in each state, in the words of the function at work; nothing at the start."""
    notes = [""]
    for frame in board.frames:
        held, phase = board.invariant(frame.number), board.phases[frame.phase].name
        prefix = f"{phase}: " if len(board.phases) > 1 and not held.startswith("In each") else ""
        notes.append(f"{prefix}{held}{'.' * bool(held)}")
    return notes


def _width(text: tuple[str, ...]) -> int:
    """Length of the longest line of code that is not cut: remarks are wrapped."""
    return min(MOST_COLUMNS, max((len(line) for line in text if not is_remark(line)), default=1))
