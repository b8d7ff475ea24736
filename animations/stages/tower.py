"""Where switches and ranks stand: levels above each other, each switch as wide as what is below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from animations.drawing.shapes import Box

WIDEST = 236.0  # of the room of a rank
SPREAD = 0.9  # of its room that the card of a rank fills
MOST_IN_A_ROW = 16  # ranks; more stand on both sides of the highest switch
LEAST_LANE = 36.0  # height of the room between a switch and what is below it
LEAST_ROOM = 14.0  # width of the room of a rank


@dataclass(frozen=True)
class Tower:
    """Switches above each other, by the parent of each node."""

    parent: tuple[int, ...]

    @cached_property
    def below(self) -> dict[int, list[int]]:
        """The children of each node."""
        children: dict[int, list[int]] = {node: [] for node in range(len(self.parent))}
        for node, above in enumerate(self.parent):
            if above >= 0:
                children[above].append(node)
        return children

    @cached_property
    def tops(self) -> list[int]:
        """Nodes with nothing above them."""
        return [node for node, above in enumerate(self.parent) if above < 0]

    def level(self, node: int) -> int:
        """0 for a node with nothing below it, else one more than those below."""
        return 1 + max((self.level(child) for child in self.below[node]), default=-1)

    def leaves(self, node: int) -> list[int]:
        """What is below a node at the end, from left to right."""
        return [leaf for child in self.below[node] for leaf in self.leaves(child)] or [node]

    def boxes(self, box: Box) -> dict[int, Box] | None:
        """The box of each node: in one row of ranks, or in two with the highest switch between."""
        row = [leaf for top in self.tops for leaf in self.leaves(top)]
        if len(row) <= MOST_IN_A_ROW or len(self.tops) > 1:
            return _stacked(self, self.tops, box)
        top = self.tops[0]
        children, half = self.below[top], 0
        counts = [len(self.leaves(child)) for child in children]
        while sum(counts[: half + 1]) <= len(row) // 2:
            half += 1
        tall = min(150.0, 0.18 * box.height)
        wing = (box.height - tall) / 2
        lower = Box(box.x, box.bottom - wing / 2, box.width, wing)
        above = _stacked(self, children[:half], lower, under_switch=True)
        beneath = _stacked(self, children[half:], lower, under_switch=True)
        if above is None or beneath is None:
            return None
        boxes = {node: _mirrored(place, box.y) for node, place in above.items()} | beneath
        left = min(place.left for place in boxes.values())
        right = max(place.right for place in boxes.values())
        return boxes | {top: Box((left + right) / 2, box.y, right - left, tall)}


def _mirrored(place: Box, y: float) -> Box:
    """The place upside down, on the other side of a level line."""
    return Box(place.x, 2 * y - place.y, place.width, place.height)


def _stacked(
    tower: Tower, tops: Sequence[int], box: Box, under_switch: bool = False
) -> dict[int, Box] | None:
    """Levels from the upper edge of a box to the lower one, each node above what is below it.

    under_switch: another switch is at the upper edge, and a lane below it.
    """
    row = [leaf for top in tops for leaf in tower.leaves(top)]
    switches = max(tower.level(top) for top in tops)
    pitch, lanes = min(box.width / len(row), WIDEST), switches + under_switch
    wide = SPREAD * pitch
    ranks_tall = min(0.3 * box.height, 130 + 1.1 * wide, 330.0)
    tall = min(150.0, (0.28 if under_switch else 0.36) / (switches + 0.4) * box.height)
    lane = min((box.height - ranks_tall - switches * tall) / max(1, lanes), 420.0)
    if pitch < LEAST_ROOM or (lanes and lane < LEAST_LANE):
        return None
    left = box.x - pitch * len(row) / 2
    floor = box.bottom - (box.height - ranks_tall - switches * tall - lanes * lane) / 2 * (
        not under_switch
    )
    column = {leaf: at for at, leaf in enumerate(row)}
    boxes = {}
    for node in (node for top in tops for node in _under(tower, top)):
        level, columns = tower.level(node), [column[leaf] for leaf in tower.leaves(node)]
        x = left + (columns[0] + columns[-1] + 1) / 2 * pitch
        if not level:
            boxes[node] = Box(x, floor - ranks_tall / 2, wide, ranks_tall)
            continue
        y = floor - ranks_tall - (level - 1) * (tall + lane) - lane - tall / 2
        boxes[node] = Box(x, y, len(columns) * pitch - (pitch - wide), tall)
    return boxes


def _under(tower: Tower, node: int) -> Iterator[int]:
    """A node and all below it."""
    yield node
    for child in tower.below[node]:
        yield from _under(tower, child)
