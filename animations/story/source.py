"""Source lines beside the picture: the function that made a transfer, its statement, its locals."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass
from functools import lru_cache

from collectives.schedule import Source, SourceFrame, Stamp
from collectives.schedule.provenance import forward


@dataclass(frozen=True)
class SourceLine:
    """The statement that made a transfer, in the text of its function.

    text: the function's lines, its docstring cut to one line; first, last: the statement, as
    indices of lines; locals: the function's integer variables. listing: whether they are the
    operations of a thread block, of which the first line says which. numbers: of each line of the
    text, its number in the file.
    """

    function: str
    text: tuple[str, ...]
    first: int
    last: int
    locals: tuple[tuple[str, int], ...]
    listing: bool = False
    numbers: tuple[int, ...] = ()

    @property
    def variables(self) -> str:
        """The variables as text: step = 1   n = 4."""
        return "   ".join(f"{name} = {value}" for name, value in self.locals)


def source_line(stamp: Stamp) -> SourceLine | None:
    """The line of a stamp's innermost function; None where no source text is known."""
    known = [frame for frame in forward(stamp) if _is_shown(frame)]
    if not known:
        return None
    frame = known[-1]
    if frame.source.is_listing:
        at = frame.line - frame.source.first
        text = tuple(frame.source.lines)
        return SourceLine(frame.source.function, text, at, at, frame.locals, True)
    text, index = _condensed(frame.source)
    first, last = _statement(frame.source, frame.line - frame.source.first)
    number = {new: frame.source.first + old for old, new in reversed([*enumerate(index)])}
    numbers = tuple(number[i] for i in range(len(text)))
    where = index[first], index[last], frame.locals
    return SourceLine(frame.source.function, text, *where, numbers=numbers)


def is_remark(text: str) -> bool:
    """Whether a line is a comment or a docstring, which may be wrapped or cut."""
    return text.lstrip().startswith(("#", '"""'))


def _is_shown(frame: SourceFrame) -> bool:
    """Whether a function is known whose text has the line; a saved recording may say anything."""
    if frame.source.is_listing:
        return 0 < frame.line - frame.source.first < len(frame.source.lines)
    function = _function(frame.source)
    line = frame.line - frame.source.first + 1
    return function is not None and 1 <= line <= (function.end_lineno or 0)


@lru_cache(maxsize=64)
def _function(source: Source) -> ast.FunctionDef | None:
    """The function in a text; None for others, such as lambdas and generator expressions."""
    try:
        body = ast.parse(textwrap.dedent(source.text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body[0] if len(body) == 1 and isinstance(body[0], ast.FunctionDef) else None


@lru_cache(maxsize=64)
def _condensed(source: Source) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """A function's lines with its docstring cut to one, and the new index of each line."""
    lines = textwrap.dedent(source.text).removesuffix("\n").split("\n")
    tree = ast.parse("\n".join(lines)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    if tree.lineno == 1 and tree.body[0].lineno == 2:
        lines[0] = _signature(tree)
    head = tree.body[0]
    if not source.promise or not isinstance(head, ast.Expr):
        return tuple(lines), tuple(range(len(lines)))
    start, end = head.lineno - 1, head.end_lineno or head.lineno
    indent = " " * head.col_offset
    short = f'{indent}"""{source.promise}."""'
    index = [i if i <= start else max(start, i - (end - start) + 1) for i in range(len(lines))]
    return (*lines[:start], short, *lines[end:]), tuple(index)


def _signature(function: ast.FunctionDef) -> str:
    """The line that opens a function, without its types."""
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return f"def {function.name}({ast.unparse(function.args)}):"


@lru_cache(maxsize=256)
def _statement(source: Source, line: int) -> tuple[int, int]:
    """First and last line, counted from 0, of the smallest statement around a line."""
    tree = ast.parse(textwrap.dedent(source.text))
    spans = [
        (node.lineno - 1, (node.end_lineno or node.lineno) - 1)
        for node in ast.walk(tree)
        if isinstance(node, ast.stmt)
    ]
    around = [span for span in spans if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0], default=(line, line))
