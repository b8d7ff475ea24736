"""Places labels at the ends of lines, or around points, so that none hides another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from animations.drawing.render.letters import families
from animations.drawing.theme import Theme
from animations.figures.line_styles import LineStyle
from animations.figures.slide import DPI, NAME, PIXELS, extent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = npt.NDArray[np.float64]  # [box], or x and y in pixels
Boxes = Floats  # [box, (left, bottom, right, top)] in pixels
PER_POINT = DPI / 72
GAP, AROUND = 4.0, 6.0  # pixels between texts at the ends of lines, and around points
BESIDE = 16.0  # pixels from the axes to texts at the ends of lines
POINT = 15.0  # half the width of what marks a point, in pixels
SAMPLE = 60.0  # pixels of a line before its name
RADII = (19, 26, 36, 48, 62, 78, 96, 116, 141, 171, 206, 250, 300)  # pixels, point to name
DIRECTIONS = 16
LEADER_FROM = 1  # from this radius on a line leads to the name
CLEARANCE = 18.0  # pixels that a name is farther from other points than from its own
ROUNDS = 4  # in which labels are placed again, beside all others
SHUFFLED = 12  # orders of placing that are tried beside those from one side to the other
CLEAR = 200.0  # a cost at which no name is hidden, and no other order is tried
OUTSIDE, CROSSED, AMBIGUOUS = 1e4, 60.0, 40.0  # what counts as so many hidden pixels
SHARE = 40.0  # a line that is inside something all the way counts as so many that cross it


@dataclass(frozen=True)
class Label:
    """A text that belongs to a point, in the data of its axes.

    style: of the line it names at its end. A sample of it is drawn before the name, which is so
    found without colors, too.
    """

    x: float
    y: float
    text: str
    color: str
    size: float = NAME
    style: LineStyle | None = None


def at_ends(axes: Axes, labels: Sequence[Label], theme: Theme) -> None:
    """Write each label to the right of the axes at the height of its point, or near it.

    The axes are made narrower, so that the longest has room.
    """
    sizes = [extent(_page(axes), label.text, label.size) for label in labels]
    sample = SAMPLE + 2 * GAP if any(label.style for label in labels) else 0.0
    old = axes.get_position()
    right = 0.985 - (max(width for width, _ in sizes) + BESIDE + sample + 4) / PIXELS[0]
    axes.set_position((old.x0, old.y0, min(old.x1, right) - old.x0, old.height))
    room = axes.get_window_extent()
    begin = float(room.x1) + BESIDE
    points = axes.transData.transform([(label.x, label.y) for label in labels])
    heights = [height + GAP for _, height in sizes]
    middles = spread(points[:, 1].tolist(), heights, float(room.y0), float(room.y1) + 20)
    for label, (x, y), middle in zip(labels, points, middles, strict=True):
        _text(axes, begin + sample, middle, label, "left", theme)
        if label.style:
            _sample(axes, begin, middle, label.style, theme)
        if abs(middle - y) >= 6:
            _leader(axes, (x + 3, y), (begin - 3, middle), theme)


def spread(wanted: list[float], sizes: list[float], low: float, high: float) -> list[float]:
    """Middles as near as can be to those wanted, so that none overlaps another or the ends.

    >>> spread([10, 11, 50], [4, 4, 4], 0, 60)
    [8.5, 12.5, 50.0]
    """
    blocks: list[tuple[list[int], float]] = []  # neighbors that touch, and where they begin

    def begin(members: list[int]) -> float:
        inside = np.cumsum([0.0, *(sizes[k] for k in members)])
        lows = [wanted[k] - sizes[k] / 2 - inside[i] for i, k in enumerate(members)]
        return float(min(max(np.mean(lows), low), max(low, high - inside[-1])))

    for k in sorted(range(len(wanted)), key=wanted.__getitem__):
        members = [k]
        while blocks and blocks[-1][1] + sum(sizes[i] for i in blocks[-1][0]) > begin(members):
            members = blocks.pop()[0] + members
        blocks.append((members, begin(members)))
    spread_out = [0.0] * len(wanted)
    for members, start in blocks:
        for k in members:
            spread_out[k] = start + sizes[k] / 2
            start += sizes[k]
    return spread_out


@dataclass(frozen=True)
class Placement:
    """Where a label is: its box, the end of the line that may lead there, what both cover.

    cost: how many pixels it hides, those that its line crosses included.
    """

    box: Floats
    end: Floats
    led: bool
    covered: Boxes
    cost: float


def around(axes: Axes, labels: Sequence[Label], theme: Theme, avoid: Boxes) -> None:
    """Write each label near its point where it hides no other text, no point and nothing to avoid.

    A line leads to a name that is not beside its point.
    """
    if not labels:
        return
    points = axes.transData.transform([(label.x, label.y) for label in labels])
    around_points = np.hstack([points - POINT, points + POINT])
    sizes = [extent(_page(axes), label.text, label.size) for label in labels]
    taken = np.vstack([avoid, around_points])
    across = points[:, 0].argsort().tolist()
    shuffled = np.random.default_rng(3).permuted([across] * SHUFFLED, axis=1).tolist()
    tried: list[list[Placement]] = []
    for order in (list(range(len(labels))), across, across[::-1], *shuffled):
        tried.append(_placements(axes, order, sizes, points, taken))
        if _cost(tried[-1]) < CLEAR:
            break
    placed = min(tried, key=_cost)
    for label, at, place in zip(labels, points, placed, strict=True):
        box, way = place.box, place.end - at
        side = "center"
        if place.led and abs(way[0]) > 1:  # the lines of the text begin where the leader ends
            side = "left" if way[0] > 0 else "right"
        x = {"left": box[0], "right": box[2], "center": (box[0] + box[2]) / 2}[side]
        _text(axes, x, (box[1] + box[3]) / 2, label, side, theme)
        if place.led:
            begin = at + way * min(1.0, (POINT + 1) / max(1.0, np.hypot(*way)))
            _leader(axes, tuple(begin), tuple(place.end), theme)


def _cost(layout: Sequence[Placement]) -> float:
    return sum(place.cost for place in layout)


def _placements(
    axes: Axes,
    order: Sequence[int],
    sizes: Sequence[tuple[float, float]],
    points: Floats,
    taken: Boxes,
) -> list[Placement]:
    """Where each label is best: one after the other, then each again beside all others."""
    placed: dict[int, Placement] = {}
    for _ in range(ROUNDS):
        before = dict(placed)
        for k in order:
            others = [place.covered for j, place in placed.items() if j != k]
            placed[k] = _best(axes, points[k], sizes[k], points, np.vstack([taken, *others]))
        if all(k in before and (before[k].box == placed[k].box).all() for k in placed):
            break
    return [placed[k] for k in range(len(order))]


def _best(
    axes: Axes, at: Floats, size: tuple[float, float], points: Floats, taken: Boxes
) -> Placement:
    """The place of a text of this size, beside a point, that hides and crosses least."""
    boxes = _candidates(at, *size)
    ends = np.clip(at, boxes[:, :2], boxes[:, 2:])  # of the lines that lead to them
    led = np.arange(len(boxes)) >= LEADER_FROM * DIRECTIONS
    cost = hidden(axes, boxes, taken) + _ambiguous(at, boxes, led, points)
    cost[led] += _crossed(at, ends[led], taken)
    best = int(np.argmin(cost))
    box, end = boxes[best], ends[best]
    covered = (box + np.repeat((-AROUND, AROUND), 2))[None]
    if led[best]:
        covered = np.vstack([covered, _segment(at, end, 6)])
    return Placement(box, end, bool(led[best]), covered, float(cost[best]))


def _candidates(at: Floats, width: float, height: float) -> Boxes:
    """Boxes of a text around a point, the nearest first."""
    angle = np.tile(2 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS, len(RADII))
    way = np.column_stack([np.cos(angle), np.sin(angle)])
    radius = np.repeat(RADII, DIRECTIONS)[:, None]
    half = np.array([width, height]) / 2
    middle = at + way * radius + half * np.where(np.abs(way) < 0.2, 0, np.sign(way))
    return np.hstack([middle - half, middle + half])


def hidden(axes: Axes, boxes: Boxes, taken: Boxes) -> Floats:
    """How much of what is there each box would hide, and how far it would stick out."""
    wide, high = (
        np.minimum(boxes[:, k + 2, None], taken[:, k + 2])
        - np.maximum(boxes[:, k, None], taken[:, k])
        for k in (0, 1)
    )
    covered = (np.maximum(wide, 0) * np.maximum(high, 0)).sum(axis=1)
    room = axes.get_window_extent()
    out = np.hstack([room.min - boxes[:, :2], boxes[:, 2:] - room.max - (30, 10)])
    cost: Floats = covered + OUTSIDE * np.maximum(out, 0).max(axis=1)
    return cost


def _crossed(at: Floats, ends: Floats, taken: Boxes) -> Floats:
    """How much of what is there the lines from a point to its name would cross."""
    own = ((taken[:, :2] <= at) & (at <= taken[:, 2:])).all(axis=1)
    way = ends - at
    way = np.where(np.abs(way) < 1e-9, 1e-9, way)
    others = taken[~own]  # their sides as parts of the way, across and up
    sides = [(others[:, k::2].T - at[k])[:, None] / way[:, k, None] for k in (0, 1)]
    enter = np.maximum(*(np.minimum(*pair) for pair in sides))
    leave = np.minimum(*(np.maximum(*pair) for pair in sides))
    inside = np.minimum(leave, 1) - np.maximum(enter, 0)
    cost: Floats = np.where(inside > 0, CROSSED * (1 + SHARE * inside), 0).sum(axis=1)
    return cost


def _ambiguous(at: Floats, boxes: Boxes, led: npt.NDArray[np.bool_], points: Floats) -> Floats:
    """How much nearer each box is to other points than to its own, which it would seem to name."""
    nearest = np.clip(points, boxes[:, None, :2], boxes[:, None, 2:])
    away = np.hypot(*np.moveaxis(points - nearest, 2, 0))
    own = np.hypot(*(points - at).T) < 1
    needed = np.where(led, 0, away[:, own].min(axis=1)) + CLEARANCE
    cost: Floats = AMBIGUOUS * np.maximum(needed[:, None] - away[:, ~own], 0).sum(axis=1)
    return cost


def _segment(start: Floats, end: Floats, width: float) -> Boxes:
    """Boxes along a straight line."""
    parts = max(1, int(np.hypot(*(end - start)) / (2 * width)))
    middles = np.linspace(start, end, parts + 1)
    return np.hstack([middles - width, middles + width])


def along(axes: Axes, x: Sequence[float], y: Sequence[float], width: float = 5) -> Boxes:
    """Boxes along a line, for what must not be written on it."""
    path = axes.transData.transform(np.column_stack([x, y]))
    return np.vstack([_segment(*ends, width) for ends in pairwise(path)])


def _text(axes: Axes, x: float, y: float, label: Label, side: str, theme: Theme) -> None:
    """A text at a place in pixels; kept in parts of the page, since files differ in pixels."""
    look: dict[str, Any] = {
        "color": label.color,
        "fontsize": label.size,
        "family": families(),
        "zorder": 6,
    }
    look |= {"ha": side, "va": "center", "transform": _page(axes).transFigure}
    text = axes.text(x / PIXELS[0], y / PIXELS[1], label.text, parse_math=False, **look)
    outlined(text, theme)


def outlined(text: Any, theme: Theme) -> None:
    """Let a text stand out from lines behind it, by an edge in the color of the page."""
    from matplotlib.patheffects import withStroke

    text.set_path_effects([withStroke(linewidth=4, foreground=theme.background)])


def _leader(axes: Axes, start: Sequence[float], end: Sequence[float], theme: Theme) -> None:
    """A thin line between two places in pixels."""
    x, y = zip(start, end, strict=True)
    _line(axes, x, y, color=theme.faint, linewidth=1, gid="leader", zorder=2)


def _sample(axes: Axes, x: float, y: float, style: LineStyle, theme: Theme) -> None:
    """A sample of a line with its dashes and its marker, from a place in pixels."""
    face, edge = (theme.background, 2) if style.hollow else (style.color, 1)
    look = {"markevery": [1], "markersize": 10, "markerfacecolor": face, "markeredgewidth": edge}
    look |= {"linewidth": 3, "gid": "sample", "zorder": 6}
    _line(axes, [x + SAMPLE * k / 2 for k in range(3)], [y] * 3, **style.arguments, **look)


def _line(axes: Axes, x: Sequence[float], y: Sequence[float], **more: Any) -> None:
    """A line of the page through places in pixels."""
    from matplotlib.lines import Line2D

    page = _page(axes)
    across, up = ([value / side for value in at] for at, side in zip((x, y), PIXELS, strict=True))
    page.add_artist(Line2D(across, up, transform=page.transFigure, clip_on=False, **more))


def _page(axes: Axes) -> Any:
    return axes.get_figure(root=True)
