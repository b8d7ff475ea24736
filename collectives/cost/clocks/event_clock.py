"""A walk through time: what happens next, at which rates bytes flow until then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from collectives.cost.clocks.fair_flows import Streams
from collectives.cost.clocks.fair_share import SAME
from collectives.cost.machines.paths import Floats, Integers

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
    port, (OUT or INTO, link), in order. streams: the network, in which each message is a flow.
    """

    items: Sequence[Item]
    after: Sequence[Sequence[int]]
    starts: Sequence[int]
    ends: Sequence[int]
    queues: Mapping[tuple[int, int], Sequence[int]]
    columns: Mapping[str, Floats]
    streams: Streams
    lanes: Integers
    gap: float


class Walk:
    """One walk through time, in which a plan's messages get their times."""

    def __init__(self, plan: Plan) -> None:
        self._streams, self._gap = plan.streams, plan.gap
        self._items, self._starts, self._ends = plan.items, plan.starts, plan.ends
        self._after = plan.after
        self._queues, self._lanes = plan.queues, plan.lanes.tolist()
        self._lead, self._flight, self._added, self._limits, self._bytes = (
            plan.columns[name].tolist() for name in ("lead", "flight", "added", "limit", "flow")
        )
        number = len(self._starts)
        self._used = dict.fromkeys(self._queues, 0)
        self._ports = {OUT: [0] * number, INTO: [0] * number}
        self._start, self._sent, self._end = ([NEVER] * number for _ in range(3))
        self._events: list[tuple[float, int, int]] = []

    def times(self) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it never comes to it."""
        self._begin()
        streams, events = self._streams, self._events
        while True:
            now = min(events[0][0] if events else NEVER, streams.next_end())
            if now == NEVER:
                break  # what is left is over dead links, or waits for it
            for message in streams.over(now):
                self._arrived(message, now)
            while events and events[0][0] <= now * (1 + SAME):
                self._happen(*heappop(events))
            streams.settle(now)
        return np.array(self._start), np.array(self._sent), np.array(self._end)

    def _begin(self) -> None:
        """Let messages wait for those before them at their ports; what waits for nothing begins."""
        for port, queue in self._queues.items():
            side = self._ports[port[0]]
            for place, message in enumerate(queue):
                side[message] = port[1]
                if place >= self._lanes[port[1]]:
                    self._items[self._starts[message]].waits += 1
        for number, item in enumerate(self._items):
            if not item.waits:
                heappush(self._events, (item.time, READY, number))

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
                self._streams.begin(number, self._bytes[number], time)
            elif self._limits[number] > 0:
                self._arrived(number, time)
        else:
            self._free(kind, number, time)

    def _arrived(self, message: int, now: float) -> None:
        """The last byte has left: free the ports in time, and let what waits for it go on."""
        self._sent[message] = now
        gap = self._start[message] + self._gap
        for side, until in ((OUT, now), (INTO, now + self._added[message])):
            if until <= now >= gap:
                self._free(side, message, now)
            else:
                heappush(self._events, (max(until, gap), side, message))
        self._notify(self._starts[message], now)
        self._done_one(self._ends[message], now + self._flight[message])

    def _free(self, side: int, message: int, time: float) -> None:
        port = side, self._ports[side][message]
        self._used[port] += 1
        queue, place = self._queues[port], self._used[port] + self._lanes[port[1]] - 1
        if place < len(queue):
            self._done_one(self._starts[queue[place]], time)

    def _notify(self, number: int, time: float) -> None:
        for later in self._after[number]:
            self._done_one(later, time)

    def _done_one(self, number: int, time: float) -> None:
        item = self._items[number]
        item.waits -= 1
        item.time = max(item.time, time)
        if item.waits == 0:
            heappush(self._events, (item.time, READY, number))
