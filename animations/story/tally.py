"""What ranks hold in a state, in numbers: counted from executed contributions, for sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from collectives.recording.recording import Recording

MOST_CELLS = 1 << 23  # of all states together; of more only those at the ends of phases are counted
Span = tuple[int, int]


@dataclass(frozen=True)
class Tally:
    """One state: spans are the least and the most.

    finished: of each rank the promised cells that are complete, of those ranks to which something
    is promised; wanted: how many are promised. done: how many of these ranks have all of it.
    held: contributions in the cells of ranks that hold something. spread: of each chunk the
    most contributions that a rank holds of it, in a slot of its own vector.
    """

    finished: Span
    wanted: Span
    done: int
    goal: int
    held: Span
    spread: Span
    arrived: int
    promised: int


def tallies(recording: Recording, ends: Iterable[int]) -> Mapping[int, Tally]:
    """The tally of every state, by the number of its step; of large recordings of some only."""
    states = len(recording.steps) + 1
    few = states * recording.nodes * recording.slots <= MOST_CELLS
    return {step: _tally(recording, step) for step in (range(states) if few else sorted({*ends}))}


def _tally(recording: Recording, step: int) -> Tally:
    count, complete = recording.levels(step)
    goal = recording.postcondition
    count, complete = count[: recording.ranks], complete[: recording.ranks] & goal
    wanted = goal.sum(axis=1)
    asks = wanted > 0
    finished = complete.sum(axis=1)[asks]
    chunks = count[:, : recording.chunk_count]
    return Tally(
        _span(finished),
        _span(wanted[asks]),
        int((finished == wanted[asks]).sum()),
        int(asks.sum()),
        _span(count[count > 0]),
        _span(chunks.max(axis=0)),
        int(finished.sum()),
        int(wanted.sum()),
    )


def _span(values: npt.NDArray[np.integer]) -> Span:
    return (int(values.min()), int(values.max())) if values.size else (0, 0)
