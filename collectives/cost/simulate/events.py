"""A walk through time: what happens next, at which rates bytes flow until then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from collectives.cost.paths import Floats, Integers, Paths
from collectives.cost.simulate.fair import SAME, fair_rates

NEVER = float("inf")
SENT, READY, OUT, INTO, FLOW = range(5)  # kinds of events
NOTHING = 1 << 62  # the message of an item that is none


@dataclass(slots=True)
class Item:
    """Something that happens when all it waits for has: it starts a message, or ends ~message."""

    waits: int
    time: float
    message: int
    takes: float = 0.0  # seconds until it is over, where it is no message


@dataclass(slots=True)
class Plan:
    """What waits for what, on which network; `after[item]` are the items that wait for it.

    starts and ends: the items that start and end each message. queues: the messages of each
    port, (OUT or INTO, link), in order. paths: groups of links, of each message.
    """

    items: Sequence[Item]
    after: Sequence[Sequence[int]]
    starts: Sequence[int]
    ends: Sequence[int]
    queues: Mapping[tuple[int, int], Sequence[int]]
    columns: Mapping[str, Floats]
    paths: Paths
    capacity: Floats
    lanes: Integers
    gap: float


class Walk:
    """One walk through time, in which a plan's messages get their times."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._items, self._starts, self._ends = plan.items, plan.starts, plan.ends
        self._queues, self._lanes = plan.queues, plan.lanes.tolist()
        self._lead, self._flight, self._added, self._limits, self._bytes = (
            plan.columns[name].tolist() for name in ("lead", "flight", "added", "limit", "flow")
        )
        number = len(self._starts)
        self._used = dict.fromkeys(self._queues, 0)
        self._ports: list[list[tuple[int, int]]] = [[] for _ in range(number)]
        self._start, self._sent, self._end = ([NEVER] * number for _ in range(3))
        self._events: list[tuple[float, int, int]] = []
        self._new: list[int] = []

    def times(self) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it never comes to it."""
        self._begin()
        live, left, rate = np.zeros(0, np.intp), np.zeros(0), np.zeros(0)
        now = 0.0
        while self._events or len(live):
            with np.errstate(divide="ignore", invalid="ignore"):
                needed = left / rate
            soon = float(needed.min(initial=NEVER))
            until = self._events[0][0] - now if self._events else NEVER
            step = min(soon, until)
            if step == NEVER:
                break  # what is left is over dead links, or waits for it
            step = max(step, 0.0)
            over = needed <= step + SAME * (now + step)
            now += step
            left = left - rate * step
            for message in live[over].tolist():
                self._arrived(message, now)
            while self._events and self._events[0][0] <= now * (1 + SAME):
                self._happen(*heappop(self._events))
            if self._new or over.any():
                live = np.concatenate([live[~over], np.array(self._new, np.intp)])
                left = np.concatenate([left[~over], self._plan.columns["flow"][self._new]])
                self._new = []
                rate = self._rates(live)
        return np.array(self._start), np.array(self._sent), np.array(self._end)

    def _begin(self) -> None:
        """Let messages wait for those before them at their ports; what waits for nothing begins."""
        for port, queue in self._queues.items():
            for place, message in enumerate(queue):
                self._ports[message].append(port)
                if place >= self._lanes[port[1]]:
                    self._items[self._starts[message]].waits += 1
        for number, item in enumerate(self._items):
            if not item.waits:
                heappush(self._events, (item.time, READY, number))

    def _rates(self, live: Integers) -> Floats:
        if not len(live):
            return np.zeros(0)
        start, link = self._plan.paths.start, self._plan.paths.link
        many = start[live + 1] - start[live]
        first = np.concatenate([[0], np.cumsum(many)])
        entry = np.repeat(start[live] - first[:-1], many) + np.arange(first[-1])
        return fair_rates(
            first, link[entry], self._plan.capacity, self._plan.columns["limit"][live]
        )

    def _happen(self, time: float, kind: int, number: int) -> None:
        if kind == READY:
            item = self._items[number]
            if item.message == NOTHING:
                item.time = time + item.takes
                heappush(self._events, (item.time, SENT, number))
            elif item.message >= 0:
                self._start[item.message] = time
                heappush(self._events, (time + self._lead[item.message], FLOW, item.message))
            else:
                message = ~item.message
                self._end[message] = time + self._added[message]
                heappush(self._events, (self._end[message], SENT, number))
        elif kind == SENT:
            self._notify(number, time)
        elif kind == FLOW:
            if self._limits[number] > 0 and self._bytes[number] > 0:
                self._new.append(number)
            elif self._limits[number] > 0:
                self._arrived(number, time)
        else:
            self._free((kind, self._ports_of(kind, number)), time)

    def _ports_of(self, kind: int, message: int) -> int:
        return next(link for side, link in self._ports[message] if side == kind)

    def _arrived(self, message: int, now: float) -> None:
        """The last byte has left: free the ports in time, and let what waits for it go on."""
        self._sent[message] = now
        gap = self._start[message] + self._plan.gap
        heappush(self._events, (max(now, gap), OUT, message))
        heappush(self._events, (max(now + self._added[message], gap), INTO, message))
        self._notify(self._starts[message], now)
        self._done_one(self._ends[message], now + self._flight[message])

    def _free(self, port: tuple[int, int], time: float) -> None:
        self._used[port] += 1
        queue, place = self._queues[port], self._used[port] + self._lanes[port[1]] - 1
        if place < len(queue):
            self._done_one(self._starts[queue[place]], time)

    def _notify(self, number: int, time: float) -> None:
        for later in self._plan.after[number]:
            self._done_one(later, time)

    def _done_one(self, number: int, time: float) -> None:
        item = self._items[number]
        item.waits -= 1
        item.time = max(item.time, time)
        if item.waits == 0:
            heappush(self._events, (item.time, READY, number))
