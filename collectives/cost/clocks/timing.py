"""What a clock found: when each step and message begins and ends, who waits, what links carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.busy import busy_seconds
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timed import Timed
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.units import time_text
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

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
    step_start, step_end: of each step; steps overlap in the dataflow clock. walk: times all
    messages once more.
    """

    clock: str
    recording: Recording
    topology: Topology
    costs: Costs
    total: float
    step_start: Floats
    step_end: Floats
    walk: Callable[[], Iterator[Timed]]

    def __repr__(self) -> str:
        """One line: the clock, the total, what and where."""
        ranks = plural(self.recording.ranks, "rank")
        told = f"{self.recording.title}, {ranks}, on {self.topology.name}"
        return f"<Timing: {self.clock} {time_text(self.total)}, {told}>"

    @cached_property
    def busy(self) -> Floats:
        """Seconds in which each node sends, receives or adds, [node]; timed once more for it."""
        return busy_seconds(self.walk(), self.recording.nodes)

    @property
    def idle(self) -> Floats:
        """Seconds in which each rank neither sends nor receives nor adds, [rank]."""
        return np.maximum(self.total - self.busy[: self.recording.ranks], 0)

    @cached_property
    def messages(self) -> Messages:
        """Every message; timed once more for it."""
        check_memory(MESSAGE_BYTES * self.recording.counters.messages, "the times of all messages")
        return _messages(self.walk())

    @cached_property
    def link_bytes(self) -> Integers:
        """Bytes each link of the topology carries, [link]."""
        carried = np.zeros(self.topology.links, np.intp)
        counters = self.recording.counters
        if len(counters.links):
            placement = self.topology.placement(self.recording.ranks, self.recording.nodes)
            paths = self.topology.paths(*placement[counters.links].T)
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


def _messages(timed: Iterable[Timed]) -> Messages:
    """Every message with its times."""
    columns: list[tuple[Integers | Floats, ...]] = []
    step = 0
    for one in timed:
        pattern = one.load.pattern
        size = np.broadcast_to(one.load.size, pattern.number)
        for at in one.at.tolist():
            times = (at + part for part in one.spread)
            columns.append((np.full(pattern.number, step), pattern.src, pattern.dst, size, *times))
            step += 1
    return Messages(*map(np.concatenate, zip(*columns, strict=True))) if columns else NO_MESSAGES


def check_total(total: float) -> float:
    """The total; raises BadInput where a sum went beyond what a number can hold."""
    if total != total:
        raise BadInput("the times of this schedule cannot be told: they are beyond 1e308 seconds")
    return total
