"""Where a text around a point has room: the places for it, and what it would hide there."""

from __future__ import annotations

from math import cos, hypot, pi, sin

import numpy as np
import numpy.typing as npt

Box = tuple[float, float, float, float]  # left, bottom, right, top in pixels
Boxes = npt.NDArray[np.float64]
RADII = (13, 20, 30, 42, 56, 72, 90, 110, 135, 165, 200)  # pixels from a point to its name
WAYS = 16
LEADING = 3  # from this radius on a line leads to the name
BESIDE = 18.0  # pixels that a name is farther from other points than from its own


def segment(start: tuple[float, float], end: tuple[float, float], width: float) -> list[Box]:
    """Boxes in pixels along a straight line."""
    across, up = end[0] - start[0], end[1] - start[1]
    parts = max(1, int(hypot(across, up) / (2 * width)))
    middles = [(start[0] + across * k / parts, start[1] + up * k / parts) for k in range(parts + 1)]
    return [(x - width, y - width, x + width, y + width) for x, y in middles]


def nearest(x: float, y: float, box: Box) -> tuple[float, float]:
    """The place of a box that is nearest to a point."""
    return min(max(x, box[0]), box[2]), min(max(y, box[1]), box[3])


def crossed(x: float, y: float, place: tuple[int, Box], others: Boxes) -> float:
    """How much of what is there the line from a point to its name would cross."""
    far, box = place
    if far < LEADING or not len(others):
        return 0.0
    end = nearest(x, y, box)
    part = np.linspace(0, 1, 40)[:, None]
    at = np.array([x, y]) * (1 - part) + np.array(end) * part
    own = (others[:, 0] <= x) & (x <= others[:, 2]) & (others[:, 1] <= y) & (y <= others[:, 3])
    left, low, right, high = others[~own].T
    hit = (left < at[:, :1]) & (at[:, :1] < right) & (low < at[:, 1:]) & (at[:, 1:] < high)
    return 60.0 * float(hit.sum())


def ambiguous(point: tuple[float, float], place: tuple[int, Box], points: Boxes) -> float:
    """How much nearer than to its own point a name is to another, which it would seem to name."""
    far, (left, low, right, high) = place
    nearest = np.clip(points, (left, low), (right, high))
    away = np.hypot(*(points - nearest).T)
    own = np.hypot(*(points - point).T) < 1
    needed = BESIDE if far >= LEADING else float(away[own].min()) + BESIDE
    return 40.0 * float(np.maximum(needed - away[~own], 0).sum())


def candidates(
    x: float, y: float, width: float, height: float, point: float
) -> list[tuple[int, Box]]:
    """Places for a text around a point, the best first: beside it, then farther away."""
    found = []
    for rank, radius in enumerate(RADII):
        for way in range(WAYS):
            angle = 2 * pi * way / WAYS
            across, up = cos(angle), sin(angle)
            near = radius + point - 9
            middle_x = x + across * near + width / 2 * _sign(across)
            middle_y = y + up * near + height / 2 * _sign(up)
            box = (
                middle_x - width / 2,
                middle_y - height / 2,
                middle_x + width / 2,
                middle_y + height / 2,
            )
            found.append((rank, box))
    return found


def _sign(value: float) -> int:
    return 0 if abs(value) < 0.2 else 1 if value > 0 else -1


def hidden(box: Box, others: Boxes, inside: Box) -> float:
    """How much of what is there a box would hide, and how far it would stick out."""
    wide = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    high = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    hidden = float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())
    out = max(inside[0] - box[0], inside[1] - box[1], box[2] - inside[2], box[3] - inside[3], 0.0)
    return hidden + 1e4 * out
