"""The dataflow clock where messages contend for ports only: a clock for each port and each slot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from collectives.cost.clocks.step_messages import (
    LocalWork,
    MessageSource,
    StepMessages,
    StepRoutes,
    StepTimes,
)
from collectives.cost.machines.paths import Floats, Integers
from collectives.memory_limit import check_memory
from collectives.schedule import Step

PENDING_ROWS = 1 << 20  # that are remembered before they are written to the slots' clocks


class SlotsForgotten(Exception):  # noqa: N818
    """Clocks of slots are needed that were not kept."""


class _Slots:
    """When each slot may be read, and when it was last read or written; [node * slot]."""

    def __init__(self, nodes: int, slots: int, keep: bool) -> None:
        self._cells, self._slots = nodes * slots, slots
        self._keep = keep
        self._allocated = False
        self._forgotten = False
        self._pending: list[tuple[Step, float, float]] = []
        self._rows = 0

    def later(self, step: Step, read: float, written: float) -> None:
        """Remember that all of a step was read and written at these times, after all before."""
        if self._forgotten:
            return
        self._pending.append((step, read, written))
        self._rows += len(step)
        if self._rows > PENDING_ROWS:
            if self._keep:
                self.settle()
            else:
                self._pending, self._forgotten = [], True

    def settle(self) -> None:
        """Write down what is pending; raises SlotsForgotten where some of it is gone."""
        if self._forgotten:
            raise SlotsForgotten
        if not self._allocated:
            check_memory(16 * self._cells, "the clocks of all slots")
            self.ready, self.touched = np.zeros(self._cells), np.zeros(self._cells)
            self._allocated = True
        if not self._pending:
            return
        steps = [step.unrolled() for step, _, _ in self._pending]
        lengths = [len(step) for step in steps]
        read, written = (np.repeat([entry[k] for entry in self._pending], lengths) for k in (1, 2))
        cells = [self.cells(step) for step in steps]
        source, target = (np.concatenate(column) for column in zip(*cells, strict=True))
        self.touched[source] = read  # the last one counts, and is the latest
        for step, (_, when, _) in zip(steps, self._pending, strict=True):
            if (needed := self.needed(step)) is not None:
                self.touched[needed] = np.maximum(self.touched[needed], when)
        self.ready[target] = written
        self.touched[target] = np.maximum(self.touched[target], self.ready[target])
        self._pending, self._rows = [], 0

    def cells(self, step: Step) -> tuple[Integers, Integers]:
        """Where each row of a step reads and writes."""
        return step.src * self._slots + step.chunk, step.dst * self._slots + step.into

    def needed(self, step: Step) -> Integers | None:
        """What each row needs beside what it reads; None where no row needs anything."""
        return None if step.needs is None else step.src * self._slots + step.needs


class _Ports:
    """Until when each lane of each link is held, by those that begin or end with it."""

    def __init__(self, lanes: Integers) -> None:
        widest = int(lanes.max(initial=1))
        self.single = widest == 1
        if self.single:
            self._until = np.zeros(len(lanes))
            return
        check_memory(8 * widest * len(lanes), f"{widest} ports of every node")
        self._until = np.where(np.arange(widest) < lanes[:, None], 0.0, np.inf)

    def free(self, link: Integers) -> Floats:
        """When the first lane of each link is free."""
        return self._until[link] if self.single else self._until[link].min(axis=1)

    def hold(self, link: Integers, until: Floats) -> None:
        """Take the first free lane of each link, each link once."""
        if self.single:
            self._until[link] = until
        else:
            self._until[link, self._until[link].argmin(axis=1)] = until


class PortClocks:
    """Times steps one after another; messages start when their data and both ports are free."""

    def __init__(self, source: MessageSource, keep: bool = False) -> None:
        self._source, self._costs = source, source.costs
        costs, lanes = source.costs, source.topology.lanes
        self._out, self._into = _Ports(lanes), _Ports(lanes)
        self._slots = _Slots(source.recording.nodes, source.recording.slots, keep)
        self._arrivals = costs.arrivals
        self._delayed = bool(costs.arrivals.any())
        self._done = costs.arrivals.copy() if costs.costs.eager is not None else None
        self._steady = not costs.costs.jitter and not self._delayed and self._out.single
        self._sent, self._hold = 0.0, (np.zeros(0), np.zeros(0))  # of the run of equal steps
        self._latest = 0.0

    def times(self) -> Iterator[StepTimes]:
        """The times of each step; raises SlotsForgotten where it must start anew."""
        even: StepTimes | None = None  # steps that begin at all ports when the last has ended
        last: StepMessages | None = None
        for messages in self._source:
            if even is not None:
                if messages is last:
                    start = even.base + even.repeats * even.length
                    even.repeats += 1
                    self._slots.later(messages.step, start + self._sent, start + even.length)
                    continue
                self._leave(even)
                yield even
            even, last = self._together(messages), messages
            if even is None:
                yield self._one_by_one(messages)
        if even is not None:
            yield even

    def _together(self, messages: StepMessages) -> StepTimes | None:
        """A step whose ports are free when the last slot is ready, if they are so after it."""
        routes, now = messages.routes, self._latest
        if not self._steady or routes.local or len(routes.rounds) != 1:
            return None
        if not isinstance(messages.size, float):
            return None
        free = np.maximum(self._out.free(routes.out), self._into.free(routes.into))
        if float(free.min()) < now:
            return None
        size = np.full(routes.number, messages.size)
        sent = self._costs.lead(routes, size) + self._costs.uncontended(routes, size)
        adding = self._costs.gamma[routes.dst] * messages.added
        end = sent + routes.flight + adding
        self._hold = np.maximum(sent, self._costs.gap), np.maximum(sent + adding, self._costs.gap)
        held = np.maximum(*self._hold)
        self._sent, length = float(sent[0]), float(end[0])
        even = bool(((held == length) & (end == length) & (sent == self._sent)).all())
        if not even or length == np.inf:
            return None
        self._slots.later(messages.step, now + self._sent, now + length)
        return StepTimes(messages, now, (np.zeros(len(sent)), sent, end), 1, length)

    def _leave(self, even: StepTimes) -> None:
        """Write down the clocks of the ports after a run of equal steps."""
        routes = even.messages.routes
        begin = even.base + (even.repeats - 1) * even.length  # of the last of them
        self._latest = even.base + even.repeats * even.length
        for ports, link, hold in zip(
            (self._out, self._into), (routes.out, routes.into), self._hold, strict=True
        ):
            ports.hold(link, np.where(hold == even.length, self._latest, begin + hold))
        if self._done is not None:
            self._done[routes.src] = np.maximum(self._done[routes.src], begin + self._sent)
            self._done[routes.dst] = self._latest

    def _one_by_one(self, messages: StepMessages) -> StepTimes:
        """Each message by itself, in the order in which its ports take them."""
        slots, costs, routes = self._slots, self._costs, messages.routes
        slots.settle()
        step = messages.step.unrolled()
        row = routes.of_row  # the message of each row, -1 for local moves
        row = row if step is messages.step else np.repeat(row, messages.step.count)
        held = slots.ready[slots.cells(step)[0]]
        if (needed := slots.needed(step)) is not None:
            held = np.maximum(held, slots.ready[needed])
        size = np.broadcast_to(messages.size, routes.number)
        added = costs.gamma[routes.dst] * messages.added
        if step is messages.step and routes.plain:
            start = held.copy()
        else:
            start, remote = np.zeros(routes.number), _remote(routes, row)
            np.maximum.at(start, row[remote], held[remote])
        if self._delayed:
            start = np.maximum(start, self._arrivals[routes.src])
        if self._done is not None:
            asks = size > (costs.costs.eager or 0)
            start = np.where(asks, np.maximum(start, self._done[routes.dst]), start)
        flowing = costs.lead(routes, size) + costs.uncontended(routes, size)
        sent = np.empty(routes.number)
        for turn in routes.rounds:
            out, into = routes.out[turn], routes.into[turn]
            begin = np.maximum(start[turn], np.maximum(self._out.free(out), self._into.free(into)))
            start[turn] = begin
            done = begin + flowing[turn]
            sent[turn] = done
            self._out.hold(out, np.maximum(done, begin + costs.gap))
            self._into.hold(into, np.maximum(done + added[turn], begin + costs.gap))
        end, work = self._write(messages, step, row, sent, added, held)
        if self._done is not None:
            np.maximum.at(self._done, routes.src, sent)
            np.maximum.at(self._done, routes.dst, end)
        self._latest = max(self._latest, float((sent + added).max(initial=0)))
        return StepTimes(messages, 0.0, (start, sent, end), work=work)

    def _write(
        self,
        messages: StepMessages,
        step: Step,
        row: Integers,
        sent: Floats,
        added: Floats,
        held: Floats,
    ) -> tuple[Floats, LocalWork | None]:
        """Set the slots' clocks: reads first; what arrives waits until its slot has been read.

        What a node adds of its own it adds last.
        """
        slots, routes = self._slots, messages.routes
        reads, writes = slots.cells(step)
        ready, touched = slots.ready, slots.touched
        if (needed := slots.needed(step)) is not None:
            np.maximum.at(touched, needed[row >= 0], sent[row[row >= 0]])
        work: LocalWork | None = None
        arrival = sent + routes.flight
        if self._delayed:
            arrival = np.maximum(arrival, self._arrivals[routes.dst])
        if step is messages.step and routes.single:
            touched[reads] = np.maximum(touched[reads], sent)
            end = np.maximum(arrival, touched[writes]) + added
            ready[writes] = touched[writes] = end
            self._latest = max(self._latest, float(end.max()))
            return end, None
        if step is messages.step and routes.plain:
            np.maximum.at(touched, reads, sent)
            rows = end = np.maximum(arrival, touched[writes]) + added
        else:
            remote = _remote(routes, row)
            np.maximum.at(touched, reads[remote], sent[row[remote]])
            end = arrival.copy()
            np.maximum.at(end, row[remote], touched[writes[remote]])
            end = end + added
            rows = np.empty(len(step))
            rows[remote] = end[row[remote]]
            np.maximum.at(touched, writes[remote], rows[remote])
            if routes.local:
                local = np.flatnonzero(row < 0)
                rows[local] = np.maximum(held, self._arrivals[step.dst])[local]
                rows[local] = np.maximum(rows[local], touched[writes[local]])
            if messages.local is not None:
                work = self._add_own(messages.local, messages.step, rows)
        np.maximum.at(ready, writes, rows)
        np.maximum.at(touched, writes, rows)
        self._latest = max(self._latest, float(rows.max(initial=0.0)))
        return end, work

    def _add_own(self, local: Floats, step: Step, rows: Floats) -> LocalWork:
        """Let each node's local moves that add be one piece of work, which takes its time."""
        gamma = self._costs.gamma
        which = np.flatnonzero(np.repeat(local, step.count))
        node_of = np.repeat(step.dst, step.count)[which]
        begin = np.zeros(len(gamma))
        np.maximum.at(begin, node_of, rows[which])
        end = begin + np.bincount(step.dst, local, len(gamma)) * gamma
        rows[which] = end[node_of]
        node = np.unique(node_of)
        return node, begin[node], end[node]


def _remote(routes: StepRoutes, row: Integers) -> Integers | slice:
    """The rows that are no local moves; row: the message of each, -1 for a local move."""
    return np.flatnonzero(row >= 0) if routes.local else slice(None)
