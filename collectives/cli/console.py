"""Text for terminals and pipes: lines, tables, paragraphs, JSON, and messages of one line."""

from __future__ import annotations

import io
import math
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import click

from collectives.words import printable

MOST_MESSAGE = 600  # characters; a longer message loses its middle
MOST_DIAGNOSIS = 2000  # of what is wrong with an algorithm
NARROW = re.compile("[\0-\u02ff\u2010-\u20cf\u2100-\u22ff]*")  # letters as wide as any digit
PIPE = 120  # columns of a pipe, for what is wrapped


def say(text: str = "", bold: bool = False) -> None:
    """Print a line; bold on terminals, characters that control them made visible."""
    shown = printable(text)
    print(click.style(shown, bold=True) if bold and sys.stdout.isatty() else shown)


def say_paragraph(text: str, lead: str = "", indent: int = 0) -> None:
    """Print a text that is wrapped between words, indented below what it starts with."""
    lines = textwrap.wrap(
        printable((f"{lead:<{indent}}" if lead else "") + text),
        max(width(), 40),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    print("\n".join(lines))


def say_table(
    rows: Iterable[Sequence[str]],
    head: Sequence[str] = (),
    right: Collection[int] = (),
    indent: int = 0,
    spare: Sequence[int] = (),
) -> None:
    """Print rows in columns; cells that are too wide are wrapped, those in `right` flush right.

    spare: columns that are left out, in this order, where the table is too wide.
    """
    body = [list(map(printable, row)) for row in rows]
    if not body:
        return
    every = [*([list(head)] if head else []), *body]
    wide = {at: max(map(len, column)) + 2 for at, column in enumerate(zip(*every, strict=True))}
    room = width() - indent
    for at in spare:
        if sum(wide.values()) - 2 > room:
            del wide[at]
    shown = [[row[at] for at in wide] for row in every]
    flush = [at in right for at in wide]
    fits = sum(wide.values()) - 2 <= room and NARROW.fullmatch("".join(map("".join, shown)))
    lay_out = _lines if fits else _wrapped_lines
    for line in lay_out(shown, bool(head), flush, room):
        print((" " * indent + line).rstrip())


def _lines(rows: list[list[str]], headed: bool, flush: list[bool], room: int) -> list[str]:
    """The lines of a table that fits; most do, and rich takes a fifth of a command to import."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, wide, flush, strict=True)
        )
        for row in rows
    ]
    return [lines[0], "─" * len(lines[0]), *lines[1:]] if headed else lines


def _wrapped_lines(rows: list[list[str]], headed: bool, flush: list[bool], room: int) -> list[str]:
    """The lines of a table, with cells that are too wide wrapped, and letters of any width."""
    import rich.box
    import rich.console
    import rich.table

    table = rich.table.Table(
        box=rich.box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        show_header=headed,
        padding=(0, 1, 0, 0),
    )
    head, body = (rows[0], rows[1:]) if headed else ([""] * len(flush), rows)
    for at, (name, right) in enumerate(zip(head, flush, strict=True)):
        justify: Any = "right" if right else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=at == 0 or right)
    for row in body:
        table.add_row(*row)
    drawn = io.StringIO()  # not the encoding of a terminal, which may lack lines
    plain: dict[str, Any] = {"color_system": None, "markup": False, "emoji": False}
    console = rich.console.Console(file=drawn, width=room, highlight=False, **plain)
    console.print(table)
    return drawn.getvalue().splitlines()


def say_json(value: Any) -> None:
    """Print a value as JSON that any reader accepts."""
    import json

    print(json.dumps(finite(value), indent=2, allow_nan=False))


def finite(value: Any) -> Any:
    """The same without numbers that JSON does not have: null for what is infinite or NaN."""
    if isinstance(value, dict):
        return {key: finite(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def width() -> int:
    """Columns of the terminal, 120 of a pipe."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if sys.stdout.isatty() else PIPE


def one_line(message: str, limit: int = MOST_MESSAGE) -> str:
    r"""A message as one line of moderate length.

    >>> one_line("no file\n  a\tb")
    'no file a b'
    """
    line = printable(" ".join(message.split()))
    if len(line) <= limit:
        return line
    half = limit // 2
    return f"{line[:half]} … {line[-half:]}"


def elements(vector: Any, limit: int = 4) -> str:
    """The first elements of an array, in brackets.

    >>> elements(range(9))
    '[0 1 2 3 …]'
    """
    first = vector[:limit]
    values = first.tolist() if hasattr(first, "tolist") else first
    shown = " ".join(f"{one:.6g}" if isinstance(one, float) else str(one) for one in values)
    return f"[{shown}{' …' if len(vector) > limit else ''}]"
