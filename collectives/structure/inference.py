"""The structure of any schedule, from the links that it uses and the groups it ran within.

Every structure that is found agrees with the links; of several that do the first one is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise, product

import numpy as np

from collectives.schedule.columns import Integers
from collectives.schedule.step import Matrix
from collectives.structure.base import Loose, Nodes, Structure
from collectives.structure.machines import Exchange, Groups, Torus, split
from collectives.structure.machines import RoutedGroups as RoutedGroups
from collectives.structure.rings import Line, Ring, Star, side_by_side
from collectives.structure.rows import Cube
from collectives.structure.traffic import Links, Traffic
from collectives.structure.trees import Switches, Tree, TwoTrees, depths

Structures = Iterator[Structure]


def inferred(
    traffic: Traffic,
    root: int = -1,
    servers: bool = False,
    blocks: bool = False,
    like: Structure | None = None,
) -> Structure:
    """The first structure that all links in use agree with; else they are loose.

    root: of the collective, -1 where it has none. servers: whether helpers are servers, not
    switches. blocks: whether every rank has a block for every other. like: what the same algorithm
    is on other ranks; the first that is alike is taken.
    """
    if blocks:
        return Exchange()
    first = None
    for inferred in () if isinstance(like, Loose) else _candidates(traffic, root, servers, like):
        if inferred.agrees(traffic):
            if like is None or inferred.alike(like):
                return inferred
            first = first or inferred
    return first or Loose(tuple(map(tuple, traffic.links.tolist())))


def _candidates(
    traffic: Traffic, root: int, servers: bool, like: Structure | None
) -> Iterator[Structure]:
    """Structures that the links may agree with, the kind of `like` and the most telling first."""
    linked = np.bincount(traffic.links.ravel(), minlength=traffic.nodes)
    if not linked.all() or not len(traffic.links):
        return  # some node is idle: nothing that spans all nodes
    if traffic.nodes > traffic.ranks:
        if servers:
            yield Star(tuple(range(traffic.ranks, traffic.nodes)))
        finders = [(Switches, _switches), (Groups, _switch_in_each)]
    else:
        finders = [
            *((Groups, _within_groups), (Line, _lines), (Ring, _rings), (Star, _stars)),
            *((Tree, _trees), (Cube, _folded), (Cube, _row), (Torus, _grids)),
            *((TwoTrees, _two_trees), (Ring, _ring_and_tree)),
        ]
    for _, find in sorted(finders, key=lambda finder: finder[0] is not type(like)):
        yield from find(traffic, root)


# groups


def _within_groups(traffic: Traffic, root: int) -> Structures:
    """The groups of ranks that the schedule ran within; a torus where it ran within two at once."""
    every = list(range(traffic.ranks))
    whole = [
        tuple(m for m in of if len(m) > 1 and sorted(node for row in m for node in row) == every)
        for of in dict.fromkeys(traffic.groups)
    ]
    for of in whole:
        if len(of) > 1:
            yield from (Torus((len(m), len(m[0]))) for m in of if _consecutive(m))
    matrices = dict.fromkeys(matrix for of in whole for matrix in of)
    for matrix in sorted(matrices, key=lambda m: not _consecutive(m)):
        yield from _groups(matrix, traffic)


def _grids(traffic: Traffic, root: int) -> Structures:
    """Grids of two or three dimensions with so many links."""
    ranks, pairs = traffic.ranks, len(traffic.pairs)
    sides = [side for side in range(2, ranks) if ranks % side == 0]
    shapes: list[tuple[int, ...]] = [(rows, ranks // rows) for rows in sides]
    shapes += [(a, b, ranks // a // b) for a in sides for b in sides if ranks % (a * b) == 0]
    for shape in shapes:
        if 1 not in shape and pairs == sum(ranks if s > 2 else ranks // 2 for s in shape):
            yield Torus(shape)


def _consecutive(matrix: Matrix) -> bool:
    """Whether every group is a run of ranks."""
    return all(b - a == 1 for row in matrix for a, b in pairwise(row))


def _groups(members: Sequence[Nodes], traffic: Traffic) -> Structures:
    """These groups, with what runs inside and between them where it is simple."""
    parts = split(members, traffic)
    if parts and len(parts[0].links) and len(parts[1].links):
        kinds = [inferred(part) for part in parts[:2]]
        inside, between = (None if isinstance(part, Loose) else part for part in kinds)
        yield Groups(tuple(members), inside, between, parts[2])


def _switch_in_each(traffic: Traffic, root: int) -> Structures:
    """Groups of ranks, each of which is linked with one helper only, its own."""
    low, high = traffic.pairs.T
    members = [
        (*low[(high == helper) & (low < traffic.ranks)].tolist(), helper)
        for helper in range(traffic.ranks, traffic.nodes)
    ]
    if len({len(group) for group in members}) == 1:
        yield from _groups(members, traffic)


# trees


def _tree(in_order: Links, nodes: int, top: int) -> Iterator[Nodes]:
    """The parents of a tree, if the links are one; its root is where data ends or begins.

    in_order: the links in the order of first use. top: the root, -1 where it is not known.
    """
    first: dict[tuple[int, int], tuple[int, int]] = {}
    for src, dst in in_order.tolist() if len(in_order) < 2 * nodes else ():
        first.setdefault((min(src, dst), max(src, dst)), (src, dst))
    near: dict[int, list[int]] = {}
    for src, dst in first:
        near.setdefault(src, []).append(dst)
        near.setdefault(dst, []).append(src)
    if len(first) != nodes - 1 or len(near) != nodes:
        return
    ends = [set(near) - {link[side] for link in first.values()} for side in (0, 1)]
    tops = [top] if top >= 0 else [*(min(end) for end in ends if len(end) == 1), 0]
    parent = {tops[0]: -1}
    order = [tops[0]]
    for node in order:
        fresh = [neighbor for neighbor in near[node] if neighbor not in parent]
        parent |= dict.fromkeys(fresh, node)
        order += fresh
    if len(parent) == nodes:
        yield tuple(parent[node] for node in range(nodes))


def _trees(traffic: Traffic, root: int) -> Structures:
    yield from map(Tree, _tree(traffic.in_order, traffic.nodes, root))


def _switches(traffic: Traffic, root: int) -> Structures:
    """A tree of switches whose leaves are the ranks: its top has the fewest levels below it."""
    parents = [
        parent
        for helper in range(traffic.ranks, traffic.nodes)
        for parent in _tree(traffic.links, traffic.nodes, helper)
        if not set(range(traffic.ranks)) & set(parent)
    ]
    if parents:
        yield Switches(min(reversed(parents), key=lambda parent: max(depths(parent))))


def _two_trees(traffic: Traffic, root: int) -> Structures:
    """Two trees, where the links of chunks are of two kinds only."""
    chunks_of: dict[bytes, list[int]] = {}
    for chunk, links in traffic.by_chunk.items():
        kind = np.unique(np.sort(links, axis=1), axis=0).tobytes()
        chunks_of.setdefault(kind, []).append(chunk)
    if len(chunks_of) == 2:
        firsts, two = (
            list(_tree(traffic.by_chunk[of[0]], traffic.nodes, root)) for of in chunks_of.values()
        )
        first, second = (tuple(chunks) for chunks in chunks_of.values())
        yield from (TwoTrees(trees, (first, second)) for trees in product(firsts, two))


# lines, rings, stars


def _following(links: Links, start: int) -> Nodes:
    """The nodes that follow one another from a node on, until one has no next or comes again."""
    following = dict(links.tolist())
    order = dict.fromkeys([start])
    while (last := following.get(next(reversed(order)))) is not None and last not in order:
        order[last] = None
    return tuple(order)


def _lines(traffic: Traffic, root: int) -> Structures:
    """The line that begins where nothing arrives."""
    if len(traffic.links) == traffic.nodes - 1:
        first = set(range(traffic.nodes)) - set(traffic.links[:, 1].tolist())
        yield from (Line(_following(traffic.links, node)) for node in first if len(first) == 1)


def _rings(traffic: Traffic, root: int) -> Structures:
    """Rings of all nodes; of a ring and its reverse each has all nodes or none in a step."""
    links, nodes = traffic.links, traffic.nodes
    yield from side_by_side(traffic)
    if len(links) == nodes:
        yield Ring((_following(links, 0),))
    if len(links) == 2 * nodes or nodes == 2:
        order = _around(links)
        both = Ring((order, order[:1] + order[:0:-1]))
        ways = [set(zip(way, way[1:] + way[:1], strict=True)) for way in both.orders]
        steps = [set(map(tuple, some.tolist())) for some in traffic.patterns]
        if all(not some & way or way <= some for some in steps for way in ways):
            yield both


def _around(links: Links) -> Nodes:
    """The nodes of links that go both ways, from 0 on to its lower neighbor and so on."""
    near: dict[int, set[int]] = {}
    for src, dst in links.tolist():
        near.setdefault(src, set()).add(dst)
    order = {0: None}
    while rest := near.get(next(reversed(order)), set()) - set(order):
        order[min(rest)] = None
    return tuple(order)


def _stars(traffic: Traffic, root: int) -> Structures:
    """One hub in all links, or every rank in as many."""
    shared = [end for end in traffic.pairs[0].tolist() if (traffic.pairs == end).any(axis=1).all()]
    yield from (Star((hub,)) for hub in sorted(shared, key=lambda hub: hub != root))
    if len(traffic.patterns) == 1 or len(traffic.patterns[0]) == len(traffic.links):
        yield Star(tuple(range(traffic.ranks)))


def _ring_and_tree(traffic: Traffic, root: int) -> Structures:
    """Most steps on a ring, the others on a tree."""
    whole = [len(links) == traffic.nodes for links in traffic.patterns]
    rest = [links for links, full in zip(traffic.patterns, whole, strict=True) if not full]
    if sum(whole[number] for number in traffic.order) < traffic.nodes - 1:
        return
    if whole.count(True) == 1 and rest:
        for parent in _tree(np.concatenate(rest), traffic.nodes, root):
            yield Ring((_following(traffic.patterns[whole.index(True)], 0),), parent)


# rows with arcs


def _folded(traffic: Traffic, root: int) -> Structures:
    """A row without ranks that are linked with one other only, in the first step.

    Where they both send and receive in it, they only send in the second, or get the result in the
    last one.
    """
    order = traffic.order
    first, second, last = (traffic.patterns[order[at]] for at in (0, min(1, len(order) - 1), -1))
    away = np.unique(first[np.bincount(traffic.pairs.ravel())[first] == 1])
    pairs = {(a, b) if a in away else (b, a) for a, b in first.tolist()}
    handed = np.array_equal(np.sort(second[:, 0]), away)
    fold = len(first) == len(away) or handed or np.isin(away, last).all()
    if fold and 3 * len(away) < 2 * traffic.ranks and len(pairs) == len(away):
        row = np.setdiff1d(np.arange(traffic.ranks), away)
        yield from _rows(traffic, [tuple(row.tolist())], tuple(sorted(pairs)))


def _row(traffic: Traffic, root: int) -> Structures:
    """All ranks, from 0 on or from the root on."""
    row = tuple(range(traffic.ranks))
    yield from _rows(traffic, [row, row[root:] + row[:root]][: 1 + (root > 0)], ())


def _rows(
    traffic: Traffic, rows: Sequence[Nodes], folded: tuple[tuple[int, int], ...]
) -> Iterator[Cube]:
    """Rows in which all partners of a step are equally far apart, or 1 to k times as far."""
    for circular, row in product((False, True), rows):
        cube = Cube(row, (), folded, circular)
        known = []
        for links in traffic.patterns:
            hops = _hops(cube, *links.T)
            if hops is None:
                break
            known.append(hops)
        else:
            yield replace(cube, distances=tuple(known[number] for number in traffic.order))


def _hops(cube: Cube, src: Integers, dst: Integers) -> tuple[int, ...] | None:
    """The distances of a step: one, or 1 to k times the first, each sent over by each rank."""
    hops = cube.hops(src, dst)
    distances = np.unique(hops[hops > 0])
    if len(distances) > 1:
        sent = np.bincount(src[hops > 0])
        multiples = distances[0] * np.arange(1, len(distances) + 1)
        if (distances != multiples).any() or set(sent[sent > 0].tolist()) != {len(distances)}:
            return None
    return tuple(distances.tolist())
