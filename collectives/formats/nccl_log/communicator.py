"""The ranks of an NCCL log that work together: their nodes, rings, trees, connections, choices."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from re import Match

from collectives.errors import BadInput
from collectives.formats.nccl_log import lines
from collectives.formats.nccl_log.lines import Choice, Transport
from collectives.words import plural

MAX_RANKS = 1 << 14
MAX_PLACES = 1 << 18  # of ranks in rings, trees and connections
MAX_CHOICES = 1 << 10  # that are told apart
Event = tuple[str, Match[str] | str]


@dataclass
class Communicator:
    """Ranks that take part in the same collectives, as the log shows them."""

    ranks: int = 0
    at_least: bool = False  # there may be more ranks than lines name
    node_count: int = 0
    seen: set[int] = field(default_factory=set)  # ranks that lines name as their own
    hosts: dict[int, str] = field(default_factory=dict)
    buses: dict[int, str] = field(default_factory=dict)  # of the GPUs of ranks
    single_nodes: set[str] = field(default_factory=set)  # hosts whose ranks share a GPU
    is_mixed: bool = False  # lines of several communicators, which these do not name
    started: set[int] = field(default_factory=set)
    completed: set[int] = field(default_factory=set)
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)  # of rings, by channel
    after: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    parents: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    children: dict[int, dict[int, tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    links: dict[tuple[int, int], set[Transport]] = field(default_factory=lambda: defaultdict(set))
    channel_count: int = 0  # where lines name all channels
    tree_counts: Counter[int] = field(default_factory=Counter)  # lines with so many trees
    paths: set[tuple[str, str]] = field(default_factory=set)
    choices: Counter[Choice] = field(default_factory=Counter)
    channels_used: dict[Choice, int] = field(default_factory=dict)
    entries: int = 0

    @property
    def channels(self) -> int:
        """Channels of collectives: all of them, or as many as lines name."""
        named = {*self.orders, *self.after, *self.parents}
        return self.channel_count or (1 + max(named) if named else 0)

    @property
    def hosts_are_nodes(self) -> bool:
        """Whether names tell nodes apart: not where two ranks of a name have GPUs at one place.

        A host is one node where NCCL warns that its ranks use the same GPU.
        """
        gpus = [
            (host, self.buses[rank])
            for rank, host in self.hosts.items()
            if rank in self.buses and host not in self.single_nodes
        ]
        return not self.is_mixed and len(set(gpus)) == len(gpus)

    @property
    def known_nodes(self) -> int:
        """The number of nodes, 0 where the log does not tell it."""
        whole = self.hosts_are_nodes and not self.at_least and len(self.hosts) == self.ranks
        return self.node_count or (len(self.nodes) if whole else 0)

    @property
    def is_spread(self) -> bool:
        """Whether ranks are known to be on several nodes."""
        return self.node_count > 1 or (self.hosts_are_nodes and len(self.nodes) > 1)

    def __str__(self) -> str:
        """How many ranks and nodes it has, as far as the log tells."""
        ranks = f"{plural(self.ranks, 'rank')}{' or more' * self.at_least}"
        if self.known_nodes:
            return f"{ranks} on {plural(self.known_nodes, 'node')}"
        return f"{ranks} on {len(self.nodes)} nodes or more" if self.is_spread else ranks

    @property
    def nodes(self) -> list[list[int]]:
        """The ranks of each host that is named, in ascending order."""
        members: dict[str, list[int]] = defaultdict(list)
        for rank in sorted(self.hosts):
            members[self.hosts[rank]].append(rank)
        return list(members.values())

    @property
    def silent(self) -> list[int]:
        """Ranks that no line of the log names as its own."""
        return [rank for rank in range(self.ranks) if rank not in self.seen]

    @property
    def rings(self) -> dict[int, tuple[int, ...]]:
        """The whole rings, by channel: NCCL's lines end after 20 ranks, then neighbors count."""
        rings = {}
        for channel in sorted({*self.orders, *self.after}):
            order = self.orders.get(channel, ())
            if sorted(order) != list(range(self.ranks)):
                order = self._walked(channel)
            if order:
                rings[channel] = order
        return rings

    def _walked(self, channel: int) -> tuple[int, ...]:
        """A ring from what each rank says of its next one; empty where that is not all of it."""
        after, order = self.after.get(channel, {}), [0]
        while (following := after.get(order[-1], 0)) != 0 and len(order) < self.ranks:
            order.append(following)
        closed = after.get(order[-1]) == 0 and len(order) == self.ranks > 1
        return tuple(order) if closed and len(set(order)) == self.ranks else ()

    @property
    def trees(self) -> dict[int, tuple[int, ...]]:
        """The parent of each rank, by channel, of trees of which all lines are there and agree."""
        trees = {}
        for channel, parents in sorted(self.parents.items()):
            if len(parents) == self.ranks > 1 and _is_tree(parents, self.children[channel]):
                trees[channel] = tuple(parents[rank] for rank in range(self.ranks))
        return trees

    def take(self, host: str, event: Event) -> None:
        """Note what a line says."""
        kind, match = event
        getattr(self, f"_take_{kind}")(host, match)
        if self.entries > MAX_PLACES:
            raise BadInput(f"its ranks have more than {MAX_PLACES} connections, the limit")

    def _see(self, rank: int, host: str) -> None:
        self.seen.add(rank)
        if host:
            self.hosts.setdefault(rank, host)

    def _take_member(self, host: str, match: Match[str]) -> None:
        rank, self.ranks = int(match["rank"]), int(match["ranks"])
        self._see(rank, host)
        self.node_count = max(self.node_count, int(match["nodes"] or 0))
        if match["bus"]:
            self.buses.setdefault(rank, match["bus"])
        if match["state"]:
            (self.completed if match["state"] == "COMPLETE" else self.started).add(rank)

    def _take_ring(self, host: str, match: Match[str]) -> None:
        order = tuple(map(int, match["ranks"].split()))
        self.orders.setdefault(int(match["channel"]), order)
        self.channel_count = self.channel_count or int(match["total"] or 0)
        self.entries += len(order)

    def _take_neighbors(self, host: str, match: Match[str]) -> None:
        rank = int(match["rank"])
        self._see(rank, host)
        self.after[int(match["channel"])][rank] = int(match["after"])
        self.entries += 1

    def _take_trees(self, host: str, text: str) -> None:
        trees = lines.tree_places(text)
        self.tree_counts[len(trees)] += 1
        if self.tree_counts[len(trees)] > 1:  # a line that is cut off is alone with its number
            self.channel_count = self.channel_count or len(trees)
        for channel, rank, parent, children in trees:
            self._see(rank, host)
            if rank not in self.parents[channel]:
                self.parents[channel][rank] = parent
                self.children[channel][rank] = children
                self.entries += 1

    def _take_link(self, host: str, match: Match[str]) -> None:
        src, dst = int(match["src"]), int(match["dst"])
        self._see(dst if match["end"] == "receive" else src, host)
        known = self.links[src, dst]
        self.entries += not known
        known.add(lines.transport_of(match["via"]))

    def _take_choice(self, host: str, match: Match[str]) -> None:
        choice = lines.choice_of(match)
        if choice in self.choices or len(self.choices) < MAX_CHOICES:
            self.choices[choice] += 1
            if used := lines.channels_of(match):
                self.channels_used[choice] = used

    def _take_channels(self, host: str, match: Match[str]) -> None:
        self.channel_count = int(match["channels"])

    def _take_path(self, host: str, match: Match[str]) -> None:
        if match["pattern"] == "4":  # that of rings
            self.paths.add((match["inside"], match["outside"]))


def ranks_named(communicator: Communicator) -> int:
    """How many ranks there are at least, where no line says it."""
    return 1 + max(_named(communicator), default=-1)


def check_ranks(communicator: Communicator) -> None:
    """Raise BadInput for ranks that a communicator does not have."""
    if communicator.ranks > MAX_RANKS:
        raise BadInput(f"rank {communicator.ranks - 1}: the limit is {MAX_RANKS - 1}")
    worst = max(_named(communicator), default=-1)
    if worst >= communicator.ranks:
        raise BadInput(f"rank {worst}: the communicator has ranks 0 to {communicator.ranks - 1}")


def _named(communicator: Communicator) -> Iterator[int]:
    """Every rank in any line; -1 where a tree has no parent."""
    yield from communicator.seen
    yield from (rank for pair in communicator.links for rank in pair)
    yield from (rank for order in communicator.orders.values() for rank in order)
    yield from (rank for after in communicator.after.values() for rank in after.values())
    for channel, parents in communicator.parents.items():
        yield from (*parents, *parents.values())
        yield from (rank for below in communicator.children[channel].values() for rank in below)


def _is_tree(parents: dict[int, int], children: dict[int, tuple[int, ...]]) -> bool:
    """Whether there is one root from which the children of all ranks reach every rank once."""
    roots = [rank for rank, parent in parents.items() if parent < 0]
    reached = list(roots)
    for rank in reached:
        below = children[rank]
        if any(parents.get(child) != rank for child in below) or len(reached) > len(parents):
            return False
        reached += below
    return len(roots) == 1 and len(reached) == len(set(reached)) == len(parents)
