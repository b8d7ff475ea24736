"""How long links are busy: what passes each of them in a timing, at its bandwidth."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from collectives.cost.clocks.step_messages import MessageSource
from collectives.cost.clocks.timing import Timing


class LinkUse(NamedTuple):
    """The seconds that bytes take on the links of a machine, whatever lets messages start within.

    in_turn: of the busiest link of each step, one step after another. beside: of the time that all
    takes on the busiest of the slowest links, the part that messages which pass none of these need
    on theirs; 1 where there are none, or where they need longer.
    """

    in_turn: float
    beside: float


def link_use(timing: Timing) -> LinkUse:
    """How long the links of a timing's machine are busy."""
    machine, in_turn = timing.topology, 0.0
    slow = machine.capacity == machine.capacity.min(initial=np.inf)
    all_of_it, beside = np.zeros((2, len(slow)))
    for messages in MessageSource(timing.recording, machine, timing.costs):
        paths, number = messages.routes.paths, messages.routes.number
        hops, link = np.diff(paths.start), machine.group[paths.link]
        message = np.repeat(np.arange(number), hops)
        sizes = np.repeat(np.broadcast_to(messages.size, number), hops)
        passes = np.zeros(number, np.bool_)
        passes[message[slow[link]]] = True
        within = ~passes[message]
        with np.errstate(divide="ignore", invalid="ignore"):  # of links that are dead
            busy = np.bincount(link, sizes, len(slow)) / machine.capacity
            beside += np.bincount(link[within], sizes[within], len(slow)) / machine.capacity
        in_turn, all_of_it = in_turn + float(np.nanmax(busy)), all_of_it + busy
    longest, others = (float(busy.max(initial=0.0)) for busy in (all_of_it[slow], beside))
    return LinkUse(in_turn, others / longest if 0 < others < longest else 1.0)
