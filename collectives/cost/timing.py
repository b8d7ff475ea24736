"""What a clock found: when each step and message begins and ends, who waits, what links carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.model import Costs
from collectives.cost.paths import Floats, Integers
from collectives.cost.topology import Topology
from collectives.cost.units import time_text
from collectives.errors import BadInput
from collectives.resources import check_memory

if TYPE_CHECKING:
    from collectives.recording import Recording

MESSAGE_BYTES = 100  # of memory, of a message that is kept


@dataclass(frozen=True, eq=False)
class Messages:
    """Every message in the order of the schedule, a row of each column.

    step counts from 0. size: bytes. start: when it takes its ports. sent: when the sender's
    port is done with it. end: when its receiver has it, and has added what is to be added.
    """

    step: Integers
    src: Integers
    dst: Integers
    size: Floats
    start: Floats
    sent: Floats
    end: Floats

    def __len__(self) -> int:
        """Number of messages."""
        return len(self.step)


NO_MESSAGES = Messages(*(np.zeros(0, np.intp),) * 3, *(np.zeros(0),) * 4)


@dataclass(frozen=True, eq=False)
class Timing:
    """How long a recording takes on a topology: seconds, by one of the two clocks.

    total: until the last message has ended and all ranks have come, inf where one never ends.
    step_start, step_end: of each step; steps overlap in the dataflow clock. busy: seconds in
    which a node sends, receives or adds, [node].
    """

    clock: str
    recording: Recording
    topology: Topology
    costs: Costs
    total: float
    step_start: Floats
    step_end: Floats
    busy: Floats
    again: Callable[[], Messages]

    def __repr__(self) -> str:
        """One line: the clock, the total, what and where."""
        told = f"{self.recording.title}, {self.recording.ranks} ranks, on {self.topology.name}"
        return f"<Timing: {self.clock} {time_text(self.total)}, {told}>"

    @property
    def idle(self) -> Floats:
        """Seconds in which each rank neither sends nor receives nor adds, [rank]."""
        return np.maximum(self.total - self.busy[: self.recording.ranks], 0)

    @cached_property
    def messages(self) -> Messages:
        """Every message; timed again where they were too many to keep."""
        check_memory(MESSAGE_BYTES * self.recording.counters.messages, "the times of all messages")
        return self.again()

    @cached_property
    def link_bytes(self) -> Integers:
        """Bytes each link of the topology carries, [link]."""
        carried = np.zeros(self.topology.links, np.intp)
        counters = self.recording.counters
        if len(counters.links):
            seats = self.topology.seats(self.recording.ranks, self.recording.nodes)
            paths = self.topology.paths(*seats[counters.links].T)
            np.add.at(carried, paths.link, np.repeat(counters.bytes_by_link, np.diff(paths.start)))
        return carried

    @property
    def link_seconds(self) -> Floats:
        """Seconds each link would take to carry its bytes without a pause, [link]."""
        return self._over(self.topology.bandwidth * self.topology.lanes)

    @property
    def link_use(self) -> Floats:
        """The share of the total in which each link is needed, 0 to 1, [link]."""
        return self.link_seconds / self.total if self.total else np.zeros(self.topology.links)

    def _over(self, speed: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.link_bytes > 0, self.link_bytes / speed, 0.0)


class Busy:
    """Adds up the seconds in which nodes are busy; intervals of a node may overlap."""

    def __init__(self, nodes: int) -> None:
        self._total = np.zeros(nodes)
        self._nodes: list[Integers] = []
        self._start: list[Floats] = []
        self._end: list[Floats] = []
        self._rows = 0
        self._room = 1 << 20

    def add(self, node: Integers, start: Floats, end: Floats) -> None:
        """Count these intervals, in any order."""
        self._nodes.append(node)
        self._start.append(start)
        self._end.append(end)
        self._rows += len(node)
        if self._rows > self._room:
            self._merge()
            self._room = max(self._room, 2 * self._rows)

    def more(self, seconds: Floats) -> None:
        """Count so many seconds of each node, that overlap no interval."""
        self._total += seconds

    def result(self) -> Floats:
        """Busy seconds of each node."""
        total = self._total.copy()
        if self._rows:
            self._merge()
            np.add.at(total, self._nodes[0], self._end[0] - self._start[0])
        return total

    def _merge(self) -> None:
        """Join the intervals of a node that touch."""
        node = np.concatenate(self._nodes)
        start, end = np.concatenate(self._start), np.concatenate(self._end)
        real = np.isfinite(end) & (end > start)  # what never ends is not counted
        node, start, end = node[real], start[real], end[real]
        order = np.lexsort((start, node))
        node, start, end = node[order], start[order], end[order]
        head = np.ones(len(node), np.bool_)
        if len(node):
            reach = running_most(end, node)
            head[1:] = (node[1:] != node[:-1]) | (start[1:] > reach[:-1])
            last = np.append(np.flatnonzero(head)[1:], len(node)) - 1
            node, start, end = node[head], start[head], reach[last]
        self._nodes, self._start, self._end = [node], [start], [end]
        self._rows = len(node)


def running_most(end: Floats, node: Integers) -> Floats:
    """The largest end so far within the rows of one node, which stand together."""
    place = np.argsort(np.argsort(end, kind="stable"), kind="stable")
    height = np.maximum.accumulate(place + node * len(end))
    return np.sort(end)[height - node * len(end)]


def check_total(total: float) -> float:
    """The total; raises BadInput where a sum went beyond what a number can hold."""
    if total != total:
        raise BadInput("the times of this schedule cannot be told: they are beyond 1e308 seconds")
    return total
