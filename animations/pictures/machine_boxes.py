"""Where the parts of machines in boxes are drawn: chips and trays, nodes, cards and leaves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, starmap

from animations.drawing.shapes import Box
from collectives.cost.machines.cluster import KINDS
from collectives.cost.machines.topology import Topology

NODE, GAP = 74.0, 0.8  # largest side of a node; which part of the room for it a node takes
BETWEEN, PAD = 22.0, 9.0  # from box to box; from a box to what is in it
IN_BANK = 4  # trays that stand side by side; more stand above and below their switch
SPINE = 240.0  # width of a spine switch at most
BAND, NAME = 0.32, 40.0  # part of the height that a switch of chips takes; the line with its name


@dataclass(frozen=True)
class MachineLayout:
    """The boxes of all nodes, and links between them that go round what lies between.

    in_rows: whether each kind of nodes is in a row of its own. frames: boxes round nodes and chips
    that are one thing. chips: of a switch that is several; wired: whether links lead to each chip.
    """

    boxes: tuple[Box, ...]
    curved: frozenset[tuple[int, int]] = frozenset()
    in_rows: bool = False
    frames: tuple[Box, ...] = ()
    chips: dict[int, tuple[Box, ...]] = field(default_factory=dict)
    wired: bool = False


def in_boxes(topology: Topology, width: float, height: float) -> MachineLayout | None:
    """The layout of a machine whose boxes are known, its ranks in order; None of another one."""
    if tuple(kind for kind, _ in topology.kinds) == KINDS:
        return _Cluster(topology, width, height).layout()
    if topology.makeup.chips > 1:
        return _of_chips(topology, width, height)
    return None


def _of_chips(topology: Topology, width: float, height: float) -> MachineLayout:
    """GPUs at a switch of several chips, in trays or not."""
    makeup, ranks = topology.makeup, topology.ranks
    tray = makeup.gpu_tray or ranks
    trays = -(-ranks // tray)
    above = (trays + 1) // 2 if trays > IN_BANK else 0
    across = max(above, trays - above)
    band = Box(width / 2, height * (0.5 if above else BAND / 2), width, height * BAND)
    slots = _side_by_side(across, width, BETWEEN if makeup.gpu_tray else 0.0)
    boxes, frames = list[Box](), list[Box]()
    for number in range(trays):
        left, right = slots[number if number < above else number - above]
        y = height * (1 - BAND) / 4 if number < above else height * (1 - (1 - BAND) / 4)
        inside = range(number * tray, min(ranks, (number + 1) * tray))
        pad = PAD if makeup.gpu_tray else 0.0
        pitch = (right - left - 2 * pad) / tray
        side = min(NODE, 0.9 * pitch if makeup.gpu_tray else GAP * pitch)
        high = min(NODE, height * (1 - BAND) / 5)
        boxes += [Box(left + pad + pitch * (i + 0.5), y, side, high) for i in range(len(inside))]
        if makeup.gpu_tray:
            frames.append(Box.between(left, y - high / 2 - PAD, right, y + high / 2 + PAD))
    chips, around = _chips(band, makeup.chips, makeup.chip_tray)
    wired = not makeup.chip_tray
    return MachineLayout(
        (*boxes, band), in_rows=True, frames=(*frames, *around), chips={ranks: chips}, wired=wired
    )


def _chips(band: Box, chips: int, tray: int) -> tuple[tuple[Box, ...], list[Box]]:
    """The chips in the box of their switch, below its name, and the trays they are in."""
    inner = Box.between(band.left, band.top + NAME, band.right, band.bottom)
    high = min(NODE, 0.62 * inner.height)
    group = tray or 1
    boxes_of, frames = list[Box](), list[Box]()
    for left, right in _side_by_side(
        chips // group, band.width - 2 * PAD, BETWEEN if tray else 0.0
    ):
        pitch = (right - left - 2 * (PAD if tray else 0)) / group
        side = min(0.9 * pitch if tray else 0.7 * pitch, 3 * NODE)
        begin = band.left + PAD + left + (PAD if tray else 0)
        boxes_of += [Box(begin + pitch * (i + 0.5), inner.y, side, high) for i in range(group)]
        if tray:
            edges = band.left + PAD + left, inner.y - high / 2 - PAD
            frames.append(Box.between(*edges, band.left + PAD + right, inner.y + high / 2 + PAD))
    return tuple(boxes_of), frames


def _side_by_side(number: int, width: float, gap: float) -> list[tuple[float, float]]:
    """Left and right of so many boxes in a row."""
    gap = min(gap, 0.2 * width / number)
    width_of_each = (width - gap * (number - 1)) / number
    return [
        (k * (width_of_each + gap), k * (width_of_each + gap) + width_of_each)
        for k in range(number)
    ]


class _Cluster:
    """Nodes in one row, or in two with what joins them in between."""

    def __init__(self, topology: Topology, width: float, height: float) -> None:
        self.topology, self.width, self.height = topology, width, height
        counts = [number for _, number in topology.kinds]
        firsts = [sum(counts[:k]) for k in range(len(counts) + 1)]
        self.of_kind = list(starmap(range, pairwise(firsts)))
        self.below: dict[int, list[int]] = {}
        for src, dst in zip(topology.src.tolist(), topology.dst.tolist(), strict=True):
            if src < dst:
                self.below.setdefault(dst, []).append(src)
        _, self.switches, self.cards, self.leaves, self.spines = self.of_kind
        self.groups = self._leaf_groups()
        self.upper = self._upper()

    def _ranks(self, switch: int) -> list[int]:
        return sorted(self.below[switch])

    def _cards(self, switch: int) -> list[int]:
        own = set(self._ranks(switch))
        return [card for card in self.cards if own & set(self.below[card])]

    def _leaf_groups(self) -> list[list[int]]:
        """Nodes that are at the same leaf switches, in order."""
        groups: dict[tuple[int, ...], list[int]] = {}
        for switch in self.switches:
            cards = set(self._cards(switch))
            at = tuple(leaf for leaf in self.leaves if cards & set(self.below.get(leaf, ())))
            groups.setdefault(at, []).append(switch)
        return list(groups.values())

    def _upper(self) -> set[int]:
        """The nodes of the upper row; all where there is one row."""
        groups = self.groups
        if len(groups) > 1:
            return {switch for group in groups[: -(-len(groups) // 2)] for switch in group}
        if self.spines or len(self.switches) == 1:
            return set(self.switches)
        return set(list(self.switches)[: -(-len(self.switches) // 2)])

    def layout(self) -> MachineLayout:
        """The boxes of all of it."""
        switches, upper = list(self.switches), self.upper
        lower = [switch for switch in switches if switch not in upper]
        split = len(self.groups) > 1
        middle = 1 + (len(self.spines) > 0) + (split and bool(self.spines) and bool(lower))
        rows = 3 + middle + 3 * bool(lower)
        pitch = self.height / rows
        high = min(NODE, 0.46 * pitch)
        boxes: dict[int, Box] = {}
        frames = []
        banks = [[s for s in switches if s in upper], lower]
        across = max(map(len, banks))
        for bank, number in zip(banks, (0, 1), strict=True):
            for switch, (left, right) in zip(
                bank, _side_by_side(across, self.width, BETWEEN), strict=False
            ):
                ys = [
                    pitch * (k + 0.5)
                    for k in ((0, 1, 2) if not number else (rows - 1, rows - 2, rows - 3))
                ]
                self._node(boxes, switch, (left, right), ys, high)
                edge = min(pitch / 2 - 1, high / 2 + PAD)
                frames.append(Box.between(left, min(ys) - edge, right, max(ys) + edge))
        self._fabric(
            boxes, [pitch * (3 + k + 0.5) for k in range(middle)], high, split and bool(lower)
        )
        every = tuple(boxes[node] for node in range(self.topology.nodes))
        return MachineLayout(every, in_rows=True, frames=tuple(frames))

    def _node(
        self,
        boxes: dict[int, Box],
        switch: int,
        edges: tuple[float, float],
        ys: Sequence[float],
        high: float,
    ) -> None:
        """A node: its switch, its GPUs and its cards, each over or under those that it joins."""
        left, right = edges[0] + PAD, edges[1] - PAD
        ranks = self._ranks(switch)
        pitch = (right - left) / len(ranks)
        for place, rank in enumerate(ranks):
            side = min(1.6 * NODE, GAP * pitch)
            boxes[rank] = Box(left + pitch * (place + 0.5), ys[1], side, high)
        boxes[switch] = Box.between(*self._over(boxes, ranks, ys[0], high))
        for card in self._cards(switch):
            boxes[card] = Box.between(*self._over(boxes, self.below[card], ys[2], 0.8 * high))

    def _over(
        self, boxes: dict[int, Box], nodes: Iterable[int], y: float, high: float
    ) -> tuple[float, float, float, float]:
        """The edges of a box as wide as these."""
        inside = [boxes[node] for node in nodes]
        left, right = min(box.left for box in inside), max(box.right for box in inside)
        return left, y - high / 2, right, y + high / 2

    def _fabric(self, boxes: dict[int, Box], ys: list[float], high: float, split: bool) -> None:
        """Leaf switches beside the nodes they join, spines between or below them."""
        spine_row = ys[1] if len(ys) > 1 else ys[0]
        for group in self.groups:
            cards = {card for switch in group for card in self._cards(switch)}
            leaves = [leaf for leaf in self.leaves if cards & set(self.below.get(leaf, ()))]
            row = ys[-1] if split and group[0] not in self.upper else ys[0]
            left = min(boxes[card].left for card in cards)
            right = max(boxes[card].right for card in cards)
            for leaf, (start, end) in zip(
                leaves, _side_by_side(len(leaves), right - left, BETWEEN), strict=True
            ):
                boxes[leaf] = Box.between(left + start, row - high / 2, left + end, row + high / 2)
        for spine, (start, end) in zip(
            self.spines, _side_by_side(max(1, len(self.spines)), self.width, BETWEEN), strict=False
        ):
            side = min(end - start, SPINE)
            boxes[spine] = Box((start + end) / 2, spine_row, side, high)
