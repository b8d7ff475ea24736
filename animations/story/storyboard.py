"""A recording as plain data to draw: scenery, cells, and frames with the moves of each step."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from animations.stages.card_shapes import Lanes
from animations.stages.choose import scenery_of
from animations.stages.scenery import Fold, Scenery
from animations.story.cells import Cell, NodeSlot, Snapshot, most_required, snapshots
from animations.story.counters import DEFAULT_MACHINE, CounterRow, counter_rows
from animations.story.labels import Labels, labels_of
from animations.story.parcels import Parcel, parcels_of
from animations.story.source import SourceLine, source_line
from animations.story.views import has_cards, lanes_of
from collectives.cost.clocks.clock import lockstep
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, WrongSchedule
from collectives.proof.check import check_counts
from collectives.proof.prove import Verdict
from collectives.recording.phases import Phase, phases, step_caption
from collectives.recording.recording import Recording
from collectives.schedule import Step
from collectives.schedule.step import rows
from collectives.units import size_text
from collectives.words import plural, steps_text

MOST_STEPS = 2000  # an hour of film
MOST_LETTERS = 104  # of a sentence below the picture
LONGEST_CAPTION = 117  # letters with the number of the step, for sentences that say the result


@dataclass(frozen=True)
class Move:
    """Data on its way: from slot `chunk` of `src` to slot `into` of `dst`; `cell` is in it.

    size: in bytes. values: its first elements as text, or nothing where there are many ranks.
    source: the statement that made the transfer, None where its text is not known.
    """

    src: int
    dst: int
    chunk: int
    into: int
    adds: bool
    cell: Cell
    size: int
    values: str
    source: SourceLine | None

    @property
    def is_local(self) -> bool:
        """Whether it stays on its node: drawn, but no message and no bytes."""
        return self.src == self.dst


@dataclass(frozen=True)
class Frame:
    """One step: its moves, then the cells that changed and their content; counts are after it.

    number: 1 for the first step; counted: steps so far in which a message traveled. phase:
    index in the storyboard's phases. comment: the comments above the yields of the step. parcels:
    the moves that travel together. sent: sent by each node so far, in bytes; in messages where
    the collective moves no data.
    """

    number: int
    counted: int
    phase: int
    comment: str
    moves: tuple[Move, ...]
    parcels: tuple[Parcel, ...]
    cells: dict[NodeSlot, Cell]
    sent: tuple[int, ...]

    @property
    def source(self) -> SourceLine | None:
        """The statement that made the first move."""
        return self.moves[0].source


@dataclass(frozen=True)
class Storyboard:
    """Everything a renderer needs, and nothing it would have to understand.

    view: how cells are drawn, see `Cell`. start: the cells that hold something before the
    first step. promised: cells of which the collective promises something at the end.
    most_required: the largest number of contributions that one of them needs. counters: rows of
    numbers beside the picture, the last in seconds; bound_note: why they have no lower bound, or
    nothing. formulas: closed forms of steps and of bytes sent by the busiest rank; as_computed:
    whether the executed counts equal them.
    """

    title: str
    subtitle: str
    view: str
    promise: str
    ending: str
    ranks: int
    nodes: int
    slots: int
    labels: Labels
    scenery: Scenery
    links: tuple[tuple[int, int], ...]
    phases: tuple[Phase, ...]
    start: dict[NodeSlot, Cell]
    frames: tuple[Frame, ...]
    counters: tuple[CounterRow, ...]
    bound_note: str
    formulas: tuple[str, str]
    as_computed: bool
    most_required: int
    promised: tuple[NodeSlot, ...]
    _last: list[tuple[int, dict[NodeSlot, Cell]]] = field(
        default_factory=list, init=False, repr=False
    )

    @property
    def steps(self) -> int:
        """Steps in which a message travels; there may be frames of local moves beside them."""
        return self.frames[-1].counted if self.frames else 0

    @property
    def shows_ranks(self) -> bool:
        """Whether a cell shows whose data it holds, else how much of it."""
        return self.view in ("stripes", "blocks")

    def cells(self, step: int) -> dict[NodeSlot, Cell]:
        """All cells that hold something after so many steps, by node and well."""
        last, held = self._last.pop() if self._last else (0, self.start)
        if step < last:
            last, held = 0, self.start
        held = dict(held)
        for frame in self.frames[last:step]:
            held.update(frame.cells)
        self._last.append((step, held))
        return held

    def sent(self, step: int) -> tuple[int, ...]:
        """Sent by each node in so many steps."""
        return self.frames[step - 1].sent if step else (0,) * self.nodes

    @cached_property
    def complete(self) -> tuple[int, ...]:
        """How many promised cells are complete in each state; not for views that show ranks."""
        promised, complete, counts = set(self.promised), set[NodeSlot](), []
        for cells in (self.start, *(frame.cells for frame in self.frames)):
            for at in promised & cells.keys():
                (complete.add if cells[at].held[1] else complete.discard)(at)
            counts.append(len(complete))
        return tuple(counts)

    @property
    def heading(self) -> str:
        """The heading of the counters' numbers."""
        return f"now / this algorithm{self.bound_note or ' / lower bound'}"

    def amount(self, sent: int) -> str:
        """The data a node has sent, as text."""
        return size_text(sent) if self.labels.moves_data else plural(sent, "message")

    def sentence(self, number: int) -> str:
        """What a step does: its comment in the source, and one transfer as an example."""
        frame = self.frames[number - 1]
        move = next((move for move in frame.moves if not move.is_local), frame.moves[0])
        example = self.labels.sentence(move)
        result, comment = self._result(frame, move), frame.comment
        text = f"{comment}: {example}" if comment else example
        if len(f"{self._number(frame)} — {text}{result}") <= LONGEST_CAPTION:
            text += result
        first = comment.partition("; ")[0]  # of several in one step
        texts = (text, comment or example, f"{first}: {example}", first)
        return next((text for text in texts if len(text) <= MOST_LETTERS), example)

    def _result(self, frame: Frame, move: Move) -> str:
        """What an addition achieves: whose data is then in the cell."""
        cell = frame.cells.get((move.dst, move.into), Cell())
        if self.view == "bars" or not (move.adds and cell.held and self.labels.moves_data):
            return ""
        if self.shows_ranks:
            number = "all" if len(cell.held) == self.ranks else len(cell.held)
            return f" (now {number} ranks' data)" if len(cell.held) > 1 else ""
        return " (now complete)" if cell.held[1] else ""

    @cached_property
    def captions(self) -> tuple[str, ...]:
        """The line below the picture in each state."""
        if not self.frames:
            return (f"{self.ending}: nothing has to move",)
        goal = f"{self.promise[:1].lower()}{self.promise[1:]}"
        start = f"Start — {goal} after {steps_text(self.steps, len(self.frames))}"
        return (start, *(f"{self._number(f)} — {self.sentence(f.number)}" for f in self.frames))

    def _number(self, frame: Frame) -> str:
        local = all(move.is_local for move in frame.moves)
        return f"Step {frame.number} of {len(self.frames)}{', in place' * local}"


def proved_storyboard(recording: Recording, topology: Topology | None = None) -> Storyboard:
    """The storyboard of a recording, proved here, and timed by the lockstep clock.

    Without a topology: on a crossbar of 5 µs a message and 50 GB/s a port, in each direction.
    Raises what `storyboard` raises, and BadInput for a topology that the recording does not fit.
    """
    _has_cards(recording)  # before a proof that may take long
    machine = topology_for(recording, DEFAULT_MACHINE) if topology is None else topology
    return storyboard(recording, verdict=recording.check(), timing=lockstep(recording, machine))


def storyboard(recording: Recording, *, verdict: Verdict, timing: Timing) -> Storyboard:
    """The storyboard of a recording, with its proof's verdict and its timing.

    Raises WrongSchedule where the verdict is that it breaks its promise, BadInput for more
    ranks, nodes, slots or steps than can be drawn.
    """
    labels, lanes, cards = labels_of(recording), _lanes(recording), _has_cards(recording)
    if not verdict:
        raise WrongSchedule(str(verdict))
    whole = recording.collective.separate_buffers and not any(
        step.reduces.any() for step in recording.steps
    )
    scenery, parts = scenery_of(recording, labels, lanes, whole, cards), phases(recording)
    view = _view(scenery)
    after = snapshots(recording, view, labels, scenery.fold)
    start, places = after(0), np.ndindex(recording.nodes, scenery.fold.wells)
    frames = tuple(_frames(recording, after, parts, labels, scenery.fold))
    links = tuple(sorted(recording.counters.link_bytes))
    helpers = plural(2, labels.helper).partition(" ")[2]
    return Storyboard(
        title=recording.heading,
        subtitle=_subtitle(recording, labels),
        view=view,
        promise=recording.promise,
        ending=f"{recording.promise} — proved",
        ranks=recording.ranks,
        nodes=recording.nodes,
        slots=recording.slots,
        labels=labels,
        scenery=scenery,
        links=tuple(sorted({(min(link), max(link)) for link in links if link[0] != link[1]})),
        phases=tuple(parts),
        start={at: held for at in places if (held := start.well(at)).held},
        frames=frames,
        counters=counter_rows(
            [0, *(frame.counted for frame in frames)],
            [(0,), *(frame.sent[: recording.ranks] for frame in frames)],
            timing,
        ),
        bound_note="" if recording.bound.holds else f" (no bound with {helpers})",
        formulas=_formulas(recording),
        as_computed=recording.row is not None and check_counts(recording).ok,
        most_required=most_required(recording),
        promised=tuple(
            dict.fromkeys(
                (int(r), scenery.fold.well[int(s)]) for r, s in np.argwhere(recording.postcondition)
            )
        ),
    )


def _lanes(recording: Recording) -> Lanes:
    return lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)


def _has_cards(recording: Recording) -> bool:
    """Whether nodes are cards, not rows of a matrix; raises BadInput for what cannot be drawn."""
    if len(recording.steps) > MOST_STEPS:
        raise BadInput(f"{len(recording.steps)} steps: a picture shows up to {MOST_STEPS}")
    nodes, lanes = recording.nodes, _lanes(recording)
    return has_cards(recording.ranks, nodes, recording.chunk_count, lanes)


def _view(scenery: Scenery) -> str:
    """How cells are drawn, see `Cell`."""
    if scenery.table:
        return "matrix"
    return "blocks" if scenery.whole else "stripes" if scenery.fold.is_plain else "bars"


def _frames(
    recording: Recording,
    after: Callable[[int], Snapshot],
    parts: Sequence[Phase],
    labels: Labels,
    fold: Fold,
) -> Iterator[Frame]:
    now = after(0)
    sent, counted = [0] * recording.nodes, 0
    for number, step in enumerate(recording.steps, 1):
        before, now = now, after(number)
        moves = tuple(_moves(recording, before, step))
        traveling = {
            (m.src, m.dst, m.chunk) if labels.moves_data else (m.src, m.dst): m.size
            for m in moves
            if not m.is_local
        }
        for (src, *_), size in traveling.items():  # what goes there twice is sent once
            sent[src] += size if labels.moves_data else 1
        counted += bool(traveling)
        targets = dict.fromkeys((move.dst, fold.well[move.into]) for move in moves)
        changed = {at: cell for at in targets if (cell := now.well(at)) != before.well(at)}
        phase = next(i for i, part in enumerate(parts) if part.first < number <= part.end)
        comment, parcels = step_caption(step), parcels_of(moves, labels)
        yield Frame(number, counted, phase, comment, moves, parcels, changed, tuple(sent))


def _moves(recording: Recording, before: Snapshot, step: Step) -> Iterator[Move]:
    lines = [source_line(stamp) for stamp in step.stamps]
    step = step.unrolled()
    for (src, dst, chunk, into, _, adds), origin in zip(
        rows(step), step.origin.tolist(), strict=True
    ):
        at, line = (src, chunk), lines[origin]
        size = before.elements(at) * recording.dtype.itemsize
        yield Move(src, dst, chunk, into, adds, before.cell(at), size, before.values(at), line)


def _formulas(recording: Recording) -> tuple[str, str]:
    """Closed forms of steps and of bytes sent by the busiest rank, if N and S determine them."""
    if recording.row is None or recording.ranks == 1:
        return "", ""
    form = recording.row.form
    known = {"N", "S", "C", "L", "P"}
    steps, sent = (
        text if {letter.symbol for letter in form.letters(text)} <= known else ""
        for text in (form.steps, form.sent)
    )
    return steps, sent if recording.collective.moves_data else ""


def _subtitle(recording: Recording, labels: Labels) -> str:
    parts = [plural(recording.ranks, "rank")]
    if recording.nodes > recording.ranks:
        parts.append(plural(recording.nodes - recording.ranks, labels.helper))
    if labels.moves_data:
        parts.append(plural(recording.chunk_count, "block" if labels.in_blocks else "chunk"))
        parts.append(size_text(recording.count * recording.dtype.itemsize))
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)
