"""A matrix: a row of small cells for each node, where there are too many for cards."""

from __future__ import annotations

from animations.drawing.card_shapes import Lanes, columns
from animations.drawing.scenery import Card, CardShape, Scenery
from animations.drawing.shapes import Box
from animations.stages.arrange import rows_of_a_matrix
from animations.stages.staged import Staged

SEAMLESS = 2.0  # pixels of a cell up to which no line is left between cells


def matrix(staged: Staged, box: Box) -> Scenery:
    """The rows, in blocks side by side where slots are few."""
    left = matrix_columns(staged.lanes)
    rows = rows_of_a_matrix(staged.nodes, left[-1] + 1, box)
    width, height = rows[0].width, rows[0].height
    pitch = width / (left[-1] + 1)
    smaller = min(pitch, height)
    line = min(1.0, 0.12 * smaller) if smaller > SEAMLESS else 0.0
    cells = tuple(Box((x + 0.5) * pitch, height / 2, pitch - line, height - line) for x in left)
    shape = CardShape(width, height, 0, 0, cells, groups=tuple(_groups(staged.lanes, cells)))
    cards = tuple(Card(row.x, row.y, shape) for row in rows)
    return Scenery("matrix", box, cards, staged.fold, table=True, whole=staged.whole)


def _groups(lanes: Lanes, cells: tuple[Box, ...]) -> list[Box]:
    groups, slot = [], 0
    for size in (size for sizes in lanes for size in sizes):
        first, last = cells[slot], cells[slot + size - 1]
        width = last.right - first.left
        groups.append(Box(first.left + width / 2, first.y, width, first.height))
        slot += size
    return groups


def matrix_columns(lanes: Lanes) -> tuple[float, ...]:
    """The left edge of each cell of a row of the matrix, in cells."""
    groups = [size for sizes in lanes for size in sizes]
    return tuple(columns(groups, 1 + sum(groups) // 40))
