"""Counts what an algorithm does: steps, transfers, messages, ports, and bytes per rank and link."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from collectives.schedule import Step
from collectives.schedule.columns import Integers, constant, frozen
from collectives.schedule.unique import RowGroups, numbered
from collectives.units import size_text
from collectives.words import steps_text

Link = tuple[int, int]


@dataclass(frozen=True, repr=False)
class Counters:
    """Counts over a whole schedule; bytes by node are integer arrays of shape [nodes].

    `links` is [link, 2], source and destination of each link in use, in ascending order;
    bytes and messages by link are integer arrays in its order.

    steps: those in which a message travels. transfers: rows that are not local moves.
    messages: groups of rows of one step with the same source and destination; a slot that
    goes twice from one node to another in one step is in its message once. ports: most
    messages one node sends, or receives, in one step. walked: all steps, those of local moves
    alone included. rows: all rows, local moves included.
    """

    steps: int
    walked: int
    rows: int
    transfers: int
    messages: int
    ports: int
    bytes_sent: Integers
    bytes_received: Integers
    messages_sent: Integers
    messages_received: Integers
    links: Integers
    bytes_by_link: Integers
    messages_by_link: Integers

    @cached_property
    def link_bytes(self) -> dict[Link, int]:
        """Bytes sent over each link."""
        pairs = zip(self.links.tolist(), self.bytes_by_link.tolist(), strict=True)
        return {(src, dst): sent for (src, dst), sent in pairs}

    def busiest_port(self, ranks: int, helpers: str) -> int:
        """Bytes through the busiest port in one direction, summed over all steps.

        A rank has one port, and so has a server; a switch has one for every node it is linked to,
        so that no port of it is busier than that of a rank or that of another switch.
        """
        one_port = len(self.bytes_sent) if helpers == "server" else ranks
        ends = (self.bytes_sent[:one_port], self.bytes_received[:one_port], self.bytes_by_link)
        return max(int(moved.max(initial=0)) for moved in ends)

    def scaled(self, chunk: int, new_chunk: int) -> Counters:
        """The counts of the same schedule where every chunk has `new_chunk` bytes, not `chunk`."""
        moved = "bytes_sent", "bytes_received", "bytes_by_link"
        return replace(self, **{name: getattr(self, name) // chunk * new_chunk for name in moved})

    @property
    def total_bytes(self) -> int:
        """Bytes sent by all nodes together, which may be more than 64 bits can hold."""
        return sum(self.bytes_sent.tolist())

    def __repr__(self) -> str:
        """One line: the counts that matter most."""
        return f"<Counters: {', '.join(f'{name} {count}' for name, count in self._summary())}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_display import table_html

        return table_html(("count", ""), self._summary())

    def _summary(self) -> list[tuple[str, str]]:
        """The totals by name, as text."""
        busiest = [int(moved.max(initial=0)) for moved in (self.bytes_sent, self.bytes_received)]
        steps = steps_text(self.steps, self.walked).replace(" steps", "").replace(" step", "")
        return [
            *(("steps", steps), ("transfers", f"{self.transfers:,}")),
            *(("messages", f"{self.messages:,}"), ("ports", f"{self.ports:,}")),
            ("links", f"{len(self.links):,}"),
            ("sent by all", size_text(self.total_bytes)),
            ("sent by the busiest node", size_text(busiest[0])),
            ("received by the busiest node", size_text(busiest[1])),
        ]


class Counter:
    """Adds up steps one at a time in memory that does not grow with their number.

    `size[node, slot]` is in elements of `unit` bytes, as it is before the step that is added;
    uniform: all slots have the size of the first, always. What a pattern of sources and
    destinations costs is worked out once for as long as consecutive steps share its arrays.
    """

    def __init__(self, size: Integers, unit: int, uniform: bool) -> None:
        nodes = size.shape[0]
        self._size, self._unit = size, unit
        self._one_size = int(size[0, 0]) if uniform else None
        self._steps = self._walked = self._rows = self._transfers = self._messages = 0
        self._ports = 0
        self._sent, self._received = np.zeros(nodes, np.intp), np.zeros(nodes, np.intp)
        self._out, self._in = np.zeros(nodes, np.intp), np.zeros(nodes, np.intp)
        self._links = _Links()
        self._pattern: _Pattern | None = None

    def watch(self, steps: Iterable[Step]) -> Iterator[Step]:
        """Pass steps on, counting them."""
        for step in steps:
            self.add(step)
            yield step

    def add(self, step: Step) -> None:
        """Count one step."""
        pattern = self._pattern
        if pattern is None or step.src is not pattern.src or step.dst is not pattern.dst:
            self._settle()
            pattern = self._pattern = _Pattern(step, len(self._sent))
        pattern.times += 1
        if pattern.repeats:
            step = each_slot_once(step, pattern.rows)
        pattern.bytes = pattern.bytes + self._bytes(step)
        self._walked += 1

    def result(self) -> Counters:
        """The counts so far."""
        self._settle()
        self._pattern = None
        keys, carried, messages = self._links.settled()
        return Counters(
            self._steps,
            self._walked,
            self._rows,
            self._transfers,
            self._messages,
            self._ports,
            self._sent,
            self._received,
            self._out,
            self._in,
            np.stack(np.divmod(keys, len(self._sent)), axis=1),
            carried,
            messages,
        )

    def _bytes(self, step: Step) -> Integers | int:
        count = constant(step.count)
        if self._one_size is not None:
            return self._one_size * (count if count is not None else step.count)
        if count == 1:
            return self._size[step.src, step.chunk]
        unrolled = step.unrolled()
        return sums_of_rows(self._size[unrolled.src, unrolled.chunk], step.count)

    def _settle(self) -> None:
        """Add what the last pattern cost, as often as it came."""
        pattern = self._pattern
        if pattern is None:
            return
        times = pattern.times
        self._rows += len(pattern.src) * times
        self._transfers += len(pattern.rows.of_row) * times
        self._messages += len(pattern.links) * times
        self._ports = max(self._ports, pattern.ports)
        self._steps += times if len(pattern.links) else 0
        carried = self._unit * pattern.carried()
        np.add.at(self._sent, pattern.links // len(self._sent), carried)
        np.add.at(self._received, pattern.links % len(self._sent), carried)
        self._out += times * pattern.out
        self._in += times * pattern.into
        self._links.add(pattern.links, carried, times)


class _Links:
    """Sums up bytes and messages by link, in arrays: there may be nodes squared of them."""

    def __init__(self) -> None:
        self._parts: list[tuple[Integers, Integers, Integers]] = []
        self._rows = self._settled_rows = 0

    def add(self, keys: Integers, carried: Integers, messages: int) -> None:
        """Count what each of these links, all different, carried."""
        self._parts.append((keys, carried, np.full(len(keys), messages)))
        self._rows += len(keys)
        if self._rows > 2 * self._settled_rows + 4096:
            self.settled()

    def settled(self) -> tuple[Integers, Integers, Integers]:
        """The links, each once and in ascending order, their bytes and their messages."""
        if not self._parts:
            return (np.zeros(0, np.intp),) * 3
        if len(self._parts) > 1:
            every = [np.concatenate(column) for column in zip(*self._parts, strict=True)]
            keys, link_of_row = np.unique(every[0], return_inverse=True)
            sums = np.zeros((2, len(keys)), np.intp)
            for total, column in zip(sums, every[1:], strict=True):
                np.add.at(total, link_of_row, column)
            self._parts = [(keys, sums[0], sums[1])]
        self._rows = self._settled_rows = len(self._parts[0][0])
        return self._parts[0]


class _Pattern:
    """What follows from the sources and destinations of a step alone."""

    def __init__(self, step: Step, nodes: int) -> None:
        self.src, self.dst = step.src, step.dst
        self.times = 0
        self.bytes: Integers | int = 0
        moves = step.src != step.dst
        self._moves = None if moves.all() else moves
        key = step.src * nodes + step.dst
        key = key if self._moves is None else key[moves]
        self.links, link_of_row = numbered(key, nodes * nodes)
        self.rows = RowGroups(link_of_row)  # that are no local moves
        self.repeats = len(self.links) < len(key)  # some link has several rows
        self.out = np.bincount(self.links // nodes, minlength=nodes)
        self.into = np.bincount(self.links % nodes, minlength=nodes)
        self.ports = int(max(self.out.max(), self.into.max()))

    def carried(self) -> Integers:
        """What the rows of each link moved, in all steps so far."""
        if isinstance(self.bytes, int):
            return self.bytes * np.bincount(self.rows.of_row, minlength=len(self.links))
        moved = self.bytes if self._moves is None else self.bytes[self._moves]
        sums = np.zeros(len(self.links), np.intp)
        np.add.at(sums, self.rows.of_row, moved)
        return sums


def each_slot_once(step: Step, links: RowGroups) -> Step:
    """The step, in which a slot that several rows send over one link is left to one of them.

    `links` are the links of the rows that are not local moves. Rows stay where they are; one that
    is left with nothing moves 0 slots.
    """
    some_stay = len(links.of_row) < len(step)
    moves = np.flatnonzero(step.src != step.dst) if some_stay else np.arange(len(step))
    chunk = step.chunk[moves] if some_stay else step.chunk
    if constant(step.count) == 1 and links.all_differ(chunk, int(chunk.max()) + 1):
        return step
    count = step.count[moves]
    slots = int((chunk + count).max())
    start = links.of_row * slots + chunk  # one number for each slot of each link
    order = np.argsort(start, kind="stable")
    start, end = start[order], (start + count)[order]
    reached = np.maximum.accumulate(end)[:-1]
    fresh = np.append(start[:1], np.maximum(start[1:], reached))
    left = np.maximum(end - fresh, 0)
    if (left == count[order]).all():
        return step
    first, number = step.chunk.copy(), step.count.copy()
    first[moves[order]] += np.minimum(fresh, end) - start
    number[moves[order]] = left
    return replace(step, chunk=frozen(first), count=frozen(number))


def sums_of_rows(values: Integers, count: Integers) -> Integers:
    """Sums over count[0] values, then the next count[1], and so on; some counts may be 0."""
    below = np.concatenate([[0], np.cumsum(values)])
    end = np.cumsum(count)
    sums: Integers = below[end] - below[end - count]
    return sums
