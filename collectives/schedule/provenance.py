"""Where a transfer comes from: the stack of source lines that produced it, and their captions."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, replace
from functools import cached_property


@dataclass(frozen=True)
class Source:
    """The text of one function: `first` is the line number of its first line in `file`.

    `text` is empty where no source can be had (functions made by `exec`): line numbers only.
    """

    function: str
    file: str
    first: int
    text: str = ""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the text as Python counts them: a form feed ends none."""
        return self.text.removesuffix("\n").split("\n")

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
        return (ast.get_docstring(function) or "").partition("\n")[0].removesuffix(".")

    def caption(self, line: int) -> str:
        """The comment on the line directly above `line`; empty where there is none."""
        above = line - self.first - 1
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
