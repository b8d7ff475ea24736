"""Scenery: all that a stage shows, as plain data that film, page and figure draw alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from animations.drawing.shapes import BADGE, Align, Box, Point

THINNEST = 3.0  # side of a stripe, so that one alone is seen
Tone = str  # a color of the theme by name (ink, faint, edge, now …), or the hue of a rank: "rank 3"


@dataclass(frozen=True)
class CardShape:
    """What cards of one size have alike; places are from the upper left corner of the card.

    header: height of the line with the name, which begins at `name_at`, so far below the top as
    `name_top`: under the cells where data leaves above them. cells: one for each well.
    labels: baseline of the label of each cell, none where there is no room. label_size: their em.
    groups: boxes around cells that stand close together. shows_sent: whether there is room for
    the amount a node has sent. parts: the boxes that make up the card where it is no rectangle:
    what passes between them does not pass under it. hollow: cells of chunks without elements.
    """

    width: float
    height: float
    radius: float
    header: float
    cells: tuple[Box, ...]
    labels: tuple[float, ...] = ()
    label_size: float = 19.0
    groups: tuple[Box, ...] = ()
    shows_sent: bool = False
    name_at: Align = "left"
    name_top: float = 0.0
    parts: tuple[Box, ...] = ()
    hollow: tuple[int, ...] = ()

    @property
    def widest(self) -> Box:
        """Its widest cell."""
        return max(self.cells, key=lambda cell: cell.width)


@dataclass(frozen=True)
class Card:
    """A node: its middle, its shape, the tone of its border and of its name."""

    x: float
    y: float
    shape: CardShape
    tone: Tone = "edge"
    name_tone: Tone = "ink"

    @property
    def box(self) -> Box:
        """Its rectangle."""
        return Box(self.x, self.y, self.shape.width, self.shape.height)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """What its panel is: its rectangle, or the parts of it."""
        left, top = self.box.left, self.box.top
        parts = (Box(left + b.x, top + b.y, b.width, b.height) for b in self.shape.parts)
        return tuple(parts) or (self.box,)

    @property
    def groups(self) -> list[Box]:
        """The boxes around cells that stand close together, on the page."""
        left, top = self.box.left, self.box.top
        return [Box(left + b.x, top + b.y, b.width, b.height) for b in self.shape.groups]

    def cell(self, well: int) -> Box:
        """The cell of a well, on the page."""
        box, cell = self.box, self.shape.cells[well]
        return Box(box.left + cell.x, box.top + cell.y, cell.width, cell.height)


@dataclass(frozen=True)
class Ground:
    """A box behind the cards: the room of a machine, a band for a network, a row of a grid."""

    box: Box
    fill: Tone = ""
    edge: Tone = ""
    radius: float = 14.0
    dashed: bool = False


@dataclass(frozen=True)
class StageLine:
    """A line that is no card's: a Bézier curve of two points or more.

    steps: those in which it is lit in `tone`, with an arrow at its end where `arrow`. hidden:
    not there before it is lit for the first time; else drawn as a faint line from the start.
    Afterwards it stays as a line that has been used. fixed: never lit, drawn in its tone; where
    `states` is given, only after so many steps (first, last). link: the nodes whose messages pass
    along it, in both directions where it has no arrow; twice the same one for all of its messages.
    """

    points: tuple[Point, ...]
    steps: tuple[int, ...] = ()
    tone: Tone = "now"
    width: float = 4.0
    arrow: bool = True
    hidden: bool = False
    fixed: bool = False
    states: tuple[int, int] | None = None
    brief: bool = False
    link: tuple[int, int] | None = None

    def carries(self, src: int, dst: int) -> bool:
        """Whether messages between these nodes pass along it, as far as that is known."""
        if self.link is None or self.link == (src, dst):
            return True
        start, end = self.link
        return (start == end and start in (src, dst)) or (
            not self.arrow and self.link == (dst, src)
        )


@dataclass(frozen=True)
class Word:
    """Text beside the cards; where `states` is given, only after so many steps (first, last).

    step: only in that one, under way and landed.
    """

    text: str
    x: float
    baseline: float
    size: float = 21.0
    tone: Tone = "faint"
    align: Align = "left"
    bold: bool = False
    states: tuple[int, int] | None = None
    step: int | None = None


@dataclass(frozen=True)
class Chip:
    """A small box with a text, lit during its steps; afterwards filled where `stays`.

    hatched: nothing happens there, ever. above: parcels that come to it pass below it. node: the
    one that it stands for; None where it is not one.
    """

    box: Box
    text: str
    steps: tuple[int, ...]
    tone: Tone = "faint"
    stays: bool = False
    hatched: bool = False
    above: bool = False
    node: int | None = None


CLOCK, TICKS = (-1, True), 60  # what a gauge counts that counts time, so often in a step


@dataclass(frozen=True)
class Gauge:
    """A bar that grows with the steps: its share (0 to 1) and its text after each of them.

    end: the node whose messages it counts, and whether those that arrive; or the clock. levels: of
    each step the share and the text before the first of them, and after each.
    """

    box: Box
    label: str
    shares: tuple[float, ...]
    texts: tuple[str, ...]
    tone: Tone = "now"
    end: tuple[int, bool] = CLOCK
    levels: tuple[tuple[tuple[float, str], ...], ...] = ()

    def counted(self, step: int, passed: Mapping[tuple[int, bool], tuple[int, int]]) -> Gauge:
        """The same in a step, of whose messages so many of so many have passed its end."""
        before = (self.shares[step - 1], self.texts[step - 1])
        levels = self.levels[step - 1] if self.levels else (before,)
        count, total = passed.get(self.end, (0, 1))
        share, text = levels[count * (len(levels) - 1) // total]
        return replace(self, shares=(share,), texts=(text,))


@dataclass(frozen=True)
class Fold:
    """What shares a place on the stage: the bar of each rank, and the well of each slot.

    A bar is drawn faint until the data of all of its ranks, in all slots of its well, is there.
    noun: what the ranks of a bar are together, such as "node" or "row".
    """

    bar: tuple[int, ...]
    well: tuple[int, ...]
    noun: str = "group"

    @cached_property
    def bars(self) -> int:
        """How many bars a cell has."""
        return max(self.bar, default=0) + 1

    @cached_property
    def wells(self) -> int:
        """How many cells a card has."""
        return max(self.well, default=0) + 1

    @cached_property
    def is_plain(self) -> bool:
        """Whether every rank has a bar and every slot a cell of its own."""
        return self.bars == len(self.bar) and self.wells == len(self.well)


def plain_fold(ranks: int, slots: int) -> Fold:
    """A bar for each rank and a cell for each slot."""
    return Fold(tuple(range(ranks)), tuple(range(slots)))


Way = tuple[Point, ...]  # of a parcel: a Bézier curve of two points or more


@dataclass(frozen=True)
class Scenery:
    """The stage of a recording in a box of the page.

    family: which picture it is. cards: one for each node. fold: what shares a bar and a cell.
    ways: where a parcel travels from one node to another, outside of the cards; one that is not
    there is a straight line from cell to cell. stream_ways: the same for some chunks only, by
    (src, dst, chunk). fork_ways: of the copies of one parcel.
    parcel: width and height of a chunk on its way, at most. lens: a box for
    the chunk of the caption, enlarged. table: whether the cards are rows of one matrix. largest:
    bytes of a cell of full width, where widths show sizes, else 0. cut: whether some are wider.
    """

    family: str
    box: Box
    cards: tuple[Card, ...]
    fold: Fold
    grounds: tuple[Ground, ...] = ()
    lines: tuple[StageLine, ...] = ()
    words: tuple[Word, ...] = ()
    chips: tuple[Chip, ...] = ()
    gauges: tuple[Gauge, ...] = ()
    ways: Mapping[tuple[int, int], Way] = field(default_factory=dict)
    stream_ways: Mapping[tuple[int, int, int], Way] = field(default_factory=dict)
    fork_ways: Mapping[tuple[int, int], Way] = field(default_factory=dict)
    parcel: tuple[float, float] = (40.0, 60.0)
    lens: Box | None = None
    table: bool = False
    whole: bool = False
    largest: float = 0
    cut: bool = False

    def cell(self, node: int, slot: int) -> Box:
        """The cell in which a slot of a node is drawn."""
        return self.cards[node].cell(self.fold.well[slot])

    @property
    def badge(self) -> float:
        """The radius of + and = on a parcel."""
        return min(BADGE, 0.36 * self.parcel[0])

    def way(self, src: int, dst: int, chunk: int, forks: bool = False) -> Way | None:
        """Where a chunk travels between two nodes, if not straight from cell to cell.

        forks: its parcel goes to several nodes.
        """
        if forks and (src, dst) in self.fork_ways:
            return self.fork_ways[src, dst]
        return self.stream_ways.get((src, dst, chunk), self.ways.get((src, dst)))

    def between(self, step: int) -> Scenery:
        """The stage after a step, when nothing is lit that this one lit."""
        lines = (replace(line, steps=_earlier(line.steps, step)) for line in self.lines)
        chips = (replace(chip, steps=_earlier(chip.steps, step)) for chip in self.chips)
        words = tuple(word for word in self.words if not step or word.step != step)
        return replace(self, lines=tuple(lines), chips=tuple(chips), words=words)

    def cable(self, src: int, dst: int, step: int) -> Way | None:
        """The only line that is lit in a step for messages between two nodes, their way round."""
        ends = {(src, dst), (dst, src)}
        lit = [line for line in self.lines if step in line.steps and line.link in ends]
        lines = [line for line in lit if line.carries(src, dst)]
        if len(lines) != 1:
            return None
        return lines[0].points[:: 1 if lines[0].link == (src, dst) else -1]

    def stripe(self, cell: Box, bar: int) -> Box:
        """The stripe of a bar in any cell: at the same height in all of them.

        Where many share a place they overlap a little, so that a single one is still seen.
        """
        margin = min(3.0, 0.08 * cell.width, 0.025 * cell.height)
        if self.whole:
            margin = min(2.0, 0.08 * cell.width)
        width = max(cell.width - 2 * margin, min(THINNEST, 1.4 * cell.width))
        if self.whole:
            return Box(cell.x, cell.y, width, cell.height - 2 * margin)
        pitch = (cell.height - 2 * margin) / self.fold.bars
        height = max(pitch - min(2.0, 0.16 * pitch), min(THINNEST, 1.4 * pitch))
        top = cell.top + margin + bar * pitch
        return Box(cell.x, top + pitch / 2, width, height)


def _earlier(steps: tuple[int, ...], step: int) -> tuple[int, ...]:
    """Steps, of which one is as long ago as the one before it."""
    return tuple(number - (number == step) for number in steps)
