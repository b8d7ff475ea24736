"""When flows are there that end one by one: only those that share links are looked at again."""

from __future__ import annotations

import numpy as np

from collectives.cost.clocks.fair_flows import NEVER, Streams
from collectives.cost.clocks.fair_share import arrivals
from collectives.cost.machines.paths import Floats, Integers, Paths

FEW = 8  # different sizes up to which all flows end at a few times
MANY = 4096  # flows above which arrays are quicker
LONG = 4  # shared links of a flow, on average, above which they are, too


def arrivals_at_best(
    begin: Floats, size: Floats, start: Integers, link: Integers, capacity: Floats, limit: Floats
) -> Floats:
    """The same as `arrivals`, by the way that is quicker for flows like these.

    >>> both = np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0]), np.full(2, np.inf)
    >>> arrivals_at_best(np.array([0.0, 2.0]), np.array([3.0, 3.0]), *both)
    array([4., 6.])
    """
    most = LONG * len(size)
    shared = np.bincount(link, minlength=len(capacity))[link] > 1
    if len(size) > MANY or len(np.unique(size)) <= FEW or np.count_nonzero(shared) > most:
        return arrivals(begin, size, start, link, capacity, limit)
    return _one_by_one(begin, size, start, link, capacity, limit)


def _one_by_one(
    begin: Floats, size: Floats, start: Integers, link: Integers, capacity: Floats, limit: Floats
) -> Floats:
    """When each flow is there, from one event to the next."""
    shared = np.bincount(link, minlength=len(capacity))[link] > 1
    before = np.concatenate([[0], np.cumsum(shared)])
    most = np.minimum(limit, np.minimum.reduceat(capacity[link], start[:-1]))
    streams = Streams(Paths(before[start], link[shared]), most, capacity)
    end = np.where(size > 0, NEVER, begin)
    waiting = np.flatnonzero((size > 0) & np.isfinite(begin) & (most > 0))
    waiting = waiting[np.argsort(-begin[waiting], kind="stable")]
    queue, times = waiting.tolist(), begin.tolist()
    sizes = size.tolist()
    while True:
        now = min(streams.next_end(), times[queue[-1]] if queue else NEVER)
        if now == NEVER:
            return end
        for flow in streams.over(now):
            end[flow] = now
        while queue and times[queue[-1]] <= now:
            flow = queue.pop()
            streams.begin(flow, sizes[flow], now)
        streams.settle(now)
