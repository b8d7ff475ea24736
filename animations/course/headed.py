"""What the pages of a lecture share: where things stand, the heading, text in lines, bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for, wrapped
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.sheet import PAGE, Sheet
from animations.phrases import Phrases, phrases

LEFT, RIGHT, TOP, BOTTOM = 120.0, 1800.0, 220.0, 950.0  # of what stands below the heading
HEADING, SMALLEST_HEADING = 62.0, 44.0  # pixels


@dataclass(frozen=True)
class Headed:
    """What all pages have: a heading, the lecture's name above it, their language and sheet."""

    heading: str
    over: str = ""
    language: str = "en"
    sheet: Sheet = PAGE
    noun: str = ""  # what ranks are called, where not "rank"

    @property
    def say(self) -> Phrases:
        """The words of this language."""
        return phrases(self.language)

    @property
    def head(self) -> Drawing:
        """The heading."""
        size = size_for(self.heading, RIGHT - LEFT, HEADING, SMALLEST_HEADING, "bold")
        over = TextLine(self.over, LEFT, 74, 30, "faint")
        return Drawing(lines=(over, TextLine(self.heading, LEFT, 158, size, "ink", "bold")))


def joined(drawings: Sequence[Drawing]) -> Drawing:
    """All drawings, later ones in front."""
    return sum(drawings, Drawing())


def text_block(
    text: str, x: float, baseline: float, width: float, size: float, tone: str, lines: int = 2
) -> Drawing:
    """A text in at most so many lines."""
    rows, pitch = enumerate(wrapped(text, width, size, lines)), 1.3 * size
    drawn = (TextLine(line, x, baseline + pitch * row, size, tone) for row, line in rows)
    return Drawing(lines=tuple(drawn))


def bar(left: float, y: float, width: float, height: float, tone: str) -> ColoredBox:
    """A bar that begins at `left`."""
    wide = max(width, 2.0)
    return ColoredBox(Box(left + wide / 2, y, wide, height), tone, min(8.0, wide / 2, height / 2))
