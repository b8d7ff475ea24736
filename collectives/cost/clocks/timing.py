"""The result of a clock: when each step and message begins and ends, idle times, busy links."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.busy import Spans, busy_seconds, joined
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.step_messages import StepTimes
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.memory_limit import check_memory
from collectives.units import time_text
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

KEPT_BYTES = 100  # of memory, for the times of a message


@dataclass(frozen=True, eq=False)
class Messages:
    """Every message in the order of the schedule, a row of each column.

    step counts from 0. size: bytes. start: when it takes its ports. sent: when the sender's
    port is done with it. end: when it has arrived, and has been added if it is to be.
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


@dataclass(frozen=True, eq=False)
class Timing:
    """How long a recording takes on a topology by one of the two clocks, in seconds.

    Attributes
    ----------
    clock : str
        "lockstep" or "dataflow".
    recording : Recording
        What was timed.
    topology : Topology
        The machine it was timed on.
    costs : Costs
        What messages cost beside the links.
    total : float
        Until the last message has ended and all ranks have arrived; inf where one never ends.
    step_start, step_end : float array, [step]
        Start and end of each step; steps overlap in the dataflow clock.
    walk : callable
        Times all messages once more.
    one_ring : Recording, optional
        What was asked about, where `recording` is the same in as many channels as a library runs.
    """

    clock: str
    recording: Recording
    topology: Topology
    costs: Costs
    total: float
    step_start: Floats
    step_end: Floats
    walk: Callable[[], Iterator[StepTimes]]
    one_ring: Recording | None = field(default=None, kw_only=True)

    @property
    def asked(self) -> Recording:
        """The recording that was asked about: what is drawn, step by step as long."""
        return self.one_ring or self.recording

    def __repr__(self) -> str:
        """One line: the clock, the total, what and where."""
        ranks = plural(self.recording.ranks, "rank")
        timed = f"{self.recording.title}, {ranks}, on {self.topology.name}"
        return f"<Timing: {self.clock} {time_text(self.total)}, {timed}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_results import timing_html

        return timing_html(self)

    @cached_property
    def busy(self) -> Floats:
        """Seconds in which each node sends, receives or adds, [node]; walks once more for it."""
        return busy_seconds(self.walk(), self.recording.nodes)

    @property
    def idle(self) -> Floats:
        """Seconds in which each rank neither sends nor receives nor adds, [rank]."""
        return np.maximum(self.total - self.busy[: self.recording.ranks], 0)

    @cached_property
    def messages(self) -> Messages:
        """The times of every message; walks once more for it."""
        check_memory(KEPT_BYTES * self.recording.counters.messages, "the times of all messages")
        return times_of_messages(self.walk())

    def busy_spans(self, node: int) -> Spans:
        """When a node sends, receives or adds: begin and end in seconds, in order, apart."""
        messages = self.messages
        out, into = messages.src == node, messages.dst == node
        starts = np.concatenate([messages.start[out], messages.start[into]])
        return joined(starts, np.concatenate([messages.sent[out], messages.end[into]]))

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
    def shared_bytes(self) -> Integers:
        """Bytes that each link carries together with those that share its capacity, [link]."""
        group, carried = self.topology.group, np.zeros(len(self.topology.capacity), np.intp)
        np.add.at(carried, group, self.link_bytes)
        return carried[group]

    @property
    def link_seconds(self) -> Floats:
        """Seconds each link would take without a pause to carry its bytes, [link].

        Of links that share a capacity: those of all, where it carries any of them.
        """
        speed = self.topology.bandwidth * self.topology.lanes
        with np.errstate(divide="ignore", invalid="ignore"):
            took = self.link_bytes / speed
            if self.topology.shared:
                capacity = self.topology.capacity[self.topology.group]
                took = np.maximum(took, self.shared_bytes / capacity)
        return np.where(self.link_bytes > 0, took, 0.0)

    @property
    def link_use(self) -> Floats:
        """The share of the total in which the capacity of each link that is used is, [link]."""
        return self.link_seconds / self.total if self.total else np.zeros(self.topology.links)


def times_of_messages(runs: Iterable[StepTimes]) -> Messages:
    """Every message with its times."""
    none: tuple[Integers | Floats, ...] = (np.zeros(0, np.intp),) * 3 + (np.zeros(0),) * 4
    columns = [none]
    step = 0
    for run in runs:
        routes = run.messages.routes
        size = np.broadcast_to(run.messages.size, routes.number)
        for begin in run.begins.tolist():
            times = (begin + part for part in run.spread)
            columns.append((np.full(routes.number, step), routes.src, routes.dst, size, *times))
            step += 1
    return Messages(*map(np.concatenate, zip(*columns, strict=True)))
