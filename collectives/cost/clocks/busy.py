"""How long each node is busy: the union of the times in which it sends, receives or adds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collectives.cost.clocks.timed import Timed
from collectives.cost.machines.paths import Floats, Integers


def busy_seconds(timed: Iterable[Timed], nodes: int) -> Floats:
    """Seconds in which each node sends, receives or adds, [node]."""
    busy = Busy(nodes)
    for one in timed:
        if one.base == np.inf:
            continue
        if one.alone:
            pattern, (_, sent, end) = one.load.pattern, one.spread
            length = np.zeros(nodes)
            np.maximum.at(length, pattern.src, sent)
            np.maximum.at(length, pattern.dst, end)
            if one.own is not None:
                np.maximum.at(length, one.own[0], one.own[2])
            busy.more(np.where(length < np.inf, length, 0) * one.times)
        else:
            _add_busy(busy, one)
    return busy.result()


def _add_busy(busy: Busy, one: Timed) -> None:
    """Count steps beside which other things may happen."""
    pattern, (start, sent, end) = one.load.pattern, one.spread
    last = one.base + (one.times - 1) * one.length
    for node, until in ((pattern.src, sent), (pattern.dst, end)):
        # those that go on from one step to the next without a pause
        whole = until == one.length if one.times > 1 else np.zeros(len(node), np.bool_)
        busy.add(node[whole], one.base + start[whole], last + until[whole])
        part = np.flatnonzero(~whole)
        at = np.repeat(one.at, len(part))
        each = np.tile(part, one.times)
        busy.add(node[each], at + start[each], at + until[each])
    if one.own is not None:
        busy.add(*one.own)


class Busy:
    """Adds up the seconds in which nodes are busy; intervals of a node may overlap."""

    def __init__(self, nodes: int) -> None:
        self._total = np.zeros(nodes)
        self._nodes: list[Integers] = []
        self._start: list[Floats] = []
        self._end: list[Floats] = []
        self._rows = 0
        self._room = 1 << 20

    def add(self, node: Integers, start: Floats, end: Floats) -> None:
        """Count these intervals, in any order."""
        self._nodes.append(node)
        self._start.append(start)
        self._end.append(end)
        self._rows += len(node)
        if self._rows > self._room:
            self._merge()
            self._room = max(self._room, 2 * self._rows)

    def more(self, seconds: Floats) -> None:
        """Count so many seconds of each node, that overlap no interval."""
        self._total += seconds

    def result(self) -> Floats:
        """Busy seconds of each node."""
        total = self._total.copy()
        if self._rows:
            self._merge()
            np.add.at(total, self._nodes[0], self._end[0] - self._start[0])
        return total

    def _merge(self) -> None:
        """Join the intervals of a node that touch."""
        node = np.concatenate(self._nodes)
        start, end = np.concatenate(self._start), np.concatenate(self._end)
        real = np.isfinite(end) & (end > start)  # what never ends is not counted
        node, start, end = node[real], start[real], end[real]
        order = np.lexsort((start, node))
        node, start, end = node[order], start[order], end[order]
        head = np.ones(len(node), np.bool_)
        if len(node):
            reach = running_most(end, node)
            head[1:] = (node[1:] != node[:-1]) | (start[1:] > reach[:-1])
            last = np.append(np.flatnonzero(head)[1:], len(node)) - 1
            node, start, end = node[head], start[head], reach[last]
        self._nodes, self._start, self._end = [node], [start], [end]
        self._rows = len(node)


def running_most(end: Floats, node: Integers) -> Floats:
    """The largest end so far within the rows of one node, which stand together."""
    place = np.argsort(np.argsort(end, kind="stable"), kind="stable")
    height = np.maximum.accumulate(place + node * len(end))
    return np.sort(end)[height - node * len(end)]
