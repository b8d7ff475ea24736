"""Schedules that a lecture writes, breaks and mends: an all-gather both ways round a ring."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Schedule, send

WAYS = np.array([[1], [-1]])  # to the right, and to the left


def hasty_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range((n - 1) // 2):
        # every rank passes chunks to both of its neighbors
        yield send(rank, (rank + WAYS) % n, (rank - WAYS * step) % n)


def two_way_all_gather(n: int) -> Schedule:
    """Chunks go both ways round the ring."""
    rank = np.arange(n)
    for step in range(n // 2):
        ways = WAYS[: n - 1 - 2 * step]  # the last chunk of an even n goes one way
        # every rank passes chunks to both of its neighbors
        yield send(rank, (rank + ways) % n, (rank - ways * step) % n)


EXAMPLES = {each.__name__: each for each in (hasty_all_gather, two_way_all_gather)}


def recording_of(table: Mapping[str, Any]) -> Recording:
    """What a passage names: an algorithm of the catalog, or a function of EXAMPLES."""
    collective, ranks = table["collective"], table["ranks"]
    if "function" in table:
        return record(EXAMPLES[table["function"]](ranks), collective=collective, ranks=ranks)
    return record(collective, table["algorithm"], ranks=ranks, **table.get("with", {}))
