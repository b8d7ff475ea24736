"""What an NCCL log says, for people and for JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from collectives.errors import BadInput, naming
from collectives.formats.nccl_log.communicator import Communicator
from collectives.formats.nccl_log.findings import findings
from collectives.formats.nccl_log.log import Log
from collectives.formats.nccl_log.next_steps import next_step
from collectives.formats.nccl_log.schedules import ring, tree
from collectives.recording.recording import Recording
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.units import size_text
from collectives.values import one_of
from collectives.words import capital, listed, plural, quoted, ranges

ALGORITHMS: dict[str, Callable[[Communicator], Recording]] = {"ring": ring, "tree": tree}
MOST_LINES = 12  # of rings, trees and choices
MOST_RANKS = 40  # that are written in a ring or tree
INDENT = 2


@dataclass(frozen=True)
class LogReport:
    """What an NCCL log says, and what comes of executing its rings and trees.

    path: its first file, of which is said what the log lacks.
    """

    log: Log
    path: str = ""

    def recording(self, algorithm: str = "ring") -> Recording:
        """The rings or the trees of the largest communicator, executed; raises BadInput."""
        with naming(quoted(self.path)):
            return ALGORITHMS[one_of("algorithm", algorithm, ALGORITHMS)](self.log.largest)

    def lines(self) -> Lines:
        """What the log says of its largest communicator."""
        largest = self.log.largest
        version = listed(sorted(self.log.versions), limit=4) or "NCCL, no version in the log"
        more = " or more" * (largest.channels > largest.channel_count)
        channels = f", {plural(largest.channels, 'channel')}{more}" if largest.channels else ""
        yield Heading(f"{version}: {largest if largest.ranks else 'ranks are not named'}{channels}")
        others = Counter(comm.ranks for comm in self.log.communicators if comm is not largest)
        if others:
            counts = sorted(others.items())
            sizes = listed([f"{count} of {plural(n, 'rank')}" for n, count in counts], limit=6)
            yield Paragraph(f"The largest communicator; there are others: {sizes}.")
        yield from self._findings()
        yield from _part("Nodes" if largest.hosts_are_nodes else "Names of hosts", _nodes(self.log))
        yield from _part("Rings", _by_channel(largest.rings, _ring_text))
        yield from _part("Trees", _by_channel(largest.trees, _tree_text))
        counted = _transports(largest).most_common()
        yield from _part("Connections", [(name, plural(count, "pair")) for name, count in counted])
        yield from _part("Ran", _choices(largest))
        yield from _part("Executed", [(name, _proved(largest, name)[0]) for name in ALGORITHMS])

    def _findings(self) -> Lines:
        """What is slow or unusual, the costliest first, each with what to do."""
        texts = findings(self.log)
        if not texts:
            yield Paragraph("Nothing slow or unusual that the log names.")
            return
        yield Heading("Slow or unusual")
        for at, text in enumerate(texts, 1):
            yield Paragraph(capital(text), f"{at}.", 3)
            if step := next_step(text):
                yield Paragraph(f"next: {step}", "   ", 3)

    def as_json(self) -> dict[str, Any]:
        """The same as values, of every rank and channel."""
        largest = self.log.largest
        return {
            "versions": sorted(self.log.versions),
            "communicators": [comm.ranks for comm in self.log.communicators],
            "ranks": largest.ranks,
            "ranks_at_least": largest.at_least,
            "channels": largest.channels,
            "channels_at_least": largest.channels > largest.channel_count,
            "node_count": largest.known_nodes or None,
            "nodes": [
                *({"host": largest.hosts[ranks[0]], "ranks": ranks} for ranks in largest.nodes),
                *({"host": host, "ranks": []} for host in sorted(_rankless(self.log))),
            ],
            "rings": {str(channel): list(order) for channel, order in largest.rings.items()},
            "trees": {str(channel): list(parents) for channel, parents in largest.trees.items()},
            "connections": dict(_transports(largest)),
            "choices": [
                {
                    "collective": choice.name,
                    "bytes": choice.size,
                    "algorithm": choice.algorithm,
                    "protocol": choice.protocol,
                    "channels": largest.channels_used.get(choice),
                    "times": times,
                }
                for choice, times in sorted(largest.choices.items(), key=lambda pair: pair[0].size)
            ],
            "executed": {name: _proved(largest, name)[1] for name in ALGORITHMS},
            "findings": findings(self.log),
            "next": [next_step(text) for text in findings(self.log)],
        }


def _part(title: str, rows: list[tuple[str, ...]]) -> Lines:
    """A part of the report; nothing where the log has nothing of it."""
    if rows:
        yield Heading(title)
        yield Grid(rows[:MOST_LINES], indent=INDENT)
    if len(rows) > MOST_LINES:
        yield f"  and {len(rows) - MOST_LINES} more"


def _nodes(log: Log) -> list[tuple[str, ...]]:
    """The hosts of ranks, and those of lines that name no rank."""
    largest = log.largest
    return [
        *(
            (largest.hosts[node[0]], f"rank{'s' * (len(node) > 1)} {ranges(node)}")
            for node in largest.nodes
        ),
        *((host, "no line names a rank") for host in sorted(_rankless(log))),
    ]


def _rankless(log: Log) -> set[str]:
    """Hosts whose lines name no rank."""
    return log.hosts - {host for comm in log.communicators for host in comm.hosts.values()}


def _by_channel(
    by_channel: dict[int, tuple[int, ...]], text: Callable[[tuple[int, ...]], str]
) -> list[tuple[str, ...]]:
    """What is alike on several channels, once, with these."""
    same: dict[tuple[int, ...], list[int]] = {}
    for channel, value in by_channel.items():
        same.setdefault(value, []).append(channel)
    return [(f"channel {ranges(channels)}", text(value)) for value, channels in same.items()]


def _ring_text(order: tuple[int, ...]) -> str:
    text = " ".join(map(str, order[:MOST_RANKS]))
    return text if len(order) <= MOST_RANKS else f"{text} … ({len(order)} ranks)"


def _tree_text(parents: tuple[int, ...]) -> str:
    """A tree as its root with what is below each rank in parentheses.

    >>> _tree_text((-1, 0, 1, 1))
    '0 (1 (2, 3))'
    """
    below: dict[int, list[int]] = {}
    for rank, parent in enumerate(parents):
        below.setdefault(parent, []).append(rank)
    root = below[-1][0]
    if len(parents) > MOST_RANKS:
        return f"root {root}, {len(parents)} ranks"

    def text(rank: int) -> str:
        inner = ", ".join(text(child) for child in below.get(rank, ()))
        return f"{rank} ({inner})" if inner else str(rank)

    return text(root)


def _transports(comm: Communicator) -> Counter[str]:
    """How many pairs of ranks are connected in each way."""
    return Counter(name for ways in comm.links.values() for name in {way.name for way in ways})


def _choices(comm: Communicator) -> list[tuple[str, ...]]:
    """Collectives by size, with what ran for them."""
    rows: list[tuple[str, ...]] = []
    for choice, times in sorted(comm.choices.items(), key=lambda pair: pair[0].size):
        used = comm.channels_used.get(choice)
        channels = plural(used, "channel") if used else ""
        what = f"{choice.name or 'collective'} of {size_text(choice.size)}"
        rows.append((what, f"{choice.algorithm} {choice.protocol}", channels, f"{times:,} ×"))
    return rows


def _proved(comm: Communicator, name: str) -> tuple[str, bool | None]:
    """What comes of executing the algorithm of the log, and whether it is right."""
    try:
        recording = ALGORITHMS[name](comm)
    except BadInput as problem:
        return f"not executed: {problem}", None
    verdict = recording.check()
    return f"{verdict}, in {plural(len(recording.steps), 'step')}", bool(verdict)
