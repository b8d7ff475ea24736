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
    MAX_RANKS,
    Communicator,
    Event,
    check_ranks,
    ranks_named,
)
from collectives.words import quoted, shown_name

MAX_FILE_BYTES = 1 << 25
MAX_COMMUNICATORS = 1 << 10
Process = tuple[str, str, str]  # host, process, device; without a host the file


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
        self._last: dict[Process, Communicator] = {}
        self._starts: set[Process] = set()  # that say when a communicator begins
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
        found = lines.LINE.search(line)
        if not found:
            return
        process = found["host"] or "", found["process"] or name, found["device"]
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
        if now is None and event[0] == "choice":  # made when there is a communicator
            now = self._last.get(process)
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
        self._now[process] = self._last[process] = now
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
        """The log; lines before any communicator belong to the first; raises BadInput."""
        rest = [(process, event) for process, all_ in self._waiting.items() for event in all_]
        if rest and not self._found:
            self._found[""] = Communicator()
        for process, event in rest:
            one = self._last.get(process) or next(iter(self._found.values()))
            one.take(process[0], event)
        for one in self._found.values():
            if not one.ranks:
                one.ranks = ranks_named(one)
                one.at_least = not one.rings
            check_ranks(one)
        self.log.communicators = [one for one in self._found.values() if one.ranks or one.choices]
        if not self.log.communicators:
            raise BadInput(
                "no line of NCCL's names ranks or algorithms; nearest: what a program prints with "
                "NCCL_DEBUG=INFO"
            )
        return self.log


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
