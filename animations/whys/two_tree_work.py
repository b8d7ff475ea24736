"""Why two trees: who works hard in one is a leaf of the other, so the work evens out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Align, Box, ColoredBox, Point, Stroke, TextLine
from animations.stages.seats import row_of
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.structure import TwoTrees
from collectives.structure.trees import depths
from collectives.units import size_beside

ALONE, BOTH, EVEN = range(1, 4)  # the sentences
TONES = ("rank 0", "rank 1")
NODE, CARD = 22.0, 118.0  # pixels: radius of a node, height of a card


@dataclass(frozen=True, eq=False)
class TwoTreeWork:
    """A card for each rank with the bytes it sends in either tree, one above and one below.

    work: by tree and rank bytes that it sends. chosen: a leaf of the first, inner in the second.
    """

    parents: tuple[tuple[int, ...], ...]
    work: tuple[tuple[int, ...], ...]
    sizes: tuple[str, ...]
    alone: tuple[str, ...]
    chosen: int
    leaf: str
    inner: str
    names: tuple[str, str]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        flash = item == BOTH
        drawing = self._tree(room, 0, 1.0, flash and int(4 * time) % 2 == 0)
        if item > ALONE:
            come = MOTION.eased(min(1.0, 3 * time)) if item == BOTH else 1.0
            drawing += self._tree(room, 1, come, flash and int(4 * time) % 2 == 1)
        part = MOTION.eased(min(1.0, time / 0.8))
        grown = part if item == ALONE else 1.0
        return drawing + self._cards(room, grown, part if item == EVEN else 0.0, item == BOTH)

    @cached_property
    def _row(self) -> list[int]:
        """The ranks from left to right, as on the stage."""
        return row_of(self.parents)

    def _card(self, room: Box, rank: int) -> Box:
        pitch = room.width / len(self.sizes)
        return Box(room.left + (self._row.index(rank) + 0.5) * pitch, room.y, 0.9 * pitch, CARD)

    def _cards(self, room: Box, grown: float, even: float, lit: bool) -> Drawing:
        """The cards with their bars; even: how far the second tree has taken half of the data."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        longest = 2 * max(max(work) for work in self.work)
        for rank, size in enumerate(self.sizes):
            box = self._card(room, rank)
            edge = "now" if lit and rank == self.chosen else "edge"
            boxes.append(ColoredBox(box, "panel", 10, edge, 3))
            inner = box.width - 16
            lines.append(TextLine(str(rank), box.x, box.top + 32, 30, "ink", "bold", "center"))
            boxes.append(ColoredBox(Box(box.x, box.y + 4, inner, 20), "well", 3))
            left = box.x - inner / 2
            first, second = (work[rank] for work in self.work)
            parts = grown * (2 - even) * first, even * second
            for bytes_sent, tone in zip(parts, TONES, strict=True):
                wide = inner * bytes_sent / longest
                if wide > 0.5:
                    bar = Box.between(left, box.y - 6, left + wide, box.y + 14)
                    boxes.append(ColoredBox(bar, tone, 2))
                left += wide
            text = size if even else self.alone[rank]
            if grown == 1 and even in (0, 1) and text_width(text, 24, "bold") < box.width:
                face = "bold" if even else "sans"
                base = box.bottom - 12
                lines.append(TextLine(text, box.x, base, 24, "ink", face, "center"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _tree(self, room: Box, number: int, come: float, lit: bool) -> Drawing:
        """A tree above the cards, or below them; lit: the links of the chosen rank."""
        parent, tone = self.parents[number], TONES[number]
        depth = depths(parent)
        levels = max(depth) + 1
        way = 1 if number else -1
        start = room.y + way * (CARD / 2 + 34)
        pitch = (room.height / 2 - CARD / 2 - 70) / max(levels - 1, 1)

        def at(rank: int) -> Point:
            return self._card(room, rank).x, start + way * come * (levels - 1 - depth[rank]) * pitch

        strokes, boxes, lines = list[Stroke](), list[ColoredBox](), list[TextLine]()
        for rank, above in enumerate(parent):
            touched = lit and self.chosen in (rank, above)
            if above >= 0:
                width = 7.0 if touched else 4.0
                strokes.append(Stroke((at(rank), at(above)), "now" if touched else tone, width))
            x, y = at(rank)
            is_inner = rank in parent
            radius = NODE if is_inner else 0.5 * NODE
            color = "now" if lit and rank == self.chosen else "panel"
            node = Box(x, y, 2 * radius, 2 * radius)
            boxes.append(ColoredBox(node, color, radius, tone, 3))
            if is_inner:
                ink = "now_ink" if color == "now" else "ink"
                lines.append(TextLine(str(rank), x, y + 9, 24, ink, "bold", "center"))
        aside = at(parent.index(-1))[0] < room.x  # the root stands on the other side
        x, y = room.right if aside else room.left, room.bottom - 4 if number else room.top + 8
        align: Align = "right" if aside else "left"
        lines.append(TextLine(self.names[number], x, y, 34, tone, "bold", align))
        if lit:
            text = self.inner if number else self.leaf
            lines.append(TextLine(text, room.x, y, 34, "now", "bold", "center"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def two_tree_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of two trees that each carry half of the data, where that makes the hardest work less."""
    trees = facts.recording.structure
    if not isinstance(trees, TwoTrees) or facts.ranks > MOST_DRAWN or not facts.even:
        return
    work = tuple(tuple(sent_of(facts, chunks)) for chunks in trees.chunks)
    parents = trees.parents
    ranks = range(facts.ranks)
    both = (rank for rank in ranks if not parents[0].count(rank) and parents[1].count(rank) > 1)
    chosen = next(both, -1)
    total = [sum(pair) for pair in zip(*work, strict=True)]
    alone, size = [2 * moved for moved in work[0]], facts.size
    hard = max(alone)
    if 2 * alone.count(hard) * hard <= sum(alone):
        return
    if chosen < 0 or max(total) >= hard or len({*map(len, trees.chunks)}) > 1:
        return
    sizes = [size_beside(moved, size) for moved in total]
    names = tell("trees_name", letter="A"), tell("trees_name", letter="B")
    leaf, inner = tell("trees_leaf"), tell("trees_inner")
    texts = tuple(sizes), tuple(size_beside(moved, size) for moved in alone)
    picture = TwoTreeWork(parents, work, *texts, chosen, leaf, inner, names)
    known = tell("trees_alone", number=alone.count(hard), ranks=facts.ranks)
    even = {"size": size_beside(max(total), size), "most": size_beside(hard, size)}
    sentences = [known, tell("trees_both", rank=chosen), tell("trees_even", **even)]
    aside = tell("trees_aside", ranks=tell.ranks(facts.ranks), size=size_beside(size, size))
    yield tell.why("trees", sentences, picture, aside, ALONE)


def sent_of(facts: WhyFacts, chunks: tuple[int, ...]) -> list[int]:
    """Bytes that each rank sends of some chunks, all of one size."""
    recording = facts.recording
    moved = np.zeros(recording.nodes, np.intp)
    for step in recording.steps:
        rows = step.unrolled()
        counted = (rows.src != rows.dst) & np.isin(rows.chunk, chunks)
        np.add.at(moved, rows.src[counted], 1)
    unit = int(recording.size[0]) * recording.dtype.itemsize
    return [unit * int(number) for number in moved[: facts.ranks]]
