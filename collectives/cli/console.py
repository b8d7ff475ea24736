"""Text for terminals and pipes: lines, tables, paragraphs, JSON, and messages of one line."""

from __future__ import annotations

import io
import math
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import click

from collectives.words import printable

MOST_MESSAGE = 600  # characters; a longer message loses its middle
MOST_DIAGNOSIS = 2000  # of what is wrong with an algorithm
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
    import rich.box
    import rich.console
    import rich.table

    body = [list(map(printable, row)) for row in rows]
    if not body:
        return
    every = [*([head] if head else []), *body]
    wide = {at: max(map(len, column)) + 2 for at, column in enumerate(zip(*every, strict=True))}
    for at in spare:
        if sum(wide.values()) - 2 > width() - indent:
            del wide[at]
    table = rich.table.Table(
        box=rich.box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        show_header=bool(head),
        padding=(0, 1, 0, 0),
    )
    for at in wide:
        justify: Any = "right" if at in right else "left"
        named = head[at] if head else ""
        table.add_column(named, justify=justify, overflow="fold", no_wrap=at == 0 or at in right)
    for row in body:
        table.add_row(*(row[at] for at in wide))
    drawn = io.StringIO()  # not the encoding of a terminal, which may lack lines
    plain: dict[str, Any] = {"color_system": None, "markup": False, "emoji": False}
    console = rich.console.Console(file=drawn, width=width() - indent, highlight=False, **plain)
    console.print(table)
    for line in drawn.getvalue().splitlines():
        print((" " * indent + line).rstrip())


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
