"""Says what a user's own code raised while it made a schedule: in which step, at which line."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType

import numpy as np

from collectives.errors import CollectivesError, WrongSchedule

OURS = (str(Path(__file__).parents[1]), str(Path(np.__file__).parent))


def explained(problem: BaseException, made: object, when: str = "") -> BaseException:
    """The problem as one line that says when it came up, and where in the user's own code.

    `made` is the function or generator that raised it; `when` is "step 3", or nothing. What
    is not of the user's making is given back as it is.
    """
    code = getattr(made, "__code__", None) or getattr(made, "gi_code", None)
    where, name = _where(code and code.co_filename, problem.__traceback__)
    if not where and problem.__cause__ is not None:  # a generator that raised StopIteration
        where, name = _where(code and code.co_filename, problem.__cause__.__traceback__)
    if isinstance(problem, CollectivesError):
        prefix = when + (f" ({where})" if when and where else where)
        return type(problem)(f"{prefix}: {problem}") if prefix else problem
    if not where:
        return problem
    prefix = f"{when} ({where}): {name}" if when else f"{name} ({where})"
    return WrongSchedule(f"{prefix} raised {described(problem)}")


def described(problem: BaseException) -> str:
    """An exception with its text, if it has one.

    >>> described(ZeroDivisionError("division by zero")), described(KeyError())
    ('ZeroDivisionError: division by zero', 'KeyError')
    """
    name = type(problem).__name__
    try:
        text = str(problem)
    except Exception:  # of a class that cannot say what it is
        text = ""
    return f"{name}: {text}" if text else name


def _where(file: str | None, trace: TracebackType | None) -> tuple[str, str]:
    """The innermost line of the file, or else of any but ours, and its function; or nothing."""
    own = other = ("", "")
    while trace is not None:
        code = trace.tb_frame.f_code
        here = (f"{Path(code.co_filename).name} line {trace.tb_lineno}", code.co_name)
        if code.co_filename == file and not file.startswith(OURS):
            own = here
        elif not code.co_filename.startswith(OURS):
            other = here
        trace = trace.tb_next
    return own if own[0] else other
