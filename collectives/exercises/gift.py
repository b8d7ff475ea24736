"""Writes exercises as GIFT, which Moodle imports.

The format is Moodle's, docs.moodle.org/en/GIFT_format: `=` begins a right answer, `~` a wrong one,
`#` its feedback, `####` that of the question; these signs, braces and colons are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from collectives.exercises.exercise import TOLERANCE, Exercise

SIGNS = "\\~=#{}:"


def gift(exercises: Iterable[Exercise]) -> str:
    """The exercises as one text in GIFT."""
    return "\n\n".join(map(_question, exercises)) + "\n"


def _question(problem: Exercise) -> str:
    name = _escaped(f"{problem.kind}, {problem.title}, seed {problem.seed}")
    body = f"<p>{escape(problem.text, quote=False)}</p>"
    if problem.material:
        code = "<br>".join(escape(line, quote=False) for line in problem.material)
        body += f"<pre>{code}</pre>"
    why = f"\n####{_escaped(problem.explanation)}"
    head = f"::{name}::[html]{_escaped(f'<p>{escape(problem.title, quote=False)}</p>' + body)}"
    if problem.value is not None:
        near = 0 if problem.exact else abs(problem.value) * TOLERANCE
        return f"{head}{{#{problem.value:.9g}:{near:.6g}{why}\n}}"
    answers = "".join(
        f"\n{'=' if answer.right else '~'}{_escaped(escape(answer.text, quote=False))}"
        f"{f'#{_escaped(answer.feedback)}' if answer.feedback else ''}"
        for answer in problem.answers
    )
    return f"{head}{{{answers}{why}\n}}"


def _escaped(text: str) -> str:
    return "".join(f"\\{sign}" if sign in SIGNS else sign for sign in text)
