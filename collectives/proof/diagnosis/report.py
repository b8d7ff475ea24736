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
from collectives.words import Worded, capital, linked, listed, runs

MAX_SUMS = 6  # that are listed
MAX_FOLLOWED_ROWS = 1 << 17  # of longer schedules, one slot is followed
MAX_TRACED_RANKS = 1 << 14  # for which there is memory to follow all data
ENDS_WRONG = "rank {rank}, slot {slot} ends wrong: {what}"
MAX_EXAMINED = 64  # wrong slots that are looked into, to name the one that went wrong first


def explained(recording: Recording, wrong: Cells) -> str:
    """What is wrong with a recording of which these promised cells, [rank, slot], end wrong."""
    cells: list[Cell] = [(rank, slot) for rank, slot in np.argwhere(wrong).tolist()]
    if recording.ranks > MAX_TRACED_RANKS:
        sentences = [_end_only(recording, cells[0])]
        pattern = "Steps are looked into up to {ranks} ranks; try fewer"
        sentences.append(Worded(pattern, ranks=MAX_TRACED_RANKS))
    else:
        report = Report(recording, cells)
        case = report.first()
        sentences = [_ending(recording, case), *(report.causes(case) or report.never_sent(case))]
        sentences += report.hints(case)
    if len(cells) > 1:
        more = len(cells) - 1
        pattern = "{number} more slot is wrong" if more == 1 else "{number} more slots are wrong"
        sentences.append(Worded(pattern, number=more))
    return linked(sentences, ". ")


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
    missing, at = goal.missing(held), {"rank": rank, "slot": slot}
    if not recording.collective.moves_data:
        strange = held.keys() - {goal.origin}
        noun = "slot" if len(strange) == 1 else "slots"
        pattern = f"it holds arrivals that belong in {noun} {{numbers}}"
        astray = Worded(pattern, numbers=listed(runs(sorted(strange))))
        if not missing:
            return Worded(ENDS_WRONG, **at, what=astray)
        pattern = "rank {rank} ends without having heard of {who}"
        pattern += " in slot {slot}; {astray}" * bool(strange)
        return Worded(pattern, **at, who=named(bits(missing)), astray=astray)
    if not held:
        data = words.ranks_data(goal.origin, missing)
        return Worded(
            "rank {rank}, slot {slot} is empty at the end: {data} is missing", **at, data=data
        )
    foreign, double = goal.excess(held)
    if missing == goal.required and foreign and missing.bit_count() == 1:
        required = words.ranks_data(goal.origin, goal.required)
        what = Worded("it holds {data} instead of {due}", data=words.data(foreign), due=required)
        return Worded(ENDS_WRONG, **at, what=what)
    parts = []
    if missing:
        parts.append(Worded("{data} is missing", data=words.ranks_data(goal.origin, missing)))
    if double:
        times = sorted({n for n in contributions(recording, case.cell).values() if n > 1})
        how_often = "{first} to {last} times" if len(times) > 1 else "{last} times"
        data = words.ranks_data(goal.origin, double)
        pattern = f"{{data}} is in it {'twice' if times == [2] else how_often}"
        parts.append(Worded(pattern, data=data, first=times[0], last=times[-1]))
    if foreign:
        pattern = "it holds {data}, which does not belong there"
        parts.append(Worded(pattern, data=words.data(foreign)))
    return Worded(ENDS_WRONG, **at, what=listed(parts))


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
            causes.append(Worded("It goes wrong in {event}", event=self._event(case.spoiled)))
        elif case.missed and case.missed.read.step == case.step:
            causes.append(self._too_late(case, case.missed))
        elif gone:
            causes.append(Worded("It goes wrong in {event}", event=self._event(gone.event)))
        if gone:
            row = gone.event.row
            after = "After that" if row.step == case.step else "After {at}"
            at = "" if row.step == case.step else self.words.at(row)
            pattern = f"{after} no step can put it right: {{why}}"
            causes.append(Worded(pattern, at=at, why=self._why(case.goal, gone)))
        if case.spoiled and case.spoiled.row.step > case.step:
            causes.append(Worded("Then, in {event}", event=self._event(case.spoiled)))
        return causes

    def sentence(self, case: WrongSlot) -> str:
        """What goes wrong in the step in which it goes wrong first; else how the slot ends."""
        if case.spoiled and case.spoiled.step == case.step:
            return self._transfer(case.spoiled)
        if case.missed and case.missed.step == case.step:
            read = case.missed.read
            here, to = self.words.slot(read.src), self.words.node(read.dst[0])
            what = self.words.ranks_data(case.goal.origin, case.missed.ranks)
            pattern = "{here} is passed on to {to} before {what} has come there"
            return Worded(pattern, here=here, to=to, what=what)
        if case.lost:
            loss = case.lost
            return self._transfer(loss.event) if loss.ranks else self._why(case.goal, loss)
        return _ending(self.recording, case)

    def _event(self, event: Spoiled) -> str:
        at, moved = self.words.at(event.row), self._transfer(event)
        return Worded("{at}: {transfer}", at=at, transfer=moved)

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
            return Worded(
                "of chunk {chunk} there are only sums over ranks {sums}, and no choice of them "
                "has every rank once",
                chunk=goal.origin,
                sums=listed(sums, MAX_SUMS),
            )
        pattern = (
            "wherever {what} still is, there is foreign data with it, or some rank's data twice"
        )
        if gone.ranks & ~gone.spoilt:
            pattern = "nobody has {what} any more"
        return Worded(pattern, what=words.ranks_data(goal.origin, gone.ranks))

    def _too_late(self, case: WrongSlot, event: Missed) -> str:
        words, here = self.words, self.words.slot(event.read.src)
        what = words.ranks_data(case.goal.origin, event.ranks)
        ends = {"what": what, "here": here, "to": words.node(event.read.dst[0])}
        if event.arrival.step == event.read.step:
            return Worded(
                "In {at} {what} gets no further than {here}, which is passed on to {to} in the "
                "same step: a step reads everything before it writes anything",
                at=words.at(event.read),
                **ends,
            )
        return Worded(
            "In {at} {what} gets no further than {here}, which was passed on to {to} before, in "
            "{then}",
            at=words.at(event.arrival),
            then=words.at(event.read),
            **ends,
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
                pattern = "What belongs there is in {here} instead, put there in {at}"
                return [Worded(pattern, here=here, at=at)]
        missing = goal.missing(case.held)
        came = any(
            v.cell[0] == rank and v.rows and v.content.get(goal.origin, (0, 0))[0] & missing
            for v in self.history.by_slot[goal.origin]
        )
        never = "no step writes it there" if came else "no step sends it to rank {rank}"
        now = self.history.now.values()
        holders = sorted(v.cell for v in now if goal.usable(v.content) & missing)
        if written:
            links = {*map(tuple, self.recording.counters.links[:, :2].tolist())}
            first = min(written, key=lambda v: ((v.cell[0], rank) not in links, v.step))
            at = words.at(first.rows[-1][0])
            pattern = f"All of it is in {{here}} since {{at}}, but {never}"
            where = Worded(pattern, here=words.slot(first.cell), at=at, rank=rank)
        elif not any(v.rows for v in self.history.by_slot[goal.origin]):
            where = Worded("No step moves it out of {here}", here=words.slots(holders))
        else:
            pattern = f"{capital(never)}; at the end it is in {{here}}"
            where = Worded(pattern, rank=rank, here=words.slots(holders))
        total = len(self.recording.steps)
        ends = Worded("The schedule ends after step {step}", step=total)
        rows = case.end.rows if case.end else ()
        if rows:
            here, at = words.slot(case.cell), words.at(rows[-1][0])
            ends = Worded("The last to write {here} is {at}", here=here, at=at)
        return [where, ends if total else "The schedule has no step"]

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
        pattern = "Note: every rank has {slots} slots, one per rank, unless slots= (--slots) says \
otherwise"
        return [Worded(pattern, slots=recording.chunk_count)]

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
