"""Rectangles, circles and lines as cubic curves in numpy: many shapes, one array."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from animations.story.drawing import PAGE, Box

Points = npt.NDArray[np.float64]
UNIT = 135.0  # pixels of the page in one of Manim's units
ROUND = 0.5522847498  # handle of a quarter circle of radius 1


def rectangles(boxes: Sequence[Box]) -> Points:
    """Rectangles as curves, [16 × boxes, 2], all in the same direction, pixels of the page."""
    if not boxes:
        return np.zeros((0, 2))
    x = np.array([[b.left, b.right, b.right, b.left, b.left] for b in boxes])
    y = np.array([[b.top, b.top, b.bottom, b.bottom, b.top] for b in boxes])
    return _polygons(x, y)


def rounded(boxes: Sequence[Box], radius: float) -> Points:
    """Rectangles with round corners as curves, [32 × boxes, 2]."""
    parts = []
    for b in boxes:
        r = min(radius, b.width / 2, b.height / 2)
        k = r * (1 - ROUND)
        left, right, top, bottom = b.left, b.right, b.top, b.bottom
        corners = [
            ((left, top + r), (left, top + k), (left + k, top), (left + r, top)),
            ((right - r, top), (right - k, top), (right, top + k), (right, top + r)),
            ((right, bottom - r), (right, bottom - k), (right - k, bottom), (right - r, bottom)),
            ((left + r, bottom), (left + k, bottom), (left, bottom - k), (left, bottom - r)),
        ]
        for corner, following in zip(corners, corners[1:] + corners[:1], strict=True):
            parts.append(np.array(corner))
            parts.append(straight(np.array(corner[3]), np.array(following[0])))
    return np.concatenate(parts) if parts else np.zeros((0, 2))


def circles(centers: Sequence[tuple[float, float]], radius: float) -> Points:
    """Circles as curves, [32 × centers, 2] (a rounded square with no straight part)."""
    return rounded([Box(x, y, 2 * radius, 2 * radius) for x, y in centers], radius)


def stroke(points: Sequence[tuple[float, float]], width: float, arrow: bool) -> Points:
    """A Bézier curve of some width as filled shapes, with an arrow head at its end."""
    if len(points) == 2:
        along = np.array(points, np.float64)
    else:
        along = _curve(np.array(points, np.float64), 24)
    parts = [_ribbon(along, width)]
    if arrow:
        parts.append(_head(along, max(9.0, 2.6 * width)))
    return np.concatenate(parts)


def _curve(points: Points, pieces: int) -> Points:
    """Points along a Bézier curve."""
    time = np.linspace(0, 1, pieces + 1)[:, None, None]
    levels = np.repeat(points[None], pieces + 1, axis=0)
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


def _head(along: Points, size: float) -> Points:
    """A triangle that points along the end of a line."""
    end = along[-1]
    step = end - along[-2]
    step = step / max(float(np.hypot(*step)), 1e-9)
    across = np.array([-step[1], step[0]]) * 0.55 * size
    corners = np.array([end, end - step * size + across, end - step * size - across, end])
    return _polygons(corners[None, :, 0], corners[None, :, 1])


def joined(parts: Sequence[Points]) -> Points:
    """Several shapes as one array of curves."""
    return np.concatenate(parts) if parts else np.zeros((0, 2))


def on_page(points: Points) -> Points:
    """Pixels of the page as Manim's coordinates: [points, 3], the origin in the middle."""
    x = (points[:, 0] - PAGE[0] / 2) / UNIT
    y = (PAGE[1] / 2 - points[:, 1]) / UNIT
    return np.stack([x, y, np.zeros(len(points))], axis=1)


def _polygons(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> Points:
    corner = np.stack([x, y], axis=2)
    return straight(corner[:, :-1], corner[:, 1:]).reshape(-1, 2)


def straight(a: Points, b: Points) -> Points:
    """Straight lines from points to points as curves, [..., 4, 2]."""
    return np.stack([a, (2 * a + b) / 3, (a + 2 * b) / 3, b], axis=-2)
