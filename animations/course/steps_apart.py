"""What is under way at one moment: steps far apart, or chunks up to switches and down."""

from __future__ import annotations

from functools import cache
from itertools import groupby

import numpy as np

from animations.course.examples import timed
from collectives.cost.clocks.timing import Timing
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.words import nearest

WHICH = "at", "behind", "ahead"
HALF = 0.5  # of the time until the next message begins or ends
DIGITS = 9  # of times in seconds: what differs by less is the same moment


def step_gap(which: str, *run: str | float) -> float:
    """Of messages under way whose steps are the furthest apart, and longest: when, or which steps.

    which: "at", seconds by the dataflow clock; "behind" or "ahead", the earliest or latest step
    then, from 1. run: collective, algorithm, ranks, bytes, a machine with its parameters behind a
    colon; then none, or a trouble and what `examples.timed` takes for it, such as "late", 3, 1e-3.
    """
    if which not in WHICH:
        raise BadInput(f"unknown moment {which!r}; {nearest(which, WHICH)}")
    return _furthest_steps(*run)[WHICH.index(which)]


@cache
def _furthest_steps(
    collective: str, algorithm: str, ranks: int, size: int, machine: str, *trouble: str | float
) -> tuple[float, int, int]:
    """The moment, and the two steps."""
    where = Where(machine)
    table = {"collective": collective, "algorithm": algorithm, "ranks": ranks}
    table |= {"machine": where.machine, "with": where.parameters}
    if trouble:
        table[str(trouble[0])] = trouble[1:]
    messages = timed(table, size).messages
    changes = np.unique(np.append(messages.start, messages.end).round(DIGITS))
    gaps = [(0, 0.0, 0.0, 1, 1)]
    for begin, lasts in zip(changes[:-1].tolist(), np.diff(changes).tolist(), strict=True):
        moment = begin + HALF * lasts
        steps = messages.step[(messages.start <= moment) & (messages.end > moment)] + 1
        if len(steps):
            gaps.append((np.ptp(steps), lasts, moment, int(steps.min()), int(steps.max())))
    return max(gaps)[2:]


def slots_by_way(timing: Timing) -> list[tuple[str, int, float]]:
    """Slots of time with the same ways of whole chunks: "↑↓" for both, how many, when they end.

    A slot is a step; shards, which take a small part of it, are left out.
    """
    messages, ranks = timing.messages, timing.recording.ranks
    whole = messages.size > messages.size.max() / 2

    def ways(step: int) -> str:
        own = whole & (messages.step == step)
        up, down = messages.dst[own] >= ranks, messages.src[own] >= ranks
        return "↑" * bool(up.any()) + "↓" * bool(down.any())

    runs = [(way, [*steps]) for way, steps in groupby(range(len(timing.recording.steps)), ways)]
    ends = [float(messages.end[messages.step == steps[-1]].max()) for _, steps in runs]
    return [(way, len(steps), end) for (way, steps), end in zip(runs, ends, strict=True)]


@cache
def slots(way: str, algorithm: str, chunks: int, size: int, machine: str) -> int:
    """How many slots of an all-reduce of eight ranks in chunks have these ways; of "", all."""
    table = {"collective": "all_reduce", "algorithm": algorithm, "ranks": 8, "chunks": chunks}
    every = slots_by_way(timed({**table, "machine": machine}, int(size)))
    return sum(number for ways, number, _ in every if way in ("", ways))


READ = step_gap, slots
