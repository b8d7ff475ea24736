"""Reads the output of NCCL_DEBUG=INFO: sorts its lines by communicator."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from re import Match

from collectives.errors import BadInput, naming
from collectives.files import read_bytes
from collectives.formats.nccl_log import lines
from collectives.formats.nccl_log.communicator import (
    MAX_CHOICES,
    MAX_PLACES,
    MAX_RANKS,
    Communicator,
    Event,
    check_ranks,
    ranks_named,
)
from collectives.words import quoted, shown_name

MAX_FILE_BYTES = 1 << 25
MAX_COMMUNICATORS = 1 << 10
NAMING = ("member", "neighbors", "trees", "link")  # events that name the rank of their process
Process = tuple[str, str, str]  # host, process, device; without a host the file


@dataclass
class Log:
    """A whole log: its communicators, and what holds for all of them."""

    communicators: list[Communicator] = field(default_factory=list)
    versions: Counter[str] = field(default_factory=Counter)
    settings: dict[str, str] = field(default_factory=dict)
    networks: dict[str, dict[int, str]] = field(default_factory=dict)  # cards by number
    hosts: set[str] = field(default_factory=set)  # that lines come from
    rankless: set[Process] = field(default_factory=set)  # whose lines do not name their ranks
    facts: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))  # their hosts
    plugins: Counter[str] = field(default_factory=Counter)  # files that were not found
    unreached: Counter[str] = field(default_factory=Counter)  # processes that cannot be connected
    notes: Counter[str] = field(default_factory=Counter)  # why something is not direct
    warnings: Counter[str] = field(default_factory=Counter)

    @property
    def largest(self) -> Communicator:
        """The communicator of most ranks, the first of several."""
        return max(self.communicators, key=lambda comm: comm.ranks)


class Reader:
    """Sorts lines by communicator: a line names none, but its process is in one at a time."""

    def __init__(self) -> None:
        self.log = Log()
        self._found: dict[str, Communicator] = {}
        self._now: dict[Process, Communicator] = {}
        self._last: dict[Process, Communicator] = {}
        self._starts: set[Process] = set()  # that say when a communicator begins
        self._ranked: set[Process] = set()  # that name their ranks
        self._members: dict[tuple[str, str], Process] = {}  # of communicators without a name
        self._waiting: dict[Process, list[Event]] = defaultdict(list)

    def feed_all(self, content: bytes, name: str = "") -> None:
        """Note what the lines of a file say; `name` tells processes apart that name no host."""
        for line in content.splitlines():
            if b"CCL" in line:
                self.feed(line[: lines.MAX_LINE].decode("utf-8", "replace"), name)

    def feed(self, line: str, name: str = "") -> None:
        """Note what a line says, if it is one of NCCL's."""
        version = lines.VERSION.search(line) if " version " in line else None
        if version:
            self.log.versions[f"{version['name']} {version['version']}"] += 1
            return
        match = lines.LINE.search(line)
        if not match:
            return
        process = match["host"] or "", match["process"] or name, match["device"]
        if len(self.log.rankless) < MAX_PLACES:
            self.log.rankless.add(process)
        text = lines.OF_COMM.sub("", match["text"].rstrip())
        if match["level"] == "WARN":
            _count(self.log.warnings, text)
            self._take_fact(process[0], text)
        elif member := lines.MEMBER.match(text):
            self._join(process, member)
        elif event := _event(text):
            self._keep(process, event)
        else:
            self._take_setting(process[0], text)

    def _keep(self, process: Process, event: Event) -> None:
        if event[0] in NAMING:
            self._ranked.add(process)
        now = self._now.get(process)
        if now is None and event[0] == "choice":  # made when there is a communicator
            now = self._last.get(process)
        if now is None:
            self._waiting[process].append(event)
        else:
            now.take(process[0], event)

    def _join(self, process: Process, match: Match[str]) -> None:
        """A process says that it is in a communicator: what it said before belongs to that."""
        ranks, state = int(match["ranks"]), match["state"]
        if not match["id"] and state is None:
            return self._keep(process, ("member", match))
        if not 0 < ranks <= MAX_RANKS:
            raise BadInput(f"nranks {ranks}: must be 1 to {MAX_RANKS}")
        self._ranked.add(process)
        now = self._found.setdefault(match["id"] or f"{ranks} ranks", Communicator())
        if not match["id"]:
            member = self._members.setdefault((f"{ranks} ranks", match["rank"]), process)
            now.is_mixed |= member != process
        if len(self._found) > MAX_COMMUNICATORS:
            raise BadInput(f"more than {MAX_COMMUNICATORS} communicators, the limit")
        now.take(process[0], ("member", match))
        if state == "START":
            self._starts.add(process)
        for event in self._waiting.pop(process, []):
            now.take(process[0], event)
        self._now[process] = self._last[process] = now
        if process not in self._starts:  # the lines of the next one come before it is named
            del self._now[process]

    def _take_setting(self, host: str, text: str) -> None:
        log = self.log
        if match := lines.SETTING.match(text):
            if len(log.settings) < MAX_CHOICES:
                log.settings[match["name"]] = match["value"]
        elif match := lines.DEVICES.match(text):
            cards = log.networks.setdefault(match["network"], {})
            if len(log.networks) <= 8:
                cards |= lines.cards_of(match["devices"])
        elif lines.NO_DIRECT.search(text):
            _count(log.notes, text)
        else:
            self._take_fact(host, text)

    def _take_fact(self, host: str, text: str) -> None:
        """Why a network was chosen, or why ranks cannot begin."""
        log = self.log
        if text.startswith("NET/IB : No device found"):
            log.facts["no card"].add(host)
        elif lines.NO_VERBS.match(text):
            log.facts["no verbs"].add(host)
        elif match := lines.NETWORK.match(text):
            if match["network"].strip() == "Socket":
                log.facts["sockets"].add(host)
        elif match := lines.NO_PLUGIN.match(text):
            _count(log.plugins, match["file"])
        elif match := lines.LOOPBACK.match(text):
            log.facts["loopback"].add(host)
        elif lines.DUPLICATE.match(text):
            log.facts["duplicate GPU"].add(host)
        elif lines.UNREACHED.search(text):
            _count(log.unreached, text)

    def finish(self) -> Log:
        """The log; lines that belong to no communicator make one more; raises BadInput."""
        self.log.hosts = {host for host, _, _ in self.log.rankless if host}
        self.log.rankless -= self._ranked
        self._take_rest()
        for comm in self._found.values():
            if not comm.ranks:
                comm.ranks = ranks_named(comm)
                comm.at_least = not comm.rings
            check_ranks(comm)
            comm.single_nodes = self.log.facts["duplicate GPU"]
        self.log.communicators = [
            comm for comm in self._found.values() if comm.ranks or comm.choices
        ]
        if not self.log.communicators:
            raise BadInput(
                "no NCCL line names ranks or algorithms; try: what a program prints with "
                "NCCL_DEBUG=INFO"
            )
        return self.log

    def _take_rest(self) -> None:
        """Lines of processes that name no communicator belong to the only one that has room."""
        rest, loose = [], Communicator()
        for process, events in self._waiting.items():
            if now := self._last.get(process):
                for event in events:
                    now.take(process[0], event)
            else:
                rest += [(process[0], event) for event in events]
        for host, event in rest:
            loose.take(host, event)
        only = next(iter(self._found.values())) if len(self._found) == 1 else None
        if only is not None and max(loose.ranks, ranks_named(loose)) <= only.ranks:
            for host, event in rest:
                only.take(host, event)
        elif rest:
            self._found[""] = loose


def read_log(*paths: str | Path) -> Log:
    """The log in a file, or in one for each process; raises BadInput where there is none of NCCL's.

    Parameters
    ----------
    *paths : str or Path
        What a program printed with NCCL_DEBUG=INFO, or wrote into NCCL_DEBUG_FILE.
    """
    reader, room = Reader(), MAX_FILE_BYTES
    for path in paths:
        content = read_bytes(path, room)
        room -= len(content)
        with naming(quoted(str(path))):
            reader.feed_all(content, str(path) if len(paths) > 1 else "")
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    with naming(f"{quoted(str(paths[0]))}{more}"):
        return reader.finish()


def parse_log(content: bytes) -> Log:
    """The log that the bytes of a file are; raises BadInput."""
    reader = Reader()
    reader.feed_all(content)
    return reader.finish()


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
            if match := pattern.match(text):
                return kind, match
    elif " Bytes -> " in text:
        match = lines.CHOICE.match(text) or lines.KERNEL.match(text)
        return ("choice", match) if match else None
    elif match := lines.CHANNELS.match(text):
        return "channels", match
    elif match := lines.PATH.match(text):
        return "path", match
    return None


def _count(counter: Counter[str], text: str) -> None:
    text = shown_name(text)
    if text in counter or len(counter) < MAX_CHOICES:
        counter[text] += 1
