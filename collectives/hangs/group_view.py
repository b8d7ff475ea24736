"""A group as its ranks see it: which call each has enqueued, completed and waits in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from collectives.hangs.calls import CALLED, Call, Evidence, ProcessGroup, RankProgress


@dataclass
class GroupView:
    """The calls and counters of a group, by rank.

    calls: the collectives, by rank and number; several where they are coalesced.
    """

    group: ProcessGroup
    calls: dict[int, dict[int, list[Call]]] = field(default_factory=dict)
    between: list[Call] = field(default_factory=list)
    counters: dict[int, RankProgress] = field(default_factory=dict)
    counts: dict[int, dict[str, int]] = field(default_factory=dict)

    @property
    def ranks(self) -> list[int]:
        """The ranks that a file says something of."""
        return sorted({*self.calls, *self.counters, *self.counts, *(c.rank for c in self.between)})

    @property
    def missing(self) -> list[int]:
        """Members that no file says anything of."""
        known = set(self.ranks)
        return [rank for rank in self.group.members if rank not in known]

    def enqueued(self, rank: int) -> int:
        """The last call that a rank enqueued, by its counter; -1 where there is none."""
        counter = self.counters.get(rank)
        return counter.enqueued if counter else -1

    def waits_in(self, rank: int) -> int:
        """The first call that a rank has not completed; -1 where it waits in none."""
        numbers = self.calls.get(rank, {})
        pending = [at for at, calls in numbers.items() if any(c.is_pending for c in calls)]
        if pending:
            return min(pending)
        counter = self.counters.get(rank)
        if counter and 0 <= counter.completed < counter.enqueued:
            following = counter.completed + 1
            return following if following not in numbers else -1
        return -1

    def call(self, rank: int, sequence: int) -> Call | None:
        """A call of a rank, the first of several that are coalesced."""
        calls = self.calls.get(rank, {}).get(sequence)
        return calls[0] if calls else None

    def last_called(self, rank: int) -> Call | None:
        """The last call of a rank of which no line says more than that; None of other formats."""
        call = self.call(rank, self.enqueued(rank))
        return call if call and call.state == CALLED else None

    @property
    def is_expired(self) -> bool:
        """Whether a call ran longer than its timeout."""
        return any(
            call.is_expired
            for numbers in self.calls.values()
            for calls in numbers.values()
            for call in calls
        ) or any(call.is_expired for call in self.between)

    def describe(self, sequence: int, ranks: Iterable[int]) -> str:
        """A call by its number and what it is on the first of these ranks that has it."""
        for rank in ranks:
            if call := self.call(rank, sequence):
                return f"{sequence}, {call.text}"
        return f"{sequence}"


def views_of(evidence: Evidence) -> list[GroupView]:
    """The groups, the largest first."""
    views = {group.key: GroupView(group) for group in evidence.groups}
    coalesced: dict[str, dict[int, dict[int, list[Call]]]] = defaultdict(dict)
    for call in evidence.calls:
        if call.is_collective:
            numbers = coalesced[call.group].setdefault(call.rank, {})
            numbers.setdefault(call.sequence, []).append(call)
        else:
            views[call.group].between.append(call)
    for key, calls in coalesced.items():
        views[key].calls = calls
    for reached in evidence.progress:
        view = views[reached.group]
        if reached.operation:
            view.counts.setdefault(reached.rank, {})[reached.operation] = reached.enqueued
        else:
            view.counters[reached.rank] = reached
    return sorted(views.values(), key=lambda view: -len(view.group.members or view.ranks))
