"""Verdicts on answers that are numbers: every case, and what is wrong in the first of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from animations.lab.predictions.number_answers import answer_of
from collectives.proof.check import right_in
from collectives.proof.prove import Verdict

MOST_SHOWN = 4  # wrong cases
NEAR = 1e-3  # of numbers, as a part: rounded ones are right


class NumberCase(NamedTuple):
    """What a function is called with, and the value that executing gives."""

    arguments: tuple[Any, ...]
    value: float


def judged(name: str, wrong: Sequence[str], cases: int) -> Verdict:
    """The verdict on an answer with these mistakes, a line each."""
    return Verdict(not wrong, "\n".join(wrong[:MOST_SHOWN]) or right_in(name, cases))


def compared(
    name: str, answer: Any, cases: Mapping[str, NumberCase], text: Callable[[float], str]
) -> Verdict:
    """A function that returns a number, against the values of its cases."""
    wrong = []
    for title, case in cases.items():
        value, problem = answer_of(answer, *case.arguments)
        if problem:
            return Verdict(False, f"{title}: {problem}")
        if not np.isclose(float(value), case.value, rtol=NEAR, atol=0):
            wrong.append(f"{title}: {text(float(value))} instead of {text(case.value)}")
    return judged(name, wrong, len(cases))
