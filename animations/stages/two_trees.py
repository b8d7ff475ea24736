"""Two trees: the ranks once, in a row, one tree above them and the other mirrored below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import hypot

from animations.drawing.card_shapes import card_shape
from animations.drawing.scenery import Card, CardShape, Chip, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box, Point
from animations.drawing.ways import spaced
from animations.stages.seats import depths, row_of
from animations.stages.staged import Staged
from collectives.structure import TwoTrees
from collectives.words import runs

TONES = ("rank 0", "rank 1")  # of the tree above and of the one below
LETTERS = ("A", "B")
SPREAD = 0.88  # of its room that a card fills
WIDEST, TALLEST = 200.0, 230.0  # of the room of a rank, and of a card
STEEPEST = 190.0  # pixels between two levels, at most
LOWEST_RISE = 26.0  # pixels between two levels, at least
KNOT, DOT = 31.0, 13.0  # size of a node with its number, and of one without
HEAD = 34.0  # height of the line with the name of a tree
SPACE = 4.0  # pixels between a card and the lowest knots


def two_trees(staged: Staged, box: Box, structure: TwoTrees) -> Scenery | None:
    """A node stands over its rank at the height of its level, in both trees."""
    pitch = min(box.width / staged.ranks, (box.width - KNOT) / max(1, staged.ranks - 1), WIDEST)
    tall = min(TALLEST, 0.27 * box.height, 90 + 2.2 * pitch)
    reach = (box.height - tall) / 2 - HEAD
    shape = _shape(staged, structure, SPREAD * pitch, tall)
    left = box.x - pitch * staged.ranks / 2
    if staged.nodes > staged.ranks:
        return None
    links, pairs = staged.lasting, enumerate(zip(*structure.parents, strict=True))
    one = [max([-1, *(up for up in pair if {rank, up} in links)]) for rank, pair in pairs]
    # a single tree, of which each is a side, if the links are no more than that needs
    trees = [one] if len(links) < staged.ranks and _rooted(one) else structure.parents
    seat = {rank: number for number, rank in enumerate(row_of(trees))}
    cards = tuple(
        staged.card(rank, left + (seat[rank] + 0.5) * pitch, box.y, shape)
        for rank in range(staged.ranks)
    )
    for scale in (1.0, 0.8, 0.64, 0.5):
        both = [
            Half(staged, structure, side, cards, reach, 0.5 * pitch, scale) for side in range(2)
        ]
        if all(half.is_clear for half in both):
            break
    if min(half.rise for half in both) < LOWEST_RISE:
        return None
    return Scenery(
        "two_trees",
        box,
        cards,
        staged.fold,
        lines=tuple(line for half in both for line in half.lines()),
        words=tuple(half.name(box) for half in both),
        chips=tuple(chip for half in both for chip in half.knots()),
        stream_ways={key: way for half in both for key, way in half.ways().items()},
        parcel=both[0].parcel,
    )


def _rooted(parents: list[int]) -> bool:
    """Whether every rank is below the only one that has nobody above it, which is -1."""
    ends = parents
    for _ in parents:
        ends = [-1 if above < 0 else parents[above] for above in ends]
    return parents.count(-1) == 1 and max(ends) < 0


def _shape(staged: Staged, structure: TwoTrees, width: float, height: float) -> CardShape:
    """Cells of the tree above in the upper row of a card, those of the other in the lower one."""
    wells = [{staged.fold.well[chunk] for chunk in chunks} for chunks in structure.chunks]
    sizes = tuple(map(len, wells))
    if sorted(wells[0]) + sorted(wells[1]) != list(range(staged.fold.wells)) or not all(sizes):
        return staged.shape(width, height)
    return card_shape(width, height, tuple((size,) for size in sizes), wraps=False)


@dataclass(frozen=True)
class Half:
    """One of the trees, above the row of cards or below it.

    reach: how far it may rise from the cards. wide: of a parcel, at most. scale: of parcels.
    """

    staged: Staged
    structure: TwoTrees
    side: int
    cards: tuple[Card, ...]
    reach: float
    wide: float
    scale: float

    @cached_property
    def parent(self) -> tuple[int, ...]:
        """The parent of each rank, -1 at the root."""
        return self.structure.parents[self.side]

    @cached_property
    def depth(self) -> list[int]:
        """How far each rank is from the root."""
        return depths(self.parent)

    @cached_property
    def rise(self) -> float:
        """Pixels from one level to the next."""
        return min((self.reach - KNOT) / max(1, *self.depth), STEEPEST)

    @cached_property
    def parcel(self) -> tuple[float, float]:
        """Width and height of a chunk on its way."""
        wide, high = min(34.0, self.wide), max(14.0, min(52.0, 0.62 * self.rise))
        return self.scale * wide, self.scale * high

    @cached_property
    def seats(self) -> tuple[Point, ...]:
        """Where each rank stands in this tree."""
        away = -1 if self.side == 0 else 1
        deepest = max(self.depth)
        return tuple(
            (
                card.x,
                card.y
                + away * (card.shape.height / 2 + KNOT / 2 + SPACE + self.rise * (deepest - level)),
            )
            for card, level in zip(self.cards, self.depth, strict=True)
        )

    @cached_property
    def sizes(self) -> tuple[float, ...]:
        """The size of each knot: those with children bear a number, where there is room.

        And so do leaves that have children in neither tree, at the end of their edge.
        """
        pitch, above = self.wide * 2, enumerate(self.parent)
        leaves = {rank for rank, up in above if {rank, up} in self.staged.lasting}
        inner = leaves.difference(*self.structure.parents).union(self.parent)
        rows: dict[int, list[float]] = {}
        for rank in inner - {-1}:
            rows.setdefault(self.depth[rank], []).append(self.seats[rank][0])
        distance = min(
            (b - a for row in rows.values() for a, b in pairwise(sorted(row))), default=2 * pitch
        )
        room = KNOT if distance >= KNOT + 4 else DOT
        return tuple(
            room if rank in inner or self.parent[rank] < 0 else min(DOT, 0.7 * pitch)
            for rank in range(self.staged.ranks)
        )

    @cached_property
    def steps(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The steps in which a chunk of this tree goes from one rank to another."""
        own = set(self.structure.chunks[self.side])
        links: dict[tuple[int, int], list[int]] = {}
        for number, messages in enumerate(self.staged.steps, 1):
            for message in messages:
                if own & {*message.chunks}:
                    numbers = links.setdefault((message.src, message.dst), [])
                    numbers += [number] * (numbers[-1:] != [number])
        return {link: tuple(numbers) for link, numbers in links.items()}

    def lines(self) -> Iterator[StageLine]:
        """A thread from each knot to its card, the edges, and what is lit of them."""
        away = -1 if self.side == 0 else 1
        tone = TONES[self.side]
        for (x, y), card in zip(self.seats, self.cards, strict=True):
            border = card.y + away * card.shape.height / 2
            yield StageLine(((x, y), (x, border)), width=1.2, tone="edge", fixed=True)
        for rank, above in enumerate(self.parent):
            if {rank, above} in self.staged.lasting:
                edge = self.seats[rank], self.seats[above]
                yield StageLine(edge, width=1.6, tone=tone, fixed=True)
        for (src, dst), steps in self.steps.items():
            lane = 4.0 if self._meets(src, dst) else 0.0
            ends = self._edge(src, dst, self.sizes[src] / 2 + 2, self.sizes[dst] / 2 + 2)
            x, y = _across(ends)
            yield StageLine(
                tuple((px + lane * x, py + lane * y) for px, py in ends),
                steps,
                tone,
                5.0,
                hidden=True,
                link=(src, dst),
            )

    @cached_property
    def _ways(self) -> tuple[dict[tuple[int, int], Way], bool]:
        ways = {link: self._way(*link) for link in self.steps}
        return spaced(ways, self.steps, self.parcel) if self.staged.fold.is_plain else (ways, True)

    @property
    def is_clear(self) -> bool:
        """Whether no two parcels meet where ways cross."""
        return self._ways[1]

    def ways(self) -> dict[tuple[int, int, int], Way]:
        """The way of each chunk of the tree: of two that would meet at a crossing one is ahead."""
        chunks = self.structure.chunks[self.side]
        return {(*link, chunk): way for link, way in self._ways[0].items() for chunk in chunks}

    def _way(self, src: int, dst: int) -> Way:
        """From beside one knot to beside the other, in the lane of its direction."""
        (wide, high), lane = self.parcel, 0.0
        if self._meets(src, dst):
            x, y = _across(self._edge(src, dst, 0, 0))
            lane = 0.46 * min(wide / max(abs(x), 1e-9), high / max(abs(y), 1e-9))
        return _moved(self._edge(src, dst, self._beside(src, dst), self._beside(dst, src)), lane)

    def _meets(self, src: int, dst: int) -> bool:
        """Whether data goes both ways in one step."""
        return not {*self.steps[src, dst]}.isdisjoint(self.steps.get((dst, src), ()))

    def _beside(self, rank: int, peer: int) -> float:
        """How far before a knot a parcel rests on an edge: those of one side stand in a row."""
        x, y = self.seats[rank]

        def flat(end: int) -> float:
            return abs(self.seats[end][0] - x) / max(1.0, abs(self.seats[end][1] - y))

        ends = {b if a == rank else a for a, b in self.steps if rank in (a, b)}
        beside = sorted(
            (end for end in ends if (self.seats[end][0] > x) == (self.seats[peer][0] > x)), key=flat
        )
        (u, v), (wide, high) = self.seats[peer], self.parcel
        length = hypot(u - x, v - y) or 1.0
        across, along = abs(u - x) / length, abs(v - y) / length
        knot, chunks = self.sizes[rank], len(self.structure.chunks[self.side])
        pack = wide * (1 if {rank, peer} in self.staged.lasting else chunks)  # all that is swapped
        first = min((pack + knot) / 2 / max(across, 1e-9), (high + knot) / 2 / max(along, 1e-9)) + 3
        return first + beside.index(peer) * (wide + 4) / max(across, 0.3)

    def _edge(self, src: int, dst: int, src_gap: float, dst_gap: float) -> Way:
        """From one knot to the other, so far from their middles, but never past each other."""
        (x, y), (u, v) = self.seats[src], self.seats[dst]
        length = hypot(u - x, v - y) or 1.0
        src_gap, dst_gap = (min(gap, 0.42 * length) for gap in (src_gap, dst_gap))
        dx, dy = (u - x) / length, (v - y) / length
        return (x + src_gap * dx, y + src_gap * dy), (u - dst_gap * dx, v - dst_gap * dy)

    def knots(self) -> Iterator[Chip]:
        """A node of the tree for each rank, lit while it sends or receives."""
        for rank, ((x, y), size) in enumerate(zip(self.seats, self.sizes, strict=True)):
            steps = {s for link, steps in self.steps.items() if rank in link for s in steps}
            text = f"{rank}" if size == KNOT else ""
            tone = TONES[self.side]
            box = Box(x, y, size, size)
            yield Chip(box, text, tuple(sorted(steps)), tone, above=True, node=rank)

    def name(self, box: Box) -> Word:
        """Which chunks go over this tree, in the corner away from its root."""
        root = self.parent.index(-1)
        on_left = self.seats[root][0] > box.x
        say, chunks = self.staged.say, self.structure.chunks[self.side]
        noun = say.several("chunk") if len(chunks) > 1 else say.noun("chunk")
        numbers = ", ".join(runs(chunks, "–"))
        text = say("stage.tree", letter=LETTERS[self.side], noun=noun, numbers=numbers)
        base = box.top + 22 if self.side == 0 else box.bottom - 10
        x = box.left + 4 if on_left else box.right - 4
        return Word(text, x, base, 24, TONES[self.side], "left" if on_left else "right", bold=True)


def _moved(way: Way, pixels: float) -> Way:
    """A straight way, so far to the right."""
    x, y = _across(way)
    return tuple((px + pixels * x, py + pixels * y) for px, py in way)


def _across(way: Way) -> Point:
    """One pixel to the right of a straight way, as seen from its start."""
    (x, y), (u, v) = way[0], way[-1]
    length = hypot(u - x, v - y) or 1.0
    return -(v - y) / length, (u - x) / length
