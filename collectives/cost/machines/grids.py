"""Regular machines: a crossbar, a full mesh, and grids of ranks linked to their neighbors."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from collectives.cost.machines.links import find_link
from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import MOST_NODES, Topology, from_links
from collectives.errors import BadInput
from collectives.values import whole

ALPHA, BANDWIDTH = 5e-6, 50e9  # defaults


def crossbar(
    ranks: int,
    latency: float = ALPHA,
    bandwidth: float = BANDWIDTH,
    ports: int = 1,
    extra: int = 0,
    extra_ports: int = 0,
    half_duplex: bool = False,
) -> Topology:
    """Every node has ports of its own to one switch without contention.

    Parameters
    ----------
    latency : float
        Seconds that a message waits in all, half in the port it leaves by, half in the other.
    bandwidth : float
        Bytes per second of each port in one direction.
    ports : int
        Ports of each node; each carries one message at a time.
    extra : int
        Nodes beside the ranks, for an algorithm's own switches and servers.
    extra_ports : int
        Ports of each extra node; 0 for as many as a rank has.
    half_duplex : bool
        Both directions of a port share its bandwidth.
    """
    ends = ranks + whole("extra", extra, 0, MOST_NODES)
    ends_of = np.arange(ends)
    ports = whole("ports", ports, 1, MOST_NODES)
    lanes = np.full(ends, ports)
    lanes[ranks:] = whole("extra_ports", extra_ports, 0, MOST_NODES) or ports

    def route(src: Integers, dst: Integers) -> Paths:
        return Paths(np.arange(0, 2 * len(src) + 1, 2), np.stack([src, ends + dst], 1).ravel())

    return from_links(
        "crossbar",
        [("rank", ranks), ("extra", ends - ranks), ("switch", 1)],
        ends_of,
        np.full(ends, ends),
        latency / 2,
        bandwidth,
        both_ways=True,
        lanes=lanes,
        share=np.append(ends_of, ends_of) if half_duplex else None,
        in_network=np.arange(ranks, ends),
        route=route,
    )


def ring(
    ranks: int, latency: float = ALPHA, bandwidth: float = BANDWIDTH, half_duplex: bool = False
) -> Topology:
    """Every rank has a link to the next and one to the previous rank; messages go the shorter way.

    Parameters
    ----------
    latency : float
        Seconds that a message waits on each link.
    bandwidth : float
        Bytes per second of each link in one direction.
    half_duplex : bool
        Both directions of a link share its bandwidth.
    """
    return _grid("ring", (ranks,), True, latency, bandwidth, half_duplex)


def line(
    ranks: int, latency: float = ALPHA, bandwidth: float = BANDWIDTH, half_duplex: bool = False
) -> Topology:
    """A ring without the link between the last rank and the first.

    Parameters
    ----------
    latency : float
        Seconds that a message waits on each link.
    bandwidth : float
        Bytes per second of each link in one direction.
    half_duplex : bool
        Both directions of a link share its bandwidth.
    """
    return _grid("line", (ranks,), False, latency, bandwidth, half_duplex)


def torus_2d(
    ranks: int, rows: int = 0, latency: float = ALPHA, bandwidth: float = BANDWIDTH
) -> Topology:
    """Rows and columns of ranks, each a ring; messages go along the row first.

    Parameters
    ----------
    rows : int
        Number of rows, a divisor of the ranks; 0 for the squarest grid.
    latency : float
        Seconds that a message waits on each link.
    bandwidth : float
        Bytes per second of each link in one direction.
    """
    shape = _shape("torus-2d", ranks, (rows, 0))
    return _grid("torus-2d", shape, True, latency, bandwidth, False)


def torus_3d(
    ranks: int,
    rows: int = 0,
    columns: int = 0,
    latency: float = ALPHA,
    bandwidth: float = BANDWIDTH,
) -> Topology:
    """Rings in three directions; messages go along the last one first.

    Parameters
    ----------
    rows : int
        Ranks along the first direction, a divisor of the ranks; 0 to choose nearly equal sides.
    columns : int
        Ranks along the second direction; 0 to choose.
    latency : float
        Seconds that a message waits on each link.
    bandwidth : float
        Bytes per second of each link in one direction.
    """
    shape = _shape("torus-3d", ranks, (rows, columns, 0))
    return _grid("torus-3d", shape, True, latency, bandwidth, False)


def fully_connected(
    ranks: int, latency: float = 1e-6, bandwidth: float = find_link("xgmi").bandwidth
) -> Topology:
    """Every rank has a link of its own to every other, as eight MI300X have.

    Parameters
    ----------
    latency : float
        Seconds that a message waits on each link.
    bandwidth : float
        Bytes per second of each link in one direction.
    """
    src, dst = np.nonzero(~np.eye(ranks, dtype=np.bool_))

    def route(src: Integers, dst: Integers) -> Paths:
        row = src * (ranks - 1) + dst - (dst > src)
        return Paths(np.arange(len(row) + 1), row)

    return from_links(
        "fully-connected", [("rank", ranks)], src, dst, latency, bandwidth, route=route
    )


def _shape(name: str, ranks: int, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Sides of a torus: those given, the others as nearly equal as possible."""
    sides: list[int] = []
    rest = ranks
    for place, length in enumerate(wanted):
        word, left = ("rows", "columns", "")[place], len(wanted) - place
        side = whole(word, length)
        divisors = [d for d in range(1, rest + 1) if rest % d == 0]
        if not side:
            side = rest if left == 1 else max(d for d in divisors if d**left <= rest)
        elif rest % side:
            near = min((abs(d - side), d) for d in divisors)[1]
            raise BadInput(f"{word} {side}: must divide {rest} on {name}; try: {near}")
        sides.append(side)
        rest //= side
    return tuple(sides)


def _grid(
    name: str, shape: tuple[int, ...], closed: bool, latency: float, bandwidth: float, half: bool
) -> Topology:
    """Ranks in a grid, linked to their neighbors along each axis; `closed` links the ends too."""
    ranks = prod(shape)
    place = np.array(np.unravel_index(np.arange(ranks), shape)).T
    link_of = np.full((len(shape), 2, ranks), -1, np.intp)
    ends: tuple[list[int], list[int]] = [], []
    for axis, side in enumerate(shape):
        for way in (0, 1) if side > 2 or not closed else (0,) * (side - 1):
            there = place.copy()
            there[:, axis] += 1 - 2 * way
            rows = np.flatnonzero(closed | (there[:, axis] >= 0) & (there[:, axis] < side))
            link_of[axis, way, rows] = len(ends[0]) + np.arange(len(rows))
            ends[0].extend(rows.tolist())
            ends[1].extend(np.ravel_multi_index(tuple(there[rows].T), shape, mode="wrap").tolist())

    def route(src: Integers, dst: Integers) -> Paths:
        here, goal = place[src], place[dst]
        hops = []
        for axis in reversed(range(len(shape))):
            side = shape[axis]
            offset = goal[:, axis] - here[:, axis]
            if closed:
                offset = (offset + (side - 1) // 2) % side - (side - 1) // 2
            way = (offset < 0).astype(np.intp)
            at = here.copy()
            for hop in range(int(np.abs(offset).max(initial=0))):
                on = hop < np.abs(offset)
                rank = np.ravel_multi_index(tuple(at.T), shape)
                hops.append(np.where(on, link_of[axis, way, rank], -1))
                at[:, axis] = (at[:, axis] + on * (1 - 2 * way)) % side
            here = at
        return Paths.of_table(np.stack(hops, axis=1)) if hops else Paths(src[:0], src[:0])

    share = np.minimum(*ends) * ranks + np.maximum(*ends) if half else None
    kinds = [("rank", ranks)]
    built = from_links(name, kinds, *ends, latency, bandwidth, share=share, route=route)
    return built if closed and len(shape) == 1 else replace(built, shape=shape)


MACHINES = {
    "crossbar": NamedMachine(crossbar, star=True, usual=5),
    "ring": NamedMachine(ring),
    "line": NamedMachine(line),
    "torus-2d": NamedMachine(torus_2d),
    "torus-3d": NamedMachine(torus_3d),
    "fully-connected": NamedMachine(fully_connected, 2048),
}
