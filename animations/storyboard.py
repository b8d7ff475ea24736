"""A recording as plain data to draw: places, cells, and frames that say what changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from animations.layout import Layout, place
from animations.source import Line, line_of
from collectives.checking import check_counts
from collectives.errors import BadInput, WrongSchedule
from collectives.phases import Phase, phases, step_caption
from collectives.recording import Recording
from collectives.replay import State
from collectives.resources import in_words
from collectives.schedule import Step
from collectives.schedule.step import rows

VIEWS = {"stripes": 16, "levels": 64, "matrix": 256}  # most ranks, and most slots
SHOWN = 4  # elements of a moving chunk that are told
MOST_STEPS = 2000  # an hour of film
Cell = tuple[int, ...]
Place = tuple[int, int]  # node, slot


@dataclass(frozen=True)
class Move:
    """A chunk on its way: from slot `chunk` of `src` to slot `into` of `dst`; `cell` is in it.

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
    def sentence(self) -> str:
        """What happens, for a caption."""
        if self.src == self.dst:
            return f"rank {self.src} moves chunk {self.chunk} to {self.into}"
        if self.adds:
            return f"rank {self.src} adds chunk {self.chunk} into rank {self.dst}"
        return f"rank {self.src} sends chunk {self.chunk} to rank {self.dst}"


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

    view: how cells are drawn. In "stripes" a cell is the ranks whose contributions it holds, in
    order; in "levels" and "matrix" it is how many contributions it holds and whether (1 or 0)
    these are just the due ones, of which there are at most `most`. An empty cell is ().
    start: the cells that hold something before the first step. due: cells of which something
    is promised at the end. steps_bound and bytes_bound: lower bounds for nodes with `ports`
    ports, the latter in bytes sent by the busiest rank. formulas: closed forms of both;
    as_computed: whether the executed counts equal them.
    """

    title: str
    subtitle: str
    view: str
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
    formulas: tuple[str, str]
    as_computed: bool
    most: int
    due: tuple[Place, ...]
    _seen: dict[str, tuple[int, dict[Place, Cell]]] = field(default_factory=dict, repr=False)

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
        """Promised cells that are complete after so many steps; not for the view "stripes"."""
        held = self.cells(step)
        return sum(held.get(at, (0, 0))[1] for at in self.due)

    def latency(self, step: int) -> int:
        """Latency units of so many steps: those in which any message travels."""
        travels = (any(move.src != move.dst for move in f.moves) for f in self.frames[:step])
        return sum(travels)

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
    view = _view(recording)
    if len(recording.steps) > MOST_STEPS:
        raise BadInput(f"{len(recording.steps)} steps: a picture shows up to {MOST_STEPS}")
    verdict = recording.check()
    if not verdict:
        raise WrongSchedule(str(verdict))
    parts = phases(recording)
    cell = _look(recording, view, 0).cell
    start = {at: held for at in _places(recording) if (held := cell(at))}
    counters, bound = recording.counters, recording.bound
    links = tuple(sorted(counters.link_bytes))
    return Storyboard(
        title=recording.title[:1].upper() + recording.title[1:],
        subtitle=_subtitle(recording),
        view=view,
        promise=recording.promise,
        ending=f"{recording.promise} — proved",
        ranks=recording.ranks,
        nodes=recording.nodes,
        slots=recording.slots,
        layout=place(
            recording.nodes, recording.slots, recording.ranks, links, recording.root, view
        ),
        links=links,
        phases=tuple(parts),
        start=start,
        frames=tuple(_frames(recording, view, parts)),
        steps_bound=f"{bound.steps}",
        bytes_bound=bound.sent,
        ports=bound.ports,
        formulas=_formulas(recording),
        as_computed=recording.row is not None and check_counts(recording).ok,
        most=int(recording.before.sum(axis=0).max()),
        due=tuple((int(r), int(s)) for r, s in np.argwhere(recording.after)),
    )


def _frames(recording: Recording, view: str, parts: Sequence[Phase]) -> Iterator[Frame]:
    look = _look(recording, view, 0)
    sent = [0] * recording.nodes
    for number, step in enumerate(recording.steps, 1):
        before, look = look, _look(recording, view, number)
        moves = tuple(_moves(recording, before, step))
        for move in moves:
            if move.src != move.dst:
                sent[move.src] += move.size
        targets = dict.fromkeys((move.dst, move.into) for move in moves)
        changed = {at: now for at in targets if (now := look.cell(at)) != before.cell(at)}
        phase = next(i for i, part in enumerate(parts) if part.first < number <= part.end)
        yield Frame(number, phase, step_caption(step), moves, changed, tuple(sent), line_of(step))


def _formulas(recording: Recording) -> tuple[str, str]:
    """Closed forms of steps and of bytes sent by the busiest rank, where N says it all."""
    if recording.row is None or recording.ranks == 1:
        return "", ""
    steps, _, sent, _ = recording.row.form.text
    return steps, "" if {"B", "V"} & set(sent) else sent


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


def _view(recording: Recording) -> str:
    """The most detailed view that has room; raises BadInput if none has."""
    if recording.nodes > recording.ranks:
        raise BadInput(
            f"{recording.nodes} nodes, of which {recording.ranks} are ranks: switches, and bounds "
            "where they take part, cannot be drawn yet; `run` shows them as a table"
        )
    for what, number in (("ranks", recording.nodes), ("chunks", recording.slots)):
        if number > VIEWS["matrix"]:
            raise BadInput(
                f"{number} {what}: the picture shows 1 to {VIEWS['matrix']}; "
                f"nearest: {VIEWS['matrix']}"
            )
    return next(v for v, n in VIEWS.items() if max(recording.nodes, recording.slots) <= n)


class _Look(NamedTuple):
    """What a slot holds after some step: as the view draws it, and its values as text."""

    cell: Callable[[Place], Cell]
    values: Callable[[Place], str]


def _look(recording: Recording, view: str, step: int) -> _Look:
    if view == "stripes":
        state = recording.state(step)
        return _Look(
            lambda at: _stripes(state, at),
            lambda at: _in_short(state.values[at][: state.size[at[1]]].tolist()),
        )
    count, complete = recording.levels(step)
    return _Look(lambda at: (int(count[at]), int(complete[at])) if count[at] else (), lambda _: "")


def _in_short(values: list[Any]) -> str:
    """The first of some values, as text."""
    texts = [f"{v:.4g}" if isinstance(v, float) else f"{v}" for v in values[:SHOWN]]
    return f"[{' '.join(texts)}{' …' * (len(values) > SHOWN)}]"


def _stripes(state: State, at: Place) -> Cell:
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


def _moves(recording: Recording, before: _Look, step: Step) -> Iterator[Move]:
    for src, dst, chunk, into, _, adds in rows(step.unrolled()):
        at = src, chunk
        size = int(recording.size[chunk]) * recording.dtype.itemsize
        yield Move(src, dst, chunk, into, adds, before.cell(at), size, before.values(at))
