"""The panel with the function at work: its lines, and its variables below."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from animations.drawing.glyphs import fitted, line_within, text_width
from animations.drawing.shapes import Box, ColoredBox, TextLine, in_lines
from animations.drawing.sheet import EDGE
from animations.drawing.theme import Theme
from animations.story.source import SourceLine, is_remark

MONO_WIDTH = 0.6025  # of an em
SMALLEST = 10.0  # letters; longer lines of code are cut
SIZES = (21.0, 20.0, 19.0, 18.0, 17.0)  # of letters, where remarks are wrapped
LOOSE, TIGHT = 0.71, 0.84  # of the pitch of lines, that letters are high: up to 19 pixels, below
LEAST_VARIABLES = 17.0  # of letters
MOST_LISTED = 11  # operations of a thread block
ABOVE, BELOW = 20, 54  # of the lines of code, in the panel


@dataclass(frozen=True)
class _Setting:
    """A function as it is set: (index of the line, text) from the top, and the size.

    height: of all lines, at most.
    """

    lines: list[tuple[int, str]]
    size: float
    height: float

    @property
    def pitch(self) -> float:
        """From one line to the next."""
        return min(33.0, self.height / len(self.lines))


def source_text(source: SourceLine, panel: Box, running: bool, theme: Theme) -> list[TextLine]:
    """The lines of the function at work, and its variables below."""
    source = _near(source)
    setting, left = _setting(source, panel), panel.left + EDGE
    size, lines = setting.size, []
    for row, (i, text) in enumerate(setting.lines):
        indent = len(text) - len(text.lstrip())
        now = running and source.first <= i <= source.last
        color = theme.now if now else theme.faint if is_remark(source.text[i]) else theme.ink
        x = left + indent * MONO_WIDTH * size
        base = panel.top + ABOVE + (row + 0.72) * setting.pitch
        lines.append(TextLine(text.lstrip(), x, base, size, color, "mono"))
    if running:
        room = panel.width - 2 * EDGE
        text, base, sizes = source.variables, panel.bottom - 18, (21, LEAST_VARIABLES)
        lines.append(line_within(room, sizes, text, left, base, theme.local, "mono"))
    return lines


def current_line(source: SourceLine, panel: Box, theme: Theme) -> ColoredBox:
    """The band behind the statement at work."""
    source = _near(source)
    setting = _setting(source, panel)
    rows = [row for row, (i, _) in enumerate(setting.lines) if source.first <= i <= source.last]
    height = len(rows) * setting.pitch
    middle = panel.top + ABOVE + rows[0] * setting.pitch + height / 2
    return ColoredBox(Box(panel.x, middle, panel.width - 16, height), theme.now_band, 4)


def _near(source: SourceLine) -> SourceLine:
    """Of the operations of a long thread block those near to the one at work."""
    lines, limit = source.text, MOST_LISTED
    if not source.listing or len(lines) <= limit + 1:
        return source
    first = min(max(1, source.first - limit // 2), len(lines) - limit)
    now = source.first - first + 1
    return replace(source, text=(lines[0], *lines[first : first + limit]), first=now, last=now)


@lru_cache(maxsize=256)
def _setting(source: SourceLine, panel: Box) -> _Setting:
    """Letters as large as the longest line of code allows, if that is not too long."""
    room, height = panel.width - 2 * EDGE, panel.height - ABOVE - BELOW
    longest = max(text_width(text, 1, "mono") for text in source.text if not is_remark(text))
    widest = max(SMALLEST, (room - 1) / longest)
    largest = min(22.0, LOOSE * height / len(source.text), widest)
    for size in (largest, *SIZES):
        lines = [
            (i, part) for i, text in enumerate(source.text) for part in _wrapped(text, size, room)
        ]
        limit = (LOOSE if size >= 19 else TIGHT) * height
        if size <= widest and len(lines) * size <= limit:
            return _Setting(lines, size, height)
    cut = [(i, fitted(text, room, largest, "mono")) for i, text in enumerate(source.text)]
    return _Setting(cut, largest, height)


def _wrapped(text: str, size: float, width: float) -> list[str]:
    """A remark in lines that fit the panel; code as it is, or cut."""
    indent = text[: len(text) - len(text.lstrip())]
    room = width - text_width(indent, size, "mono")
    lines = [text.strip()]
    if is_remark(text):
        lines = in_lines(text.strip(), lambda line: text_width(line, size, "mono") <= room)
    return [indent + fitted(line, room, size, "mono") for line in lines]
