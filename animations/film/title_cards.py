"""Title and end card: the promise before and after, the counts with their closed forms."""

from __future__ import annotations

import ast
import logging
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from manim import MathTypst, VMobject, tempconfig

from animations.film.glyphs import fitted, size_for, text_width, wrapped
from animations.film.inks import draw, layer, line_points
from animations.film.shapes import UNIT, on_page
from animations.film.small_stage import SmallStage
from animations.score.score import Card, Keyframe
from animations.story.drawing import Box, TextLine
from animations.story.sheet import Sheet
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme

FORMULA = 700.0  # from the left edge of the text to that of the formulas
RIGHT = 48.0  # from the right edge of the page to where they end at most
SMALLEST = 0.7  # of its size that a formula may be shrunk to
PITCH = 120.0  # from row to row
TITLE, STACKED = 110.0, 90.0  # baseline of the title; between stages one above the other
LINE, FEW, MANY = (
    58,
    2,
    4,
)  # height of a line of the promise, and how many on wide and on tall pages
NOTATION = {
    ast.Add: "{} + {}",
    ast.Sub: "{} - {}",
    ast.Mult: "{} dot {}",
    ast.Div: "frac({}, {})",
    ast.FloorDiv: "floor(frac({}, {}))",
    ast.Pow: "{}^({})",
}
LETTERS = {"C": "ceil(log_2 N)", "L": "floor(log_2 N)", "P": "2^(floor(log_2 N))"}


@dataclass(frozen=True)
class _Places:
    """Where things stand on the card of a sheet: the text from `left` on, `wide` at most."""

    left: float
    wide: float
    lines: int
    top: float

    @property
    def first(self) -> float:
        """The middle of the first row of counters."""
        return self.top + 330 + LINE * (self.lines - FEW)


def _places(sheet: Sheet) -> _Places:
    left, lines = 200 / 1920 * sheet.width, FEW if sheet.width > sheet.height else MANY
    return _Places(left, sheet.width - 1.5 * left, lines, sheet.height / 2 - 240)


class TitleCard:
    """The scene of a card: its text, which never changes."""

    def __init__(self, card: Card, theme: Theme, folder: Path | None = None) -> None:
        self.sheet, self.theme = card.sheet, theme
        self.settled, self.moving, self.front = (list[VMobject]() for _ in range(3))
        lines = card_text(card.board, card.kind, theme)
        text = layer(dict.fromkeys(line.color for line in lines))
        draw(text, lines, line_points)
        logging.getLogger("manim").setLevel(logging.ERROR)
        with TemporaryDirectory(dir=folder) as media, tempconfig({"media_dir": media}):
            self.still = [*text.values(), *self._pictures(card)]

    def _pictures(self, card: Card) -> list[VMobject]:
        """The stages of a title card before the first step and after the last; formulas."""
        board, theme = card.board, self.theme
        if card.kind == "end":
            return formulas(board, theme)
        if board.wrong:
            return []
        small, rooms = SmallStage(board, theme), stage_rooms(board.sheet)
        moments = Keyframe(0), Keyframe(len(board.frames))
        each = zip(moments, rooms, strict=True)
        return [shown for moment, room in each for shown in small.mobjects(moment, room)]

    def show(self, moment: object) -> None:
        """Nothing changes."""

    def travels(self, moment: object) -> bool:
        """Nothing moves."""
        return False

    def travel(self, time: float) -> None:
        """Nothing moves."""


def card_text(board: Storyboard, kind: str, theme: Theme) -> list[TextLine]:
    """The text of a card."""
    at = _places(board.sheet)
    if kind == "title" and not board.wrong:
        return _title_text(board, theme)
    left, wide, first = at.left, at.wide, at.first
    lines = _heading(board, f"{board.promise}." if kind == "title" else f"{board.ending}.", theme)
    if board.wrong:
        for i, line in enumerate(wrapped(board.wrong.band, wide, 34, 3)):
            lines.append(TextLine(line, left, first + 50 * i, 34, theme.wrong, "bold"))
        return lines
    for i, counter in enumerate(board.counters):
        label, value = counter.label.partition(" (")[0], counter.texts[-1]
        base = first + PITCH * i + 12
        size = text_width(label, 34) + text_width(value, 34, "mono")
        size = min(34.0, 34 * (FORMULA - 70) / size)
        lines.append(TextLine(label, left, base, size, theme.ink))
        lines.append(TextLine(value, left + FORMULA - 40, base, size, theme.now, "mono", "right"))
    text = board.say("cards.every_contribution" + "_heard" * (not board.labels.moves_data))
    if board.as_computed:
        text = board.say("cards.with_closed_forms", text=text)
    for i, line in enumerate(wrapped(text, wide, 30, 2)):
        lines.append(TextLine(line, left, first + 330 + 40 * i, 30, theme.faint))
    return lines


def _heading(board: Storyboard, sentence: str, theme: Theme) -> list[TextLine]:
    """The title, a sentence and the subtitle."""
    at = _places(board.sheet)
    left, wide = at.left, at.wide
    large = size_for(board.title, wide, 92, wide / 27, "bold")
    title = fitted(board.title, wide, large, "bold")
    lines = [TextLine(title, left, at.top, large, theme.ink, "bold")]
    for i, line in enumerate(wrapped(sentence, wide - left / 2, 44, at.lines)):
        lines.append(TextLine(line, left, at.top + 90 + LINE * i, 44, theme.ink))
    small = size_for(board.subtitle, wide, 32, 24)
    text = fitted(board.subtitle, wide, small)
    return [*lines, TextLine(text, left, at.first - 110, small, theme.faint)]


def _title_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The title, the promise, and what the two stages below them show."""
    sheet = board.sheet
    wide, x = sheet.width - 160, sheet.width / 2
    large = size_for(board.title, wide, 76, 40, "bold")
    title = fitted(board.title, wide, large, "bold")
    lines = [TextLine(title, x, TITLE, large, theme.ink, "bold", "center")]
    texts = wrapped(f"{board.promise}.", wide, 42, 2)
    for i, line in enumerate(texts):
        lines.append(TextLine(line, x, TITLE + 74 + 50 * i, 42, theme.ink, align="center"))
    small = size_for(board.subtitle, wide, 30, 20)
    text, base = fitted(board.subtitle, wide, small), TITLE + 74 + 50 * len(texts)
    lines.append(TextLine(text, x, base, small, theme.faint, align="center"))
    for key, room in zip(("before", "after"), stage_rooms(sheet), strict=True):
        word = board.say(f"cards.{key}")
        lines.append(TextLine(word, room.x, room.top - 22, 34, theme.now, "bold", "center"))
    return lines


def stage_rooms(sheet: Sheet) -> tuple[Box, Box]:
    """The rooms of the two stages of a title card: side by side, or one above the other."""
    top, bottom = TITLE + 270.0, sheet.height - 60.0
    if sheet.width > sheet.height:
        wide, high = sheet.width / 2 - 70, bottom - top
        y, left = top + high / 2, 50 + wide / 2
        return Box(left, y, wide, high), Box(sheet.width - left, y, wide, high)
    high = (bottom - top - STACKED) / 2
    wide = sheet.width - 100.0
    first, second = top + high / 2, bottom - high / 2
    return Box(sheet.width / 2, first, wide, high), Box(sheet.width / 2, second, wide, high)


def formulas(board: Storyboard, theme: Theme) -> list[VMobject]:
    """The closed forms of the cards, beside the executed values, set by Typst, if they fit."""
    found, at = [], _places(board.sheet)
    for row, formula in enumerate(board.formulas):
        if formula:
            mobject = MathTypst(f"= {typst(formula)}", font_size=40, color=theme.ink)
            room = (board.sheet.width - RIGHT - at.left - FORMULA) / UNIT / mobject.width
            if room < SMALLEST:
                continue
            mobject.scale(min(1.0, room))
            x, y, _ = on_page(np.array([[at.left + FORMULA, at.first + PITCH * row]]))[0]
            found.append(mobject.move_to([x + mobject.width / 2, y, 0]))
    return found


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
