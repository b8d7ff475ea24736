"""A page of a machine: its nodes and links, the kind of link that is spoken of lit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from animations.course.page import BOTTOM, LEFT, RIGHT, TOP, Headed, joined, text_block
from animations.figures.machine import LinkKind, link_kinds
from animations.figures.topology_layout import HEIGHT, WIDTH, TopologyLayout, lay_out
from animations.film.glyphs import text_width
from animations.score.page import Drawing
from animations.stages.drawn import Stroke
from animations.story.drawing import Box, ColoredBox, TextLine
from collectives.cost.machines.topology import Topology
from collectives.units import rate_text, time_text

DRAWN = 1060.0  # pixels that the drawing is wide
FACTS = LEFT + DRAWN + 90  # where the figures of the links begin
SMALLEST = 15.0  # pixels of a node's number


@dataclass(frozen=True)
class MachinePage(Headed):
    """A topology; with each item the links of a kind are lit and their figures shown.

    lit: for each item the number of the kind, in the order of `link_kinds`.
    """

    topology: Topology | None = None
    lit: tuple[int, ...] = ()

    @property
    def items(self) -> int:
        """How many kinds of links are spoken of."""
        return len(self.lit)

    def at(self, item: int, time: float) -> Drawing:
        """The machine, with the figures of the kinds of links that have been spoken of."""
        now = self.lit[item - 1] if item else -1
        found = [self.head, self._links(now), self._nodes]
        pitch = min(190.0, (BOTTOM - TOP) / max(1, len(self._kinds)))
        for row, number in enumerate(dict.fromkeys(self.lit[:item])):
            kind, tone = self._kinds[number], "now" if number == now else "ink"
            base = TOP + 40 + pitch * row
            rate = rate_text(kind.bandwidth)
            each = f"{kind.lanes} × {rate}" if kind.lanes > 1 else rate
            found.append(Drawing(lines=(TextLine(each, FACTS, base, 44, tone, "bold"),)))
            way = "each way" if kind.both else "one way"
            texts = (f"{way}, latency {time_text(kind.latency)}", kind.name)
            for line, text in enumerate(texts):
                at = base + 42 + 38 * line
                found.append(text_block(text, FACTS, at, RIGHT - FACTS, 28, "faint", 1))
        return joined(found)

    @cached_property
    def _kinds(self) -> tuple[LinkKind, ...]:
        assert self.topology
        return link_kinds(self.topology)

    @cached_property
    def _layout(self) -> TopologyLayout:
        assert self.topology
        return lay_out(self.topology)

    @cached_property
    def _boxes(self) -> tuple[Box, ...]:
        """The nodes on this page; the layout's y points up."""
        scale = min(DRAWN / WIDTH, (BOTTOM - TOP) / HEIGHT)
        return tuple(
            Box(
                LEFT + scale * box.x,
                TOP + scale * (HEIGHT - box.y),
                scale * box.width,
                scale * box.height,
            )
            for box in self._layout.boxes
        )

    @cached_property
    def _nodes(self) -> Drawing:
        assert self.topology
        boxes, lines = [], []
        for node, box in enumerate(self._boxes):
            rank = node < self.topology.ranks
            radius = min(box.width, box.height) * (0.28 if rank else 0.12)
            boxes.append(ColoredBox(box, "rank 0" if rank else "rank 1", radius))
            inner = Box(box.x, box.y, box.width - 4, box.height - 4)
            boxes.append(ColoredBox(inner, "panel", max(1.0, radius - 2)))
            name = self.topology.label(node)
            for text in (name, name.rpartition(" ")[2]):
                size = min(28.0, 0.8 * box.width / text_width(text, 1), 0.6 * box.height)
                if size >= SMALLEST:
                    base = box.y + 0.36 * size
                    lines.append(TextLine(text, box.x, base, size, "ink", align="center"))
                    break
        return Drawing(tuple(boxes), (), tuple(lines))

    def _links(self, now: int) -> Drawing:
        """All links, those of the kind `now` lit."""
        assert self.topology
        topology = self.topology
        lit = self._kinds[now] if now >= 0 else None
        pale, bright = list[Stroke](), list[Stroke]()
        columns = (topology.src, topology.dst, topology.bandwidth, topology.latency)
        for src, dst, rate, latency in zip(*(each.tolist() for each in columns), strict=True):
            ends = {topology.kind_of(src), topology.kind_of(dst)}
            of_kind = lit and set(lit.ends) == ends
            is_lit = of_kind and (rate, latency) == (lit.bandwidth, lit.latency) if lit else False
            points = self._points(src, dst)
            found = Stroke(points, "now" if is_lit else "link", 5.0 if is_lit else 2.5)
            (bright if is_lit else pale).append(found)
        return Drawing(strokes=(*pale, *bright))

    def _points(self, src: int, dst: int) -> tuple[tuple[float, float], ...]:
        """Upright where one is above the other, bent where others lie between."""
        one, other = self._boxes[src], self._boxes[dst]
        x0, x1 = one.x, other.x
        if abs(one.y - other.y) > 1:
            narrow, wide = (one, other) if one.width <= other.width else (other, one)
            room = max(0.0, wide.width / 2 - 4)
            x = min(max(narrow.x, wide.x - room), wide.x + room)
            x0, x1 = (x0, x) if narrow is one else (x, x1)
        if (min(src, dst), max(src, dst)) not in self._layout.curved:
            return (x0, one.y), (x1, other.y)
        bend = 0.9 * one.height
        middle = (x0 + x1) / 2, (one.y + other.y) / 2 - bend
        return (x0, one.y), middle, (x1, other.y)
