"""A ring: cards round an oval, each linked with its neighbors, one chunk enlarged in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise, product
from math import copysign, hypot

from animations.drawing.card_shapes import card_shape
from animations.drawing.scenery import Card, CardShape, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box, Point
from animations.drawing.ways import arc, facing, straight
from animations.stages.arrange import around, lens
from animations.stages.doors import name_under
from animations.stages.staged import MOST_PLAIN, Staged
from collectives.structure import Ring

LANE = 27.0  # pixels between the middle of a link and the data that goes one way
Link = tuple[int, int]
SPREAD, BEND = 44.0, 0.36  # pixels between chords at a card; of the stage, how far they go straight
DEEPEST, NARROWEST, GAP = 150.0, 16.0, 12.0  # pixels of many cards, and between them
WIDE, IN_ROWS = 2.0, range(4, 13, 2)  # of its height, of a stage with so many cards in two rows
IN_ROW, PART, HIGH, RISE = range(3, 9), 0.71, 0.9, 0.3  # cards in a row; of its pitch; way back
ROWS, FULL, ASIDE = 4, 0.86, 0.35  # of a block's cells; of its place, a cell; of one, to a copy
INNER, OUTER, ABOVE = 0.24, 0.42, 24.0  # of a card, to an edge and a copy; pixels above an arc
BETWEEN, AISLE, STOUT = 0.16, 150.0, 0.75  # of a card; pixels; of its width, a card is high
TALLER = 0.16  # of its width, that a card is higher for each further row of cells


def ring(staged: Staged, box: Box, structure: Ring) -> Scenery | None:
    """The nodes in the order in which the data travels, clockwise from the top."""
    first = structure.orders[0]
    top = first.index(staged.root)
    order = first[top:] + first[:top]
    if len(order) < staged.nodes:
        return None
    seats = _seats(staged, structure, box)
    if seats is None:
        return None
    boxes = dict(sorted(zip(order, seats, strict=True)))
    cards = staged.cards(boxes.values())
    rests = tuple[StageLine, ...]()
    if _is_row(staged, box) and (cells := _block(staged, order)):
        cards = tuple(replace(card, shape=_in_order(card.shape, cells)) for card in cards)
        rests = tuple(_rest_of_blocks(cards))
    ways = _ways(staged, structure, boxes, box)
    chords = _chords(staged, structure)
    bare = chords or _is_row(staged, box)
    wide = 4.0 if staged.nodes <= MOST_PLAIN else 2.4
    ahead = chords | frozenset(pairwise([*first, first[0]]))
    return Scenery(
        "ring",
        box,
        cards,
        staged.fold,
        lines=(
            *rests,
            *(
                StageLine(ways[link], step, tone, wide, link=link, brief=link in chords)
                for link, step in staged.link_steps.items()
                for tone in ["now" if link in ahead else "phase 1"]
            ),
        ),
        ways=ways,
        words=tuple(_numbers(cards, box)),
        parcel=_parcel(cards, chords),
        lens=None if bare else lens([card.box for card in cards], box),
    )


def _parcel(cards: tuple[Card, ...], chords: frozenset[Link]) -> tuple[float, float]:
    """Width and height, so that all that meets at one card has room beside each other."""
    if len(cards) > MOST_PLAIN:
        return GAP, 2 * GAP
    size = cards[0].box
    meet = max((sum(node in link for link in chords) for node in range(len(cards))), default=0)
    width = min(40.0, 0.4 * size.width, 0.55 * size.width / max(1, meet))
    return width, min(52.0, 0.5 * size.height, 160 / max(1, meet) + 10)


def _numbers(cards: tuple[Card, ...], box: Box) -> Iterator[Word]:
    """The numbers of cards that have no line for a name, inside the ring, beside its links."""
    numbered: list[Box] = []
    for node, card in enumerate(cards):
        if card.shape.header < card.shape.radius:
            right, down = box.x - card.x, box.y - card.y
            along = abs(right) / box.width > abs(down) / box.height
            x = card.x + along * copysign(card.shape.width / 2 + 22, right)
            y = card.y + (not along) * copysign(card.shape.height / 2 + 17, down)
            place = Box(x, y, 24, 19)
            if not any(place.overlaps(beside) for beside in numbered):  # as they would at a corner
                numbered.append(place)
                yield Word(f"{node}", x, y + 7, 19, align="center")


def _seats(staged: Staged, structure: Ring, box: Box) -> tuple[Box, ...] | None:
    """Round an oval or, on a wide stage, in two rows; many along the border."""
    if staged.nodes > MOST_PLAIN:
        return frame(staged.nodes, box)
    if _is_row(staged, box):
        pitch = box.width / staged.nodes
        left, (wide, high) = box.left + pitch / 2, (PART * pitch, min(HIGH * pitch, box.height / 2))
        return tuple(Box(left + k * pitch, box.y, wide, high) for k in range(staged.nodes))
    if box.width > WIDE * box.height and staged.nodes in IN_ROWS and not _chords(staged, structure):
        return _two_rows(staged.nodes, box)
    return _oval(staged, box)


def _is_row(staged: Staged, box: Box) -> bool:
    """Whether cards stand in a row that wraps round: blocks that exchange their edges."""
    edges = staged.recording.collective.pairs is not None
    return edges and staged.nodes in IN_ROW and box.width > WIDE * box.height


def _block(staged: Staged, order: tuple[int, ...]) -> list[int]:
    """The cells of a block from left to right: a copy, its own two edges, the other copy.

    Nothing where cells do not tell apart what goes to each side, and what comes from it.
    """
    sides: dict[int, set[int]] = {}
    for message in chain(*staged.steps):
        ahead = (order.index(message.dst) - order.index(message.src)) % len(order) == 1
        for cells, side in ((message.chunks, 1 + ahead), (message.into, 3 - 3 * ahead)):
            for cell in cells:
                sides.setdefault(cell, set()).add(side)
    whole = sorted(map(sorted, sides.values())) == [[side] for side in range(4)]
    return sorted(sides, key=lambda cell: min(sides[cell])) if whole else []


def _in_order(shape: CardShape, cells: list[int]) -> CardShape:
    """A card that is a block of a grid, its name below: its edges, in this order, copies beside.

    Its group is the room between the edges: the rest of the block, which is not sent.
    """
    wide = card_shape(shape.width, shape.height, ((1, 3, 1),), shape.radius)
    room, edge = wide.cells[0], (ROWS - 1) / 2
    unit = (shape.width - shape.radius) / (ROWS + 2 + 2 * ASIDE)
    away = (-edge - 1 - ASIDE, -edge, edge, edge + 1 + ASIDE)
    row = [replace(room, x=shape.width / 2 + at * unit, width=FULL * unit) for at in away]
    placed = tuple(row[cells.index(cell)] for cell in range(len(cells)))
    group = replace(room, x=shape.width / 2, width=(ROWS - 2) * unit)
    return name_under(replace(wide, cells=placed, labels=(), groups=(group,)))


def _rest_of_blocks(cards: tuple[Card, ...]) -> Iterator[StageLine]:
    """The cells of each block that are not sent."""
    for card, column, row in product(cards, range(ROWS - 2), range(ROWS)):
        for rest in card.shape.groups:
            unit, high = rest.width / (ROWS - 2), rest.height / ROWS
            x = card.box.left + rest.left + (column + 0.5) * unit
            y = card.box.top + rest.top + (row + 0.5) * high
            ends = (x, y - FULL * high / 2), (x, y + FULL * high / 2)
            yield StageLine(ends, tone="edge", width=FULL * unit, arrow=False, fixed=True)


def _two_rows(number: int, box: Box) -> tuple[Box, ...]:
    """An even number of cards in two rows, clockwise from the upper left, with room between."""
    row = number // 2
    between = max(60.0, BETWEEN * box.width / row)
    width = (box.width - between * (row - 1)) / row
    height = min(STOUT * width, (box.height - AISLE) / 2)
    left = [box.left + width / 2 + (width + between) * place for place in range(row)]
    top, low = box.top + height / 2, box.bottom - height / 2
    upper = (Box(x, top, width, height) for x in left)
    return (*upper, *(Box(x, low, width, height) for x in reversed(left)))


def _oval(staged: Staged, box: Box) -> tuple[Box, ...] | None:
    """Large cards at equal distances."""
    return around(staged.nodes, 176 / 302 + TALLER * (len(staged.lanes) - 1), box)


def frame(number: int, box: Box) -> tuple[Box, ...] | None:
    """Many cards along the border, corners free: upright above and below, lying at the sides."""
    deep = min(DEEPEST, 0.18 * box.height, 0.16 * box.width)
    long, high = box.width - 2 * (deep + GAP), box.height - 2 * (deep + GAP)
    across = min(-(-number // 2), max(1, round(number / 2 * long / (long + high))))
    sides = (across, number // 2 - across, across, number - number // 2 - across)
    if min(sides) < 1:
        return None
    wide, tall = long / across, high / max(sides[1], sides[3])
    upright, lying = (wide - GAP, deep), (deep, tall - GAP)
    if min(upright[0], lying[1]) < NARROWEST:
        return None
    left, top = box.left + deep + GAP + wide / 2, box.top + deep + GAP + tall / 2
    low = box.bottom - deep / 2
    return (
        *(Box(left + i * wide, box.top + deep / 2, *upright) for i in range(sides[0])),
        *(Box(box.right - deep / 2, top + i * tall, *lying) for i in range(sides[1])),
        *(Box(left + i * wide, low, *upright) for i in reversed(range(across))),
        *(Box(box.left + deep / 2, top + i * tall, *lying) for i in reversed(range(sides[3]))),
    )


def _ways(staged: Staged, structure: Ring, boxes: dict[int, Box], box: Box) -> dict[Link, Way]:
    """From border to border; links that do not join neighbors bend through the middle."""
    chords = sorted(_chords(staged, structure))
    wide = LANE * (1.7 if _is_row(staged, box) else 1)
    lane = min(wide, *(min(box.width, box.height) / 2 - 4 for box in boxes.values()))
    ways = {
        link: facing(
            boxes[link[0]], boxes[link[1]], 4, lane if link[::-1] in staged.link_steps else 0
        )
        for link in staged.link_steps
    }
    first, last = structure.orders[0][0], structure.orders[0][-1]
    if _is_row(staged, box):
        high = min(RISE * box.height, boxes[first].top - box.top - ABOVE)
        for link, peak in (((first, last), 0.7), ((last, first), 1.0)):
            here, there = (boxes[node] for node in link)
            out = copysign(1, here.x - there.x)  # away from each other: edges are inside of copies
            leaves = here.x + INNER * out * here.width, here.top - 4
            lands = there.x - OUTER * out * there.width, there.top - 4
            ways[link] = arc(leaves, lands, peak * high)
    for link in chords:
        ends = (_inner(boxes, node, link, chords, box) for node in link)
        (start, bend), (end, bend_back) = ends
        ways[link] = (start, bend, bend_back, end)
    return ways


def _inner(
    boxes: dict[int, Box], node: int, link: Link, chords: list[Link], box: Box
) -> tuple[Point, Point]:
    """Where a chord meets the inner border of a card, beside the others that do, and its bend."""
    card, ends = boxes[node], [chord for chord in chords if node in chord]
    part = (ends.index(link) + 1) / (len(ends) + 1) - 0.5
    if len(boxes) > MOST_PLAIN:  # upright or lying along the border
        x, y = (0, box.y - card.y) if card.height > card.width else (box.x - card.x, 0)
    else:
        x, y = box.x - card.x, box.y - card.y
    (left, top), _ = straight(card, Box(card.x + x, card.y + y, 0, 0), 5)
    length = max(1.0, hypot(x, y))
    x, y = x / length, y / length
    spread = part * min(SPREAD * len(ends), 0.9 * (abs(y) * card.width + abs(x) * card.height))
    start = left - y * spread, top + x * spread
    return start, (start[0] + BEND * box.height * x, start[1] + BEND * box.height * y)


def _chords(staged: Staged, structure: Ring) -> frozenset[Link]:
    """The links that do not join neighbors of the first ring."""
    order = structure.orders[0]
    near = {pair for a, b in pairwise([*order, order[0]]) for pair in ((a, b), (b, a))}
    return frozenset(staged.link_steps) - near
