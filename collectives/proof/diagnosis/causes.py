"""Finds the step and the transfer at which a recording went wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from collectives.proof.diagnosis.contents import UNKNOWN, Content, bits, joined
from collectives.proof.diagnosis.goal import Goal, Goals
from collectives.proof.diagnosis.history import Cell, History, SlotTransfer, Version

MAX_LATE = 64  # ranks' data that are followed to where they came too late


@dataclass(frozen=True)
class Spoiled:
    """A transfer that brought into a slot what must not be there, or must not be there again.

    `before` is what the slot held when the transfer wrote it, empty if it was overwritten.
    """

    row: SlotTransfer
    read: Content
    before: Content
    version: Version

    @property
    def step(self) -> int:
        """The step of the transfer."""
        return self.row.step


@dataclass(frozen=True)
class Lost:
    """The first step after which what is due can be put together no more, and a transfer of it.

    `ranks` are those of whose data no usable copy is left; none if what is left, the parts
    `left`, overlaps. `spoilt` are those whose data is still somewhere, but not usable.
    """

    ranks: int
    event: Spoiled
    left: list[int]
    spoilt: int


@dataclass(frozen=True)
class Missed:
    """Data of `ranks` that came (`arrival`) to a slot not before it was passed on (`read`)."""

    ranks: int
    arrival: SlotTransfer
    read: SlotTransfer

    @property
    def step(self) -> int:
        """The step in which the data was not there yet."""
        return self.read.step


@dataclass(frozen=True)
class WrongSlot:
    """One slot that ends wrong, and what is known of it: None where nothing of that kind is."""

    cell: Cell
    goal: Goal
    end: Version | None
    spoiled: Spoiled | None
    lost: Lost | None
    missed: Missed | None

    @property
    def held(self) -> Content:
        """What the slot holds at the end."""
        return self.end.content if self.end else {}

    @property
    def step(self) -> float:
        """The step in which it went wrong; infinite where no step did."""
        events = [self.spoiled, self.lost and self.lost.event, self.missed]
        return min((event.step for event in events if event), default=float("inf"))


def spoiled(end: Version, goal: Goal, goals: Goals, at_home: bool) -> Spoiled | None:
    """The first transfer that made what `end` holds unfit for its goal; None if none did.

    Follows what is unfit back to where it was made of parts that were fit, or that somebody
    else needs. at_home: data in a slot other than its own is needed by nobody.
    """
    events: list[Spoiled] = []
    seen, open_ends = {end}, [end]
    while open_ends:
        version = open_ends.pop()
        bad = [
            part
            for part in version.inputs
            if not goal.fits(part.content) and not _wanted(part, goals, at_home)
        ]
        open_ends += [part for part in bad if part not in seen]
        seen.update(bad)
        if not bad and version.rows:
            events.append(_blame(version, goal))
    return min(events, key=lambda event: event.row.step, default=None)


def _wanted(part: Version, goals: Goals, at_home: bool) -> bool:
    if UNKNOWN in part.content or not goals.anybody(part.content):
        return False
    return (
        not at_home or not part.rows or part.cell[1] in part.content or goals.is_scratch(part.cell)
    )


def _blame(version: Version, goal: Goal) -> Spoiled:
    """The first of the transfers that wrote a version after which it was unfit."""
    overwritten = not version.rows[0][0].adds
    held = {} if overwritten or version.old is None else version.old.content
    for row, read in version.rows:
        event = Spoiled(row, read.content, held, version)
        held = joined(held, read.content)
        if not goal.fits(held):
            return event
    return event


def lost(history: History, goal: Goal, cell: Cell) -> Lost | None:
    """The first step after which `goal` can no longer be reached, where the search finds it.

    Where several transfers of that step are to blame, one that writes `cell` is named.
    """
    left: Counter[int] = Counter()
    versions = history.by_slot[goal.origin]
    needed = None
    for step, written in groupby(versions, key=lambda version: version.step):
        gone = []
        for version in written:
            old = goal.usable(version.old.content) if version.old else 0
            new = goal.usable(version.content)
            if old != new:
                left[old] -= 1
                left[new] += 1
                gone += [version] if old else []
        if step and needed is not None and all(left[part] > 0 for part in needed):
            continue
        parts = [part for part, times in left.items() if part and times > 0]
        needed = goal.cover(parts)
        if needed is None:
            return _lost(history, goal, parts, gone, cell)
    return None


def _lost(
    history: History, goal: Goal, left: list[int], gone: list[Version], cell: Cell
) -> Lost | None:
    """With the transfer that took the last usable copy."""
    ranks = goal.lost(left)
    taken = [v for v in gone if v.old and goal.usable(v.old.content) & (ranks or goal.required)]
    if not taken:
        return None  # it never was possible
    version = min(taken, key=lambda version: version.cell != cell)
    spoilt = 0
    for versions in history.versions.values():
        then = [v for v in versions if v.step <= version.step]
        if then:
            spoilt |= then[-1].content.get(goal.origin, (0, 0))[0]
    return Lost(ranks, _blame(version, goal), sorted(left), spoilt & ranks)


def missed(history: History, end: Version, goal: Goal) -> Missed | None:
    """Missing data that came to a slot too late to be passed on, and never came to another."""
    missing = goal.missing(end.content)
    if missing.bit_count() > MAX_LATE:
        return None
    holding = {rank: history.holding(goal.origin, rank) for rank in bits(missing)}
    events = []
    for read in _reads(end):
        for version in history.versions[read.src]:
            here = version.content.get(goal.origin, (0, 0))[0] & missing
            if version.step < read.step or not here:
                continue
            only = sum(
                1 << rank for rank in bits(here) if holding[rank] <= {(rank, goal.origin), read.src}
            )
            for row, source in version.rows:
                ranks = source.content.get(goal.origin, (0, 0))[0] & only
                if ranks:
                    events.append(Missed(ranks, row, read))
    events.sort(key=lambda event: (event.arrival.step - event.read.step, event.read.step))
    return events[0] if events else None


def _reads(end: Version) -> Iterator[SlotTransfer]:
    """Every transfer through which anything came into a version."""
    seen, open_ends = {end}, [end]
    while open_ends:
        version = open_ends.pop()
        yield from (row for row, _ in version.rows)
        new = [part for part in version.inputs if part not in seen]
        seen.update(new)
        open_ends += new
