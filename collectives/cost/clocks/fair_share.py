"""Max-min fair sharing: how fast flows go that share links, and when each has arrived.

A flow uses every link of its path at its own rate. Rates grow together until a link is full or
a flow reaches its limit; its flows stay there, the others go on growing. So no flow
can have more without taking it from one that has less, or as much.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.cost.machines.paths import Floats, Integers

TIE = 1e-13  # relative: flows that end this close together end at once
QUICK_FLOWS = 2048  # up to which a round over all flows is quick
WORTHWHILE = 8  # a round over all flows is, where it fixes this part of them (1 / 8) or more


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
        gone = done[flow]
        if len(live) > QUICK_FLOWS and np.count_nonzero(gone) * WORTHWHILE < len(gone):
            level, done = _by_level(flow, links, heavy, cap, left)
            gone = done[flow]
        rate[live[done]] = level[done] * heavy[done]
        if gone.all():
            break
        used = np.bincount(links[gone], rate[live[flow[gone]]], len(left))
        left = np.maximum(left - used, 0)
        live, links, length = live[~done], links[~gone], length[~done]
    return rate


def _by_level(
    flow: Integers, links: Integers, weight: Floats, cap: Floats, room: Floats
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Fill the fullest link, then the next, until half of the flows stay: levels, and which do.

    Only the links of a full link's flows are looked at then, where many links fill one by one.
    flow: whose each of `links` is, in ascending order. weight: of each flow. cap: the limit of
    each flow for a weight of 1. room: bytes per second that each link has left.
    """
    number, flows = len(room), len(cap)
    length = np.bincount(flow, minlength=flows)
    first = np.cumsum(length) - length
    small = links.astype(np.uint16) if number < 1 << 16 else links  # sorts faster
    users = flow[np.argsort(small, kind="stable")]
    counts = np.bincount(links, minlength=number)
    begin = np.concatenate([[0], np.cumsum(counts)])
    heavy = np.bincount(links, weight[flow], number)
    left, level, growing = room.copy(), np.zeros(flows), np.ones(flows, np.bool_)
    by_cap = np.argsort(cap)
    caps, capped, stay = cap[by_cap], 0, 0
    while 2 * stay < flows:
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(counts > 0, left / heavy, np.inf)
        lowest = share.min()
        if caps[capped] <= lowest:  # nobody gets less than this from now on
            upto = int(np.searchsorted(caps, lowest, side="right"))
            which = by_cap[capped:upto]
            which = which[growing[which]]
            capped = upto
            level[which] = cap[which]
        else:
            full = np.flatnonzero(share <= lowest * (1 + TIE))
            which = np.concatenate([users[begin[k] : begin[k + 1]] for k in full.tolist()])
            which = np.unique(which[growing[which]])  # some use two of them, or one twice
            level[which] = lowest
        growing[which] = False
        stay += len(which)
        hops = length[which]
        passed = links[entries(first[which], hops)]
        weights = np.repeat(weight[which], hops)
        left -= np.bincount(passed, np.repeat(level[which], hops) * weights, number)
        heavy -= np.bincount(passed, weights, number)
        counts -= np.bincount(passed, minlength=number)
        np.maximum(left, 0, out=left)
    return level, ~growing


def arrivals(
    begin: Floats,
    size: Floats,
    start: Integers,
    link: Integers,
    capacity: Floats,
    limit: Floats,
    weight: Floats | None = None,
) -> Floats:
    """When the last byte of each flow arrives; inf where it never does.

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
        more = int(np.searchsorted(times, now * (1 + TIE), side="right"))
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
        over = needed <= step + TIE * (now + step)
        now += step
        end[live[over]] = now
        left = (left - rate * step)[~over]
        live = live[~over]
    return end


def _of(
    flows: Integers, start: Integers, length: Integers, link: Integers
) -> tuple[Integers, Integers]:
    """The paths of these flows alone."""
    lengths = length[flows]
    return np.concatenate([[0], np.cumsum(lengths)]), link[entries(start[flows], lengths)]


def entries(first: Integers, length: Integers) -> Integers:
    """The numbers first[0] to first[0] + length[0] - 1, then those from first[1], and so on.

    >>> entries(np.array([10, 20]), np.array([2, 3]))
    array([10, 11, 20, 21, 22])
    """
    ahead = np.cumsum(length) - length
    numbers: Integers = np.repeat(first - ahead, length) + np.arange(length.sum())
    return numbers
