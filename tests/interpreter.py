"""A second executor, in plain Python: one transfer at a time, on dictionaries.

It shares nothing with the package but the columns of a step, so that the two cannot be wrong
in the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Cell = tuple[int, int]
Contributions = Counter[Cell]  # (rank, slot it came from) → how many times
Content = dict[Cell, Contributions]  # (node, slot) → what is in it; absent where empty


class EmptyReadError(Exception):
    """A transfer read a slot that holds nothing."""


class ConflictError(Exception):
    """One step overwrites a slot and writes it by another row too."""


class RangeError(Exception):
    """A node or a slot that does not exist."""


class UnequalError(Exception):
    """A transfer between slots of unequal size."""


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


class Layout(NamedTuple):
    """How many nodes and slots there are; the first slots are for chunks of these sizes.

    A slot for a chunk keeps its size; any other takes the size of what is written into it.
    """

    nodes: int
    slots: int
    size: tuple[int, ...]


class Filled(NamedTuple):
    """What is in a slot: its size, and each contribution as often as it is in it."""

    size: int
    parts: tuple[Cell, ...]


Held = dict[Cell, Filled]  # absent where empty


def begin(cells: Iterable[Cell], layout: Layout) -> Held:
    """Each of these cells holds its own contribution, the others are empty."""
    return {cell: Filled(layout.size[cell[1]], (cell,)) for cell in cells}


def ruled(held: Held, table: Iterable[Row], layout: Layout) -> Held:
    """What the slots hold after a step of these rows; raises one of the errors above."""
    moved, once, often = [], set(), set()
    for src, dst, chunk, into, count, adds in table:
        if not (0 <= src < layout.nodes and 0 <= dst < layout.nodes and count > 0):
            raise RangeError((src, dst, count))
        if not (0 <= chunk <= layout.slots - count and 0 <= into <= layout.slots - count):
            raise RangeError((chunk, into, count))
        for k in range(count):
            target = dst, into + k
            if target in once or (target in often and not adds):
                raise ConflictError(target)
            (often if adds else once).add(target)
            if (src, chunk + k) not in held:
                raise EmptyReadError((src, chunk + k))
            moved.append((target, held[src, chunk + k], adds))
    result = dict(held)
    for target, (size, parts), adds in moved:
        there = result.get(target) if adds else None
        slot = target[1]
        room = layout.size[slot] if slot < len(layout.size) else there.size if there else size
        if room != size:
            raise UnequalError(target)
        result[target] = Filled(size, there.parts + parts if there else parts)
    return result


class Tally(NamedTuple):
    """What a schedule costs."""

    steps: int
    walked: int
    rows: int
    transfers: int
    messages: int
    ports: int
    bytes_sent: list[int]
    bytes_received: list[int]
    messages_sent: list[int]
    messages_received: list[int]
    link_bytes: dict[tuple[int, int], int]
    link_messages: dict[tuple[int, int], int]


def tally(steps: Iterable[Any], size: Mapping[Cell, int], nodes: int) -> Tally:
    """Count steps row by row; `size[node, slot]` is in bytes, of the slots that hold something.

    What is sent takes its size along. A slot that goes twice over a link in one step is in the
    message once. Steps without a message are walked, but not counted.
    """
    held = dict(size)
    walked = every = moving = most = busy = 0
    carried: Counter[tuple[int, int]] = Counter()
    messages: Counter[tuple[int, int]] = Counter()
    for step in steps:
        walked += 1
        table = rows(step)
        far = [row for row in table if row.src != row.dst]
        links = {(row.src, row.dst) for row in far}
        every, moving, busy = every + len(table), moving + len(far), busy + bool(far)
        over = {(row.src, row.dst, row.chunk + k) for row in far for k in range(row.count)}
        for src, dst, slot in over:
            carried[src, dst] += held.get((src, slot), 0)
        messages.update(links)
        out, into = Counter(src for src, _ in links), Counter(dst for _, dst in links)
        most = max([most, *out.values(), *into.values()])
        moved = {
            (row.dst, row.into + k): held.get((row.src, row.chunk + k), 0)
            for row in table
            for k in range(row.count)
        }
        held |= moved

    def by_end(counts: Counter[tuple[int, int]], end: int) -> list[int]:
        return [sum(n for link, n in counts.items() if link[end] == node) for node in range(nodes)]

    return Tally(
        busy,
        walked,
        every,
        moving,
        sum(messages.values()),
        most,
        by_end(carried, 0),
        by_end(carried, 1),
        by_end(messages, 0),
        by_end(messages, 1),
        {link: carried[link] for link in messages},
        dict(messages),
    )
