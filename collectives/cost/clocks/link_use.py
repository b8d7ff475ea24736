"""How long links are busy: what passes each of them in a timing, at its bandwidth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collectives.cost.clocks.step_messages import MessageSource
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats


@dataclass(frozen=True)
class LinkUse:
    """The seconds that bytes take on the links of a machine.

    in_turn: of the busiest link of each step, one step after another. capacity: bytes per second of
    each group of links that share it. seconds: that what passes each of these takes, in all steps.
    """

    in_turn: float
    capacity: Floats
    seconds: Floats

    @property
    def faster(self) -> float:
        """The part of the time of the busiest of the slowest links that a faster one needs.

        1 where there is only one kind of links that carry something.
        """
        slow = self.capacity == self.capacity.min(initial=np.inf)
        longest, faster = (float(self.seconds[kind].max(initial=0.0)) for kind in (slow, ~slow))
        return faster / longest if longest and 0 < faster < longest else 1.0


def link_use(timing: Timing) -> LinkUse:
    """How long each link of a timing's machine is busy, whatever lets its messages start apart."""
    machine, in_turn = timing.topology, 0.0
    every = np.zeros(len(machine.capacity))
    for messages in MessageSource(timing.recording, machine, timing.costs):
        paths, number = messages.routes.paths, messages.routes.number
        sizes = np.repeat(np.broadcast_to(messages.size, number), np.diff(paths.start))
        load = np.bincount(machine.group[paths.link], sizes, len(machine.capacity))
        with np.errstate(divide="ignore", invalid="ignore"):  # of links that are dead
            busy = load / machine.capacity
        in_turn, every = in_turn + float(np.nanmax(busy)), every + busy
    return LinkUse(in_turn, machine.capacity, every)
