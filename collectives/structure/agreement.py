"""Whether the links that a schedule uses are those of a structure: all of them and no others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product

import numpy as np

from collectives.schedule.step import Matrix
from collectives.structure import kinds
from collectives.structure.kinds import Nodes
from collectives.structure.traffic import Link, Traffic

Way = tuple[Link, ...]  # links, of which at least one is in use


def agrees(structure: kinds.Structure, traffic: Traffic) -> bool:
    """Whether every link in use belongs to the structure, and every link of it is in use.

    A row with arcs is judged step by step, two trees chunk by chunk, groups by what runs inside
    and between them. An exchange is what it moves: of its links only those of its groups matter.
    """
    match structure:
        case kinds.Cube():
            return _by_step(structure, traffic)
        case kinds.TwoTrees():
            return _by_chunk(structure, traffic)
        case kinds.Groups():
            return _by_group(structure, traffic)
        case kinds.Exchange(groups):
            return not groups or split(groups, traffic) is not None
    return _covers(list(_ways(structure, traffic)), traffic.links)


def split(members: Sequence[Nodes], traffic: Traffic) -> tuple[Traffic, Traffic, Nodes] | None:
    """What runs inside groups and between them, with places and groups for nodes, and the rails.

    None where groups overlap, differ in size, leave out a node in use, or are linked at different
    places.
    """
    home = {node: (g, place) for g, of in enumerate(members) for place, node in enumerate(of)}
    size = len(members[0])
    used = {node for link in traffic.links for node in link}
    if len(home) < size * len(members) or {size} != set(map(len, members)) or not used <= set(home):
        return None
    across = [(home[a][1], home[b][1]) for a, b in traffic.links if home[a][0] != home[b][0]]
    if any(place != other for place, other in across):
        return None

    def inside(link: Link) -> Link | None:
        (a, place), (b, other) = home[link[0]], home[link[1]]
        return (place, other) if a == b else None

    def between(link: Link) -> Link | None:
        a, b = home[link[0]][0], home[link[1]][0]
        return (a, b) if a != b else None

    def above(matrix: Matrix) -> Matrix:
        rows = [tuple(home[node][0] for node in row if node in home) for row in matrix]
        return tuple(dict.fromkeys(row for row in rows if len(set(row)) == len(row) > 1))

    ranks = sum(node < traffic.ranks for node in members[0])
    return (
        traffic.mapped(ranks, size, inside, lambda matrix: ()),
        traffic.mapped(len(members), len(members), between, above),
        tuple(sorted({place for place, _ in across})),
    )


def _covers(ways: Sequence[Way], used: Iterable[Link]) -> bool:
    """Whether the links are of these ways only, and each way is used."""
    links = set(used)
    return links <= {link for way in ways for link in way} and all(
        any(link in links for link in way) for way in ways
    )


def _ways(structure: kinds.Structure, traffic: Traffic) -> Iterator[Way]:
    """The links of a structure that is judged as a whole."""
    match structure:
        case kinds.Ring(orders, parent):
            if parent.count(-1) > 1:
                return  # a tree has one root
            for order in orders:
                following = zip(order, order[1:] + order[:1], strict=True)
                yield from ((link,) for link in following if len(order) > 1)
            yield from edges(parent)
        case kinds.Tree(parent) | kinds.Switches(parent):
            yield from edges(parent)
        case kinds.Line(order):
            yield from (((src, dst),) for src, dst in pairwise(order))
        case kinds.Star(hubs):
            for hub, rank in product(hubs, range(traffic.ranks)):
                if rank != hub:
                    yield (hub, rank), (rank, hub)
        case kinds.Torus(shape):
            yield from _lines(shape)
        case kinds.Loose(links):
            yield from ((link,) for link in links)


def edges(parent: Nodes) -> Iterator[Way]:
    """The links of a tree, each both ways."""
    for node, above in enumerate(parent):
        if above >= 0:
            yield (node, above), (above, node)


def _lines(shape: tuple[int, ...]) -> Iterator[Way]:
    """The rings of a grid along every dimension, each link both ways."""
    rank = np.arange(int(np.prod(shape))).reshape(shape)
    for axis, size in enumerate(shape):
        if size > 1:
            following = np.roll(rank, -1, axis).reshape(-1).tolist()
            for src, dst in zip(rank.reshape(-1).tolist(), following, strict=True):
                yield (src, dst), (dst, src)


def _by_step(cube: kinds.Cube, traffic: Traffic) -> bool:
    """Whether partners are as far apart as the row with arcs says, in every step.

    Of the pairs of seats at the distances of a step at least half meet, in it or in steps alike (a
    binomial tree has the same distances, but fewer links), and the row does not fall apart.
    """
    if len(cube.distances) != len(traffic.steps):
        return False
    seat = {rank: number for number, rank in enumerate(cube.row)}
    aside = {way for pair in cube.folded for way in (pair, pair[::-1])}
    used = set().union(*(links & aside for links in traffic.steps))
    if not all(pair in used or pair[::-1] in used for pair in cube.folded):
        return False
    if any(rank in seat or other not in seat for rank, other in cube.folded):
        return False
    met: dict[Nodes, set[Link]] = {}
    for links, expected in zip(traffic.steps, cube.distances, strict=True):
        rest = links - aside
        if not all(src in seat and dst in seat for src, dst in rest):
            return False
        pairs = {(min(seat[a], seat[b]), max(seat[a], seat[b])) for a, b in rest}
        if {distance(cube, a, b) for a, b in pairs} != set(expected):
            return False
        met.setdefault(expected, set()).update(pairs)
    dense = all(2 * len(pairs) >= sum(_pairs(cube, d) for d in of) for of, pairs in met.items())
    return dense and _connected(set().union(*met.values()), len(seat))


def _connected(pairs: set[Link], seats: int) -> bool:
    """Whether all seats can be reached from the first."""
    near: dict[int, list[int]] = {seat: [] for seat in range(seats)}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    reached, rest = {0}, [0]
    while rest:
        fresh = set(near[rest.pop()]) - reached
        reached |= fresh
        rest += fresh
    return len(reached) == seats


def _pairs(cube: kinds.Cube, distance: int) -> int:
    """How many pairs of seats are so far apart."""
    seats = len(cube.row)
    if not cube.circular:
        return seats - distance
    return seats // 2 if 2 * distance == seats else seats


def distance(cube: kinds.Cube, seat: int, other: int) -> int:
    """How many seats apart two seats of a row are."""
    steps = abs(seat - other)
    return min(steps, len(cube.row) - steps) if cube.circular else steps


def _by_chunk(trees: kinds.TwoTrees, traffic: Traffic) -> bool:
    """Whether every chunk uses all links of its tree and no others."""
    both = zip(trees.parents, trees.chunks, strict=True)
    ways = {chunk: list(edges(parent)) for parent, chunks in both for chunk in chunks}
    return set(traffic.by_chunk) <= set(ways) and all(
        _covers(ways[chunk], links) for chunk, links in traffic.by_chunk.items()
    )


def _by_group(groups: kinds.Groups, traffic: Traffic) -> bool:
    """Whether what runs inside and between groups agrees, and all groups and rails are in use."""
    parts = split(groups.members, traffic)
    if parts is None:
        return False
    inside, between, rails = parts
    home = {node: group for group, members in enumerate(groups.members) for node in members}
    busy = {home[src] for src, dst in traffic.links if home[src] == home[dst]}
    return (
        (groups.inside is None or agrees(groups.inside, inside))
        and (groups.between is None or agrees(groups.between, between))
        and (not between.links or rails == groups.rails)
        and len(busy) in (0, len(groups.members))
    )
