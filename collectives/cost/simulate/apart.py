"""Whether messages can ever get in each other's way, as the pairs of their ends tell."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.cost.paths import Integers, Paths
from collectives.cost.topology import Topology


def apart(topology: Topology, pairs: Integers) -> bool:
    """Whether no two messages between these pairs can ever be in each other's way."""
    if not len(pairs):
        return True
    paths = topology.paths(pairs[:, 0], pairs[:, 1])
    return bool(never_shared(topology, paths)[topology.group[paths.link]].all())


def never_shared(topology: Topology, paths: Paths) -> npt.NDArray[np.bool_]:
    """In which groups of links no two messages on these paths are ever in each other's way.

    They are not where all that use it leave by one port, or all come in by one; nor where it is
    a port itself and has room for as many as it takes at once.
    """
    hops = np.diff(paths.start)
    group = topology.group[paths.link]
    out, into = np.repeat(paths.first, hops), np.repeat(paths.last, hops)
    number = len(topology.capacity)
    link = _one_value(paths.link, group, number)
    room = topology.capacity >= np.bincount(
        topology.group, topology.bandwidth * topology.lanes, number
    ) / np.maximum(1, np.bincount(topology.group, minlength=number))
    safe = np.zeros(number, np.bool_)
    for port in (out, into):
        one = _one_value(port, group, number)
        safe |= (one >= 0) & (topology.lanes[np.maximum(one, 0)] == 1)
        safe |= (one >= 0) & (one == link) & room
    return safe


def _one_value(value: Integers, group: Integers, number: int) -> Integers:
    """The value that all entries of a group have, -1 where they differ."""
    low, high = np.full(number, np.iinfo(np.intp).max), np.full(number, -1)
    np.minimum.at(low, group, value)
    np.maximum.at(high, group, value)
    return np.where(low == high, high, -1)
