"""The critical path of a timing: messages one after another that take all of its time."""

from __future__ import annotations

import numpy as np

from collectives.cost.clocks.timing import Messages, Timing
from collectives.cost.machines.paths import Integers

ROUNDED_OFF = 1e-9  # of the whole time: less apart is at once


def critical_path(timing: Timing) -> Integers:
    """The rows of `timing.messages` on a longest path, the first first.

    Each begins when the one before it has ended: with its data, at one of its ports, or, by the
    lockstep clock, anywhere. Empty where nothing is sent or a message never ends.

    >>> from collectives import record, topology
    >>> from collectives.cost.clocks.clock import dataflow
    >>> ring = record("all_reduce", "ring", ranks=4, count=4000, dtype="uint8")
    >>> len(critical_path(dataflow(ring, topology("crossbar", 4, latency="5us"))))
    6
    """
    messages = timing.messages
    if not len(messages) or not np.isfinite(timing.total):
        return np.zeros(0, np.intp)
    near = ROUNDED_OFF * timing.total
    order = np.argsort(messages.end, kind="stable")
    ends = messages.end[order]
    path = [int(messages.end.argmax())]
    while (row := _before(messages, order, ends, path[-1], near)) is not None:
        path.append(row)
    return np.array(path[::-1], np.intp)


def _before(
    messages: Messages, order: Integers, ends: np.ndarray, row: int, near: float
) -> int | None:
    """What ends when a message begins: with its data, else at its ports, else anything."""
    begin = messages.start[row]
    low, high = np.searchsorted(ends, (begin - near, begin + near))
    at_once = order[low:high]
    earlier = (messages.start[at_once] < begin - near) | (at_once < row)  # so that it ends
    at_once = np.sort(at_once[earlier])
    if begin <= near or not len(at_once):
        return None
    src, dst = messages.src, messages.dst
    with_data = at_once[dst[at_once] == src[row]]
    ports = at_once[(src[at_once] == src[row]) | (dst[at_once] == dst[row])]
    found = next(each for each in (with_data, ports, at_once) if len(each))
    return int(found[-1])
