"""The part of a stage that shows some cards larger, and whether it cuts others."""

from __future__ import annotations

from itertools import permutations

from animations.drawing.scenery import Scenery
from animations.drawing.shapes import Box

AROUND = 34.0  # pixels round the cards that are looked at
NEAREST = 3.0  # times larger, at most


def near(scenery: Scenery, stage: Box, nodes: tuple[int, ...]) -> Box:
    """The cards of some nodes and the ways between them, in the shape of the stage."""
    cards = [scenery.cards[node].box for node in nodes]
    left, right = min(box.left for box in cards), max(box.right for box in cards)
    ways = [scenery.ways.get(pair, ()) for pair in permutations(nodes, 2)]
    top = min(*(box.top for box in cards), *(y - AROUND for way in ways for _, y in way))
    bottom = max(box.bottom for box in cards)
    high = max(bottom - top + 2 * AROUND, (right - left + 2 * AROUND) * stage.height / stage.width)
    high = min(max(high, stage.height / NEAREST), stage.height)
    wide = high * stage.width / stage.height
    y = min(max((top + bottom) / 2, stage.top + high / 2), stage.bottom - high / 2)
    return Box((left + right) / 2, y, wide, high)


def is_cut(scenery: Scenery, seen: Box) -> bool:
    """Whether the part of a stage shows half a card, or hides chips and gauges."""
    cards = (card.box for card in scenery.cards)
    signs = [chip.box for chip in scenery.chips]
    signs += [gauge.box for gauge in scenery.gauges]
    cut = any(seen.overlaps(box) and not seen.holds(box) for box in cards)
    return cut or not all(map(seen.holds, signs))
