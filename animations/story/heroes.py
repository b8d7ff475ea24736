"""The move of each step that is followed: one chunk for the eye, the caption, the enlarged cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from animations.story.cells import NodeSlot

if TYPE_CHECKING:
    from animations.story.frames import Frame, Move

Way = dict[NodeSlot, tuple[int, int]]  # of a cell: steps it can be followed, the first move


def followed(frames: Sequence[Frame]) -> Iterator[int]:
    """The index of the move that is followed in each step.

    In each phase a chunk is chosen that can be followed for the most steps: to where it is sent,
    and while it rests, by what is added to it. Where it can be followed no more, another one is
    chosen in the same way; of several the first. A phase goes on with the chunk of the one before
    where no other can be followed longer.
    """
    at: NodeSlot | None = None
    for _, phase in groupby(frames, lambda frame: frame.phase):
        steps = list(phase)
        for number, (frame, ways) in enumerate(zip(steps, _ways(steps), strict=True)):
            longest, first = max(ways.values(), key=lambda way: (way[0], -way[1]))
            steps_on, move = ways.get(at, (0, 0)) if at is not None else (0, 0)
            if not steps_on or (number == 0 and steps_on < longest):
                move = first
            at = frame.moves[move].dst, frame.moves[move].into
            yield move


def _ways(steps: Sequence[Frame]) -> list[Way]:
    """How long each cell's content can be followed from each step on, and its first move."""
    found: list[Way] = [{}]
    for frame in reversed(steps):
        found.append(_ways_from(frame.moves, found[-1]))
    return found[:0:-1]


def _ways_from(moves: Sequence[Move], later: Way) -> Way:
    """The cells that a step sends on, then those it adds to."""
    traveling = [(i, move) for i, move in enumerate(moves) if not move.is_local]
    leaving: Way = {}
    arriving: Way = {}
    for i, move in traveling or enumerate(moves):
        target = move.dst, move.into
        steps = 1 + later.get(target, (0, 0))[0]
        ways = [(leaving, (move.src, move.chunk))] + [(arriving, target)] * move.adds
        for known, cell in ways:
            if steps > known.get(cell, (0, 0))[0]:
                known[cell] = steps, i
    return arriving | leaving
