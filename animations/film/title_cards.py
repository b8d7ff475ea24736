"""Title and end card: what the film shows and what it has proved, with the closed forms."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from animations.film.glyphs import text_width, wrapped
from animations.film.sheet import Words
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme

LEFT = 200.0
FORMULA = 900.0  # left edge of the formulas
FIRST, PITCH = 630, 120  # middle of the first row, and from row to row
LETTERS = {"C": "ceil(log_2 N)", "L": "floor(log_2 N)", "P": "2^(floor(log_2 N))"}


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
        base = FIRST + PITCH * i + 12
        wide = text_width(label, 34) + text_width(value, 34, "mono")
        size = min(34.0, 34 * (FORMULA - 70 - LEFT) / wide)
        words.append(Words(label, LEFT, base, size, theme.ink))
        words.append(Words(value, FORMULA - 40, base, size, theme.now, "mono", "right"))
    if kind == "end":
        often = "at least" if board.names.moves_data else "exactly"
        text = f"every contribution arrived {often} once"
        text += "; the counts equal the closed forms" if board.as_computed else ""
        words.append(Words(text, LEFT, 960, 30, theme.faint))
    return words


def card_formulas(board: Storyboard) -> list[Formula]:
    """The closed forms on a card, beside the executed values."""
    return [
        Formula(f"= {typst(form)}", FORMULA, FIRST + PITCH * i)
        for i, (_, _, form) in enumerate(_rows(board))
        if form
    ]


def typst(formula: str) -> str:
    """A formula of `theory` in Typst's notation.

    >>> typst("2*(N-1)/N*S")
    'frac(2 dot (N - 1), N) dot S'
    >>> typst("C*S + (radix-1)*(N//radix)")
    'ceil(log_2 N) dot S + ("radix" - 1) dot floor(frac(N, "radix"))'
    """
    return _typeset(ast.parse(formula, mode="eval").body)


def _typeset(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return LETTERS.get(name, name if len(name) == 1 else f'"{name}"')
        case ast.Constant(value=value):
            return str(value)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _typeset(left), _typeset(right)
            if isinstance(op, ast.Div):
                return f"frac({a}, {b})"
            if isinstance(op, ast.FloorDiv):
                return f"floor(frac({a}, {b}))"
            if isinstance(op, ast.Pow):
                return f"{_bracketed(left)}^({b})"
            if isinstance(op, ast.Mult):
                return f"{_bracketed(left)} dot {_bracketed(right)}"
            sign = "+" if isinstance(op, ast.Add) else "-"
            return f"{a} {sign} {b if sign == '+' else _bracketed(right)}"
        case ast.UnaryOp(operand=operand):
            return f"-{_bracketed(operand)}"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{name}({', '.join(map(_typeset, args))})"
    raise ValueError(f"{ast.unparse(node)} has no notation")


def _bracketed(node: ast.expr) -> str:
    """A part of a product, in brackets if it is a sum."""
    text = _typeset(node)
    is_sum = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"({text})" if is_sum else text


def _rows(board: Storyboard) -> list[tuple[str, str, str]]:
    """Label, executed value, closed form (empty where there is none to show)."""
    forms = *board.formulas, ""  # of time there is none
    return [
        (tally.label.partition(" (")[0], tally.texts[-1], form)
        for tally, form in zip(board.counters, forms, strict=True)
    ]
