"""A recording as plain data to draw: places, cells, and frames that say what changes."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from animations.layout import Layout, place
from collectives.errors import BadInput, WrongSchedule
from collectives.phases import Phase, phases, step_caption
from collectives.recording import Recording
from collectives.replay import State
from collectives.resources import in_words
from collectives.schedule import Source, Step
from collectives.schedule.step import rows
from collectives.schedule.where import forward

MOST_RANKS = 16
MOST_SLOTS = 16
Cell = tuple[int, ...]  # the ranks whose contributions a slot holds, in order
Place = tuple[int, int]  # node, slot


@dataclass(frozen=True)
class Move:
    """A chunk on its way: from slot `chunk` of `src` to slot `into` of `dst`; `cell` is in it."""

    src: int
    dst: int
    chunk: int
    into: int
    adds: bool
    cell: Cell

    @property
    def sentence(self) -> str:
        """What happens, for a caption."""
        if self.src == self.dst:
            return f"rank {self.src} moves chunk {self.chunk} to {self.into}"
        if self.adds:
            return f"rank {self.src} adds chunk {self.chunk} into rank {self.dst}"
        return f"rank {self.src} sends chunk {self.chunk} to rank {self.dst}"


@dataclass(frozen=True)
class Line:
    """Where in the source a step was made.

    text: the function's lines, its docstring cut to one line; first, last: the statement at
    work, as indices of lines; locals: the function's integer variables.
    """

    function: str
    text: tuple[str, ...]
    first: int
    last: int
    locals: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Frame:
    """One step: what moves, then which cells changed and to what; counts are after the step.

    number: 1 for the first step. phase: index in the storyboard's phases. sent: bytes sent by
    each node so far. source: the line that made the first move, if its text is known.
    """

    number: int
    phase: int
    caption: str
    moves: tuple[Move, ...]
    cells: dict[Place, Cell]
    sent: tuple[int, ...]
    source: Line | None


@dataclass(frozen=True)
class Storyboard:
    """Everything a renderer needs, and nothing it would have to understand.

    start: the cells that hold something before the first step. steps_bound and bytes_bound:
    lower bounds for nodes with `ports` ports, the latter in bytes sent by the busiest rank.
    """

    title: str
    subtitle: str
    promise: str
    ending: str
    ranks: int
    nodes: int
    slots: int
    layout: Layout
    links: tuple[Place, ...]
    phases: tuple[Phase, ...]
    start: dict[Place, Cell]
    frames: tuple[Frame, ...]
    steps_bound: str
    bytes_bound: int
    ports: int

    def cells(self, step: int) -> dict[Place, Cell]:
        """All cells that hold something after so many steps."""
        held = dict(self.start)
        for frame in self.frames[:step]:
            held.update(frame.cells)
        return held

    def sentence(self, number: int) -> str:
        """The caption of a step: its comment in the source, and one transfer as an example."""
        frame = self.frames[number - 1]
        more = ", …" if len(frame.moves) > 1 else ""
        example = f"{frame.moves[0].sentence}{more}"
        return f"{frame.caption}: {example}" if frame.caption else example


def storyboard(recording: Recording) -> Storyboard:
    """The storyboard of a recording that keeps its promise.

    Raises WrongSchedule for one that does not, BadInput for more ranks, nodes or slots than
    can be drawn.
    """
    if recording.nodes > MOST_RANKS:
        raise BadInput(
            f"{recording.nodes} ranks: the picture shows 1 to {MOST_RANKS}; nearest: {MOST_RANKS}"
        )
    if recording.slots > MOST_SLOTS:
        raise BadInput(
            f"{recording.slots} chunks: the picture shows 1 to {MOST_SLOTS}; nearest: {MOST_SLOTS}"
        )
    verdict = recording.check()
    if not verdict:
        raise WrongSchedule(str(verdict))
    parts = phases(recording)
    state = recording.state(0)
    start = {at: cell for at in _places(recording) if (cell := _cell(state, at))}
    frames = []
    sent = [0] * recording.nodes
    for number, step in enumerate(recording.steps, 1):
        before, state = state, recording.state(number)
        moves = tuple(_moves(before, step))
        for move in moves:
            if move.src != move.dst:
                size = int(recording.size[move.chunk]) * recording.dtype.itemsize
                sent[move.src] += size
        changed = {
            at: _cell(state, at)
            for at in dict.fromkeys((move.dst, move.into) for move in moves)
            if _cell(state, at) != _cell(before, at)
        }
        phase = next(i for i, part in enumerate(parts) if part.first < number <= part.end)
        frames.append(
            Frame(number, phase, step_caption(step), moves, changed, tuple(sent), _line(step))
        )
    counters, bound = recording.counters, recording.bound
    links = tuple(sorted(counters.link_bytes))
    return Storyboard(
        title=recording.title[:1].upper() + recording.title[1:],
        subtitle=_subtitle(recording),
        promise=recording.collective.sentence,
        ending=f"{recording.collective.sentence} — proved",
        ranks=recording.ranks,
        nodes=recording.nodes,
        slots=recording.slots,
        layout=place(recording.nodes, recording.slots, recording.ranks, links, recording.root),
        links=links,
        phases=tuple(parts),
        start=start,
        frames=tuple(frames),
        steps_bound=f"{bound.steps}",
        bytes_bound=bound.sent,
        ports=bound.ports,
    )


def _subtitle(recording: Recording) -> str:
    parts = [
        f"{recording.ranks} rank{'s' * (recording.ranks > 1)}",
        f"{recording.slots} chunk{'s' * (recording.slots > 1)}",
        in_words(recording.count * recording.dtype.itemsize),
    ]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def _places(recording: Recording) -> list[Place]:
    return [(node, slot) for node in range(recording.nodes) for slot in range(recording.slots)]


def _cell(state: State, at: Place) -> Cell:
    """Whose contributions a slot holds; refuses what stripes cannot show."""
    times = state.times[at].tolist()
    ranks = tuple(rank for rank, often in enumerate(times) if often)
    for rank in ranks:
        if times[rank] > 1 or int(state.origin[at][rank]) != at[1]:
            raise BadInput(
                f"slot {at[1]} of rank {at[0]} holds data of rank {rank} twice or from another "
                "slot, which the picture cannot show yet; `run` shows it as a table"
            )
    return ranks


def _moves(before: State, step: Step) -> list[Move]:
    return [
        Move(src, dst, chunk, into, adds, _cell(before, (src, chunk)))
        for src, dst, chunk, into, _, adds in rows(step.unrolled())
    ]


def _line(step: Step) -> Line | None:
    frames = forward(step.stamps[int(step.origin[0])])
    known = [frame for frame in frames if frame.source.text]
    if not known:
        return None
    frame = known[-1]
    text, index = _condensed(frame.source)
    first, last = _statement(frame.source, frame.line - frame.source.first)
    return Line(frame.source.function, text, index[first], index[last], frame.locals)


@lru_cache(maxsize=64)
def _condensed(source: Source) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """A function's lines with its docstring cut to one, and where each line has gone."""
    lines = textwrap.dedent(source.text).splitlines()
    tree = ast.parse("\n".join(lines)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    if tree.body[0].lineno == 2:
        lines[0] = _signature(tree)
    head = tree.body[0]
    if not source.promise or not isinstance(head, ast.Expr):
        return tuple(lines), tuple(range(len(lines)))
    start, end = head.lineno - 1, head.end_lineno or head.lineno
    indent = " " * head.col_offset
    short = f'{indent}"""{source.promise}."""'
    index = [i if i <= start else max(start, i - (end - start) + 1) for i in range(len(lines))]
    return (*lines[:start], short, *lines[end:]), tuple(index)


def _signature(function: ast.FunctionDef) -> str:
    """The line that opens a function, without its types."""
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return f"def {function.name}({ast.unparse(function.args)}):"


@lru_cache(maxsize=256)
def _statement(source: Source, line: int) -> tuple[int, int]:
    """First and last line of the smallest statement that stands on a line, counted from 0."""
    tree = ast.parse(textwrap.dedent(source.text))
    spans = [
        (node.lineno - 1, (node.end_lineno or node.lineno) - 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
    ]
    around = [span for span in spans if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0], default=(line, line))
