"""A recording as plain data to draw: places, cells, and frames that say what changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from animations.story.cells import Cell, Look, Place, in_short, look_at, most_due
from animations.story.counters import Tally, tallies
from animations.story.labels import Names, names_of
from animations.story.layout import Layout, lanes_of, place, view_of
from animations.story.source import Line, line_of
from collectives.errors import BadInput, WrongSchedule
from collectives.proof.check import check_counts
from collectives.recording.phases import Phase, phases, step_caption
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.step import rows
from collectives.units import size_text
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.cost.machines.topology import Topology

MOST_STEPS = 2000  # an hour of film
MOST_LETTERS = 104  # of a sentence below the picture


@dataclass(frozen=True)
class Move:
    """Data on its way: from slot `chunk` of `src` to slot `into` of `dst`; `cell` is in it.

    size: in bytes. values: its first elements as text, or nothing where there are many ranks.
    """

    src: int
    dst: int
    chunk: int
    into: int
    adds: bool
    cell: Cell
    size: int
    values: str

    @property
    def is_local(self) -> bool:
        """Whether it stays on its node: drawn, but no message and no bytes."""
        return self.src == self.dst


@dataclass(frozen=True)
class Frame:
    """One step: what moves, then which cells changed and to what; counts are after the step.

    number: 1 for the first step; counted: steps so far in which a message traveled. phase:
    index in the storyboard's phases. sent: sent by each node so far, in bytes; in messages
    where they are empty. source: the line that made the first move, if its text is known.
    """

    number: int
    counted: int
    phase: int
    caption: str
    moves: tuple[Move, ...]
    cells: dict[Place, Cell]
    sent: tuple[int, ...]
    source: Line | None


@dataclass(frozen=True)
class Storyboard:
    """Everything a renderer needs, and nothing it would have to understand.

    view: how cells are drawn, see `Cell`. start: the cells that hold something before the
    first step. due: cells of which something is promised at the end. most: contributions a cell
    needs at most. counters: rows of numbers beside the picture, the last in seconds; bound_note:
    why they have no lower bound, or nothing. formulas: closed forms of steps and of bytes sent
    by the busiest rank; as_computed: whether the executed counts equal them.
    """

    title: str
    subtitle: str
    view: str
    promise: str
    ending: str
    ranks: int
    nodes: int
    slots: int
    names: Names
    layout: Layout
    links: tuple[Place, ...]
    phases: tuple[Phase, ...]
    start: dict[Place, Cell]
    frames: tuple[Frame, ...]
    counters: tuple[Tally, ...]
    bound_note: str
    formulas: tuple[str, str]
    as_computed: bool
    most: int
    due: tuple[Place, ...]
    _seen: dict[str, tuple[int, dict[Place, Cell]]] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def steps(self) -> int:
        """Steps in which a message travels; there may be frames of local moves beside them."""
        return self.frames[-1].counted if self.frames else 0

    def cells(self, step: int) -> dict[Place, Cell]:
        """All cells that hold something after so many steps."""
        last, held = self._seen.get("last", (0, self.start))
        if step < last:
            last, held = 0, self.start
        held = dict(held)
        for frame in self.frames[last:step]:
            held.update(frame.cells)
        self._seen["last"] = (step, held)
        return dict(held)

    def complete(self, step: int) -> int:
        """Promised cells that are complete after so many steps; not for views of whose data."""
        held = self.cells(step)
        return sum(held[at].held[1] for at in self.due if at in held)

    @property
    def heading(self) -> str:
        """What the numbers of a counter are."""
        return f"now / this algorithm{self.bound_note or ' / lower bound'}"

    def amount(self, sent: int) -> str:
        """What a node has sent, in words."""
        return plural(sent, "message") if self.names.moves_data else size_text(sent)

    def sentence(self, number: int) -> str:
        """What a step does: its comment in the source, and one transfer as an example."""
        frame = self.frames[number - 1]
        more = ", …" if len(frame.moves) > 1 else ""
        first = next((move for move in frame.moves if not move.is_local), frame.moves[0])
        thing = first.chunk, first.into, first.cell.labels, first.adds
        example = f"{self.names.sentence(first.src, first.dst, thing)}{more}"
        if not frame.caption:
            return example
        one = frame.caption.partition("; ")[0]  # of several that are made at once
        ways = (f"{frame.caption}: {example}", frame.caption, f"{one}, …: {example}", f"{one}, …")
        return next((text for text in ways if len(text) <= MOST_LETTERS), example)

    def caption(self, number: int) -> str:
        """The line below the picture of a step."""
        frame = self.frames[number - 1]
        local = all(move.is_local for move in frame.moves)
        head = "In place" if local else f"Step {frame.counted} of {self.steps}"
        return f"{head} — {self.sentence(number)}"


def storyboard(recording: Recording, topology: Topology | None = None) -> Storyboard:
    """The storyboard of a recording that keeps its promise, timed on a topology (see `time_row`).

    Raises WrongSchedule for one that does not, BadInput for more ranks, nodes or slots than
    can be drawn, and for a topology that the recording does not fit.
    """
    from animations.story.time_counter import time_row

    names = names_of(recording)
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    view = view_of(recording.ranks, recording.nodes, recording.chunk_count, lanes)
    if len(recording.steps) > MOST_STEPS:
        raise BadInput(f"{len(recording.steps)} steps: a picture shows up to {MOST_STEPS}")
    verdict = recording.check()
    if not verdict:
        raise WrongSchedule(str(verdict))
    if view == "stripes" and recording.collective.separate_buffers and not _adds(recording):
        view = "blocks"
    parts = phases(recording)
    short = in_short(recording)
    first = look_at(recording, view, 0, names, short)
    start = {at: held for at in _places(recording) if (held := first.cell(at)).held}
    frames = tuple(_frames(recording, short, view, parts, names))
    links = tuple(sorted(recording.counters.link_bytes))
    bound = recording.bound
    return Storyboard(
        title=recording.heading,
        subtitle=_subtitle(recording, names),
        view=view,
        promise=recording.promise,
        ending=f"{recording.promise} — proved",
        ranks=recording.ranks,
        nodes=recording.nodes,
        slots=recording.slots,
        names=names,
        layout=place(recording.nodes, lanes, recording.ranks, links, _top(recording), view),
        links=links,
        phases=tuple(parts),
        start=start,
        frames=frames,
        counters=(
            *tallies(
                [0, *(frame.counted for frame in frames)],
                [(0,), *(frame.sent[: recording.ranks] for frame in frames)],
                bound,
                names.moves_data,
            ),
            time_row(recording, topology),
        ),
        bound_note="" if bound.holds else f" (no bound with {names.others})",
        formulas=_formulas(recording),
        as_computed=recording.row is not None and check_counts(recording).ok,
        most=most_due(recording),
        due=tuple((int(r), int(s)) for r, s in np.argwhere(recording.postcondition)),
    )


def _frames(
    recording: Recording, short: Recording, view: str, parts: Sequence[Phase], names: Names
) -> Iterator[Frame]:
    look = look_at(recording, view, 0, names, short)
    sent, counted = [0] * recording.nodes, 0
    for number, step in enumerate(recording.steps, 1):
        before, look = look, look_at(recording, view, number, names, short)
        moves = tuple(_moves(recording, before, step))
        traveling = {
            (move.src, move.dst, 0 if names.moves_data else move.chunk): 1
            if names.moves_data
            else move.size
            for move in moves
            if not move.is_local
        }
        for (src, _, _), amount in traveling.items():  # what goes there twice is sent once
            sent[src] += amount
        counted += bool(traveling)
        targets = dict.fromkeys((move.dst, move.into) for move in moves)
        changed = {at: now for at in targets if (now := look.cell(at)) != before.cell(at)}
        phase = next(i for i, part in enumerate(parts) if part.first < number <= part.end)
        caption, source = step_caption(step), line_of(step)
        yield Frame(number, counted, phase, caption, moves, changed, tuple(sent), source)


def _moves(recording: Recording, before: Look, step: Step) -> Iterator[Move]:
    for src, dst, chunk, into, _, adds in rows(step.unrolled()):
        at = src, chunk
        size = before.elements(at) * recording.dtype.itemsize
        yield Move(src, dst, chunk, into, adds, before.cell(at), size, before.values(at))


def _formulas(recording: Recording) -> tuple[str, str]:
    """Closed forms of steps and of bytes sent by the busiest rank, where N says it all."""
    if recording.row is None or recording.ranks == 1:
        return "", ""
    form = recording.row.form
    known = {"N", "S", "C", "L", "P"}
    texts = (
        text if {letter.symbol for letter in form.letters(text)} <= known else ""
        for text in (form.steps, form.sent)
    )
    steps, sent = texts
    return steps, sent if recording.collective.moves_data else ""


def _subtitle(recording: Recording, names: Names) -> str:
    parts = [plural(recording.ranks, "rank")]
    if recording.nodes > recording.ranks:
        parts.append(_others(recording, names))
    if not names.moves_data:
        parts.append(plural(recording.chunk_count, "block" if names.blocks else "chunk"))
        parts.append(size_text(recording.count * recording.dtype.itemsize))
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def _others(recording: Recording, names: Names) -> str:
    """The nodes that are no ranks: 3 switches."""
    number = recording.nodes - recording.ranks
    return f"{number} {names.other if number == 1 else names.others}"


def _places(recording: Recording) -> list[Place]:
    return [(node, slot) for node in range(recording.nodes) for slot in range(recording.slots)]


def _adds(recording: Recording) -> bool:
    return any(bool(step.reduces.any()) for step in recording.steps)


def _top(recording: Recording) -> int:
    """The node a tree hangs from: the root, or the switch that is the last to pass anything on.

    Where nothing is added up in a switch, nothing tells which is the top: the middle one is.
    """
    if recording.nodes == recording.ranks:
        return recording.root
    sends: dict[int, int] = {}
    adds = set()
    for number, step in enumerate(recording.steps):
        adds.update(step.dst[step.reduces].tolist())
        for node in step.src.tolist():
            sends.setdefault(node, number)
    switches = [node for node in sends if node >= recording.ranks and node in adds]
    return max(switches, key=lambda node: (sends[node], node), default=-1)
