"""Whether any two messages can contend for a link, from the pairs of their ends alone."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology

CHECKED_PAIRS = 1 << 13  # whose paths are found before it is checked whether any contend


def contention_free(topology: Topology, pairs: Integers) -> bool:
    """Whether no two messages between these pairs can contend for a link."""
    uses = _Uses(topology)
    for first in range(0, len(pairs), CHECKED_PAIRS):
        uses.add(topology.paths(*pairs[first : first + CHECKED_PAIRS].T))
        if not uses.uncontended().all():
            return False
    return True


def uncontended_links(topology: Topology, paths: Paths) -> npt.NDArray[np.bool_]:
    """In which groups of links no two messages on these paths can contend, [group].

    They cannot where all messages over the group leave by one port, or all arrive by one; nor
    where it is a port itself that has capacity for as many messages as it takes at once.
    """
    uses = _Uses(topology)
    uses.add(paths)
    return uses.uncontended()


class _Uses:
    """Of each group of links, whether all paths that use it have their ports in common."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        number = len(topology.capacity)
        ends = 3, number  # the link in the group itself, the first and the last of its path
        self._low, self._high = np.full(ends, np.iinfo(np.intp).max), np.full(ends, -1)
        wanted = np.bincount(topology.group, topology.bandwidth * topology.lanes, number)
        links = np.maximum(1, np.bincount(topology.group, minlength=number))
        self._room = topology.capacity >= wanted / links

    def add(self, paths: Paths) -> None:
        """Take in more paths."""
        hops = np.diff(paths.start)
        group = self._topology.group[paths.link]
        ends = paths.link, np.repeat(paths.first, hops), np.repeat(paths.last, hops)
        for low, high, value in zip(self._low, self._high, ends, strict=True):
            np.minimum.at(low, group, value)
            np.maximum.at(high, group, value)

    def uncontended(self) -> npt.NDArray[np.bool_]:
        """In which groups no two of the messages seen so far can contend."""
        link, out, into = np.where(self._low == self._high, self._high, -1)
        safe: npt.NDArray[np.bool_] = self._high[0] < 0  # no path uses them
        for port in (out, into):
            safe |= (port >= 0) & (self._topology.lanes[np.maximum(port, 0)] == 1)
            safe |= (port >= 0) & (port == link) & self._room
        return safe
