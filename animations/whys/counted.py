"""A count that becomes a formula: each number flies from where it is counted to its term."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import MOTION, TextLine

LETTERS = 72.0  # pixels
COUNT, EQUALS = 60.0, 76.0  # pixels for the count, and for the sign before the formula
SMALL = 0.6  # of the letters of a formula: those of a number that flies over it


@dataclass(frozen=True)
class Flying:
    """A number on its way to the term that it becomes; part: how far it is."""

    text: str
    term: int
    part: float


def counted_formula(
    x: float,
    y: float,
    count: int,
    source: str,
    lit: Collection[int],
    terms: Collection[int],
    flying: Flying | None = None,
    unit: str = "",
    larger: float = 1.0,
) -> Drawing:
    """The count so far, perhaps times a unit, and the formula with the terms that are counted.

    x, y: the middle. lit: of the terms those that were counted, or are now. unit: in Typst.
    larger: times the usual size.
    """
    letters, room, equals = (larger * size for size in (LETTERS, COUNT, EQUALS))
    typeset, times = formula(source), formula(f"times {unit}") if unit else None
    beside = room + equals + (times.width * letters + 16 if times else 0) + 24
    left = x - (typeset.width * letters + beside) / 2
    start, base = left + beside, y + 0.36 * letters
    number = TextLine(str(count), left + room, base, letters, "ink", "bold", "right")
    drawing = Drawing(lines=(number,))
    if times:
        drawing += times.drawn(left + room + 16, y, letters, lambda _: "ink")
    whole = {*terms} <= {*lit} and not (flying and flying.part < 1)
    rest = "now" if whole else "line"
    sign = "faint" if rest == "now" else ""  # before all is counted they are not equal
    drawing += formula("=").drawn(start - equals, y, letters, lambda _: sign)
    drawing += typeset.drawn(
        start, y, letters, lambda term: "now" if term in lit else rest if not term else "line"
    )
    if flying and 0 < flying.part < 1:
        goal, way = typeset.box(flying.term, start, y, letters), MOTION.eased(flying.part)
        size = SMALL * letters
        high = 0.5 * letters * max(1.0, typeset.height) + 0.25 * size + 0.36 * letters
        at = left + 40 + way * (goal.x - left - 40), base - high
        drawing += Drawing(lines=(TextLine(flying.text, *at, size, "now", "bold", "center"),))
    return drawing
