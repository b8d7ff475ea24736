"""Lanes of ranks in modeled time: a bar for each message, hatched where a rank waits for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, inf, isfinite

import numpy as np

from animations.drawing.scenery import Tone
from animations.drawing.shapes import Box, ColoredBox
from animations.drawing.time_lanes import (
    AXIS,
    GAP,
    LARGEST,
    Lane,
    Lanes,
    row_names,
    span,
    stacked,
    time_axis,
    x_at,
)
from collectives.cost.by_name import CLOCKS
from collectives.cost.clocks.busy import Spans
from collectives.cost.clocks.timing import Messages, Timing

MOST_LANES, LEAST_PITCH, MOST_PITCH = 16, 8.5, 40.0  # that can be told apart; pixels of each
NAMES = 92.0  # pixels to the left of the lanes
WAITED = 1e-9  # of all time: a gap that is shorter is rounding
ALIKE = 1e-6  # of a delay: waits that differ by less are as long
BY_STEP = 0.78  # of the height of a lane, that of one in the tones of steps


def lanes_of(
    timing: Timing,
    box: Box,
    *,
    seconds: float = 0.0,
    names: Sequence[str] = (),
    nodes: Sequence[int] = (),
    tone: Tone = "",
    axis: bool = True,
    most_pitch: float = MOST_PITCH,
    largest: float = LARGEST,
    alone: bool = False,
) -> Lanes:
    """The lanes of a timing in a box; of more than there is room for those that say most.

    seconds: at the right edge; by default the whole time. names: of the nodes. nodes: that have
    lanes; by default all. tone: of all bars; by default each has that of its sender. axis: whether
    ticks stand below. most_pitch: pixels from lane to lane. largest: em of names. Where rows are
    left out, half of those that stay are the busiest, half wait longest. Where a delay goes from
    rank to rank, lanes are in its order, and only its waits are hatched, among what each sends;
    alone: without what it receives.
    """
    messages = timing.messages
    seconds = seconds or _finite(timing)
    tall = box.height - (AXIS if axis else 0.0)
    gaps = delay_waits(timing)
    spans = {node: _waits(timing, node, seconds) for node in range(timing.recording.nodes)}
    spans |= {node: gaps.get(node, []) for node in spans if gaps}
    chosen = nodes or _chosen(timing, spans, min(MOST_LANES, max(1, int(tall // LEAST_PITCH))))
    chosen = sorted(chosen, key=[*gaps, *(node for node in spans if node not in gaps)].index)
    pitch = min(most_pitch, tall / len(chosen))
    wide = box.width - NAMES
    inner = Box(box.right - wide / 2, box.top + len(chosen) * pitch / 2, wide, len(chosen) * pitch)
    ranks = timing.recording.ranks
    rows = [_row(timing, node, names, inner, place, pitch) for place, node in enumerate(chosen)]
    parts = 1 if alone and gaps else 2
    bars = [bar for row in rows for bar in _bars(messages, row, inner, seconds, tone, ranks, parts)]
    high, at = rows[0].box.height / (parts if gaps else 1), partial(x_at, inner, seconds)
    waits = [
        span(at(start), at(end), row.box.top + high / 2, high, 0, 0)
        for row in rows
        for start, end in spans[row.node]
    ]
    words, grid = time_axis(inner, seconds) if axis else ([], [])
    words = [*row_names(rows, min(largest, 0.82 * pitch)), *words]
    drawn = tuple(rows), tuple(bars), tuple(waits), tuple(words), tuple(grid)
    return Lanes(inner, seconds, *drawn, ranks - sum(node < ranks for node in chosen), bool(gaps))


def _row(
    timing: Timing, node: int, names: Sequence[str], box: Box, place: int, pitch: float
) -> Lane:
    """The lane of a node in this place of the rows in a box."""
    usual = f"rank {node}" if node < timing.recording.ranks else f"node {node}"
    middle, high = box.top + (place + 0.5) * pitch, pitch - min(3.0, 0.2 * pitch)
    row = Box(box.x, middle, box.width, high)
    return Lane(node, names[node] if names else usual, row, _done(timing.messages, node))


def _finite(timing: Timing) -> float:
    """All the time there is; where something never ends, a quarter more than what does."""
    if isfinite(timing.total):
        return timing.total or 1.0
    times = timing.messages
    ends = np.concatenate([times.end, times.start])
    return 1.25 * float(ends[np.isfinite(ends)].max(initial=0.0)) or 1.0


def _done(messages: Messages, node: int) -> float:
    """When the last message of a node ends for it."""
    last = messages.end[messages.dst == node].max(initial=0.0)
    return float(max(last, messages.sent[messages.src == node].max(initial=0.0)))


def _waits(timing: Timing, node: int, seconds: float) -> Spans:
    """When a node neither sends nor receives, from its arrival until it is done."""
    waits: Spans = []
    free = float(timing.costs.arrivals.get(node, 0.0))
    lost = not isfinite(_done(timing.messages, node))
    for start, end in [*timing.busy_spans(node), *[(seconds, inf)] * lost]:
        until = min(start, seconds)
        if until - free > WAITED * seconds:
            waits.append((free, until))
        free = max(free, end)
    return waits


def delay_waits(timing: Timing) -> dict[int, Spans]:
    """When ranks send nothing as one is late: that one, whom it sends to, and so on, in order.

    None where anybody waits twice, or not as long, or where that one gets no message meanwhile.
    """
    messages, arrivals = timing.messages, timing.costs.arrivals
    if timing.clock != "dataflow" or not any(arrivals.values()) or not isfinite(timing.total):
        return {}
    order = np.lexsort((messages.start, messages.src))
    src, dst, starts = messages.src[order], messages.dst[order], messages.start[order]
    free = np.where(np.diff(src, prepend=-1) == 0, np.roll(messages.sent[order], 1), 0.0)
    rows = np.flatnonzero(starts - free > WAITED * timing.total)
    rows = rows[np.argsort(free[rows], kind="stable")]
    nodes, begin, end = src[rows].tolist(), free[rows], starts[rows]
    holds = (
        len({*nodes}) == len(nodes) > 0
        and arrivals.get(nodes[0]) == end[0] > starts[dst == nodes[0]].min(initial=inf)
        and dst[rows].tolist()[:-1] == nodes[1:]
        and np.all(np.diff(begin) > 0)
        and np.allclose(end - begin, end[0], ALIKE, 0.0)
    )
    spans = zip(nodes, begin.tolist(), end.tolist(), strict=True)
    return {node: [(start, end)] for node, start, end in spans if holds}


def _chosen(timing: Timing, waits: dict[int, Spans], room: int) -> list[int]:
    """The nodes that get a row: no switches where there is no room for them."""
    ranks = timing.recording.ranks
    if len(waits) > room:
        waits = {node: waits[node] for node in range(ranks)}
    if len(waits) <= room:
        return list(waits)
    busy = timing.busy
    by_work = sorted(waits, key=lambda node: (-busy[node], node))
    by_wait = sorted(waits, key=lambda node: (-sum(b - a for a, b in waits[node]), node))
    chosen = set(by_work[: ceil(room / 2)])
    chosen |= set([node for node in by_wait if node not in chosen][: room - len(chosen)])
    return sorted(chosen)


def sent_by_step(lanes: Lanes, timing: Timing, tones: Sequence[str] = ()) -> Lanes:
    """The same lanes with a bar only for what a node sends, in the tone of its step, or of these.

    Messages that are under way at once lie below each other, those that a switch sends to all ranks
    at once are one. waits: parts of bars in which a message has been sent, and its receiver does
    not take it yet; and, at their start, by how much jitter makes them longer.
    """
    messages, bars, waits = timing.messages, list[ColoredBox](), list[Box]()
    costs = replace(timing.costs, jitter=0.0)
    calm = CLOCKS[timing.clock](timing.recording, timing.topology, costs).messages
    tones = tones or [f"rank {step % 8}" for step in messages.step.tolist()]
    low = [replace(row.box, height=BY_STEP * row.box.height) for row in lanes.rows]
    rows = [replace(row, box=box) for row, box in zip(lanes.rows, low, strict=True)]
    for row in rows:
        sent = np.flatnonzero((messages.src == row.node) & np.isfinite(messages.start))
        if row.node >= timing.recording.ranks:
            at_once = messages.step[sent], messages.start[sent]
            sent = sent[np.unique(at_once, axis=1, return_index=True)[1]]
        sent = sent[np.argsort(messages.start[sent], kind="stable")]
        ends = np.minimum(messages.end[sent], lanes.seconds)
        spans = list(zip(messages.start[sent].tolist(), ends.tolist(), strict=True))
        levels = stacked(spans, WAITED * lanes.seconds)
        for number, (start, end), (level, shared) in zip(sent, spans, levels, strict=True):
            left, high = lanes.x(start), row.box.height / shared
            lost = not isfinite(messages.end[number])
            tone = "wrong" if lost else tones[int(number)]
            wide = max(1.0, lanes.x(end) - left - 2)
            box = Box(left + wide / 2, row.box.top + (level + 0.5) * high, wide, high - GAP)
            bars.append(ColoredBox(box, tone, min(4.0, wide / 2)))
            waits_from = float(messages.sent[number])
            flows = waits_from - float(calm.sent[number] - calm.start[number])
            for since, until in ((start, flows), (waits_from, end)):
                if not lost and until - since > WAITED * lanes.seconds:
                    right = min(lanes.x(until), box.right)
                    waits.append(span(lanes.x(since), right, box.y, box.height, 0, 0))
    return replace(lanes, rows=tuple(rows), bars=tuple(bars), waits=tuple(waits))


def _bars(
    messages: Messages, row: Lane, box: Box, seconds: float, tone: Tone, ranks: int, parts: int
) -> Iterator[ColoredBox]:
    """What a node sends, above what it receives, or alone, as high as its row."""
    half = row.box.height / parts
    sides = (messages.src, messages.sent, 1 - parts), (messages.dst, messages.end, 1)
    for own, end, up in sides[:parts]:
        for number in np.flatnonzero((own == row.node) & np.isfinite(messages.start)).tolist():
            left = x_at(box, seconds, float(messages.start[number]))
            right = x_at(box, seconds, float(end[number]))
            source = int(messages.src[number])
            color = tone or (f"rank {source}" if source < ranks else "ink")
            yield ColoredBox(span(left, right, row.box.y + up * half / 2, half - 0.5), color)
