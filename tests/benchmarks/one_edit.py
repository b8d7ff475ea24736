"""One-edit mutants of an exercise's solution: every number, sign, comparison, name and verb."""

import ast
import copy
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

from animations.lab.lab_exercise import LabExercise, answer_in
from collectives import record
from collectives.errors import CollectivesError
from tests.interpreter import after, start

SECONDS = 10  # after which a loop is taken for one that never ends
SIGNS = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult},
    **{ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.BitXor: ast.BitOr, ast.Pow: ast.Mult},
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
}
VERBS = {"send": "reduce", "reduce": "send"}
SUMS = ("all_reduce", "reduce_scatter", "reduce")


class OneEdit(NamedTuple):
    """A source with one edit, and the number of the line where it is."""

    line: int
    source: str


def edits(source: str) -> Iterator[OneEdit]:
    """Every source that differs in one node."""
    tree = ast.parse(source)
    names = sorted({node.id for node in ast.walk(tree) if _is_stored(node)} | _arguments(tree))
    for number, node in enumerate(ast.walk(tree)):
        for change in _changes(node, names):
            mutant = copy.deepcopy(tree)
            edited = next(n for at, n in enumerate(ast.walk(mutant)) if at == number)
            change(edited)
            yield OneEdit(getattr(node, "lineno", 0), _in_place(source, node, edited))


def _in_place(source: str, node: ast.AST, edited: ast.AST) -> str:
    """The source with the node's text replaced, all else and its lines as they were."""
    before = ast.get_source_segment(source, node)
    lines = source.splitlines(keepends=True)
    line = lines[node.lineno - 1].encode()
    head, tail = line[: node.col_offset], line[node.col_offset :]
    text = ast.unparse(edited)
    if isinstance(node, ast.BinOp | ast.Compare):
        text = f"({text})"
    lines[node.lineno - 1] = (head + tail.replace(before.encode(), text.encode(), 1)).decode()
    return "".join(lines)


def _changes(node: ast.AST, names: list[str]) -> Iterator[Callable[[Any], None]]:
    """What can be changed in a node of one line."""
    if getattr(node, "lineno", 0) != getattr(node, "end_lineno", -1):
        return
    match node:
        case ast.Constant(value=int(value)):
            yield from (lambda n, by=by: setattr(n, "value", value + by) for by in (1, -1))
        case ast.BinOp(op=op) if type(op) in SIGNS:
            yield lambda n: setattr(n, "op", SIGNS[type(op)]())
        case ast.Compare(ops=[op]) if type(op) in SIGNS:
            yield lambda n: setattr(n, "ops", [SIGNS[type(op)]()])
        case ast.Name(id=name, ctx=ast.Load()) if name in VERBS:
            yield lambda n: setattr(n, "id", VERBS[name])
        case ast.Name(id=name, ctx=ast.Load()) if name in names:
            others = [other for other in names if other != name]
            yield from (lambda n, other=other: setattr(n, "id", other) for other in others)


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _arguments(tree: ast.AST) -> set[str]:
    return {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}


def judged(exercise: LabExercise, source: str) -> tuple[bool, str]:
    """Whether the exercise accepts it, and its message."""

    def ends(number: int, frame: FrameType | None) -> None:
        raise TimeoutError

    previous = signal.signal(signal.SIGALRM, ends)
    signal.alarm(SECONDS)
    try:
        verdict = exercise.judge(answer_in(source))
    except TimeoutError:
        return False, "never ends"
    except CollectivesError as problem:
        return False, str(problem)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    return bool(verdict), verdict.text


def keeps_promise(source: str, ranks: int, slots: int | None) -> bool:
    """Whether an answer keeps its promise, by an executor that shares no code with the check."""
    recording = record(answer_in(source), ranks=ranks, slots=slots)
    name, held = recording.collective.name, recording.precondition
    content = start((int(r), int(s)) for r, s in zip(*held.nonzero(), strict=True))
    begun = dict(content)
    for step in recording.steps:
        content = after(content, step)
    return all(
        content.get((rank, slot)) == Counter({cell: 1 for cell in begun if cell[1] == slot})
        for rank, slot in zip(*recording.postcondition.nonzero(), strict=True)
    ) and (name in SUMS or bool(begun))
