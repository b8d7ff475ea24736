"""Who waits for whom at a standstill: in a row of names, in a panel, and on the cards."""

from __future__ import annotations

from dataclasses import dataclass

from animations.drawing.glyphs import fitted, size_for, text_width
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.sheet import EDGE
from animations.drawing.theme import Theme
from animations.story.deadlock import Stuck
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard

SIZE, HIGH = 22.0, 36.0  # em of the names; pixels of the box round each
INSIDE, BETWEEN, BORDER = 10.0, 42.0, 2.2  # pixels: beside a name, from box to box, of its border
GAP = 16.0  # pixels after the words before the row
LEFT_OUT = "…"
LARGEST, SMALLEST, PITCH = 24.0, 15.0, 1.75  # em of a row, and from row to row in parts of it
HEAD, BELOW = 62.0, 18.0  # pixels above and below the rows
COLUMN_GAP = 24.0  # pixels from what a rank waits for to its line


@dataclass(frozen=True)
class StandstillRow:
    """Pairs of a border and what it encloses; text; where the lost message is."""

    boxes: tuple[ColoredBox, ...]
    text: tuple[TextLine, ...]
    lost: Box


def standstill_row(
    timed_board: TimedBoard, left: float, right: float, base: float, theme: Theme
) -> StandstillRow:
    """The row from `left` on, of which names in the middle are left out where it is too long."""
    standstill, say = timed_board.standstill, timed_board.board.say
    assert standstill
    before = f"{say('clock.chain')}:"
    after = say("clock.more", number=standstill.more) if standstill.more else ""
    start = left + text_width(before, SIZE) + GAP
    names = _fitting(
        list(standstill.groups(timed_board.board.labels)), right - start - text_width(after, SIZE)
    )
    boxes: list[ColoredBox] = []
    text = [TextLine(before, left, base, SIZE, theme.faint)]
    ends = {0, len(names) - 1} if standstill.closed else {len(names) - 1}
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


def standing_text(board: Storyboard, halted: Stuck, panel: Box, theme: Theme) -> list[TextLine]:
    """A row for each rank: what it waits for, and the line of its program."""
    left, right, room = panel.left + EDGE, panel.right - EDGE, panel.width - 2 * EDGE
    lines = [TextLine(board.say("wrong.standing"), left, panel.top + 40, 27, theme.wrong, "bold")]
    rows, height = list(halted.rows), panel.height - HEAD - BELOW
    limit = int(height / (SMALLEST * PITCH))
    if len(rows) > limit:
        rest = board.say("wrong.more", number=len(rows) - limit + 1)
        rows = [*rows[: limit - 1], (rest, "")]
    wide = max(text_width(f"{text}{line}", 1) for text, line in rows)
    size = max(SMALLEST, min(LARGEST, height / (PITCH * len(rows)), (room - COLUMN_GAP) / wide))
    for number, (text, line) in enumerate(rows):
        base = panel.top + HEAD + PITCH * size * (number + 0.7)
        free = room - (text_width(line, size) + COLUMN_GAP if line else 0)
        lines.append(TextLine(fitted(text, free, size), left, base, size, theme.ink))
        lines.append(TextLine(line, right, base, size, theme.wrong, align="right"))
    return lines


def line_text(board: Storyboard, halted: Stuck, theme: Theme) -> list[TextLine]:
    """On each card the line at which its rank stands, where there is room for it."""
    lines = []
    for node, text in halted.lines.items():
        card = board.scenery.cards[node]
        if card.shape.shows_sent and text:
            base = card.box.top + 0.78 * card.shape.header + 1
            size = size_for(text, 0.5 * card.box.width, 19, 15, "bold")
            lines.append(
                TextLine(text, card.box.right - 12, base, size, theme.wrong, "bold", "right")
            )
    return lines
