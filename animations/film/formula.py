"""Closed forms on the end card, set by Typst, whose terms light one after another."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from manim import MathTypst, VMobject

from animations.film.end_card import Places
from animations.film.shapes import UNIT, on_page
from animations.story.theme import Theme

RAISED = 26.0  # pixels from the baseline of a label up to the middle of its formula
FORMULA, HIGH = 0.42, 76.0  # of the width of the page, and pixels, that a formula takes at most
SMALLEST = 0.7  # of its size that a formula may be shrunk to
NOTATION = {
    ast.Add: "{} + {}",
    ast.Sub: "{} - {}",
    ast.Mult: "{} dot {}",
    ast.Div: "frac({}, {})",
    ast.FloorDiv: "floor(frac({}, {}))",
    ast.Pow: "{}^({})",
}
SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "dot"}
LETTERS = {"C": "ceil(log_2 N)", "L": "floor(log_2 N)", "P": "2^(floor(log_2 N))"}


@dataclass(frozen=True)
class Formula:
    """A formula as drawn; terms: the end of each among its glyphs, in order."""

    mobject: VMobject
    terms: tuple[int, ...]

    def light(self, theme: Theme, count: int) -> None:
        """Light the first terms."""
        glyphs = self.mobject.submobjects
        end = self.terms[min(count, len(self.terms)) - 1] if count else 0
        for place, glyph in enumerate(glyphs):
            glyph.set_color(theme.now if place < end else theme.ink)


def formulas(texts: Sequence[str], at: Places, theme: Theme) -> dict[int, Formula]:
    """The closed forms of steps and bytes, at the right of their group, those that fit there."""
    found = {}
    for group, text in enumerate(texts):
        mobjects = list(_drawn(text, theme)) if text else []
        if not mobjects:
            continue
        mobject = mobjects[-1]
        room = FORMULA * at.wide / UNIT / mobject.width, HIGH / UNIT / mobject.height
        if min(room) < SMALLEST:
            continue
        mobject.scale(min(1.0, *room))
        right, middle = at.left + at.wide, at.base(group) - RAISED
        x, y, _ = on_page(np.array([[right, middle]]))[0]
        mobject.move_to([x - mobject.width / 2, y, 0])
        found[group] = Formula(mobject, tuple(len(each.submobjects) for each in mobjects))
    return found


def _drawn(formula: str, theme: Theme) -> Iterator[VMobject]:
    """The first term, the first two, and so on: their glyphs come in the order of the text."""
    parts = terms(formula)
    for end in range(1, len(parts) + 1):
        text = f"= {' '.join(parts[:end])}"  # a copy from the cache has thinner fraction bars
        yield MathTypst(text, font_size=34, color=theme.ink, use_svg_cache=False)


def terms(formula: str) -> list[str]:
    """The terms of a sum, or the factors of a product, in Typst's notation.

    >>> terms("2*C+h-1"), terms("2*(N-1)/N*S")
    (['2 dot ceil(log_2 N)', '+ h', '- 1'], ['frac(2 dot (N - 1), N)', 'dot S'])
    """
    return list(_terms(ast.parse(formula, mode="eval").body))


def _terms(node: ast.expr) -> Iterator[str]:
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add | ast.Sub | ast.Mult):
        yield _typeset(node)
        return
    sign, is_product = SIGNS[type(node.op)], isinstance(node.op, ast.Mult)
    kind = ast.Mult if is_product else ast.Add | ast.Sub
    if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, kind):
        yield from _terms(node.left)
    else:
        yield _bracketed(node.left) if is_product else _typeset(node.left)
    yield f"{sign} {_typeset(node.right) if sign == '+' else _bracketed(node.right)}"


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
            a = _bracketed(left) if isinstance(op, ast.Mult | ast.Pow) else _typeset(left)
            b = _bracketed(right) if isinstance(op, ast.Mult | ast.Sub) else _typeset(right)
            return NOTATION[type(op)].format(a, b)
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
