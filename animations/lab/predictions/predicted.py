"""Makes questions of a right answer and of the wrong ones that misconceptions lead to."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from random import Random
from typing import Any

from collectives.questions.misconceptions import KNOWN
from collectives.questions.question import Option, Question, asked, choice
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import plural

Wrong = Iterable[tuple[object, str]]  # values of wrong answers and their misconceptions
NEAR = 0.03  # sizes and factors that are not told apart


def choose(
    prompt: str,
    detail: str,
    right: tuple[str, object],
    wrong: Iterable[tuple[str, object, str]],
    because: str,
    hint: str,
    before: int = 1,
    explanation: str = "",
) -> list[Question]:
    """A choice of texts with values; nothing where too few wrong answers are wrong here.

    because: the right reason, and what is said once the question is answered, unless an
    `explanation` is given. before: the first step that a picture does not show until then.
    """
    random = Random(f"{prompt} {detail}")
    options = choice(Option(*right), [Option(*entry) for entry in wrong], random)
    if not options:
        return []
    about = {"prompt": prompt, "detail": detail, "hint": hint, "step": before}
    return [_asked(options, because, random, explanation=explanation, form="choice", **about)]


def multiple(
    prompt: str,
    detail: str,
    right: float,
    wrong: Iterable[tuple[float, str]],
    because: str,
    hint: str,
    unit: str = " S",
    explanation: str = "",
) -> list[Question]:
    """A choice of multiples, such as "1.5 S"; explanation: how the right one is computed."""
    digits = 4 if unit == " S" else 2
    options: list[tuple[str, object, str]] = [
        (factor_text(value, digits) + unit, float(value), name)
        for value, name in wrong
        if abs(value - right) > NEAR * abs(right)
    ]
    answer = (factor_text(right, digits) + unit, float(right))
    computed = f"{explanation} = {answer[0]}; {because}" if explanation else ""
    return choose(prompt, detail, answer, options, because, hint, explanation=computed)


def amount(
    prompt: str,
    detail: str,
    right: int,
    noun: str,
    wrong: Iterable[tuple[int, str]],
    because: str,
    hint: str,
    explanation: str = "",
    before: int = 1,
) -> list[Question]:
    """A whole number to type, of what `noun` says; before: see `choose`."""
    random, options = Random(f"{prompt} {detail}"), [Option(plural(right, noun), right)]
    for number, name in wrong:
        if number > 0 and all(number != option.value for option in options):
            options.append(Option(plural(number, noun), number, name))
    about = {"prompt": prompt, "detail": detail, "hint": hint, "unit": f"{noun}s", "step": before}
    return [_asked(options, because, random, explanation=explanation, form="number", **about)]


def size(
    prompt: str,
    right: float,
    wrong: Iterable[tuple[float, str]],
    because: str,
    hint: str,
    explanation: str = "",
) -> list[Question]:
    """A number of bytes to type."""
    unit = size_text(right, binary=False).split()[1]
    random = Random(prompt)
    options = [Option(_size(right), right)]
    for value, name in wrong:
        distinct = (abs(value - float(str(known.value))) > NEAR * value for known in options)
        if value > 0 and all(distinct):
            options.append(Option(_size(value), value, name))
    about = {"prompt": prompt, "detail": f"in {unit}", "hint": hint, "unit": unit}
    return [
        _asked(options, because, random, explanation=explanation, form="number", step=1, **about)
    ]


def _size(value: float) -> str:
    return size_text(value, binary=False)


def _asked(options: Iterable[Option], because: str, random: Random, **about: Any) -> Question:
    """A prediction; values that no misconception explains have no reason."""
    options = tuple(options)
    believed = [option.misconception for option in options if option.misconception in KNOWN]
    return asked(options, because, random, believed=believed, kind="prediction", **about)


def is_of(recording: Recording, collective: str, algorithm: str) -> bool:
    """Whether it is what a lecture speaks of, on ranks that communicate; others are not asked."""
    named = (recording.collective.name, recording.algorithm)
    return named == (collective, algorithm) and recording.ranks > 1


def factor_text(value: float, digits: int = 4) -> str:
    """A multiple with so many digits: 1.5, 3, 1.969."""
    return f"{value:.{digits}g}"


def vectors(recording: Recording, sent: int) -> Fraction:
    """Bytes in units of the vector."""
    return Fraction(sent, recording.count * recording.dtype.itemsize)
