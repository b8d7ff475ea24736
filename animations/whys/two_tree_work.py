"""Why two trees: who works hard in one is a leaf of the other, so the work evens out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import MOTION, Align, Box, ColoredBox, Point, Stroke, TextLine
from animations.stages.seats import row_of
from animations.whys.sends import WhyFacts
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.waves import wave_whys
from animations.whys.why import Why
from collectives.recording.recording import Recording
from collectives.structure import Tree, TwoTrees
from collectives.structure.trees import depths
from collectives.units import size_beside

ONE, ALONE, BOTH, EVEN = range(1, 5)  # the sentences
TONES = ("rank 0", "rank 1")
BEGUN, MOVED = 0.15, 0.92  # of the first sentence: until something is sent; all of it is
NODE, CARD, PARCEL = 22.0, 118.0, 36.0  # pixels: radius of a node, height of a card; a parcel


@dataclass(frozen=True, eq=False)
class TwoTreeWork:
    """A card for each rank with the bytes it sends in either tree, one above and one below.

    work: by tree and rank bytes that it sends. hops: of a chunk of the first tree, each with its
    step. chosen: a leaf of the first, inner in the second; -1 where the first is alone. end: 1
    where it is bytes that a rank takes in.
    """

    parents: tuple[tuple[int, ...], ...]
    work: tuple[tuple[int, ...], ...]
    hops: tuple[tuple[int, int, int], ...]
    sizes: tuple[str, ...]
    alone: tuple[str, ...]
    chosen: int
    leaf: str
    inner: str
    names: tuple[str, str] = ("", "")
    end: int = 0

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part, flash = MOTION.eased(min(1.0, 2 * time)), item == BOTH
        come = part if flash else float(item > BOTH)
        low = room.bottom + (1 - come) * (room.height - CARD)  # one tree has all the room
        room = Box.between(room.left, room.top, room.right, low)
        lit = [flash and come == 1 and int(4 * time) % 2 == tree for tree in range(2)]
        drawing = self._tree(room, 0, 1.0, lit[0])
        if item > ALONE:
            drawing += self._tree(room, 1, come, lit[1])
        moved = float(np.clip((time - BEGUN) / (MOVED - BEGUN), 0, 1)) if item == ONE else 1.0
        drawing += self._cards(room, moved, part if item == EVEN else 0.0, item)
        return drawing + Drawing(tuple(self._sends(room, moved)))

    def _ways(self, moved: float) -> list[tuple[int, int, float]]:
        """Each hop of a chunk over the first tree, and how much of it is done."""
        steps = 1 + max(step for *_, step in self.hops)
        return [
            (src, dst, MOTION.eased(min(1.0, max(0.0, steps * moved - step))))
            for src, dst, step in self.hops
        ]

    def _sends(self, room: Box, moved: float) -> Iterator[ColoredBox]:
        """What is on its way over the edges of the first tree: up, or down in gold."""
        for src, dst, way in self._ways(moved):
            if 0 < way < 1:
                (x, y), (u, v) = (self._at(room, 0, end) for end in (src, dst))
                at = 0.12 + 0.76 * way
                parcel = Box(x + at * (u - x), y + at * (v - y), PARCEL, PARCEL)
                yield ColoredBox(parcel, "now" if v > y else f"rank {src % 8}", 6, "ink", 2)

    def _sent(self, rank: int, moved: float) -> float:
        """How much of what passes a rank in the first tree has arrived."""
        ways = [way for *ends, way in self._ways(moved) if ends[self.end] == rank]
        return sum(ways) / max(1, len(ways))

    @cached_property
    def _row(self) -> list[int]:
        """The ranks from left to right, as on the stage."""
        return row_of(self.parents)

    def _card(self, room: Box, rank: int) -> Box:
        pitch = room.width / len(self.sizes)
        return Box(room.left + (self._row.index(rank) + 0.5) * pitch, room.y, 0.9 * pitch, CARD)

    def _cards(self, room: Box, moved: float, even: float, item: int) -> Drawing:
        """The cards with their bars; even: how far the second tree has taken half of the data."""
        boxes, lines = list[ColoredBox](), list[TextLine]()
        longest = 2 * max(max(work) for work in self.work)
        texts = _unitless(self.sizes if even else self.alone, self._card(room, 0).width)
        for rank in range(len(texts)):
            box = self._card(room, rank)
            marks = item == ALONE or (self.chosen < 0 and moved == 1)
            hard = marks and 2 * self.work[0][rank] == longest
            edge = "now" if hard or (item == BOTH and rank == self.chosen) else "edge"
            boxes.append(ColoredBox(box, "panel", 10, edge, 3))
            inner = box.width - 16
            lines.append(TextLine(str(rank), box.x, box.top + 32, 30, "ink", "bold", "center"))
            boxes.append(ColoredBox(Box(box.x, box.y + 4, inner, 20), "well", 3))
            left = box.x - inner / 2
            first, second = (work[rank] for work in self.work)
            parts = self._sent(rank, moved) * (2 - even) * first, even * second
            for bytes_sent, tone in zip(parts, TONES, strict=True):
                wide = inner * bytes_sent / longest
                if wide > 0.5:
                    bar = Box.between(left, box.y - 6, left + wide, box.y + 14)
                    boxes.append(ColoredBox(bar, tone, 2))
                left += wide
            if moved == 1 and even in (0, 1):
                ink, face = "now" if hard else "ink", "bold" if even else "sans"
                line = TextLine(texts[rank], box.x, box.bottom - 12, 24, ink, face, "center")
                lines += [line] * (text_width(line.text, 24, "bold") < box.width)
        return Drawing(tuple(boxes), (), tuple(lines))

    def _path(self, tree: int, rank: int) -> tuple[int, ...]:
        """The places in the row of the ranks below the root of a tree, down to a rank."""
        above = self.parents[tree][rank]
        return (*self._path(tree, above), self._row.index(rank)) if above >= 0 else ()

    @cached_property
    def _moved(self) -> dict[int, int]:
        """Who stands in the first tree where each rank stands in the second, if both are alike."""
        rows = [sorted(self._row, key=partial(self._path, tree)) for tree in range(2)]
        deep = [[len(self._path(tree, rank)) for rank in rows[tree]] for tree in range(2)]
        return dict(zip(*reversed(rows), strict=True)) if deep[0] == deep[1] else {}

    def _at(self, room: Box, tree: int, rank: int, come: float = 1.0) -> Point:
        """A node's middle, so far on its way: from the first tree if it is alike, or the cards."""
        depth, way = depths(self.parents[tree]), 1 if tree else -1
        levels = max(depth)
        pitch = (room.height / 2 - CARD / 2 - 70) / max(levels, 1)
        x, low = self._card(room, rank).x, room.y + way * (CARD / 2 + 34)
        y, from_first = low + way * (levels - depth[rank]) * pitch, come < 1 and self._moved
        u, v = self._at(room, 0, from_first[rank]) if from_first else (x, low)
        return u + come * (x - u), v + come * (y - v)

    def _tree(self, room: Box, number: int, come: float, lit: bool) -> Drawing:
        """A tree above the cards, or below them; lit: the links of the chosen rank."""
        parent, tone = self.parents[number], TONES[number]
        at = partial(self._at, room, number, come=come)
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
            boxes.append(ColoredBox(Box(x, y, 2 * radius, 2 * radius), color, radius, tone, 3))
            if is_inner:
                ink = "now_ink" if color == "now" else "ink"
                lines.append(TextLine(str(rank), x, y + 9, 24, ink, "bold", "center"))
        aside = at(parent.index(-1))[0] < room.x  # the root stands on the other side
        x, y = room.right if aside else room.left, room.bottom - 4 if number else room.top + 8
        align: Align = "right" if aside else "left"
        lines += [TextLine(self.names[number], x, y, 34, tone, "bold", align)] * (come == 1)
        if lit:
            text = self.inner if number else self.leaf
            lines.append(TextLine(text, room.x, y, 34, "now", "bold", "center"))
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))


def _unitless(texts: tuple[str, ...], wide: float) -> list[str]:
    """Sizes without their unit, if it is the same and some are too wide for a card with it."""
    long = any(text_width(text, 24, "bold") >= wide for text in texts)
    bare = long and len({text.split()[-1] for text in texts}) == 1
    return [text.split()[0] if bare else text for text in texts]


def two_tree_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of two trees that each carry half of the data, where that makes the hardest work less."""
    trees = facts.recording.structure
    if not isinstance(trees, TwoTrees) or facts.ranks > MOST_DRAWN or not facts.even:
        return
    unit = int(facts.recording.size[0]) * facts.recording.dtype.itemsize
    ports = [Counter(src for src, *_ in _hops(facts, *chunks)) for chunks in trees.chunks]
    work = tuple(tuple(unit * sends[rank] for rank in range(facts.ranks)) for sends in ports)
    parents, ranks = trees.parents, range(facts.ranks)
    both = (rank for rank in ranks if not parents[0].count(rank) and parents[1].count(rank) > 1)
    chosen = next(both, -1)
    total = [sum(pair) for pair in zip(*work, strict=True)]
    alone, size = [2 * moved for moved in work[0]], facts.size
    hard = max(alone)
    if 2 * alone.count(hard) * hard <= sum(alone):
        return
    if chosen < 0 or max(total) >= hard or len({*map(len, trees.chunks)}) > 1:
        return
    names = tell("trees_name", letter="A"), tell("trees_name", letter="B")
    leaf, inner = tell("trees_leaf"), tell("trees_inner")
    sizes, shares = (tuple(size_beside(moved, size) for moved in sent) for sent in (total, alone))
    hops = tuple(_hops(facts, trees.chunks[0][0]))
    picture = TwoTreeWork(parents, work, hops, sizes, shares, chosen, leaf, inner, names)
    known = tell("trees_alone", number=alone.count(hard), ranks=facts.ranks)
    even = tell("trees_even", size=size_beside(max(total), size), most=size_beside(hard, size))
    down = "_down" * (not facts.recording.collective.reduces)
    sentences = [tell(f"trees_one{down}"), known, tell("trees_both", rank=chosen), even]
    aside = tell("trees_aside", ranks=tell.ranks(facts.ranks), size=size_beside(size, size))
    yield tell.why("trees", sentences, picture, aside, EVEN, idea=True)
    yield from wave_whys(facts, tell)


def one_tree(recording: Recording) -> TwoTreeWork:
    """A tree alone, and how many vectors each rank sends in it, or takes in where these add up."""
    assert isinstance(recording.structure, Tree)
    hops, end = tuple(_hops(WhyFacts(recording), 0)), int(recording.collective.reduces)
    work = tuple(sum(hop[end] == rank for hop in hops) for rank in range(recording.ranks))
    texts = tuple(f"{number} ×" if number else "" for number in work)
    both = (recording.structure.parent,), (work, work)
    return TwoTreeWork(*both, hops, texts, texts, -1, "", "", end=end)


def _hops(facts: WhyFacts, *chunks: int) -> Iterator[tuple[int, int, int]]:
    """Where chunks leave a rank for another: source, destination, step."""
    for number, step in enumerate(facts.recording.steps):
        rows = step.unrolled()
        for src, dst, moved in np.stack([rows.src, rows.dst, rows.chunk], axis=1).tolist():
            if moved in chunks and src != dst:
                yield src, dst, number
