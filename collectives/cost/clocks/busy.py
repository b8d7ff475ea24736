"""How long each node is busy: the union of the intervals in which it sends, receives or adds."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from collectives.cost.clocks.step_messages import StepTimes
from collectives.cost.machines.paths import Floats, Integers

Spans = list[tuple[float, float]]  # begin and end, in seconds


def busy_seconds(steps: Iterable[StepTimes], nodes: int) -> Floats:
    """Seconds in which each node sends, receives or adds, [node]."""
    busy = _BusyIntervals(nodes)
    for run in steps:
        if run.base == np.inf:
            continue
        if run.alone:
            routes, (_, sent, end) = run.messages.routes, run.spread
            length = np.zeros(nodes)
            np.maximum.at(length, routes.src, sent)
            np.maximum.at(length, routes.dst, end)
            if run.work is not None:
                np.maximum.at(length, run.work[0], run.work[2])
            busy.total += np.where(length < np.inf, length, 0) * run.repeats
        else:
            _add_run(busy, run)
    return busy.result()


def joined(starts: Iterable[float], ends: Iterable[float]) -> Spans:
    """The intervals in order, those that overlap or touch merged; empty ones are left out.

    >>> joined([5, 0, 1, 7], [6, 4, 2, 7])
    [(0.0, 4.0), (5.0, 6.0)]
    """
    spans: Spans = []
    for start, end in sorted(zip(map(float, starts), map(float, ends), strict=True)):
        if end <= start:
            continue
        if spans and start <= spans[-1][1] * (1 + 1e-12):
            spans[-1] = spans[-1][0], max(spans[-1][1], end)
        else:
            spans.append((start, end))
    return spans


def _add_run(busy: _BusyIntervals, run: StepTimes) -> None:
    """Count steps that may overlap others."""
    routes, (start, sent, end) = run.messages.routes, run.spread
    last = run.base + (run.repeats - 1) * run.length
    for node, until in ((routes.src, sent), (routes.dst, end)):
        # those that go on from one step to the next without a pause
        whole = until == run.length if run.repeats > 1 else np.zeros(len(node), np.bool_)
        busy.add(node[whole], run.base + start[whole], last + until[whole])
        part = np.flatnonzero(~whole)
        begins = np.repeat(run.begins, len(part))
        rows = np.tile(part, run.repeats)
        busy.add(node[rows], begins + start[rows], begins + until[rows])
    if run.work is not None:
        busy.add(*run.work)


class _BusyIntervals:
    """Adds up the seconds in which nodes are busy; intervals of a node may overlap.

    total: busy seconds of each node, beside the intervals.
    """

    def __init__(self, nodes: int) -> None:
        self.total = np.zeros(nodes)
        self._parts: list[tuple[Integers, Floats, Floats]] = []  # node, start, end
        self._rows, self._room = 0, 1 << 20

    def add(self, node: Integers, start: Floats, end: Floats) -> None:
        """Count these intervals, in any order."""
        self._parts.append((node, start, end))
        self._rows += len(node)
        if self._rows > self._room:
            self._merge()
            self._room = max(self._room, 2 * self._rows)

    def result(self) -> Floats:
        """Busy seconds of each node."""
        if self._rows:
            self._merge()
            ((node, start, end),) = self._parts
            np.add.at(self.total, node, end - start)
        return self.total

    def _merge(self) -> None:
        """Join the intervals of a node that touch."""
        node, start, end = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        real = np.isfinite(end) & (end > start)  # what never ends is not counted
        node, start, end = node[real], start[real], end[real]
        order = np.lexsort((start, node))
        node, start, end = node[order], start[order], end[order]
        head = np.ones(len(node), np.bool_)
        if len(node):
            reach = running_maximum(end, node)
            head[1:] = (node[1:] != node[:-1]) | (start[1:] > reach[:-1])
            last = np.append(np.flatnonzero(head)[1:], len(node)) - 1
            node, start, end = node[head], start[head], reach[last]
        self._parts, self._rows = [(node, start, end)], len(node)


def running_maximum(end: Floats, node: Integers) -> Floats:
    """The largest end so far within the rows of a node; `node` is in ascending order."""
    place = np.argsort(np.argsort(end, kind="stable"), kind="stable")
    height = np.maximum.accumulate(place + node * len(end))
    return np.sort(end)[height - node * len(end)]
