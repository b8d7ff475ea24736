"""Strips of what leaves each port: a bar for each step, with the stripes of whose data it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from animations.whys.counted import Flying, counted_formula
from animations.whys.sends import Sent

NAME = 28.0  # pixels of the name of a rank
MOST_DRAWN = 16  # ranks that have a strip
GAP = 36.0  # pixels between cards
DIGIT = 22.0  # pixels of a bar with one digit below it
FRAMED = 12.0  # pixels of a bar that has an edge
HIGHEST = 300.0  # pixels of a card beside the formula
MIDDLE, LARGER = 310.0, 1.4  # pixels of the band between the rows of cards; its formula's size
ASIDE = 40.0  # pixels from the outer side of a card to an arrow that goes to the other row
LAST, FLIES = 0.7, 0.2  # of an item, in which steps come; in which their count becomes a term


@dataclass(frozen=True)
class Growth:
    """What comes with a sentence: steps up to a number, then terms of the formula; or a flash.

    flies: the number that becomes the first of the terms.
    """

    steps: int
    terms: tuple[int, ...] = ()
    flies: str = ""
    flash: bool = False


@dataclass(frozen=True, eq=False)
class Strips:
    """A card for each rank with its strip, and in the middle a count that becomes a formula.

    sends: by rank what left it in each step. laps: the steps that begin another lap. ring: the
    ranks in the order in which data runs round, empty where it does not. unit: a chunk as a part
    of the vector, in Typst.
    """

    names: tuple[str, ...]
    sends: tuple[tuple[Sent | None, ...], ...]
    laps: tuple[int, ...]
    ring: tuple[int, ...]
    unit: str
    source: str
    growths: tuple[Growth, ...]
    of_steps: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        growth = self.growths[item - 1]
        before = self.growths[item - 2].steps if item > 1 else 0
        count = before + min(1.0, time / LAST) * (growth.steps - before)
        flash = growth.flash and int(6 * time) % 2 == 0 and time < 1
        steps = self.growths[item - 1].steps if time >= LAST else int(count)
        return _cards(self, room, steps, flash) + self._count(room, item, time, steps)

    def lap(self, step: int) -> int:
        """In which lap a step is, from 0."""
        return sum(step >= first for first in self.laps)

    def stripes(self, bar: Box, sent: Sent | None) -> list[tuple[str, Box]]:
        """What is in a bar, with its tones: a stripe for each rank; of very many ranks a level."""
        if sent is None:
            return []
        count, inset = len(self.names), 3.0 if bar.width > FRAMED else 0.0
        high = (bar.height - 2 * inset) / count
        if count > MOST_DRAWN:
            tone = "complete" if len(sent.ranks) == count else "rank 0"
            tall = high * len(sent.ranks)
            return [(tone, Box(bar.x, bar.bottom - tall / 2, bar.width, tall))]
        top, gap = bar.top + inset, min(1.0, 0.1 * high)
        return [
            (f"rank {rank}", Box(bar.x, y, bar.width - 1.4 * inset, high - gap))
            for rank in sent.ranks
            for y in [top + (rank + 0.5) * high]
        ]

    def bars(self, box: Box) -> list[Box]:
        """The bars of a card, its laps a little apart."""
        steps = len(self.sends[0])
        gap = 14.0 if self.laps else 0.0
        left, right = box.left + 14, box.right - 14
        pitch = (right - left - gap * len(self.laps)) / steps
        top = box.top + 54
        bottom = box.bottom - (38 if pitch > 22 else 16)
        thin = 0.86 * pitch
        return [
            Box.between(x, top, x + thin, bottom)
            for step in range(steps)
            for x in [left + pitch * step + gap * self.lap(step)]
        ]

    @property
    def middle(self) -> float:
        """Pixels of the band with the formula."""
        return MIDDLE if self.source else GAP

    def cards(self, room: Box) -> dict[int, Box]:
        """The card of each rank that is drawn: along a ring in two rows, else in order."""
        names = list(self.ring or range(len(self.names)))[:MOST_DRAWN]
        if len(self.names) > MOST_DRAWN:
            names = [0]
        wide = room.width > room.height
        columns = ceil(len(names) / 2) if wide else min(2, len(names))
        rows = ceil(len(names) / columns)
        upper = ceil(rows / 2)
        high = (room.height - self.middle - GAP * max(rows - 2, 0)) / max(rows, 1)
        high = min(high, HIGHEST if self.source else 1.5 * HIGHEST)
        width = (room.width - GAP * (columns - 1)) / columns
        extra = room.height - self.middle - rows * high - GAP * max(rows - 2, 0)
        boxes = {}
        for place, rank in enumerate(names):
            row, column = divmod(place, columns)
            if self.ring and rows == 2 and row == 1:
                column = columns - 1 - column
            y = room.top + extra / 2 + row * (high + GAP)
            y += (self.middle - GAP) * (row >= upper)
            x = room.left + column * (width + GAP)
            boxes[rank] = Box.between(x, y, x + width, y + high)
        return boxes

    def arrows(self, cards: dict[int, Box]) -> list[Stroke]:
        """From each card to the next along the ring."""
        order = [rank for rank in self.ring if rank in cards]
        if len(order) < 3 or len(order) < len(self.ring):
            return []
        arrows = []
        for rank, after in zip(order, order[1:] + order[:1], strict=True):
            a, b = cards[rank], cards[after]
            if abs(a.y - b.y) < 1:
                way = 1 if b.x > a.x else -1
                ends = (a.x + way * a.width / 2, a.y), (b.x - way * b.width / 2, b.y)
            elif abs(a.x - b.x) < a.width:
                way = 1 if b.y > a.y else -1
                first = a.x == min(box.x for box in cards.values())
                x = a.left + ASIDE if first else a.right - ASIDE
                ends = (x, a.y + way * a.height / 2), (x, b.y - way * b.height / 2)
            else:
                return []
            arrows.append(Stroke(ends, "now", 5, arrow=True))
        return arrows

    def _count(self, room: Box, item: int, time: float, steps: int) -> Drawing:
        """How many chunks left each port so far, and the formula as far as it was counted."""
        if not self.source:
            return Drawing()
        growth, cards = self.growths[item - 1], list(self.cards(room).values())
        above = [box.bottom for box in cards if box.y < room.y] or [room.top]
        y = max(above) + self.middle / 2 if len(cards) > 1 else room.bottom - MIDDLE / 2
        comes = item == 1 or growth.steps > self.growths[item - 2].steps
        part = (time - (LAST if comes else FLIES)) / FLIES
        lit = {term for past in self.growths[:item] for term in past.terms}
        every = {term for past in self.growths for term in past.terms}
        flying = Flying(growth.flies, growth.terms[0], part) if growth.flies else None
        larger = LARGER if room.width > room.height else 1.0
        source, unit = self.source, self.unit
        return counted_formula(room.x, y, steps, source, lit, every, flying, unit, larger)


@lru_cache(maxsize=64)
def _cards(strips: Strips, room: Box, steps: int, flash: bool) -> Drawing:
    boxes, lines = list[ColoredBox](), list[TextLine]()
    cards = strips.cards(room)
    for rank, box in cards.items():
        boxes.append(ColoredBox(box, "panel", 12, "now" if flash else f"rank {rank}", 3))
        count = sum(sent is not None for sent in strips.sends[rank][:steps])
        top = box.top + 38
        lines.append(TextLine(strips.names[rank], box.left + 16, top, NAME, f"rank {rank}", "bold"))
        total = strips.of_steps.format(number=count, total=len(strips.sends[rank]))
        if box.width > 300:
            lines.append(TextLine(total, box.right - 16, top, 28, "ink", align="right"))
    wells, stripes = list[ColoredBox](), list[tuple[str, Box]]()
    numbers = list[TextLine]()
    sent_numbers = [n for port in strips.sends for sent in port if sent for n in sent.numbers]
    digits = DIGIT * len(str(max(sent_numbers, default=0)))
    for rank, box in cards.items():
        for step, bar in enumerate(strips.bars(box)):
            sent = strips.sends[rank][step] if step < steps else None
            lap = strips.lap(step)
            edge = "now" if sent and lap else "edge"
            wide = bar.width > FRAMED
            wells.append(
                ColoredBox(bar, "well", 3 * wide, edge * wide, wide * (2 if sent and lap else 1))
            )
            stripes += strips.stripes(bar, sent)
            if sent and bar.width > digits and len(sent.numbers) == 1:
                tone = "now" if lap else "faint"
                at = bar.x, bar.bottom + 27
                numbers.append(TextLine(str(sent.numbers[0]), *at, 27, tone, align="center"))
    stripes.sort(key=lambda pair: pair[0])
    boxes += wells + [ColoredBox(bar, tone) for tone, bar in stripes]
    return Drawing(tuple(boxes), tuple(strips.arrows(cards)), tuple(lines + numbers))


def laps_of(sends: Sequence[Sequence[Sent | None]], ranks: int) -> tuple[int, ...]:
    """The steps from which on everything that is sent is a finished sum, where before none was."""
    full = [
        {len(held) == ranks for port in sends if (sent := port[step]) for _, held in sent.chunks}
        for step in range(len(sends[0]))
    ]
    first = next((step for step, kinds in enumerate(full) if kinds == {True}), 0)
    alike = all(kinds == {step >= first} for step, kinds in enumerate(full))
    return (first,) if alike and first else ()
