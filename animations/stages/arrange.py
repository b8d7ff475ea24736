"""Arranges cards: on a ring or a circle, in a grid, as the rows of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, product

import numpy as np

from animations.drawing.shapes import Box

ASPECT = 176 / 302  # height of a card by its width
LARGEST_CARD = 310
GAP = 40  # least distance between two cards
POWERS = (2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 40.0)  # of superellipses, the roundest first
MOST_ROUND = 16  # nodes on a ring or a tree; more stand in a grid


@lru_cache(maxsize=256)
def arranged(
    nodes: int, pairs: frozenset[tuple[int, int]], box: Box, taller: float = 0
) -> tuple[str, tuple[Box, ...]]:
    """The kind of picture that links (pairs of nodes, lower first) call for, and its cards.

    taller: additional height of cards, as a share of their width.
    """
    if nodes > MOST_ROUND:
        return "grid", _grid(nodes, box)
    neighbors = all(b - a in (1, nodes - 1) for a, b in pairs)
    return "ring" if nodes <= 2 or neighbors else "circle", _around(nodes, ASPECT + taller, box)


def _grid(nodes: int, box: Box) -> tuple[Box, ...]:
    """Rows that run to and fro, so that neighbors on a ring are neighbors here."""
    columns = max(1, round((nodes * box.width / box.height * ASPECT) ** 0.5))
    rows = -(-nodes // columns)
    width, height = box.width / columns - 14, box.height / rows - 14
    boxes = []
    for node in range(nodes):
        row, column = divmod(node, columns)
        if row % 2:
            column = columns - 1 - column
        x = box.left + (column + 0.5) * (width + 14)
        boxes.append(Box(x, box.top + (row + 0.5) * (height + 14), width, height))
    return tuple(boxes)


def rows_of_a_matrix(nodes: int, slots: float, box: Box) -> tuple[Box, ...]:
    """The rows of a matrix, in as many blocks as make its cells most nearly square."""

    def cell(blocks: int) -> tuple[float, float]:
        width = (box.width - 52 * (blocks - 1)) / blocks / slots
        return min(width, 40.0), min(box.height / -(-nodes // blocks), 40.0)

    def skew(blocks: int) -> float:
        width, height = cell(blocks)
        return max(width / height, height / width) if width > 0 else float("inf")

    blocks = min(range(1, min(nodes, 16) + 1), key=skew)
    width, height = cell(blocks)
    pitch, long = slots * width + 52, -(-nodes // blocks)
    left, top = box.left, box.y - long * height / 2
    return tuple(
        Box(
            left + (node // long) * pitch + slots * width / 2,
            top + (node % long + 0.5) * height,
            slots * width,
            height,
        )
        for node in range(nodes)
    )


def around(nodes: int, aspect: float, box: Box) -> tuple[Box, ...] | None:
    """The largest cards at equal distances on an oval, clockwise from the top, if they fit."""
    try:
        return _around(nodes, aspect, box)
    except ValueError:
        return None


def _around(nodes: int, aspect: float, box: Box) -> tuple[Box, ...]:
    """The largest cards at equal distances on a superellipse."""
    for width, power in product(map(float, range(LARGEST_CARD, 30, -4)), POWERS):
        boxes = superellipse(nodes, width, width * aspect, power, box)
        gap = GAP if nodes <= MOST_ROUND + 1 else 10
        near = (a.overlaps(b, gap) for a, b in chain(pairwise(boxes), combinations(boxes, 2)))
        if not any(near):
            return tuple(boxes)
    raise ValueError("no room for so many cards")


def superellipse(nodes: int, width: float, height: float, power: float, box: Box) -> list[Box]:
    """Cards of one size at equal distances on a superellipse, clockwise from the top."""
    if nodes == 1:
        return [Box(box.x, box.y, width, height)]
    a = (box.width - width) / 2
    b = (box.height - height) / 2
    turn = np.linspace(0, 2 * np.pi, 4001) - (np.pi if nodes == 2 else np.pi / 2)
    x = a * np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** (2 / power)
    y = b * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** (2 / power)
    length = np.concatenate([[0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.arange(nodes) * length[-1] / nodes
    centers = zip(np.interp(at, length, x).tolist(), np.interp(at, length, y).tolist(), strict=True)
    return [Box(box.x + dx, box.y + dy, width, height) for dx, dy in centers]


def lens(cards: Sequence[Box], stage: Box) -> Box | None:
    """The box in the middle of a ring for one chunk, enlarged; None where there is no room."""
    for height in range(330, 150, -10) if len(cards) > 3 else ():
        room = Box(stage.x, stage.y, 280, height + 110)
        if not any(room.overlaps(card, 24) for card in cards):
            return Box(stage.x, stage.y, 0.6 * height, height)
    return None
