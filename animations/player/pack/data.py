"""A storyboard as the short lists that the player draws from, and these packed into a short text.

For the scenery see scenery_data.py. A cell is an index of `contents`, the first of which is empty:
[its bars, its faint bars, labels of the bars, if any], or [index of the color of its level].
`captions`, `notes` and the texts of `counters` are one for each state, the start included;
`subtitles` one for the start and one for each phase. A frame is [phase, transfers, cells, sent,
flights, columns, lines, values, followed, hero, numbers]: transfers of nine numbers each (src, dst,
chunk, into, adds, cell, size, data, line), of which size and data are indices of `sizes` and
`data`, line one of the frame's lines; cells of three (node, well, cell); sent as indices of
`amounts`; flights of three (indices of `curves` and `parcels`, number of the parcel), and of all
their columns two (transfer, cell or 0 for that of the transfer); a line as [index of sources, first
line, last line, variables] or null; values as a text for each transfer; followed the number of the
transfer that the caption speaks of, hero that of its parcel; numbers the first number in the slot
that each transfer goes to, after the step. What a selection needs is in touch_data.py.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from animations.phrases import Phrases
from animations.player.pack.map_data import map_data, paths_of
from animations.player.pack.modules import packed
from animations.player.pack.question_data import question_data
from animations.player.pack.scenery_data import PackedFlights, rounded_box, scenery_data
from animations.player.pack.setup_data import setup_data
from animations.player.pack.touch_data import has_programs, programs, touch_data
from animations.story import cell_marks
from animations.story.counters import CounterRow
from animations.story.source import SourceLine, is_remark
from animations.story.storyboard import Frame, Storyboard
from animations.story.transfers import EMPTY, Cell, NodeSlot, Transfer
from collectives.progress import counted
from collectives.questions.question import Mark
from collectives.recording.packed import indexed
from collectives.units import size_text

MOST_COLUMNS = 100  # letters of a line of code
LONGEST_ENDING = 140  # letters of a line below the picture
WIDTHS = (9, 3, 1, 3, 2)  # numbers of a transfer, a cell, what was sent, a flight, a column


def pack(*stories: dict[str, Any]) -> str:
    """Stories for `unpacked` of core/story.js, as text: no character can begin markup.

    What is alike in them stands together, as that compresses well: deflated are the length of the
    JSON, the JSON of each field's values in all stories, with lengths in place of numbers, and
    these as columns of 16 bits each: cells of the starts, then transfers, cells, sent,
    flights and columns of all frames of all stories.
    """
    heads = [story | {"start": len(story["start"]), "frames": _lengths(story)} for story in stories]
    fields = {name: [head[name] for head in heads] for name in heads[0]}
    text = json.dumps(fields, separators=(",", ":")).encode()
    text += b" " * (len(text) % 2)
    starts = [number for story in stories for number in story["start"]]
    frames = [frame for story in stories for frame in story["frames"]]
    parts = [np.uint32(len(text)).astype("<u4").tobytes(), text, _columns(starts, 3)]
    for i, width in enumerate(WIDTHS, 1):
        parts.append(_columns([number for frame in frames for number in frame[i]], width))
    return packed(b"".join(parts))


def _lengths(story: dict[str, Any]) -> list[list[Any]]:
    """The frames with lengths in place of lists of numbers."""
    return [[frame[0], *map(len, frame[1:6]), *frame[6:]] for frame in story["frames"]]


def _columns(numbers: Sequence[int], width: int) -> bytes:
    return np.array(numbers, "<u2").reshape(-1, width).T.tobytes()


class _Lists:
    """Cells, sizes, names of data, amounts and sources of a storyboard, each once, numbered."""

    def __init__(self, board: Storyboard) -> None:
        frames = board.frames
        transfers = [transfer for frame in frames for transfer in frame.transfers]
        self.board, self.flights = board, PackedFlights(board)
        cells = [EMPTY, *board.start.values()]
        cells += [cell for frame in frames for cell in frame.cells.values()]
        cells += [transfer.cell for transfer in transfers]
        self.cells = indexed([*cells, *self.flights.cells, *board.asked_cells.values()])
        self.sizes = indexed(transfer.size for transfer in transfers)
        self.data = indexed(board.labels.data(transfer) for transfer in transfers)
        self.amounts = indexed([0, *(sent for frame in frames for sent in frame.sent)])
        stuck = board.wrong.stuck if board.wrong else None
        self.stuck = stuck.source if stuck else None
        lines = [*(transfer.source for transfer in transfers), self.stuck]
        self.sources = indexed(line.text for line in lines if line)
        self._numbers = {line.text: line.numbers for line in lines if line}
        self._shows_sent = any(card.shape.shows_sent for card in board.scenery.cards)

    def held(self, held: dict[NodeSlot, Cell]) -> list[int]:
        """Node, well and cell of all that hold something."""
        return [number for at, cell in held.items() for number in (*at, self.cells[cell])]

    def frame(self, frame: Frame) -> list[Any]:
        """A step; see above."""
        lines = indexed(transfer.source for transfer in frame.transfers)
        ranks = self.board.view.shows_ranks
        return [
            frame.phase,
            [number for transfer in frame.transfers for number in self._transfer(transfer, lines)],
            self.held(frame.cells),
            [self.amounts[sent] for sent in frame.sent] if self._shows_sent else [],
            self.flights.numbers(frame.number),
            self.flights.columns(frame.number, self.cells),
            [self.code(line) for line in lines],
            [transfer.values for transfer in frame.transfers] if ranks else [],
            frame.followed,
            frame.hero,
            [transfer.number for transfer in frame.transfers] if ranks else [],
        ]

    def code(self, line: SourceLine | None) -> list[Any] | None:
        """A line of code: its source, first and last line, variables."""
        return [self.sources[line.text], line.first, line.last, line.variables] if line else None

    def _transfer(self, transfer: Transfer, lines: dict[SourceLine | None, int]) -> tuple[int, ...]:
        """Its nine numbers."""
        ends = transfer.src, transfer.dst, transfer.chunk, transfer.into, int(transfer.adds)
        size, data = self.sizes[transfer.size], self.data[self.board.labels.data(transfer)]
        return *ends, self.cells[transfer.cell], size, data, lines[transfer.source]

    def asked(self, mark: Mark) -> int:
        """The cell of a mark of an answer, -1 for none."""
        cell = self.board.asked_cells.get((mark.at[1], mark.content))
        return -1 if cell is None else self.cells[cell]

    def texts(self) -> dict[str, Any]:
        """Each list as the player shows it."""
        board, moves_data = self.board, self.board.labels.moves_data
        numbers = self._numbers if has_programs(board) else {}
        return {
            "contents": [board.view.packed(cell) if cell.held else [] for cell in self.cells],
            "sizes": [
                board.say.decimal(size_text(size)) if moves_data else "" for size in self.sizes
            ],
            "data": list(self.data),
            "amounts": [board.say.decimal(board.amount(sent)) for sent in self.amounts],
            "sources": [[text, _width(text), numbers.get(text, ())] for text in self.sources],
        }


def story(
    board: Storyboard,
    setup: dict[str, Any] | None = None,
    explored: bool = False,
    opened: bool = False,
) -> dict[str, Any]:
    """All that the player needs of a storyboard, ready for JSON.

    setup: see `setup_data`. explored: with the map of its machine. opened: it begins with that.
    """
    lists, labels = _Lists(board), board.labels
    texts = _texts(board, lists)
    walk = counted(board.frames, "packing the steps", len(board.frames))
    return {
        **texts,
        **touch_data(board, lists.sizes, _explained(board, texts)),
        "setup": setup or setup_data(board, explored=explored),
        **({"map": map_data(board, opened)} if explored else {}),
        "task": _task(board),
        "questions": [
            question_data(question, board.say, lists.asked) for question in board.questions
        ],
        "title": board.title,
        "view": board.view.name,
        "shows_ranks": board.view.shows_ranks,
        "has_bars": board.view.has_bars,
        "ranks": board.ranks,
        "names": [labels.node(node) for node in range(board.nodes)],
        **scenery_data(board, lists.flights.curves),
        **lists.flights.data(),
        "phases": [[phase.name, phase.first, phase.end] for phase in board.phases],
        "counters": [_counter(row, board.say) for row in board.counters],
        "heading": board.heading,
        **lists.texts(),
        "widths": WIDTHS,
        "start": lists.held(board.start),
        "frames": [lists.frame(frame) for frame in walk],
    }


def _task(board: Storyboard) -> dict[str, Any] | None:
    """The task as the workbench has it, and as it is said in the language of the page."""
    if board.task is None:
        return None
    fewest = [(*bound, board.say.translation(title)) for *bound, title in board.task.fewest]
    return asdict(board.task) | {"goal": board.promise, "fewest": fewest}


def _texts(board: Storyboard, lists: _Lists) -> dict[str, Any]:
    """What is said beside and below the picture."""
    return {
        "subtitles": [*map(board.say.decimal, _subtitles(board))],
        "notes": _notes(board),
        "ending": board.say.decimal(_ending(board)),
        "trade": tuple(map(board.say.decimal, board.trade.sentences)),
        "reason": "" if board.wrong else board.say.decimal(board.reason),
        "tour": [asdict(stop) for stop in board.tour],
        "curve": [] if board.wrong else board.textbook.curve,
        "captions": board.captions,
        "legend": cell_marks.legend(board),
        "explanation": cell_marks.explanation(board),
        "wrong": _wrong(board, lists.code(lists.stuck)),
        **programs(board),
    }


def _explained(board: Storyboard, said: dict[str, Any]) -> list[str]:
    """All texts whose terms are explained where they are touched."""
    texts = [*said["notes"], *board.captions, *said["explanation"], f"{said['legend'][0]}"]
    texts += [
        said["reason"],
        board.heading,
        board.ending,
        *board.trade.sentences,
        *(row.label for row in board.counters),
    ]
    texts += [text for stop in board.tour for text in (stop.text, stop.question)]
    return texts + ([board.wrong.diagnosis] if board.wrong else [])


def _wrong(board: Storyboard, code: list[Any] | None) -> dict[str, Any] | None:
    """The marks of a wrong schedule, see `Wrong`, and the line of code at which a rank waits."""
    wrong = board.wrong
    if wrong is None:
        return None
    outlines = [[rounded_box(box), *rest] for box, *rest in wrong.outlines]
    said = {"band": wrong.band, "heading": wrong.heading, "text": wrong.diagnosis}
    marks = said | {"attempted": wrong.attempted, "outlines": outlines}
    arrows = wrong.stuck.arrows if wrong.stuck else ()
    return marks | {"waits": [paths_of(each, 1) for each in arrows], "code": code}


def _counter(row: CounterRow, say: Phrases) -> list[Any]:
    """Label, values and bound, seconds to six digits, which is enough for bars, and texts."""
    values = [_rounded(value) for value in row.values]
    bound = None if row.bound is None else _rounded(row.bound)
    return [row.label, values, [say.decimal(row.text(step)) for step in range(len(values))], bound]


def _rounded(value: float) -> float:
    return value if isinstance(value, int) else float(f"{value:.6g}")


def _subtitles(board: Storyboard) -> list[str]:
    total = len(board.phases)
    say, own = board.say, board.subtitle
    return [own] + [
        say("subtitle.phase", subtitle=own, number=number, total=total, name=phase.name)
        if total > 1
        else own
        for number, phase in enumerate(board.phases, 1)
    ]


def _ending(board: Storyboard) -> str:
    """The promise as kept, and as much of the verdict as one line has room for."""
    ending = board.say("trade.stop", text=board.ending)
    for text in board.trade.verdict:
        if len(ending) + len(text) >= LONGEST_ENDING:
            break
        ending += f" {text}"
    return ending


def _notes(board: Storyboard) -> list[str]:
    """What holds in each state, in the words of the function at work; nothing at the start."""
    notes, (grouped, *_) = [""], board.say.patterns["captions.group_promise"].split("{")
    for frame in board.frames:
        held, phase = board.invariant(frame.number), board.phases[frame.phase].name
        prefix = f"{phase}: " if len(board.phases) > 1 and not held.startswith(grouped) else ""
        notes.append(board.say("trade.stop", text=f"{prefix}{held}") if held else "")
    return notes


def _width(text: tuple[str, ...]) -> int:
    """Length of the longest line of code that is not cut: remarks are wrapped."""
    return min(MOST_COLUMNS, max((len(line) for line in text if not is_remark(line)), default=1))
