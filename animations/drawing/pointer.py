"""Frames round words that stand on a page, drawn one after another while a sentence names them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.nearby import text_box
from animations.drawing.shapes import Box, ColoredBox, TextLine

BESIDE, ABOVE = 0.22, 0.15  # of the height of words: from them to their frame
FARTHEST = 10.0  # pixels from them to their frame, at most
WIDE = 4.0  # pixels of the frame
DRAWN = 0.85  # of the time of a sentence, after which all frames are there


def boxes_of_words(drawing: Drawing, words: str) -> list[Box]:
    """Where whole words stand in a drawing: lines of nothing else, or in its lines, in order."""
    whole = re.compile(rf"(?<![\w.,]){re.escape(words)}(?![\w]|[.,]\w)[.,:;]?")
    lines = [line for line in drawing.lines if line.text == words] or drawing.lines
    boxes = [_part(line, *at.span()) for line in lines for at in whole.finditer(line.text)]
    return [_labeled(drawing, box) for box in boxes]


def framed(drawing: Drawing, pointed: Sequence[str], time: float) -> Drawing:
    """A drawing with a frame round each place of some words, those of the first words first."""
    sides = [
        side
        for number, words in enumerate(pointed)
        for box in boxes_of_words(drawing, words)
        for side in frame(_around(box), min(1.0, time / DRAWN * len(pointed) - number))
    ]
    return drawing + Drawing(boxes=tuple(sides))


def _part(line: TextLine, first: int, last: int) -> Box:
    """The room of some letters of a line."""
    whole, head = text_box(line), text_width(line.text[:first], line.size, line.face)
    return text_box(replace(line, text=line.text[first:last], x=whole.left + head, align="left"))


def _labeled(drawing: Drawing, words: Box) -> Box:
    """The box that words are written on, such as a rank's, if they fill it; or their own room."""
    wide, high = words.width + 2 * words.height, 2.5 * words.height
    boxes = [box.box for box in drawing.boxes if box.box.width < wide and box.box.height < high]
    return next((box for box in boxes if box.holds(words)), words)


def _around(box: Box) -> Box:
    """The frame of a box."""
    beside, above = (min(FARTHEST, part * box.height) for part in (BESIDE, ABOVE))
    return Box(box.x, box.y, box.width + 2 * beside, box.height + 2 * above)


def frame(around: Box, drawn: float) -> Iterator[ColoredBox]:
    """So much of the sides of a frame, clockwise from its upper left corner."""
    left = drawn * 2 * (around.width + around.height)
    for (x, y), (to_x, to_y) in around.sides:
        length = abs(to_x - x) + abs(to_y - y)
        part = min(1.0, left / length)
        if part > 0:
            x_end, y_end = x + part * (to_x - x), y + part * (to_y - y)
            wide, high = abs(x_end - x) + WIDE, abs(y_end - y) + WIDE
            side = Box((x + x_end) / 2, (y + y_end) / 2, wide, high)
            yield ColoredBox(side, "now", WIDE / 2)
        left -= length
