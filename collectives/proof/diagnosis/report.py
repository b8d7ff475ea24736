"""The paragraph on a wrong recording: what is wrong, and at which step it went wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from collectives.collective import Cells
from collectives.proof.diagnosis.causes import (
    Lost,
    Missed,
    Spoiled,
    WrongSlot,
    lost,
    missed,
    spoiled,
)
from collectives.proof.diagnosis.contents import bits, mask
from collectives.proof.diagnosis.goal import Goal, Goals
from collectives.proof.diagnosis.history import Cell, History, Version, contributions
from collectives.proof.diagnosis.phrases import DiagnosisPhrases, named
from collectives.recording.recording import Recording
from collectives.words import listed, runs

MAX_SUMS = 6  # that are listed
MAX_FOLLOWED_ROWS = 1 << 17  # of longer schedules, one slot is followed
MAX_TRACED_RANKS = 1 << 14  # for which there is memory to follow all data
MAX_EXAMINED = 64  # wrong slots that are looked into, to name the one that went wrong first


def explained(recording: Recording, wrong: Cells) -> str:
    """What is wrong with a recording of which these promised cells, [rank, slot], end wrong."""
    cells: list[Cell] = [(rank, slot) for rank, slot in np.argwhere(wrong).tolist()]
    if recording.ranks > MAX_TRACED_RANKS:
        sentences = [_end_only(recording, cells[0])]
        sentences.append(f"Steps are looked into up to {MAX_TRACED_RANKS} ranks; try fewer")
    else:
        report = Report(recording, cells)
        case = report.first()
        sentences = [_ending(recording, case), *(report.causes(case) or report.never_sent(case))]
        sentences += report.hints(case)
    if len(cells) > 1:
        more = len(cells) - 1
        sentences.append("1 more slot is wrong" if more == 1 else f"{more} more slots are wrong")
    return ". ".join(sentences)


def _end_only(recording: Recording, cell: Cell) -> str:
    """What one slot holds at the end, against what it should."""
    held = contributions(recording, cell)
    slots = {slot for _, slot in held}
    content = {
        slot: (
            mask(rank for rank, s in held if s == slot),
            mask(rank for (rank, s), times in held.items() if s == slot and times > 1),
        )
        for slot in slots
    }
    end = Version(cell, 0, content) if held else None
    return _ending(recording, WrongSlot(cell, Goals(recording)[cell], end, None, None, None))


def _ending(recording: Recording, case: WrongSlot) -> str:
    """What a slot holds at the end, against what it should."""
    words, goal, held = DiagnosisPhrases(recording), case.goal, case.held
    rank, slot = case.cell
    missing, name = goal.missing(held), f"rank {rank}, slot {slot}"
    if not recording.collective.moves_data:
        strange = held.keys() - {goal.origin}
        from_slots = f"slot{'' if len(strange) == 1 else 's'} {listed(runs(sorted(strange)))}"
        astray = f"it holds arrivals that belong in {from_slots}"
        if not missing:
            return f"{name} ends wrong: {astray}"
        ending = f"rank {rank} ends without having heard of {named(bits(missing))}"
        return f"{ending} in slot {slot}; {astray}" if strange else ending
    lacking = f"{words.ranks_data(goal.origin, missing)} is missing"
    if not held:
        return f"{name} is empty at the end: {lacking}"
    foreign, double = goal.excess(held)
    if missing == goal.required and foreign and missing.bit_count() == 1:
        required = words.ranks_data(goal.origin, goal.required)
        return f"{name} ends wrong: it holds {words.data(foreign)} instead of {required}"
    parts = [lacking] if missing else []
    if double:
        counts = {n for n in contributions(recording, case.cell).values() if n > 1}
        times = f"{min(counts)} to {max(counts)} times" if len(counts) > 1 else _times(*counts)
        parts.append(f"{words.ranks_data(goal.origin, double)} is in it {times}")
    if foreign:
        parts.append(f"it holds {words.data(foreign)}, which does not belong there")
    return f"{name} ends wrong: {listed(parts)}"


class Report:
    """All that is needed to explain why these cells end wrong."""

    def __init__(self, recording: Recording, cells: Sequence[Cell]) -> None:
        self.recording, self.cells = recording, cells
        self.words, self.goals = DiagnosisPhrases(recording), Goals(recording)
        self.all = recording.counters.transfers <= MAX_FOLLOWED_ROWS
        focus = None
        if not self.all:
            goal = self.goals[cells[0]]
            focus = {(rank, goal.origin) for rank in bits(goal.required)}
            focus |= set(contributions(recording, cells[0]))
        self.history = History(recording, focus)
        self._lost: dict[Goal, Lost | None] = {}

    def first(self) -> WrongSlot:
        """The wrong slot that went wrong first."""
        tried = self.cells[: MAX_EXAMINED if self.all else 1]
        return min(map(self._case, tried), key=lambda case: case.step)

    def _case(self, cell: Cell) -> WrongSlot:
        goal, end = self.goals[cell], self.history.now.get(cell)
        kind = self.recording.collective
        plain = kind.required is None and kind.reduces and not kind.out_of_place
        bad = behind = None
        if end is not None and not goal.fits(end.content):
            bad = spoiled(end, goal, self.goals, plain)
        elif end is not None:
            behind = missed(self.history, end, goal)
        if goal not in self._lost:
            self._lost[goal] = lost(self.history, goal, cell)
        return WrongSlot(cell, goal, end, bad, self._lost[goal], behind)

    def causes(self, case: WrongSlot) -> list[str]:
        """The steps that made it wrong, in their order; none if no step did."""
        causes: list[str] = []
        gone = case.lost
        if case.spoiled and case.spoiled.row.step == case.step:
            causes.append(f"It goes wrong in {self._event(case.spoiled)}")
        elif case.missed and case.missed.read.step == case.step:
            causes.append(self._too_late(case, case.missed))
        elif gone:
            causes.append(f"It goes wrong in {self._event(gone.event)}")
        if gone:
            row = gone.event.row
            after = "After that" if row.step == case.step else f"After {self.words.at(row)}"
            causes.append(f"{after} no step can put it right: {self._why(case.goal, gone)}")
        if case.spoiled and case.spoiled.row.step > case.step:
            causes.append(f"Then, in {self._event(case.spoiled)}")
        return causes

    def sentence(self, case: WrongSlot) -> str:
        """What goes wrong in the step in which it goes wrong first; else how the slot ends."""
        if case.spoiled and case.spoiled.step == case.step:
            return self._transfer(case.spoiled)
        if case.missed and case.missed.step == case.step:
            read = case.missed.read
            here, to = self.words.slot(read.src), self.words.node(read.dst[0])
            what = self.words.ranks_data(case.goal.origin, case.missed.ranks)
            return f"{here} is passed on to {to} before {what} has come there"
        if case.lost:
            loss = case.lost
            return self._transfer(loss.event) if loss.ranks else self._why(case.goal, loss)
        return _ending(self.recording, case)

    def _event(self, event: Spoiled) -> str:
        return f"{self.words.at(event.row)}: {self._transfer(event)}"

    def _transfer(self, event: Spoiled) -> str:
        before = event.before
        if not event.row.adds and event.version.old is not None:
            before = event.version.old.content
        return self.words.transfer(event.row, event.read, before)

    def _why(self, goal: Goal, gone: Lost) -> str:
        """Why nothing can mend it any more."""
        words = self.words
        if not gone.ranks:
            sums = [f"{{{', '.join(map(str, bits(part)))}}}" for part in gone.left]
            return (
                f"of chunk {goal.origin} there are only sums over ranks {listed(sums, MAX_SUMS)}, "
                "and no choice of them has every rank once"
            )
        what = words.ranks_data(goal.origin, gone.ranks)
        if gone.ranks & ~gone.spoilt:
            return f"nobody has {what} any more"
        return f"wherever {what} still is, there is foreign data with it, or some rank's data twice"

    def _too_late(self, case: WrongSlot, event: Missed) -> str:
        words, here = self.words, self.words.slot(event.read.src)
        what = words.ranks_data(case.goal.origin, event.ranks)
        to = words.node(event.read.dst[0])
        if event.arrival.step == event.read.step:
            return (
                f"In {words.at(event.read)} {what} gets no further than {here}, which is passed "
                f"on to {to} in the same step: a step reads everything before it writes anything"
            )
        return (
            f"In {words.at(event.arrival)} {what} gets no further than {here}, which was passed "
            f"on to {to} before, in {words.at(event.read)}"
        )

    def never_sent(self, case: WrongSlot) -> list[str]:
        """Where the missing data is at the end, and which step wrote the slot last."""
        words, goal, (rank, _) = self.words, case.goal, case.cell
        whole = [v for v in self.history.now.values() if goal.met(v.content)]
        whole.sort(key=lambda version: (version.cell[0] != rank, version.cell))
        written = [v for v in whole if v.rows]
        for version in written:
            if version.cell[0] == rank or not self._entitled(version.cell, goal):
                here, at = words.slot(version.cell), words.at(version.rows[-1][0])
                return [f"What belongs there is in {here} instead, put there in {at}"]
        missing = goal.missing(case.held)
        came = any(
            v.cell[0] == rank and v.rows and v.content.get(goal.origin, (0, 0))[0] & missing
            for v in self.history.by_slot[goal.origin]
        )
        never = f"no step {'writes it there' if came else f'sends it to rank {rank}'}"
        now = self.history.now.values()
        holders = sorted(v.cell for v in now if goal.usable(v.content) & missing)
        if written:
            first = min(written, key=lambda version: version.step)
            at = words.at(first.rows[-1][0])
            where = f"All of it is in {words.slot(first.cell)} since {at}, but {never}"
        elif not any(v.rows for v in self.history.by_slot[goal.origin]):
            where = f"No step moves it out of {words.slots(holders)}"
        else:
            where = f"{never.capitalize()}; at the end it is in {words.slots(holders)}"
        total = len(self.recording.steps)
        ends = f"The schedule ends after step {total}" if total else "The schedule has no step"
        rows = case.end.rows if case.end else ()
        if rows:
            ends = f"The last to write {words.slot(case.cell)} is {words.at(rows[-1][0])}"
        return [where, ends]

    def hints(self, case: WrongSlot) -> list[str]:
        """What beginners did not know: a send forgets, and slots are as many as ranks."""
        recording, slot = self.recording, case.cell[1]
        kind = recording.collective
        if not kind.moves_data:
            forgets = "In a barrier a send overwrites what a rank knew; use reduce"
            return [forgets] if self._forgotten(case) else []
        own = recording.row is None and recording.chunks is None
        if not own or kind.owned or kind.separate_buffers:
            return []
        if recording.chunk_count != recording.ranks:
            return []
        if slot < 1 or case.held.keys() - {slot} or self._touched(slot):
            return []
        slots = f"{recording.chunk_count} slots, one per rank"
        return [f"Note: every rank has {slots}, unless slots= (--slots) says otherwise"]

    def _forgotten(self, case: WrongSlot) -> bool:
        """Whether a send overwrote arrivals of which the slot, or the last copy, is in need."""
        written = list(self.history.versions[case.cell])
        written += [case.lost.event.version] if case.lost else []
        missing = case.goal.missing(case.held)
        return any(
            bool(
                case.goal.missing(version.content)
                & version.old.content.get(case.goal.origin, (0, 0))[0]
                & (missing if version.cell == case.cell else -1)
            )
            for version in written
            if version.rows and not version.rows[0][0].adds and version.old is not None
        )

    def _touched(self, slot: int) -> bool:
        """Whether any step reads or writes this slot of any node."""
        return any(
            bool(((first <= slot) & (slot < first + step.count)).any())
            for step in self.recording.steps
            for first in (step.chunk, step.into)
        )

    def _entitled(self, cell: Cell, goal: Goal) -> bool:
        promised = not self.goals.is_scratch(cell) and self.recording.postcondition[cell]
        return bool(promised) and self.goals[cell] == goal


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{count} times"
