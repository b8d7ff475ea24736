"""Reads the output of NCCL_DEBUG=INFO: who takes part, their rings, trees and connections."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from re import Match

from collectives.errors import BadInput
from collectives.files import read_bytes
from collectives.formats.nccl_log import lines
from collectives.formats.nccl_log.lines import Choice, Transport
from collectives.words import quoted, shown_name

MAX_FILE_BYTES = 1 << 25
MAX_RANKS = 1 << 14
MAX_COMMUNICATORS = 1 << 10
MAX_PLACES = 1 << 18  # of ranks in rings, trees and connections
MAX_CHOICES = 1 << 10  # that are told apart
Process = tuple[str, str, str]  # host, process, device
Event = tuple[str, Match[str] | str]


@dataclass
class Communicator:
    """Ranks that take part in the same collectives, as the log shows them."""

    ranks: int = 0
    at_least: bool = False  # there may be more ranks than lines name
    node_count: int = 0
    seen: set[int] = field(default_factory=set)  # ranks that lines come from
    hosts: dict[int, str] = field(default_factory=dict)
    started: set[int] = field(default_factory=set)
    completed: set[int] = field(default_factory=set)
    orders: dict[int, tuple[int, ...]] = field(default_factory=dict)  # of rings, by channel
    after: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    parents: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict(dict))
    children: dict[int, dict[int, tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(dict)
    )
    links: dict[tuple[int, int], set[Transport]] = field(default_factory=lambda: defaultdict(set))
    channel_count: int = 0
    paths: set[tuple[str, str]] = field(default_factory=set)
    choices: Counter[Choice] = field(default_factory=Counter)
    channels_used: dict[Choice, int] = field(default_factory=dict)
    places: int = 0

    @property
    def channels(self) -> int:
        """Channels of collectives, as far as the log names them."""
        named = {*self.orders, *self.after, *self.parents}
        return self.channel_count or (1 + max(named) if named else 0)

    @property
    def nodes(self) -> list[list[int]]:
        """The ranks of each host that is named, in ascending order."""
        found: dict[str, list[int]] = defaultdict(list)
        for rank in sorted(self.hosts):
            found[self.hosts[rank]].append(rank)
        return list(found.values())

    @property
    def silent(self) -> list[int]:
        """Ranks that no line of the log comes from."""
        return [rank for rank in range(self.ranks) if rank not in self.seen]

    @property
    def rings(self) -> dict[int, tuple[int, ...]]:
        """The whole rings, by channel: NCCL's lines end after 20 ranks, then neighbors count."""
        found = {}
        for channel in sorted({*self.orders, *self.after}):
            order = self.orders.get(channel, ())
            if sorted(order) != list(range(self.ranks)):
                order = self._walked(channel)
            if order:
                found[channel] = order
        return found

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
        found = {}
        for channel, parents in sorted(self.parents.items()):
            if len(parents) == self.ranks > 1 and _is_tree(parents, self.children[channel]):
                found[channel] = tuple(parents[rank] for rank in range(self.ranks))
        return found

    def take(self, host: str, event: Event) -> None:
        """Note what a line says."""
        kind, found = event
        getattr(self, f"_take_{kind}")(host, found)
        if self.places > MAX_PLACES:
            raise BadInput(
                f"its ranks have more than {MAX_PLACES} connections, the most that is read"
            )

    def _see(self, rank: int, host: str) -> None:
        self.seen.add(rank)
        if host:
            self.hosts.setdefault(rank, host)

    def _take_member(self, host: str, found: Match[str]) -> None:
        rank, self.ranks = int(found["rank"]), int(found["ranks"])
        self._see(rank, host)
        self.node_count = max(self.node_count, int(found["nodes"] or 0))
        if found["state"]:
            (self.completed if found["state"] == "COMPLETE" else self.started).add(rank)

    def _take_ring(self, host: str, found: Match[str]) -> None:
        order = tuple(map(int, found["ranks"].split()))
        self.orders.setdefault(int(found["channel"]), order)
        self.places += len(order)

    def _take_neighbors(self, host: str, found: Match[str]) -> None:
        rank = int(found["rank"])
        self._see(rank, host)
        self.after[int(found["channel"])][rank] = int(found["after"])
        self.places += 1

    def _take_trees(self, host: str, text: str) -> None:
        for channel, rank, parent, children in lines.tree_places(text):
            self._see(rank, host)
            if rank not in self.parents[channel]:
                self.parents[channel][rank] = parent
                self.children[channel][rank] = children
                self.places += 1

    def _take_link(self, host: str, found: Match[str]) -> None:
        src, dst = int(found["src"]), int(found["dst"])
        self._see(dst if found["end"] == "receive" else src, host)
        known = self.links[src, dst]
        self.places += not known
        known.add(lines.transport_of(found["via"]))

    def _take_choice(self, host: str, found: Match[str]) -> None:
        choice = lines.choice_of(found)
        if choice in self.choices or len(self.choices) < MAX_CHOICES:
            self.choices[choice] += 1
            if found["high"]:
                self.channels_used[choice] = int(found["high"]) - int(found["low"]) + 1

    def _take_channels(self, host: str, found: Match[str]) -> None:
        self.channel_count = int(found["channels"])

    def _take_path(self, host: str, found: Match[str]) -> None:
        if found["pattern"] == "4":  # that of rings
            self.paths.add((found["inside"], found["outside"]))


@dataclass
class Log:
    """A whole log: its communicators, and what holds for all of them."""

    communicators: list[Communicator] = field(default_factory=list)
    versions: Counter[str] = field(default_factory=Counter)
    settings: dict[str, str] = field(default_factory=dict)
    networks: dict[str, dict[int, str]] = field(default_factory=dict)  # cards by number
    without_ib: int = 0  # lines that say that there is no InfiniBand
    notes: Counter[str] = field(default_factory=Counter)  # why something is not direct
    warnings: Counter[str] = field(default_factory=Counter)

    @property
    def largest(self) -> Communicator:
        """The communicator of most ranks, the first of several."""
        return max(self.communicators, key=lambda one: one.ranks)


class Reader:
    """Sorts lines by communicator: a line names none, but its process is in one at a time."""

    def __init__(self) -> None:
        self.log = Log()
        self._found: dict[str, Communicator] = {}
        self._now: dict[Process, Communicator] = {}
        self._starts: set[Process] = set()  # that say when a communicator begins
        self._waiting: dict[Process, list[Event]] = defaultdict(list)

    def feed(self, line: str) -> None:
        """Note what a line says, if it is one of NCCL's."""
        version = lines.VERSION.search(line) if " version " in line else None
        if version:
            self.log.versions[f"{version['name']} {version['version']}"] += 1
            return
        found = lines.LINE.search(line)
        if not found:
            return
        process = found["host"] or "", found["process"] or "", found["device"]
        text = found["text"].rstrip()
        if found["level"] == "WARN":
            _count(self.log.warnings, text)
        elif member := lines.MEMBER.match(text):
            self._join(process, member)
        elif event := _event(text):
            self._keep(process, event)
        else:
            self._take_setting(text)

    def _keep(self, process: Process, event: Event) -> None:
        now = self._now.get(process)
        if now is None:
            self._waiting[process].append(event)
        else:
            now.take(process[0], event)

    def _join(self, process: Process, found: Match[str]) -> None:
        """A process says that it is in a communicator: what it said before belongs to that."""
        ranks, state = int(found["ranks"]), found["state"]
        if not found["id"] and state is None:
            return self._keep(process, ("member", found))
        if not 0 < ranks <= MAX_RANKS:
            raise BadInput(f"nranks {ranks}: must be 1 to {MAX_RANKS}")
        now = self._found.setdefault(found["id"] or f"{ranks} ranks", Communicator())
        if len(self._found) > MAX_COMMUNICATORS:
            raise BadInput(f"more than {MAX_COMMUNICATORS} communicators, the most that is read")
        now.take(process[0], ("member", found))
        if state == "START":
            self._starts.add(process)
        for event in self._waiting.pop(process, []):
            now.take(process[0], event)
        self._now[process] = now
        if process not in self._starts:  # the lines of the next one come before it is named
            del self._now[process]

    def _take_setting(self, text: str) -> None:
        log = self.log
        if found := lines.SETTING.match(text):
            if len(log.settings) < MAX_CHOICES:
                log.settings[found["name"]] = found["value"]
        elif text.startswith("NET/IB : No device found"):
            log.without_ib += 1
        elif found := lines.DEVICES.match(text):
            cards = log.networks.setdefault(found["network"], {})
            if len(log.networks) <= 8:
                cards |= {int(k): name for k, name in lines.DEVICE.findall(found["devices"])}
        elif lines.NO_DIRECT.search(text):
            _count(log.notes, text)

    def finish(self) -> Log:
        """The log; lines of processes that name no communicator belong to the only one."""
        rest = [(process, event) for process, all_ in self._waiting.items() for event in all_]
        if rest and not self._found:
            self._found[""] = Communicator()
        for process, event in rest:
            first = next(iter(self._found.values()))
            first.take(process[0], event)
        for one in self._found.values():
            if not one.ranks:
                one.ranks = _ranks_named(one)
                one.at_least = not one.rings
            _check(one)
        self.log.communicators = [one for one in self._found.values() if one.ranks or one.choices]
        return self.log


def read_log(path: str | Path) -> Log:
    """The log in a file; raises BadInput, in one line, where there is none of NCCL's."""
    content = read_bytes(path, MAX_FILE_BYTES)
    try:
        return parse_log(content)
    except BadInput as problem:
        raise BadInput(f"{quoted(str(path))}: {problem}") from None


def parse_log(content: bytes) -> Log:
    """The log that the bytes of a file are; raises BadInput."""
    reader = Reader()
    for line in content.splitlines():
        if b"CCL" in line:
            reader.feed(line[: lines.MAX_LINE].decode("utf-8", "replace"))
    log = reader.finish()
    if not log.communicators:
        raise BadInput(
            "no line of NCCL's names ranks or algorithms; nearest: what a program prints "
            "with NCCL_DEBUG=INFO"
        )
    return log


def _event(text: str) -> Event | None:
    """What a line says of rings, trees, connections, channels, paths and choices."""
    if text.startswith("Trees "):
        return "trees", text
    if text.startswith(("Channel ", "Ring ")):
        for kind, pattern in (
            ("link", lines.LINK),
            ("neighbors", lines.NEIGHBORS),
            ("ring", lines.RING),
        ):
            if found := pattern.match(text):
                return kind, found
    elif " Bytes -> Algo " in text:
        found = lines.CHOICE.match(text)
        return ("choice", found) if found else None
    elif found := lines.CHANNELS.match(text):
        return "channels", found
    elif found := lines.PATH.match(text):
        return "path", found
    return None


def _count(counter: Counter[str], text: str) -> None:
    text = shown_name(text)
    if text in counter or len(counter) < MAX_CHOICES:
        counter[text] += 1


def _ranks_named(one: Communicator) -> int:
    """How many ranks there are at least, where no line says it."""
    ends: Iterable[int] = (rank for pair in one.links for rank in pair)
    rings = (rank for order in one.orders.values() for rank in order)
    return 1 + max((*one.seen, *ends, *rings), default=-1)


def _check(one: Communicator) -> None:
    """Raise BadInput for ranks that a communicator does not have."""
    if one.ranks > MAX_RANKS:
        raise BadInput(f"rank {one.ranks - 1}: the most that is read is {MAX_RANKS - 1}")
    named = [*one.seen, *(rank for pair in one.links for rank in pair)]
    named += [rank for order in one.orders.values() for rank in order]
    for tree in one.parents.values():
        named += [*tree, *tree.values()]
    for below in one.children.values():
        named += [rank for children in below.values() for rank in children]
    worst = max(named, default=-1)
    if worst >= one.ranks:
        raise BadInput(f"rank {worst}: the communicator has ranks 0 to {one.ranks - 1}")


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
