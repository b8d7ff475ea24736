"""Fair rates of flows that begin and end one by one: an event changes only some of them.

Flows with the same shared links and the same limit go equally fast: they are one class. A link
is contested where its flows want more than it has; what happens elsewhere changes no rate but
one's own. So after an event only classes are looked at that are joined to it by contested links.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from collectives.cost.clocks.fair_share import TIE, arrivals, entries, fair_rates
from collectives.cost.machines.paths import Floats, Integers, Paths

NEVER = float("inf")
CONTESTED = 1 + 1e-12  # of its capacity: a link that flows want more of is contested
QUICK_LINKS = 64  # of classes, up to which plain Python is quicker than arrays
MOST_SORTED_OUT = 512  # links of all classes, beyond which all their rates are found anew
FEW_SIZES = 8  # up to which all flows end at a few times
MANY_FLOWS = 4096  # above which arrays are quicker
LONG_PATHS = 4  # shared links of a flow, on average, above which arrays are quicker, too


class FairFlows:
    """Flows that begin and end, at the max-min rates of `fair_rates`.

    paths: of each flow, groups of links; limit: of each flow, in bytes per second, above 0.
    """

    def __init__(self, paths: Paths, limit: Floats, capacity: Floats) -> None:
        self._capacity, self._room = capacity, (capacity * CONTESTED).tolist()
        self._start, self._link = paths.start, paths.link
        bounds, links = paths.start.tolist(), paths.link.tolist()
        ways = [tuple(links[first:end]) for first, end in pairwise(bounds)]
        classes: dict[tuple[float, tuple[int, ...]], int] = {}
        keys = zip(limit.tolist(), ways, strict=True)
        self._class = [classes.setdefault(key, len(classes)) for key in keys]
        self._limit = [rate for rate, _ in classes]
        self._groups = [groups for _, groups in classes]
        self._first_flow = np.unique(self._class, return_index=True)[1]
        number = len(classes)
        self._flows = [0] * number  # of each class that are under way
        self._rate, self._served, self._since = ([0.0] * number for _ in range(3))
        self._heads: list[list[tuple[float, int]]] = [[] for _ in range(number)]
        self._version = [0] * number  # of what is known of the first end in a class
        self._ends: list[tuple[float, int, int]] = []
        self._wanted = [0.0] * len(capacity)
        self._users: list[set[int]] = [set() for _ in capacity]
        self._contested: set[int] = set()
        self._changed: set[int] = set()
        self._near: set[int] = set()  # links that were contested when a class on them changed
        self._live: set[int] = set()
        self._looked_at = 0  # links of all live classes

    def begin(self, flow: int, size: float, now: float) -> None:
        """Let a flow of so many bytes go; its rate is found by `settle`."""
        which = self._class[flow]
        self._serve(which, now)
        heappush(self._heads[which], (self._served[which] + size, flow))
        self._count(which, 1)

    def next_end(self) -> float:
        """When the next flow ends if none begins before; inf where none ever does."""
        while self._ends and self._ends[0][2] != self._version[self._ends[0][1]]:
            heappop(self._ends)
        return self._ends[0][0] if self._ends else NEVER

    def finished(self, now: float) -> list[int]:
        """The flows that end now, or as good as now."""
        ended = []
        while self.next_end() <= now * (1 + TIE):
            which = heappop(self._ends)[1]
            self._version[which] += 1
            self._serve(which, now)
            heads, reach = self._heads[which], self._served[which] * (1 + TIE)
            first = True
            while heads and (first or heads[0][0] <= reach):
                ended.append(heappop(heads)[1])
                self._count(which, -1)
                first = False
        return ended

    def settle(self, now: float) -> None:
        """Find the rates from now on, after all that begins or ends now."""
        if not self._changed:
            return
        for which, rate in self._rates():
            known = which not in self._changed
            if known and abs(rate - self._rate[which]) <= TIE * rate:
                continue
            self._serve(which, now)
            self._rate[which] = rate
            self._version[which] += 1
            if rate > 0:
                left = self._heads[which][0][0] - self._served[which]
                end = now + max(left, 0.0) / rate
                heappush(self._ends, (end, which, self._version[which]))
        self._changed.clear()
        self._near.clear()

    def _rates(self) -> list[tuple[int, float]]:
        """The rate of every class that may have another one now."""
        if not self._contested and not self._near:
            return [(which, self._limit[which]) for which in self._changed & self._live]
        if self._looked_at > MOST_SORTED_OUT:
            return self._by_arrays(list(self._live))
        touched = self._reached()
        joined = sum([len(self._groups[which]) for which in touched])
        return self._by_arrays(touched) if joined > QUICK_LINKS else self._one_by_one(touched)

    def _serve(self, which: int, now: float) -> None:
        """Bring up to date how many bytes each flow of a class has had since the class began."""
        self._served[which] += self._rate[which] * (now - self._since[which])
        self._since[which] = now

    def _count(self, which: int, more: int) -> None:
        """One flow more or less in a class."""
        self._changed.add(which)
        self._flows[which] += more
        groups, wanted, contested = self._groups[which], self._wanted, self._contested
        more_wanted = more * self._limit[which]
        for group in groups:
            wanted[group] += more_wanted
            if wanted[group] > self._room[group]:
                contested.add(group)
            elif group in contested:
                contested.remove(group)
                self._near.add(group)
        if more > 0 and self._flows[which] == 1:
            self._live.add(which)
            self._looked_at += len(groups)
            for group in groups:
                self._users[group].add(which)
        elif not self._flows[which]:
            self._live.remove(which)
            self._looked_at -= len(groups)
            self._served[which], self._rate[which] = 0.0, 0.0
            self._near.update(group for group in groups if group in contested)
            for group in groups:
                self._users[group].discard(which)
                if not self._users[group]:
                    wanted[group] = 0.0  # what rounding has left goes
                    contested.discard(group)

    def _reached(self) -> list[int]:
        """Live classes whose rates may change: joined to what changed by contested links."""
        contested, groups = self._contested, self._groups
        reached = {which for which in self._changed if self._flows[which]}
        seen = set(self._near)
        seen.update(g for which in reached for g in groups[which] if g in contested)
        wave = list(seen)
        while wave:
            group = wave.pop()
            for which in self._users[group]:
                if which not in reached:
                    reached.add(which)
                    for neighbor in groups[which]:
                        if neighbor in contested and neighbor not in seen:
                            seen.add(neighbor)
                            wave.append(neighbor)
        return list(reached)

    def _one_by_one(self, touched: list[int]) -> list[tuple[int, float]]:
        """The rate of each of these classes: the fullest link stays, then the next."""
        contested, flows, limit = self._contested, self._flows, self._limit
        rates: list[tuple[int, float]] = []
        users: dict[int, list[int]] = {}
        weight: dict[int, int] = {}
        growing = set()
        for which in touched:
            for group in self._groups[which]:
                if group in contested:
                    users.setdefault(group, []).append(which)
                    weight[group] = weight.get(group, 0) + flows[which]
                    growing.add(which)
            if which not in growing:
                rates.append((which, limit[which]))
        left = {group: float(self._capacity[group]) for group in weight}
        by_limit = sorted(growing, key=limit.__getitem__, reverse=True)
        while growing:
            share, group = min([(left[g] / weight[g], g) for g in weight])
            stay = []
            while by_limit and limit[by_limit[-1]] <= share:
                stay.append(by_limit.pop())
            limited = bool(stay)
            for which in stay or users[group]:
                if which not in growing:
                    continue
                growing.remove(which)
                level = limit[which] if limited else share
                rates.append((which, level))
                for member in self._groups[which]:
                    if member in weight:
                        weight[member] -= flows[which]
                        left[member] = max(left[member] - level * flows[which], 0.0)
                        if not weight[member]:
                            del weight[member]
        return rates

    def _by_arrays(self, touched: list[int]) -> list[tuple[int, float]]:
        """The same with arrays: quicker where many classes are joined."""
        which = self._first_flow[touched]
        lengths = self._start[which + 1] - self._start[which]
        entry = entries(self._start[which], lengths)
        flows = np.array([self._flows[flow] for flow in touched], np.float64)
        rate = np.array([self._limit[flow] for flow in touched])
        some = np.flatnonzero(lengths)
        if len(some):
            first = np.append(0, np.cumsum(lengths[some]))
            all_of_it = rate[some] * flows[some]
            rate[some] = (
                fair_rates(first, self._link[entry], self._capacity, all_of_it, flows[some])
                / flows[some]
            )
        return list(zip(touched, rate.tolist(), strict=True))


def fair_arrivals(
    begin: Floats, size: Floats, start: Integers, link: Integers, capacity: Floats, limit: Floats
) -> Floats:
    """The same as `arrivals`, by arrays or one flow at a time, whichever is quicker.

    >>> both = np.array([0, 1, 2]), np.array([0, 0]), np.array([1.0]), np.full(2, np.inf)
    >>> fair_arrivals(np.array([0.0, 2.0]), np.array([3.0, 3.0]), *both)
    array([4., 6.])
    """
    shared = np.bincount(link, minlength=len(capacity))[link] > 1
    long = np.count_nonzero(shared) > LONG_PATHS * len(size)
    by_arrays = long or len(size) > MANY_FLOWS or len(np.unique(size)) <= FEW_SIZES
    find = arrivals if by_arrays else arrivals_one_by_one
    return find(begin, size, start, link, capacity, limit)


def arrivals_one_by_one(
    begin: Floats, size: Floats, start: Integers, link: Integers, capacity: Floats, limit: Floats
) -> Floats:
    """The same as `arrivals`, from one event to the next."""
    shared = np.bincount(link, minlength=len(capacity))[link] > 1
    before = np.concatenate([[0], np.cumsum(shared)])
    capped = np.minimum(limit, np.minimum.reduceat(capacity[link], start[:-1]))
    flows = FairFlows(Paths(before[start], link[shared]), capped, capacity)
    end = np.where(size > 0, NEVER, begin)
    waiting = np.flatnonzero((size > 0) & np.isfinite(begin) & (capped > 0))
    waiting = waiting[np.argsort(-begin[waiting], kind="stable")]
    queue, times, sizes = waiting.tolist(), begin.tolist(), size.tolist()
    while True:
        now = min(flows.next_end(), times[queue[-1]] if queue else NEVER)
        if now == NEVER:
            return end
        for flow in flows.finished(now):
            end[flow] = now
        while queue and times[queue[-1]] <= now:
            flow = queue.pop()
            flows.begin(flow, sizes[flow], now)
        flows.settle(now)
