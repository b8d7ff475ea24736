"""The panel with the function at work: its lines, and its variables below."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import lru_cache

from animations.film.glyphs import fitted
from animations.story.drawing import COLUMN, INSIDE, ROOM, SOURCE, Box, ColoredBox, TextLine
from animations.story.source import SourceLine, is_remark
from animations.story.theme import Theme

MONO_WIDTH = 0.6025  # of an em
TOP, HEIGHT = SOURCE.top + 20, SOURCE.height - 74  # of the lines of code


@dataclass(frozen=True)
class _Setting:
    """A function as it is set: (index of the line, text) from the top, and the size."""

    lines: list[tuple[int, str]]
    size: float

    @property
    def pitch(self) -> float:
        """From one line to the next."""
        return min(33.0, HEIGHT / len(self.lines))


def source_text(source: SourceLine, running: bool, theme: Theme) -> list[TextLine]:
    """The lines of the function at work, and its variables below."""
    setting = _setting(source)
    size, found = setting.size, []
    for row, (i, text) in enumerate(setting.lines):
        indent = len(text) - len(text.lstrip())
        now = running and source.first <= i <= source.last
        color = theme.now if now else theme.faint if is_remark(source.text[i]) else theme.ink
        x, base = INSIDE + indent * MONO_WIDTH * size, TOP + (row + 0.72) * setting.pitch
        found.append(TextLine(text.lstrip(), x, base, size, color, "mono"))
    if running:
        line = fitted(source.variables, ROOM, 21, "mono")
        found.append(TextLine(line, INSIDE, SOURCE.bottom - 18, 21, theme.local, "mono"))
    return found


def current_line(source: SourceLine, theme: Theme) -> ColoredBox:
    """The band behind the statement at work."""
    setting = _setting(source)
    rows = [row for row, (i, _) in enumerate(setting.lines) if source.first <= i <= source.last]
    height = len(rows) * setting.pitch
    middle = TOP + rows[0] * setting.pitch + height / 2
    return ColoredBox(Box(COLUMN.x, middle, COLUMN.width - 16, height), theme.now_band, 4)


@lru_cache(maxsize=256)
def _setting(source: SourceLine) -> _Setting:
    """Letters as large as the longest line of code allows; only remarks are wrapped or cut."""
    longest = max(len(text) for text in source.text if not is_remark(text))
    largest = min(22.0, 0.71 * HEIGHT / len(source.text), ROOM / (MONO_WIDTH * longest))
    for size in (largest, 21.0, 20.0, 19.0):
        room = int(ROOM / (MONO_WIDTH * size))
        lines = [(i, part) for i, text in enumerate(source.text) for part in _wrapped(text, room)]
        if size <= largest and len(lines) * size <= 0.71 * HEIGHT:
            return _Setting(lines, size)
    room = int(ROOM / (MONO_WIDTH * largest))
    cut = (text if len(text) <= room else text[: room - 1] + "…" for text in source.text)
    return _Setting(list(enumerate(cut)), largest)


def _wrapped(text: str, room: int) -> list[str]:
    """A remark in lines of at most `room` characters; code as it is."""
    if not is_remark(text) or len(text) <= room:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), room, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )
