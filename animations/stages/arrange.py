"""Arranges cards: on a ring, around a hub, as a tree, in a grid, as the rows of a matrix."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, combinations, pairwise, product

import numpy as np

from animations.story.drawing import Box

ASPECT = 176 / 302  # height of a card by its width
LARGEST_CARD = 310
GAP = 40  # least distance between two cards
SLIM = 14  # the same in the lowest row of a tree of switches
LEAST_CARD = 90
MOST_HUBS = 4  # switches beside each other in the middle
POWERS = (2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 40.0)  # of superellipses, the roundest first
MOST_ROUND = 16  # nodes on a ring or a tree; more stand in a grid


@lru_cache(maxsize=256)
def arranged(
    nodes: int, pairs: frozenset[tuple[int, int]], top: int, ranks: int, box: Box, taller: float = 0
) -> tuple[str, tuple[Box, ...]]:
    """The kind of picture that links (pairs of nodes, lower first) call for, and its cards.

    top: the root of a tree, -1 if unknown. taller: additional height of cards, as a share of
    their width. Nodes from `ranks` on are switches.
    """
    aspect = ASPECT + taller
    parent = _parents(nodes, pairs, top, ranks)
    if parent and nodes > ranks + 1 and not set(range(ranks)) & set(parent):
        cards = _hosts_below(parent, aspect, box)
        if cards is not None:
            return "tree", cards
    if nodes > MOST_ROUND + 1 or (nodes > MOST_ROUND and nodes == ranks):
        return "grid", _grid(nodes, box)
    if nodes <= 2 or (nodes == ranks and all(b - a in (1, nodes - 1) for a, b in pairs)):
        return "ring", _around(nodes, (), aspect, box)
    hubs = [node for node in range(nodes) if all(node in pair for pair in pairs)]
    if ranks > 1 and nodes - ranks in range(1, MOST_HUBS + 1):
        return "star", _around(nodes, range(ranks, nodes), aspect, box)
    if hubs:
        return "star", _around(nodes, hubs[:1], aspect, box)
    if nodes == ranks and parent:
        return "tree", _tree(parent, aspect, box)
    return "circle", _around(nodes, (), aspect, box)


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
        return _around(nodes, (), aspect, box)
    except ValueError:
        return None


def _around(nodes: int, hubs: Sequence[int], aspect: float, box: Box) -> tuple[Box, ...]:
    """The largest cards at equal distances on a superellipse, the hubs in a row in the middle."""
    for width, power in product(map(float, range(LARGEST_CARD, 30, -4)), POWERS):
        found = superellipse(nodes - len(hubs), width, width * aspect, power, box)
        for i, hub in enumerate(hubs):
            x = box.x + (i - (len(hubs) - 1) / 2) * (width + GAP + 14)
            found.insert(hub, Box(x, box.y, width, width * aspect))
        gap = GAP if nodes <= MOST_ROUND + 1 else 10
        near = (a.overlaps(b, gap) for a, b in chain(pairwise(found), combinations(found, 2)))
        if not any(near):
            return tuple(found)
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


def _parents(
    nodes: int, pairs: frozenset[tuple[int, int]], top: int, ranks: int
) -> tuple[int, ...] | None:
    """The parent of each node (-1 at the top) if the links form a tree, else None.

    An unknown top is the switch with the smallest distance to its farthest node.
    """
    if len(pairs) != nodes - 1:
        return None
    near: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for a, b in sorted(pairs):
        near[a].append(b)
        near[b].append(a)
    tops = [top] if top >= 0 else range(ranks, nodes)
    parent, _ = min((_reached(near, node) for node in tops), key=lambda found: max(found[1]))
    return parent if len(parent) == nodes else None


def _reached(near: dict[int, list[int]], top: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Parents and depths of the nodes that can be reached from the top, by number."""
    parent, depth = {top: -1}, {top: 0}
    order = [top]
    for node in order:
        for other in near[node]:
            if other not in parent:
                parent[other], depth[other] = node, depth[node] + 1
                order.append(other)
    return tuple(parent[node] for node in sorted(parent)), tuple(depth.values())


def _tree(parent: tuple[int, ...], aspect: float, box: Box) -> tuple[Box, ...]:
    """Levels from the root down, each spread evenly, in an order in which no links cross."""
    nodes, root = len(parent), parent.index(-1)
    levels: list[list[int]] = [[root]]
    while levels[-1]:
        below = [
            sorted((n for n in range(nodes) if parent[n] == node), key=lambda n: (n - root) % nodes)
            for node in levels[-1]
        ]
        levels.append([node for group in below for node in group])
    levels.pop()
    widest = max(map(len, levels))
    width = min(LARGEST_CARD, box.width / widest - GAP, (box.height / len(levels) - GAP) / aspect)
    height = max(width * aspect, min(0.95 * width, box.height / len(levels) - 34, 150.0))
    drop = min((box.height - height) / max(1, len(levels) - 1), 2.4 * height)
    top = box.y - drop * (len(levels) - 1) / 2
    boxes = {}
    for depth, level in enumerate(levels):
        pitch = min(box.width / len(level), 1.5 * box.width / widest, 2.4 * width)
        for i, node in enumerate(level):
            x = box.x + (i - (len(level) - 1) / 2) * pitch
            boxes[node] = Box(x, top + drop * depth, width, height)
    return tuple(boxes[node] for node in range(nodes))


def _hosts_below(parent: tuple[int, ...], aspect: float, box: Box) -> tuple[Box, ...] | None:
    """A tree of switches with the ranks in a row below; None where there is no room.

    A switch is above the middle of its children, at the height of its subtree.
    """
    nodes = len(parent)
    below = [[node for node in range(nodes) if parent[node] == p] for p in range(nodes)]
    height_of, leaves = [0] * nodes, [0.0] * nodes
    order = _in_depth(parent.index(-1), below)
    for column, leaf in enumerate(node for node in order if not below[node]):
        leaves[leaf] = float(column)
    for node in reversed(order):
        if below[node]:
            leaves[node] = sum(leaves[child] for child in below[node]) / len(below[node])
            height_of[node] = 1 + max(height_of[child] for child in below[node])
    across, levels = sum(not each for each in below), 1 + max(height_of)
    width = min(LARGEST_CARD, box.width / across - SLIM)
    height = min(1.25 * width, (box.height - 44 * (levels - 1)) / levels)
    height = min(height, max(aspect * width, 150.0))
    if width < LEAST_CARD:
        return None
    drop = (box.height - height) / max(1, levels - 1)
    drop = min(drop, 2.4 * height)
    bottom = box.y + drop * (levels - 1) / 2
    return tuple(
        Box(
            box.x + (leaves[node] - (across - 1) / 2) * min(box.width / across, 1.5 * width),
            bottom - drop * height_of[node],
            width,
            height,
        )
        for node in range(nodes)
    )


def _in_depth(top: int, below: list[list[int]]) -> list[int]:
    """All nodes of a tree, each before its children."""
    found, stack = [], [top]
    while stack:
        found.append(stack.pop())
        stack += reversed(below[found[-1]])
    return found
