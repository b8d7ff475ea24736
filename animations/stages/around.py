"""Cards round a ring or a circle, or in a grid: pictures of any links."""

from __future__ import annotations

from animations.stages.arrange import arranged
from animations.stages.given import SWITCH_RADIUS, Given
from animations.stages.scenery import Card, Line, Scenery
from animations.stages.ways import straight
from animations.story.drawing import MOST_LINKS, Box

LANE = 14.0  # pixels between the middle of a link and the data that goes one way
TALLER = 0.16  # of its width, that a card is higher for each further row of cells


def around(given: Given, box: Box) -> Scenery:
    """Cards where their links suggest; every link is a line from the start."""
    taller = TALLER * (len(given.lanes) - 1)
    kind, boxes = arranged(given.nodes, given.pairs, box, taller)
    size = boxes[0].width, boxes[0].height
    shapes = given.shape(*size), given.shape(*size, SWITCH_RADIUS)
    cards = tuple(
        given.card(node, place.x, place.y, shapes[node >= given.ranks])
        for node, place in enumerate(boxes)
    )
    both = {link for link in given.link_steps if link[::-1] in given.link_steps}
    ways = {
        (src, dst): straight(boxes[src], boxes[dst], 4, LANE if (src, dst) in both else 0)
        for src, dst in given.link_steps
    }
    lines = tuple(
        Line(straight(boxes[src], boxes[dst], 0), steps, link=(src, dst))
        for (src, dst), steps in given.link_steps.items()
    )
    return Scenery(
        kind,
        box,
        cards,
        given.fold,
        lines=lines if len(given.pairs) <= MOST_LINKS else (),
        ways=ways if kind != "grid" else {},
        parcel=(min(46.0, 0.4 * size[0]), min(70.0, 0.5 * size[1])),
        lens=_lens(kind, cards, box),
        whole=given.whole,
    )


def _lens(kind: str, cards: tuple[Card, ...], stage: Box) -> Box | None:
    """The box in the middle of a ring for one chunk, enlarged; None where there is no room."""
    if kind != "ring" or len(cards) < 4:
        return None
    for height in range(330, 150, -10):
        room = Box(stage.x, stage.y, 280, height + 110)
        if not any(room.overlaps(card.box, 24) for card in cards):
            return Box(stage.x, stage.y, 0.6 * height, height)
    return None
