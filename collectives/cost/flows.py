"""The dataflow clock where messages share links: events in time, max-min rates between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np

from collectives.cost.fair import SAME, fair_rates
from collectives.cost.messages import Load
from collectives.cost.ports import Delays, Own
from collectives.cost.topology import Floats, Integers, Paths, Topology
from collectives.errors import BadInput

MOST_MESSAGES = 1 << 20
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


class Network:
    """All messages of a recording, what each waits for, and the network they share.

    The rules are those of `PortClocks`, only that the rates at which bytes flow change whenever
    a flow begins or ends.
    """

    def __init__(self, topology: Topology, slots: int, delays: Delays) -> None:
        self._topology, self._slots, self._delays = topology, slots, delays
        self._items: list[Item] = []
        self._after: list[list[int]] = []
        self.loads: list[Load] = []
        self._columns: dict[str, list[Floats]] = defaultdict(list)
        self._paths: list[Paths] = []
        self._queues: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._ready: dict[int, list[int]] = {}  # items that make a slot ready to be read
        self._readers: dict[int, list[int]] = defaultdict(list)  # messages that read it since
        self._here: dict[int, list[int]] = defaultdict(list)  # of each node, in earlier steps
        self._own: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of each step
        self._start: list[int] = []  # the item that starts each message
        self._end: list[int] = []

    def add(self, load: Load, ordered: bool = True) -> None:
        """Put a step's messages behind all those before; `ordered` by their data too."""
        pattern, first = load.pattern, len(self._start)
        self.loads.append(Load(load.step, pattern, load.size, load.added))
        if first + pattern.number > MOST_MESSAGES:
            raise BadInput(
                f"more than 2^20 messages share links on {self._topology.name}: too many for the "
                "dataflow clock; nearest: the lockstep clock, or fewer ranks"
            )
        size = np.broadcast_to(load.size, pattern.number).astype(np.float64)
        columns = {
            "lead": self._delays.lead(pattern, size),
            "flow": self._delays.flow(size),
            "flight": pattern.flight,
            "limit": pattern.limit,
            "added": self._delays.gamma[pattern.dst] * load.added,
            "size": size,
        }
        for name, column in columns.items():
            self._columns[name].append(column)
        self._paths.append(pattern.paths)
        come = self._delays.arrive[pattern.src], self._delays.arrive[pattern.dst]
        starts = [self._item(first + m, come[0][m]) for m in range(len(size))]
        ends = [self._item(~(first + m), come[1][m]) for m in range(len(size))]
        for end in ends:
            self._items[end].waits = 1  # for its last byte
        self._start += starts
        self._end += ends
        for turn in pattern.rounds:
            for m in turn.tolist():
                self._queues[OUT, int(pattern.out[m])].append(first + m)
                self._queues[INTO, int(pattern.into[m])].append(first + m)
        if ordered:
            self._order(load, starts, ends)
        if self._delays.costs.eager is not None:
            self._rendezvous(load, size, starts, ends)

    def _order(self, load: Load, starts: list[int], ends: list[int]) -> None:
        """What each message waits for because of the slots it reads and writes."""
        step, slots = load.step.unrolled(), self._slots
        row = load.pattern.of_row
        row = row if step is load.step else np.repeat(row, load.step.count)
        reads = (step.src * slots + step.chunk).tolist()
        writes = (step.dst * slots + step.into).tolist()
        messages = row.tolist()
        waits: dict[int, set[int]] = defaultdict(set)
        writer: dict[int, list[int]] = defaultdict(list)
        copies: dict[int, list[int]] = defaultdict(list)
        at = self._delays.arrive[step.dst].tolist()
        own = np.zeros(len(load.step)) if load.own is None else load.own
        own = own * self._delays.gamma[load.step.dst]
        adds = (own if step is load.step else np.repeat(own, load.step.count)).tolist()
        number = len(self.loads) - 1
        for row_of, (m, read, write, come) in enumerate(
            zip(messages, reads, writes, at, strict=True)
        ):
            if m >= 0:
                waits[starts[m]].update(self._ready.get(read, ()))
                self._readers[read].append(starts[m])
                writer[write].append(ends[m])
            else:
                copy = self._item(NOTHING, come)
                waits[copy].update(self._ready.get(read, ()))
                copies[write].append(copy)
                if adds[row_of]:
                    self._items[copy].takes = adds[row_of]
                    self._own[number].append((copy, write // slots))
        for write in dict.fromkeys([*writer, *copies]):
            before = [*self._ready.get(write, ()), *self._readers.pop(write, ())]
            items = writer[write] + copies[write]
            for item in items:
                waits[item].update(before)
            for copy in copies[write]:  # what a node has itself it adds last
                waits[copy].update(writer[write])
            self._ready[write] = list(dict.fromkeys(items))
        for item, others in waits.items():
            for other in others:
                self._follow(other, item)

    def _rendezvous(self, load: Load, size: Floats, starts: list[int], ends: list[int]) -> None:
        """Large messages wait until their receiver is done with all steps before."""
        pattern, eager = load.pattern, self._delays.costs.eager or 0
        src, dst = pattern.src.tolist(), pattern.dst.tolist()
        for m, start in enumerate(starts):
            if size[m] > eager:
                self._items[start].time = max(
                    self._items[start].time, float(self._delays.arrive[dst[m]])
                )
                for other in self._here[dst[m]]:
                    self._follow(other, start)
        mine: dict[int, list[int]] = defaultdict(list)
        for m, start in enumerate(starts):
            mine[src[m]].append(start)
            mine[dst[m]].append(ends[m])
        for node, items in mine.items():
            done = self._item(NOTHING, 0.0)
            for other in {*items, *self._here[node]}:
                self._follow(other, done)
            self._here[node] = [done]

    def _item(self, message: int, time: float) -> int:
        self._items.append(Item(0, float(time), message))
        self._after.append([])
        return len(self._items) - 1

    def _follow(self, earlier: int, later: int) -> None:
        self._after[earlier].append(later)
        self._items[later].waits += 1

    def own(self, number: int) -> Own | None:
        """After `run`: which nodes add something of their own in a step, from when until when."""
        if number not in self._own:
            return None
        items, nodes = zip(*self._own[number], strict=True)
        end = np.array([self._items[item].time for item in items])
        return np.array(nodes), end - [self._items[item].takes for item in items], end

    def run(self) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it never comes to it."""
        return _Run(self).times()


class _Run:
    """One walk through time."""

    def __init__(self, network: Network) -> None:
        self._items, self._after = network._items, network._after
        self._starts, self._ends = network._start, network._end
        self._queues = network._queues
        self._lanes = network._topology.lanes.tolist()
        self._gap = network._delays.gap
        number = len(self._starts)
        columns = {name: np.concatenate(parts) for name, parts in network._columns.items()}
        self._lead, self._flight, self._added = (
            columns[name].tolist() for name in ("lead", "flight", "added")
        )
        self._flow, self._limit = columns["flow"], columns["limit"]
        self._limits = self._limit.tolist()
        self._bytes = self._flow.tolist()
        self._paths = _joined(network._paths, network._topology.group)
        self._capacity = network._topology.capacity
        self._used = dict.fromkeys(self._queues, 0)
        self._ports: list[list[tuple[int, int]]] = [[] for _ in range(number)]
        self._start, self._sent, self._end = ([NEVER] * number for _ in range(3))
        self._events: list[tuple[float, int, int]] = []
        self._new: list[int] = []

    def times(self) -> tuple[Floats, Floats, Floats]:
        for port, queue in self._queues.items():
            for place, message in enumerate(queue):
                self._ports[message].append(port)
                if place >= self._lanes[port[1]]:
                    self._items[self._starts[message]].waits += 1
        for number, item in enumerate(self._items):
            if not item.waits:
                heappush(self._events, (item.time, READY, number))
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
                left = np.concatenate([left[~over], self._flow[self._new]])
                self._new = []
                rate = self._rates(live)
        return np.array(self._start), np.array(self._sent), np.array(self._end)

    def _rates(self, live: Integers) -> Floats:
        if not len(live):
            return np.zeros(0)
        start, link = self._paths.start, self._paths.link
        many = start[live + 1] - start[live]
        first = np.concatenate([[0], np.cumsum(many)])
        entry = np.repeat(start[live] - first[:-1], many) + np.arange(first[-1])
        return fair_rates(first, link[entry], self._capacity, self._limit[live])

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
        gap = self._start[message] + self._gap
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
        for later in self._after[number]:
            self._done_one(later, time)

    def _done_one(self, number: int, time: float) -> None:
        item = self._items[number]
        item.waits -= 1
        item.time = max(item.time, time)
        if item.waits == 0:
            heappush(self._events, (item.time, READY, number))


def _joined(parts: Iterable[Paths], group: Integers) -> Paths:
    """All paths one after another, with the group of each link in its place."""
    listed = list(parts)
    many = np.concatenate([np.diff(part.start) for part in listed])
    start = np.concatenate([[0], np.cumsum(many)]).astype(np.intp)
    return Paths(start, group[np.concatenate([part.link for part in listed])])
