"""Parts of a machine between which an all-reduce takes the longest.

Of each byte, an all-reduce between k parts sends at least 2 (k - 1) messages from part to part: as
many as k people need, by letter, to tell each other everything. All messages of a part leave it by
its links. So a vector takes at least 2 (k - 1) / (the capacity out of all parts, added up).

References
----------
F. Harary and A. J. Schwenk, The communication problem on graphs and digraphs, Journal of the
Franklin Institute 297(6), 1974. W. H. Cunningham, Optimal attack and reinforcement of a network,
Journal of the ACM 32(3), 1985.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from collectives.cost.bounds.cut_search import NarrowestCut, Wires
from collectives.cost.bounds.max_flow import FlowNetwork

MOST_PARTED = 144  # ranks of a machine of which every parting is considered


@dataclass(frozen=True)
class Parting:
    """Sets of nodes, in each of which some ranks are, and the capacity of links out of each."""

    parts: tuple[frozenset[int], ...]
    capacity: int

    @property
    def rate(self) -> Fraction:
        """Capacity for each message between parts."""
        return Fraction(self.capacity, 2 * (len(self.parts) - 1))


def narrowest_parting(wires: Wires, cut: NarrowestCut) -> Parting:
    """The parting with the least capacity for each message; of a large machine, a good one.

    cut: the narrowest of the all-gather. Where one like it is around each part, the parting is
    the narrowest: no all-reduce takes less than that all-gather and its reverse, one after the
    other.
    """
    best = min(_likely(wires, cut), key=lambda parting: parting.rate)
    same = wires.balanced and 2 * best.rate == wires.ranks * cut.rate
    if same or wires.ranks > MOST_PARTED:
        return best
    while best.capacity and (closer := _violated(wires, best.rate)):
        best = closer
    return best


def _likely(wires: Wires, cut: NarrowestCut) -> Iterable[Parting]:
    """Every rank by itself; and what is left together where links like those of the cut go."""
    yield _parting(wires, [frozenset([rank]) for rank in range(wires.ranks)])
    ends = list(zip(wires.src, wires.dst, wires.capacity, strict=True))
    across = {capacity for src, dst, capacity in ends if (src in cut.inside) != (dst in cut.inside)}
    joined = [(src, dst) for src, dst, capacity in ends if capacity not in across]
    parts = [part for part in _together(wires.nodes, joined) if min(part) < wires.ranks]
    if len(parts) > 1:
        yield _parting(wires, parts)


def _parting(wires: Wires, parts: Sequence[frozenset[int]]) -> Parting:
    return Parting(tuple(sorted(parts, key=min)), sum(map(wires.leaving, parts)))


def _together(nodes: int, joined: Iterable[tuple[int, int]]) -> list[frozenset[int]]:
    """The sets of nodes that are joined."""
    near: list[list[int]] = [[] for _ in range(nodes)]
    for node, neighbor in joined:
        near[node].append(neighbor)
        near[neighbor].append(node)
    parts, seen = list[frozenset[int]](), set[int]()
    for first in range(nodes):
        if first in seen:
            continue
        part, wave = {first}, [first]
        while wave:
            more = set(near[wave.pop()]) - part
            part |= more
            wave += more
        seen |= part
        parts.append(frozenset(part))
    return parts


def _violated(wires: Wires, rate: Fraction) -> Parting | None:
    """A parting with less capacity for each message than this; None if there is none.

    Sought are the parts with the least sum of (capacity out of a part - 2 rate). Rank after rank
    gets the least value that any set which it completes still allows; the largest set that leaves
    it so little becomes a part (Dilworth truncation, after Edmonds and Cunningham).
    """
    times, price = rate.denominator, 2 * rate.numerator
    value = list[int]()
    parts = list[frozenset[int]]()
    for rank in range(wires.ranks):
        inside, lowest = _least_set(wires, times, value, rank)
        value.append(lowest - price)
        # the largest such set holds every part that it meets; parts may share switches
        ranks = {node for node in inside if node < wires.ranks}
        parts = [part for part in parts if not part & ranks] + [inside]
    if sum(value) >= -price:
        return None
    return _parting(wires, parts)


def _least_set(
    wires: Wires, times: int, value: Sequence[int], rank: int
) -> tuple[frozenset[int], int]:
    """Nodes with this rank, none after it, and the least capacity out less values: the largest."""
    network, sink = FlowNetwork(wires.nodes + 2), wires.nodes
    source = wires.nodes + 1
    for src, dst, capacity in zip(wires.src, wires.dst, wires.capacity, strict=True):
        network.add(src, dst, times * capacity)
    everything = times * sum(wires.capacity) + sum(map(abs, value)) + 1
    network.add(source, rank, everything)
    for before, worth in enumerate(value):
        network.add(source, before, max(worth, 0))
        network.add(before, sink, max(-worth, 0))
    for after in range(rank + 1, wires.ranks):
        network.add(after, sink, everything)
    cut = network.push(source, sink, everything)
    inside = frozenset(range(wires.nodes)) - network.reaching(sink)
    return inside, cut - sum(worth for worth in value if worth > 0)
