"""What a picture shows unless something else is asked for: 64 MiB on a machine that people have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from animations.drawing.sheet import LECTURE, Sheet
from animations.story.lazy_value import LazyValue
from animations.story.storyboard import Storyboard, proved_storyboard
from animations.story.trade import NO_TRADE, trade_of
from animations.story.transfers import Cell
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.questions import Question, questions
from collectives.questions.amounts import Again
from collectives.questions.names import Content
from collectives.recording.recording import Recording

USUAL_SIZE = 64 << 20  # bytes of the vector
NODE = 8  # GPUs of an hgx-h100
UNITS = (1 << 20, 1 << 10, 8)  # bytes, of which a chunk has a whole number


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
    asked = asks(recording) if callable(asks) else questions(recording, again=again)
    return replace(board, questions=tuple(asked), asked_cells=_asked_cells(recording, board, asked))


def _asked_cells(
    recording: Recording, board: Storyboard, asked: Sequence[Question]
) -> dict[tuple[int, Content], Cell]:
    """What answers say of cells, as these would be drawn."""
    cell_at = board.view.cell_of(recording)
    marks = [mark for each in asked for option in each.options for mark in option.marks]
    found = {(mark.at[1], mark.content) for mark in marks if mark.kind == "cell"}
    return {at: cell_at(*at) for at in sorted(found)} if cell_at else {}


def usual_size(chunk_count: int) -> int:
    """The bytes nearest below 64 MiB, of which all chunks have the same whole number of MiB.

    Of KiB, where less than three quarters of it would be left.

    >>> [usual_size(chunks) >> 20 for chunks in (1, 3, 4, 6, 7, 8, 16)]
    [64, 63, 64, 60, 63, 64, 64]
    """
    sizes = (USUAL_SIZE // (chunk_count * unit) * chunk_count * unit for unit in UNITS)
    return next((size for size in sizes if 4 * size >= 3 * USUAL_SIZE), 8 * chunk_count)


def usual_name(ranks: int) -> str:
    """The machine for so many ranks, as options name it: an hgx-h100, or a cluster of them.

    >>> usual_name(8), usual_name(12)
    ('hgx-h100', 'cluster:gpus=6')
    """
    inner = max(gpus for gpus in range(1, NODE + 1) if ranks % gpus == 0)
    return "hgx-h100" if ranks <= NODE else f"cluster:gpus={inner}"


def usual_machine(recording: Recording) -> Topology:
    """An hgx-h100 for up to 8 ranks, else a cluster of them; other machines where it needs them.

    An algorithm of nodes has a cluster of such nodes, one with servers a crossbar, where each has
    a port of its own; one with switches a machine whose switches are where it needs them.
    """
    for machine in _machines(recording):
        try:
            placement = machine.placement(recording.ranks, recording.nodes, recording.title)
            machine.paths(*placement[recording.counters.links].T)
        except BadInput:
            continue
        return machine
    return topology_for(recording, "crossbar")


def _machines(recording: Recording) -> Iterator[Topology]:
    """Machines for so many ranks, the most usual first."""
    ranks, helpers = recording.ranks, recording.nodes - recording.ranks
    if helpers and recording.helpers == "server":
        return
    gpus = recording.parameters.get("gpus", ranks)
    if gpus < ranks and ranks % gpus == 0:
        yield topology("cluster", ranks, gpus=gpus)
    elif ranks <= NODE:
        yield topology("hgx-h100", ranks)
    else:
        yield topology("cluster", ranks, gpus=max(n for n in range(1, 9) if ranks % n == 0))
    for name in ("nvl72", "switch-tree") if helpers else ():
        try:
            yield topology_for(recording, name)
        except BadInput:
            continue
