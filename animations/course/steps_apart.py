"""How far apart ranks are: messages of two steps that are under way at one moment."""

from __future__ import annotations

from functools import cache

import numpy as np

from animations.course.examples import EXAMPLES, timed
from collectives.cost.where import Where

HALF = 0.5  # of the time until the next message begins or ends
DIGITS = 9  # of times in seconds: what differs by less is the same moment


def apart_at(
    collective: str, algorithm: str, ranks: int, size: int, machine: str, *trouble: str | float
) -> float:
    """Seconds until messages under way are of steps the furthest apart, by the dataflow clock.

    machine: a name, with parameters of its own behind a colon. trouble: none, or its name and what
    `examples.timed` takes for it, such as "late", 3, 1e-3.
    """
    return _furthest_steps(collective, algorithm, ranks, int(size), machine, *trouble)[0]


def behind(
    collective: str, algorithm: str, ranks: int, size: int, machine: str, *trouble: str | float
) -> int:
    """The earliest step of a message under way at that moment, counted from 1."""
    return _furthest_steps(collective, algorithm, ranks, int(size), machine, *trouble)[1]


def ahead(
    collective: str, algorithm: str, ranks: int, size: int, machine: str, *trouble: str | float
) -> int:
    """The latest step of a message under way at that moment, counted from 1."""
    return _furthest_steps(collective, algorithm, ranks, int(size), machine, *trouble)[2]


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


READ = (apart_at, behind, ahead)
