"""Pulls the steps out of a schedule, and explains in one line what its author's code raises."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

import numpy as np

from collectives.errors import CollectivesError, WrongSchedule
from collectives.schedule.combinators import Schedule
from collectives.schedule.missing_import import import_for
from collectives.schedule.provenance import file_name, line_name
from collectives.schedule.stamping import stamped
from collectives.schedule.step import Step
from collectives.time_limit import time_limit
from collectives.words import Worded, located

OURS = (str(Path(__file__).parents[1]), str(Path(np.__file__).parent))


class Elsewhere(Iterator[Step]):
    """Steps that another process pulls from somebody's own code, and explains if that fails.

    receive: gives the next of them, or None after the last.
    """

    def __init__(self, receive: Callable[[], Step | None]) -> None:
        self._receive = receive

    def __next__(self) -> Step:
        """The next step; raises what the other process says is wrong."""
        step = self._receive()
        if step is None:
            raise StopIteration
        return step


def pulled(schedule: Schedule, own: bool) -> Iterator[Step]:
    """The steps of a schedule, stamped, without the empty ones; what its code raises is explained.

    own: somebody's own code, which is stopped where a step takes too long.
    """
    number = 1
    steps = stamped(schedule)
    while (step := _next(steps, schedule, number, own)) is not None:
        if len(step):
            yield step
            number += 1


def explained(problem: BaseException, maker: object, when: str = "") -> BaseException:
    """The exception as one line: when it was raised, and where in the user's own code.

    `maker` is the function or generator that raised it; `when` is "step 3", or nothing. An
    exception that does not come from the user's code is returned unchanged.
    """
    code = getattr(maker, "__code__", None) or getattr(maker, "gi_code", None)
    where, name = _raised_at(code and code.co_filename, problem.__traceback__)
    if not where and problem.__cause__ is not None:  # a generator that raised StopIteration
        where, name = _raised_at(code and code.co_filename, problem.__cause__.__traceback__)
    if isinstance(problem, CollectivesError):
        pattern = "{when} ({where})" if when and where else "{when}{where}"
        prefix: str = Worded(pattern, when=when, where=where)
        reworded = problem.reworded if isinstance(problem, WrongSchedule) else type(problem)
        return reworded(located(prefix, problem)) if prefix else problem
    if not where or _interrupted(problem):
        return problem
    prefix = f"{when} ({where}): {name}" if when else f"{name} ({where})"
    return WrongSchedule(f"{prefix} raised {described(problem)}")


def _interrupted(problem: BaseException) -> bool:
    """Whether somebody has pressed Ctrl-C: where it is ignored, code has raised that."""
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    return isinstance(problem, KeyboardInterrupt) and not ignored


def described(problem: BaseException) -> str:
    """An exception with its text, if it has one, and the import that would prevent it.

    >>> described(ZeroDivisionError("division by zero")), described(KeyError())
    ('ZeroDivisionError: division by zero', 'KeyError')
    """
    name = type(problem).__name__
    try:
        text = str(problem)
    except BaseException:  # of a class whose __str__ fails
        text = ""
    lacks = import_for(problem)
    return (f"{name}: {text}" if text else name) + (f"; try: {lacks}" if lacks else "")


def _raised_at(file: str | None, trace: TracebackType | None) -> tuple[str, str]:
    """The innermost line of the file, else of any code but ours, and its function; or nothing."""
    own = elsewhere = ("", "")
    while trace is not None:
        code = trace.tb_frame.f_code
        here = (line_name(file_name(code.co_filename), trace.tb_lineno), code.co_name)
        if code.co_filename == file and not file.startswith(OURS):
            own = here
        elif not code.co_filename.startswith(OURS):
            elsewhere = here
        trace = trace.tb_next
    return own if own[0] else elsewhere


def _next(pulled: Iterator[Step], schedule: Schedule, number: int, own: bool) -> Step | None:
    """The next step, or None after the last; what the user's code raises is explained."""
    try:
        if not own:
            return next(pulled, None)
        with time_limit("has not been yielded"):
            return next(pulled, None)
    except BaseException as problem:
        message = explained(problem, schedule, Worded("step {number}", number=number))
        if message is problem:
            raise
        raise message from None
