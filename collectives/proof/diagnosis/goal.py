"""What one promised slot needs, and whether what is left can still be put together to it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from collectives.proof.diagnosis.contents import Content, mask
from collectives.proof.diagnosis.history import Cell
from collectives.recording.recording import Recording

MAX_COVERED = 64  # contributions to a slot up to which exact covers are looked for
MAX_TRIED = 2000  # partial covers


@dataclass(frozen=True)
class Goal:
    """The contributions one slot needs: from slot `origin` of the ranks in `required`, as bits.

    Each exactly once, or at least once where not `exactly_once`.
    """

    origin: int
    required: int
    exactly_once: bool = True

    def usable(self, content: Content) -> int:
        """The due ranks whose data this content brings; none if anything in it is in the way."""
        ranks, more = content.get(self.origin, (0, 0))
        if len(content) != 1 or ranks & ~self.required or (self.exactly_once and more):
            return 0
        return ranks

    def fits(self, content: Content) -> bool:
        """Whether nothing in this content is in the way."""
        return not content or self.usable(content) > 0

    def missing(self, content: Content) -> int:
        """The due ranks whose data this content lacks."""
        return self.required & ~content.get(self.origin, (0, 0))[0]

    def excess(self, content: Content) -> tuple[Content, int]:
        """What is there but not due, and the due ranks whose data is there again."""
        ranks, more = content.get(self.origin, (0, 0))
        foreign = {slot: there for slot, there in content.items() if slot != self.origin}
        if ranks & ~self.required:
            foreign[self.origin] = (ranks & ~self.required, 0)
        return foreign, more & self.required if self.exactly_once else 0

    def met(self, content: Content) -> bool:
        """Whether this content is what is due."""
        return self.usable(content) == self.required

    def lost(self, left: Iterable[int]) -> int:
        """The due ranks whose data is in none of the usable contents that are left."""
        there = 0
        for ranks in left:
            there |= ranks
        return self.required & ~there

    def cover(self, left: Iterable[int]) -> Sequence[int] | None:
        """Usable contents that add up to what is due: all if that is not known, None if none do.

        Contents that overlap cannot be added where each rank's data is due exactly once.
        """
        parts = sorted(left, key=int.bit_count, reverse=True)
        if self.lost(parts):
            return None
        if not self.exactly_once or self.required.bit_count() > MAX_COVERED:
            return parts
        tried = [0]
        for cover in _covers(self.required, parts, tried):
            return cover
        return parts if tried[0] > MAX_TRIED else None


def _covers(rest: int, parts: Sequence[int], tried: list[int]) -> Iterator[list[int]]:
    """Sets of disjoint parts whose union is `rest`, until too many were tried."""
    if not rest:
        yield []
        return
    first = rest & -rest
    for part in parts:
        tried[0] += 1
        if tried[0] > MAX_TRIED:
            return
        if part & first:
            fitting = [addend for addend in parts if not addend & part]
            for cover in _covers(rest & ~part, fitting, tried):
                yield [part, *cover]


class Goals:
    """What each promised slot of a recording needs."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._exactly_once = recording.collective.exactly_once
        needs, after = recording.required, recording.postcondition[:, : recording.promised_slots]
        columns = np.stack([needs.origin[after], needs.first[after], needs.end[after]], axis=1)
        self._masks: dict[int, list[int]] = {}
        for origin, first, end in np.unique(columns, axis=0).tolist():
            self._masks.setdefault(origin, []).append(self._mask(origin, first, end))

    def __getitem__(self, cell: Cell) -> Goal:
        """What one promised slot needs."""
        needs = self._recording.required
        origin, first, end = (int(c[cell]) for c in (needs.origin, needs.first, needs.end))
        return Goal(origin, self._mask(origin, first, end), self._exactly_once)

    def anybody(self, content: Content) -> bool:
        """Whether any promised slot could use this content."""
        return any(
            Goal(origin, mask, self._exactly_once).usable(content)
            for origin in content
            for mask in self._masks.get(origin, ())
        )

    def is_scratch(self, cell: Cell) -> bool:
        """Whether nothing is ever promised of this slot."""
        rank, slot = cell
        return rank >= self._recording.ranks or slot >= self._recording.promised_slots

    def _mask(self, origin: int, first: int, end: int) -> int:
        holders = np.flatnonzero(self._recording.precondition[first:end, origin]) + first
        return mask(holders.tolist())
