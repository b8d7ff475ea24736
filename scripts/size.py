"""Counts lines of product code by folder, without blanks, comments and docstrings: `make size`."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parent.parent
PRODUCT = ("collectives", "animations", "notebooks")
LAYOUT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
NOT_CODE = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)


def python_lines(text: str) -> int:
    """Lines with a token that is not layout, a comment or part of a docstring."""
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and ast.get_docstring(node, clean=False) is not None:
                docstrings.update(range(first.lineno, (first.end_lineno or 0) + 1))
    code: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in LAYOUT:
            code.update(range(token.start[0], token.end[0] + 1))
    return len(code - docstrings)


def javascript_lines(text: str) -> int:
    """Lines that are not blank once comments are taken out."""
    return sum(bool(line.strip()) for line in NOT_CODE.sub("", text).splitlines())


COUNTERS = {".py": python_lines, ".js": javascript_lines}


def sizes(root: Path = ROOT) -> dict[str, Counter[str]]:
    """Lines of code by folder and kind of file: {"collectives/schedule": {".py": 812}}."""
    found: dict[str, Counter[str]] = {}
    for top in PRODUCT:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in COUNTERS:
                folder = path.parent.relative_to(root).as_posix()
                lines = COUNTERS[path.suffix](path.read_text())
                found.setdefault(folder, Counter())[path.suffix] += lines
    return found


def main() -> None:
    """Print a line for each folder and the totals."""
    found = sizes()
    print(f"{'Python':>8} {'JavaScript':>11}  folder")
    for folder, lines in [*sorted(found.items()), ("total", sum(found.values(), Counter()))]:
        print(f"{lines['.py']:8,} {lines['.js'] or '':>11}  {folder}")


if __name__ == "__main__":
    main()
