"""The panel that says where each rank stands in a deadlock, and the same on the cards."""

from __future__ import annotations

from animations.film.glyphs import fitted, size_for, text_width
from animations.story.deadlock import Stuck
from animations.story.drawing import Box, TextLine
from animations.story.sheet import EDGE
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme

LARGEST, SMALLEST, PITCH = 24.0, 15.0, 1.75  # em of a row, and from row to row in parts of it
HEAD, BELOW = 62.0, 18.0  # pixels above and below the rows
APART = 24.0  # pixels from what a rank waits for to its line


def standing_text(board: Storyboard, halted: Stuck, panel: Box, theme: Theme) -> list[TextLine]:
    """A row for each rank: what it waits for, and the line of its program."""
    left, right, room = panel.left + EDGE, panel.right - EDGE, panel.width - 2 * EDGE
    title = board.say("wrong.standing")
    lines = [TextLine(title, left, panel.top + 40, 27, theme.wrong, "bold")]
    rows, height = list(halted.rows), panel.height - HEAD - BELOW
    most = int(height / (SMALLEST * PITCH))
    if len(rows) > most:
        rest = board.say("wrong.more", number=len(rows) - most + 1)
        rows = [*rows[: most - 1], (rest, "")]
    wide = max(text_width(f"{text}{line}", 1) for text, line in rows)
    size = max(SMALLEST, min(LARGEST, height / (PITCH * len(rows)), (room - APART) / wide))
    for number, (text, line) in enumerate(rows):
        base = panel.top + HEAD + PITCH * size * (number + 0.7)
        free = room - (text_width(line, size) + APART if line else 0)
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
