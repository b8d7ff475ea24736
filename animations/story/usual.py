"""The storyboard of a recording on the machine and at the size that are shown by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import isfinite

from animations.drawing.sheet import LECTURE, Sheet
from animations.story.compose import proved_storyboard
from animations.story.counters import time_row
from animations.story.lazy_value import LazyValue
from animations.story.setup_times import setup_times
from animations.story.storyboard import Storyboard
from animations.story.trade import NO_TRADE, trade_of
from animations.story.transfers import Cell
from collectives.cost.choose.setup import Setup, resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.cost.machines.usual import USUAL_SIZE, usual_machine, usual_names, usual_size
from collectives.questions import Question, questions
from collectives.questions.amounts import Again
from collectives.questions.names import Content
from collectives.recording.recorder import record
from collectives.recording.recording import Recording


def usual_board(
    recording: Recording,
    machine: Topology | None = None,
    stage: str = "",
    sheet: Sheet = LECTURE,
    asks: bool | Callable[[Recording], Sequence[Question]] = False,
    again: Again | None = None,
    language: str = "en",
    time: Callable[[Recording], Sequence[Timing]] | None = None,
    near: int = 0,
) -> Storyboard:
    """The storyboard of a recording on a machine, by default on `usual_machine`.

    A vector whose size was left out is of `usual_size`: counted and timed at that size, with the
    values of a small vector of the same layout. stage, sheet: see `storyboard`. asks, again: with
    its `questions`, or those that a function makes of it.
    language: of its words. time: see `proved_storyboard`. near: bytes, instead of what the row is
    shown with, beside others. Raises what `proved_storyboard` raises.
    """
    if machine is None:
        recording = on_usual_nodes(recording)
    if not recording.count_given and recording.collective.moves_data:
        own = recording.row.usual_size if recording.row else 0
        size = usual_size(recording.chunk_count, near or own or USUAL_SIZE)
        recording = resized(recording, size, recording.dtype)
    machine = usual_machine(recording) if machine is None else machine
    board = proved_storyboard(recording, machine, stage, sheet, language, time)
    if board.wrong:
        return board
    known = board  # of few enough messages for a page, where it has times
    trade = LazyValue(lambda: trade_of(recording, machine, known.say) if known.times else NO_TRADE)
    board = replace(board, trade_when_asked=trade)
    if not asks:
        return board
    asked = (
        asks(recording) if callable(asks) else questions(recording, again=again, machine=machine)
    )
    return replace(board, questions=tuple(asked), asked_cells=_asked_cells(recording, board, asked))


def on_usual_nodes(recording: Recording) -> Recording:
    """The recording with nodes as large as those of its usual machine, where nobody says else.

    With up to 8 ranks, which are one node, an algorithm has nodes of its own.
    """
    row, parameters = recording.row, recording.given
    inner = usual_names(recording.ranks)[0].partition("gpus=")[2]
    if row is None or not inner or recording.counts is not None or recording.data is not None:
        return recording
    filled = Setup(usual_machine, parameters={"gpus": int(inner)}).fill(
        row, recording.ranks, parameters
    )
    if filled == dict(parameters):
        return recording
    recorded = record(
        row.collective,
        row.algorithm,
        ranks=recording.ranks,
        root=recording.root,
        count=recording.count,
        dtype=recording.dtype,
        op=recording.op,
        chunks=recording.chunks,
        parameters=filled,
    )
    return replace(recorded, count_given=recording.count_given)


def by_timing(board: Storyboard, timing: Timing) -> Storyboard:
    """The storyboard with counters by the clock of a timing that ends, and by its machine."""
    if board.wrong or not isfinite(timing.total):
        return board
    *others, _ = board.counters
    return replace(
        board,
        counters=(*others, time_row(timing, board.say.language)),
        counted=timing,
        setup_times_when_asked=LazyValue(lambda: setup_times(timing)),
    )


def _asked_cells(
    recording: Recording, board: Storyboard, asked: Sequence[Question]
) -> dict[tuple[int, Content], Cell]:
    """What answers say of cells, as these would be drawn."""
    cell_at = board.view.cell_of(recording)
    marks = [mark for question in asked for option in question.options for mark in option.marks]
    cells = {(mark.at[1], mark.content) for mark in marks if mark.kind == "cell"}
    return {at: cell_at(*at) for at in sorted(cells)} if cell_at else {}
