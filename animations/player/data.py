"""A storyboard as the short lists that player.js draws from; nothing in them is left to derive.

Boxes are in pixels of the page: `cards` and `slots` are upper left corners, the latter within a
card, `stripes` heights within a cell. A cell is an index of `contents`, the first of which is
empty: [mask of the ranks in it, what is written on each, if anything is], or [how many
contributions it holds, 1 if it is complete else 0]. `captions` and the values of `counters`
are one for each state, the start included; `subtitles` and `notes` one for the start and one
for each phase. A frame is [phase, moves, cells, sent, source, values]: moves of eight numbers
each (src, dst, chunk, into, adds, cell, size, what), the last two indices of `sizes` and
`things`; cells of three (node, slot, cell), sent as indices of `words`, source as [index of
sources, first line, last line, variables], values as a text for each move.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from animations.story.box import STAGE, TABLE
from animations.story.cell_marks import axis, head, labels, reading, signs, tells_whose
from animations.story.cells import EMPTY, Cell, Place
from animations.story.counters import Tally
from animations.story.layout import Matrix
from animations.story.storyboard import Frame, Move, Storyboard
from collectives.units import size_text
from collectives.words import plural

T = TypeVar("T")
MARGIN = 12  # around the stage, for outlines and badges


def story(board: Storyboard) -> dict[str, Any]:
    """Everything the player needs of a storyboard, ready for JSON."""
    index = _Index(board)
    return {
        "title": board.title,
        "view": board.view,
        "whose": tells_whose(board),
        "most": board.most,
        "legend": [head(board), labels(board), signs(board)],
        "reading": reading(board),
        "ranks": board.ranks,
        "names": [board.names.node(node) for node in range(board.nodes)],
        "labels": [board.names.short(slot) for slot in range(board.slots)],
        **_geometry(board),
        "links": sorted({(min(link), max(link)) for link in board.links if link[0] != link[1]}),
        "phases": [[phase.name, phase.first, phase.end] for phase in board.phases],
        "subtitles": _subtitles(board),
        "notes": [f"Goal: {_sentence(board.promise)}", *_promises(board)],
        "ending": _sentence(board.ending),
        "captions": [_start(board), *(board.caption(f.number) for f in board.frames)],
        "counters": [[tally.label, *_lengths(tally), tally.bound_text] for tally in board.counters],
        "heading": board.heading,
        "contents": [_content(board, cell) for cell in index.cells],
        "sizes": ["" if board.names.moves_data else size_text(size) for size in index.sizes],
        "things": list(index.things),
        "words": [board.amount(sent) for sent in index.sent],
        "sources": [[text, _columns(text)] for text in index.sources],
        "start": _cells(index, board.start),
        "frames": [_frame(board, frame, index) for frame in board.frames],
    }


def _lengths(tally: Tally) -> tuple[list[float], tuple[str, ...], float | None]:
    """Values and bound, which only bars are made of, to six digits; and the texts."""
    bound = None if tally.bound is None else _short(tally.bound)
    return [_short(value) for value in tally.values], tally.texts, bound


def _short(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.6g}")


class _Index:
    """What occurs again and again, each once: a number for each."""

    def __init__(self, board: Storyboard) -> None:
        moves = [move for frame in board.frames for move in frame.moves]
        held = [cell for frame in board.frames for cell in frame.cells.values()]
        self.names = board.names
        self.cells = _numbered([EMPTY, *board.start.values(), *held])
        self.sizes = _numbered(move.size for move in moves)
        self.things = _numbered(self.thing(move) for move in moves)
        self.sent = _numbered([0, *(sent for frame in board.frames for sent in frame.sent)])
        self.sources = _numbered(f.source.text for f in board.frames if f.source)

    def thing(self, move: Move) -> str:
        """What moves, in words."""
        return self.names.what(move.chunk, move.into, move.cell.labels)


def _numbered(things: Iterable[T]) -> dict[T, int]:
    return {thing: number for number, thing in enumerate(dict.fromkeys(things))}


def _content(board: Storyboard, cell: Cell) -> list[Any]:
    if tells_whose(board) and cell.held:
        return [sum(1 << rank for rank in cell.held), *cell.labels]
    return list(cell.held)


def _geometry(board: Storyboard) -> dict[str, Any]:
    layout = board.layout
    card, cell, lens = layout.cards[0], layout.cell(0, 0), layout.lens
    stripes = [layout.stripe_in(cell, rank) for rank in range(board.ranks)]
    slots = [layout.cell(0, slot) for slot in range(board.slots)]
    beds = layout.beds(0)
    around = (
        STAGE.left - MARGIN,
        STAGE.top - MARGIN,
        STAGE.width + 2 * MARGIN,
        STAGE.height + 2 * MARGIN,
    )
    return {
        "stage": _rounded(*around),
        "cards": [_rounded(box.left, box.top) for box in layout.cards],
        "card": _rounded(card.width, card.height),
        "header": round(layout.header, 2),
        "label": _rounded(*(layout.label_base(slot) for slot in range(board.slots)))
        if layout.label_height
        else None,
        "shows_sent": layout.shows_sent,
        "slots": [_rounded(box.left - card.left, box.top - card.top) for box in slots],
        "cell": _rounded(cell.width, cell.height),
        "pitch": round(layout.pitch, 4),
        "beds": [
            _rounded(bed.left - card.left, bed.top - card.top, bed.width, bed.height)
            for bed in beds
        ],
        "stripes": _rounded(*(stripe.top - cell.top for stripe in stripes)),
        "stripe": _rounded(stripes[0].left - cell.left, stripes[0].width, stripes[0].height),
        "lens": _rounded(lens.x, lens.y, lens.width, lens.height) if lens else None,
        "table": _table(board, layout) if isinstance(layout, Matrix) else None,
    }


def _table(board: Storyboard, layout: Matrix) -> dict[str, Any]:
    """A matrix: its box, the size of its cells, words beside it, and complete cells by step."""
    cards = layout.cards
    left, top = min(card.left for card in cards), min(card.top for card in cards)
    right, bottom = max(card.right for card in cards), max(card.bottom for card in cards)
    return {
        "box": _rounded(left, top, right - left, bottom - top),
        "size": [layout.pitch, cards[0].height],
        "columns": layout.columns,
        "axis": [
            [text, *_rounded(x, base, size), {"right": "end"}.get(align, "start")]
            for text, x, base, size, align in axis(board)
        ],
        "progress": _rounded(TABLE.right + 44, STAGE.y),
        "complete": _complete(board),
        "due": len(board.due),
    }


def _complete(board: Storyboard) -> list[int]:
    """How many of the promised cells are complete in each state."""
    due = set(board.due)
    done: set[Place] = set()
    counts = []
    for cells in (board.start, *(frame.cells for frame in board.frames)):
        for at, cell in cells.items():
            if at in due:
                (done.add if cell.held and cell.held[1] else done.discard)(at)
        counts.append(len(done))
    return counts


def _rounded(*values: float) -> list[float]:
    return [round(value, 2) for value in values]


def _sentence(text: str) -> str:
    return f"{text}." if text else ""


def _subtitles(board: Storyboard) -> list[str]:
    total = len(board.phases)
    if total < 2:
        return [board.subtitle] * (total + 1)
    phases = [
        f"{board.subtitle} · phase {number} of {total}: {phase.name}"
        for number, phase in enumerate(board.phases, 1)
    ]
    return [board.subtitle, *phases]


def _promises(board: Storyboard) -> list[str]:
    """What each phase is for, in its function's own words."""
    named = len(board.phases) > 1
    return [
        f"{phase.name}: {_sentence(phase.promise)}" if named else _sentence(phase.promise)
        for phase in board.phases
    ]


def _start(board: Storyboard) -> str:
    if not board.frames:
        return "Nothing has to move"
    return f"Start — {plural(board.steps, 'step')} to go"


def _columns(text: tuple[str, ...]) -> int:
    """Length of the longest line of code: docstrings and comments may be cut."""
    quiet = ("#", '"""')
    return max((len(line) for line in text if not line.lstrip().startswith(quiet)), default=1)


def _frame(board: Storyboard, frame: Frame, index: _Index) -> list[Any]:
    moves = [
        number
        for move in frame.moves
        for number in (
            move.src,
            move.dst,
            move.chunk,
            move.into,
            int(move.adds),
            index.cells[move.cell],
            index.sizes[move.size],
            index.things[index.thing(move)],
        )
    ]
    sent = [index.sent[sent] for sent in frame.sent] if board.layout.shows_sent else []
    line = frame.source
    source = None
    if line is not None:
        variables = "   ".join(f"{name} = {value}" for name, value in line.locals)
        source = [index.sources[line.text], line.first, line.last, variables]
    values = [move.values for move in frame.moves] if tells_whose(board) else []
    return [frame.phase, moves, _cells(index, frame.cells), sent, source, values]


def _cells(index: _Index, cells: dict[Place, Cell]) -> list[int]:
    return [number for at, cell in cells.items() for number in (*at, index.cells[cell])]
