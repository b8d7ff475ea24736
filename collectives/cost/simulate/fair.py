"""Max-min fair sharing: how fast flows go that share links, and when each has arrived.

A flow uses every link of its path at its own rate. Rates grow together until a link is full or
a flow reaches its limit; its flows stay there, the others go on growing. So nobody can have more
without somebody who has less, or as much, losing some.
"""

from __future__ import annotations

import numpy as np

from collectives.cost.paths import Floats, Integers

SAME = 1e-13  # relative: flows that end this close together end at once


def fair_rates(
    start: Integers, link: Integers, capacity: Floats, limit: Floats, weight: Floats | None = None
) -> Floats:
    """Bytes per second of each flow.

    Flow f uses the links `link[start[f]:start[f + 1]]`, one at least; a link listed twice is
    used twice. `capacity[link]` and `limit[flow]` are bytes per second. With `weight`, flows on
    one full link get shares in proportion to it.

    >>> start, link = np.array([0, 1, 3, 4]), np.array([0, 0, 1, 1])
    >>> fair_rates(start, link, np.array([1.0, 10.0]), np.full(3, np.inf))
    array([0.5, 0.5, 9.5])
    """
    flows = len(start) - 1
    unit = np.ones(flows) if weight is None else weight
    rate = np.zeros(flows)
    left = capacity.astype(np.float64)
    live = np.arange(flows)
    links, length = link, np.diff(start)
    while len(live):
        first = np.cumsum(length) - length
        flow = np.repeat(np.arange(len(live)), length)
        heavy = unit[live]
        with np.errstate(divide="ignore", invalid="ignore"):
            share = left / np.bincount(links, heavy[flow], len(left))
        cap = limit[live] / heavy
        level = np.minimum(np.minimum.reduceat(share[links], first), cap)
        lowest = np.full(len(left), np.inf)
        np.minimum.at(lowest, links, level[flow])
        full = lowest >= share  # no flow of these links is held up elsewhere
        done = (level == cap) | np.logical_or.reduceat(full[links], first)
        rate[live[done]] = level[done] * heavy[done]
        gone = done[flow]
        if gone.all():
            break
        used = np.bincount(links[gone], rate[live[flow[gone]]], len(left))
        left = np.maximum(left - used, 0)
        live, links, length = live[~done], links[~gone], length[~done]
    return rate


def arrivals(
    begin: Floats,
    size: Floats,
    start: Integers,
    link: Integers,
    capacity: Floats,
    limit: Floats,
    weight: Floats | None = None,
) -> Floats:
    """When the last byte of each flow is there; inf where it never is.

    A flow of `size` bytes enters its links at `begin`, whole, and shares them from then on with
    all flows that are under way, at the rates of `fair_rates`. With `weight[flow]` = 1 / latency
    they are those of SimGrid's CM02, in which a flow with twice the latency gets half the share.

    >>> both = np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0]), np.full(2, np.inf)
    >>> arrivals(np.array([0.0, 2.0]), np.array([3.0, 3.0]), *both)
    array([4., 6.])
    """
    end = np.where(size > 0, np.inf, begin)
    length = np.diff(start)
    waiting = np.flatnonzero((size > 0) & np.isfinite(begin))
    waiting = waiting[np.argsort(begin[waiting], kind="stable")]
    times = begin[waiting]
    live, left = np.zeros(0, np.intp), np.zeros(0)
    now, arrived = 0.0, 0
    while arrived < len(waiting) or len(live):
        if not len(live):
            now = float(times[arrived])
        more = int(np.searchsorted(times, now * (1 + SAME), side="right"))
        new = waiting[arrived:more]
        arrived = more
        live, left = np.concatenate([live, new]), np.concatenate([left, size[new]])
        heavy = None if weight is None else weight[live]
        rate = fair_rates(*_of(live, start, length, link), capacity, limit[live], heavy)
        with np.errstate(divide="ignore"):
            needed = left / rate
        soon = float(needed.min())
        until = float(times[arrived]) - now if arrived < len(waiting) else np.inf
        if soon == np.inf and until == np.inf:
            return end  # nothing moves any more
        step = min(soon, until)
        over = needed <= step + SAME * (now + step)
        now += step
        end[live[over]] = now
        left = (left - rate * step)[~over]
        live = live[~over]
    return end


def _of(
    flows: Integers, start: Integers, length: Integers, link: Integers
) -> tuple[Integers, Integers]:
    """The paths of these flows alone."""
    many = length[flows]
    first = np.concatenate([[0], np.cumsum(many)])
    entry = np.repeat(start[flows] - first[:-1], many) + np.arange(first[-1])
    return first, link[entry]
