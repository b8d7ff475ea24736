"""A page of words: lines that come one after the other, the one that is spoken of marked."""

from __future__ import annotations

from dataclasses import dataclass

from animations.course.page import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined, text_block
from animations.score.page import Drawing

MOST_PITCH, SIZES = 190.0, (60.0, 54.0, 48.0, 42.0, 38.0, 34.0)  # pixels


@dataclass(frozen=True)
class WordsPage(Headed):
    """Lines of text; each may be of up to two lines on the page."""

    texts: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """How many lines come."""
        return len(self.texts)

    def at(self, item: int, time: float) -> Drawing:
        """The lines that have come, a mark beside the last."""
        pitch = min(MOST_PITCH, (BOTTOM - TOP) / max(1, len(self.texts)))
        size = next((size for size in SIZES if 2.7 * size <= pitch), SIZES[-1])
        found = [self.head]
        for number, text in enumerate(self.texts[:item], 1):
            base = TOP + pitch * (number - 0.5)
            tone = "ink" if number == item else "faint"
            found.append(text_block(text, LEFT + 40, base, RIGHT - LEFT - 40, size, tone))
            if number == item:
                mark = bar(LEFT, base - 0.34 * size, 10, size, "now")
                found.append(Drawing(boxes=(mark,)))
        return joined(found)
