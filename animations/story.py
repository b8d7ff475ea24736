"""A storyboard as the short lists that player.js draws from; nothing in them is left to derive.

A cell is a bit mask of the ranks in it, or twice how many contributions it holds, and one more
if it is complete; 0 if it is empty. Boxes are in pixels of the page: `cards` and `slots`
are upper left corners, the latter within a card, `stripes` heights within a cell. `captions`
and the values of `counters` are one for each state, the start included; `subtitles` and
`notes` one for the start and one for each phase. A frame is [phase, moves, cells, sent,
source, values]: moves of six numbers each (src, dst, chunk, into, adds, cell), cells of three
(node, slot, cell), sent as indices of `words`, source as [index of sources, first line, last
line, variables], values as a text for each move.
"""

from __future__ import annotations

from typing import Any

from animations.box import STAGE, TABLE
from animations.layout import stripe_in
from animations.marks import HEADS, axis, labels
from animations.storyboard import Cell, Frame, Place, Storyboard
from collectives.resources import in_words

MARGIN = 12  # around the stage, for outlines and badges
MOST_TOLD = (1 << 15) - 1  # contributions in a cell; more are told as so many


def story(board: Storyboard) -> dict[str, Any]:
    """Everything the player needs of a storyboard, ready for JSON."""
    words = sorted({0, *(sent for frame in board.frames for sent in frame.sent)})
    sources = list(dict.fromkeys(frame.source.text for frame in board.frames if frame.source))
    return {
        "title": board.title,
        "view": board.view,
        "most": board.most,
        "legend": [HEADS[board.view], labels(board)],
        "ranks": board.ranks,
        "names": [_name(board, node) for node in range(board.nodes)],
        **_geometry(board),
        "links": sorted({(min(link), max(link)) for link in board.links if link[0] != link[1]}),
        "phases": [[phase.name, phase.first, phase.end] for phase in board.phases],
        "subtitles": _subtitles(board),
        "notes": [f"Goal: {_sentence(board.promise)}", *_promises(board)],
        "ending": _sentence(board.ending),
        "captions": [_start(board), *(_caption(board, frame) for frame in board.frames)],
        "counters": _counters(board),
        "sizes": _sizes(board),
        "words": [in_words(sent) for sent in words],
        "sources": [[text, _columns(text)] for text in sources],
        "start": _cells(board, board.start),
        "frames": [_frame(board, frame, words, sources) for frame in board.frames],
    }


def _geometry(board: Storyboard) -> dict[str, Any]:
    layout = board.layout
    card, cell, lens = layout.cards[0], layout.cell(0, 0), layout.lens
    stripes = [stripe_in(cell, rank, board.ranks) for rank in range(board.ranks)]
    slots = [layout.cell(0, slot) for slot in range(board.slots)]
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
        "labels": layout.label_height > 0,
        "shows_sent": layout.shows_sent,
        "slots": [_rounded(box.left - card.left, box.top - card.top) for box in slots],
        "cell": _rounded(cell.width, cell.height),
        "stripes": _rounded(*(stripe.top - cell.top for stripe in stripes)),
        "stripe": _rounded(stripes[0].left - cell.left, stripes[0].width, stripes[0].height),
        "lens": _rounded(lens.x, lens.y, lens.width, lens.height) if lens else None,
        "table": _table(board) if board.view == "matrix" else None,
    }


def _table(board: Storyboard) -> dict[str, Any]:
    """A matrix: its box, the size of its cells, words beside it, and complete cells by step."""
    cards = board.layout.cards
    left, top = min(card.left for card in cards), min(card.top for card in cards)
    right, bottom = max(card.right for card in cards), max(card.bottom for card in cards)
    return {
        "box": _rounded(left, top, right - left, bottom - top),
        "size": [cards[0].width / board.slots, cards[0].height],
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
                (done.add if cell and cell[1] else done.discard)(at)
        counts.append(len(done))
    return counts


def _rounded(*values: float) -> list[float]:
    return [round(value, 2) for value in values]


def _name(board: Storyboard, node: int) -> str:
    return f"rank {node}" if node < board.ranks else f"switch {node - board.ranks}"


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
    total = len(board.frames)
    if not total:
        return "Nothing has to move"
    return f"Start — {total} step{'s' * (total > 1)} to go"


def _caption(board: Storyboard, frame: Frame) -> str:
    return f"Step {frame.number} of {len(board.frames)} — {board.sentence(frame.number)}"


def _counters(board: Storyboard) -> list[list[Any]]:
    """Label, value and text in each state, value and text of the lower bound."""
    steps = list(range(len(board.frames) + 1))
    sent = [0, *(max(frame.sent) for frame in board.frames)]
    return [
        [
            f"steps ({board.ports} port{'s' * (board.ports > 1)} a rank)",
            steps,
            [str(step) for step in steps],
            int(board.steps_bound),
            board.steps_bound,
        ],
        [
            "sent by the busiest rank",
            sent,
            [in_words(most) for most in sent],
            board.bytes_bound,
            in_words(board.bytes_bound),
        ],
    ]


def _sizes(board: Storyboard) -> list[str]:
    """How large each chunk is, of those that move."""
    sizes = {move.chunk: move.size for frame in board.frames for move in frame.moves}
    return [in_words(sizes.get(slot, 0)) for slot in range(board.slots)]


def _columns(text: tuple[str, ...]) -> int:
    """Length of the longest line of code: docstrings and comments may be cut."""
    quiet = ("#", '"""')
    return max((len(line) for line in text if not line.lstrip().startswith(quiet)), default=1)


def _frame(
    board: Storyboard, frame: Frame, words: list[int], sources: list[tuple[str, ...]]
) -> list[Any]:
    moves = [
        number
        for move in frame.moves
        for number in (
            move.src,
            move.dst,
            move.chunk,
            move.into,
            int(move.adds),
            _number(board, move.cell),
        )
    ]
    sent = [words.index(sent) for sent in frame.sent] if board.layout.shows_sent else []
    line = frame.source
    source = None
    if line is not None:
        variables = "   ".join(f"{name} = {value}" for name, value in line.locals)
        source = [sources.index(line.text), line.first, line.last, variables]
    values = [move.values for move in frame.moves] if board.view == "stripes" else []
    return [frame.phase, moves, _cells(board, frame.cells), sent, source, values]


def _cells(board: Storyboard, cells: dict[Place, Cell]) -> list[int]:
    return [number for at, cell in cells.items() for number in (*at, _number(board, cell))]


def _number(board: Storyboard, cell: Cell) -> int:
    if board.view == "stripes":
        return sum(1 << rank for rank in cell)
    return 2 * min(cell[0], MOST_TOLD) + cell[1] if cell else 0
