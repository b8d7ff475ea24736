"""How far apart ranks are: messages of two steps that are under way at one moment."""

from __future__ import annotations

from functools import cache

import numpy as np

from animations.course.examples import EXAMPLES, timed
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.words import nearest

WHICH = "at", "behind", "ahead"
HALF = 0.5  # of the time until the next message begins or ends
DIGITS = 9  # of times in seconds: what differs by less is the same moment


def step_gap(which: str, *run: str | float) -> float:
    """Of messages under way whose steps are the furthest apart: when, or which steps.

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
    schedule = "function" if algorithm in EXAMPLES else "algorithm"
    table = {"collective": collective, schedule: algorithm, "ranks": ranks}
    table |= {"machine": where.machine, "with": where.parameters}
    if trouble:
        table[str(trouble[0])] = trouble[1:]
    messages = timed(table, size).messages
    changes = np.unique(np.append(messages.start, messages.end).round(DIGITS))
    moments = changes[:-1] + HALF * np.diff(changes)
    furthest = (0.0, 1, 1)
    for moment in moments.tolist():
        steps = messages.step[(messages.start <= moment) & (messages.end > moment)] + 1
        if len(steps) and np.ptp(steps) > furthest[2] - furthest[1]:
            furthest = (moment, int(steps.min()), int(steps.max()))
    return furthest


READ = (step_gap,)
