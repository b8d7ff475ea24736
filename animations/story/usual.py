"""The storyboard of a recording on the machine and at the size that are shown by default."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from animations.drawing.sheet import LECTURE, Sheet
from animations.story.lazy_value import LazyValue
from animations.story.storyboard import Storyboard, proved_storyboard
from animations.story.trade import NO_TRADE, trade_of
from animations.story.transfers import Cell
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.cost.machines.usual import usual_machine, usual_size
from collectives.questions import Question, questions
from collectives.questions.amounts import Again
from collectives.questions.names import Content
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
) -> Storyboard:
    """The storyboard of a recording on a machine, by default on `usual_machine`.

    A vector whose size was left out is of `usual_size`: counted and timed at that size, with the
    values of a small vector of the same layout. stage, sheet: see `storyboard`. asks, again: with
    its `questions`, or those that a function makes of it.
    language: of its words. time: see `proved_storyboard`. Raises what `proved_storyboard` raises.
    """
    if not recording.count_given and recording.collective.moves_data:
        size = usual_size(recording.chunk_count)
        recording = resized(recording, size, recording.dtype)
    machine = usual_machine(recording) if machine is None else machine
    board = proved_storyboard(recording, machine, stage, sheet, language, time)
    if board.wrong:
        return board
    known = board  # of few enough messages for a page, where it has times
    trade = LazyValue(lambda: trade_of(recording, machine) if known.times else NO_TRADE)
    board = replace(board, trade_when_asked=trade)
    if not asks:
        return board
    asked = (
        asks(recording) if callable(asks) else questions(recording, again=again, machine=machine)
    )
    return replace(board, questions=tuple(asked), asked_cells=_asked_cells(recording, board, asked))


def _asked_cells(
    recording: Recording, board: Storyboard, asked: Sequence[Question]
) -> dict[tuple[int, Content], Cell]:
    """What answers say of cells, as these would be drawn."""
    cell_at = board.view.cell_of(recording)
    marks = [mark for each in asked for option in each.options for mark in option.marks]
    found = {(mark.at[1], mark.content) for mark in marks if mark.kind == "cell"}
    return {at: cell_at(*at) for at in sorted(found)} if cell_at else {}
