"""Text for terminals and pipes: lines, tables, paragraphs, JSON, and messages of one line."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterable
from typing import Any

import click

from collectives.text_lines import (
    WIDTH,
    Grid,
    Heading,
    Paragraph,
    Reporting,
    ReportLine,
    in_columns,
)
from collectives.values import finite
from collectives.words import printable

WRAPPED = 12  # characters to which a column of words may shrink
MOST_MESSAGE = 600  # characters; a longer message loses its middle
MOST_DIAGNOSIS = 2000  # of what is wrong with an algorithm
NARROW = re.compile("[\0-\u02ff\u2010-\u20cf\u2100-\u22ff]*")  # letters as wide as any digit


def say(text: str = "", bold: bool = False) -> None:
    """Print a line; bold on terminals, characters that control them made visible."""
    line = printable(text)
    print(click.style(line, bold=True) if bold and sys.stdout.isatty() else line)


def say_lines(lines: Iterable[ReportLine]) -> None:
    """Print the lines of a report in the width of the terminal."""
    for line in lines:
        if isinstance(line, Paragraph):
            print("\n".join(line.wrapped(width())))
        elif isinstance(line, Grid):
            _say_grid(line)
        else:
            say(line, bold=isinstance(line, Heading))


def say_report(report: Reporting, as_json: bool) -> None:
    """Print what a command has found out: for people, or as JSON."""
    if as_json:
        say_json(report.as_json())
    else:
        say_lines(report.lines())


def _say_grid(grid: Grid) -> None:
    """Print rows in columns; cells that are too wide are wrapped, numbers never."""
    room = width() - grid.indent
    cells, flush = grid.fitted(room)
    for number, columns in enumerate(_in_tables(cells, flush, room)):
        if number:
            print()
        part = [[row[at] for at in columns] for row in cells]
        right = [flush[at] for at in columns]
        plain = in_columns(part, bool(grid.head), right)
        has_room = all(len(line) <= room for line in plain[:1])
        fits = has_room and NARROW.fullmatch("".join(map("".join, part)))
        for line in plain if fits else _wrapped_lines(part, bool(grid.head), right, room):
            print((" " * grid.indent + line).rstrip())


def _in_tables(rows: list[list[str]], flush: list[bool], room: int) -> list[list[int]]:
    """The columns of each table: of several, each with the first, where numbers have no room."""
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    minimum = [
        size + 2 if right else min(size, WRAPPED) + 2
        for size, right in zip(wide[1:], flush[1:], strict=True)
    ]
    tables, left = [[0]], room - sum(wide[:1])
    for at, size in enumerate(minimum, 1):
        if size > left and len(tables[-1]) > 1:
            tables.append([0])
            left = room - wide[0]
        tables[-1].append(at)
        left -= size
    return tables if rows and rows[0] else []


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


def width() -> int:
    """Columns of the terminal, 120 of a pipe."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if sys.stdout.isatty() else WIDTH


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
