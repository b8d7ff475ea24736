"""The busiest link of a tree of switches, and which ranks are behind it."""

from __future__ import annotations

import numpy as np

from animations.stages.tower import Tower
from collectives.cost.clocks.timing import Timing
from collectives.recording.recording import Recording

MOST_RANKS = 16  # that are drawn
Uplink = tuple[tuple[int, ...], tuple[int, ...], Recording]


def uplink_of(timing: Timing) -> Uplink | None:
    """The switch above each node, the ranks behind the busiest link, and what runs there.

    None where the machine is no tree of switches.
    """
    recording, machine = timing.asked, timing.topology
    up, parent = machine.src < machine.dst, np.full(machine.nodes, -1)
    parent[machine.src[up]] = machine.dst[up]
    one_above = np.count_nonzero(parent >= 0) == machine.nodes - 1 == machine.links / 2
    if not one_above or machine.nodes < machine.ranks + 2 or recording.nodes > MOST_RANKS:
        return None
    tower, loads = Tower(tuple(parent.tolist())), dict[tuple[int, ...], int]()
    for node in range(machine.nodes - 1):
        behind, load = tower.leaves(node), np.zeros(2, np.intp)
        for number, step in enumerate(recording.steps):
            rows = step.unrolled()
            inside, ends = np.isin(rows.src, behind), np.isin(rows.dst, behind)
            size = recording.sizes(number)[rows.src, rows.chunk]
            load += size[inside & ~ends].sum(), size[ends & ~inside].sum()
        loads[tuple(behind)] = int(load.max())
    return tower.parent, max(loads, key=lambda behind: (loads[behind], len(behind))), recording
