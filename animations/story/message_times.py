"""When each transfer of a recording begins and ends by a clock, for diagrams in space and time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from animations.story.frames import Frame
from collectives.cost.clocks.timing import Timing

TICKS = 10_000  # of the whole time: finer than any screen
MOST_TIMED = 40_000  # messages that are timed one by one


@dataclass(frozen=True)
class MessageTimes:
    """Of each step when its transfers begin and end: start, end, start, end … of its transfers.

    In ticks of which the whole time, `total` seconds, has TICKS. Where all of a step are alike
    only the first two are there. A transfer within a node takes no time: it has none of its own.
    """

    clock: str
    machine: str
    total: float
    steps: tuple[tuple[int, ...], ...]


def message_times(timing: Timing, frames: Sequence[Frame]) -> tuple[MessageTimes, ...]:
    """The times of a timing; nothing where they are very many, or never end."""
    if not 0 < timing.total < math.inf or timing.recording.counters.messages > MOST_TIMED:
        return ()
    messages = timing.messages
    scale = TICKS / timing.total
    when: dict[tuple[int, int, int], tuple[int, int]] = {}
    columns = (messages.step, messages.src, messages.dst, messages.start, messages.end)
    for step, src, dst, start, end in zip(*(column.tolist() for column in columns), strict=True):
        first, last = when.get((step, src, dst), (TICKS, 0))
        when[step, src, dst] = min(first, round(start * scale)), max(last, round(end * scale))
    steps = tuple(_of_step(frame, when) for frame in frames)
    return (MessageTimes(timing.clock, timing.topology.name, timing.total, steps),)


def _of_step(frame: Frame, when: dict[tuple[int, int, int], tuple[int, int]]) -> tuple[int, ...]:
    keys = [(frame.number - 1, transfer.src, transfer.dst) for transfer in frame.transfers]
    known = {when[key] for key in keys if key in when}
    if len(known) < 2:
        return known.pop() if known else ()
    local = min(known)[0], min(known)[0]
    return tuple(tick for key in keys for tick in when.get(key, local))
