"""A run behind a dead link as steps of a page: what ever arrives, then the message that is lost."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, fields, replace
from math import inf
from typing import ClassVar

import numpy as np

from animations.story.compose import storyboard
from animations.story.deadlock import Stuck, arrows
from animations.story.lazy_value import LazyValue
from animations.story.message_times import TICKS, MessageTimes
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard, timed_board_of
from animations.story.wrong import Wrong, with_steps
from collectives.cost.clocks.clock import lockstep
from collectives.proof.first_wrong import LOST, Fault, FirstWrong
from collectives.proof.prove import Verdict
from collectives.words import capital


@dataclass(frozen=True)
class Halted(Wrong):
    """That a right schedule never ends where it runs, marked as what is wrong is."""

    breaks_promise: ClassVar[bool] = False

    @property
    def heading(self) -> str:
        """What is said of it in a panel."""
        return capital(self.say("clock.chain"))

    def caption(self, frames: int) -> str:
        """The message that never arrives."""
        return f"{self.sentence}."


def up_to_standstill(board: Storyboard, stage: str = "") -> Storyboard:
    """A storyboard; of one whose timing never ends what arrives, step by step, and what is lost.

    Steps of which nothing arrives are left out. stage: see `storyboard`.
    """
    if board.wrong or board.timing is None or board.timing.total < inf:
        return board
    timed_board, recording = timed_board_of(board, board.timing), board.timing.asked
    stands, topology = timed_board.standstill, board.timing.topology
    assert stands
    kept = _kept(timed_board)
    frame, lost = stands.step, _rows(timed_board, stands.step)
    steps = [recording.steps[number - 1].unrolled().select(rows) for number, rows in kept.items()]
    attempted = recording.steps[frame - 1].unrolled().select(lost)
    arrived = with_steps(recording, steps)
    faults = tuple(
        Fault(LOST, at) for at in zip(attempted.dst.tolist(), attempted.into.tolist(), strict=True)
    )
    first_wrong = FirstWrong(arrived, len(steps) + 1, faults, "", True, attempted)
    drawn = storyboard(
        arrived,
        verdict=Verdict(False, ""),
        timing=lockstep(arrived, topology),
        stage=stage,
        sheet=board.sheet,
        wrong=first_wrong,
        language=board.say.language,
    )
    return _named(drawn, board, timed_board, _times(timed_board, kept, frame, lost))


def _kept(timed_board: TimedBoard) -> dict[int, np.ndarray]:
    """The transfers of each step that land ever, by its number."""
    landed: dict[int, list[int]] = defaultdict(list)
    for landing in timed_board.landings:
        landed[landing.frame].append(landing.transfer)
    return {number: np.sort(landed[number]) for number in sorted(landed)}


def _rows(timed_board: TimedBoard, number: int) -> np.ndarray:
    """The transfers of a step that begin and never land."""
    spans = zip(timed_board.begins[number - 1], timed_board.ends[number - 1], strict=True)
    return np.array([i for i, (begin, end) in enumerate(spans) if begin < inf == end], np.intp)


def _times(
    timed_board: TimedBoard, kept: dict[int, np.ndarray], lost: int, rows: np.ndarray
) -> MessageTimes:
    """When what arrives does so, and from when on the lost message is on its way."""
    scale = TICKS / timed_board.seconds
    steps = []
    for number, some in (*kept.items(), (lost, rows)):
        begins, ends = timed_board.begins[number - 1], timed_board.ends[number - 1]
        spans = [(begins[row], min(ends[row], timed_board.seconds)) for row in some.tolist()]
        steps.append(tuple(round(scale * at) for span in spans for at in span))
    timing = timed_board.timing
    return MessageTimes(timing.clock, timing.topology.name, timed_board.seconds, tuple(steps))


def _named(
    drawn: Storyboard, board: Storyboard, timed_board: TimedBoard, times: MessageTimes
) -> Storyboard:
    """The storyboard with the words of one that keeps its promise, were its links alive."""
    stands, say, labels = timed_board.standstill, board.say, board.labels
    assert stands
    assert drawn.wrong
    ends = {"source": labels.node(stands.src, "some"), "target": labels.node(stands.dst, "some")}
    *groups, last = stands.groups(labels)
    row = " ✕ ".join([" → ".join(groups), last])
    more = "; " + say("clock.more", number=stands.more) if stands.more else ""
    marks = {field.name: getattr(drawn.wrong, field.name) for field in fields(drawn.wrong)}
    halted = Stuck((), {}, tuple(arrows(list(stands.waits.items()), drawn.scenery)))
    marks |= {"band": say("clock.band_dead"), "sentence": say("clock.lost", **ends)}
    marks |= {"stuck": halted, "text": f"{row}{more}", "diagnosis": f"{row}{more}"}
    return replace(
        drawn,
        title=board.title,
        ending=say("clock.end_dead").removesuffix("."),
        task_when_asked=LazyValue(lambda: None),
        timing=board.timing,
        times_when_asked=LazyValue(lambda: (times,)),
        wrong=Halted(**marks),
    )
