"""Where a transfer comes from: the stack of source lines that produced it, and their captions."""

from __future__ import annotations

import ast
import os
import re
import textwrap
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from collectives.words import Quoted, Worded, printable

CELL = "your cell"
THREAD_BLOCK = re.compile(r"gpu \d+, (tb \d+|copies)")  # of a program that is no Python
CELL_FILE = re.compile(r"<ipython-input-.*>|.*[/\\](ipykernel|xpython|marimo)_\d+[/\\][^/\\]+")


@dataclass(frozen=True)
class Source:
    """The text of one function: `first` is the line number of its first line in `file`.

    `text` is empty where no source can be had (functions made by `exec`): line numbers only.
    All that pictures, captions and messages show of a source has no control characters.
    """

    function: str
    file: str
    first: int
    text: str = ""

    def __post_init__(self) -> None:
        """Escape control characters; a form feed means nothing, a tab is four columns."""
        for name in ("function", "file"):
            object.__setattr__(self, name, printable(getattr(self, name)))
        if not self.text.replace("\n", "").isprintable():
            lines = self.text.replace("\f", "").split("\n")
            text = "\n".join(printable(line.expandtabs(4)) for line in lines)
            object.__setattr__(self, "text", text)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text as Python counts them."""
        return self.text.removesuffix("\n").split("\n")

    @property
    def is_listing(self) -> bool:
        """Whether the text lists the operations of a thread block, one in each line."""
        return THREAD_BLOCK.fullmatch(self.file) is not None

    @cached_property
    def promise(self) -> str:
        """The first line of the docstring, without its full stop; empty where there is none."""
        try:
            body = ast.parse(textwrap.dedent(self.text)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ""  # a saved recording may hold any text
        function = body[0] if body else None
        if not isinstance(function, ast.FunctionDef):
            return ""
        first = (ast.get_docstring(function) or "").partition("\n")[0]
        return printable(first.removesuffix("."))

    def caption(self, line: int) -> str:
        """The comment on the line directly above `line`; empty where there is none."""
        above = -1 if self.is_listing else line - self.first - 1
        text = self.lines[above].strip() if 0 <= above < len(self.lines) else ""
        return text.lstrip("# ") if text.startswith("#") else ""


@dataclass(frozen=True)
class SourceFrame:
    """One level of the stack: a function, the line it stood at, its integer local variables.

    `reversed` where a combinator ran the function's steps the other way round, so that its
    comments do not describe what happens.
    """

    source: Source
    line: int
    locals: tuple[tuple[str, int], ...] = ()
    reversed: bool = False


Stamp = tuple[SourceFrame, ...]


def file_name(path: str) -> str:
    """The name of a file in messages: a notebook's cell is `your cell`, not a temporary file.

    >>> file_name("/home/me/mine.py"), file_name("/tmp/ipykernel_812/2146661748.py")
    ('mine.py', 'your cell')
    """
    cell = CELL_FILE.fullmatch(path) or path == os.environ.get("IPYKERNEL_CELL_NAME")
    return CELL if cell else Path(path).name


def line_name(file: str, line: int) -> str:
    """A line of a file in messages.

    >>> line_name("mine.py", 7), line_name(CELL, 7), line_name("gpu 0, tb 1", 7)
    ('mine.py line 7', 'your cell, line 7', 'gpu 0, tb 1, step 7')
    """
    if THREAD_BLOCK.fullmatch(file):
        return Worded("{file}, step {line}", file=Quoted(file), line=line)
    if file == CELL:
        return Worded("your cell, line {line}", line=line)
    return Worded("{file} line {line}", file=Quoted(file), line=line)


def line_of(stamp: Stamp) -> str:
    """The innermost line of a stamp in parentheses, as messages end with it; nothing of none."""
    if not stamp:
        return ""
    return Worded(" ({lines})", lines=line_name(stamp[-1].source.file, stamp[-1].line))


@dataclass(frozen=True)
class Standing:
    """Where the program of one rank stands in a step, and the ranks it still waits for after it.

    stamp: empty where the program has ended.
    """

    stamp: Stamp
    waits: tuple[int, ...] = ()


def forward(stamp: Stamp) -> Stamp:
    """The frames of a stamp that were not run in reverse: those that say what happens."""
    return tuple(frame for frame in stamp if not frame.reversed)


def caption(stamp: Stamp) -> str:
    """The comment above the innermost yield that has one; empty where none has."""
    comments = (frame.source.caption(frame.line) for frame in reversed(forward(stamp)))
    return next((comment for comment in comments if comment), "")


def in_reverse(stamp: Stamp) -> Stamp:
    """The same stamp, marked as run in reverse."""
    return tuple(replace(frame, reversed=True) for frame in stamp)
