"""Positions of cards, cells and stripes on a page of 1920 × 1080 pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from animations.stages.arrange import arranged, rows_of_a_matrix
from animations.story.drawing import CARD_RADIUS, STAGE, Box, Motion
from collectives.errors import BadInput
from collectives.values import whole

Links = Sequence[tuple[int, int]]
Lanes = tuple[tuple[int, ...], ...]  # rows of cells in a card: the size of each group of slots
VIEWS = {"stripes": 16, "levels": 64, "matrix": 256}  # most ranks, and most chunks
MOST_CARDS = {"stripes": 32, "levels": 64, "matrix": 512}  # nodes
MOST_LANES = 4
TALLER = 0.16  # of its width, that a card is higher for each further lane


def lanes_of(chunk_count: int, promised_slots: int, slots: int) -> Lanes:
    """The rows of cells in a card: chunks, then received chunks, then scratch slots.

    >>> lanes_of(1, 1, 2), lanes_of(4, 8, 9)
    (((1, 1),), ((4,), (4,), (1,)))
    """
    lanes: list[tuple[int, ...]] = [(chunk_count,)]
    if promised_slots > chunk_count:
        lanes.append((promised_slots - chunk_count,))
    scratch = slots - promised_slots
    if scratch and len(lanes) == 1 and chunk_count + scratch <= 8:
        return ((chunk_count, scratch),)
    long = max(chunk_count, 4)
    lanes += [(min(long, scratch - first),) for first in range(0, scratch, long)]
    return tuple(lanes)


def check_shown(ranks: int, chunk_count: int) -> None:
    """Raise BadInput for more ranks or chunks than any view shows."""
    limit = VIEWS["matrix"]
    for what, number in (("ranks", ranks), ("chunks", chunk_count)):
        if whole(what, number, 1) > limit:
            raise BadInput(f"{number} {what}: the picture shows 1 to {limit}; nearest: {limit}")


def view_of(ranks: int, nodes: int, chunk_count: int, lanes: Lanes) -> str:
    """The most detailed view that has room; raises BadInput if none has."""
    check_shown(ranks, chunk_count)
    limit, slots = VIEWS["matrix"], sum(map(sum, lanes))
    if nodes > MOST_CARDS["matrix"] or slots > 4 * limit:
        raise BadInput(
            f"{nodes} nodes of {slots} slots: the picture shows up to "
            f"{MOST_CARDS['matrix']} nodes of {4 * limit}"
        )
    longest = max(ranks, *map(sum, lanes))
    for view in ("stripes", "levels"):
        if longest <= VIEWS[view] and nodes <= MOST_CARDS[view] and len(lanes) <= MOST_LANES:
            return view
    return "matrix"


@dataclass(frozen=True)
class Layout:
    """A card for each node, cells in it for its slots, a stripe in each for every rank.

    lanes: rows of cells in a card, in groups with a gap between. whole: a contribution fills its
    whole cell instead of a stripe.
    """

    kind: str
    cards: tuple[Box, ...]
    lanes: Lanes
    ranks: int
    whole: bool = False

    @property
    def slots(self) -> int:
        """Cells of a card."""
        return sum(map(sum, self.lanes))

    @property
    def motion(self) -> Motion:
        """How chunks travel between the cards."""
        nodes = len(self.cards)
        x, y = (sum(getattr(card, axis) for card in self.cards) / nodes for axis in "xy")
        return Motion(22 if nodes <= 8 else 10, (x, y))

    def radius(self, node: int) -> float:
        """Radius of a card's corners; switches are rounder than ranks."""
        if node < self.ranks:
            return CARD_RADIUS
        return min(30.0, 0.17 * self.cards[node].height)

    @property
    def header(self) -> float:
        """Height of the line of a card with its name."""
        card = self.cards[0]
        return max(26.0, min(0.19 * card.height, 0.115 * card.width))

    @property
    def label_height(self) -> float:
        """Height of the line below each row of cells; 0 where there is no room for labels."""
        rows, height = len(self.lanes), self.cards[0].height
        room = (height - self.header - 14) / rows - 22
        if self.pitch < 30 or height < 130 or (rows > 1 and room < 22):
            return 0.0
        return 26.0 if rows == 1 else 22.0

    @property
    def shows_sent(self) -> bool:
        """Whether a card has room for the amount its node has sent."""
        return self.kind != "matrix" and self.cards[0].width >= 250

    @property
    def lens(self) -> Box | None:
        """The box in the middle of a ring for one chunk, enlarged; None where there is no room."""
        if self.kind != "ring" or len(self.cards) < 4:
            return None
        for height in range(330, 150, -10):
            box = Box(STAGE.x, STAGE.y, 280, height + 110)
            if not any(box.overlaps(card, 24) for card in self.cards):
                return Box(STAGE.x, STAGE.y, 0.6 * height, height)
        return None

    @property
    def pitch(self) -> float:
        """Distance from one cell to the next in its group if they fill the card."""
        return (self.cards[0].width - 18) / max(map(_width, self.lanes))

    @cached_property
    def _cells(self) -> tuple[Box, ...]:
        """The cells of a card whose center is (0, 0)."""
        card, pitch, lanes = self.cards[0], self.pitch, self.lanes
        gap = min(8.0, 0.16 * pitch)
        width = min(pitch - gap, 120.0)
        room = card.height - self.header - 14 + 6 * (1 - len(lanes))
        height = room / len(lanes) - self.label_height
        left = (1 - max(map(_width, lanes))) / 2
        found = []
        for lane, groups in enumerate(lanes):
            y = (height - card.height) / 2 + self.header + 6
            y += lane * (height + self.label_height + 6)
            for column in _columns(groups, 0.5):
                found.append(Box((left + column) * min(pitch, width + gap), y, width, height))
        return tuple(found)

    def cell(self, node: int, slot: int) -> Box:
        """The cell of a slot."""
        card, cell = self.cards[node], self._cells[slot]
        return Box(card.x + cell.x, card.y + cell.y, cell.width, cell.height)

    def label_base(self, slot: int) -> float:
        """Baseline of the label of a slot, below the top of a card."""
        cell = self.cell(0, slot)
        down = 25 if len(self.lanes) == 1 else 19
        return cell.bottom - self.cards[0].top + down

    def group_boxes(self, node: int) -> list[Box]:
        """The boxes around the cells of each group of a card."""
        found, slot = [], 0
        for size in _groups(self.lanes):
            first, last = self.cell(node, slot), self.cell(node, slot + size - 1)
            width = last.right - first.left
            found.append(Box(first.left + width / 2, first.y, width, first.height))
            slot += size
        return found

    def stripe(self, cell: Box, rank: int) -> Box:
        """The stripe of a rank in any cell: at the same height in all of them."""
        margin = min(3.0, 0.08 * cell.width, 0.025 * cell.height)
        if self.whole:
            margin = min(2.0, 0.08 * cell.width)
            return Box(cell.x, cell.y, cell.width - 2 * margin, cell.height - 2 * margin)
        pitch = (cell.height - 2 * margin) / self.ranks
        gap = min(2.0, 0.16 * pitch)
        top = cell.top + margin + rank * pitch
        return Box(cell.x, top + pitch / 2, cell.width - 2 * margin, pitch - gap)


class Matrix(Layout):
    """A row for each node instead of a card, in blocks side by side where slots are few."""

    @property
    def pitch(self) -> float:
        """From one cell to the next."""
        return self.cards[0].width / (self.columns[-1] + 1)

    @cached_property
    def columns(self) -> tuple[float, ...]:
        """The left edge of each cell of a row, in cells."""
        return _matrix_columns(self.lanes)

    @cached_property
    def _cells(self) -> tuple[Box, ...]:
        """The cells of a row: all of the same size, a thin line between them."""
        row, pitch = self.cards[0], self.pitch
        line = min(1.0, 0.12 * min(pitch, row.height))
        width, height = pitch - line, row.height - line
        return tuple(Box((x + 0.5) * pitch - row.width / 2, 0, width, height) for x in self.columns)


def layout_of(nodes: int, lanes: Lanes, ranks: int, links: Links, top: int, view: str) -> Layout:
    """The layout that fits the links of an algorithm.

    A ring if every link joins neighbors, a star if all links share a node, a tree if the links
    form one (with `top` as its root, -1 if unknown), else a circle; a grid for many nodes, and
    for the view "matrix" a table with a row for each node.
    """
    if view == "matrix":
        rows = rows_of_a_matrix(nodes, _matrix_columns(lanes)[-1] + 1)
        return Matrix("matrix", rows, lanes, ranks)
    pairs = frozenset((min(link), max(link)) for link in links)
    kind, cards = arranged(nodes, pairs, top, ranks, TALLER * (len(lanes) - 1))
    return Layout(kind, cards, lanes, ranks, view == "blocks")


def _columns(groups: Sequence[int], gap: float) -> list[float]:
    """The left edge of each cell of a row, in cells, with a gap between groups."""
    group = [i for i, size in enumerate(groups) for _ in range(size)]
    return [slot + gap * i for slot, i in enumerate(group)]


def _width(groups: Sequence[int]) -> float:
    """Width of a row of cells in a card, in cells; half a cell lies between two groups."""
    return _columns(groups, 0.5)[-1] + 1


def _groups(lanes: Lanes) -> list[int]:
    return [size for groups in lanes for size in groups]


def _matrix_columns(lanes: Lanes) -> tuple[float, ...]:
    """The left edge of each cell of a row of the matrix, in cells."""
    groups = _groups(lanes)
    return tuple(_columns(groups, 1 + sum(groups) // 40))
