"""Why few messages are enough for an all-to-all: a distance is a sum of hops, digit by digit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine
from animations.whys.rivals import busiest, counted
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN
from animations.whys.teller import Teller
from animations.whys.why import Joined, Why
from collectives.recording.recording import Recording
from collectives.units import number_text

LABEL, ABOVE, BELOW = 330.0, 110.0, 176.0  # pixels beside, above and below the cells
BLOCK, SUM, WORDS = 44.0, 36.0, 720.0  # pixels of a block that is sent, of a sum, and for it
LAST = 0.85  # part of a sentence
FOLLOWED, ALL, AGAIN, PRICE = range(1, 5)  # the sentences
Hops = list[tuple[int, tuple[int, ...]]]  # by step how far, and blocks of which distances


@dataclass(frozen=True, eq=False)
class HopTable:
    """A row for each step, a column for each distance; a cell is filled where a block hops.

    hops: of each step how far it carries, and the distances of the blocks it carries. followed: the
    distance that is spoken of first. names: of steps. above: of the distances. prices: what a port
    sends in each step; total: their sum; straight: that of blocks which are sent straight.
    """

    ranks: int
    hops: tuple[tuple[int, tuple[int, ...]], ...]
    followed: int
    names: tuple[str, ...]
    above: str
    prices: tuple[str, ...]
    total: str
    straight: str = ""

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        part = min(1.0, time / LAST)
        boxes, lines = list[ColoredBox](), list[TextLine]()
        title = room.left + LABEL - 24
        lines.append(TextLine(self.above, title, room.top + 66, 32, "faint", align="right"))
        for distance in range(1, self.ranks):
            x, tone = self.cell(room, 0, distance).x, f"rank {distance}"
            lit = tone if item > FOLLOWED or distance == self.followed else "faint"
            lines.append(TextLine(str(distance), x, room.top + 70, 44, lit, "bold", "center"))
        for row, (hop, carried) in enumerate(self.hops):
            y = self.cell(room, row, 1).y
            lines.append(TextLine(self.names[row], title, y + 12, 32, "ink", align="right"))
            for distance in range(1, self.ranks):
                cell = self.cell(room, row, distance)
                boxes.append(ColoredBox(cell, "well", 6, "edge", 2))
                come = self._come(item, part, row, distance) if distance in carried else 0.0
                if come:
                    high = cell.height * MOTION.eased(come)
                    filled = Box(cell.x, cell.bottom - high / 2, cell.width, high)
                    boxes.append(ColoredBox(filled, f"rank {distance}", 6))
                if come >= 1:
                    size = min(40.0, 0.8 * cell.height)
                    at = cell.x, cell.y + 0.35 * size, size
                    lines.append(TextLine(f"+ {hop}", *at, "background", "bold", "center"))
            if item == PRICE and part * (len(self.hops) + 2) >= row + 0.5:
                x = self.cell(room, row, self.ranks - 1).right + 24
                lines.append(TextLine(f"{self.prices[row]} S", x, y + 14, 40, "now", "bold"))
        lines.extend(self._summed(room, item, part))
        sums = self._blocks(room, part) if item == PRICE else Drawing()
        return Drawing(tuple(boxes), (), tuple(lines)) + sums

    def _summed(self, room: Box, item: int, part: float) -> Iterator[TextLine]:
        """Below each distance how often its blocks are sent, then the sum of all steps."""
        for distance in range(1, self.ranks if item >= AGAIN else 1):
            cell, count = self.cell(room, len(self.hops) - 1, distance), self.times(distance)
            if item > AGAIN or part * self.ranks >= distance:
                text = f"{count} \u00d7", cell.x, cell.bottom + 50
                yield TextLine(*text, 36, "now" if count > 1 else "faint", "bold", "center")

    def _blocks(self, room: Box, part: float) -> Drawing:
        """All blocks that a rank sends side by side, step by step; below, those sent straight."""
        steps = [[f"rank {distance}" for distance in carried] for _, carried in self.hops]
        come = max(0, int(part * (len(steps) + 2) + 0.5))
        whole = f"{' + '.join(self.prices)} = {self.total}" if come > len(steps) else ""
        rows = [([*chain(*steps[:come])], whole, "now")]
        if come > len(steps) and self.straight:
            rows.append((["faint"] * (self.ranks - 1), self.straight, "ink"))
        pitch = min(BLOCK, (room.width - LABEL - WORDS) / sum(map(len, steps)))
        boxes, lines, left = list[ColoredBox](), list[TextLine](), room.left + LABEL
        for row, (tones, text, ink) in enumerate(rows):
            y = room.bottom - 80 + 56 * row
            for place, tone in enumerate(tones):
                box = Box(left + (place + 0.5) * pitch, y, 0.88 * pitch, 0.88 * BLOCK)
                boxes.append(ColoredBox(box, tone, 4))
            lines.append(TextLine(text, left + len(tones) * pitch + 24, y + 13, SUM, ink, "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def times(self, distance: int) -> int:
        """How often a block of a distance is sent."""
        return sum(distance in carried for _, carried in self.hops)

    def cell(self, room: Box, row: int, distance: int) -> Box:
        """The cell of a step and a distance."""
        wide = (room.width - LABEL - 150) / (self.ranks - 1)
        high = min(190.0, (room.height - ABOVE - BELOW) / len(self.hops))
        x = room.left + LABEL + (distance - 0.5) * wide
        return Box(x, room.top + ABOVE + (row + 0.5) * high, 0.86 * wide, 0.8 * high)

    def _come(self, item: int, part: float, row: int, distance: int) -> float:
        """How far a cell is filled: first those of the distance that is followed, then all."""
        if item > ALL or (item == ALL and distance == self.followed):
            return 1.0
        if item == FOLLOWED and distance != self.followed:
            return 0.0
        return min(1.0, max(0.0, part * len(self.hops) - row))


def digit_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-to-all in which blocks hop by growing distances, in fewer steps than one by one."""
    n, recording = facts.ranks, facts.recording
    if recording.collective.name != "all_to_all" or not 4 <= n <= MOST_DRAWN or not facts.even:
        return
    hops, pairwise = hops_of(recording), again(recording, "pairwise", n)
    if not hops or pairwise is None or len(hops) >= n - 1:
        return
    ways = {d: [hop for hop, carried in hops if d in carried] for d in range(1, n)}
    if any(sum(way) != distance for distance, way in ways.items()):
        return
    followed = max(ways, key=lambda d: (len(ways[d]) == 2, ways[d][-1] - ways[d][0], d))
    both = recording, pairwise
    loads = [counted(played, "sent", both) for played in both]
    if len(ways[followed]) != 2 or busiest(loads[0]) <= busiest(loads[1]):
        return
    vectors = [number_text(busiest(load)) for load in loads]
    sums, lengths = " + ".join(map(str, ways[followed])), ", ".join(str(hop) for hop, _ in hops)
    alone, twice = len(loads[1][0]), sum(len(way) > 1 for way in ways.values())
    sentences = [
        tell("digits_straight", steps=tell.say.plural(alone, "step")),
        tell("digits_hops", hops=lengths, way=f"{followed} = {sums}"),
        tell("digits_share", messages=tell.say.plural(len(hops), "message"), alone=alone),
        tell("digits_again", number=twice, blocks=tell.say.plural(n - 1, "block")),
        tell("digits_price", number=vectors[0], alone=vectors[1]),
    ]
    straight, hopping = (
        _table_of(tell, n, rows, tell.decimal(total), followed)
        for rows, total in ((hops_of(pairwise), ""), (hops, f"{vectors[0]} S"))
    )
    hopping = replace(hopping, straight=f"{n - 1}/{n} = {tell.decimal(vectors[1])} S")
    turns = (straight, ALL), *((hopping, item) for item in range(FOLLOWED, PRICE + 1))
    aside = tell("digits_aside", ranks=tell.ranks(n))
    yield tell.why("digits", sentences, Joined(turns), aside, 3, idea=True)


def _table_of(tell: Teller, ranks: int, hops: Hops, total: str, followed: int) -> HopTable:
    """The table of some hops, with the fraction of the vector that each step sends."""
    names = (tell("digits_step", number=k, hop=hop) for k, (hop, _) in enumerate(hops, 1))
    prices = tuple(f"{len(carried)}/{ranks}" for _, carried in hops)
    above = tell("digits_distance")
    return HopTable(ranks, tuple(hops), followed, tuple(names), above, prices, total)


def hops_of(recording: Recording) -> Hops:
    """Of each step how far it carries, and blocks of which distances; nothing where ranks differ.

    A block's distance is from its rank to the one that it is for, round all of them; of a chunk
    that all get, from who gets it to whose it is.
    """
    n, gathers = recording.ranks, recording.collective.name == "all_gather"
    home = {(rank, slot): (rank, slot) for rank in range(n) for slot in range(n)}
    hops: Hops = []
    for step in recording.steps:
        rows = step.unrolled()
        arrived, carried = {}, dict[int, set[tuple[int, int]]]()
        columns = (rows.src, rows.dst, rows.chunk, rows.into)
        for src, dst, slot, into in zip(*(column.tolist() for column in columns), strict=True):
            block = home.get((src, slot))
            if block is None:
                return []
            arrived[dst, into] = block
            if src != dst:
                ends = (src - dst, slot - dst) if gathers else (dst - src, block[1] - block[0])
                carried.setdefault(src, set()).add((ends[0] % n, ends[1] % n))
        home |= arrived
        if carried:
            alike = carried[0] if len(carried) == n else set[tuple[int, int]]()
            if any(pairs != alike for pairs in carried.values()) or len({h for h, _ in alike}) != 1:
                return []
            hops.append((next(iter(alike))[0], tuple(sorted(distance for _, distance in alike))))
    return hops
