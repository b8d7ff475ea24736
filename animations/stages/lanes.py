"""Lanes of ranks in modeled time: a bar for each message, hatched where a rank waits for one.

All of it stands still: what is later than now is covered, so that bars seem to grow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite

import numpy as np

from animations.drawing.axis import even_step
from animations.drawing.scenery import Tone
from animations.drawing.shapes import Align, Box, ColoredBox, Point, Shape, Stroke, TextLine, hatch
from collectives.cost.clocks.timing import Messages, Timing
from collectives.units import time_text

MOST_LANES, LEAST_PITCH, MOST_PITCH = 16, 8.5, 40.0  # that can be told apart; pixels of each
AXIS = 26.0  # pixels below the lanes, for the axis of time
NAMES = 92.0  # pixels to the left of the lanes
SMALLEST, LARGEST = 12.0, 19.0  # em of names
TICK = 17.0  # em of the numbers of the axis
TICK_ROOM = 170.0  # pixels from one of them to the next
THINNEST = 1.5  # pixels of a bar, so that it is seen
WAITED = 1e-9  # of all time: a gap that is shorter is rounding
GAP = 1.0  # pixels between bars
BY_STEP = 0.78  # of the height of a lane, that of one in the tones of steps
HATCH = 9.0  # pixels from one line of a hatch to the next
Spans = list[tuple[float, float]]


@dataclass(frozen=True)
class Lane:
    """A node's row. done: seconds at which its last message ends, inf where one never does."""

    node: int
    name: str
    box: Box
    done: float


@dataclass(frozen=True)
class Lanes:
    """Rows over one axis of time that begins at 0 and ends at `seconds`.

    box: of the rows. bars: messages. waits: where a rank neither sends nor receives, before it is
    done. words: names and ticks; grid: a line for each tick. left_out: ranks that have no row.
    """

    box: Box
    seconds: float
    rows: tuple[Lane, ...]
    bars: tuple[ColoredBox, ...]
    waits: tuple[Box, ...]
    words: tuple[TextLine, ...]
    grid: tuple[tuple[Point, Point], ...]
    left_out: int = 0

    def x(self, now: float) -> float:
        """Where a time is."""
        return _x(self.box, self.seconds, now)

    @property
    def shapes(self) -> Iterator[Shape]:
        """What is drawn below the cover: rows, bars, ticks, the hatches of waits, and text."""
        yield from (ColoredBox(row.box, "well") for row in self.rows)
        yield from self.bars
        yield from (Stroke(points, "edge", 2.0) for points in self.grid)
        for box in self.waits:
            yield from (Stroke(line, "faint", 1.3) for line in hatch(box, HATCH))
        yield from self.words

    def cover(self, now: float) -> tuple[ColoredBox, ...]:
        """What covers the rows from now on."""
        left = self.x(now)
        wide = self.box.right + GAP - left
        boxes = (Box(left + wide / 2, r.box.y, wide, r.box.height + GAP) for r in self.rows)
        return tuple(ColoredBox(box, "well") for box in boxes)

    def now(self, now: float, above: float = 6.0) -> tuple[Point, Point]:
        """The line for now, from a little above the rows to their end."""
        return (self.x(now), self.box.top - above), (self.x(now), self.box.bottom + 4)


def lanes_of(
    timing: Timing,
    box: Box,
    *,
    seconds: float = 0.0,
    names: Sequence[str] = (),
    tone: Tone = "",
    axis: bool = True,
    most_pitch: float = MOST_PITCH,
    largest: float = LARGEST,
) -> Lanes:
    """The lanes of a timing in a box; of more than there is room for those that say most.

    seconds: at the right edge; by default the whole time. names: of the nodes. tone: of all bars;
    by default each has that of its sender. axis: whether ticks stand below. most_pitch: pixels from
    lane to lane. largest: em of names. Where rows are left out, half of those that stay are the
    busiest, half wait longest.
    """
    messages, nodes = timing.messages, timing.recording.nodes
    seconds = seconds or _finite(timing)
    tall = box.height - (AXIS if axis else 0.0)
    spans = {node: _waits(timing, messages, node, seconds) for node in range(nodes)}
    chosen = _chosen(timing, spans, min(MOST_LANES, max(1, int(tall // LEAST_PITCH))))
    pitch = min(most_pitch, tall / len(chosen))
    wide = box.width - NAMES
    inner = Box(box.right - wide / 2, box.top + len(chosen) * pitch / 2, wide, len(chosen) * pitch)
    ranks = timing.recording.ranks
    rows = [_row(timing, node, names, inner, place, pitch) for place, node in enumerate(chosen)]
    bars = [bar for row in rows for bar in _bars(messages, row, inner, seconds, tone, ranks)]
    waits = [
        _between(row.box, _x(inner, seconds, start), _x(inner, seconds, end))
        for row in rows
        for start, end in spans[row.node]
    ]
    words, grid = _axis(inner, seconds) if axis else ([], [])
    words = [*_names(rows, min(largest, 0.82 * pitch)), *words]
    drawn = tuple(rows), tuple(bars), tuple(waits), tuple(words), tuple(grid)
    return Lanes(inner, seconds, *drawn, ranks - sum(node < ranks for node in chosen))


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


def _x(box: Box, seconds: float, now: float) -> float:
    return box.left + box.width * min(max(now / seconds, 0.0), 1.0)


def _between(row: Box, left: float, right: float) -> Box:
    return Box((left + right) / 2, row.y, right - left, row.height)


def _done(messages: Messages, node: int) -> float:
    """When the last message of a node ends for it."""
    last = messages.end[messages.dst == node].max(initial=0.0)
    return float(max(last, messages.sent[messages.src == node].max(initial=0.0)))


def _waits(timing: Timing, messages: Messages, node: int, seconds: float) -> Spans:
    """When a node neither sends nor receives, from its arrival until it is done."""
    out, into = messages.src == node, messages.dst == node
    starts = np.concatenate([messages.start[out], messages.start[into]])
    ends = np.concatenate([messages.sent[out], messages.end[into]])
    found: Spans = []
    free = float(timing.costs.arrivals.get(node, 0.0))
    for start, end in sorted(zip(starts.tolist(), ends.tolist(), strict=True)):
        until = min(start, seconds)
        if until - free > WAITED * seconds:
            found.append((free, until))
        free = max(free, end)
    return found


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


def sent_by_step(lanes: Lanes, timing: Timing) -> Lanes:
    """The same lanes with a bar only for what a node sends, in the tone of its step."""
    messages, bars = timing.messages, list[ColoredBox]()
    low = [replace(row.box, height=BY_STEP * row.box.height) for row in lanes.rows]
    rows = [replace(row, box=box) for row, box in zip(lanes.rows, low, strict=True)]
    for row in rows:
        for number in np.flatnonzero(messages.src == row.node).tolist():
            start, end = float(messages.start[number]), float(messages.end[number])
            if isfinite(start):
                left, right = lanes.x(start), lanes.x(end)
                tone = f"rank {int(messages.step[number]) % 8}" if isfinite(end) else "wrong"
                wide = max(1.0, right - left - 2)
                box = Box(left + wide / 2, row.box.y, wide, row.box.height - GAP)
                bars.append(ColoredBox(box, tone, min(4.0, wide / 2)))
    return replace(lanes, rows=tuple(rows), bars=tuple(bars), waits=())


def _bars(
    messages: Messages, row: Lane, box: Box, seconds: float, tone: Tone, ranks: int
) -> Iterator[ColoredBox]:
    """What a node sends, above what it receives."""
    half = row.box.height / 2
    for own, end, up in ((messages.src, messages.sent, -1), (messages.dst, messages.end, 1)):
        for number in np.flatnonzero((own == row.node) & np.isfinite(messages.start)).tolist():
            left = _x(box, seconds, float(messages.start[number]))
            right = _x(box, seconds, float(end[number]))
            wide = max(THINNEST, right - left - (GAP if right - left > 4 * GAP else 0))
            source = int(messages.src[number])
            color = tone or (f"rank {source}" if source < ranks else "ink")
            y, high = row.box.y + up * half / 2, half - 0.5
            yield ColoredBox(Box(left + wide / 2, y, wide, high), color)


def _names(rows: Sequence[Lane], size: float) -> Iterator[TextLine]:
    """The names of the rows, only numbers or every other one where there is no room for more."""
    every = ceil(SMALLEST / size)
    for row in rows[::every]:
        em = max(SMALLEST, size)
        base = row.box.y + 0.36 * em
        yield TextLine(row.name, row.box.left - 12, base, em, "faint", align="right")


def _axis(box: Box, seconds: float) -> tuple[list[TextLine], list[tuple[Point, Point]]]:
    """Ticks below the rows, of 1, 2, 2.5 or 5 times a power of ten."""
    words, grid = [], []
    step = even_step(seconds * TICK_ROOM / box.width)
    for number in range(int(seconds / step * (1 + 1e-9)) + 1):
        x = _x(box, seconds, number * step)
        align: Align = "right" if box.right - x < 40 else "center"
        text = time_text(number * step)
        words.append(TextLine(text, x, box.bottom + 21, TICK, "faint", align=align))
        grid.append(((x, box.bottom), (x, box.bottom + 5)))
    return words, grid
