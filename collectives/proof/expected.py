"""What the ranks must end with, computed by numpy alone from their data, without a schedule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.recording.payload import OPERATORS, mean
from collectives.schedule.columns import Integers

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

Array = npt.NDArray[Any]


def expected(recording: Recording, data: Array, op: str) -> Iterator[Array]:
    """What each rank must end with, [element], rank by rank; empty where nothing is promised.

    `data[rank, element]` are the full vectors. Reductions over ranks keep the dtype and run
    from the lowest rank up; avg divides the sum by the number of ranks.
    """
    parts = promised_parts(recording)
    fold = _Fold(data, op)
    if recording.collective.required is None:
        vector = _whole(recording, fold)
        yield from (vector[kept] for kept in parts)
        return
    required, bounds = recording.required, np.concatenate([[0], np.cumsum(recording.size)])
    for rank, slots in enumerate(map(np.flatnonzero, recording.postcondition)):
        held = [data[rank, :0]]
        for slot in slots:
            first, end = int(required.first[rank, slot]), int(required.end[rank, slot])
            origin = int(required.origin[rank, slot])
            held.append(fold(first, end)[bounds[origin] : bounds[origin + 1]])
        yield np.concatenate(held)


def promised_parts(recording: Recording) -> Iterator[Array | slice]:
    """For each rank, which elements of the full vector it ends with; for plain promises."""
    for cells in _promised(recording):
        yield slice(None) if cells.all() else np.repeat(cells, recording.size)


def _promised(recording: Recording) -> Cells:
    """The promised slots of a plain promise, by chunk."""
    end = recording.promised_slots
    return recording.postcondition[:, end - recording.chunk_count : end]


class _Fold:
    """Reductions of the data of neighboring ranks, from the lowest up."""

    def __init__(self, data: Array, op: str) -> None:
        self._data, self._op = data, op
        self._last: tuple[int, int, Array] | None = None

    def __call__(self, first: int, end: int) -> Array:
        """The reduction over ranks first to end - 1, continuing the last one if it can."""
        if end - first == 1:
            row: Array = self._data[first]
            return row
        if self._last is not None and self._last[0] == first and self._last[1] <= end:
            _, done, result = self._last
        else:
            done, result = first + 1, self._data[first]
        if done < end:
            result = result.copy()
            with np.errstate(all="ignore"):
                for vector in self._data[done:end]:  # ufunc.reduce has another order
                    OPERATORS[self._op](result, vector, out=result)
        self._last = (first, end, result)
        return result

    def averaged(self, ranks: int) -> Array:
        """The reduction over all ranks, divided by their number for avg."""
        total = self(0, ranks)
        with np.errstate(all="ignore"):
            return mean(total, ranks) if self._op == "avg" else total


def _whole(recording: Recording, fold: _Fold) -> Array:
    """The full vector of the result."""
    if recording.collective.reduces:
        return fold.averaged(recording.ranks)
    holder = recording.precondition[:, : len(recording.size)].argmax(axis=0)
    bounds = np.concatenate([[0], np.cumsum(recording.size)])
    return np.concatenate(
        [
            fold(rank, rank + 1)[bounds[chunk] : bounds[chunk + 1]]
            for chunk, rank in enumerate(holder.tolist())
        ]
    )


def sizes_of_results(recording: Recording) -> Integers:
    """Elements each rank ends with, shape [ranks]."""
    if recording.collective.required is None:
        lengths: Integers = _promised(recording) @ recording.size
        return lengths
    kept = np.where(
        recording.postcondition[:, : recording.promised_slots],
        recording.size[recording.required.origin],
        0,
    )
    return np.asarray(kept.sum(axis=1))
