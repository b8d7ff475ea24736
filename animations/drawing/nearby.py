"""Boxes that cover others, and the part of a stage that shows some cards larger."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt

from animations.drawing.glyphs import text_width
from animations.drawing.scenery import Scenery
from animations.drawing.shapes import Box, TextLine

AROUND = 34.0  # pixels round the cards that are looked at
NEAREST = 3.0  # times larger, at most
SMALL = 24.0  # pixels of a chunk: of narrower ones many are hard to follow

Edges = npt.NDArray[np.float64]  # left, top, right and bottom of boxes, [boxes, 4]


def near(scenery: Scenery, stage: Box, nodes: tuple[int, ...]) -> Box:
    """The cards of some nodes and the ways between them, in the shape of the stage."""
    boxes = [scenery.cards[node].box for node in nodes]
    ways = (scenery.ways.get(pair, ()) for pair in permutations(nodes, 2))
    boxes += [Box(x, y, 0, 2 * AROUND) for way in ways for x, y in way]
    left, right = min(box.left for box in boxes), max(box.right for box in boxes)
    top, bottom = min(box.top for box in boxes), max(box.bottom for box in boxes)
    high = max(bottom - top + 2 * AROUND, (right - left + 2 * AROUND) * stage.height / stage.width)
    high = min(max(high, stage.height / NEAREST), stage.height)
    wide = high * stage.width / stage.height
    y = min(max((top + bottom) / 2, stage.top + high / 2), stage.bottom - high / 2)
    aside = (stage.width - wide) / 2 + AROUND
    x = min(max((left + right) / 2, stage.x - aside), stage.x + aside)
    return Box(x, y, wide, high)


def is_cut(scenery: Scenery, seen: Box) -> bool:
    """Whether the part of a stage shows half a card, or hides chips and gauges."""
    cards = (card.box for card in scenery.cards)
    signs = [chip.box for chip in scenery.chips]
    signs += [gauge.box for gauge in scenery.gauges]
    cut = any(seen.overlaps(box) and not seen.holds(box) for box in cards)
    return cut or not all(map(seen.holds, signs))


def text_box(line: TextLine) -> Box:
    """The room of a line of text, from its descenders to its capitals."""
    width = text_width(line.text, line.size, line.face)
    middle = line.x + {"left": 0.5, "center": 0.0, "right": -0.5}[line.align] * width
    return Box(middle, line.baseline - 0.26 * line.size, width, 0.96 * line.size)


def covered(plates: Edges, boxes: Edges, gap: float = 0.0) -> npt.NDArray[np.int64]:
    """How many of the boxes are nearer to each plate than `gap` in both directions."""
    low = np.maximum(plates[:, None, :2], boxes[None, :, :2])
    high = np.minimum(plates[:, None, 2:], boxes[None, :, 2:])
    number: npt.NDArray[np.int64] = (low - high < gap).all(axis=2).sum(axis=1)
    return number
