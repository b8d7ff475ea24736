"""Schedules that a lecture writes, breaks and mends: an all-gather both ways round a ring."""

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from collectives.cost.by_name import time
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Schedule, send

WAYS = np.array([[1], [-1]])  # to the right, and to the left


def hasty_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range((n - 1) // 2):
        to = (rank + WAYS) % n
        chunk = (rank - WAYS * step) % n
        # every rank passes chunks to both of its neighbors
        yield send(rank, to, chunk)


def two_way_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range(n // 2):
        ways = WAYS[: n - 1 - 2 * step]
        to = (rank + ways) % n
        chunk = (rank - ways * step) % n
        # every rank passes chunks to both of its neighbors
        yield send(rank, to, chunk)


EXAMPLES = {each.__name__: each for each in (hasty_all_gather, two_way_all_gather)}


def recording_of(table: Mapping[str, Any]) -> Recording:
    """What a passage names: an algorithm of the catalog, or a function of EXAMPLES."""
    collective, ranks = table["collective"], table["ranks"]
    if "function" in table:
        return record(EXAMPLES[table["function"]](ranks), collective=collective, ranks=ranks)
    return record(collective, table["algorithm"], ranks=ranks, **table.get("with", {}))


def own_steps(name: str, ranks: int) -> int:
    """Steps of an example."""
    return len(_recorded(name, ranks).steps)


def own_seconds(name: str, ranks: int, size: int, machine: str) -> float:
    """Seconds of an example for so many bytes."""
    return time(_recorded(name, ranks), machine, size=size).total


def proved(name: str, most: int) -> int:
    """For how many numbers of ranks, from 1, an example keeps the promise of an all-gather."""
    return sum(_recorded(name, ranks).check().ok for ranks in range(1, most + 1))


def verdict(name: str, ranks: int) -> str:
    """Whether an example is right on so many ranks: a letter."""
    return "✓" if _recorded(name, ranks).check() else "✗"


def _recorded(name: str, ranks: int) -> Recording:
    return recording_of({"collective": "all_gather", "function": name, "ranks": ranks})


def source_of(name: str) -> tuple[str, ...]:
    """The lines of an example, after that of its ways."""
    lines = inspect.getsource(EXAMPLES[name]).rstrip().splitlines()
    ways = next(line for line in Path(__file__).read_text("utf-8").splitlines() if "WAYS =" in line)
    return ways, *lines


READ = own_steps, own_seconds, proved
