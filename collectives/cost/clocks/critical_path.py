"""The critical path of a timing: messages one after another that take all of its time."""

from __future__ import annotations

import numpy as np

from collectives.cost.clocks.timing import Messages, Timing
from collectives.cost.machines.paths import Floats, Integers

ROUNDED_OFF = 1e-9  # of the whole time: less apart is at once


def critical_path(timing: Timing) -> Integers:
    """The rows of `timing.messages` on a longest path, the first first.

    Each begins when the one before it has ended, with its data or, by the lockstep clock, anywhere;
    or when the one before it has left a port or a link. Empty where nothing is sent or a message
    never ends.

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
    ended, left = _Moments(messages.end), _Moments(messages.sent)
    path = [int(messages.end.argmax())]
    while (row := _before(messages, ended, left, path[-1], near)) is not None:
        path.append(row)
    return np.array(path[::-1], np.intp)


def waits_for(timing: Timing, before: int, row: int) -> str:
    """What a message on the path waits for while the one before it is sent: data, port or link."""
    messages, near = timing.messages, ROUNDED_OFF * timing.total
    ends = {messages.src[row], messages.dst[row]}
    arrives = abs(messages.end[before] - messages.start[row]) <= near
    if arrives and messages.dst[before] == messages.src[row]:
        return "data"
    return "port" if ends & {messages.src[before], messages.dst[before]} else "link"


class _Moments:
    """When something is the case of each message, in order of time."""

    def __init__(self, times: Floats) -> None:
        self._order = np.argsort(times, kind="stable")
        self._times = times[self._order]

    def at(self, time: float, near: float) -> Integers:
        """The messages of which it is so at a time."""
        low, high = np.searchsorted(self._times, (time - near, time + near))
        return np.sort(self._order[low:high])


def _before(
    messages: Messages, ended: _Moments, left: _Moments, row: int, near: float
) -> int | None:
    """What ends, or leaves a port or a link, when a message begins: with its data first."""
    begin, src, dst = messages.start[row], messages.src, messages.dst
    if begin <= near:
        return None
    arrived, gone = ended.at(begin, near), left.at(begin, near)
    for rows in (
        arrived[dst[arrived] == src[row]],
        arrived[(src[arrived] == src[row]) | (dst[arrived] == dst[row])],
        gone[(src[gone] == src[row]) | (dst[gone] == dst[row])],
        arrived,
        gone,
    ):
        # what takes no time only if it is before, so that the path has an end
        earlier = rows[(messages.start[rows] < begin - near) | (rows < row)]
        if len(earlier):
            return int(earlier[-1])
    return None
