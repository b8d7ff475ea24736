"""A machine as a drawing: its nodes, what they are called, and its links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import hypot

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.phrases import WIDE
from animations.pictures.machine_boxes import MachineLayout
from animations.pictures.machine_layout import HEIGHT, WIDTH, lay_out
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
        source, target = map(called, self.ends)
        return f"{self.number:,} × {source} {'↔' if self.both else '→'} {target}"


def link_kinds(topology: Topology) -> tuple[LinkKind, ...]:
    """The links of a topology by what they join and their figures; both directions are one."""
    kinds = [topology.kind_of(node) for node in range(topology.nodes)]
    columns = (topology.src, topology.dst, topology.bandwidth, topology.latency, topology.lanes)
    count = Counter(zip(*(column.tolist() for column in columns), strict=True))
    numbers: Counter[tuple[tuple[str, str], float, float, int, bool]] = Counter()
    for (src, dst, bandwidth, latency, lanes), number in count.items():
        both = count[dst, src, bandwidth, latency, lanes] == number
        if both and src > dst:
            continue
        numbers[(kinds[src], kinds[dst]), bandwidth, latency, int(lanes), both] += number
    return tuple(LinkKind(*key, number) for key, number in numbers.items())


@dataclass(frozen=True)
class MachinePicture:
    """A machine in a room of a page.

    called: the name of a kind of nodes, in the reader's language. filled: whether nodes are full
    of their color, or only their borders have it. parts: nodes that are, in a color for each part
    if there are several. fitted: whether a machine in boxes fills the room, instead of keeping the
    shape that it has in figures.
    """

    topology: Topology
    room: Box
    called: Callable[[str], str] = str
    filled: bool = False
    parts: tuple[frozenset[int], ...] = ()
    fitted: bool = False

    @cached_property
    def layout(self) -> MachineLayout:
        """Where the nodes are, in pixels of its own; raises BadInput for what is too large."""
        return lay_out(self.topology, *((self.room.width, self.room.height) if self.fitted else ()))

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """The nodes on the page."""
        return tuple(map(self._there, self.layout.boxes))

    @cached_property
    def chips(self) -> dict[int, tuple[Box, ...]]:
        """The chips on the page, of switches that have several."""
        return {node: tuple(map(self._there, own)) for node, own in self.layout.chips.items()}

    def _there(self, box: Box) -> Box:
        """A box of the layout on the page."""
        room, scale = self.room, min(self.room.width / WIDTH, self.room.height / HEIGHT)
        if self.fitted:
            room, scale = self.room, 1.0
        x, y = room.left + scale * box.x, room.top + scale * box.y
        return Box(x, y, scale * box.width, scale * box.height)

    def nodes(self) -> Drawing:
        """A box for each node, round for ranks, with its name, or its number where that fits."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        by_kind: dict[str, list[int]] = {}
        for frame in map(self._there, self.layout.frames):
            boxes.append(ColoredBox(frame, "", 10.0, "edge", 2.0, name="frame"))
        for node, box in enumerate(self.boxes):
            if node in self.chips:
                boxes += self._switch(node, box)
                lines += self._switch_names(node, box)
                continue
            tone, radius = self._tone(node), 0.28 if node < self.topology.ranks else 0.12
            look = (tone, "", 0.0) if self._full(node) else ("panel", tone, EDGE)
            color, edge, width = look
            round_by = radius * min(box.width, box.height)
            boxes.append(ColoredBox(box, color, round_by, edge, width, name=f"node-{node}"))
            by_kind.setdefault(self.topology.kind_of(node), []).append(node)
        for kind, nodes in by_kind.items():
            lines += self._names(self.called(kind), nodes)
        if not self._size([f"{node}" for node in by_kind["rank"]], by_kind["rank"]):
            lines += self._tray_names()
        return Drawing(tuple(boxes), (), tuple(lines))

    def _switch(self, node: int, box: Box) -> Iterator[ColoredBox]:
        """A switch of several chips: a box round them."""
        edge = self._tone(node) if self._full(node) else "edge"
        color, width = "" if self.layout.wired else "panel", EDGE if self._full(node) else 2.0
        yield ColoredBox(box, color, 10.0, edge, width, name=f"node-{node}")
        for chip in self.chips[node]:
            radius = 0.12 * min(chip.width, chip.height)
            full = self.filled or self._full(node)
            look = (self._tone(node), "", 0.0) if full else ("background", self._tone(node), EDGE)
            yield ColoredBox(chip, look[0], radius, *look[1:], name=f"chip-{node}")

    def _switch_names(self, node: int, box: Box) -> Iterator[TextLine]:
        """Its name on top of it, and those of its chips where they fit."""
        kind, number = self.topology.label(node).rpartition(" ")[::2]
        chips = self.chips[node]
        size = min(LARGEST, 0.7 * (chips[0].top - box.top))
        yield TextLine(
            f"{self.called(kind)} {number}", box.left + 14, box.top + 1.15 * size, size, "ink"
        )
        names = [f"{self.called('chip')} {place}" for place in range(len(chips))]
        if size := self._fitting(names, chips):
            color = "now_ink" if self.filled or self._full(node) else "ink"
            for chip, text in zip(chips, names, strict=True):
                yield TextLine(text, chip.x, chip.y + 0.36 * size, size, color, align="center")

    def _tray_names(self) -> Iterator[TextLine]:
        """The ranks of each tray, outside of it."""
        for frame in map(self._there, self.layout.frames):
            inside = [
                rank for rank in range(self.topology.ranks) if frame.overlaps(self.boxes[rank])
            ]
            if inside:
                above = frame.y < self.room.y
                base = frame.top - 8 if above else frame.bottom + 24
                text = f"{inside[0]}-{inside[-1]}"
                yield TextLine(text, frame.x, base, SMALLEST, "faint", align="center")

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
        size, texts = self._size(names, nodes), names
        if not size:
            size, texts = self._size(numbers, nodes), numbers
            beside = [kind] if size else [kind, f"{numbers[0]}-{numbers[-1]}"]
            room = Box.between(0.0, 0.0, first.left - 14, 2 * KIND)  # of what stands beside them
            fits = self.layout.in_rows and self._fitting(beside, [room] * len(beside))
            for row, text in enumerate(beside if fits else ()):
                base = first.y + (0.36 + 1.2 * (row + 0.5 - len(beside) / 2)) * KIND
                yield TextLine(text, first.left - 14, base, min(KIND, fits), "faint", align="right")
        if size:
            for node, text in zip(nodes, texts, strict=True):
                box, color = self.boxes[node], "now_ink" if self._full(node) else "ink"
                yield TextLine(text, box.x, box.y + 0.36 * size, size, color, align="center")
        elif not self.layout.in_rows:
            for node in nodes[:: -(-len(nodes) // 16)]:
                x, y = self._inwards(self.boxes[node])
                yield TextLine(numbers[node], x, y + 0.36 * KIND, KIND, "ink", align="center")

    def _size(self, texts: list[str], nodes: list[int]) -> float:
        """The size in which each text fits into its node, 0 where it would be too small."""
        return self._fitting(texts, [self.boxes[node] for node in nodes])

    def _fitting(self, texts: list[str], boxes: Sequence[Box]) -> float:
        """The size in which each text fits into its box, 0 where it would be too small."""
        from animations.drawing.glyphs import text_width  # needs cairo, as not all pages do

        pairs = zip(texts, boxes, strict=True)
        plain = ((WIDE.sub("00", t), b) for t, b in pairs)  # a page needs no font of such signs
        rooms = (min(0.9 * b.width / text_width(t, 1), 0.95 * b.height) for t, b in plain)
        size = min(LARGEST, *rooms)
        return size if size >= SMALLEST else 0.0

    def _inwards(self, box: Box) -> Point:
        """A place beside a node, towards the middle of the room."""
        x, y = self.room.x - box.x, self.room.y - box.y
        length = hypot(x, y) or 1.0
        return box.x + x / length * INWARDS, box.y + y / length * INWARDS

    def link(
        self, src: int, dst: int, tone: str, width: float, shift: float = 0.0
    ) -> tuple[Stroke, ...]:
        """A line from one node to another, round the others where they lie between.

        Of a switch of several chips a thinner line to each of them.

        shift: to the right of its way, in pixels, so that two directions lie beside each other.
        """
        chips = self.chips if self.layout.wired else {}
        begins, ends = (chips.get(node, (self.boxes[node],)) for node in (src, dst))
        pairs = [(begin, end) for begin in begins for end in ends]
        thin = width / len(pairs) ** 0.5
        return tuple(self._line(src, dst, pair, (tone, thin, shift)) for pair in pairs)

    def _line(
        self, src: int, dst: int, boxes: tuple[Box, Box], look: tuple[str, float, float]
    ) -> Stroke:
        """One of the lines of a link, in a tone, of a width, shifted."""
        tone, width, shift = look
        (x0, y0), (x1, y1) = start, end = self._ends(*boxes, shift)
        name = f"link-{src}-{dst}"
        if (src, dst) not in self.layout.curved:
            return Stroke((start, end), tone, width, name=name)
        way = 1 if shift or start < end else -1  # both directions bend to the same side
        length = max(1.0, hypot(x1 - x0, y1 - y0))
        bend = way * min(0.35, 1.5 * self.boxes[src].width / length)
        middle = (x0 + x1) / 2 - bend * (y1 - y0), (y0 + y1) / 2 + bend * (x1 - x0)
        return Stroke((start, middle, end), tone, width, name=name)

    def _ends(self, first: Box, second: Box, shift: float) -> tuple[Point, Point]:
        """Where a link begins and ends: upright where one node is above the other."""
        x0, x1 = first.x, second.x
        if abs(first.y - second.y) > 1:  # a wide node is met above or below the narrow one
            if first.width <= second.width:
                x1 = _within(first.x, second)
            else:
                x0 = _within(second.x, first)
        y0, y1 = first.y, second.y
        if self.layout.in_rows and abs(y1 - y0) > (first.height + second.height) / 2:
            way = 1 if y1 > y0 else -1  # from edge to edge: a flat line would cross what is beside
            y0, y1 = y0 + way * (first.height / 2 - 1), y1 - way * (second.height / 2 - 1)
            return (x0 - way * shift, y0), (x1 - way * shift, y1)
        length = hypot(x1 - x0, y1 - y0) or 1.0
        across, down = (y0 - y1) / length * shift, (x1 - x0) / length * shift
        return (x0 + across, y0 + down), (x1 + across, y1 + down)


def _within(x: float, box: Box) -> float:
    room = max(0.0, box.width / 2 - 4)
    return min(max(x, box.x - room), box.x + room)
