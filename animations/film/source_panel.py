"""The panel with the function at work: its lines, and its variables below."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from functools import lru_cache

from animations.film.glyphs import fitted
from animations.film.sheet import COLUMN, INSIDE, INSIDE_RIGHT, MONO_WIDTH, SOURCE, Fill, Words
from animations.story.box import Box
from animations.story.source import Line
from animations.story.theme import Theme


def source_words(source: Line, running: bool, theme: Theme) -> list[Words]:
    """The lines of the function at work, and its variables below."""
    page = _source_page(source)
    words = []
    for row, (i, text) in enumerate(page.lines):
        indent = len(text) - len(text.lstrip())
        now = running and source.first <= i <= source.last
        color = theme.now if now else theme.faint if _is_remark(source.text[i]) else theme.ink
        x = INSIDE + indent * MONO_WIDTH * page.size
        base = page.top + (row + 0.72) * page.pitch
        words.append(Words(text.lstrip(), x, base, page.size, color, "mono"))
    if running:
        local = "   ".join(f"{name} = {value}" for name, value in source.locals)
        line = fitted(local, INSIDE_RIGHT - INSIDE, 21, "mono")
        words.append(Words(line, INSIDE, SOURCE.bottom - 18, 21, theme.local, "mono"))
    return words


@dataclass(frozen=True)
class _SourcePage:
    """A function as it is set: (index of the line, text) from the top, size and pitch."""

    lines: tuple[tuple[int, str], ...]
    size: float
    pitch: float
    top: float

    def rows_of(self, first: int, last: int) -> tuple[int, int]:
        """The first row of some lines of the function, and the row after their last."""
        rows = [row for row, (i, _) in enumerate(self.lines) if first <= i <= last]
        return rows[0], rows[-1] + 1


@lru_cache(maxsize=256)
def _source_page(source: Line) -> _SourcePage:
    """Letters as large as the longest line of code allows; only remarks are wrapped or cut."""
    width, height = INSIDE_RIGHT - INSIDE, SOURCE.height - 74
    longest = max(len(text) for text in source.text if not _is_remark(text))
    largest = min(22.0, 0.71 * height / len(source.text), width / (MONO_WIDTH * longest))
    for size in (largest, 21.0, 20.0, 19.0):
        room = int(width / (MONO_WIDTH * size))
        lines = [(i, part) for i, text in enumerate(source.text) for part in _wrapped(text, room)]
        if size <= largest and len(lines) * size <= 0.71 * height:
            return _SourcePage(tuple(lines), size, min(33.0, height / len(lines)), SOURCE.top + 20)
    room = int(width / (MONO_WIDTH * largest))
    lines = [(i, t if len(t) <= room else t[: room - 1] + "…") for i, t in enumerate(source.text)]
    return _SourcePage(tuple(lines), largest, min(33.0, height / len(lines)), SOURCE.top + 20)


def _is_remark(text: str) -> bool:
    return text.lstrip().startswith(("#", '"""'))


def _wrapped(text: str, room: int) -> list[str]:
    """A remark in lines of at most `room` characters; code as it is."""
    if not _is_remark(text) or len(text) <= room:
        return [text]
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.wrap(
        text.strip(), room, initial_indent=indent, subsequent_indent=indent, break_long_words=False
    )


def current_line(source: Line, theme: Theme) -> Fill:
    """The band behind the statement at work."""
    page = _source_page(source)
    first, end = page.rows_of(source.first, source.last)
    height = (end - first) * page.pitch
    middle = page.top + first * page.pitch + height / 2
    return Fill(Box(COLUMN.x, middle, COLUMN.width - 16, height), theme.now_band, 4)
