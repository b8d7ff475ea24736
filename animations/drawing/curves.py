"""Rectangles, circles and lines as cubic curves in numpy: many shapes, one array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle

import numpy as np
import numpy.typing as npt

from animations.drawing.shapes import Box

Points = npt.NDArray[np.float64]
THERE, ON = np.array([0, 1 / 3, 2 / 3, 1]), np.ones(4)
AROUND = (  # the points of the sides of a square: along the top, down, back and up
    np.concatenate([THERE, ON, THERE[::-1], 0 * ON]),
    np.concatenate([0 * ON, THERE, ON, THERE[::-1]]),
)
PIECES = 24  # straight ones, of a curve that is drawn as a ribbon
ROUND = 0.5522847498  # handle of a quarter circle of radius 1


def rectangles(boxes: Sequence[Box]) -> Points:
    """Rectangles as curves, [16 × boxes, 2], all in the same direction, pixels of the page."""
    return rectangles_of(edges_of(boxes))


def rectangles_of(edges: Points) -> Points:
    """Rectangles by their left, top, right and bottom edges as curves, [16 × boxes, 2]."""
    outline = np.zeros((len(edges), 16, 2))
    for axis, (low, high) in enumerate(((0, 2), (1, 3))):
        part = AROUND[axis]  # of the way from the lower edge to the higher
        outline[:, :, axis] = edges[:, low, None] * (1 - part) + edges[:, high, None] * part
    return outline.reshape(-1, 2)


def rounded(boxes: Sequence[Box], radius: float | Sequence[float]) -> Points:
    """Rectangles with round corners, of one radius or one for each, as curves, [32 × boxes, 2]."""
    left, right, top, bottom = edges_of(boxes)[:, [0, 2, 1, 3], None].swapaxes(0, 1)
    half = np.minimum(right - left, bottom - top) / 2
    r = np.minimum(np.reshape(radius, (-1, 1)), half)
    k = r * (1 - ROUND)
    x = [left, left, left + k, left + r, right - r, right - k, right, right]
    y = [top + r, top + k, top, top, top, top, top + k, top + r]
    x += [right, right, right - k, right - r, left + r, left + k, left, left]
    y += [bottom - r, bottom - k, bottom, bottom, bottom, bottom, bottom - k, bottom - r]
    corners = np.stack([np.hstack(x), np.hstack(y)], axis=2).reshape(-1, 4, 4, 2)
    sides = straight(corners[:, :, 3], np.roll(corners[:, :, 0], -1, axis=1))
    return np.stack([corners, sides], axis=2).reshape(-1, 2)


def circles(centers: Sequence[tuple[float, float]], radius: float) -> Points:
    """Circles as curves, [32 × centers, 2] (a rounded square with no straight part)."""
    return rounded([Box(x, y, 2 * radius, 2 * radius) for x, y in centers], radius)


def stroke(
    points: Sequence[tuple[float, float]],
    width: float,
    arrow: bool = False,
    dashes: Sequence[float] = (),
) -> Points:
    """A Bézier curve as filled shapes; see `Stroke`."""
    along = sampled(points)
    drawn = _dashed(along, [width * part for part in dashes]) if dashes else [along]
    parts = [_ribbon(line, width) for line in drawn]
    if arrow:
        parts.append(head(along, width))
    return np.concatenate(parts)


def _dashed(along: Points, dashes: Sequence[float]) -> Iterator[Points]:
    """The parts of a line that dashes of these lengths draw."""
    length = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(along, axis=0).T))])
    start = 0.0
    for number, long in enumerate(cycle(dashes)):
        if start >= length[-1]:
            return
        if number % 2 == 0:
            at = np.linspace(start, min(start + long, length[-1]), 5)
            yield np.stack([np.interp(at, length, axis) for axis in along.T], axis=1)
        start += long


def sampled(points: Sequence[tuple[float, float]]) -> Points:
    """Points along a Bézier curve; of a straight line its ends."""
    if len(points) == 2:
        return np.array(points, np.float64)
    time = np.linspace(0, 1, PIECES + 1)[:, None, None]
    levels = np.repeat(np.array(points, np.float64)[None], PIECES + 1, axis=0)
    while levels.shape[1] > 1:
        levels = levels[:, :-1] + time * (levels[:, 1:] - levels[:, :-1])
    curve: Points = levels[:, 0]
    return curve


def _ribbon(along: Points, width: float) -> Points:
    """A line through points, of some width, as one filled shape."""
    step = np.gradient(along, axis=0)
    length = np.maximum(np.hypot(*step.T), 1e-9)[:, None]
    across = np.stack([-step[:, 1], step[:, 0]], axis=1) / length * width / 2
    outline = np.concatenate([along + across, (along - across)[::-1], (along + across)[:1]])
    return _polygons(outline[None, :, 0], outline[None, :, 1])


def head(along: Points, width: float) -> Points:
    """A triangle that points along the end of a line of a width and winds as the line does.

    Fills of opposite turns would cancel where they overlap.
    """
    size = max(9.0, 2.6 * width)
    end = along[-1]
    step = end - along[-2]
    step = step / max(float(np.hypot(*step)), 1e-9)
    across = np.array([-step[1], step[0]]) * 0.55 * size
    corners = np.array([end, end - step * size - across, end - step * size + across, end])
    return _polygons(corners[None, :, 0], corners[None, :, 1])


def joined(parts: Sequence[Points]) -> Points:
    """Several shapes as one array of curves."""
    return np.concatenate(parts) if parts else np.zeros((0, 2))


def edges_of(boxes: Iterable[Box]) -> Points:
    """Left, top, right and bottom of boxes, [boxes, 4]."""
    edges = [(box.left, box.top, box.right, box.bottom) for box in boxes]
    return np.array(edges, np.float64).reshape(-1, 4)


def _polygons(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Points:
    corner = np.stack([x, y], axis=2)
    return straight(corner[:, :-1], corner[:, 1:]).reshape(-1, 2)


def straight(a: Points, b: Points) -> Points:
    """Straight lines from points to points as curves, [..., 4, 2]."""
    return np.stack([a, (2 * a + b) / 3, (a + 2 * b) / 3, b], axis=-2)
