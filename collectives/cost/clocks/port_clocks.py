"""The dataflow clock where no two messages share a link at once: a clock for each port and slot."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from collectives.cost.clocks.delays import Delays
from collectives.cost.clocks.slots import Slots
from collectives.cost.clocks.step_messages import Load
from collectives.cost.clocks.timed import Own, Timed
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.memory_limit import check_memory
from collectives.schedule import Step


class Ports:
    """Until when each lane of each link is held, by those that begin or end with it."""

    def __init__(self, lanes: Integers) -> None:
        most = int(lanes.max(initial=1))
        self.single = most == 1
        if self.single:
            self._until = np.zeros(len(lanes))
            return
        check_memory(8 * most * len(lanes), f"{most} ports of every node")
        self._until = np.where(np.arange(most) < lanes[:, None], 0.0, np.inf)

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
    """Times loads one after another; messages start when their data and both ports are free."""

    def __init__(
        self, topology: Topology, nodes: int, slots: int, delays: Delays, keep: bool = False
    ) -> None:
        self._delays, costs = delays, delays.costs
        self._out, self._into = Ports(topology.lanes), Ports(topology.lanes)
        self._slots = Slots(nodes, slots, keep)
        self._arrive = delays.arrive
        self._late = bool(delays.arrive.any())
        self._here = delays.arrive.copy() if costs.eager is not None else None
        self._steady = not costs.jitter and not self._late and self._out.single
        self._sent, self._hold = 0.0, (np.zeros(0), np.zeros(0))  # of the run of equal steps
        self._latest = 0.0

    def run(self, loads: Iterable[Load]) -> Iterator[Timed]:
        """The loads with their times; raises SlotsForgotten where it must start anew."""
        even: Timed | None = None  # steps that begin at all ports when the last has ended
        last: Load | None = None
        for load in loads:
            if even is not None:
                if load is last:
                    start = even.base + even.times * even.length
                    even.times += 1
                    self._slots.later(load.step, start + self._sent, start + even.length)
                    continue
                self._leave(even)
                yield even
            even, last = self._together(load), load
            if even is None:
                yield self._one_by_one(load)
        if even is not None:
            yield even

    def _together(self, load: Load) -> Timed | None:
        """A step whose ports are free when the last slot is ready, if they are so after it."""
        pattern, now = load.pattern, self._latest
        if not self._steady or pattern.local or len(pattern.rounds) != 1:
            return None
        if not isinstance(load.size, float):
            return None
        free = np.maximum(self._out.free(pattern.out), self._into.free(pattern.into))
        if float(free.min()) < now:
            return None
        size = np.full(pattern.number, load.size)
        sent = self._delays.lead(pattern, size) + self._delays.alone(pattern, size)
        adding = self._delays.gamma[pattern.dst] * load.added
        end = sent + pattern.flight + adding
        self._hold = np.maximum(sent, self._delays.gap), np.maximum(sent + adding, self._delays.gap)
        held = np.maximum(*self._hold)
        self._sent, length = float(sent[0]), float(end[0])
        even = bool(((held == length) & (end == length) & (sent == self._sent)).all())
        if not even or length == np.inf:
            return None
        self._slots.later(load.step, now + self._sent, now + length)
        return Timed(load, now, (np.zeros(len(sent)), sent, end), 1, length)

    def _leave(self, even: Timed) -> None:
        """Write down the clocks of the ports after a run of equal steps."""
        pattern = even.load.pattern
        late = even.base + (even.times - 1) * even.length
        self._latest = even.base + even.times * even.length
        for ports, link, hold in zip(
            (self._out, self._into), (pattern.out, pattern.into), self._hold, strict=True
        ):
            ports.hold(link, np.where(hold == even.length, self._latest, late + hold))
        if self._here is not None:
            self._here[pattern.src] = np.maximum(self._here[pattern.src], late + self._sent)
            self._here[pattern.dst] = self._latest

    def _one_by_one(self, load: Load) -> Timed:
        """Each message by itself, in the order in which its ports take them."""
        slots, delays, pattern = self._slots, self._delays, load.pattern
        slots.settle()
        step = load.step.unrolled()
        reads, _ = slots.cells(step)
        held = slots.ready[reads]
        if (needed := slots.needed(step)) is not None:
            held = np.maximum(held, slots.ready[needed])
        size = np.broadcast_to(load.size, pattern.number)
        added = delays.gamma[pattern.dst] * load.added
        if step is load.step and pattern.plain:
            start = held
        else:
            start = np.zeros(pattern.number)
            row = self._message(load, step)
            np.maximum.at(start, row[row >= 0], held[row >= 0])
        if self._late:
            start = np.maximum(start, self._arrive[pattern.src])
        if self._here is not None:
            asks = size > (delays.costs.eager or 0)
            start = np.where(asks, np.maximum(start, self._here[pattern.dst]), start)
        flowing = delays.lead(pattern, size) + delays.alone(pattern, size)
        sent = np.empty(pattern.number)
        start = start.copy()
        for turn in pattern.rounds:
            out, into = pattern.out[turn], pattern.into[turn]
            begin = np.maximum(start[turn], np.maximum(self._out.free(out), self._into.free(into)))
            start[turn] = begin
            done = begin + flowing[turn]
            sent[turn] = done
            self._out.hold(out, np.maximum(done, begin + delays.gap))
            self._into.hold(into, np.maximum(done + added[turn], begin + delays.gap))
        end, own = self._write(load, sent, sent + pattern.flight, added, held)
        if self._here is not None:
            np.maximum.at(self._here, pattern.src, sent)
            np.maximum.at(self._here, pattern.dst, end)
        self._latest = max(self._latest, float((sent + added).max(initial=0)))
        return Timed(load, 0.0, (start, sent, end), own=own)

    def _write(
        self, load: Load, sent: Floats, come: Floats, added: Floats, held: Floats
    ) -> tuple[Floats, Own | None]:
        """Set the slots' clocks: reads first; what comes waits until a slot has been read.

        What a node adds of its own it adds last.
        """
        slots, pattern = self._slots, load.pattern
        step = load.step.unrolled()
        reads, writes = slots.cells(step)
        ready, touched = slots.ready, slots.touched
        if (needed := slots.needed(step)) is not None:
            row = self._message(load, step)
            np.maximum.at(touched, needed[row >= 0], sent[row[row >= 0]])
        own: Own | None = None
        if self._late:
            come = np.maximum(come, self._arrive[pattern.dst])
        if step is load.step and pattern.single:
            touched[reads] = np.maximum(touched[reads], sent)
            end = np.maximum(come, touched[writes]) + added
            ready[writes] = touched[writes] = end
            self._latest = max(self._latest, float(end.max()))
            return end, None
        if step is load.step and pattern.plain:
            np.maximum.at(touched, reads, sent)
            rows = end = np.maximum(come, touched[writes]) + added
        else:
            row = self._message(load, step)
            far, near = np.flatnonzero(row >= 0), np.flatnonzero(row < 0)
            np.maximum.at(touched, reads[far], sent[row[far]])
            end = come.copy()
            np.maximum.at(end, row[far], touched[writes[far]])
            end = end + added
            rows = np.empty(len(step))
            rows[far] = end[row[far]]
            np.maximum.at(touched, writes[far], rows[far])
            rows[near] = np.maximum(held, self._arrive[step.dst])[near]
            rows[near] = np.maximum(rows[near], touched[writes[near]])
            if load.own is not None:
                own = self._add_own(load, step, rows)
        np.maximum.at(ready, writes, rows)
        np.maximum.at(touched, writes, rows)
        self._latest = max(self._latest, float(rows.max(initial=0.0)))
        return end, own

    def _add_own(self, load: Load, step: Step, rows: Floats) -> Own:
        """Let each node's local moves that add be one piece of work, which takes its time."""
        assert load.own is not None
        gamma = self._delays.gamma
        adds = load.own if step is load.step else np.repeat(load.own, load.step.count)
        which = np.flatnonzero(adds)
        begin = np.zeros(len(gamma))
        np.maximum.at(begin, step.dst[which], rows[which])
        end = begin + np.bincount(load.step.dst, load.own, len(gamma)) * gamma
        rows[which] = end[step.dst[which]]
        node = np.unique(step.dst[which])
        return node, begin[node], end[node]

    def _message(self, load: Load, step: Step) -> Integers:
        """The message each row of the unrolled step is in, -1 for local moves."""
        if step is load.step:
            return load.pattern.of_row
        return np.repeat(load.pattern.of_row, load.step.count)
