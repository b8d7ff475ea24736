"""The structure of any schedule, from the links that it uses and the groups it ran within.

Every structure that is found agrees with the links; of several that do the first one is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise, product

from collectives.schedule.step import Matrix
from collectives.structure import kinds
from collectives.structure.agreement import agrees, distance, split
from collectives.structure.counted import depths
from collectives.structure.kinds import Nodes
from collectives.structure.traffic import Link, Links, Traffic

MAX_LINKS = 1 << 17  # of which more may be those of all pairs, else they are loose


def inferred(traffic: Traffic, root: int = -1, servers: bool = False) -> kinds.Structure:
    """The first structure that all links in use agree with; else they are loose.

    root: of the collective, -1 where it has none. servers: whether helpers are servers, not
    switches.
    """
    for found in _candidates(traffic, root, servers):
        if agrees(found, traffic):
            return found
    return kinds.Loose(tuple(sorted(traffic.links)))


def _candidates(traffic: Traffic, root: int, servers: bool) -> Iterator[kinds.Structure]:
    """Structures that the links may agree with, the most telling first."""
    if len({node for link in traffic.links for node in link}) < max(2, traffic.nodes):
        return  # some node is idle: nothing that spans all nodes
    if len(traffic.links) > MAX_LINKS:
        yield kinds.Star(tuple(range(traffic.ranks)))
        return
    if traffic.nodes > traffic.ranks:
        helpers = tuple(range(traffic.ranks, traffic.nodes))
        yield from [kinds.Star(helpers)] * servers
        yield from chain(_switches(traffic), _switch_in_each(traffic, root))
        return
    yield from _within_groups(traffic, root)
    yield from chain(_lines(traffic), _rings(traffic), _stars(traffic))
    for parent in _tree(traffic.in_order, traffic.nodes, root):
        yield kinds.Tree(parent)
    yield from chain(_folded(traffic), _rows(traffic, tuple(range(traffic.ranks)), root, ()))
    yield from _grids(traffic)
    yield from chain(_two_trees(traffic, root), _ring_and_tree(traffic, root))


# groups


def _within_groups(traffic: Traffic, root: int) -> Iterator[kinds.Structure]:
    """The groups of ranks that the schedule ran within; a torus where it ran within two at once."""
    every = list(range(traffic.ranks))
    whole = [
        tuple(
            m for m in of if len(m) > 1 and sorted(node for row in m for node in row) == list(every)
        )
        for of in traffic.groups
    ]
    for of in whole:
        if len(of) > 1:
            yield from (kinds.Torus((len(m), len(m[0]))) for m in of if _consecutive(m))
    matrices = dict.fromkeys(matrix for of in whole for matrix in of)
    for matrix in sorted(matrices, key=lambda m: not _consecutive(m)):
        yield from _groups(matrix, traffic, root)


def _grids(traffic: Traffic) -> Iterator[kinds.Torus]:
    """Grids of two or three dimensions with so many links."""
    ranks, pairs = traffic.ranks, {(min(link), max(link)) for link in traffic.links}
    sides = [side for side in range(2, ranks) if ranks % side == 0]
    shapes: list[tuple[int, ...]] = [(rows, ranks // rows) for rows in sides]
    shapes += [(a, b, ranks // a // b) for a in sides for b in sides if ranks % (a * b) == 0]
    for shape in shapes:
        if 1 not in shape and len(pairs) == sum(ranks if s > 2 else ranks // 2 for s in shape):
            yield kinds.Torus(shape)


def _consecutive(matrix: Matrix) -> bool:
    """Whether every group is a run of ranks."""
    return all(b - a == 1 for row in matrix for a, b in pairwise(row))


def _groups(members: Sequence[Nodes], traffic: Traffic, root: int) -> Iterator[kinds.Groups]:
    """These groups, with what runs inside and between them where it is simple."""
    parts = split(members, traffic)
    if parts and parts[0].links and parts[1].links:
        found = [inferred(part) for part in parts[:2]]
        inside, between = (None if isinstance(part, kinds.Loose) else part for part in found)
        yield kinds.Groups(tuple(members), inside, between, parts[2])


def _switch_in_each(traffic: Traffic, root: int) -> Iterator[kinds.Groups]:
    """Groups of ranks, each of which is linked with one helper only, its own."""
    below: dict[int, set[int]] = {helper: set() for helper in range(traffic.ranks, traffic.nodes)}
    for src, dst in traffic.links:
        if dst >= traffic.ranks > src:
            below[dst].add(src)
    members = [(*sorted(ranks), helper) for helper, ranks in below.items()]
    if len({len(group) for group in members}) == 1:
        yield from _groups(members, traffic, root)


# trees


def _tree(in_order: Iterable[Link], nodes: int, root: int, top: int = -1) -> Iterator[Nodes]:
    """The parents of a tree, if the links are one; its root is where data ends or begins.

    in_order: the links in the order of first use. top: the root, where it is known.
    """
    first: dict[Link, Link] = {}
    for src, dst in in_order:
        first.setdefault((min(src, dst), max(src, dst)), (src, dst))
    near: dict[int, list[int]] = {}
    for src, dst in first:
        near.setdefault(src, []).append(dst)
        near.setdefault(dst, []).append(src)
    if len(first) != nodes - 1 or len(near) != nodes:
        return
    ends = [set(near) - {link[side] for link in first.values()} for side in (0, 1)]
    tops = [top] if top >= 0 else [min(end) for end in ends if len(end) == 1] + [max(root, 0)]
    parent = {tops[0]: -1}
    order = [tops[0]]
    for node in order:
        fresh = [other for other in near[node] if other not in parent]
        parent |= dict.fromkeys(fresh, node)
        order += fresh
    if len(parent) == nodes:
        yield tuple(parent[node] for node in range(nodes))


def _switches(traffic: Traffic) -> Iterator[kinds.Switches]:
    """A tree of switches whose leaves are the ranks: its top has the fewest levels below it."""
    found = [
        parent
        for helper in range(traffic.ranks, traffic.nodes)
        for parent in _tree(traffic.in_order, traffic.nodes, -1, helper)
        if not set(range(traffic.ranks)) & set(parent)
    ]
    if found:
        yield kinds.Switches(min(reversed(found), key=lambda parent: max(depths(parent))))


def _two_trees(traffic: Traffic, root: int) -> Iterator[kinds.TwoTrees]:
    """Two trees, where the links of chunks are of two kinds only."""
    found: dict[Links, list[int]] = {}
    for chunk, links in traffic.by_chunk.items():
        found.setdefault(frozenset((min(link), max(link)) for link in links), []).append(chunk)
    if len(found) == 2:
        some = [traffic.by_chunk[chunks[0]] for chunks in found.values()]
        for one in _tree(some[0], traffic.nodes, root):
            for two in _tree(some[1], traffic.nodes, root):
                first, second = (tuple(chunks) for chunks in found.values())
                yield kinds.TwoTrees((one, two), (first, second))


# lines, rings, stars


def _following(links: Iterable[Link], start: int) -> Nodes:
    """The nodes that follow one another from a node on, until one has no next or comes again."""
    following = dict(links)
    order = dict.fromkeys([start])
    while (last := following.get(next(reversed(order)))) is not None and last not in order:
        order[last] = None
    return tuple(order)


def _lines(traffic: Traffic) -> Iterator[kinds.Line]:
    """The line that begins where nothing arrives."""
    first = set(range(traffic.nodes)) - {dst for _, dst in traffic.links}
    if len(first) == 1 and len(traffic.links) == traffic.nodes - 1:
        yield kinds.Line(_following(traffic.links, first.pop()))


def _rings(traffic: Traffic) -> Iterator[kinds.Ring]:
    """A ring, or a ring and its reverse, each of which is used by all nodes or none in a step."""
    if len(traffic.links) == traffic.nodes:
        yield kinds.Ring((_following(traffic.links, 0),))
    if len(traffic.links) == 2 * traffic.nodes:
        order = _around(traffic.links)
        orders = order, order[:1] + order[:0:-1]
        ways = [set(zip(way, way[1:] + way[:1], strict=True)) for way in orders]
        if all(not links & way or way <= links for links in set(traffic.steps) for way in ways):
            yield kinds.Ring(orders)


def _around(links: Links) -> Nodes:
    """The nodes of links that go both ways, from 0 on to its lower neighbor and so on."""
    order = [0]
    while rest := sorted({dst for src, dst in links if src == order[-1]} - set(order)):
        order.append(rest[0])
    return tuple(order)


def _stars(traffic: Traffic) -> Iterator[kinds.Star]:
    """One hub in all links, or every rank in as many."""
    shared = set(range(traffic.nodes)).intersection(*map(set, traffic.links))
    yield from (kinds.Star((hub,)) for hub in sorted(shared))
    if len(set(traffic.steps)) == 1 or len(traffic.steps[0]) == len(traffic.links):
        yield kinds.Star(tuple(range(traffic.ranks)))


def _ring_and_tree(traffic: Traffic, root: int) -> Iterator[kinds.Ring]:
    """Most steps on a ring, the others on a tree."""
    full = [links for links in traffic.steps if len(links) == traffic.nodes]
    rest = [links for links in traffic.steps if len(links) != traffic.nodes]
    if len(full) >= traffic.nodes - 1 and len(set(full)) == 1 and rest:
        in_order = (link for links in rest for link in sorted(links))
        for parent in _tree(in_order, traffic.nodes, root):
            yield kinds.Ring((_following(full[0], 0),), parent)


# rows with arcs


def _folded(traffic: Traffic) -> Iterator[kinds.Cube]:
    """A row without the ranks that only hand their data to another at first, and get it at last."""
    first, last = traffic.steps[0], traffic.steps[-1]
    between = {node for links in traffic.steps[1:-1] for link in links for node in link}
    between |= {node for link in last - {(b, a) for a, b in first} for node in link}
    away = sorted(src for src, dst in first if src not in between)
    pairs = tuple(sorted(link for link in first if link[0] in away))
    if 2 * len(away) < traffic.ranks and len(first) == len(pairs) == len(away) > 0:
        row = tuple(rank for rank in range(traffic.ranks) if rank not in away)
        yield from _rows(traffic, row, -1, pairs)


def _rows(
    traffic: Traffic, row: Nodes, root: int, folded: tuple[Link, ...]
) -> Iterator[kinds.Cube]:
    """Rows in which all partners of a step are equally far apart, or 1 to k times as far."""
    aside = {way for pair in folded for way in (pair, pair[::-1])}
    turned = row[root:] + row[:root]
    rows = dict.fromkeys((row, turned) if root > 0 else (row,))
    for circular, seats in product((False, True), rows):
        seat = {rank: number for number, rank in enumerate(seats)}
        cube = kinds.Cube(seats, (), folded, circular)
        known = {
            links: tuple(sorted({distance(cube, seat[a], seat[b]) for a, b in links - aside}))
            for links in set(traffic.steps)
        }
        if all(_regular(links - aside, hops) for links, hops in known.items()):
            yield replace(cube, distances=tuple(known[links] for links in traffic.steps))


def _regular(links: Links, hops: tuple[int, ...]) -> bool:
    """Whether there is one distance, or each rank sends over 1 to k times the first."""
    if len(hops) < 2:
        return True
    sent = {rank: [src for src, _ in links].count(rank) for rank, _ in links}
    return hops == tuple(range(hops[0], hops[-1] + 1, hops[0])) and set(sent.values()) == {
        len(hops)
    }
