"""Verdicts on answers that are numbers: every case, and what is wrong in the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from animations.lab.predictions.number_answers import answer_of
from collectives.proof.check import right_in
from collectives.proof.prove import Verdict

MOST_SHOWN = 4  # wrong cases
NEAR = 1e-3  # of numbers, as a part: rounded ones are right


def judged(name: str, wrong: Sequence[str], cases: int) -> Verdict:
    """The verdict on an answer with these mistakes, a line each."""
    return Verdict(not wrong, "\n".join(wrong[:MOST_SHOWN]) or right_in(name, cases))


def compared(
    answer: Any,
    right: Callable[..., float],
    cases: Iterable[tuple[Any, ...]],
    text: Callable[[float], str],
) -> Verdict:
    """A function that returns a number, against the right one, with the arguments of each case."""
    wrong, tried, name = [], list(cases), right.__name__
    for arguments in tried:
        call, value = f"{name}{arguments}", float(right(*arguments))
        number, problem = answer_of(answer, *arguments)
        if problem:
            return Verdict(False, f"{call}: {problem}")
        if not np.isclose(float(number), value, rtol=NEAR, atol=0):
            wrong.append(f"{call}: {text(float(number))} instead of {text(value)}")
    return judged(name, wrong, len(tried))
