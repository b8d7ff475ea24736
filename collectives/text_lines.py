"""Lines of reports: plain ones, headings, paragraphs and tables, laid out for any width."""

from __future__ import annotations

import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from collectives.words import printable

WIDTH = 120  # columns, where no terminal says how many it has


class Heading(str):
    """A line that stands out, where it can."""


@dataclass(frozen=True)
class Paragraph:
    """A text that is wrapped between words, indented below what it starts with."""

    text: str
    lead: str = ""
    indent: int = 0

    def wrapped(self, width: int) -> list[str]:
        """Its lines in so many columns."""
        return textwrap.wrap(
            printable((f"{self.lead:<{self.indent}}" if self.lead else "") + self.text),
            max(width, 40),
            subsequent_indent=" " * self.indent,
            break_long_words=False,
            break_on_hyphens=False,
        )

    def __str__(self) -> str:
        """Its lines in 120 columns."""
        return "\n".join(self.wrapped(WIDTH))


@dataclass(frozen=True)
class Grid:
    """Rows in columns, those in `right` flush right.

    spare: columns that are left out, in this order, where the table is too wide.
    """

    rows: Iterable[Sequence[str]]
    head: Sequence[str] = ()
    right: Collection[int] = ()
    indent: int = 0
    spare: Sequence[int] = ()

    def fitted(self, room: int) -> tuple[list[list[str]], list[bool]]:
        """The cells in so many columns of text, and which columns are flush right."""
        body = [list(map(printable, row)) for row in self.rows]
        every = [*([list(self.head)] if self.head and body else []), *body]
        wide = {at: max(map(len, column)) + 2 for at, column in enumerate(zip(*every, strict=True))}
        for at in self.spare:
            if sum(wide.values()) - 2 > room and at in wide:
                del wide[at]
        return [[row[at] for at in wide] for row in every], [at in self.right for at in wide]

    def __str__(self) -> str:
        """Its lines in 120 columns, or in more where a row needs them."""
        cells, flush = self.fitted(WIDTH - self.indent)
        lines = in_columns(cells, bool(self.head), flush)
        return "\n".join((" " * self.indent + line).rstrip() for line in lines)


ReportLine = str | Paragraph | Grid
Lines = Iterator[ReportLine]


class Reporting(Protocol):
    """What a command finds out: as lines for people, and as values for JSON."""

    def lines(self) -> Iterable[ReportLine]:
        """What the command prints."""

    def as_json(self) -> Mapping[str, Any] | list[Any]:
        """What it prints with --json."""


def in_columns(rows: Sequence[Sequence[str]], headed: bool, flush: Sequence[bool]) -> list[str]:
    """The lines of a table that need not be wrapped."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, wide, flush, strict=True)
        )
        for row in rows
    ]
    return [lines[0], "─" * len(lines[0]), *lines[1:]] if headed and lines else lines


def elements(vector: Any, limit: int = 4) -> str:
    """The first elements of an array, in brackets.

    >>> elements(range(9))
    '[0 1 2 3 …]'
    """
    first = vector[:limit]
    values = first.tolist() if hasattr(first, "tolist") else first
    text = " ".join(f"{value:.6g}" if isinstance(value, float) else str(value) for value in values)
    return f"[{text}{' …' if len(vector) > limit else ''}]"
