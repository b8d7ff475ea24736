"""Ways of parcels and the curves of lines: straight, in two lanes, and arcs over a row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, pairwise
from math import hypot

import numpy as np
import numpy.typing as npt

from animations.drawing.scenery import Way
from animations.drawing.shapes import Box, Point

Link = tuple[int, int]
PACES = (0.5, 0.7, 0.3, 0.85, 0.15, 1.0, 0.0)  # of ways, see `_paced`
LARGEST, MOMENTS, ROUNDS = 0.2, 80, 3  # overlap of two parcels, looked at so often
LONGEST = 1.6  # of the width of a chunk on its way, that a parcel of several is wide at most
ASIDE = 0.22  # of the width of a box, from its middle to where a link beside it ends
SIDES = {"left": "top", "right": "bottom"}  # when a stage is turned
BESIDE = 4.0  # pixels between two parcels on one way


def straight(start: Box, end: Box, gap: float, lane: float = 0.0) -> Way:
    """From the border of one box to that of another, `gap` before both.

    lane: so many pixels to the right of the line between the middles, as seen from the start:
    what comes the other way passes on the other side.
    """
    dx, dy = end.x - start.x, end.y - start.y
    length = hypot(dx, dy) or 1.0
    side = (-dy / length * lane, dx / length * lane)
    first = _exit(start, dx / length, dy / length, gap)
    last = _exit(end, -dx / length, -dy / length, gap)
    if (last[0] - first[0]) * dx + (last[1] - first[1]) * dy < 0:  # the boxes are that close
        middle = (first[0] + last[0]) / 2, (first[1] + last[1]) / 2
        first = last = middle
    return tuple((x + side[0], y + side[1]) for x, y in (first, last))


def round_about(start: Box, end: Box, gap: float, lane: float, bend: Point | None) -> Way:
    """As `straight`, or bent so that it leaves and enters in the direction of a point."""
    way = straight(start, end, gap, lane)
    if bend is None:
        return way
    middle = Box(*bend, 0, 0)
    (first, _), (_, last) = straight(start, middle, gap, lane), straight(middle, end, gap, lane)
    return first, bend, bend, last


def facing(start: Box, end: Box, gap: float, lane: float = 0.0) -> Way:
    """As `straight`, but upright or level where one box is above or beside the other."""
    left, right = max(start.left, end.left), min(start.right, end.right)
    top, bottom = max(start.top, end.top), min(start.bottom, end.bottom)
    if left < right:
        start, end = (Box((left + right) / 2, b.y, right - left, b.height) for b in (start, end))
    elif top < bottom:
        start, end = (Box(b.x, (top + bottom) / 2, b.width, bottom - top) for b in (start, end))
    return straight(start, end, gap, lane)


def arc(start: Point, end: Point, height: float, lean: float = 0.12) -> Way:
    """A curve that rises `height` above its ends (or below), steeply if `lean` is small."""
    rise = 4 / 3 * height
    lean *= end[0] - start[0]
    return (start, (start[0] + lean, start[1] - rise), (end[0] - lean, end[1] - rise), end)


def beside(start_box: Box, end_box: Box, side: str, peak: float, lean: float = 0.12) -> Way:
    """From a side (top, bottom, left, right) of one box to the same side of another, around it.

    The curve rises `peak` above the side, and is slower at its ends the smaller `lean` is.
    """
    if side in ("left", "right"):
        start_box, end_box = (Box(b.y, b.x, b.height, b.width) for b in (start_box, end_box))
        return tuple((y, x) for x, y in beside(start_box, end_box, SIDES[side], peak, lean))
    ahead = 1 if end_box.x > start_box.x else -1
    start, end = (
        start_box.x + ahead * ASIDE * start_box.width,
        end_box.x - ahead * ASIDE * end_box.width,
    )
    slow = lean * (end - start)
    low, up = (start_box.top, -1) if side == "top" else (start_box.bottom, 1)
    high = low + up * 4 / 3 * peak
    return ((start, low), (start + slow, high), (end - slow, high), (end, low))


def point(way: Way, time: float) -> Point:
    """The point of a Bézier curve at `time`, from 0 to 1."""
    points = list(way)
    while len(points) > 1:
        points = [
            (a[0] + time * (b[0] - a[0]), a[1] + time * (b[1] - a[1])) for a, b in pairwise(points)
        ]
    return points[0]


def spaced(
    ways: Mapping[Link, Way], steps: Mapping[Link, Sequence[int]], size: tuple[float, float]
) -> tuple[dict[Link, Way], bool]:
    """Ways, on some of which parcels of this size are ahead or behind.

    So they do not meet where ways cross; also whether that is so. steps: in which each way is
    taken.
    """
    moved = dict(ways)
    rivals = {
        link: [
            rival
            for rival in ways
            if rival != link
            and not {*steps[link]}.isdisjoint(steps[rival])
            and _may_meet(way, ways[rival], size)
        ]
        for link, way in ways.items()
    }
    for link in [*ways] * ROUNDS:
        others = [moved[rival] for rival in rivals[link]]
        if max((_overlap(moved[link], rival, size) for rival in others), default=0.0) > LARGEST:
            choices = [_paced(ways[link], pace) for pace in PACES]
            moved[link] = min(
                choices, key=lambda way: max(_overlap(way, rival, size) for rival in others)
            )
    return moved, all(
        _overlap(moved[link], moved[rival], size) <= LARGEST
        for link, others in rivals.items()
        for rival in others
    )


def _paced(way: Way, pace: float) -> Way:
    """A way whose parcel is ahead at first, or behind: at one half it is even."""
    (x, y), *inner, (u, v) = way
    if pace == 0.5:
        return way
    if not inner:
        return ((x, y), (x + pace * (u - x), y + pace * (v - y)), (u, v))
    ahead = 0.8 * (pace - 0.5)
    xs, ys = zip(*way, strict=True)
    moved = ((a + ahead * (u - x), b + ahead * (v - y)) for a, b in inner)
    inside = ((min(max(a, min(xs)), max(xs)), min(max(b, min(ys)), max(ys))) for a, b in moved)
    return ((x, y), *inside, (u, v))


def _may_meet(first_way: Way, second_way: Way, size: tuple[float, float]) -> bool:
    """Whether the boxes around two ways, and parcels on them, overlap."""
    return all(
        min(p[axis] for p in a) < max(p[axis] for p in b) + size[axis]
        for axis in (0, 1)
        for a, b in ((first_way, second_way), (second_way, first_way))
    )


def _overlap(first_way: Way, second_way: Way, size: tuple[float, float]) -> float:
    """The largest part of a parcel of this size that another covers, on these ways at one time."""
    room = np.maximum(0.0, 1 - np.abs(_course(first_way) - _course(second_way)) / size)
    return float(room.prod(axis=1).max())


@lru_cache(maxsize=4096)
def _course(way: Way) -> npt.NDArray[np.float64]:
    """The points of a way at equal steps in time."""
    return np.array([point(way, moment / MOMENTS) for moment in range(MOMENTS + 1)])


def lanes(ways: Iterable[Sequence[Hashable]]) -> Iterator[int]:
    """For each way the first lane in which all is free that it passes, counted from 0."""
    taken = set[tuple[int, Hashable]]()
    for passed in ways:
        lane = next(k for k in count() if not taken & {(k, part) for part in passed})
        taken |= {(lane, part) for part in passed}
        yield lane


def side_by_side(ways: Sequence[Way], sizes: Sequence[tuple[float, float]]) -> list[Way]:
    """Ways of parcels of these sizes, moved apart where several take the same one."""
    sharing: dict[Way, list[int]] = {}
    for index, way in enumerate(ways):
        sharing.setdefault(way, []).append(index)
    moved = list(ways)
    for way, indices in sharing.items():
        upright = abs(way[-1][0] - way[0][0]) < abs(way[-1][1] - way[0][1])
        extents = [sizes[i][0 if upright else 1] + BESIDE for i in indices]
        at = -sum(extents) / 2
        for index, extent in zip(indices, extents, strict=True):
            off, at = at + extent / 2, at + extent
            x, y = (off, 0.0) if upright else (0.0, off)
            moved[index] = tuple((px + x, py + y) for px, py in way)
    return moved


def _exit(box: Box, x: float, y: float, gap: float) -> Point:
    """Where a line from the middle of a box in a direction is `gap` beyond its border."""
    ways = [(box.width / 2 + gap) / abs(x)] if x else []
    ways += [(box.height / 2 + gap) / abs(y)] if y else []
    distance = min(ways, default=0.0)
    return box.x + distance * x, box.y + distance * y


def crossings(way: Way, boxes: Sequence[Box], gap: float = 4.0) -> int:
    """How many of 48 points of a curve lie in boxes, or nearer than `gap` to them."""
    (left, *_, right), (top, *_, bottom) = (sorted(at) for at in zip(*way, strict=True))
    around = Box((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)
    near = [box for box in boxes if around.overlaps(box, gap + 1)]  # a curve is among its points
    points = [point(way, (at + 0.5) / 48) for at in range(48)] if near else []
    return sum(Box(x, y, 2 * gap, 2 * gap).overlaps(box) for x, y in points for box in near)
