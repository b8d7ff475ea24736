"""Composes the storyboard of a recording: proved and timed, with its stage, frames and words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.drawing.card_shapes import Lanes
from animations.drawing.scenery import Fold, Scenery
from animations.drawing.sheet import LECTURE, Sheet
from animations.stages.choose import scenery_of
from animations.stages.doors import beside_doors
from animations.stages.staged import MOST_PLAIN
from animations.stages.views import MOST_ON_PAGES, fills_cells, has_cards, has_one_source, lanes_of
from animations.story.cell_views import Blocks, ChunkColors, Snapshot, View
from animations.story.counters import counter_rows, machine_name
from animations.story.facts import phases_of, words_of
from animations.story.folded_views import Bars, Squares, most_required
from animations.story.frames import Frame, frames
from animations.story.labels import Labels, labels_of
from animations.story.lazy_value import LazyValue
from animations.story.machine_words import spoken_machine
from animations.story.message_times import MOST_TIMED, MessageTimes, message_times
from animations.story.origins import origins_of
from animations.story.setup_times import setup_times
from animations.story.storyboard import Storyboard
from animations.story.tally import cells_in_use, tallies
from animations.story.task import later_rows, task_of
from animations.story.transfers import Cell, NodeSlot
from animations.story.wrong import Attempt, marked, with_steps
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.clock import dataflow
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology_for
from collectives.cost.machines.named import DEFAULT
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, WrongSchedule
from collectives.memory_limit import check_memory
from collectives.proof.first_wrong import FirstWrong, first_wrong
from collectives.proof.prove import Verdict
from collectives.recording.recording import Recording
from collectives.words import plural

if TYPE_CHECKING:
    from animations.phrases import Phrases
    from animations.whys.why import Why

MOST_STEPS = 2048  # half an hour of film, or a ring of 1,024 ranks
BYTES_OF_TRANSFER = 1300  # of memory, as measured


def proved_storyboard(
    recording: Recording,
    topology: Topology | None = None,
    stage: str = "",
    sheet: Sheet = LECTURE,
    language: str = "en",
    time: Callable[[Recording], Sequence[Timing]] | None = None,
) -> Storyboard:
    """The storyboard of a recording, proved here, and timed by the lockstep clock.

    One that is wrong is drawn until that is seen, and marked as wrong throughout.
    time: timings of what is drawn, the first as it is shown; by default by both clocks.
    Without a topology: on a crossbar of 5 µs a message and 50 GB/s a port, in each direction.
    Raises what `storyboard` raises, and BadInput for a topology that the recording does not fit.
    """
    _has_cards(recording)  # before a proof that may take long
    machine = topology_for(recording, DEFAULT) if topology is None else topology
    verdict = recording.check()
    wrong = None if verdict else first_wrong(recording)
    drawn_recording = wrong.recording if wrong else recording
    timings = [] if time is None else list(time(drawn_recording))
    known = (timing for timing in timings if timing.clock == "lockstep" and timing.total < inf)
    timing = next(known, None) or timed_as_run(drawn_recording, machine)
    few = recording.ranks <= MOST_ON_PAGES and recording.counters.messages <= MOST_TIMED
    by_dataflow = partial(timed_as_run, recording, machine, dataflow)
    also = [by_dataflow] if few and not wrong and not timings else []
    more: dict[str, Any] = {"also": also, "stage": stage, "sheet": sheet, "wrong": wrong}
    more["language"] = language
    board = storyboard(drawn_recording, verdict=verdict, timing=timing, **more)
    if timings:
        times = LazyValue(lambda: _times(timings if few else (), (), board.frames))
        board = replace(board, timing=timings[0], times_when_asked=times)
    if not wrong or wrong.endless:
        return board
    drawn = wrong.step if wrong.refused else len(drawn_recording.steps)
    later = partial(later_rows, recording.steps[drawn:])
    task = LazyValue(lambda: board.task and replace(board.task, later=later()))
    return replace(board, task_when_asked=task)


def _times(
    timings: Sequence[Timing], also: Sequence[Callable[[], Timing]], steps: Sequence[Frame]
) -> tuple[MessageTimes, ...]:
    """When transfers begin and end, by the clocks of some timings and of others yet to be made."""
    every = (*timings, *(make() for make in also))
    return tuple(time for timing in every for time in message_times(timing, steps))


def storyboard(
    recording: Recording,
    *,
    verdict: Verdict,
    timing: Timing,
    also: Sequence[Callable[[], Timing]] = (),
    stage: str = "",
    sheet: Sheet = LECTURE,
    wrong: FirstWrong | None = None,
    language: str = "en",
) -> Storyboard:
    """The storyboard of a recording, with its proof's verdict and its timing.

    also: make timings by other clocks, of which only diagrams in space and time are drawn.
    stage: another one than that of its structure, by name, such as "cube". sheet: the
    page it is drawn on. language: of its words. wrong: where it is wrong, of a recording up to
    there. Raises WrongSchedule where the verdict is that it breaks its promise, and not where,
    BadInput for more ranks, nodes, slots or steps than can be drawn, and for a stage that it does
    not fit.
    """
    if not verdict and wrong is None:
        raise WrongSchedule(str(verdict))
    attempted = wrong.attempted if wrong else None
    if attempted is not None:
        recording = with_steps(recording, [*recording.steps, attempted], Attempt)
    labels = labels_of(recording, language)
    parts = phases_of(recording, labels.say)
    scenery = _scenery(recording, labels, timing.topology, stage, sheet)
    view = _view(scenery, recording)(labels, scenery, most_required(recording))
    after = view.snapshots(recording)
    steps = frames(recording, after, parts, labels, scenery.fold, attempted is not None)
    counted, busiest = ([0, *map(attrgetter(key), steps)] for key in ("counted", "busiest"))
    on_pages, ends = _on_pages(recording), [phase.end for phase in parts]
    board = Storyboard(
        view=view,
        labels=labels,
        scenery=scenery,
        phases=parts,
        frames=steps,
        counters=counter_rows(counted, busiest, timing, language),
        counted=timing,
        times_when_asked=LazyValue(lambda: _times((timing,), also, steps) if on_pages else ()),
        sheet=sheet,
        machine=spoken_machine(machine_name(timing.topology), recording.ranks, labels.say),
        whys_when_asked=LazyValue(lambda: _whys(timing, labels.say, sheet)),
        setup_times_when_asked=LazyValue(lambda: setup_times(timing)),
        tallies_when_asked=LazyValue(lambda: {} if wrong else tallies(recording, ends)),
        **words_of(recording, labels, timing.topology),
        **_facts(recording, scenery, view, after, labels),
    )
    return board if wrong is None else marked(board, recording.title, wrong, verdict.text)


def _scenery(
    recording: Recording, labels: Labels, machine: Topology, stage: str, sheet: Sheet
) -> Scenery:
    """The stage of a recording, where there is room beside the doors of its ranks."""
    drawn = _lanes(recording), fills_cells(recording), _has_cards(recording), machine, stage, sheet
    return beside_doors(scenery_of(recording, labels.say, *drawn), labels.node)


def _on_pages(recording: Recording) -> bool:
    """Whether pages show so many ranks and chunks."""
    return max(recording.ranks, recording.chunk_count) <= MOST_ON_PAGES


def _start(recording: Recording, start: Snapshot, fold: Fold) -> dict[NodeSlot, Cell]:
    """The cells that hold something before the first step."""
    slots = np.ndindex(recording.nodes, fold.wells)
    return {at: held for at in slots if (held := start.well(at)).held}


def _facts(
    recording: Recording,
    scenery: Scenery,
    view: View,
    after: Callable[[int], Snapshot],
    labels: Labels,
) -> dict[str, Any]:
    """What a storyboard knows of its recording."""
    ranked, wells = view.shows_ranks, scenery.fold.well
    promised = ((int(r), wells[int(s)]) for r, s in np.argwhere(recording.postcondition))
    origins = partial(origins_of, recording, after, ranked, labels.say)
    return {
        "ranks": recording.ranks,
        "nodes": recording.nodes,
        "slots": recording.slots,
        "start": _start(recording, after(0), scenery.fold),
        "promised": tuple(dict.fromkeys(promised)),
        "origins_when_asked": LazyValue(lambda: origins() if _on_pages(recording) else None),
        "task_when_asked": LazyValue(lambda: task_of(recording) if ranked else None),
        "used": () if scenery.table else cells_in_use(recording),
        "size": recording.count * recording.dtype.itemsize,
        "given": tuple(recording.precondition[:, : recording.chunk_count].sum(axis=1).tolist()),
        "adds": recording.collective.reduces,
    }


def _lanes(recording: Recording) -> Lanes:
    return lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)


def _has_cards(recording: Recording) -> bool:
    """Whether nodes are cards, not rows of a matrix; raises BadInput for what cannot be drawn."""
    if len(recording.steps) > MOST_STEPS:
        raise BadInput(f"{len(recording.steps)} steps: a picture shows up to {MOST_STEPS}")
    transfers = recording.counters.rows
    check_memory(transfers * BYTES_OF_TRANSFER, f"a picture of {plural(transfers, 'transfer')}")
    nodes, lanes = recording.nodes, _lanes(recording)
    return has_cards(recording.ranks, nodes, recording.chunk_count, lanes)


def _view(scenery: Scenery, recording: Recording) -> type[View]:
    """How cells are drawn."""
    if scenery.table:
        return Squares
    if scenery.whole and scenery.fold.is_plain:
        return ChunkColors if has_one_source(recording) else Blocks
    return View if scenery.fold.is_plain and scenery.fold.bars <= MOST_PLAIN else Bars


def _whys(timing: Timing, say: Phrases, sheet: Sheet) -> tuple[Why, ...]:
    """The whys of a film; their letters need cairo, which a page does not."""
    from animations.whys.families import whys_of

    return whys_of(timing.asked, say, sheet, timing)
