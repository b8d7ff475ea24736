"""Whether messages can ever get in each other's way, as the pairs of their ends tell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology

AT_ONCE = 1 << 13  # pairs whose paths are looked at before it is asked whether it goes on


def apart(topology: Topology, pairs: Integers) -> bool:
    """Whether no two messages between these pairs can ever be in each other's way."""
    uses = _Uses(topology)
    for first in range(0, len(pairs), AT_ONCE):
        uses.add(topology.paths(*pairs[first : first + AT_ONCE].T))
        if not uses.never_shared()[uses.used].all():
            return False
    return True


def never_shared(topology: Topology, paths: Paths) -> npt.NDArray[np.bool_]:
    """In which groups of links no two messages on these paths are ever in each other's way.

    They are not where all that use it leave by one port, or all come in by one; nor where it is
    a port itself and has room for as many as it takes at once.
    """
    uses = _Uses(topology)
    uses.add(paths)
    return uses.never_shared()


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
        """Look at more paths."""
        hops = np.diff(paths.start)
        group = self._topology.group[paths.link]
        ends = paths.link, np.repeat(paths.first, hops), np.repeat(paths.last, hops)
        for low, high, value in zip(self._low, self._high, ends, strict=True):
            np.minimum.at(low, group, value)
            np.maximum.at(high, group, value)

    @property
    def used(self) -> npt.NDArray[np.bool_]:
        """Which groups any path uses."""
        found: npt.NDArray[np.bool_] = self._high[0] >= 0
        return found

    def never_shared(self) -> npt.NDArray[np.bool_]:
        """Which groups no two messages share, of those seen so far."""
        link, out, into = np.where(self._low == self._high, self._high, -1)
        safe = np.zeros(len(link), np.bool_)
        for port in (out, into):
            safe |= (port >= 0) & (self._topology.lanes[np.maximum(port, 0)] == 1)
            safe |= (port >= 0) & (port == link) & self._room
        return safe
