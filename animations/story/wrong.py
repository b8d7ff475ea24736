"""What marks the picture of a wrong schedule: a band of words, and what is wrong in its cells."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from animations.drawing.scenery import Way
from animations.drawing.shapes import Box
from animations.drawing.ways import point
from animations.phrases import Phrases
from animations.story.deadlock import Stuck, arrows, stuck
from animations.story.deadlock import sentence as deadlock_sentence
from animations.story.facts import Textbook
from animations.story.labels import Labels
from animations.story.lazy_value import LazyValue
from collectives.proof.first_wrong import EMPTY, LOST, FirstWrong
from collectives.proof.prove import wrong_cells
from collectives.recording.memory import Memory
from collectives.recording.recording import Recording
from collectives.recording.replay import Replay, Steps
from collectives.schedule import Step, send
from collectives.words import Worded, capital

if TYPE_CHECKING:
    from animations.story.frames import Frame
    from animations.story.storyboard import Storyboard
    from animations.whys.why import Why

GROWN = 7.0  # pixels by which an outline is larger than the cell
THINNEST = 4.0  # pixels of a stripe that can be outlined
WIDE, THIN, DASH = 4.0, 1.6, 7.0  # pixels of outlines, of a dash and of a gap
CROSS = 2.5  # pixels of its lines
ARROW = 5.0  # pixels of an arrow
Outline = tuple[Box, bool, float]


@dataclass(frozen=True)
class Wrong:
    """That a schedule is wrong, in words, and where the last state shows it.

    name: of the schedule. step: the first wrong one; 0 if none is, and something is still missing.
    total: the steps of the whole schedule, 0 if unknown. refused: whether it cannot be executed.
    named: what is wrong where that is seen, in a short sentence.
    band: a line for all pictures of it. sentence: what is wrong, in one clause; text: all that is
    known of it; diagnosis: the same in the language of the picture, whose title names the schedule.
    outlines: in the last state, each with whether it is crossed because something is missing there,
    and how wide it is. attempted: whether the last state is that of a refused step, which changes
    nothing; endless: it is refused only because there is another step after each. stuck: who waits
    for whom, of a deadlock. mend: the step with which it would be right, if there is one, which
    begins with what the outlined cell lacks. hops: of that data to each node and slot, where a
    node is more hops away than there are steps.
    """

    name: str
    step: int
    total: int
    refused: bool
    named: str
    band: str
    sentence: str
    text: str
    diagnosis: str
    outlines: tuple[Outline, ...]
    attempted: bool
    endless: bool
    stuck: Stuck | None
    say: Phrases = field(repr=False, compare=False)
    mend: Step | None = field(default=None, repr=False, compare=False)
    hops: dict[tuple[int, int], int] = field(default_factory=dict, repr=False, compare=False)
    breaks_promise: ClassVar[bool] = True

    @property
    def heading(self) -> str:
        """What is said of it in a panel."""
        return self.say("wrong.panel")

    def caption(self, frames: int) -> str:
        """The caption of the last of so many steps."""
        key = "endless" if self.endless else "deadlock" if self.stuck else "refused"
        if not self.refused:
            key = "step" if self.step else "after" if frames else "no_step"
        step = self.step or frames
        return self.say(f"wrong.caption_{key}", step=step, sentence=self.sentence)


def marked(board: Storyboard, name: str, fault: FirstWrong, text: str) -> Storyboard:
    """The storyboard of a wrong schedule, marked as wrong in all that it says."""
    outlines = tuple(_outlines(fault, board))
    causes, english = _causes(fault, board.labels), board.say.language == "en"
    problem = text.fields["problem"] if isinstance(text, Worded) else ""
    diagnosis = capital(text.partition(": ")[2] or text if english else "; ".join(causes))
    if isinstance(problem, Worded) and not english:
        diagnosis = board.say.translation(capital(problem))
    sentence = fault.sentence if english else causes[0]
    if fault.waiting:
        sentence = deadlock_sentence(fault.waiting, board.labels)
        diagnosis = diagnosis if english else capital(sentence)
    named = sentence if fault.waiting or (english and not fault.faults) else causes[0]
    counted = fault.step, fault.total, fault.refused
    words = named, _band(fault, board.say), sentence, text, diagnosis
    halted = stuck(fault.waiting, board.scenery, board.labels)
    kind = fault.attempted is not None, fault.endless, halted
    mend = _mend(fault, board)
    hops = _hop_counts(mend, board)
    wrong = Wrong(name, *counted, *words, outlines, *kind, board.say, mend, hops)
    frames = _blamed(board.frames, fault)
    return replace(
        board,
        title=board.say("wrong.title", name=name),
        ending=board.say("wrong.ending", promise=board.promise[:1].lower() + board.promise[1:]),
        frames=frames,
        whys_when_asked=LazyValue(lambda: () if mend else _whys(fault, frames, board)),
        counters=tuple(row.unfinished(len(board.frames) + 1) for row in board.counters),
        heading=board.say("counters.heading"),
        textbook_when_asked=LazyValue(lambda: Textbook(idea=board.textbook.idea)),
        times_when_asked=LazyValue(tuple),
        used=(),
        wrong=wrong,
    )


def _whys(fault: FirstWrong, frames: tuple[Frame, ...], board: Storyboard) -> tuple[Why, ...]:
    """What is wrong, as a page of a film; its letters need cairo, which a page does not."""
    from animations.story.mistake import mistake_whys

    source = frames[-1].source if frames else None
    at = source.first if source and source.numbers else None
    code = (source.numbers[at], source.text[at]) if source and at is not None else None
    return mistake_whys(fault, code, board.labels, board.sheet)


def _mend(wrong: FirstWrong, board: Storyboard) -> Step | None:
    """The step that all lack at the end, if that is all: from whom copies came to over most hops.

    Of several from the one before, as in a ring.
    """
    recording, lost = wrong.recording, [f.cell for f in wrong.faults if f.kind == LOST]
    copies, held, ranks = board.labels.moves_data and not board.adds, board.hops, board.ranks
    drawn = board.frames and board.scenery.fold.is_plain and not board.scenery.table
    if wrong.step or not (lost and copies and drawn):
        return None
    cells = sorted(np.argwhere(wrong_cells(recording)).tolist(), key=lambda at: (*at,) != lost[0])
    nodes = [
        max(range(board.nodes), key=lambda node: (held.get((node, slot), -1), (node - dst) % ranks))
        for dst, slot in cells
    ]
    step = replace(send(nodes, *np.array(cells).T), stamps=recording.steps[-1].stamps[:1])
    return step if with_steps(recording, [*recording.steps, step]).check() else None


def _hop_counts(mend: Step | None, board: Storyboard) -> dict[tuple[int, int], int]:
    """Hops to each node of what a step brings which is missing, if they are more than the steps."""
    if mend is None:
        return {}
    src, dst, slot, into = (int(c[0]) for c in (mend.src, mend.dst, mend.chunk, mend.into))
    held = {(dst, into): board.hops.get((src, slot), 0) + 1} | board.hops
    counts = held[dst, into] > max(1, board.steps)
    return {at: hops for at, hops in held.items() if counts and at[1] == into}


def _causes(wrong: FirstWrong, labels: Labels) -> list[str]:
    """What is wrong with each cell, or else why there is nothing to be seen of it."""
    say, causes = labels.say, []
    for fault in wrong.faults:
        node, slot = fault.cell
        place = {"slot": labels.slot(slot, "some"), "node": labels.node(node, "some")}
        only = labels.chunk_count == 1 and slot == 0 and labels.moves_data
        cell = place["node"] if only else say("faults.cell", **place)
        ranks = sorted({rank for rank, _ in fault.contributions})
        who = labels.nodes(ranks) if ranks else ""
        causes.append(say(f"faults.{fault.kind}", cell=cell, who=who))
    return causes or [say(f"faults.{'endless' if wrong.endless else 'refused'}")]


def _band(fault: FirstWrong, say: Phrases) -> str:
    """One line for every picture of it."""
    cases = {
        "endless": fault.endless,
        "deadlock": bool(fault.waiting),
        "attempted": fault.attempted is not None,
        "refused": fault.refused,
        "later": len(fault.recording.steps) > fault.step > 0,
        "step": bool(fault.step),
        "unordered": bool(fault.recording.unordered) and not fault.faults,
        "after_all": True,
    }
    name, last = next(name for name, holds in cases.items() if holds), len(fault.recording.steps)
    return say(f"wrong.{name}", step=fault.step, last=last)


def _blamed(frames: tuple[Frame, ...], wrong: FirstWrong) -> tuple[Frame, ...]:
    """The frames, of which the last speaks of a transfer that is wrong, if there is one."""
    if not frames or not wrong.step or (wrong.refused and wrong.attempted is None):
        return frames
    cells = [fault.cell for fault in wrong.faults]
    ends = [((m.dst, m.into), (m.src, m.chunk)) for m in frames[-1].transfers]
    blamed = [
        i for cell in cells for side in (0, 1) for i, at in enumerate(ends) if at[side] == cell
    ]
    return (*frames[:-1], replace(frames[-1], followed=blamed[0])) if blamed else frames


def _outlines(wrong: FirstWrong, board: Storyboard) -> Iterator[Outline]:
    """Boxes round the cells, then round the stripes of the contributions in them."""
    scenery = board.scenery
    for fault in wrong.faults:
        cell = scenery.cell(*fault.cell)
        drawn = fault.contributions if board.view.has_bars else ()
        colors = sorted({board.view.ink(rank, slot) for rank, slot in drawn})
        stripes = [scenery.stripe(cell, ink) for ink in colors]
        stripes = [box for box in stripes if THINNEST <= box.height < cell.height - THINNEST]
        missing = fault.kind in (LOST, EMPTY)
        around = Box(cell.x, cell.y, cell.width + GROWN, cell.height + GROWN)
        yield around, missing and not stripes, WIDE
        for box in stripes:
            yield box, missing, round(max(THIN, min(WIDE, box.height / 12)), 1)


Strokes = list[tuple[Way, float]]  # lines and curves, and how wide they are


def fault_strokes(board: Storyboard, step: int, revealed: int = 0) -> tuple[Strokes, Strokes]:
    """Lines that outline what is wrong, in dashes, and cross what is missing; before them a halo.

    Where a message is missing, an arrow in dashes. Of a deadlock arrows from each rank that waits
    to the one that it waits for: where it is still untold the first so many. None before the last
    state.
    """
    halo: Strokes = []
    lines: Strokes = []
    wrong = board.wrong or (board.untold if revealed else None)
    if not wrong or step < len(board.frames):
        return halo, lines
    for box, crossed, width in wrong.outlines:
        left, top, right, bottom = box.left, box.top, box.right, box.bottom
        sides = box.sides
        across = [((left, top), (right, bottom)), ((left, bottom), (right, top))] * crossed
        halo += [(line, 2 * width) for line in sides] + [(line, 3 * CROSS) for line in across]
        lines += [(dash, width) for side in sides for dash in _dashes(side)]
        lines += [(line, CROSS) for line in across]
    waits = wrong.stuck.arrows if wrong.stuck else ()
    for line in chain.from_iterable(waits if board.wrong else waits[:revealed]):
        halo.append((line, 2.4 * ARROW))
        lines.append((line, ARROW))
    if board.wrong and (mend := wrong.mend):
        (curve, *head), *_ = arrows([(int(mend.src[0]), int(mend.dst[0]))], board.scenery)
        lines += [(line, ARROW) for line in (*_dashes(curve), *head)]
    return halo, lines


def stuck_at(board: Storyboard, step: int) -> Stuck | None:
    """The deadlock that a state shows: none before the last one."""
    return board.wrong.stuck if board.wrong and step == len(board.frames) else None


def _dashes(way: Way) -> Iterator[Way]:
    """A line or curve in dashes that begin and end at its ends."""
    (x, y), (u, v) = way[0], way[-1]
    parts = 2 * max(1, round((abs(u - x) + abs(v - y)) / (2 * DASH))) + 1
    for first in range(0, parts, 2):
        yield point(way, first / parts), point(way, (first + 1) / parts)


@dataclass(frozen=True, eq=False)
class Attempt(Recording):
    """A recording with one more step, which is refused: it moves, but changes nothing."""

    def _replay(self, what: str) -> Replay:
        replay = super()._replay(what)
        if not isinstance(replay, _Halted):  # one only, as it works on the memory it has
            replay = self._replays[what] = _Halted(replay, len(self.steps) - 1)
        return replay


class _Halted(Replay):
    """A replay that stays at its last state."""

    def __init__(self, replay: Replay, last: int) -> None:
        self.__dict__.update(vars(replay))
        self._halt = last

    def at(self, step: int) -> Memory:
        """The memory after `step` steps, or after as many as were executed."""
        return super().at(min(step, self._halt))


def with_steps(asked: Recording, steps: list[Step], kind: type[Recording] = Recording) -> Recording:
    """The recording with other steps; of kind `Attempt` with a last one that is refused."""
    values = {part.name: getattr(asked, part.name) for part in fields(asked) if part.init}
    return kind(**values | {"steps": Steps(lambda: iter(steps), len(steps), steps)})
