"""Where things stand on a page of 1920 × 1080 pixels: cards, cells and stripes; no renderer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

PAGE = (1920, 1080)
ASPECT = 176 / 302  # height of a card by its width
LARGEST_CARD = 310
GAP = 26  # least distance between two cards
Links = Sequence[tuple[int, int]]


@dataclass(frozen=True)
class Box:
    """A rectangle by its centre and size, in pixels of the page; y points down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """The left edge."""
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y - self.height / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height / 2

    def overlaps(self, other: Box, gap: float = 0) -> bool:
        """Whether two boxes are nearer than `gap` in both directions."""
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2 + gap
            and abs(self.y - other.y) < (self.height + other.height) / 2 + gap
        )


STAGE = Box(610, 518, 1140, 752)
TABLE = Box(474, 540, 708, 700)  # of the matrix; to its right stands how many cells are complete
MOST_ROUND = 16  # nodes on a ring or a tree; more stand in a grid


@dataclass(frozen=True)
class Layout:
    """A card for each node, cells in it for its slots, a stripe in each for every rank."""

    kind: str
    cards: tuple[Box, ...]
    slots: int
    ranks: int

    @property
    def header(self) -> float:
        """Height of the line of a card that names it."""
        return max(26.0, 0.19 * self.cards[0].height)

    @property
    def label_height(self) -> float:
        """Height of the line below the cells; 0 where there is no room for labels."""
        return 26.0 if self._cell_pitch >= 30 and self.cards[0].height >= 130 else 0.0

    @property
    def shows_sent(self) -> bool:
        """Whether a card has room for the bytes its node has sent."""
        return self.cards[0].width >= 250

    @property
    def lens(self) -> Box | None:
        """The place in the middle of a ring for one chunk, enlarged; None where there is none."""
        if self.kind != "ring" or len(self.cards) < 4:
            return None
        for height in range(330, 150, -10):
            box = Box(STAGE.x, STAGE.y, 280, height + 110)
            if not any(box.overlaps(card, 24) for card in self.cards):
                return Box(STAGE.x, STAGE.y, 0.6 * height, height)
        return None

    @property
    def _cell_pitch(self) -> float:
        return (self.cards[0].width - 18) / self.slots

    def cell(self, node: int, slot: int) -> Box:
        """The cell of a slot."""
        card, pitch = self.cards[node], self._cell_pitch
        gap = min(8.0, 0.16 * pitch)
        width = min(pitch - gap, 120.0)
        top = card.top + self.header + 6
        height = card.height - self.header - self.label_height - 14
        x = card.x + (slot - (self.slots - 1) / 2) * min(pitch, width + gap)
        return Box(x, top + height / 2, width, height)

    def stripe(self, node: int, slot: int, rank: int) -> Box:
        """The stripe of a rank's contribution in a cell."""
        return stripe_in(self.cell(node, slot), rank, self.ranks)


class Matrix(Layout):
    """A row for each node instead of a card, in blocks side by side where slots are few."""

    @property
    def shows_sent(self) -> bool:
        """A row has no room for words."""
        return False

    @property
    def lens(self) -> Box | None:
        """There is no ring to look into."""
        return None

    def cell(self, node: int, slot: int) -> Box:
        """The cell of a slot: all of the same size, a thin line between them."""
        row = self.cards[node]
        pitch = row.width / self.slots
        line = min(1.0, 0.12 * min(pitch, row.height))
        x = row.left + (slot + 0.5) * pitch
        return Box(x, row.y, pitch - line, row.height - line)


def stripe_in(cell: Box, rank: int, ranks: int) -> Box:
    """The stripe of a rank in any cell: always at the same height for the same rank."""
    margin = min(3.0, 0.08 * cell.width, 0.025 * cell.height)
    pitch = (cell.height - 2 * margin) / ranks
    gap = min(2.0, 0.16 * pitch)
    top = cell.top + margin + rank * pitch
    return Box(cell.x, top + pitch / 2, cell.width - 2 * margin, pitch - gap)


def place(
    nodes: int, slots: int, ranks: int, links: Links, root: int, view: str = "stripes"
) -> Layout:
    """The layout that the links of an algorithm call for.

    A ring if every link joins neighbours, a star if one node has a part in every link, a tree
    if the links form one, else a circle; a grid for more than 16 nodes, and for the view
    "matrix" a table with a row for each node.
    """
    if view == "matrix":
        return Matrix("matrix", _rows(nodes, slots), slots, ranks)
    pairs = frozenset((min(link), max(link)) for link in links)
    kind, cards = _cards(nodes, pairs, root)
    return Layout(kind, cards, slots, ranks)


@lru_cache(maxsize=256)
def _cards(nodes: int, pairs: frozenset[tuple[int, int]], root: int) -> tuple[str, tuple[Box, ...]]:
    if nodes > MOST_ROUND:
        return "grid", _grid(nodes)
    if all(b - a in (1, nodes - 1) for a, b in pairs):
        return "ring", _round(nodes)
    hubs = [node for node in range(nodes) if all(node in pair for pair in pairs)]
    if hubs:
        return "star", _star(nodes, hubs[0])
    parent = _parents(nodes, pairs, root)
    if parent is not None:
        return "tree", _tree(parent)
    return "circle", _round(nodes)


def _grid(nodes: int) -> tuple[Box, ...]:
    """Rows that run to and fro, so that neighbours on a ring are neighbours here."""
    columns = max(1, round((nodes * STAGE.width / STAGE.height * ASPECT) ** 0.5))
    rows = -(-nodes // columns)
    width, height = STAGE.width / columns - 14, STAGE.height / rows - 14
    boxes = []
    for node in range(nodes):
        row, column = divmod(node, columns)
        if row % 2:
            column = columns - 1 - column
        x = STAGE.left + (column + 0.5) * (width + 14)
        boxes.append(Box(x, STAGE.top + (row + 0.5) * (height + 14), width, height))
    return tuple(boxes)


def _rows(nodes: int, slots: int) -> tuple[Box, ...]:
    """The rows of a matrix, in as many blocks as make its cells most nearly square."""

    def cell(blocks: int) -> tuple[float, float]:
        width = (TABLE.width - 52 * (blocks - 1)) / blocks / slots
        return min(width, 40.0), min(TABLE.height / -(-nodes // blocks), 40.0)

    def skew(blocks: int) -> float:
        width, height = cell(blocks)
        return max(width / height, height / width) if width > 0 else float("inf")

    blocks = min(range(1, min(nodes, 16) + 1), key=skew)
    width, height = cell(blocks)
    pitch, long = slots * width + 52, -(-nodes // blocks)
    left, top = TABLE.left, TABLE.y - long * height / 2
    return tuple(
        Box(
            left + (node // long) * pitch + slots * width / 2,
            top + (node % long + 0.5) * height,
            slots * width,
            height,
        )
        for node in range(nodes)
    )


def _round(nodes: int) -> tuple[Box, ...]:
    """Equal distances on the superellipse that leaves room for the largest cards."""
    return _largest(lambda width, power: _superellipse(nodes, width, power))


def _star(nodes: int, hub: int) -> tuple[Box, ...]:
    """The hub in the middle, the others around it in their order."""

    def boxes(width: float, power: float) -> list[Box]:
        around = _superellipse(nodes - 1, width, power)
        around.insert(hub, Box(STAGE.x, STAGE.y, width, width * ASPECT))
        return around

    return _largest(boxes)


def _largest(boxes: Callable[[float, float], list[Box]]) -> tuple[Box, ...]:
    for width in range(LARGEST_CARD, 60, -6):
        for power in (2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, 40.0):
            found = boxes(float(width), power)
            if not any(a.overlaps(b, GAP) for i, a in enumerate(found) for b in found[i + 1 :]):
                return tuple(found)
    raise ValueError("no room for so many cards")


def _superellipse(nodes: int, width: float, power: float) -> list[Box]:
    height = width * ASPECT
    if nodes == 1:
        return [Box(STAGE.x, STAGE.y, width, height)]
    a = (STAGE.width - width) / 2
    b = (STAGE.height - height) / 2
    turn = np.linspace(0, 2 * np.pi, 4001) - (np.pi if nodes == 2 else np.pi / 2)
    x = a * np.sign(np.cos(turn)) * np.abs(np.cos(turn)) ** (2 / power)
    y = b * np.sign(np.sin(turn)) * np.abs(np.sin(turn)) ** (2 / power)
    length = np.concatenate([[0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    at = np.interp(np.arange(nodes) * length[-1] / nodes, length, np.arange(len(x)))
    return [
        Box(
            STAGE.x + float(np.interp(i, np.arange(len(x)), x)),
            STAGE.y + float(np.interp(i, np.arange(len(y)), y)),
            width,
            height,
        )
        for i in at
    ]


def _parents(nodes: int, pairs: frozenset[tuple[int, int]], root: int) -> tuple[int, ...] | None:
    """The parent of each node (-1 at the root) if the links form a tree, else None."""
    if len(pairs) != nodes - 1:
        return None
    near: dict[int, list[int]] = {node: [] for node in range(nodes)}
    for a, b in sorted(pairs):
        near[a].append(b)
        near[b].append(a)
    parent = {root: -1}
    reached = [root]
    for node in reached:
        for other in near[node]:
            if other not in parent:
                parent[other] = node
                reached.append(other)
    return tuple(parent[node] for node in range(nodes)) if len(reached) == nodes else None


def _tree(parent: tuple[int, ...]) -> tuple[Box, ...]:
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
    width = min(
        LARGEST_CARD, STAGE.width / widest - GAP, (STAGE.height / len(levels) - GAP) / ASPECT
    )
    height = width * ASPECT
    drop = min((STAGE.height - height) / max(1, len(levels) - 1), 2.4 * height)
    top = STAGE.y - drop * (len(levels) - 1) / 2
    boxes = {}
    for depth, level in enumerate(levels):
        pitch = min(STAGE.width / len(level), 1.5 * STAGE.width / widest, 2.4 * width)
        for i, node in enumerate(level):
            x = STAGE.x + (i - (len(level) - 1) / 2) * pitch
            boxes[node] = Box(x, top + drop * depth, width, height)
    return tuple(boxes[node] for node in range(nodes))
