"""The algorithms of a collective beside its lower bounds: steps, and bytes of the busiest port."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.drawing.theme import DARK, Theme
from animations.figures import small_print
from animations.figures.axis_ticks import log_locator, ticks
from animations.figures.label_placement import PER_POINT, Boxes, Label, around, hidden, outlined
from animations.figures.slide import (
    LABEL,
    NAME,
    NO_BREAK,
    PIXELS,
    RIGHT,
    SMALL,
    add_axes,
    extent,
    note,
    room,
    slide,
    write,
)
from animations.figures.sweep import comparable
from collectives.catalog import ROWS, Row
from collectives.catalog.parameters import SHORT
from collectives.collective import Collective
from collectives.errors import BadInput
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.theory.bounds import lower_bound
from collectives.units import number_text
from collectives.words import capital, listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RANKS = 128
MOST_NAMES = 10  # at one point
LINE_LENGTH = 32  # letters of names at a point
CROWDED = 16  # names of points, of which more are written smaller, so that all find a place
ACROSS = 20  # times as bad as over other names: names and leaders over a bound
BESIDE = 5  # pixels to each side of a bound where no name should be
NAME_GAP = 6.0  # pixels from the name of a bound to other names, to its left and right
ONE_PORT, SEVERAL_PORTS, HELPERS = "one port", "several ports", "switches or servers"
MARKERS = {ONE_PORT: "o", SEVERAL_PORTS: "^", HELPERS: "s"}
SIGNS = {ONE_PORT: "●", SEVERAL_PORTS: "△", HELPERS: "□"}  # the same in text
HUES = {ONE_PORT: 0, SEVERAL_PORTS: 1, HELPERS: 3}


@dataclass(frozen=True)
class Point:
    """An algorithm's steps and the vectors through its busiest port, both counted."""

    row: Row
    steps: int
    port: Fraction
    kind: str
    ports: int

    @property
    def place(self) -> tuple[int, Fraction]:
        """Where it is drawn."""
        return self.steps, self.port


@dataclass(frozen=True)
class Bounds:
    """The points of a collective, and what no algorithm with one port can beat."""

    collective: Collective
    ranks: int
    chunks: int
    points: tuple[Point, ...]
    steps: int
    port: Fraction

    @property
    def reached(self) -> list[Row]:
        """Algorithms with one port that reach both bounds."""
        return [
            point.row
            for point in self.points
            if point.kind == ONE_PORT and point.place == (self.steps, self.port)
        ]

    def beats(self, point: Point) -> bool:
        """Whether an algorithm is where none with one port can be."""
        return point.steps < self.steps or point.port < self.port

    def name(self, point: Point) -> str:
        """An algorithm, with its ports where one port cannot do it: two-shot (7 ports)."""
        needs_ports = point.kind == SEVERAL_PORTS and self.beats(point)
        return f"{point.row.label} ({point.ports} ports)" if needs_ports else point.row.label


def bounds(collective: str, ranks: int, chunks: int = 4, root: int = 0) -> Bounds:
    """Every algorithm that runs on so many ranks, counted; raises BadInput where none does."""
    promise = comparable(collective)
    if promise.routed:
        raise BadInput(f"{promise.title}: its bounds are those of a routing table; try: all-to-all")
    if not 2 <= ranks <= MOST_RANKS:
        near = min(max(ranks, 2), MOST_RANKS)
        raise BadInput(f"-n {ranks}: bounds are drawn for 2 to {MOST_RANKS} ranks; try: {near}")
    if root and not promise.rooted:
        raise BadInput(f"--root {root}: {promise.title} has no root; leave it out")
    points, lowest = [], []
    rows = [row for row in ROWS if row.collective == promise.name and row.accepts(ranks)]
    rows = [row for row in rows if SHORT not in row.takes]
    for row in counted(rows, f"counting {promise.title} algorithms", len(rows), "algorithms"):
        number = chunks if "chunks" in row.parameters else None
        recording = record(row.collective, row.algorithm, ranks=ranks, root=root, chunks=number)
        counters, vector = recording.counters, recording.count * recording.dtype.itemsize
        kind = SEVERAL_PORTS if counters.ports > 1 else ONE_PORT
        kind = HELPERS if recording.nodes > ranks else kind
        port = Fraction(recording.bytes_busiest_port, vector)
        points.append(Point(row, counters.steps, port, kind, counters.ports))
        bound = lower_bound(promise, recording.case)
        lowest.append((bound.steps, Fraction(bound.busiest_port, vector)))
    if not points:
        raise BadInput(f"-n {ranks}: no {promise.title} algorithm takes so many; try: -n 8")
    steps, port = lowest[-1][0], min(port for _, port in lowest)
    return Bounds(promise, ranks, chunks, tuple(points), steps, port)


def draw(data: Bounds, theme: Theme = DARK) -> Figure:
    """A point for each algorithm, log-log, and the bounds as lines."""
    page = slide(_title(data), _small(data), theme)
    axes = add_axes(page, theme, "through the busiest port, in vectors", "steps")
    across = [point.steps for point in data.points] + [data.steps]
    up = [float(point.port) for point in data.points] + [float(data.port)]
    axes.set(xscale="log", xlim=(min(across) / 1.5, max(across) * 2.2))
    axes.set(yscale="log", ylim=(min(up) / 1.6, max(up) * 1.6))
    steps, sent = (log_locator(axis, fewest=4) for axis in (axes.xaxis, axes.yaxis))
    ticks(axes.xaxis, steps, lambda number: f"{number:,.0f}" if number % 1 == 0 else "")
    ticks(axes.yaxis, sent, number_text)
    taken = _lines(axes, data, theme)
    labels = []
    for place in sorted({point.place for point in data.points}):
        here = [point for point in data.points if point.place == place]
        kinds = [kind for kind in MARKERS if any(point.kind == kind for point in here)]
        for inner, kind in enumerate(kinds):
            mark = _mark(kind, theme, inner)
            axes.plot(place[0], float(place[1]), gid=f"point-{kind}", zorder=5 + inner, **mark)
            sign = f" ({SIGNS[kind]})" if len(kinds) > 1 else ""
            names = _names([data.name(point) for point in here if point.kind == kind]) + sign
            color = theme.rank(HUES[kind])
            labels.append(Label(place[0], float(place[1]), names, color, NAME - 2))
    if len(labels) > CROWDED:
        labels = [replace(label, size=SMALL + 1) for label in labels]
    labels.sort(key=lambda label: -len(label.text))
    around(axes, labels, theme, taken)
    _key(page, data, theme)
    return page


def _key(page: Figure, data: Bounds, theme: Theme) -> None:
    """Which marker means what, above the axes."""
    from matplotlib.lines import Line2D

    x, y = RIGHT, room(page)[1] + 0.045
    for kind in reversed(MARKERS):
        if any(point.kind == kind for point in data.points):
            x -= extent(page, kind, LABEL)[0] / PIXELS[0]
            write(page, x, y, kind, theme.ink, LABEL, va="center")
            x -= 0.012
            page.add_artist(Line2D([x], [y], gid="key", **_mark(kind, theme)))
            x -= 0.025


def _mark(kind: str, theme: Theme, inner: int = 0) -> dict[str, Any]:
    """How a point of a kind is drawn: only those of one port are filled.

    inner: how many others are at the same point, round which it goes.
    """
    color = theme.rank(HUES[kind])
    return {
        "color": color,
        "marker": MARKERS[kind],
        "markersize": 13 + 11 * inner,
        "markerfacecolor": color if kind == ONE_PORT else "none" if inner else theme.background,
        "markeredgewidth": 2.5,
        "linestyle": "none",
    }


def _names(names: list[str]) -> str:
    """The names at one point, some to a line; of very many the first and how many more."""
    if len(names) > MOST_NAMES:
        names[MOST_NAMES - 1 :] = [f"and {len(names) - MOST_NAMES + 1} more"]
    whole = ", ".join(name.replace(" ", NO_BREAK) for name in names)
    lines = fill(whole, LINE_LENGTH, break_long_words=False, break_on_hyphens=False)
    return lines.replace(NO_BREAK, " ")


def _lines(axes: Axes, data: Bounds, theme: Theme) -> Boxes:
    """The two bounds, hatched on the side where nothing can be; the boxes of their names."""
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    port = float(data.port)
    for hatched in (axes.axvspan(left, data.steps), axes.axhspan(low, port)):
        hatched.set(facecolor="none", edgecolor=theme.line, hatch="//", linewidth=0)
    axes.axvline(data.steps, color=theme.now, linewidth=3, gid="bound-steps")
    axes.axhline(port, color=theme.now, linewidth=3, dashes=(5, 2), gid="bound-port")
    starts, ends = [(data.steps, low), (left, port)], [(data.steps, high), (right, port)]
    sides = [axes.transData.transform(starts) - BESIDE, axes.transData.transform(ends) + BESIDE]
    taken = np.repeat(np.hstack(sides), ACROSS, axis=0)
    steps_text = f"one port: {plural(data.steps, 'step')} or more"
    port_text = f"{number_text(port)} {'vector' if port == 1 else 'vectors'} or more"
    beside_steps = [(data.steps, y, way, up) for y, up in ((high, -1), (low, 1)) for way in (1, -1)]
    beside_port = [(x, port, way, up) for x, way in ((left, 1), (right, -1)) for up in (-1, 1)]
    for text, candidates in ((steps_text, beside_steps), (port_text, beside_port)):
        taken = np.vstack([taken, _name(axes, text, candidates, data, taken, theme)])
    return taken


def _name(
    axes: Axes,
    text: str,
    candidates: Sequence[tuple[float, float, int, int]],
    data: Bounds,
    taken: Boxes,
    theme: Theme,
) -> Boxes:
    """Write the name of a bound at that place where it hides the fewest points; its box.

    candidates: x and y in the data, and the directions in which the text goes from there.
    """
    page: Any = axes.get_figure(root=True)
    at, way = np.hsplit(np.array(candidates, float), 2)
    near = axes.transData.transform(at) + way * (12, 10)
    end = near + way * extent(page, text, LABEL)
    boxes = np.hstack([np.minimum(near, end), np.maximum(near, end)])
    points = axes.transData.transform([(p.steps, float(p.port)) for p in data.points])
    taken = np.vstack([taken, np.hstack([points - 25, points + 25])])
    best = int(np.argmin(hidden(axes, boxes, taken)))
    x, y, across, up = candidates[best]
    look = {"ha": "left" if across > 0 else "right", "va": "top" if up < 0 else "bottom"}
    offset = 12 * across / PER_POINT, 10 * up / PER_POINT
    outlined(note(axes, text, (x, y), offset, theme.now, LABEL, zorder=6, **look), theme)
    box: Boxes = boxes[best] + np.array([-NAME_GAP, 0, NAME_GAP, 0])
    return box


def _title(data: Bounds) -> str:
    subject = f"{capital(data.collective.title)} on {plural(data.ranks, 'rank')}"
    reached = data.reached
    if not reached:
        return f"{subject}: no algorithm has both the fewest steps and the fewest bytes"
    names = small_print.names(reached) if len(reached) < 4 else f"{len(reached)} algorithms"
    verb = "has" if len(reached) == 1 else "have"
    return f"{subject}: {names} {verb} the fewest steps and the fewest bytes"


def _small(data: Bounds) -> str:
    chunks = ", ".join(p.row.label for p in data.points if "chunks" in p.row.parameters)
    pipelined = f" Pipelined with {data.chunks} chunks: {chunks}." if chunks else ""
    beyond = [point for point in data.points if data.beats(point)]
    why = " Hatched: impossible with one port. " * bool(beyond)
    if any(point.kind == SEVERAL_PORTS for point in beyond):
        why += f"{SIGNS[SEVERAL_PORTS]} can be there: several messages of a rank at once. "
    if any(point.kind == HELPERS for point in beyond):
        why += f"{SIGNS[HELPERS]} can be there: switches or servers add, too. "
    short = [
        row.label for row in ROWS if row.collective == data.collective.name and SHORT in row.takes
    ]
    pipelined += f" Not shown: {listed(short)}, for a rank with less bandwidth." * bool(short)
    return (
        "Counted in executed recordings: what a rank or server sends, or receives if that is more. "
        "The bounds are those of messages between ranks; "
        f"that of the steps for one port.{why.rstrip()}{pipelined}"
    )
