"""A second executor, in plain Python: one transfer at a time, on dictionaries.

It shares nothing with the package but the columns of a step, so that the two cannot be wrong
in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

Cell = tuple[int, int]
Contributions = Counter[Cell]  # (rank, slot it came from) → how many times
Content = dict[Cell, Contributions]  # (node, slot) → what is in it; absent where empty


class EmptyReadError(Exception):
    """A transfer read a slot that holds nothing."""


class Row(NamedTuple):
    """One row of a step, in plain integers."""

    src: int
    dst: int
    chunk: int
    into: int
    count: int
    adds: bool


def rows(step: Any) -> list[Row]:
    """The rows of a step."""
    names = ("src", "dst", "chunk", "into", "count", "reduces")
    return [Row(*row) for row in zip(*(getattr(step, n).tolist() for n in names), strict=True)]


def start(cells: Iterable[Cell]) -> Content:
    """Each of these cells holds its own contribution, the others are empty."""
    return {cell: Counter({cell: 1}) for cell in cells}


def after(content: Content, step: Any) -> Content:
    """What the slots hold after one step: every row reads, then the rows write in their order."""
    moved = []
    for row in rows(step):
        for k in range(row.count):
            source = (row.src, row.chunk + k)
            if source not in content:
                raise EmptyReadError(source)
            moved.append(((row.dst, row.into + k), content[source], row.adds))
    result = dict(content)
    for target, value, adds in moved:
        result[target] = result[target] + value if adds and target in result else Counter(value)
    return result


def states(content: Content, steps: Iterable[Any]) -> list[Content]:
    """The content before the first step and after each."""
    found = [content]
    for step in steps:
        found.append(after(found[-1], step))
    return found


class Tally(NamedTuple):
    """What a schedule costs."""

    steps: int
    rows: int
    transfers: int
    messages: int
    ports: int
    latency_units: int
    bytes_sent: list[int]
    bytes_received: list[int]
    messages_sent: list[int]
    messages_received: list[int]
    link_bytes: dict[tuple[int, int], int]
    link_messages: dict[tuple[int, int], int]


def tally(steps: Iterable[Any], size: Sequence[int], nodes: int) -> Tally:
    """Count steps row by row; `size[slot]` is in bytes."""
    number = every = moving = most = busy = 0
    carried: Counter[tuple[int, int]] = Counter()
    messages: Counter[tuple[int, int]] = Counter()
    for step in steps:
        number += 1
        table = rows(step)
        far = [row for row in table if row.src != row.dst]
        links = {(row.src, row.dst) for row in far}
        every, moving, busy = every + len(table), moving + len(far), busy + bool(far)
        for row in far:
            carried[row.src, row.dst] += sum(size[row.chunk : row.chunk + row.count])
        messages.update(links)
        out, into = Counter(src for src, _ in links), Counter(dst for _, dst in links)
        most = max([most, *out.values(), *into.values()])

    def by_end(counts: Counter[tuple[int, int]], end: int) -> list[int]:
        return [sum(n for link, n in counts.items() if link[end] == node) for node in range(nodes)]

    return Tally(
        number,
        every,
        moving,
        sum(messages.values()),
        most,
        busy,
        by_end(carried, 0),
        by_end(carried, 1),
        by_end(messages, 0),
        by_end(messages, 1),
        {link: carried[link] for link in messages},
        dict(messages),
    )
