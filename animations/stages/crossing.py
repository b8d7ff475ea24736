"""The space between two tables: lanes side by side, in which blocks change rows and never meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.stages.given import Given
from animations.stages.scenery import Way
from animations.story.drawing import MOST_MOVES
from collectives.schedule.step import rows

BEND = 64.0  # pixels to the right that data travels between the tables, at least
LANE = 0.78  # of the width of a chunk, from one lane to the next; of several the whole width
MANY = 1.6  # times the width of a chunk, that several chunks are wide
LARGEST_PARCEL = 44.0


def kept_blocks(given: Given) -> dict[int, set[tuple[int, int]]]:
    """The steps, from 1, in which ranks put blocks of their own among the received: rank, slot."""
    found: dict[int, set[tuple[int, int]]] = {}
    n = given.ranks
    for number, step in enumerate(given.recording.steps, 1):
        for src, dst, chunk, into, *_ in rows(step.unrolled()):
            if src == dst and n <= into < 2 * n:
                found.setdefault(number, set()).add((src, chunk))
    return found


@dataclass(frozen=True)
class CrossingLanes:
    """The lanes of a step: one for each number of rows that data moves down, side by side.

    wide: of what travels, by the width of a chunk.
    """

    order: tuple[int, ...]
    wide: float

    @property
    def apart(self) -> float:
        """From one lane to the next, by the width of a chunk."""
        return LANE if self.wide == 1 else self.wide

    @property
    def reach(self) -> float:
        """The width of all lanes, by the width of a chunk."""
        return self.apart * (len(self.order) - 1) + self.wide


def _lanes(given: Given) -> list[CrossingLanes]:
    found, kept = [], kept_blocks(given)
    for number, hops in enumerate(given.steps, 1):
        shifts = {hop.dst - hop.src for hop in hops} | ({0} if number in kept else set())
        many = any(len(hop.chunks) > 1 for hop in hops)
        found.append(CrossingLanes(tuple(sorted(shifts)), MANY if many else 1.0))
    return found


def reach(given: Given) -> float:
    """The width of all lanes in the step that has most of them, by the width of a chunk."""
    steps = zip(_lanes(given), given.steps, strict=True)
    return max((lanes.reach for lanes, hops in steps if len(hops) <= MOST_MOVES), default=1.0)


def crossing_ways(
    given: Given, start: float, gap: float, places: Sequence[float], wide: float
) -> tuple[dict[tuple[int, int], Way], dict[tuple[int, int, int], Way]]:
    """From the space's left edge to its right one; nobody meets, as all move right alike."""
    ways: dict[tuple[int, int], Way] = {}
    own: dict[tuple[int, int, int], Way] = {}
    kept = kept_blocks(given)
    for number, (lanes, hops) in enumerate(zip(_lanes(given), given.steps, strict=True), 1):
        bend = max(0.0, gap - 8 - lanes.reach * wide)
        first = start + 4 + lanes.wide * wide / 2
        begins = {
            shift: first + lanes.apart * wide * lane for lane, shift in enumerate(lanes.order)
        }
        for hop in hops:
            y, end = places[hop.src], places[hop.dst]
            ways.setdefault((hop.src, hop.dst), _bent(begins[hop.dst - hop.src], y, end, bend))
        for rank, chunk in kept.get(number, ()):
            y = places[rank]
            own.setdefault((rank, rank, chunk), _bent(begins[0], y, y, bend))
    return ways, own


def _bent(x: float, y: float, end: float, bend: float) -> Way:
    """To the right by `bend`, and up or down to `end`."""
    return ((x, y), (x + 0.5 * bend, y), (x + 0.5 * bend, end), (x + bend, end))
