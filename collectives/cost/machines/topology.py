"""A topology: who is joined to whom, how fast, and which links a message takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from collectives.cost.machines.paths import Floats, Integers, Paths, Search
from collectives.errors import BadInput
from collectives.units import rate_text, time_text
from collectives.values import rate, seconds
from collectives.words import brief, plural

MOST_NODES = 1 << 20  # ranks of a machine; also what a node may have of anything
Route = Callable[[Integers, Integers], "Paths"]


@dataclass(frozen=True, eq=False)
class Topology:
    """Nodes, ranks first, and directed links, each a row of numpy columns.

    kinds: how many nodes there are of each kind, in their order. Link i goes from `src[i]` to
    `dst[i]` with `latency[i]` seconds and `bandwidth[i]` bytes per second for one message;
    `lanes[i]` messages can go at that rate at once. Links of one `group` share
    `capacity[group]` bytes per second, such as the two directions of a half-duplex cable.
    in_network: nodes that stand for an algorithm's own switches and servers, in its order.
    route: finds paths where they do not follow from the links alone (the fewest hops).
    """

    name: str
    kinds: tuple[tuple[str, int], ...]
    src: Integers
    dst: Integers
    latency: Floats
    bandwidth: Floats
    lanes: Integers
    group: Integers
    capacity: Floats
    in_network: Integers = field(default_factory=lambda: np.zeros(0, np.intp))
    route: Route | None = None
    note: str = ""

    def __repr__(self) -> str:
        """One line: its name, its nodes and its links."""
        return f"<Topology: {self._summary}>"

    def _repr_svg_(self) -> str | None:
        from collectives.shown import topology_svg

        return topology_svg(self)

    @property
    def _summary(self) -> str:
        counted = ", ".join(plural(number, kind) for kind, number in self.kinds if number)
        return f"{self.name}: {counted}, {plural(self.links, 'link')} one way"

    @property
    def ranks(self) -> int:
        """Nodes that are ranks."""
        return self.kinds[0][1]

    @property
    def nodes(self) -> int:
        """All nodes."""
        return sum(number for _, number in self.kinds)

    @property
    def links(self) -> int:
        """Directed links."""
        return len(self.src)

    def label(self, node: int) -> str:
        """What a node is called: rank 3, switch 0."""
        for kind, number in self.kinds:
            if node < number:
                return f"{kind} {node}"
            node -= number
        raise IndexError(node)

    def link_label(self, link: int) -> str:
        """What a link is called: rank 3 → switch 0."""
        return f"{self.label(int(self.src[link]))} → {self.label(int(self.dst[link]))}"

    def kind_of(self, node: int) -> str:
        """Whether a node is a rank, a switch, a server …."""
        return self.label(node).rpartition(" ")[0]

    @cached_property
    def shared(self) -> bool:
        """Whether some links share a capacity with others."""
        return len(self.capacity) < self.links

    def paths(self, src: Iterable[int], dst: Iterable[int]) -> Paths:
        """The path from each source to its destination; raises BadInput where there is none."""
        pairs = np.asarray(src, np.intp), np.asarray(dst, np.intp)
        if self.route is not None:
            return self.route(*pairs)
        return self._search.paths(*pairs)

    @cached_property
    def _search(self) -> Search:
        return Search(self.nodes, self.src, self.dst, self.name, self.label)

    def placement(self, ranks: int, nodes: int, title: str = "the algorithm") -> Integers:
        """The node of this topology on which each node of an algorithm is placed; raises BadInput.

        Ranks are placed on ranks, an algorithm's switches and servers on `in_network` nodes.
        """
        if ranks != self.ranks:
            raise BadInput(
                f"{plural(ranks, 'rank')}: {self.name} has {self.ranks}; nearest: {self.ranks}"
            )
        extra = nodes - ranks
        if extra > len(self.in_network):
            have = len(self.in_network) or "none"
            what = "switch or server" if extra == 1 else "switches or servers"
            raise BadInput(
                f"{title} needs {extra} {what} beside its ranks, {self.name} has "
                f"{have}; nearest: crossbar with extra={extra}, or switch-tree"
            )
        return np.concatenate([np.arange(ranks), self.in_network[:extra]])

    def describe(self) -> str:
        """What it is made of, in lines for people: nodes, then links of the same figures."""
        lines = [self._summary]
        kinds = [self.kind_of(node) for node in range(self.nodes)]
        alike: dict[tuple[str, str, float, float], int] = {}
        for row in range(self.links):
            ends = kinds[self.src[row]], kinds[self.dst[row]]
            key = (*ends, float(self.bandwidth[row]), float(self.latency[row]))
            alike[key] = alike.get(key, 0) + 1
        for (one, other, speed, late), number in alike.items():
            figures = f"{rate_text(speed)}, {time_text(late)}" if speed else "dead"
            lines.append(f"  {number} x {one} → {other}: {figures}")
        if self.shared:
            many = self.links - len(self.capacity)
            verb = "link shares" if many == 1 else "links share"
            lines.append(f"  {many} {verb} another's capacity")
        if self.route is None and self._search.spreads:
            lines.append("  of links that lead on as shortly the destination's number says which")
        return "\n".join([*lines, *([f"  {self.note}"] if self.note else [])])


def joined(
    name: str,
    kinds: Sequence[tuple[str, int]],
    src: Iterable[int],
    dst: Iterable[int],
    latency: float | Floats,
    bandwidth: float | Floats,
    *,
    lanes: int | Integers = 1,
    share: Integers | None = None,
    capacity: Floats | None = None,
    in_network: Iterable[int] = (),
    route: Route | None = None,
    note: str = "",
) -> Topology:
    """A topology of these links, each column held valid; raises BadInput.

    share: links of the same number share one capacity, by default the largest bandwidth among
    them, or `capacity[number]`; without it each link has its own.

    >>> pair = joined("pair", [("rank", 2)], [0, 1], [1, 0], 1e-6, 1e9)
    >>> pair.paths([1], [0]).link
    array([1])
    """
    ends = np.array(src, np.intp), np.array(dst, np.intp)
    links, nodes = len(ends[0]), sum(number for _, number in kinds)
    for end in ends:
        if links and not 0 <= int(end.min()) <= int(end.max()) < nodes:
            raise BadInput(f"{name}: a link ends at a node that does not exist; there are {nodes}")
    late, fast = (np.array(np.broadcast_to(c, links), np.float64) for c in (latency, bandwidth))
    for value in np.unique(late).tolist():
        seconds(f"{name}: latency", value)
    for value in np.unique(fast).tolist():
        rate(f"{name}: bandwidth", value)
    side = np.array(np.broadcast_to(lanes, links), np.intp)
    if links and int(side.min()) < 1:
        raise BadInput(f"{name}: ports {int(side.min())}: must be at least 1; nearest: 1")
    group = np.arange(links) if share is None else np.unique(share, return_inverse=True)[1]
    if capacity is None:
        capacity = np.zeros(int(group.max(initial=-1)) + 1)
        np.maximum.at(capacity, group, fast * side)
    if len(capacity) != int(group.max(initial=-1)) + 1:
        raise BadInput(f"{name}: {brief(len(capacity))} capacities for another number of groups")
    nodes_inside = np.array(list(in_network), np.intp)
    columns = (*ends, late, fast, side, group.astype(np.intp), capacity)
    return Topology(name, tuple(kinds), *columns, nodes_inside, route, note)


def check_joined(topology: Topology) -> Topology:
    """The topology; raises BadInput, naming two ranks, where one cannot reach the other.

    >>> check_joined(joined("pair", [("rank", 2)], [0], [1], 1e-6, 1e9))
    Traceback (most recent call last):
    collectives.errors.BadInput: pair: no way from rank 1 to rank 0; join them by a link
    """
    others = np.arange(1, topology.ranks)
    topology.paths(np.zeros_like(others), others)
    topology.paths(others, np.zeros_like(others))
    return topology


def changed(topology: Topology, **columns: npt.NDArray[np.generic]) -> Topology:
    """The same topology with other columns; the capacities follow the bandwidths."""
    new = replace(topology, **columns)  # type: ignore[arg-type]
    if "bandwidth" not in columns or "capacity" in columns:
        return new
    before, after = np.zeros((2, len(topology.capacity)))
    np.maximum.at(before, topology.group, topology.bandwidth * topology.lanes)
    np.maximum.at(after, topology.group, new.bandwidth * new.lanes)
    most = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
    return replace(new, capacity=topology.capacity * most)
