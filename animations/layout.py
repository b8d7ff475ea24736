"""Where things stand on a page of 1920 × 1080 pixels: cards, cells and stripes; no renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.arrange import arranged, rows_of_a_matrix
from animations.box import STAGE, Box

Links = Sequence[tuple[int, int]]


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
        return Matrix("matrix", rows_of_a_matrix(nodes, slots), slots, ranks)
    pairs = frozenset((min(link), max(link)) for link in links)
    kind, cards = arranged(nodes, pairs, root)
    return Layout(kind, cards, slots, ranks)
