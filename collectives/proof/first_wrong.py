"""The first step after which nothing can put a schedule right, as plain data to be drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from collectives.errors import Waiting
from collectives.proof.diagnosis.causes import WrongSlot
from collectives.proof.diagnosis.contents import Content, bits
from collectives.proof.diagnosis.empty_read import empty_read, read_sentence
from collectives.proof.diagnosis.goal import Goal
from collectives.proof.diagnosis.history import Cell
from collectives.proof.diagnosis.report import Report
from collectives.proof.prove import wrong_cells
from collectives.recording.executed import Refusal
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Step

DOUBLED, FOREIGN, LOST = "doubled", "foreign", "lost"
EMPTY, TWICE, NOWHERE, STUCK = "empty", "written twice", "nowhere", "stuck"
UNEQUAL = "of another size"
MOST_LATER = 64  # steps after the first wrong one that are drawn until the mistake is seen


@dataclass(frozen=True)
class Fault:
    """What is wrong with a cell (node, slot) when the wrong step is over.

    kind: its `contributions`, as (rank, origin slot), are "doubled", "foreign" or "lost" (not in
    it, or not any more); "stuck": what is in it can be added to nothing any more. Of a step that
    is refused: the cell is "empty" and read, "written twice", "of another size" than what comes,
    or is to be sent to or from "nowhere".
    """

    kind: str
    cell: Cell
    contributions: tuple[Cell, ...] = ()


@dataclass(frozen=True, eq=False)
class FirstWrong:
    """A schedule that is wrong, up to the step in which that is seen.

    step: the first wrong one; 0 where no step is wrong, but too few are right, or nothing orders
    two operations. recording: the steps up to it, and with it where it can be executed; further
    ones where only these bring data that is doubled or foreign, or leave a cell without what is
    missing. faults: what is then wrong. total: the steps of the whole schedule, 0 if unknown.
    refused: whether a step cannot be executed; `attempted` are then its transfers between cells
    that there are, if there are any. endless: there is a step after each, and `attempted` is the
    first that is like the one before. waiting: of a deadlock, who waits for whom. sentence: what
    is wrong in it, in one clause. overlapping: whether the step leaves sums of which no choice has
    every rank once.
    """

    recording: Recording
    step: int
    faults: tuple[Fault, ...]
    sentence: str
    refused: bool = False
    attempted: Step | None = None
    endless: bool = False
    waiting: tuple[Waiting, ...] = ()
    total: int = 0
    overlapping: bool = False


def first_wrong(recording: Recording) -> FirstWrong | None:
    """Where a recording goes wrong first; None where it is right."""
    read = empty_read(recording)
    if read:
        before = first_steps(recording, read.number - 1)
        fault = Fault(EMPTY, read.cell)
        sentence = read_sentence(recording, read)
        if recording.refused and recording.refused.race:
            sentence = _reason(recording.refused)
        return FirstWrong(
            before, read.number, (fault,), sentence, True, _possible(recording, read.step)
        )
    if recording.refused:
        return _refused(recording)
    wrong = [(rank, slot) for rank, slot in np.argwhere(wrong_cells(recording)).tolist()]
    total = len(recording.steps)
    if not wrong:
        reason = recording.unordered
        return FirstWrong(recording, 0, (), reason, total=total) if reason else None
    report = Report(recording, wrong)
    case = report.first()
    step, faults = 0 if case.step == inf else int(case.step), tuple(_faults(case))
    seen = step or total
    if step and not _is_seen(case):
        seen, faults = _later(report, case, step) or (step, faults)
    beginning = first_steps(recording, seen)
    sums = case.lost is not None and case.lost.event.step == step and not case.lost.ranks
    sentence = report.sentence(case)
    return FirstWrong(beginning, step, faults, sentence, total=total, overlapping=sums)


def _is_seen(case: WrongSlot) -> bool:
    """Whether the first wrong step itself brings wrong data, or overwrites what is missing."""
    if case.spoiled and case.spoiled.step == case.step:
        return True
    missed = case.missed is not None and case.missed.step == case.step
    return not missed and bool(case.lost and case.lost.ranks)


def _later(report: Report, case: WrongSlot, step: int) -> tuple[int, tuple[Fault, ...]] | None:
    """The step after which a wrong slot first holds wrong data, else the last; None if too late."""
    last = len(report.recording.steps)
    spoiled = [
        version
        for cell in report.cells
        for version in report.history.versions[cell]
        if version.step >= step and any(report.goals[cell].excess(version.content))
    ]
    first = min(spoiled, key=lambda version: version.step, default=None)
    seen = last if first is None else first.step
    if seen > step + MOST_LATER:
        return None
    if first is None:
        return seen, tuple(_contents(case.goal, case.cell, case.held, case.goal.missing(case.held)))
    return seen, tuple(_contents(report.goals[first.cell], first.cell, first.content, 0))


def first_steps(recording: Recording, number: int) -> Recording:
    """The recording of its first steps alone."""
    if number == len(recording.steps):
        return recording
    counts = recording.counts
    recording_of_first = record(
        recording.steps[:number],
        recording.algorithm,
        ranks=recording.ranks,
        collective=recording.collective,
        root=recording.root,
        count=recording.count if counts is None else None,
        counts=counts,
        dtype=recording.dtype,
        op=recording.op,
        chunks=recording.chunks,
        slots=recording.chunk_count,
        scratch=recording.slots - recording.promised_slots,
        nodes=recording.nodes,
        helpers=recording.helpers,
    )
    return replace(recording_of_first, data=recording.data, count_given=recording.count_given)


def _faults(case: WrongSlot) -> Iterator[Fault]:
    """What is wrong with the cell that the wrong step has written, else with the one that ends so.

    Of data that came too late: that it is not in the cell it should have come to.
    """
    goal = case.goal
    if case.spoiled and case.spoiled.step == case.step:
        cell, content, lacking = case.spoiled.version.cell, case.spoiled.version.content, 0
    elif case.missed and case.missed.step == case.step:
        yield Fault(LOST, case.missed.read.dst, _of(goal.origin, case.missed.ranks))
        return
    elif case.lost:
        version = case.lost.event.version
        cell, content = version.cell, version.content
        lacking = case.lost.ranks & goal.missing(content)
        if not case.lost.ranks:
            held = tuple(at for slot, (ranks, _) in content.items() for at in _of(slot, ranks))
            yield Fault(STUCK, cell, held)
            return
    else:
        cell, content, lacking = case.cell, case.held, goal.missing(case.held)
    yield from _contents(goal, cell, content, lacking)


def _contents(goal: Goal, cell: Cell, content: Content, lacking: int) -> Iterator[Fault]:
    """What is wrong with the content of a cell that lacks the data of these ranks."""
    foreign, double = goal.excess(content)
    for kind, wrong in (
        (LOST, _of(goal.origin, lacking)),
        (DOUBLED, _of(goal.origin, double)),
        (FOREIGN, tuple(at for slot, (ranks, _) in foreign.items() for at in _of(slot, ranks))),
    ):
        if wrong:
            yield Fault(kind, cell, wrong)


def _of(slot: int, ranks: int) -> tuple[Cell, ...]:
    return tuple((rank, slot) for rank in bits(ranks))


def _refused(recording: Recording) -> FirstWrong:
    """Of a recording that broke off: the step that was refused, as far as it can be drawn."""
    assert recording.refused
    step, number = recording.refused.step, len(recording.steps) + 1
    drawn = None if step is None else _possible(recording, step)
    faults = () if step is None else tuple(_broken_rules(recording, step))
    endless = recording.refused.number > number
    refusal = FirstWrong(
        recording, number, faults, _reason(recording.refused), True, drawn, endless
    )
    deadlock = recording.refused.deadlock
    return replace(refusal, waiting=deadlock.waiting) if deadlock else refusal


def _reason(refused: Refusal) -> str:
    """Why it was refused, without the number of the step and what to try."""
    reason = refused.reason
    text = reason.partition(": ")[2] if reason.startswith("step ") else reason
    return text.partition("; ")[0]


def _inside(recording: Recording, step: Step) -> tuple[np.ndarray, np.ndarray]:
    """For each row whether the cells that it reads, and those that it writes, are there."""

    def there(node: np.ndarray, slot: np.ndarray) -> np.ndarray:
        nodes = (node >= 0) & (node < recording.nodes)
        inside: np.ndarray = nodes & (slot >= 0) & (slot + step.count <= recording.slots)
        return inside & (step.count > 0)

    return there(step.src, step.chunk), there(step.dst, step.into)


def _possible(recording: Recording, step: Step) -> Step | None:
    """The rows of a step that go from a cell to a cell that there are; None if none does."""
    reads, writes = _inside(recording, step)
    rows = np.flatnonzero(reads & writes)
    return step.select(rows) if len(rows) else None


def _broken_rules(recording: Recording, step: Step) -> Iterator[Fault]:
    """The cells at which a refused step breaks a rule."""
    reads, writes = _inside(recording, step)
    for row in np.flatnonzero(reads != writes).tolist()[:1]:
        ends = (step.src, step.chunk) if reads[row] else (step.dst, step.into)
        yield Fault(NOWHERE, (int(ends[0][row]), int(ends[1][row])))
    drawn = _possible(recording, step)
    if drawn is None:
        return
    rows = drawn.unrolled()
    cells = list(zip(rows.dst.tolist(), rows.into.tolist(), strict=True))
    times = Counter(cells)
    written = {cell for cell, adds in zip(cells, rows.reduces.tolist(), strict=True) if not adds}
    for cell in sorted(cell for cell in written if times[cell] > 1):
        yield Fault(TWICE, cell)
    size = recording.size
    for cell, chunk in zip(cells, rows.chunk.tolist(), strict=True):
        if max(chunk, cell[1]) < len(size) and size[chunk] != size[cell[1]]:
            yield Fault(UNEQUAL, cell)
            return
