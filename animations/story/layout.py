"""Where things stand on a page of 1920 × 1080 pixels: cards, cells and stripes; no renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from animations.stages.arrange import arranged, rows_of_a_matrix
from animations.story.box import STAGE, Box
from collectives.errors import BadInput

Links = Sequence[tuple[int, int]]
Lanes = tuple[tuple[int, ...], ...]  # rows of cells in a card, each of groups of so many slots
VIEWS = {"stripes": 16, "levels": 64, "matrix": 256}  # most ranks, and most chunks
MOST_CARDS = {"stripes": 32, "levels": 64, "matrix": 512}  # nodes
MOST_LANES = 4
TALLER = 0.16  # of its width, that a card is higher for each further lane


def lanes_of(chunk_count: int, places: int, slots: int) -> Lanes:
    """The cells of a card: the chunks; below them what is received; then scratch slots.

    >>> lanes_of(1, 1, 2), lanes_of(4, 8, 9)
    (((1, 1),), ((4,), (4,), (1,)))
    """
    lanes: list[tuple[int, ...]] = [(chunk_count,)]
    if places > chunk_count:
        lanes.append((places - chunk_count,))
    scratch = slots - places
    if scratch and len(lanes) == 1 and chunk_count + scratch <= 8:
        return ((chunk_count, scratch),)
    long = max(chunk_count, 4)
    lanes += [(min(long, scratch - first),) for first in range(0, scratch, long)]
    return tuple(lanes)


def view_of(ranks: int, nodes: int, chunk_count: int, lanes: Lanes) -> str:
    """The most detailed view that has room; raises BadInput if none has."""
    limit = VIEWS["matrix"]
    for what, number in (("ranks", ranks), ("chunks", chunk_count)):
        if number > limit:
            raise BadInput(f"{number} {what}: the picture shows 1 to {limit}; nearest: {limit}")
    if nodes > MOST_CARDS["matrix"] or sum(map(sum, lanes)) > 4 * limit:
        raise BadInput(
            f"{nodes} nodes of {sum(map(sum, lanes))} slots: the picture shows up to "
            f"{MOST_CARDS['matrix']} nodes of {4 * limit}"
        )
    longest = max(map(sum, lanes))
    for view, most in VIEWS.items():
        fits = max(ranks, longest) <= most and nodes <= MOST_CARDS[view]
        if view == "matrix" or (fits and len(lanes) <= MOST_LANES):
            return view
    raise AssertionError("the matrix has room")


@dataclass(frozen=True)
class Layout:
    """A card for each node, cells in it for its slots, a stripe in each for every rank.

    lanes: rows of cells in a card, of groups that stand apart. whole: a contribution fills its
    cell, instead of a stripe of it.
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
    def header(self) -> float:
        """Height of the line of a card that names it."""
        card = self.cards[0]
        return max(26.0, min(0.19 * card.height, 0.115 * card.width))

    @property
    def label_height(self) -> float:
        """Height of the line below each row of cells; 0 where there is no room for labels."""
        many = len(self.lanes)
        room = (self.cards[0].height - self.header - 14) / many - 22
        if self.pitch < 30 or self.cards[0].height < 130 or (many > 1 and room < 22):
            return 0.0
        return 26.0 if many == 1 else 22.0

    @property
    def shows_sent(self) -> bool:
        """Whether a card has room for what its node has sent."""
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
    def pitch(self) -> float:
        """From one cell to the next in its group, were they as wide as there is room."""
        return (self.cards[0].width - 18) / max(map(_units, self.lanes))

    @cached_property
    def _cells(self) -> tuple[Box, ...]:
        """The cells of a card whose center is (0, 0)."""
        card, pitch, lanes = self.cards[0], self.pitch, self.lanes
        gap = min(8.0, 0.16 * pitch)
        width = min(pitch - gap, 120.0)
        room = card.height - self.header - 14 + 6 * (1 - len(lanes))
        height = room / len(lanes) - self.label_height
        left = (1 - max(map(_units, lanes))) / 2
        found = []
        for lane, groups in enumerate(lanes):
            y = (height - card.height) / 2 + self.header + 6
            y += lane * (height + self.label_height + 6)
            for column in _columns_of(groups, 0.5):
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

    def beds(self, node: int) -> list[Box]:
        """The boxes around the cells of each group of a card."""
        found, slot = [], 0
        for groups in self.lanes:
            for many in groups:
                first, last = self.cell(node, slot), self.cell(node, slot + many - 1)
                width = last.right - first.left
                found.append(Box(first.left + width / 2, first.y, width, first.height))
                slot += many
        return found

    def stripe(self, node: int, slot: int, rank: int) -> Box:
        """The stripe of a rank's contribution in a cell."""
        return self.stripe_in(self.cell(node, slot), rank)

    def stripe_in(self, cell: Box, rank: int) -> Box:
        """The stripe of a rank in any cell: always at the same height for the same rank."""
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
    def shows_sent(self) -> bool:
        """A row has no room for words."""
        return False

    @property
    def lens(self) -> Box | None:
        """There is no ring to look into."""
        return None

    @property
    def pitch(self) -> float:
        """From one cell to the next."""
        return self.cards[0].width / _columns(self.lanes)

    @cached_property
    def columns(self) -> tuple[float, ...]:
        """Where each cell of a row begins, in cells."""
        return tuple(_columns_of(_groups(self.lanes), _gap(self.lanes)))

    @cached_property
    def _cells(self) -> tuple[Box, ...]:
        """The cells of a row: all of the same size, a thin line between them."""
        row, pitch = self.cards[0], self.pitch
        line = min(1.0, 0.12 * min(pitch, row.height))
        width, height = pitch - line, row.height - line
        return tuple(Box((x + 0.5) * pitch - row.width / 2, 0, width, height) for x in self.columns)


def place(
    nodes: int, lanes: Lanes, ranks: int, links: Links, top: int, view: str = "stripes"
) -> Layout:
    """The layout that the links of an algorithm call for.

    A ring if every link joins neighbors, a star if one node has a part in every link, a tree
    if the links form one (it hangs from `top`, -1 if nobody knows), else a circle; a grid for
    many nodes, and for the view "matrix" a table with a row for each node.
    """
    if view == "matrix":
        return Matrix("matrix", rows_of_a_matrix(nodes, _columns(lanes)), lanes, ranks)
    pairs = frozenset((min(link), max(link)) for link in links)
    kind, cards = arranged(nodes, pairs, top, ranks, TALLER * (len(lanes) - 1))
    return Layout(kind, cards, lanes, ranks, view == "blocks")


def _units(groups: tuple[int, ...]) -> float:
    """Width of a lane in cells; half a cell lies between two groups."""
    return sum(groups) + 0.5 * (len(groups) - 1)


def _columns_of(groups: Sequence[int], gap: float) -> list[float]:
    """Where each cell of a row stands, in cells, with a gap between groups."""
    group = [i for i, many in enumerate(groups) for _ in range(many)]
    return [slot + gap * i for slot, i in enumerate(group)]


def _groups(lanes: Lanes) -> list[int]:
    return [many for groups in lanes for many in groups]


def _gap(lanes: Lanes) -> float:
    """Between two groups in a row of the matrix, in cells."""
    return 1 + sum(map(sum, lanes)) // 40


def _columns(lanes: Lanes) -> float:
    """Width of a row of the matrix in cells."""
    groups = _groups(lanes)
    return sum(groups) + _gap(lanes) * (len(groups) - 1)
