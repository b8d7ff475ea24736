"""Pages of text: lines that come one after the other, and rows in which marks change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from animations.course.headed import BOTTOM, LEFT, RIGHT, TOP, Headed, bar, joined, text_block
from animations.course.recalled import ASIDE, BELOW, BESIDE, Recalled
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import size_for, text_width
from animations.drawing.shapes import MOTION, Box, ColoredBox, TextLine

MOST_PITCH = 230.0  # pixels from line to line
SIZES = (60.0, 54.0, 48.0, 42.0, 38.0, 34.0)  # pixels
LARGEST, SMALLEST = 54.0, 20.0  # pixels of the letters
PAUSE = 14.0  # pixels that the bar of a pause is high
WRITTEN = 0.75  # of a sentence, until its text is written, or its mark drawn
PITCHES = 1.5, 2.6  # letters from row to row: at least, and where there is room


@dataclass(frozen=True)
class Recalling(Headed):
    """A page that recalls others. pictures: of each item; without one, that of the item before."""

    pictures: tuple[Recalled | None, ...] = ()

    def _picture(self, item: int, time: float, place: Box) -> Drawing:
        """What is recalled last, in a place; it comes with its own line."""
        lines = [number for number, entry in enumerate(self.pictures[:item], 1) if entry]
        picture = self.pictures[lines[-1] - 1] if lines else None
        return picture.at(time if lines[-1] == item else 1.0, place) if picture else Drawing()


@dataclass(frozen=True)
class WordsPage(Recalling):
    """Lines of text, each of up to two lines on the page; with pictures, one above its picture."""

    texts: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """How many lines come."""
        return len(self.texts)

    def at(self, item: int, time: float) -> Drawing:
        """The lines that have come, a mark beside the last, which is written word by word."""
        if not any(self.pictures):
            return self._lines(item, time, RIGHT, 2)
        text = self.texts[item - 1] if item else ""
        size = size_for(text, RIGHT - LEFT - 40, SIZES[1], SMALLEST)
        line = _written(text_block(text, LEFT + 40, TOP + 30, RIGHT, size, "ink", 1), time)
        mark = bar(LEFT, TOP + 30 - 0.34 * size, 10, size, "now")
        return joined([self.head, line, Drawing(boxes=(mark,)), self._picture(item, time, BELOW)])

    def _lines(self, item: int, time: float, right: float, rows: int) -> Drawing:
        """All lines that have come, of so many rows at most."""
        pitch = min(MOST_PITCH, (BOTTOM - TOP) / max(1, len(self.texts)))
        size = next((size for size in SIZES if 1.35 * rows * size <= pitch), SIZES[-1])
        past = "faint" if item <= len(self.texts) else "ink"
        layers = [self.head]
        for number, text in enumerate(self.texts[:item], 1):
            base = TOP + pitch * (number - 0.5)
            tone = "ink" if number == item else past
            block = text_block(text, LEFT + 40, base, right - LEFT - 40, size, tone, rows)
            layers.append(_written(block, time) if number == item else block)
            if number == item:
                mark = bar(LEFT, base - 0.34 * size, 10, size, "now")
                layers.append(Drawing(boxes=(mark,)))
        return joined(layers)


def _written(block: Drawing, time: float) -> Drawing:
    """The first words of a text, at a time from 0 to 1 of its sentence."""
    words = sum(len(line.text.split()) for line in block.lines)
    left = ceil(words * min(time / WRITTEN, 1.0))
    lines = []
    for line in block.lines:
        text = line.text.split()
        lines.append(line if left >= len(text) else replace(line, text=" ".join(text[:left])))
        left = max(left - len(text), 0)
    return replace(block, lines=tuple(line for line in lines if line.text))


@dataclass(frozen=True)
class QuestionPage(WordsPage):
    """A question with its options as lines; last of all a pause, whose bar becomes shorter."""

    @property
    def items(self) -> int:
        """The options, and the pause."""
        return len(self.texts) + 1

    def at(self, item: int, time: float) -> Drawing:
        """The options that have come; in the pause all alike, and what is left of it."""
        right, rows = (BESIDE.left - 40, 4) if any(self.pictures) else (RIGHT, 2)
        asks = item == 1 and any(self.pictures)  # first the question, beside a picture
        written = max(0.0, 2 * time - 1) if asks else time
        page = self._lines(item, written, right, rows) + self._picture(item, time, BESIDE)
        if item < self.items:
            return page
        left = bar(LEFT, BOTTOM, (RIGHT - LEFT) * (1 - time), PAUSE, "now")
        return page + Drawing(boxes=(left,))


@dataclass(frozen=True)
class Marked:
    """Columns `first` to `last` (in letters, the last one left out) of a row, from 0."""

    row: int
    first: int = 0
    last: int = 1 << 10


def _in_turn(marks: Sequence[Marked], time: float) -> list[float]:
    """How much of each mark is drawn, one after another."""
    done = len(marks) * min(time / WRITTEN, 1.0)
    return [MOTION.eased(min(max(0.0, done - place), 1.0)) for place in range(len(marks))]


@dataclass(frozen=True)
class TablePage(Recalling):
    """Rows in letters of one width; with each item its marks are shown, and those before go.

    Beside rows with pictures there is what is recalled.

    appear: whether what is marked in some item is not there before.
    """

    rows: tuple[str, ...] = ()
    marks: tuple[tuple[Marked, ...], ...] = ()
    appear: bool = False

    @property
    def items(self) -> int:
        """How many times the marks change."""
        return len(self.marks)

    @property
    def _right(self) -> float:
        return ASIDE.left - 40 if any(self.pictures) else RIGHT

    @property
    def _size(self) -> float:
        longest = max(len(row) for row in self.rows)
        fits = (self._right - LEFT - 40) / (longest * text_width("0", 1, "mono"))
        return min(LARGEST, fits, (BOTTOM - TOP - 40) / (PITCHES[0] * len(self.rows)))

    def at(self, item: int, time: float) -> Drawing:
        """All rows, with the marks of this item, which are drawn from the left."""
        size = self._size
        letter = text_width("0", size, "mono")
        pitch = min(PITCHES[1] * size, (BOTTOM - TOP - 40) / len(self.rows))
        panel_height = pitch * len(self.rows) + 50
        panel = Box.between(LEFT, TOP, self._right, TOP + panel_height)
        boxes = [ColoredBox(panel, "panel", 14)]
        marks = self.marks[item - 1] if item else ()
        lit = {mark.row for mark in marks}
        for come, mark in zip(_in_turn(marks, time), marks, strict=True):
            row = self.rows[mark.row]
            last = min(mark.last, len(row))
            left, wide = LEFT + 20 + letter * mark.first, letter * (last - mark.first)
            wide *= come
            y = TOP + 25 + pitch * (mark.row + 0.5)
            band = ColoredBox(Box(left + wide / 2, y, wide + 12, pitch), "now_band", 6)
            boxes += [band] * (come > 0)
        lines = list[TextLine]()
        for number in range(len(self.rows)):
            at = LEFT + 20, TOP + 25 + pitch * (number + 0.5) + 0.36 * size, size
            tone = "ink" if number in lit or not item else "faint"
            lines.append(TextLine(self._there(number, item, time), *at, tone, "mono"))
        picture = self._picture(item, time, ASIDE)
        return joined([self.head, Drawing(tuple(boxes), (), tuple(lines)), picture])

    def _there(self, number: int, item: int, time: float) -> str:
        """The letters of a row that have come."""
        letters = list(self.rows[number])
        for place in range(len(self.marks), 0 if self.appear else len(self.marks), -1):
            marks, now = self.marks[place - 1], 1.0 if place < item else time * (place == item)
            for come, mark in zip(_in_turn(marks, now), marks, strict=True):
                if mark.row == number and not come:  # a number's first digits are another number
                    hidden = letters[mark.first : mark.last]
                    letters[mark.first : mark.last] = " " * len(hidden)
        return "".join(letters)
