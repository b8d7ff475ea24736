"""A why: a question, a picture that grows with each sentence, and what of it is shown when."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Protocol

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within, wrapped
from animations.drawing.shapes import Box, TextLine
from animations.drawing.sheet import Sheet
from animations.phrases import speech
from collectives.words import capital

SHORT = 1080.0  # pixels of the shorter side of a page, on which it is laid out
SMALLEST = 1 / 45  # of the shorter side of a page: letters
MARGIN, TOP, FOOT = 60.0, 150.0, 150.0  # pixels beside, above and below the picture
HEADING, ASIDE, SENTENCE = 50.0, 28.0, 42.0  # pixels of letters
ROW = 52.0  # pixels from a row of a sentence to the next


class GrowingPicture(Protocol):
    """What is drawn of a why, in a room, while its sentences are spoken one after another."""

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at `time` of sentence `item`, from 1, from 0 to 1."""


@dataclass(frozen=True, eq=False)
class Joined:
    """Pictures that take turns: for each sentence one, and which of its own sentences that is."""

    parts: tuple[tuple[GrowingPicture, int], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """That of a sentence."""
        picture, own = self.parts[item - 1]
        return picture.drawn(room, own, time)


@dataclass(frozen=True)
class Why:
    """The page of a why, laid out on one whose shorter side is SHORT.

    Its items are its sentences: what each says comes while it is spoken.

    heading: the question that it answers. aside: what is seen, at the right of it, up to sentence
    `aside_until` if that is not 0. brief: what is
    said of it where there is time for one sentence; by default its last one. need: how many of its
    first sentences come before the steps, as they show what is wrong with the obvious way; asks:
    the question above these; idea: whether they say the idea, so that it is not said again.
    silent: without its sentences, as while another one is spoken. borders: whether the sizes it
    tells are those at which the faster changes, and none is that of what is sent. obvious: the
    algorithm that takes the obvious way, if one does. turn: of the sentences before the steps the
    first that answers the question above them, and the question and the note above it then.
    """

    sheet: Sheet
    heading: str
    aside: str
    sentences: tuple[str, ...]
    picture: GrowingPicture
    brief: str = ""
    aside_until: int = 0
    need: int = 0
    asks: str = ""
    idea: bool = False
    silent: bool = False
    borders: bool = False
    obvious: str = ""
    timed: bool = False
    turn: tuple[int, str, str] = (0, "", "")

    @property
    def items(self) -> int:
        """How many sentences there are."""
        return len(self.sentences)

    @property
    def follows(self) -> bool:
        """Whether some of it comes after the steps."""
        return self.need < self.items

    @property
    def scale(self) -> float:
        """By how much what is drawn is larger, or smaller, on the sheet."""
        return min(self.sheet.width, self.sheet.height) / SHORT

    @property
    def wide(self) -> float:
        """Pixels of the width of what is drawn."""
        return self.sheet.width / self.scale

    @property
    def high(self) -> float:
        """Pixels of its height."""
        return self.sheet.height / self.scale

    @property
    def room(self) -> Box:
        """Where the picture stands."""
        bottom = self.high - FOOT - ROW * (max(map(len, map(self._rows, self.sentences))) - 1)
        return Box.between(MARGIN, TOP, self.wide - MARGIN, bottom)

    def asked(self) -> Why:
        """The same before the steps, under the question that they answer."""
        return replace(self, heading=self.asks)

    def briefly(self) -> Why:
        """The same under its one sentence, which goes on from no other."""
        asked = self.need and self.heading == self.asks
        sentence = self.brief or self.sentences[self.need - 1 if asked else -1]
        alone = capital(re.sub(f"^(?:{speech('links')})", "", sentence))
        return replace(self, sentences=(alone,) * self.items)

    def at(self, item: int, time: float) -> Drawing:
        """The page while a sentence is spoken."""
        words = Drawing(lines=tuple(self._lines(max(item, 1))))
        return self.picture.drawn(self.room, max(item, 1), time if item else 0.0) + words

    def _rows(self, sentence: str) -> list[str]:
        """A sentence in the rows that it takes."""
        return [row for row in wrapped(sentence, self.wide - 2 * MARGIN, SENTENCE, 2) if row]

    def _lines(self, item: int) -> list[TextLine]:
        wide, narrow = self.wide - 2 * MARGIN, self.wide < self.high
        turned = 0 < self.turn[0] <= item <= self.need
        heading, aside = self.turn[1:] if turned else (self.heading, self.aside)
        room = wide if narrow or not aside else 0.62 * wide
        lines = [line_within(room, (HEADING, 30.0), heading, MARGIN, 88, "ink", "bold")]
        if aside and not narrow and item <= (self.aside_until or item):
            right, sizes = self.wide - MARGIN, (ASIDE, SHORT * SMALLEST)
            words = line_within(0.36 * wide, sizes, aside, right, 88, "faint", align="right")
            lines.append(words)
        rows = [] if self.silent else self._rows(self.sentences[item - 1])
        base = self.high - 56 - ROW * (len(rows) - 1)
        for number, row in enumerate(rows):
            y = base + ROW * number
            lines.append(TextLine(row, self.wide / 2, y, SENTENCE, "ink", align="center"))
        return lines
