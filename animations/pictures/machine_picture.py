"""A machine as a drawing: its nodes, what they are called, and its links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.pictures.machine_layout import HEIGHT, WIDTH, MachineLayout, lay_out
from collectives.cost.machines.topology import Topology

LARGEST, SMALLEST = 32.0, 22.0  # pixels of what is written on nodes
KIND = 28.0  # pixels of the name of a row of nodes
INWARDS = 46.0  # pixels from a node too small for its number to that number
HUES = 8  # colors of parts, which take turns
EDGE = 4.0  # pixels of the border of nodes that are not filled


@dataclass(frozen=True)
class LinkKind:
    """Links of the same figures between nodes of the same kinds."""

    ends: tuple[str, str]
    bandwidth: float
    latency: float
    lanes: int
    both: bool
    number: int

    def name(self, called: Callable[[str], str] = str) -> str:
        """What they join: 8 × rank ↔ switch."""
        one, other = map(called, self.ends)
        return f"{self.number:,} × {one} {'↔' if self.both else '→'} {other}"


def link_kinds(topology: Topology) -> tuple[LinkKind, ...]:
    """The links of a topology by what they join and their figures; both directions are one."""
    kinds = [topology.kind_of(node) for node in range(topology.nodes)]
    columns = (topology.src, topology.dst, topology.bandwidth, topology.latency, topology.lanes)
    count = Counter(zip(*(column.tolist() for column in columns), strict=True))
    found: Counter[tuple[tuple[str, str], float, float, int, bool]] = Counter()
    for (src, dst, bandwidth, latency, lanes), number in count.items():
        both = count[dst, src, bandwidth, latency, lanes] == number
        if both and src > dst:
            continue
        found[(kinds[src], kinds[dst]), bandwidth, latency, int(lanes), both] += number
    return tuple(LinkKind(*key, number) for key, number in found.items())


@dataclass(frozen=True)
class MachinePicture:
    """A machine in a room of a page.

    called: the name of a kind of nodes, in the reader's language. filled: whether nodes are full
    of their color, or only their borders have it. parts: nodes that are, in a color for each part
    if there are several.
    """

    topology: Topology
    room: Box
    called: Callable[[str], str] = str
    filled: bool = False
    parts: tuple[frozenset[int], ...] = ()

    @cached_property
    def layout(self) -> MachineLayout:
        """Where the nodes are, in pixels of its own; raises BadInput for what is too large."""
        return lay_out(self.topology)

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The nodes on the page."""
        room, scale = self.room, min(self.room.width / WIDTH, self.room.height / HEIGHT)
        return tuple(
            Box(
                room.left + scale * box.x,
                room.top + scale * box.y,
                scale * box.width,
                scale * box.height,
            )
            for box in self.layout.boxes
        )

    def nodes(self) -> Drawing:
        """A box for each node, round for ranks, with its name, or its number where that fits."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        by_kind: dict[str, list[int]] = {}
        for node, box in enumerate(self.boxes):
            tone, radius = self._tone(node), 0.28 if node < self.topology.ranks else 0.12
            look = (tone, "", 0.0) if self._full(node) else ("panel", tone, EDGE)
            color, edge, width = look
            round_by = radius * min(box.width, box.height)
            boxes.append(ColoredBox(box, color, round_by, edge, width, name=f"node-{node}"))
            by_kind.setdefault(self.topology.kind_of(node), []).append(node)
        for kind, nodes in by_kind.items():
            lines += self._names(self.called(kind), nodes)
        return Drawing(tuple(boxes), (), tuple(lines))

    def _full(self, node: int) -> bool:
        """Whether a node is full of its color."""
        return self.filled or any(node in part for part in self.parts)

    def _tone(self, node: int) -> str:
        """The color of a node: of its part, if there are several, or of its kind."""
        own = next((k for k, part in enumerate(self.parts) if node in part), -1)
        if own >= 0 and len(self.parts) > 1:
            return f"rank {own % HUES}"
        return "rank 0" if node < self.topology.ranks else "rank 1"

    def _names(self, kind: str, nodes: list[int]) -> Iterator[TextLine]:
        """The names of the nodes of a kind: in them all, or numbers and their kind beside them."""
        first = self.boxes[nodes[0]]
        numbers = [self.topology.label(node).rpartition(" ")[2] for node in nodes]
        names = [f"{kind} {number}" for number in numbers]
        size, shown = self._size(names, nodes), names
        if not size:
            size, shown = self._size(numbers, nodes), numbers
            beside = [kind] if size else [kind, f"{numbers[0]}-{numbers[-1]}"]
            for row, text in enumerate(beside if self.layout.in_rows else ()):
                base = first.y + (0.36 + 1.2 * (row + 0.5 - len(beside) / 2)) * KIND
                yield TextLine(text, first.left - 14, base, KIND, "faint", align="right")
        if size:
            for node, text in zip(nodes, shown, strict=True):
                box, color = self.boxes[node], "now_ink" if self._full(node) else "ink"
                yield TextLine(text, box.x, box.y + 0.36 * size, size, color, align="center")
        elif not self.layout.in_rows:
            for node in nodes[:: -(-len(nodes) // 16)]:
                x, y = self._inwards(self.boxes[node])
                yield TextLine(numbers[node], x, y + 0.36 * KIND, KIND, "ink", align="center")

    def _size(self, texts: list[str], nodes: list[int]) -> float:
        """The size in which each text fits into its node, 0 where it would be too small."""
        pairs = zip(texts, (self.boxes[node] for node in nodes), strict=True)
        rooms = (min(0.88 * b.width / text_width(t, 1), 0.95 * b.height) for t, b in pairs)
        size = min(LARGEST, *rooms)
        return size if size >= SMALLEST else 0.0

    def _inwards(self, box: Box) -> Point:
        """A place beside a node, towards the middle of the room."""
        x, y = self.room.x - box.x, self.room.y - box.y
        length = hypot(x, y) or 1.0
        return box.x + x / length * INWARDS, box.y + y / length * INWARDS

    def link(self, src: int, dst: int, tone: str, width: float, shift: float = 0.0) -> Stroke:
        """A line from one node to another, round the others where they lie between.

        shift: to the right of its way, in pixels, so that two directions lie beside each other.
        """
        (x0, y0), (x1, y1) = start, end = self._ends(src, dst, shift)
        name = f"link-{src}-{dst}"
        if (src, dst) not in self.layout.curved:
            return Stroke((start, end), tone, width, name=name)
        way = 1 if shift or start < end else -1  # both directions bend to the same side
        length = max(1.0, hypot(x1 - x0, y1 - y0))
        bend = way * min(0.35, 1.5 * self.boxes[src].width / length)
        middle = (x0 + x1) / 2 - bend * (y1 - y0), (y0 + y1) / 2 + bend * (x1 - x0)
        return Stroke((start, middle, end), tone, width, name=name)

    def _ends(self, src: int, dst: int, shift: float) -> tuple[Point, Point]:
        """Where a link begins and ends: upright where one node is above the other."""
        one, other = self.boxes[src], self.boxes[dst]
        x0, x1 = one.x, other.x
        if abs(one.y - other.y) > 1:  # a wide node is met above or below the narrow one
            if one.width <= other.width:
                x1 = _within(one.x, other)
            else:
                x0 = _within(other.x, one)
        length = hypot(x1 - x0, other.y - one.y) or 1.0
        across, down = (one.y - other.y) / length * shift, (x1 - x0) / length * shift
        return (x0 + across, one.y + down), (x1 + across, other.y + down)


def _within(x: float, box: Box) -> float:
    room = max(0.0, box.width / 2 - 4)
    return min(max(x, box.x - room), box.x + room)
