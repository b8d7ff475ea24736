"""Text for terminals and pipes: aligned tables, numbers with their nouns, one-line messages."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Any

import click

from collectives.words import plural as plural

MOST_MESSAGE = 600  # characters; a longer message loses its middle
MOST_DIAGNOSIS = 2000  # of what is wrong with an algorithm
WIDTH = 120  # of a pipe, for what is wrapped
NARROW = 7  # columns: a column that is broken is not made narrower
BREAKS = {"+": 3, "-": 2, " ": 2, ",": 1, "/": 0}  # where formulas are broken, best first


def say(text: str = "", bold: bool = False) -> None:
    """Print a line; bold on terminals, characters that control them made visible."""
    shown = printable(text)
    print(click.style(shown, bold=True) if bold and sys.stdout.isatty() else shown)


def say_table(
    rows: Iterable[Sequence[str]],
    head: Sequence[str] | None = None,
    right: Collection[int] = (),
    indent: int = 0,
    gap: int = 2,
) -> None:
    """Print rows in columns; those numbered in `right` are flush right.

    On a terminal a line that is too long ends in …; in a pipe nothing is cut.
    """
    body = [list(map(printable, row)) for row in rows]
    every = ([list(head)] if head else []) + body
    if not every:
        return
    widths = [max(map(len, column)) for column in zip(*every, strict=True)]
    lines = [_line(row, widths, right, indent, gap) for row in every]
    if head:
        lines.insert(1, " " * indent + "─" * (sum(widths) + gap * (len(widths) - 1)))
    most = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines:
        print(line if most is None or len(line) <= most else line[: most - 1] + "…")


def width() -> int:
    """Columns of the terminal, 120 of a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH


def say_columns(rows: Sequence[Sequence[str]], head: Sequence[str], below: Sequence[str]) -> None:
    """Print rows in columns, wrapped so that they fit, each with its text below it, if any."""
    room = width() - 2 - 2 * (len(head) - 1)
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    least = [max(NARROW, len(cell)) for cell in head]
    while sum(widths) > room:
        widest = max(range(1, len(widths)), key=lambda at: widths[at] - least[at])
        if widths[widest] <= least[widest]:
            break
        widths[widest] -= 1
    for row in (head, ["─" * width for width in widths]):
        print(_line(row, widths, (), 2, 2))
    for row, text in zip(rows, below, strict=True):
        cells = [broken(printable(cell), most) for cell, most in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            print(_line(line, widths, (), 2, 2))
        for more in wrapped(f"    {text}", indent=6) if text else ():
            print(more)


def wrapped(text: str, indent: int = 0) -> list[str]:
    """A text as lines that fit the terminal, broken between words; all but the first indented."""
    lines = textwrap.wrap(
        printable(text),
        max(width(), 40),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [""]


def broken(formula: str, most: int) -> list[str]:
    """A formula as lines of so many characters, broken where it hurts least.

    >>> broken("2 (gpus-1)+2 (nodes-1)", 14)
    ['2 (gpus-1)+', '2 (nodes-1)']
    """
    lines = []
    while len(formula) > most:
        depth, cuts = 0, {most: -9}
        for at, letter in enumerate(formula[:most], 1):
            depth += (letter == "(") - (letter == ")")
            if letter in BREAKS:
                cuts[at] = BREAKS[letter] - 3 * depth
        cut = max(cuts, key=lambda at: (cuts[at], at))
        lines.append(formula[:cut].rstrip())
        formula = formula[cut:]
    return [*lines, formula]


def _line(
    row: Sequence[str], widths: Sequence[int], right: Collection[int], indent: int, gap: int
) -> str:
    cells = [
        cell.rjust(width) if at in right else cell.ljust(width)
        for at, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return (" " * indent + (" " * gap).join(cells)).rstrip()


def printable(text: str) -> str:
    r"""Text without characters that control a terminal: these become escapes.

    >>> print(printable("a\x1b[2Jb"))
    a\x1b[2Jb
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def one_line(message: str, most: int = MOST_MESSAGE) -> str:
    r"""A message as one line of moderate length.

    >>> one_line("no file\n  a\tb")
    'no file a b'
    """
    line = printable(" ".join(message.split()))
    if len(line) <= most:
        return line
    half = most // 2
    return f"{line[:half]} … {line[-half:]}"


def elements(vector: Any, most: int = 4) -> str:
    """The first elements of an array, in brackets.

    >>> elements(range(9))
    '[0 1 2 3 …]'
    """
    first = vector[:most]
    values = first.tolist() if hasattr(first, "tolist") else first
    shown = " ".join(_number(value) for value in values)
    return f"[{shown}{' …' if len(vector) > most else ''}]"


def _number(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
