"""How long links are busy in a timing, step after step: the busiest, and those of two kinds."""

from __future__ import annotations

import numpy as np

from collectives.cost.clocks.step_messages import MessageSource
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Integers


def busiest_in_turn(timing: Timing) -> float:
    """Seconds that bytes take on the busiest link of each step, one step after another.

    Whatever lets messages start apart.
    """
    machine, seconds = timing.topology, 0.0
    for messages in MessageSource(timing.recording, machine, timing.costs):
        paths, number = messages.routes.paths, messages.routes.number
        sizes = np.repeat(np.broadcast_to(messages.size, number), np.diff(paths.start))
        load = np.bincount(machine.group[paths.link], sizes, len(machine.capacity))
        with np.errstate(divide="ignore", invalid="ignore"):  # of links that are dead
            seconds += float(np.nanmax(load / machine.capacity))
    return seconds


def under_way(timing: Timing, home: Integers) -> tuple[float, float]:
    """Seconds in which messages are under way, latencies included, one step after another.

    Of those that stay within a group of nodes, as in a server, and of those that leave it.

    Parameters
    ----------
    timing : Timing
        By the lockstep clock.
    home : int array, [node]
        The group of each node.

    Examples
    --------
    >>> from collectives import record, topology
    >>> from collectives.cost.clocks.clock import lockstep
    >>> ring = record("all_gather", "ring", ranks=4, count=4000)
    >>> timing = lockstep(ring, topology("cluster", 4, gpus=2))
    >>> within, across = under_way(timing, np.array([0, 0, 1, 1]))
    >>> within < across == timing.total
    True
    """
    seconds = np.zeros(2)
    for run in timing.walk():
        routes, end = run.messages.routes, run.spread[2]
        leaves = home[routes.src] != home[routes.dst]
        ends = [float(end[kind].max(initial=0.0)) for kind in (~leaves, leaves)]
        seconds += run.repeats * np.array(ends)
    return float(seconds[0]), float(seconds[1])
