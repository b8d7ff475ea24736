"""The end card as plain data: this algorithm, the bound and two others as bars, and formulas."""

from __future__ import annotations

from dataclasses import dataclass

from animations.film.glyphs import fitted, size_for, text_width
from animations.score.sentences import other_name
from animations.story.counters import DIGITS, CounterRow
from animations.story.drawing import Box, ColoredBox, TextLine
from animations.story.sheet import Sheet
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme
from collectives.units import size_text, time_text
from collectives.words import capital

LABEL, NAME, LEAST = 34.0, 26.0, 17.0  # pixels of letters
BAR, HEAD = 22.0, 72.0  # pixels of a bar; of the line above the bars
BOTTOM = 90.0  # pixels below the last group


@dataclass(frozen=True)
class EndBar:
    """One number: whose it is, its value, this as text, and whether it is the lower bound."""

    name: str
    value: float
    text: str
    bound: bool = False


@dataclass(frozen=True)
class Places:
    """Where the groups stand on a sheet: their left edge, width, first top and pitch."""

    left: float
    wide: float
    top: float
    pitch: float

    @property
    def names(self) -> float:
        """The width of the names of bars."""
        return 0.27 * self.wide

    def base(self, group: int) -> float:
        """The baseline of the label of a group."""
        return self.top + self.pitch * group + LABEL


def places(sheet: Sheet, top: float) -> Places:
    """The places below a heading that ends at `top`."""
    left = 0.06 * sheet.width
    pitch = min(270.0, (sheet.height - BOTTOM - top) / 3)
    return Places(left, sheet.width - 2 * left, top, pitch)


def groups(board: Storyboard) -> list[tuple[str, list[EndBar]]]:
    """Steps, bytes and time: the label of each, and its bars."""
    others, own = board.trade.others, board.say("cards.this")
    shown = [
        [EndBar(_name(board, i), o.steps, f"{o.steps}") for i, o in enumerate(others)],
        [EndBar(_name(board, i), o.bytes, size_text(o.bytes)) for i, o in enumerate(others)],
        [
            EndBar(_name(board, i), o.seconds, time_text(o.seconds, DIGITS))
            for i, o in enumerate(others)
        ],
    ]
    found = []
    for counter, more in zip(board.counters, shown, strict=True):
        bars = [EndBar(own, counter.values[-1], counter.texts[-1]), *_bound(board, counter), *more]
        found.append((capital(counter.label.partition(" (")[0]), bars))
    return found


def _name(board: Storyboard, number: int) -> str:
    return capital(other_name(board, board.trade.others[number]))


def _bound(board: Storyboard, counter: CounterRow) -> list[EndBar]:
    if counter.bound is None:
        return []
    return [EndBar(board.say("cards.bound"), counter.bound, counter.bound_text, True)]


def end_text(board: Storyboard, at: Places, theme: Theme, lit: int | None = None) -> list[TextLine]:
    """The labels, names and numbers; `lit`: the group that is spoken of."""
    lines = []
    for group, (label, bars) in enumerate(groups(board)):
        color, base = theme.now if group == lit else theme.ink, at.base(group)
        room = 0.55 * at.wide
        size = size_for(label, room, LABEL, LEAST, "bold")
        text = fitted(label, room, size, "bold")
        lines.append(TextLine(text, at.left, base, size, color, "bold"))
        for row, bar in enumerate(bars):
            box = _box(at, group, row, bar, bars)
            size = size_for(bar.name, at.names - 16, NAME, LEAST)
            name, y = fitted(bar.name, at.names - 16, size), box.y + 0.36 * NAME
            lines.append(TextLine(name, at.left, y, size, theme.ink if not row else theme.faint))
            shade = color if not row else theme.faint
            lines.append(TextLine(bar.text, box.right + 14, y, NAME, shade, "mono"))
    return lines


def end_boxes(
    board: Storyboard, at: Places, theme: Theme, lit: int | None = None
) -> list[ColoredBox]:
    """The bars."""
    found = []
    for group, (_, bars) in enumerate(groups(board)):
        for row, bar in enumerate(bars):
            own = theme.now if group == lit else theme.ranks[0]
            color = theme.local if bar.bound else own if not row else theme.edge
            found.append(ColoredBox(_box(at, group, row, bar, bars), color, 4))
    return found


def _box(at: Places, group: int, row: int, bar: EndBar, bars: list[EndBar]) -> Box:
    """A bar, its length in proportion to the longest of its group."""
    numbers = max(text_width(each.text, NAME, "mono") for each in bars) + 20
    room = at.wide - at.names - numbers
    length = max(2.0, room * bar.value / (max(each.value for each in bars) or 1.0))
    pitch = min(42.0, (at.pitch - HEAD) / max(4, len(bars)))
    y = at.base(group) + 0.5 * HEAD + pitch * row
    return Box(at.left + at.names + length / 2, y, length, min(BAR, 0.6 * pitch))
