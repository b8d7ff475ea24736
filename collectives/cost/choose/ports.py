"""Which algorithms lockstep puts before others only by more messages at a port than it takes.

Lockstep starts all messages of a step at once and lets those of one port share its bandwidth, so
that 63 of them wait for a single start-up. A port sends its messages one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from collectives.cost.clocks.costs import MessageCosts
from collectives.cost.clocks.step_messages import MessageSource, StepMessages
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats, Integers
from collectives.units import time_text

AS_FAST = 0.01  # of a time: less apart is as fast
ROUNDING = 1e-9  # of a time: less apart is the same


@dataclass(frozen=True)
class Turns:
    """A time by lockstep, and what it becomes where the messages of a port take turns.

    messages: most of a step over one port, `port`, a link with `lanes` for them. in_turn: the
    least time where a message waits for a free lane of both its ports.
    """

    at_once: float
    in_turn: float
    messages: int = 1
    port: str = ""
    lanes: int = 1

    @property
    def crowded(self) -> bool:
        """Whether taking turns takes longer."""
        return self.in_turn > self.at_once * (1 + ROUNDING)

    def __str__(self) -> str:
        """Why an algorithm is left out of a ranking."""
        return (
            f"{self.messages} messages start at once over {self.port}, which takes {self.lanes} "
            f"at a time: one after another they take {time_text(self.in_turn - self.at_once)} "
            "longer"
        )


def overtaken(every: Sequence[Turns]) -> list[int]:
    """Which of these, the fastest by lockstep first, one behind them overtakes by taking turns.

    It does where it is as fast within 1 %, too: nothing speaks for the one with crowded ports.

    >>> flat, tree, ring = Turns(6e-6, 316e-6, 63), Turns(60e-6, 60e-6), Turns(630e-6, 630e-6)
    >>> overtaken([flat, tree, ring])
    [0]
    """
    slower, fastest = [], inf
    for place in reversed(range(len(every))):
        entry = every[place]
        if entry.crowded and fastest <= entry.in_turn * (1 + AS_FAST):
            slower.append(place)
        fastest = min(fastest, entry.in_turn)
    return slower[::-1]


def take_turns(timing: Timing) -> Turns:
    """The least time of a timing whose messages take turns at their ports.

    Each step takes at least as long as the messages of any port one after another, shared out to
    its lanes. By the dataflow clock and by LogGP they take turns anyway.
    """
    recording, topology, total = timing.recording, timing.topology, timing.total
    by_lockstep = timing.clock == "lockstep" and timing.costs.loggp is None
    if recording.counters.ports < 2 or not by_lockstep or not isfinite(total):
        return Turns(total, total)
    source = MessageSource(recording, topology, timing.costs)
    lanes = topology.lanes
    more, peak = 0.0, np.zeros(len(lanes), np.intp)
    last, busiest = None, 0.0
    for messages, length in zip(source, timing.step_end - timing.step_start, strict=True):
        if messages is not last or timing.costs.jitter:
            held, number = _at_ports(messages, source.costs, len(lanes))
            busiest = float((held / lanes).max())
            peak = np.maximum(peak, number)
        last = messages
        more += max(0.0, busiest - float(length))
    port = int((peak / lanes).argmax())
    return Turns(total, total + more, int(peak[port]), topology.link_label(port), int(lanes[port]))


def _at_ports(messages: StepMessages, costs: MessageCosts, links: int) -> tuple[Floats, Integers]:
    """Seconds that messages hold each link they leave or arrive by, and how many they are."""
    routes = messages.routes
    size = np.broadcast_to(messages.size, routes.number).astype(np.float64)
    held = costs.lead(routes, size) + costs.uncontended(routes, size)
    added = costs.gamma[routes.dst] * messages.added
    ends = (routes.out, held), (routes.into, held + added)
    seconds = np.maximum(*(np.bincount(end, time, links) for end, time in ends))
    number = np.maximum(*(np.bincount(end, minlength=links) for end, _ in ends))
    return seconds, number
