"""Who waits for whom at a standstill, as names in a row up to a message that is lost."""

from __future__ import annotations

from dataclasses import dataclass

from animations.film.glyphs import text_width
from animations.story.drawing import Box, ColoredBox, TextLine
from animations.story.flights import Flights
from animations.story.theme import Theme

SIZE, HIGH = 22.0, 36.0  # em of the names; pixels of the box round each
INSIDE, BETWEEN, BORDER = 10.0, 42.0, 2.2  # pixels: beside a name, from box to box, of its border
GAP = 16.0  # pixels after the words before the row
LEFT_OUT = "…"


@dataclass(frozen=True)
class StandstillRow:
    """Pairs of a border and what it encloses; text; where the lost message is."""

    boxes: tuple[ColoredBox, ...]
    text: tuple[TextLine, ...]
    lost: Box


def standstill_row(
    flights: Flights, left: float, right: float, base: float, theme: Theme
) -> StandstillRow:
    """The row from `left` on, of which names in the middle are left out where it is too long."""
    found, say = flights.standstill, flights.board.say
    assert found
    before = f"{say('clock.chain')}:"
    after = say("clock.more", number=found.more) if found.more else ""
    start = left + text_width(before, SIZE) + GAP
    names = _fitting(
        list(found.groups(flights.board.labels)), right - start - text_width(after, SIZE)
    )
    boxes: list[ColoredBox] = []
    text = [TextLine(before, left, base, SIZE, theme.faint)]
    ends = {0, len(names) - 1} if found.closed else {len(names) - 1}
    x, middle = start, base - 0.36 * SIZE
    for number, name in enumerate(names):
        wide = _wide(name)
        border, fill = (Box(x + wide / 2, middle, wide - d, HIGH - d) for d in (0, 2 * BORDER))
        color = theme.wrong if number in ends else theme.edge
        if name != LEFT_OUT:
            boxes += ColoredBox(border, color, 7), ColoredBox(fill, theme.panel, 5)
        text.append(TextLine(name, x + wide / 2, base, SIZE, theme.ink, align="center"))
        x += wide + BETWEEN
        if number + 1 < len(names):
            text.append(TextLine("→", x - BETWEEN / 2, base, SIZE, theme.faint, align="center"))
    if after:
        text.append(TextLine(f"; {after}", x - BETWEEN, base, SIZE, theme.faint))
    lost = Box(x - _wide(names[-1]) - 1.5 * BETWEEN, middle, 0.0, 0.0)
    return StandstillRow(tuple(boxes), tuple(text), lost)


def _wide(name: str) -> float:
    """Pixels of a name with its box."""
    return text_width(name, SIZE) + 2 * INSIDE


def _fitting(names: list[str], room: float) -> list[str]:
    """The names, without those in the middle that there is no room for."""

    def fits(some: list[str]) -> bool:
        return sum(map(_wide, some)) + BETWEEN * (len(some) - 1) <= room

    if fits(names):
        return names
    kept = next((n for n in range(len(names) - 1, 2, -1) if fits(_without(names, n))), 2)
    return _without(names, kept)


def _without(names: list[str], kept: int) -> list[str]:
    """So many names, the first half and the last, and a mark between them."""
    first = kept // 2
    return [*names[:first], LEFT_OUT, *names[len(names) - kept + first :]]
