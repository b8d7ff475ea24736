"""The dataflow clock where messages contend for links: each waits for others and shares links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from collectives.cost.clocks.contention import uncontended_links
from collectives.cost.clocks.event_queue import NO_MESSAGE, EventQueue
from collectives.cost.clocks.fair_flows import FairFlows
from collectives.cost.clocks.step_messages import LocalWork, MessageSource, StepMessages, StepTimes
from collectives.cost.machines.paths import Floats, Paths
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.memory_limit import check_memory

MOST_MESSAGES = 1 << 20  # a minute or two
MESSAGE_BYTES = 2000  # of memory, with all that waits for it


class EventClock:
    """All messages of a recording, what each waits for, and the links they share.

    The rules are those of `PortClocks`, but the rates at which bytes flow change whenever a
    flow begins or ends.
    """

    def __init__(self, source: MessageSource) -> None:
        self._source, self._costs, self._topology = source, source.costs, source.topology
        self._queue = EventQueue(self._topology.lanes, self._costs.gap)
        self._steps: list[StepMessages] = []
        self._columns: dict[str, list[Floats]] = defaultdict(list)
        self._paths: list[Paths] = []
        self._ready: dict[int, list[int]] = {}  # events that make a slot ready to be read
        self._readers: dict[int, list[int]] = defaultdict(list)  # messages that read it since
        self._done: dict[int, list[int]] = defaultdict(list)  # of each node, in earlier steps
        self._work: dict[int, list[tuple[int, int]]] = defaultdict(list)  # of each step

    def times(self) -> Iterator[StepTimes]:
        """The times of each step, after all have been added."""
        check_messages(self._source.recording.counters.messages, self._topology)
        for messages in self._source:
            self.add(messages)
        start, sent, end = self.run()
        first = 0
        for number, messages in enumerate(self._steps):
            rows = slice(first, first + messages.routes.number)
            first = rows.stop
            spread = start[rows], sent[rows], end[rows]
            yield StepTimes(messages, 0.0, spread, work=self._work_times(number))

    def add(self, messages: StepMessages, ordered: bool = True) -> None:
        """Put a step's messages behind all those before; `ordered` by their data too."""
        routes = messages.routes
        self._steps.append(StepMessages(messages.step, routes, messages.size, messages.added))
        check_messages(len(self._queue) + routes.number, self._topology)
        size = np.broadcast_to(messages.size, routes.number).astype(np.float64)
        columns = {
            "lead": self._costs.lead(routes, size),
            "flow": self._costs.flow(size),
            "flight": routes.flight,
            "limit": routes.limit,
            "added": self._costs.gamma[routes.dst] * messages.added,
        }
        for name, column in columns.items():
            self._columns[name].append(column)
        self._paths.append(routes.paths)
        arrivals = self._costs.arrivals
        starts, ends = self._queue.messages(routes, arrivals[routes.src], arrivals[routes.dst])
        if ordered:
            self._order(messages, starts, ends)
        if self._costs.costs.eager is not None:
            self._rendezvous(messages, size, starts, ends)

    def _order(self, messages: StepMessages, starts: list[int], ends: list[int]) -> None:
        """Let each message wait for the slots it reads, needs and writes."""
        step, slots = messages.step.unrolled(), self._source.recording.slots
        row = messages.routes.of_row
        row = row if step is messages.step else np.repeat(row, messages.step.count)
        reads = (step.src * slots + step.chunk).tolist()
        needs = reads if step.needs is None else (step.src * slots + step.needs).tolist()
        writes = (step.dst * slots + step.into).tolist()
        waits: dict[int, set[int]] = defaultdict(set)
        writers: dict[int, list[int]] = defaultdict(list)
        copies: dict[int, list[int]] = defaultdict(list)
        arrivals = self._costs.arrivals[step.dst].tolist()
        work = self._local_work(messages)
        adds = np.repeat(
            np.zeros(len(messages.step)) if messages.local is None else messages.local,
            messages.step.count,
        ).tolist()
        rows = zip(row.tolist(), reads, needs, writes, arrivals, adds, strict=True)
        for m, read, need, write, arrival, add in rows:
            if m >= 0:
                event = starts[m]
                for cell in (read, need) if need != read else (read,):
                    self._readers[cell].append(event)
                writers[write].append(ends[m])
            else:
                event = work[write // slots] if add else self._queue.event(NO_MESSAGE, arrival)
                copies[write].append(event)
            waits[event].update(self._ready.get(read, ()), self._ready.get(need, ()))
        for write in dict.fromkeys([*writers, *copies]):
            before = [*self._ready.get(write, ()), *self._readers.pop(write, ())]
            events = writers[write] + copies[write]
            for event in events:
                waits[event].update(before)
            for copy in copies[write]:  # what a node has itself it adds last
                waits[copy].update(writers[write])
            self._ready[write] = list(dict.fromkeys(events))
        for event, others in waits.items():
            for earlier in others:
                self._queue.follow(earlier, event)

    def _local_work(self, messages: StepMessages) -> dict[int, int]:
        """An event for each node that adds something of its own: all of it is one piece of work."""
        if messages.local is None:
            return {}
        gamma, dst = self._costs.gamma, messages.step.dst
        lasts = np.bincount(dst, messages.local, len(gamma)) * gamma
        work = {}
        for node in np.unique(dst[messages.local > 0]).tolist():
            work[node] = self._queue.event(NO_MESSAGE, float(self._costs.arrivals[node]))
            self._queue.events[work[node]].lasts = float(lasts[node])
            self._work[len(self._steps) - 1].append((work[node], node))
        return work

    def _rendezvous(
        self, messages: StepMessages, size: Floats, starts: list[int], ends: list[int]
    ) -> None:
        """Let large messages wait until their receiver is done with all steps before."""
        routes, eager = messages.routes, self._costs.costs.eager or 0
        src, dst = routes.src.tolist(), routes.dst.tolist()
        for m, start in enumerate(starts):
            if size[m] > eager:
                event = self._queue.events[start]
                event.time = max(event.time, float(self._costs.arrivals[dst[m]]))
                for earlier in self._done[dst[m]]:
                    self._queue.follow(earlier, start)
        mine: dict[int, list[int]] = defaultdict(list)
        for m, start in enumerate(starts):
            mine[src[m]].append(start)
            mine[dst[m]].append(ends[m])
        for node, events in mine.items():
            done = self._queue.event(NO_MESSAGE, 0.0)
            for earlier in {*events, *self._done[node]}:
                self._queue.follow(earlier, done)
            self._done[node] = [done]

    def _work_times(self, number: int) -> LocalWork | None:
        """Which nodes add something of their own in a step, from when until when."""
        if number not in self._work:
            return None
        events, nodes = zip(*self._work[number], strict=True)
        end = np.array([self._queue.events[event].time for event in events])
        return np.array(nodes), end - [self._queue.events[event].lasts for event in events], end

    def run(self) -> tuple[Floats, Floats, Floats]:
        """Start, end of sending and end of each message; inf where it is never reached."""
        if not len(self._queue):
            return (np.zeros(0),) * 3
        columns = {name: np.concatenate(parts) for name, parts in self._columns.items()}
        paths, limit = _shared_part(self._topology, Paths.joined(self._paths))
        columns["limit"] = np.minimum(columns["limit"], limit)
        return self._queue.run(columns, FairFlows(paths, columns["limit"], self._topology.capacity))


def check_messages(number: int, topology: Topology) -> None:
    """Raise BadInput where so many messages that share links take too long, or too much memory."""
    if number > MOST_MESSAGES:
        raise BadInput(
            f"{number} messages share links on {topology.name}: too many for the dataflow clock, "
            "which takes 2^20; try: the lockstep clock, or fewer ranks"
        )
    check_memory(MESSAGE_BYTES * number, f"{number} messages that share links")


def _shared_part(topology: Topology, paths: Paths) -> tuple[Paths, Floats]:
    """The groups of links that paths may share with others, and the least capacity of the rest."""
    group = topology.group[paths.link]
    alone = uncontended_links(topology, paths)[group]
    before = np.concatenate([[0], np.cumsum(~alone)])
    own = np.where(alone, topology.capacity[group], np.inf)
    limit: Floats = np.minimum.reduceat(own, paths.start[:-1])
    return Paths(before[paths.start], group[~alone]), limit
