"""Whether a function takes its steps from the library, as far as names in its file lead there."""

from __future__ import annotations

import ast
from collections.abc import Iterator

PACKAGE, TAKEN = "collectives", {"record", "ROWS"}
MODULES = tuple(f"{PACKAGE}.{name}" for name in ("algorithms", "catalog", "recording"))


def taken_from(source: bytes, function: str) -> str:
    """What a function, or what it uses, takes of this library's algorithms; empty for nothing.

    The source is read and never run. What a file does only beside its function, as to try it, is
    not looked at; nor are names that are made while it runs.
    """
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    bound: dict[str, list[ast.stmt]] = {}
    for statement in body:
        for name in _bound(statement):
            bound.setdefault(name, []).append(statement)
    names, reached = [function], set[str]()
    while names:
        if (name := names.pop()) in reached:
            continue
        reached.add(name)
        for node in (node for place in bound.get(name, ()) for node in ast.walk(place)):
            if taken := _taken(node):
                return taken
            if isinstance(node, ast.Name):
                names.append(node.id)
    return ""


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement of a module binds."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import | ast.ImportFrom):
        yield from (name.asname or name.name.partition(".")[0] for name in statement.names)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        names = (node for node in ast.walk(statement) if isinstance(node, ast.Name))
        yield from (name.id for name in names if isinstance(name.ctx, ast.Store))


def _taken(node: ast.AST) -> str:
    """What of the library's algorithms a part of a file names."""
    names: list[str] = []
    if isinstance(node, ast.Import):
        names = [name.name for name in node.names]
    elif isinstance(node, ast.ImportFrom):
        names = [f"{node.module}.{name.name}" for name in node.names]
    elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        names = [f"{node.value.id}.{node.attr}"]
    whole = {f"{PACKAGE}.{name}" for name in TAKEN}
    for name in names:
        if name in whole or f"{name}.".startswith(tuple(f"{module}." for module in MODULES)):
            return name
    return ""
