"""Runs what was written in the editor: its text, its function, and its steps as plain numbers."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

from animations.player.micropython.standard import kinds, sliced
from animations.player.micropython.yields import at_line, from_line, stack_of, tracked

FILE = "mine.py"
WRITTEN: dict[str, Any] = {}


def _generator() -> Any:
    yield


def load(text: str) -> str:
    """Run a text whose yields note their lines; what went wrong as JSON, nothing where it did not.

    Its generator functions are tracked from then on.
    """
    WRITTEN.clear()
    WRITTEN.update(__name__="mine", slice=sliced, _kinds_=kinds)
    WRITTEN.update({f"_{helper.__name__}_": helper for helper in HELPERS})
    try:
        exec(compile(text, FILE, "exec"), WRITTEN)
    except BaseException as problem:
        return json.dumps(_problem_of(problem))
    for line in text.split("\n"):
        name = line[4:].split("(")[0].strip() if line.startswith("def ") else ""
        if type(WRITTEN.get(name)) is type(_generator):
            WRITTEN[name] = tracked(WRITTEN[name], FILE)
    return ""


def steps(name: str, arguments: str, limit: int) -> str:
    """The steps that a function makes of these arguments, as JSON; at most so many.

    `steps`: of each its columns src, dst, chunk, into, count, whether it adds, and what it needs
    where that is another slot. `lines`: of each its stamps, which are lists of [function, file,
    line], and of each row the index of its stamp. `error`, with its line: what it raised, if it
    did; then the steps before that.
    """
    from collectives.schedule.stamping import stamped

    answer: dict[str, Any] = {"steps": [], "lines": []}
    schedule = None
    try:
        if name not in WRITTEN:
            raise NameError(f"there is no function {name}")
        schedule = WRITTEN[name](**_arguments(json.loads(arguments)))
        for step in stamped(schedule):
            if not len(step):
                continue
            answer["steps"].append(_columns(step))
            answer["lines"].append(_lines(step))
            if len(answer["steps"]) > limit:
                raise RuntimeError(f"more than {limit} steps; does it ever end?")
    except BaseException as problem:
        answer.update(_problem_of(problem))
        standing = [frame.line for frame in stack_of(schedule, None) if frame.source.file == FILE]
        if not answer["line"] and standing:
            answer["line"] = standing[-1]
    return json.dumps(answer)


def _arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments as they are passed: a routing table is made of its numbers."""
    if "routing" in arguments:
        from collectives.routing import Routing

        arguments["routing"] = Routing(**arguments["routing"])
    return arguments


def _columns(step: Any) -> list[list[int]]:
    adds = [1 if reduces else 0 for reduces in step.reduces.tolist()]
    columns = [step.src, step.dst, step.chunk, step.into, step.count]
    needs = [] if step.needs is None else [step.needs.tolist()]
    return [*(column.tolist() for column in columns), adds, *needs]


def _lines(step: Any) -> list[Any]:
    stamps = [
        [[frame.source.function, frame.source.file, frame.line] for frame in stamp]
        for stamp in step.stamps
    ]
    return [stamps, step.origin.tolist()]


def _problem_of(problem: BaseException) -> dict[str, Any]:
    """An exception in words, and the last line of the text it came from."""
    out = io.StringIO()
    sys.print_exception(problem, out)  # type: ignore[attr-defined]
    line = 0
    for part in out.getvalue().split(f'"{FILE}", line ')[1:]:
        line = int(part.split(",")[0].split("\n")[0])
    return {"error": _described(problem), "line": line}


def _described(problem: BaseException) -> str:
    """What was raised, in words: our own as they are, others after their name."""
    name, text = type(problem).__name__, f"{problem}"
    if name in ("BadInput", "WrongSchedule"):
        return text
    if text.startswith("unsupported types for __") and text.endswith(": 'int', 'ndarray'"):
        text += "; write the array before the number"
    if name == "NameError":
        text += _import_for(text)
    return f"{name}: {text}" if text else name


def _import_for(text: str) -> str:
    """What would import an undefined name, where schedules are made with it."""
    import collectives

    quoted = text.split("'")
    name = quoted[1] if len(quoted) > 2 else ""
    if name == "np":
        return "; try: import numpy as np"
    return f"; try: from collectives import {name}" if name and hasattr(collectives, name) else ""


def bits(number: int) -> int:
    """As `number.bit_length()`, which MicroPython's numbers do not have."""
    size, rest = 0, number if number >= 0 else -number
    while rest:
        size, rest = size + 1, rest >> 1
    return size


class Left:
    """A number to the left of a comparison, which MicroPython leaves to the number alone."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Any) -> Any:
        """Whether it is less."""
        return other > self.value

    def __le__(self, other: Any) -> Any:
        """Whether it is no more."""
        return other >= self.value

    def __gt__(self, other: Any) -> Any:
        """Whether it is more."""
        return other < self.value

    def __ge__(self, other: Any) -> Any:
        """Whether it is no less."""
        return other <= self.value


def left(value: Any) -> Any:
    """What is compared: a number, which does not know arrays, so that it does; else itself."""
    return Left(value) if isinstance(value, int) else value


def starred(*parts: Any) -> list[Any]:
    """The items of all parts, as a list with stars in it has them."""
    return [item for part in parts for item in part]


HELPERS = (at_line, from_line, bits, left, starred)  # that rewritten text calls
