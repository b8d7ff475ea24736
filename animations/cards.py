"""Title and end card: what the film shows and what it has proved, with the closed forms."""

from __future__ import annotations

import re
from dataclasses import dataclass

from animations.glyphs import wrapped
from animations.sheet import Words
from animations.storyboard import Storyboard
from animations.theme import Theme
from collectives.resources import in_words

LEFT = 200.0
FORMULA = 900.0  # left edge of the formulas


@dataclass(frozen=True)
class Formula:
    """A closed form in Typst's notation, its left end and the middle of its line in pixels."""

    text: str
    x: float
    y: float


def card_words(board: Storyboard, kind: str, theme: Theme) -> list[Words]:
    """The words of a card."""
    words = [Words(board.title, LEFT, 300, 92, theme.ink, "bold")]
    sentence = f"{board.promise}." if kind == "title" else f"{board.ending}."
    for i, line in enumerate(wrapped(sentence, 1520, 44, 2)):
        words.append(Words(line, LEFT, 390 + 58 * i, 44, theme.ink))
    words.append(Words(board.subtitle, LEFT, 520, 32, theme.faint))
    for i, (label, value, _) in enumerate(_rows(board)):
        y = 640 + 132 * i
        words.append(Words(label, LEFT, y + 12, 34, theme.ink))
        words.append(Words(value, FORMULA - 40, y + 12, 34, theme.now, "mono", "right"))
    if kind == "end":
        text = "every contribution arrived exactly once"
        text += "; the counts equal the closed forms" if board.as_computed else ""
        words.append(Words(text, LEFT, 960, 30, theme.faint))
    return words


def card_formulas(board: Storyboard) -> list[Formula]:
    """The closed forms on a card, beside the executed values."""
    return [
        Formula(f"= {typst(form)}", FORMULA, 640 + 132 * i)
        for i, (_, _, form) in enumerate(_rows(board))
        if form
    ]


def typst(formula: str) -> str:
    """A formula of `theory` in Typst's notation.

    >>> typst("2*(N-1)/N*S")
    '2 dot (N - 1) / N dot S'
    >>> typst("C*S")
    'ceil(log_2 N) dot S'
    """
    spaced = re.sub(r"([-+/])", r" \1 ", formula)
    return spaced.replace("*", " dot ").replace("C", "ceil(log_2 N)")


def _rows(board: Storyboard) -> list[tuple[str, str, str]]:
    """Label, executed value, closed form (empty where there is none to show)."""
    sent = max(board.frames[-1].sent) if board.frames else 0
    steps, busiest = board.formulas
    return [
        ("steps", f"{len(board.frames)}", steps),
        ("sent by the busiest rank", in_words(sent), busiest),
    ]
