"""Runs messages through time: each waits for its data and its ports, then its bytes share links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from collectives.cost.clocks.fair_flows import NEVER, FairFlows
from collectives.cost.clocks.fair_share import TIE
from collectives.cost.clocks.step_messages import StepRoutes
from collectives.cost.machines.paths import Floats, Integers

SENT, READY, OUT, INTO, FLOW = range(5)  # kinds of entries, in the order in which they happen
NO_MESSAGE = 1 << 62  # the message of an event that is none


@dataclass(slots=True)
class Event:
    """Happens when all it waits for has: it starts its message, or ends message ~`message`."""

    waits: int
    time: float
    message: int
    lasts: float = 0.0  # seconds until it is over, where it is no message


class EventQueue:
    """Events, which of them wait for which others, and the queue of messages at each port."""

    def __init__(self, lanes: Integers, gap: float) -> None:
        self.events: list[Event] = []
        self._later: list[list[int]] = []  # the events that wait for each
        self._starts: list[int] = []  # the event that starts each message
        self._ends: list[int] = []
        self._ports: dict[int, list[int]] = {OUT: [], INTO: []}  # the link of each message
        self._queues: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._lanes, self._gap = lanes.tolist(), gap
        self._heap: list[tuple[float, int, int]] = []

    def __len__(self) -> int:
        """Number of messages."""
        return len(self._starts)

    def event(self, message: int, time: float) -> int:
        """A new event, not before this time."""
        self.events.append(Event(0, time, message))
        self._later.append([])
        return len(self.events) - 1

    def follow(self, earlier: int, later: int) -> None:
        """Let one event wait for another."""
        self._later[earlier].append(later)
        self.events[later].waits += 1

    def messages(
        self, routes: StepRoutes, start: Floats, end: Floats
    ) -> tuple[list[int], list[int]]:
        """New messages behind those at their ports: the events that start and end each."""
        first = len(self)
        starts = [self.event(first + m, time) for m, time in enumerate(start.tolist())]
        ends = [self.event(~(first + m), time) for m, time in enumerate(end.tolist())]
        for event in ends:
            self.events[event].waits = 1  # for its last byte
        self._starts += starts
        self._ends += ends
        out, into = routes.out.tolist(), routes.into.tolist()
        self._ports[OUT] += out
        self._ports[INTO] += into
        for turn in routes.rounds:
            for m in turn.tolist():
                self._queues[OUT, out[m]].append(first + m)
                self._queues[INTO, into[m]].append(first + m)
        return starts, ends

    def run(self, columns: Mapping[str, Floats], flows: FairFlows) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it is never reached."""
        self._lead, self._flight, self._added, self._limits, self._bytes = (
            columns[name].tolist() for name in ("lead", "flight", "added", "limit", "flow")
        )
        self._start, self._sent, self._end = ([NEVER] * len(self) for _ in range(3))
        self._flows, heap = flows, self._heap
        self._begin()
        while True:
            now = min(heap[0][0] if heap else NEVER, flows.next_end())
            if now == NEVER:
                break  # what is left is over dead links, or waits for it
            for message in flows.finished(now):
                self._last_byte(message, now)
            while heap and heap[0][0] <= now * (1 + TIE):
                self._happen(*heappop(heap))
            flows.settle(now)
        return np.array(self._start), np.array(self._sent), np.array(self._end)

    def _begin(self) -> None:
        """Let messages wait for those before them at their ports, and the other events happen."""
        for (_, port), queue in self._queues.items():
            for message in queue[self._lanes[port] :]:
                self.events[self._starts[message]].waits += 1
        self._served = dict.fromkeys(self._queues, 0)
        for number, event in enumerate(self.events):
            if not event.waits:
                heappush(self._heap, (event.time, READY, number))

    def _happen(self, time: float, kind: int, number: int) -> None:
        if kind == READY:
            event = self.events[number]
            if event.message == NO_MESSAGE:
                event.time = time + event.lasts
                heappush(self._heap, (event.time, SENT, number))
            elif event.message >= 0:
                self._start[event.message] = time
                heappush(self._heap, (time + self._lead[event.message], FLOW, event.message))
            else:
                message = ~event.message
                self._end[message] = time + self._added[message]
                heappush(self._heap, (self._end[message], SENT, number))
        elif kind == SENT:
            self._notify(number, time)
        elif kind == FLOW:
            if self._limits[number] > 0 and self._bytes[number] > 0:
                self._flows.begin(number, self._bytes[number], time)
            elif self._limits[number] > 0:
                self._last_byte(number, time)
        else:
            self._free(kind, number, time)

    def _last_byte(self, message: int, now: float) -> None:
        """The last byte has left: free the ports in time, and notify what waits for it."""
        self._sent[message] = now
        gap = self._start[message] + self._gap
        for side, until in ((OUT, now), (INTO, now + self._added[message])):
            if until <= now >= gap:
                self._free(side, message, now)
            else:
                heappush(self._heap, (max(until, gap), side, message))
        self._notify(self._starts[message], now)
        self._happened(self._ends[message], now + self._flight[message])

    def _free(self, side: int, message: int, time: float) -> None:
        """Let the next message at a port start."""
        port = side, self._ports[side][message]
        self._served[port] += 1
        queue, place = self._queues[port], self._served[port] + self._lanes[port[1]] - 1
        if place < len(queue):
            self._happened(self._starts[queue[place]], time)

    def _notify(self, number: int, time: float) -> None:
        for later in self._later[number]:
            self._happened(later, time)

    def _happened(self, number: int, time: float) -> None:
        """One thing less that an event waits for, which happened at this time."""
        event = self.events[number]
        event.waits -= 1
        event.time = max(event.time, time)
        if event.waits == 0:
            heappush(self._heap, (event.time, READY, number))
