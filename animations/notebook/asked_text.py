"""Questions as text, for a saved notebook: what is asked, the answers to choose from, and why."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from collectives.questions import Question
from collectives.words import capital


def asked_text(questions: Iterable[Question]) -> str:
    """Markup of questions, each with its answer folded."""
    return "".join(_asked(question) for question in questions)


def _asked(question: Question) -> str:
    right = question.right
    offered = ""
    if question.form == "choice":
        offered = "".join(f"<li>{escape(option.text)}</li>" for option in question.options)
        offered = f"<ul>{offered}</ul>"
    return (
        f"<p><b>{escape(question.prompt)}</b> ({escape(question.detail)})</p>{offered}"
        f"<details><summary>Answer</summary><p>{escape(capital(right.text))}: "
        f"{escape(question.explanation)}.</p></details>"
    )
