"""The same executed steps for a vector of another size, counted anew and not recorded again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from collectives.recording.counters import Counter, Counters
from collectives.recording.recording import Recording
from collectives.recording.request import MAX_COUNT, MAX_VECTOR_BYTES


def recounted(recording: Recording, count: int, dtype: np.dtype[Any], op: str) -> Recording:
    """The recording for so many elements of a type, with what each rank sends.

    Without scratch slots, unless it `is_scaled`.

    >>> from collectives import record
    >>> ring = record("all_reduce", "ring", ranks=4)
    >>> recounted(ring, 8, ring.dtype, "sum").bytes_sent
    [96, 96, 96, 96]
    """
    anew = replace(recording, count=count, dtype=dtype, op=op, data=None, count_given=True)
    if not is_scaled(recording, count, dtype):
        return replace(anew, counters=_counted(anew))
    chunks = int(recording.size[0]) * recording.dtype.itemsize, int(anew.size[0]) * dtype.itemsize
    return replace(anew, counters=recording.counters.scaled(*chunks))


def is_scaled(recording: Recording, count: int, dtype: np.dtype[Any]) -> bool:
    """Whether each chunk moves as many times as many bytes, and 64 bits can hold their sums."""
    if not recording.count or np.ptp(recording.size) or count % recording.chunk_count:
        return False
    before, after = recording.count * recording.dtype.itemsize, count * dtype.itemsize
    moved = max(recording.nodes * before, recording.counters.total_bytes)
    return 0 <= count <= MAX_COUNT and moved * after <= MAX_VECTOR_BYTES * before


def _counted(recording: Recording) -> Counters:
    """The counts of its steps, walked through once more."""
    size = np.broadcast_to(recording.size, (recording.nodes, recording.slots))
    counter = Counter(size, recording.dtype.itemsize, uniform=False)
    for step in recording.steps:
        counter.add(step)
    return counter.result()
