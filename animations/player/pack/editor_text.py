"""The text that an editor begins with: a function, with what it uses of its own file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from collectives.errors import BadInput
from collectives.words import nearest


def editor_text(text: str, name: str) -> str:
    """The part of a file that one of its functions needs, as a file of its own.

    Docstrings keep their first line. What the function uses comes in the order of the file.

    Parameters
    ----------
    text : str
        All of the file.
    name : str
        A function of its top level.

    Returns
    -------
    str
        Imports, then definitions, with the comments above and in them.

    Raises
    ------
    BadInput
        If the file cannot be read as Python, or has no such function.

    Examples
    --------
    >>> print(editor_text("import os\\nA = 1\\ndef f(n):\\n    yield n + A\\n", "f"), end="")
    A = 1
    <BLANKLINE>
    <BLANKLINE>
    def f(n):
        yield n + A
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as problem:
        raise BadInput(f"the file of {name} cannot be read as Python: {problem}") from None
    defined = {name: statement for statement in tree.body for name in _defined(statement)}
    if not isinstance(defined.get(name), ast.FunctionDef):
        functions = [name for name, of in defined.items() if isinstance(of, ast.FunctionDef)]
        hint = nearest(name, functions) if functions else "it defines none"
        raise BadInput(f"--edit: its file has no function {name!r} of its top level; {hint}")
    kept, waiting = set[str](), [name]
    while waiting:
        kept.add(waiting[-1])
        waiting += set(_names([defined[waiting.pop()]])) & defined.keys() - kept
    parts = [of for of in tree.body if kept & set(_defined(of))]
    used = set(_names(parts))
    imports = [line for of in tree.body for line in _import(of, used)]
    lines = text.split("\n")
    texts = ["\n".join(_lines(lines, part)) for part in parts]
    head = ["\n".join(imports)] if imports else []
    return "\n\n\n".join([*head, *texts]) + "\n"


def parameters_of(text: str, name: str) -> list[str]:
    """The names of the arguments that a function of a text takes."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == name:
            taken = statement.args
            return [arg.arg for arg in (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)]
    return []


def _defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of the top level defines, but for imports."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        for target in getattr(statement, "targets", [getattr(statement, "target", None)]):
            yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name))


def _names(statements: Iterable[ast.stmt]) -> Iterator[str]:
    for statement in statements:
        yield from (node.id for node in ast.walk(statement) if isinstance(node, ast.Name))


def _import(statement: ast.stmt, used: set[str]) -> Iterator[str]:
    """The import of those names that are used, if there are any."""
    if not isinstance(statement, ast.Import | ast.ImportFrom):
        return
    statement.names = [
        alias for alias in statement.names if (alias.asname or alias.name).split(".")[0] in used
    ]
    if statement.names:
        yield ast.unparse(statement)


def _lines(lines: list[str], part: ast.stmt) -> Iterator[str]:
    """The lines of a definition, with the comments above it and the first line of its docstring."""
    first = (
        min([part.lineno, *(decorator.lineno for decorator in getattr(part, "decorator_list", []))])
        - 1
    )
    while first and lines[first - 1].startswith("#"):
        first -= 1
    body = getattr(part, "body", [])
    docstring = (
        ast.get_docstring(part) if isinstance(part, ast.FunctionDef | ast.ClassDef) else None
    )
    if docstring is None or body[0].lineno == part.lineno:
        yield from lines[first : part.end_lineno]
        return
    yield from lines[first : body[0].lineno - 1]
    begun = lines[body[0].lineno - 1].rstrip().removesuffix("\\")
    quotes = begun.lstrip(" rRuU")[:3]
    yield begun if body[0].end_lineno == body[0].lineno else begun + quotes
    yield from lines[body[0].end_lineno : part.end_lineno]
