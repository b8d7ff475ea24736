"""The source of a homework: one Python file that holds the solution, between marks, and the key.

Marks are nbgrader's (nbgrader.readthedocs.io, "Creating and grading assignments"): what stands
between `### BEGIN SOLUTION` and `### END SOLUTION` is replaced in the students' copy, what stands
between `### BEGIN HIDDEN TESTS` and `### END HIDDEN TESTS` left out. The key is a block of comments
in TOML, in the form of PEP 723's script block, which is left out as well.
"""

from __future__ import annotations

import ast
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collectives.errors import BadInput, naming
from collectives.files import read_text
from collectives.grading.task import HomeworkTask, task_of
from collectives.words import quoted, shown_name

BEGIN_KEY, END_KEY = "# /// key", "# ///"
MARK = re.compile(r"\s*#+ *(BEGIN|END) (SOLUTION|HIDDEN TESTS)\s*")
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")  # as nbgrader writes it


@dataclass(frozen=True, repr=False)
class Homework:
    """What a lecturer wrote: a text with solutions, and the tasks of its key.

    Attributes
    ----------
    path : Path
        The file.
    text : str
        All of it.
    tasks : tuple of HomeworkTask
    """

    path: Path
    text: str
    tasks: tuple[HomeworkTask, ...]

    @property
    def total(self) -> float:
        """The points of all tasks."""
        return sum(task.total for task in self.tasks)

    def handout(self) -> str:
        """The students' copy: stubs for solutions, and what earns points in place of the key."""
        lines: list[str] = []
        left_out = ""
        for line in self.text.splitlines():
            mark = MARK.fullmatch(line)
            if mark and mark[1] == "BEGIN":
                left_out = mark[2]
                indent = line[: len(line) - len(line.lstrip())]
                lines += [indent + text for text in STUB] if left_out == "SOLUTION" else []
            elif line.rstrip() == BEGIN_KEY:
                left_out = BEGIN_KEY
                lines += [f"# {text}" for task in self.tasks for text in task.asked()]
            elif not left_out:
                lines.append(line)
            if (mark and mark[1] == "END") or (left_out == BEGIN_KEY and line.rstrip() == END_KEY):
                left_out = ""
        return "\n".join(lines) + "\n"

    def lines(self) -> list[str]:
        """What earns points, and on which numbers of ranks it is tried."""
        return [
            line
            for task in self.tasks
            for line in (*task.asked(), f"  tried on {task.ranks} ranks")
        ]

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        tasks = [
            {"function": task.function, "ranks": task.ranks, "points": dict(task.points)}
            for task in self.tasks
        ]
        return {"file": str(self.path), "points": self.total, "tasks": tasks}

    def __repr__(self) -> str:
        """One line: the file and its functions."""
        names = ", ".join(task.function for task in self.tasks)
        return f"<Homework: {shown_name(str(self.path))}: {names}, {self.total:g} points>"


def load_homework(path: str | Path) -> Homework:
    """The homework in a file, which is read and never run; raises BadInput."""
    text = read_text(path, "a homework is a Python file")
    with naming(quoted(str(path))):
        _check_marks(text)
        tables = _key(text)
        tasks = tuple(task_of(name, table) for name, table in tables.items())
        defined = _functions(text)
        for task in tasks:
            if task.function not in defined:
                raise BadInput(
                    f"[{task.function}]: it defines no such function; try: def {task.function}(n):"
                )
    return Homework(Path(path), text, tasks)


def scaffold(name: str) -> str:
    """An example of a homework, the ring all-gather, for a file of this name."""
    example = (Path(__file__).parent / "example.txt").read_text()
    return example.replace("ring_lab.py", Path(name).name)


def is_homework(path: Path) -> bool:
    """Whether a file has a key."""
    try:
        return BEGIN_KEY in read_text(path, "a homework is a Python file").splitlines()
    except BadInput:
        return False


def _key(text: str) -> dict[str, Any]:
    """The tables in the key."""
    lines = [line.rstrip() for line in text.splitlines()]
    if lines.count(BEGIN_KEY) != 1 or END_KEY not in lines[lines.index(BEGIN_KEY) :]:
        raise BadInput(
            f"has no key, a block of comments from {BEGIN_KEY!r} to {END_KEY!r}; try: collectives "
            "exercise new example.py"
        )
    start = lines.index(BEGIN_KEY) + 1
    block = lines[start : lines.index(END_KEY, start)]
    try:
        plain = (line.removeprefix("#").removeprefix(" ") for line in block)
        tables = tomllib.loads("\n".join(plain))
    except tomllib.TOMLDecodeError as problem:
        raise BadInput(f"the key from line {start} on is no TOML: {problem}") from None
    if not tables:
        raise BadInput("the key names no function; try: [ring_all_gather]")
    return tables


def _check_marks(text: str) -> None:
    """Raise BadInput where a mark has no other end, or there is no solution at all."""
    begun, where, solutions = "", 0, 0
    for number, line in enumerate(text.splitlines(), 1):
        if not (mark := MARK.fullmatch(line)):
            continue
        if mark[1] == "BEGIN" and begun:
            raise BadInput(f"line {number}: line {where} has no end yet; try: ### END {begun}")
        if mark[1] == "END" and mark[2] != begun:
            raise BadInput(f"line {number} ends what is not begun; try: BEGIN {mark[2]}")
        solutions += mark[1] == "END" and begun == "SOLUTION"
        begun, where = ("", 0) if mark[1] == "END" else (mark[2], number)
    if begun:
        raise BadInput(f"line {where} begins what does not end; try: ### END {begun}")
    if not solutions:
        raise BadInput("has no solution to leave out; try: ### BEGIN SOLUTION")


def _functions(text: str) -> set[str]:
    try:
        body = ast.parse(text).body
    except SyntaxError as problem:
        raise BadInput(f"line {problem.lineno} is no Python: {problem.msg}") from None
    return {node.name for node in body if isinstance(node, ast.FunctionDef)}
