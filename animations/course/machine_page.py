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
SMALLEST, LEAST, KIND = 22.0, 16.0, 26.0  # pixels of a node's name, number, and its kind's name


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
            texts = (self._facts(kind), self._kind(kind))
            for line, text in enumerate(texts):
                at = base + 42 + 38 * line
                found.append(text_block(text, FACTS, at, RIGHT - FACTS, 28, "faint", 1))
        return joined(found)

    def _facts(self, kind: LinkKind) -> str:
        """Which way its bandwidth counts, and its latency, if it has one."""
        way = self.say("course.each_way" if kind.both else "course.one_way")
        if not kind.latency:
            return way
        return self.say("course.with_latency", way=way, latency=time_text(kind.latency))

    def _kind(self, kind: LinkKind) -> str:
        """How many there are, and what they join."""
        ends = (" ↔ " if kind.both else " → ").join(map(self._name, kind.ends))
        return f"{kind.number} × {ends}"

    def _name(self, kind: str) -> str:
        """The name of a kind of node."""
        key = f"machines.{kind.replace(' ', '_')}"
        return self.say(key) if key in self.say.patterns else kind

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
        boxes, lines, named = [], list[TextLine](), set[str]()
        for node, box in enumerate(self._boxes):
            rank = node < self.topology.ranks
            radius = min(box.width, box.height) * (0.28 if rank else 0.12)
            boxes.append(ColoredBox(box, "rank 0" if rank else "rank 1", radius))
            kind, _, number = self.topology.label(node).rpartition(" ")
            kind = self._name(kind)
            name = f"{kind} {number}"
            size = _size(name, box)
            if size < SMALLEST:  # its number, and the kind at the left of the first
                name, size = number, _size(number, box)
                if kind not in named:
                    base = box.y + 0.36 * KIND
                    lines.append(TextLine(kind, box.left - 14, base, KIND, "ink", align="right"))
            named.add(kind)
            if size >= LEAST:
                base = box.y + 0.36 * size
                lines.append(TextLine(name, box.x, base, size, "now_ink", align="center"))
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


def _size(text: str, box: Box) -> float:
    """The size of a text in a node."""
    return min(28.0, 0.8 * box.width / text_width(text, 1), 0.6 * box.height)
