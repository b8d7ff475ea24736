"""Reports of the library as markup: their tables as tables, their paragraphs as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from animations.site.layout import table
from collectives.text_lines import Grid, Heading, ReportLine

CODE = re.compile("`+([^`]+)`+")
MOST_SHOWN = 1 << 12  # columns: a page scrolls, and leaves no column out


def plain_markup(text: str) -> str:
    """A text as markup, what stands in backquotes as code.

    >>> plain_markup("`n` < 3")
    '<code>n</code> &lt; 3'
    """
    return CODE.sub(r"<code>\1</code>", escape(text))


def report_markup(lines: Iterable[ReportLine], level: int = 3) -> str:
    """Markup of a report's lines; its headings are of this level."""
    return "".join(_markup(line, level) for line in lines if str(line).strip())


def _markup(line: ReportLine, level: int) -> str:
    if isinstance(line, Grid):
        head, *rows = line.fitted(MOST_SHOWN)[0] or [[]]
        return table(head, ([escape(cell) for cell in row] for row in rows))
    if isinstance(line, Heading):
        return f"<h{level}>{escape(line)}</h{level}>"
    return f'<p class="small">{plain_markup(" ".join(str(line).split()))}</p>'
