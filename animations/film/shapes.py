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


def band(x0: float, y0: float, x1: float, y1: float, width: float) -> Points:
    """A straight line of some width as one filled shape, [16, 2]."""
    along = np.array([x1 - x0, y1 - y0])
    length = float(np.hypot(*along)) or 1.0
    across = np.array([-along[1], along[0]]) / length * width / 2
    a, b = np.array([x0, y0]), np.array([x1, y1])
    corners = np.array([a + across, b + across, b - across, a - across, a + across])
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
