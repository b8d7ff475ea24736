"""What a student's function answers: a number, or one sentence that says why it is none."""

from __future__ import annotations

from inspect import isgenerator
from math import isfinite
from numbers import Integral, Real
from typing import Any

import numpy as np

from collectives.schedule.pulling import described, explained
from collectives.words import brief


def answer_of(function: Any, *arguments: Any, whole: bool = False) -> tuple[Any, str]:
    """What a function returns, and nothing; or None, and what is wrong with it in one sentence.

    whole: it must be a whole number. What the function raises is message with its line.

    >>> answer_of(round, 2.5)
    (2, '')
    >>> answer_of(print)
    <BLANKLINE>
    (None, 'print returned nothing; is its `return` missing?')
    >>> answer_of(float, 8, whole=True)
    (None, 'float returned 8.0, which is no whole number to Python; try: round(8.0)')
    """
    name = getattr(function, "__name__", "the answer")
    if not callable(function):
        return None, f"{brief(function)} is no function; define it again with def"
    try:
        value = function(*arguments)
    except (Exception, SystemExit) as problem:
        message = str(explained(problem, function))
        return None, message if message.startswith(name) else f"{name} raised {described(problem)}"
    value = value.item() if isinstance(value, np.generic | np.ndarray) and not value.ndim else value
    if isgenerator(value):
        return None, f"{name} yields its answer; try: return"
    if value is None:
        return None, f"{name} returned nothing; is its `return` missing?"
    if isinstance(value, bool) or not isinstance(value, Real):
        return None, f"{name} returned {brief(value)}; it must return one number"
    if not isfinite(value) or value <= 0:
        return None, f"{name} returned {brief(value)}; it must return a number above 0"
    if whole and not isinstance(value, Integral):
        return None, (
            f"{name} returned {brief(value)}, which is no whole number to Python; "
            f"try: round({brief(value)})"
        )
    return value, ""
