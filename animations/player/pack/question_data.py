"""A question as the player asks it, ready for JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animations.phrases import Phrases
from collectives.questions import Question
from collectives.questions.question import Mark


def question_data(
    question: Question, say: Phrases, number_of: Callable[[Mark], int] = lambda _: -1
) -> dict[str, Any]:
    """As `Question` in types.d.ts; the number of an option is a node, bytes, messages or steps.

    say: the language of its texts. number_of: the number of a content in the story, -1 where it is
    not drawn.
    """
    words = say.translation
    kind, at = question.about or ("", ())
    wrong = [reason.misconception for reason in question.reasons]
    return {
        "kind": question.kind,
        "step": question.step,
        "form": question.form,
        "prompt": words(question.prompt),
        "detail": words(question.detail),
        "about": f"{kind}:{'.'.join(map(str, at))}" if kind else "",
        "unit": words(question.unit),
        "options": [
            [
                words(option.text),
                words(option.feedback),
                _number(option.value),
                [[mark.kind, *_numbers(mark, number_of)] for mark in option.marks],
            ]
            for option in question.options
        ],
        "right": question.options.index(question.right),
        "reasons": [[words(reason.text), words(reason.feedback)] for reason in question.reasons],
        "reason": wrong.index(""),
        "hint": words(question.hint),
        "explanation": words(question.explanation),
    }


def _numbers(mark: Mark, number_of: Callable[[Mark], int]) -> list[int]:
    """Those of a mark, that of its content last."""
    return [*mark.at, number_of(mark)] if mark.kind == "cell" else [*mark.at]


def _number(value: object) -> float:
    """The number of an answer that is a node or an amount; of others 0."""
    match value:
        case int(number) | float(number) | (int(number),):
            return number
    return 0
