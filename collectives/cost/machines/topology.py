"""A topology: nodes, the directed links between them, and the path that each message takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from collectives.cost.machines.makeup import PLAIN, Makeup
from collectives.cost.machines.paths import Floats, Integers, Paths
from collectives.cost.machines.search import Search
from collectives.errors import BadInput
from collectives.units import rate_text, time_text
from collectives.values import rate, seconds, whole
from collectives.words import plural, shown_name

MOST_NODES = 1 << 20  # ranks of a machine; also what a node may have of anything
Route = Callable[[Integers, Integers], "Paths"]


@dataclass(frozen=True, eq=False)
class Topology:
    """Nodes, ranks first, and directed links, each a row of numpy columns.

    Attributes
    ----------
    name : str
        What messages and figures call it.
    kinds : tuple of (str, int)
        How many nodes there are of each kind, in the order of the nodes' numbers.
    src, dst : int array, [link]
        The nodes where each link begins and ends.
    latency : float array, [link]
        Seconds until the first byte of a message arrives.
    bandwidth : float array, [link]
        Bytes per second of one message; 0 for a dead link.
    lanes : int array, [link]
        How many messages can go at that rate at once.
    group : int array, [link]
        Links of one group share a capacity, such as the directions of a half-duplex cable.
    capacity : float array, [group]
        Bytes per second that the links of each group have together.
    in_network : int array
        Nodes that stand for an algorithm's own switches and servers, in its order.
    route : callable
        Finds the paths: a Search, where they follow from the links alone. Faults do not change it.
    shape : tuple of int
        The sides of a grid of ranks; empty for a ring and for what is no grid.
    channels : int
        Rings that a library runs side by side here, so that all network cards of a node work.
    gpus : int
        Ranks of a node, where there are channels.
    seats : tuple of int
        The GPU on which each rank stands; empty where each stands on that of its number.
    makeup : Makeup
        What its links and switches are made of.
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
    in_network: Integers
    route: Route
    shape: tuple[int, ...] = ()
    channels: int = 1
    gpus: int = 1
    seats: tuple[int, ...] = ()
    makeup: Makeup = PLAIN

    def __post_init__(self) -> None:
        """Make the name, which may be anybody's, one line that can be shown."""
        object.__setattr__(self, "name", shown_name(self.name))

    def __repr__(self) -> str:
        """One line: its name, its nodes and its links."""
        return f"<Topology: {self._summary}>"

    def _repr_svg_(self) -> str | None:
        from collectives.notebook_display import topology_svg

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
        """The name of a node: rank 3, switch 0."""
        return node_label(self.kinds, node)

    def link_label(self, link: int) -> str:
        """The name of a link: rank 3 → switch 0."""
        return f"{self.label(int(self.src[link]))} → {self.label(int(self.dst[link]))}"

    def cable_label(self, link: int) -> str:
        """The name of a link with those that share its capacity: rank 3 ↔ switch 0."""
        sharing = np.count_nonzero(self.group == self.group[link]) - 1
        name = self.link_label(link)
        if sharing == 1:  # as a rule the way back
            return name.replace("→", "↔")
        return f"{name}, which shares with {sharing} others" if sharing else name

    def kind_of(self, node: int) -> str:
        """Whether a node is a rank, a switch, a server …."""
        return self.label(node).rpartition(" ")[0]

    @cached_property
    def identity(self) -> tuple[object, ...]:
        """Equal for machines of one name whose nodes and links are the same."""
        ends = self.src, self.dst, self.lanes, self.group, self.in_network
        rates = self.latency, self.bandwidth, self.capacity
        plain = self.name, self.kinds, self.shape, self.channels, self.gpus
        return *plain, self.seats, *(column.tobytes() for column in (*ends, *rates))

    @cached_property
    def shared(self) -> bool:
        """Whether some links share a capacity with others."""
        return len(self.capacity) < self.links

    def paths(self, src: Iterable[int], dst: Iterable[int]) -> Paths:
        """The path from each source to its destination; raises BadInput where there is none."""
        return self.route(np.asarray(src, np.intp), np.asarray(dst, np.intp))

    def placement(self, ranks: int, nodes: int, title: str = "the algorithm") -> Integers:
        """The node of this topology on which each node of an algorithm is placed; raises BadInput.

        Ranks are placed on ranks, an algorithm's switches and servers on `in_network` nodes.
        """
        if ranks != self.ranks:
            raise BadInput(
                f"{plural(ranks, 'rank')}: {self.name} has {self.ranks}; try: {self.ranks}"
            )
        extra = nodes - ranks
        if extra > len(self.in_network):
            have = len(self.in_network) or "none"
            what = "switch or server" if extra == 1 else "switches or servers"
            raise BadInput(
                f"{title} needs {extra} {what} beside its ranks, {self.name} has "
                f"{have}; try: crossbar with extra={extra}, or switch-tree"
            )
        return np.concatenate([np.arange(ranks), self.in_network[:extra]])

    def describe(self) -> str:
        """Lines for people: the nodes, then how many links there are of each kind."""
        lines = [self._summary]
        kinds = [kind for kind, number in self.kinds for _ in range(number)]
        columns = (self.src, self.dst, self.bandwidth, self.latency)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        alike = Counter((kinds[src], kinds[dst], *figures) for src, dst, *figures in rows)
        for (src, dst, bandwidth, latency), number in alike.items():
            figures = f"{rate_text(bandwidth)}, {time_text(latency)}" if bandwidth else "dead"
            lines.append(f"  {number} x {src} → {dst}: {figures}")
        if self.shared:
            sharing = plural(self.links - len(self.capacity), "link")
            verb = "shares" if sharing == "1 link" else "share"
            lines.append(f"  {sharing} {verb} another's capacity")
        if isinstance(self.route, Search):
            spread, slower = self.route.choices(self.ranks)
            if spread:
                lines.append("  of equal shortest paths, the destination's number chooses")
            if slower:
                lines.append(f"  {self._unequal(*slower)}")
        return "\n".join(lines)

    def _unequal(self, goal: int, taken: int, further: int) -> str:
        """That paths as short differ in speed, and which of two is taken."""
        ways = []
        for link in (taken, further):
            rest = self.paths(self.dst[link : link + 1], [goal])
            path = Paths.of_table(np.concatenate([[link], rest.link])[None])
            slowest = rate_text(float(path.minimum(self.bandwidth)[0]))
            delay = time_text(float(path.total(self.latency)[0]))
            ways.append(f"{self.link_label(link)} ({slowest}, {delay})")
        return (
            f"paths as short differ in speed: to {self.label(goal)} messages take {ways[0]}, "
            f"not {ways[1]}; the priority of links changes that"
        )


def from_links(
    name: str,
    kinds: Sequence[tuple[str, int]],
    src: Iterable[int],
    dst: Iterable[int],
    latency: float | Floats,
    bandwidth: float | Floats,
    *,
    both_ways: bool = False,
    lanes: int | Integers = 1,
    share: Integers | None = None,
    in_network: Iterable[int] = (),
    priority: int | Integers = 0,
    route: Route | None = None,
) -> Topology:
    """A topology of these links, each column validated; raises BadInput.

    both_ways: after all links come those back, with the same figures. share: links of the same
    number share the largest bandwidth among them; by default each link has its own. priority:
    messages avoid links of a lower one, however long the way of others is.

    >>> pair = from_links("pair", [("rank", 2)], [0], [1], 1e-6, 1e9, both_ways=True)
    >>> pair.paths([1], [0]).link
    array([1])
    """
    ends = np.array(src, np.intp), np.array(dst, np.intp)
    ways = 2 if both_ways else 1
    delays = np.tile(np.broadcast_to(latency, len(ends[0])), ways).astype(np.float64)
    rates = np.tile(np.broadcast_to(bandwidth, len(ends[0])), ways).astype(np.float64)
    side, first = (
        np.tile(np.broadcast_to(column, len(ends[0])), ways).astype(np.intp)
        for column in (lanes, priority)
    )
    if both_ways:
        ends = np.append(*ends), np.append(*reversed(ends))
    links, nodes = len(ends[0]), sum(number for _, number in kinds)
    if links and not 0 <= int(np.min(ends)) <= int(np.max(ends)) < nodes:
        raise BadInput(f"{name}: a link ends at a node that does not exist; there are {nodes}")
    for value in np.unique(delays).tolist():
        seconds(f"{name}: latency", value)
    for value in np.unique(rates).tolist():
        rate(f"{name}: bandwidth", value)
    whole(f"{name}: ports", int(side.min(initial=1)), 1)
    group = np.arange(links) if share is None else np.unique(share, return_inverse=True)[1]
    capacity = _largest(group, rates * side, int(group.max(initial=-1)) + 1)
    inside = np.array(list(in_network), np.intp)
    group = group.astype(np.intp)
    if route is None:
        columns = (*ends, delays, rates)
        route = Search(nodes, columns, first, name, lambda node: node_label(kinds, node))
    return Topology(name, tuple(kinds), *ends, delays, rates, side, group, capacity, inside, route)


def node_label(kinds: Iterable[tuple[str, int]], node: int) -> str:
    """The name of a node among so many of each kind: rank 3, switch 0."""
    for kind, number in kinds:
        if node < number:
            return f"{kind} {node}"
        node -= number
    raise IndexError(node)


def _largest(group: Integers, value: Floats, groups: int) -> Floats:
    """The largest value of each group."""
    largest = np.zeros(groups)
    np.maximum.at(largest, group, value)
    return largest


def check_connected(topology: Topology) -> Topology:
    """The topology; raises BadInput, naming two ranks, where one cannot reach the other.

    >>> check_connected(from_links("pair", [("rank", 2)], [0], [1], 1e-6, 1e9))
    Traceback (most recent call last):
    collectives.errors.BadInput: pair: no way from rank 1 to rank 0; connect them by a link
    """
    ends = topology.src, topology.dst
    for src, dst in (ends, ends[::-1]):
        reached, count = np.arange(topology.nodes) == 0, 0
        while np.count_nonzero(reached) > count:
            count = int(np.count_nonzero(reached))
            reached[dst[reached[src]]] = True
        if not reached[: topology.ranks].all():
            pair = ["rank 0", f"rank {np.argmin(reached[: topology.ranks])}"]
            start, end = pair if src is topology.src else reversed(pair)
            raise BadInput(f"{topology.name}: no way from {start} to {end}; connect them by a link")
    return topology


def changed(topology: Topology, **columns: npt.NDArray[np.generic]) -> Topology:
    """The same topology with other columns; the capacities follow the bandwidths."""
    new = replace(topology, **columns)  # type: ignore[arg-type]
    if "bandwidth" not in columns or "capacity" in columns:
        return new
    before, after = (
        _largest(machine.group, machine.bandwidth * machine.lanes, len(machine.capacity))
        for machine in (topology, new)
    )
    factor = np.divide(after, before, out=np.zeros_like(after), where=before > 0)
    return replace(new, capacity=topology.capacity * factor)
