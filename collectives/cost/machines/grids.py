"""Regular machines: a crossbar, all to all, and grids of ranks joined to their neighbors."""

from __future__ import annotations

from math import prod

import numpy as np

from collectives.cost.machines.links import find_link
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology, joined
from collectives.errors import BadInput
from collectives.values import whole

MOST = 1 << 20  # of anything a node has
ALPHA, BANDWIDTH = 5e-6, 50e9  # of a machine that nothing more is said about


def crossbar(
    ranks: int,
    latency: float = ALPHA,
    bandwidth: float = BANDWIDTH,
    ports: int = 1,
    extra: int = 0,
    extra_ports: int = 0,
    half_duplex: bool = False,
) -> Topology:
    """Every node has `ports` ports to a switch that is never in the way.

    A message waits `latency` in all: half of it in the port it leaves by, half in that it comes
    in by. extra: nodes beside the ranks, for an algorithm's own switches and servers;
    extra_ports: of each of these, where they have another number of ports than ranks.
    half_duplex: a port sends or receives; what it does at once shares its bandwidth.
    """
    ends = ranks + whole("extra", extra, 0, MOST)
    each = np.arange(ends)
    lanes = np.full(ends, whole("ports", ports, 1, MOST))
    lanes[ranks:] = whole("extra_ports", extra_ports, 0, MOST) or ports

    def route(src: Integers, dst: Integers) -> Paths:
        return Paths(np.arange(0, 2 * len(src) + 1, 2), np.stack([src, ends + dst], 1).ravel())

    return joined(
        "crossbar",
        [("rank", ranks), ("extra", ends - ranks), ("switch", 1)],
        np.append(each, np.full(ends, ends)),
        np.append(np.full(ends, ends), each),
        latency / 2,
        bandwidth,
        lanes=np.append(lanes, lanes),
        share=np.append(each, each) if half_duplex else None,
        in_network=np.arange(ranks, ends),
        route=route,
    )


def ring(
    ranks: int, latency: float = ALPHA, bandwidth: float = BANDWIDTH, half_duplex: bool = False
) -> Topology:
    """Every rank is joined to the next and the one before; messages take the shorter way round."""
    return _grid("ring", (ranks,), True, latency, bandwidth, half_duplex)


def line(
    ranks: int, latency: float = ALPHA, bandwidth: float = BANDWIDTH, half_duplex: bool = False
) -> Topology:
    """As a ring, but the last rank is not joined to the first."""
    return _grid("line", (ranks,), False, latency, bandwidth, half_duplex)


def torus_2d(
    ranks: int, rows: int = 0, latency: float = ALPHA, bandwidth: float = BANDWIDTH
) -> Topology:
    """Rows and columns of ranks, each a ring; messages go along the row first."""
    shape = _shape("torus-2d", ranks, (rows, 0))
    return _grid("torus-2d", shape, True, latency, bandwidth, False)


def torus_3d(
    ranks: int,
    rows: int = 0,
    columns: int = 0,
    latency: float = ALPHA,
    bandwidth: float = BANDWIDTH,
) -> Topology:
    """Rings in three directions; messages go along the last one first."""
    shape = _shape("torus-3d", ranks, (rows, columns, 0))
    return _grid("torus-3d", shape, True, latency, bandwidth, False)


def fully_connected(
    ranks: int, latency: float = 1e-6, bandwidth: float = find_link("xgmi").bandwidth
) -> Topology:
    """Every rank has a link of its own to every other, as eight MI300X have."""
    src, dst = np.nonzero(~np.eye(ranks, dtype=np.bool_))

    def route(one: Integers, other: Integers) -> Paths:
        row = one * (ranks - 1) + other - (other > one)
        return Paths(np.arange(len(row) + 1), row)

    return joined("fully-connected", [("rank", ranks)], src, dst, latency, bandwidth, route=route)


def _shape(name: str, ranks: int, wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Sides of a torus: those given, the others as nearly equal as they can be."""
    sides: list[int] = []
    rest = ranks
    for place, side in enumerate(wanted):
        left = len(wanted) - place
        divisors = [d for d in range(1, rest + 1) if rest % d == 0]
        if not side:
            side = rest if left == 1 else max(d for d in divisors if d**left <= rest)
        elif rest % side:
            word = ("rows", "columns")[place]
            near = min((abs(d - side), d) for d in divisors)[1]
            raise BadInput(f"{word} {side}: must divide {rest} on {name}; nearest: {near}")
        sides.append(side)
        rest //= side
    return tuple(sides)


def _grid(
    name: str, shape: tuple[int, ...], closed: bool, late: float, fast: float, half: bool
) -> Topology:
    """Ranks in a grid, joined to their neighbors along each axis; `closed` joins the ends."""
    ranks = prod(shape)
    seat = np.array(np.unravel_index(np.arange(ranks), shape)).T
    link_of = np.full((len(shape), 2, ranks), -1, np.intp)
    src: list[int] = []
    dst: list[int] = []
    for axis, side in enumerate(shape):
        for way in (0, 1) if side > 2 or not closed else (0,):
            there = seat.copy()
            there[:, axis] += 1 - 2 * way
            inside = (there[:, axis] >= 0) & (there[:, axis] < side) if not closed else side > 1
            there[:, axis] %= side
            goal = np.ravel_multi_index(tuple(there.T), shape)
            rows = np.flatnonzero(np.broadcast_to(inside, ranks))
            link_of[axis, way, rows] = len(src) + np.arange(len(rows))
            src += rows.tolist()
            dst += goal[rows].tolist()

    def route(one: Integers, other: Integers) -> Paths:
        here, goal = seat[one], seat[other]
        hops = []
        for axis in reversed(range(len(shape))):
            side = shape[axis]
            apart = goal[:, axis] - here[:, axis]
            if closed:
                apart = (apart + (side - 1) // 2) % side - (side - 1) // 2
            way = (apart < 0).astype(np.intp)
            at = here.copy()
            for hop in range(int(np.abs(apart).max(initial=0))):
                on = hop < np.abs(apart)
                rank = np.ravel_multi_index(tuple(at.T), shape)
                hops.append(np.where(on, link_of[axis, way, rank], -1))
                at[:, axis] = (at[:, axis] + on * (1 - 2 * way)) % side
            here = at
        return Paths.of_table(np.stack(hops, axis=1)) if hops else Paths(one[:0], one[:0])

    share = None
    if half:
        low, high = np.minimum(src, dst), np.maximum(src, dst)
        share = low * ranks + high
    return joined(name, [("rank", ranks)], src, dst, late, fast, share=share, route=route)
