"""Where boxes of nodes and cards of ranks stand: boxes round a loop, the cards of each in line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from animations.drawing.shapes import Box

Racks = tuple[tuple[tuple[int, ...], ...], ...]  # the cards in each node of each rack
HEAD = 36.0  # pixels for the name of a box, at most
PAD = 10.0  # between a box and what is in it
STRIP = 62.0  # height of the place for gauges
BESIDE = 76.0  # pixels for a name on the left of the cards
RIM = 8.0  # of the network around the boxes


@dataclass(frozen=True)
class GroupPlan:
    """Boxes on a grid of racks, each with its cards in one line.

    racks: cards by node and rack. nested: whether a rack has a box of its own around its nodes.
    columns: of racks, which go round a loop. turned: lines of cards run downwards. switched:
    whether a wide switch stands beside each line, on the side away from the middle. busy: whether
    anything crosses the network.
    """

    box: Box
    racks: Racks
    nested: bool
    columns: int
    turned: bool
    switched: bool
    busy: bool

    @property
    def rows(self) -> int:
        """Rows of racks."""
        return -(-len(self.racks) // self.columns)

    @cached_property
    def area(self) -> Box:
        """What the boxes of racks share."""
        if not self.busy:
            return self.box
        box = self.box
        return Box(box.x, box.y - STRIP / 2, box.width - 2 * RIM, box.height - STRIP - 2 * RIM)

    @cached_property
    def band(self) -> float:
        """Pixels of the network between two boxes."""
        rows = self.columns if self.turned else self.rows
        return max(16.0, min(48.0, 0.14 * min(self.box.width, self.box.height / rows)))

    def seat(self, rack: int) -> tuple[int, float]:
        """Row and column of a rack, clockwise; a last row of fewer racks is in the middle."""
        count, wide = len(self.racks), self.columns
        if self.rows == 1 or wide == 1:
            return (0, float(rack)) if wide > 1 else (rack, 0.0)
        if self.rows == 2:
            shift = (2 * wide - count) / 2
            return (0, float(rack)) if rack < wide else (1, 2 * wide - 1 - rack - shift)
        half, odd = divmod(count, 2)
        if 0 < rack <= half:
            return rack - 1, 1.0
        if odd and rack == half + 1:
            return half, 0.5
        return (count - rack) % count, 0.0

    def rack_box(self, rack: int) -> Box:
        """The box of a rack."""
        row, column = self.seat(rack)
        area = self.area
        wide = (area.width - (self.columns - 1) * self.band) / self.columns
        high = (area.height - (self.rows - 1) * self.band) / self.rows
        x = area.left + column * (wide + self.band) + wide / 2
        return Box(x, area.top + row * (high + self.band) + high / 2, wide, high)

    @cached_property
    def head(self) -> float:
        """Pixels for the name of a box."""
        return max(24.0, min(HEAD, 0.14 * self.rack_box(0).height))

    def node_boxes(self, rack: int) -> list[Box]:
        """The boxes of the nodes of a rack, side by side or one below the other."""
        box = self.rack_box(rack)
        if not self.nested:
            return [box]
        inner = Box(box.x, box.y, box.width - 2 * PAD, box.height - self.head - PAD)
        if self.beside:
            inner = Box(
                box.x + BESIDE / 2, box.y, box.width - 2 * PAD - BESIDE, box.height - 2 * PAD
            )
        else:
            shift = (self.head - PAD) / 2 * (-1 if self.is_low(rack) else 1)
            inner = replace(inner, y=box.y + shift)
        return split(inner, len(self.racks[rack]), self.band, self.turned)

    def numbers(self, rack: int) -> range:
        """The numbers of the nodes of a rack."""
        first = sum(map(len, self.racks[:rack]))
        return range(first, first + len(self.racks[rack]))

    @cached_property
    def corridor(self) -> float:
        """Pixels beside a line of cards, on either side, in which data travels."""
        box = self.node_boxes(0)[0]
        return max(20.0, min(50.0, 0.17 * (box.width if self.turned else box.height)))

    def line(self, rack: int, node: int) -> Box:
        """The place of the line of cards in a node, and of its switch."""
        box = self.node_boxes(rack)[node]
        left, right = (self.corridor, self.corridor) if self.turned else (PAD, PAD)
        above, below = (0.0, PAD) if self.turned else (self.corridor, self.corridor)
        if self.beside:
            left += BESIDE
        elif self.is_low(rack):
            below += self.head
        else:
            above += self.head
        if self.switched:
            above, below = (2 * PAD, self.head + 4)
            if not self.is_low(rack):
                above, below = below, above
        return Box(
            box.x + (left - right) / 2,
            box.y + (above - below) / 2,
            box.width - left - right,
            box.height - above - below,
        )

    @property
    def beside(self) -> bool:
        """Whether names of boxes stand on their left, as lines from above and below cross them."""
        return self.rows > 2 and not self.turned

    def is_low(self, rack: int) -> bool:
        """Whether a rack has its name, and its switches, below: it is in the lower of two rows."""
        return self.rows == 2 and not self.turned and self.seat(rack)[0] == 1

    def cards(self, rack: int, node: int) -> list[Box]:
        """The boxes of the cards of a node: its ranks in a line, its switch beside them."""
        place, members = self.line(rack, node), self.racks[rack][node]
        count, switch = len(members) - self.switched, []
        if self.switched:
            high, gap = self.switch_height(place), max(40.0, 0.3 * place.height)
            sign = 1 if self.is_low(rack) else -1
            y = place.y + sign * (place.height - high) / 2
            switch = [Box(place.x, y, place.width - PAD, high)]
            low = place.height - high - gap
            place = Box(place.x, place.y - sign * (place.height - low) / 2, place.width, low)
        pitch = (place.height if self.turned else place.width) / count
        return split(place, count, max(8.0, 0.1 * pitch), self.turned) + switch

    def switch_height(self, place: Box) -> float:
        """Height of a switch."""
        return max(46.0, min(90.0, 0.27 * place.height))


def split(box: Box, parts: int, gap: float, turned: bool) -> list[Box]:
    """Equal parts of a box from left to right, or from top to bottom."""
    if not parts:
        return []
    if turned:
        high = (box.height - (parts - 1) * gap) / parts
        tops = [box.top + i * (high + gap) for i in range(parts)]
        return [Box(box.x, top + high / 2, box.width, high) for top in tops]
    wide = (box.width - (parts - 1) * gap) / parts
    lefts = [box.left + i * (wide + gap) for i in range(parts)]
    return [Box(left + wide / 2, box.y, wide, box.height) for left in lefts]


def plans(box: Box, racks: Racks, nested: bool, switched: bool, busy: bool) -> Sequence[GroupPlan]:
    """The ways to arrange these racks, the usual one first."""
    count = len(racks)
    widths = sorted({-(-count // 2), min(count, 2)}) if count > 2 else [1, count]
    shapes = [(columns, turned) for turned in (False, True) for columns in dict.fromkeys(widths)]
    if switched:
        shapes = [(-(-count // 2), False)]
    elif count == 2:
        shapes = [(1, False), (2, True)]
    return [
        GroupPlan(box, racks, nested, columns, turned, switched, busy) for columns, turned in shapes
    ]
