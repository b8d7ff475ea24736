"""A ring: cards round an oval, each linked with its neighbors, one chunk enlarged in the middle."""

from __future__ import annotations

from animations.stages.arrange import around
from animations.stages.given import MOST_PLAIN, Given
from animations.stages.scenery import Card, Line, Scenery, Way
from animations.stages.ways import straight
from animations.story.drawing import Box
from collectives.structure import Ring

LANE = 12.0  # pixels between the middle of a link and the data that goes one way
DEEPEST, LEAST, GAP = 150.0, 16.0, 12.0  # pixels of many cards, and between them
TALLER = 0.16  # of its width, that a card is higher for each further row of cells


def ring(given: Given, box: Box, structure: Ring) -> Scenery | None:
    """The nodes in the order in which the data travels, clockwise from the top."""
    order = structure.orders[0]
    if len(order) < given.nodes:
        return None
    places = _oval(given, box) if given.nodes <= MOST_PLAIN else _frame(len(order), box)
    if places is None:
        return None
    boxes = dict(zip(order, places, strict=True))
    shapes = {(b.width, b.height): given.shape(b.width, b.height) for b in places}
    cards = tuple(
        given.card(node, b.x, b.y, shapes[b.width, b.height]) for node, b in sorted(boxes.items())
    )
    ways = {link: _way(boxes, link, given) for link in given.link_steps}
    wide, size = 4.0 if given.nodes <= MOST_PLAIN else 2.4, cards[0].box
    return Scenery(
        "ring",
        box,
        cards,
        given.fold,
        lines=tuple(Line(ways[link], each, width=wide) for link, each in given.link_steps.items()),
        ways=ways,
        parcel=(min(46.0, 0.4 * size.width), min(64.0, 0.5 * size.height))
        if given.nodes <= MOST_PLAIN
        else (GAP, 2 * GAP),
        lens=_lens(cards, box),
        whole=given.whole,
    )


def _oval(given: Given, box: Box) -> tuple[Box, ...] | None:
    """Large cards at equal distances."""
    return around(given.nodes, 176 / 302 + TALLER * (len(given.lanes) - 1), box)


def _frame(number: int, box: Box) -> tuple[Box, ...] | None:
    """Many cards along the border: upright above and below, lying at the sides."""
    deep = min(DEEPEST, 0.18 * box.height, 0.16 * box.width)
    high = box.height - 2 * (deep + GAP)
    across = min(-(-number // 2), max(1, round(number / 2 * box.width / (box.width + high))))
    sides = (across, number // 2 - across, across, number - number // 2 - across)
    if min(sides) < 1:
        return None
    wide, tall = box.width / across, high / max(sides[1], sides[3])
    upright, lying = (wide - GAP, deep), (deep, tall - GAP)
    if min(upright[0], lying[1]) < LEAST:
        return None
    left, top = box.left + wide / 2, box.top + deep + GAP + tall / 2
    return (
        *(Box(left + i * wide, box.top + deep / 2, *upright) for i in range(sides[0])),
        *(Box(box.right - deep / 2, top + i * tall, *lying) for i in range(sides[1])),
        *(
            Box(box.right - wide / 2 - i * wide, box.bottom - deep / 2, *upright)
            for i in range(across)
        ),
        *(
            Box(box.left + deep / 2, top + (sides[3] - 1 - i) * tall, *lying)
            for i in range(sides[3])
        ),
    )


def _way(boxes: dict[int, Box], link: tuple[int, int], given: Given) -> Way:
    """From border to border; in a lane of its own where data comes back over the same link."""
    src, dst = link
    return straight(boxes[src], boxes[dst], 4, LANE if (dst, src) in given.link_steps else 0)


def _lens(cards: tuple[Card, ...], stage: Box) -> Box | None:
    """The box in the middle for one chunk, enlarged; None where there is no room."""
    for height in range(330, 150, -10) if len(cards) > 3 else ():
        room = Box(stage.x, stage.y, 280, height + 110)
        if not any(room.overlaps(card.box, 24) for card in cards):
            return Box(stage.x, stage.y, 0.6 * height, height)
    return None
