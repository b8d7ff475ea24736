"""A tree: children below their parent, as low as their data travels late; each step is a level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from animations.drawing.scenery import Card, CardShape, Chip, Scenery, Way, Word
from animations.drawing.shapes import Box
from animations.drawing.ways import LONGEST
from animations.stages.staged import Staged
from collectives.structure import Tree
from collectives.words import runs

WIDEST = 210.0  # of a card
NAME, EDGE = 4.2, 8.0  # width of a name, in its line's heights; pixels around the cell beside it
LEAST_PITCH, LEAST_RISE = 8.0, 60.0  # pixels between two columns, and between two levels
SPREAD = 0.9  # of its columns that a card fills
TALL = 0.64  # of the height of a level that a card fills
TALLEST, HIGHEST = 190.0, 300.0  # of a card, and of a level
BESIDE_NAME = 0.07  # of a card, from its middle to where what comes from above enters it
AWAY = 5.0  # pixels between a parcel and the card that it leaves or reaches
ASIDE = 92.0  # width of the place of the names of levels
NARROW = 800.0  # width of a stage, below which a level has just a number
LETTER, COUNT = 11.0, 30.0  # pixels of a letter of a note, and of what is counted


def tree(staged: Staged, box: Box, structure: Tree) -> Scenery | None:
    """Cards level by level; a level lights up in the steps in which data crosses to it."""
    plan = TreePlan(staged, structure.parent)
    aside = ASIDE if box.width >= NARROW else 46.0
    levels = max(plan.level) + 1
    rise = min(box.height / levels, HIGHEST)
    pitch = min((box.width - aside) / plan.span[plan.root], WIDEST)
    if staged.nodes > staged.ranks or pitch < LEAST_PITCH or rise < LEAST_RISE:
        return None
    top = box.y - rise * levels / 2
    left = box.x - aside / 2 - pitch * plan.span[plan.root] / 2
    tall = min(TALL * rise, TALLEST)
    level_and_width = zip(plan.level, plan.widths(pitch), strict=True)
    cards = tuple(
        replace(card, shape=_whole_height(card.shape))
        for card in staged.cards(
            Box(left + plan.column[rank] * pitch, top + (level + 0.5) * rise, wide, tall)
            for rank, (level, wide) in enumerate(level_and_width)
        )
    )
    parcel = plan.parcel(cards, rise - tall, pitch)
    links = staged.link_steps
    ways = {link: _way(plan, cards, pitch, link, AWAY + parcel[1] / 2) for link in links}
    edges = {link: _way(plan, cards, pitch, link, 1) for link in links}
    chips = tuple(_levels(staged, plan, box, top, rise, aside))
    return Scenery(
        "tree",
        box,
        cards,
        staged.fold,
        lines=staged.lines(edges),
        words=(*_idle(staged, cards[plan.root], box), *_holders(staged, chips)),
        chips=chips,
        ways=ways,
        parcel=parcel,
    )


@dataclass(frozen=True)
class TreePlan:
    """Where the ranks of a tree stand: columns, from 0, and levels, 0 for the root."""

    staged: Staged
    parent: tuple[int, ...]

    @cached_property
    def root(self) -> int:
        """The rank that has no parent."""
        return self.parent.index(-1)

    @cached_property
    def steps(self) -> dict[int, tuple[int, ...]]:
        """The steps in which data travels between a rank and its parent."""
        links = self.staged.link_steps
        return {
            rank: tuple(sorted({*links.get((rank, above), ()), *links.get((above, rank), ())}))
            for rank, above in enumerate(self.parent)
            if above >= 0
        }

    @cached_property
    def level(self) -> tuple[int, ...]:
        """By the step in which data first arrives from above, or first leaves to above."""
        links = self.staged.link_steps
        arrives = {r: links.get((a, r)) for r, a in enumerate(self.parent) if a >= 0}
        leaves = {r: links.get((r, a)) for r, a in enumerate(self.parent) if a >= 0}
        for sign, numbers_of in ((1, arrives), (-1, leaves)):
            steps = {rank: sign * numbers[0] for rank, numbers in numbers_of.items() if numbers}
            number = {step: i for i, step in enumerate(sorted({*steps.values()}), 1)}
            level = tuple(
                number[steps[rank]] if rank in steps else 0 for rank in range(len(self.parent))
            )
            if all(a < 0 or level[r] > level[a] for r, a in enumerate(self.parent)):
                return level
        return tuple(self._depth(rank) for rank in range(len(self.parent)))

    def _depth(self, rank: int) -> int:
        return 0 if self.parent[rank] < 0 else 1 + self._depth(self.parent[rank])

    def below(self, rank: int) -> list[int]:
        """The children of a rank, the highest first."""
        children = [child for child, above in enumerate(self.parent) if above == rank]
        return sorted(children, key=lambda child: (self.level[child], child))

    def _beside(self, rank: int) -> tuple[list[int], bool]:
        """Children from left to right, and whether the rank needs a column of its own before them.

        Those that are lower are nearer, so that no edge passes a card. Where all are one level
        lower the rank stands above them.
        """
        below = self.below(rank)
        lower = bool(below) and all(self.level[child] == self.level[rank] + 1 for child in below)
        return sorted(below, key=lambda child: (-self.level[child], child)), not lower

    @cached_property
    def span(self) -> dict[int, int]:
        """How many columns each rank and all that is below it take."""
        span: dict[int, int] = {}
        for rank in sorted(range(len(self.parent)), key=lambda rank: -self.level[rank]):
            below, own = self._beside(rank)
            span[rank] = sum(span[child] for child in below) + own
        return span

    @cached_property
    def _extents(self) -> dict[int, tuple[float, float, float]]:
        """The column of each rank, and the first and last edge of the columns below it."""
        extents: dict[int, tuple[float, float, float]] = {}

        def put(rank: int, first: float) -> None:
            below, own = self._beside(rank)
            at, middle = first + own, first + 0.5
            for child in below:
                put(child, at)
                at += self.span[child]
            if not own:
                middle = (extents[below[0]][0] + extents[below[-1]][0]) / 2
            extents[rank] = middle, first, at

        put(self.root, 0.0)
        return extents

    @cached_property
    def column(self) -> dict[int, float]:
        """The middle of the card of each rank, in columns."""
        return {rank: middle for rank, (middle, *_) in self._extents.items()}

    def widths(self, pitch: float) -> list[float]:
        """The width of each card: all of a level are as wide as the narrowest of them may be."""
        room: dict[int, float] = {}
        for rank, (middle, first, last) in self._extents.items():
            level, wide = self.level[rank], 2 * min(middle - first, last - middle)
            room[level] = min(room.get(level, wide), wide)
        return [min(WIDEST, SPREAD * pitch * room[level]) for level in self.level]

    def port(self, rank: int, card: Card, pitch: float) -> float:
        """Where the edge of a rank meets its parent's card, in pixels right of its middle.

        Within the column of the parent, if it has one: beside it other edges pass.
        """
        parent, alike = self.parent[rank], self.alike(rank)
        own = self._beside(parent)[1]
        whole = min(card.shape.width, 2 * (card.box.right - _door(card)))
        wide = min(whole, pitch) if own else whole
        return wide * ((alike.index(rank) + 0.5) / len(alike) - 0.5)

    def alike(self, rank: int) -> list[int]:
        """The children of the same parent at the same level, from left to right."""
        siblings = [
            child
            for child in self.below(self.parent[rank])
            if self.level[child] == self.level[rank]
        ]
        return sorted(siblings, key=lambda child: self.column[child])

    def parcel(self, cards: tuple[Card, ...], gap: float, pitch: float) -> tuple[float, float]:
        """Width and height of a chunk on its way: those that meet at a card have room there."""
        several = any(len(m.chunks) > 1 for messages in self.staged.steps for m in messages)
        room = min(card.shape.width for card in cards)
        for rank, above in enumerate(self.parent):
            alike = self.alike(rank) if above >= 0 else [rank]
            if len(alike) > 1:
                left, right = (self.port(end, cards[above], pitch) for end in alike[:2])
                room = min(room, 0.96 * (right - left))
        return min(44.0, room / (LONGEST if several else 1.0)), min(60.0, 0.52 * gap)


def _whole_height(shape: CardShape) -> CardShape:
    """A wide, low card whose only cell stands beside its name, so that its stripes are taller."""
    left, high = NAME * shape.header + EDGE, shape.height - 2 * EDGE
    wide = shape.width - left - EDGE
    if len(shape.cells) > 1 or shape.labels or 2 * wide < left or shape.height > shape.width:
        return shape
    cell = Box(left + wide / 2, shape.height / 2, wide, high)
    return replace(shape, cells=(cell,), groups=(cell,))


def _way(
    plan: TreePlan, cards: tuple[Card, ...], pitch: float, link: tuple[int, int], gap: float
) -> Way:
    """Straight from below the upper card to above the lower one, or back."""
    down = plan.parent[link[1]] == link[0]
    lower, upper = (cards[link[down]], cards[link[not down]])
    x, low = _door(upper) + plan.port(link[down], upper, pitch), _door(lower)
    if low == lower.x and lower.shape.name_at == "left":
        low += BESIDE_NAME * lower.shape.width
    ends = (x, upper.box.bottom + gap), (low, lower.box.top - gap)
    return ends if down else ends[::-1]


def _door(card: Card) -> float:
    """Where data passes the border of a card: at its middle, or above its only cell."""
    return card.cell(0).x if len(card.shape.cells) == 1 else card.x


def _levels(
    staged: Staged, plan: TreePlan, box: Box, top: float, rise: float, aside: float
) -> Iterator[Chip]:
    """The name of each level, lit in the steps in which data crosses to it or from it."""
    for level in range(max(plan.level) + 1):
        steps = {
            step
            for rank, numbers in plan.steps.items()
            if plan.level[rank] == level
            for step in numbers
        }
        text = staged.say("stage.level", number=level) if aside == ASIDE else f"{level}"
        place = Box(box.right - aside / 2 + 5, top + (level + 0.5) * rise, aside - 10, 32)
        yield Chip(place, text, tuple(sorted(steps)))


def _idle(staged: Staged, root: Card, box: Box) -> Iterator[Word]:
    """Who neither sends nor receives in a step, beside the root."""
    start = root.box.right + 20
    room = box.right - ASIDE - start
    for number, messages in enumerate(staged.steps, 1):
        busy = {node for message in messages for node in (message.src, message.dst)}
        idle = [rank for rank in range(staged.ranks) if rank not in busy]
        say = staged.say
        noun = say.several("rank") if len(idle) > 1 else say.noun("rank")
        texts = (
            say("stage.idle", noun=noun, numbers=", ".join(runs(idle, "–"))),
            say("stage.idle_of", number=len(idle), total=staged.ranks),
            say("stage.idle_number", number=len(idle)),
        )
        text = next((text for text in texts if LETTER * len(text) <= room), "")
        if idle and text:
            yield Word(text, start, root.box.top + 22, 22, step=number)


def _holders(staged: Staged, chips: tuple[Chip, ...]) -> Iterator[Word]:
    """How many ranks have all of the root's data, under the level that gets it in a step.

    Nothing where data also goes up, or where a step brings no rank all of it.
    """
    steps, ranks = len(staged.steps), slice(staged.ranks)
    states = [staged.recording.contributors(state)[ranks] for state in range(steps + 1)]
    held = [int((data == data[staged.root]).all(axis=(1, 2)).sum()) for data in states]
    levels = [(), *((step,) for step in range(1, steps + 1))]
    if [chip.steps for chip in chips] != levels or held != sorted({*held}):
        return
    for state, (chip, number) in enumerate(zip(chips, held, strict=True)):
        place = chip.box.x, chip.box.bottom + COUNT
        yield Word(f"{number}", *place, COUNT, "now", "center", True, (state, steps))
