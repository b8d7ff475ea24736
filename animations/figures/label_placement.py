"""Names written beside what they name: at the ends of lines, or around points, none on another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from animations.figures.label_candidates import (
    LEADING,
    Box,
    ambiguous,
    candidates,
    crossed,
    hidden,
    nearest,
    segment,
)
from animations.figures.line_styles import Ink
from animations.figures.slide import DPI, FACE, NAME, PIXELS, extent
from animations.story.theme import Theme

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

PER_POINT = DPI / 72
APART = 4.0  # pixels between two texts
PIECE = 60.0  # pixels of a line before its name


@dataclass(frozen=True)
class Label:
    """A text that belongs to a point, in the data of its axes.

    ink: of the line it names at its end, a piece of which is drawn before it, so that the name
    is found without colors, too.
    """

    x: float
    y: float
    text: str
    color: str
    size: float = NAME
    ink: Ink | None = None


def at_ends(made: Axes, labels: Sequence[Label], theme: Theme, gap: float = 16) -> None:
    """Write each label to the right of the axes at the height of its point, or near it.

    The axes are made narrower, so that the longest has room.
    """
    page = _page(made)
    if not labels:
        return
    sizes = [extent(page, label.text, label.size) for label in labels]
    piece = PIECE + 2 * APART if any(label.ink for label in labels) else 0.0
    old = made.get_position()
    right = 0.985 - (max(width for width, _ in sizes) + gap + piece + 4) / PIXELS[0]
    made.set_position((old.x0, old.y0, min(old.x1, right) - old.x0, old.height))
    bounds = made.get_window_extent()
    edge = float(bounds.x1)
    points = made.transData.transform([(label.x, label.y) for label in labels])
    heights = [height + APART for _, height in sizes]
    middles = spread(points[:, 1].tolist(), heights, float(bounds.y0), float(bounds.y1) + 20)
    for label, (x, y), middle in zip(labels, points, middles, strict=True):
        _text(made, edge + gap + piece, middle, label, "left", theme)
        if label.ink:
            _piece(made, edge + gap, middle, label.ink, theme)
        if abs(middle - y) >= 6:
            _leader(made, (x + 3, y), (edge + gap - 3, middle), theme)


def spread(wanted: list[float], sizes: list[float], low: float, high: float) -> list[float]:
    """Middles as near as can be to those wanted, so that none overlaps another or the ends.

    >>> spread([10, 11, 50], [4, 4, 4], 0, 60)
    [8.5, 12.5, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda k: wanted[k])
    blocks: list[tuple[list[int], float]] = []  # neighbors that touch, and where they begin

    def begin(members: list[int]) -> float:
        inside = np.cumsum([0.0, *(sizes[k] for k in members)])
        lows = [wanted[k] - sizes[k] / 2 - inside[i] for i, k in enumerate(members)]
        return float(min(max(np.mean(lows), low), max(low, high - inside[-1])))

    for k in order:
        members = [k]
        start = begin(members)
        while blocks and blocks[-1][1] + sum(sizes[i] for i in blocks[-1][0]) > start:
            members = blocks.pop()[0] + members
            start = begin(members)
        blocks.append((members, start))
    found = [0.0] * len(wanted)
    for members, start in blocks:
        for k in members:
            found[k] = start + sizes[k] / 2
            start += sizes[k]
    return found


def around(
    made: Axes, labels: Sequence[Label], theme: Theme, avoid: Sequence[Box] = (), point: float = 9
) -> None:
    """Write each label near its point where it hides no other text, no point and nothing to avoid.

    avoid: boxes in pixels. point: half the width of what marks a point. A line leads to a name
    that is not beside its point.
    """
    page = _page(made)
    points = made.transData.transform([(label.x, label.y) for label in labels])
    taken = [*avoid, *((x - point, y - point, x + point, y + point) for x, y in points)]
    room = made.get_window_extent()
    inside = (float(room.x0), float(room.y0), float(room.x1) + 30, float(room.y1) + 10)
    for label, (x, y) in zip(labels, points, strict=True):
        width, height = extent(page, label.text, label.size)
        others = np.asarray(taken).reshape(-1, 4)
        x, y = float(x), float(y)
        far, box = min(
            candidates(x, y, width, height, point),
            key=lambda one: (
                hidden(one[1], others, inside)
                + crossed(x, y, one, others)
                + ambiguous((x, y), one, points),
                one[0],
            ),
        )
        taken.append((box[0] - APART, box[1] - APART, box[2] + APART, box[3] + APART))
        _text(made, (box[0] + box[2]) / 2, (box[1] + box[3]) / 2, label, "center", theme)
        if far >= LEADING:
            end = nearest(x, y, box)
            taken += segment((x, y), end, 2)
            length = max(1.0, hypot(end[0] - x, end[1] - y))
            begin = [
                p + (q - p) * min(1.0, (point + 1) / length)
                for p, q in zip((x, y), end, strict=True)
            ]
            _leader(made, (begin[0], begin[1]), end, theme)


def along(made: Axes, x: Sequence[float], y: Sequence[float], width: float = 5) -> list[Box]:
    """Boxes in pixels along a line, for what must not be written on it."""
    path = made.transData.transform(np.column_stack([x, y]))
    boxes: list[Box] = []
    for start, end in pairwise(path):
        boxes += segment(tuple(start), tuple(end), width)
    return boxes


def _text(made: Axes, x: float, y: float, label: Label, side: str, theme: Theme) -> None:
    """A text at a place in pixels; kept in parts of the page, since files differ in pixels."""
    text = made.text(
        x / PIXELS[0],
        y / PIXELS[1],
        label.text,
        color=label.color,
        fontsize=label.size,
        family=FACE,
        ha=side,
        va="center",
        transform=_page(made).transFigure,
        parse_math=False,
        zorder=6,
    )
    lifted(text, theme)


def lifted(text: Text, theme: Theme) -> None:
    """Let a text stand out from lines behind it, by an edge in the color of the page."""
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=4, foreground=theme.background)])


def _leader(made: Axes, start: tuple[float, float], end: tuple[float, float], theme: Theme) -> None:
    """A thin line between two places in pixels."""
    from matplotlib.lines import Line2D

    line = Line2D(
        [start[0] / PIXELS[0], end[0] / PIXELS[0]],
        [start[1] / PIXELS[1], end[1] / PIXELS[1]],
        color=theme.faint,
        linewidth=1,
        transform=_page(made).transFigure,
        gid="leader",
        zorder=2,
    )
    line.set_clip_on(False)
    _page(made).add_artist(line)


def _piece(made: Axes, x: float, y: float, ink: Ink, theme: Theme) -> None:
    """A piece of a line with its dashes and its marker, from a place in pixels."""
    from matplotlib.lines import Line2D

    line = Line2D(
        [(x + PIECE * k / 2) / PIXELS[0] for k in range(3)],
        [y / PIXELS[1]] * 3,
        color=ink.color,
        dashes=ink.dashes or (None, None),
        marker=ink.marker,
        markevery=[1],
        markersize=10,
        markerfacecolor=theme.background if ink.hollow else ink.color,
        markeredgewidth=2 if ink.hollow else 1,
        linewidth=3,
        transform=_page(made).transFigure,
        gid="piece",
        zorder=6,
    )
    line.set_clip_on(False)
    _page(made).add_artist(line)


def _page(made: Axes) -> Figure:
    from matplotlib.figure import Figure

    page = made.get_figure(root=True)
    assert isinstance(page, Figure)
    return page
