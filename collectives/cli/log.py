"""Does what `collectives log` is asked for: explains an NCCL log, draws or runs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from collectives.cli.console import say, say_json, say_paragraph, say_table
from collectives.cli.convert import SAVES
from collectives.errors import BadInput, imported, naming
from collectives.files import check_writable
from collectives.formats.nccl_log import Communicator, Log, findings, read_log, ring, tree
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import capital, listed, plural, quoted, ranges

ALGORITHMS: dict[str, Callable[[Communicator], Recording]] = {"ring": ring, "tree": tree}
MOST_LINES = 12  # of rings, trees and choices
MOST_RANKS = 40  # that are written in a ring or tree
INDENT = 2


def explain_log(
    paths: Sequence[str], as_json: bool, output: str | None, algorithm: str, theme: str
) -> None:
    """Print what the log says, or write it; raises BadInput where it is no log."""
    if output is not None:
        check_writable(output)
    log = read_log(*paths)
    if output is not None:
        _write(log, paths[0], output, algorithm, theme)
    if as_json:
        say_json(report(log))
    elif output is not None:
        print(output)
    else:
        _say(log)


def _write(log: Log, path: str, output: str, algorithm: str, theme: str) -> None:
    """Write the drawing, or the algorithm; what a log lacks is said of `path`, its first file."""
    if save := SAVES.get(Path(output).suffix):
        with naming(quoted(path)):
            recording = ALGORITHMS[algorithm](log.largest)
        return save(recording, output)
    imported("matplotlib", "a figure needs matplotlib", "figure")
    from animations.drawing.theme import THEMES
    from animations.figures import slide
    from animations.figures.nccl_log import draw

    with naming(quoted(path)):
        page = draw(log, algorithm, THEMES[theme])
    slide.save(page, output)


def report(log: Log) -> dict[str, Any]:
    """Everything `log --json` prints."""
    one = log.largest
    return {
        "versions": sorted(log.versions),
        "communicators": [each.ranks for each in log.communicators],
        "ranks": one.ranks,
        "ranks_at_least": one.at_least,
        "channels": one.channels,
        "channels_at_least": one.channels > one.channel_count,
        "node_count": one.known_nodes or None,
        "nodes": [
            *({"host": one.hosts[ranks[0]], "ranks": ranks} for ranks in one.nodes),
            *({"host": host, "ranks": []} for host in sorted(_rankless(log))),
        ],
        "rings": {str(channel): list(order) for channel, order in one.rings.items()},
        "trees": {str(channel): list(parents) for channel, parents in one.trees.items()},
        "connections": dict(_transports(one)),
        "choices": [
            {
                "collective": choice.name,
                "bytes": choice.size,
                "algorithm": choice.algorithm,
                "protocol": choice.protocol,
                "channels": one.channels_used.get(choice),
                "times": times,
            }
            for choice, times in sorted(one.choices.items(), key=lambda each: each[0].size)
        ],
        "executed": {name: _proved(one, name)[1] for name in ALGORITHMS},
        "findings": findings(log),
    }


def _say(log: Log) -> None:
    one = log.largest
    version = listed(sorted(log.versions), limit=4) or "NCCL, no version in the log"
    more = " or more" * (one.channels > one.channel_count)
    channels = f", {plural(one.channels, 'channel')}{more}" if one.channels else ""
    say(f"{version}: {one if one.ranks else 'ranks are not named'}{channels}", bold=True)
    others = Counter(each.ranks for each in log.communicators if each is not one)
    if others:
        sizes = [f"{count} of {plural(ranks, 'rank')}" for ranks, count in sorted(others.items())]
        say_paragraph(f"The largest communicator; there are others: {listed(sizes, limit=6)}.")
    _say_part("Nodes" if one.hosts_are_nodes else "Names of hosts", _nodes(log))
    _say_part("Rings", _by_channel(one.rings, _ring_text))
    _say_part("Trees", _by_channel(one.trees, _tree_text))
    counted = _transports(one).most_common()
    _say_part("Connections", [(name, plural(count, "pair")) for name, count in counted])
    _say_part("Ran", _choices(one))
    _say_part("Executed", [(name, _proved(one, name)[0]) for name in ALGORITHMS])
    say("Slow or unusual", bold=True)
    for text in findings(log) or ["nothing that the log names"]:
        say_paragraph(capital(text), "  -", 4)


def _nodes(log: Log) -> list[tuple[str, ...]]:
    """The hosts of ranks, and those of lines that name no rank."""
    one = log.largest
    return [
        *(
            (one.hosts[node[0]], f"rank{'s' * (len(node) > 1)} {ranges(node)}")
            for node in one.nodes
        ),
        *((host, "no line names a rank") for host in sorted(_rankless(log))),
    ]


def _rankless(log: Log) -> set[str]:
    """Hosts whose lines name no rank."""
    return log.hosts - {host for one in log.communicators for host in one.hosts.values()}


def _say_part(title: str, rows: list[tuple[str, ...]]) -> None:
    """A part of the report; nothing where the log has nothing of it."""
    if not rows:
        return
    say(title, bold=True)
    say_table(rows[:MOST_LINES], indent=INDENT)
    if len(rows) > MOST_LINES:
        say(f"  and {len(rows) - MOST_LINES} more")


def _by_channel(
    found: dict[int, tuple[int, ...]], text: Callable[[tuple[int, ...]], str]
) -> list[tuple[str, ...]]:
    """What is alike on several channels, once, with these."""
    same: dict[tuple[int, ...], list[int]] = {}
    for channel, value in found.items():
        same.setdefault(value, []).append(channel)
    return [(f"channel {ranges(channels)}", text(value)) for value, channels in same.items()]


def _ring_text(order: tuple[int, ...]) -> str:
    shown = " ".join(map(str, order[:MOST_RANKS]))
    return shown if len(order) <= MOST_RANKS else f"{shown} … ({len(order)} ranks)"


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


def _transports(one: Communicator) -> Counter[str]:
    """How many pairs of ranks are connected in each way."""
    return Counter(name for found in one.links.values() for name in {way.name for way in found})


def _choices(one: Communicator) -> list[tuple[str, ...]]:
    """Collectives by size, with what ran for them."""
    rows: list[tuple[str, ...]] = []
    for choice, times in sorted(one.choices.items(), key=lambda each: each[0].size):
        used = one.channels_used.get(choice)
        channels = plural(used, "channel") if used else ""
        what = f"{choice.name or 'collective'} of {size_text(choice.size)}"
        rows.append((what, f"{choice.algorithm} {choice.protocol}", channels, f"{times:,} ×"))
    return rows


def _proved(one: Communicator, name: str) -> tuple[str, bool | None]:
    """What comes of executing the algorithm of the log, and whether it is right."""
    try:
        recording = ALGORITHMS[name](one)
    except BadInput as problem:
        return f"not executed: {problem}", None
    verdict = recording.check()
    return f"{verdict}, in {plural(len(recording.steps), 'step')}", bool(verdict)
