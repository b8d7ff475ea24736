"""The end card: this algorithm, the bound and two others as bars, and formulas that light."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from animations.drawing.drawing import in_theme
from animations.drawing.formula import Formula, formula
from animations.drawing.glyphs import line_within, text_width
from animations.drawing.render.outlines import Outline, outlines
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.story.counters import DIGITS, CounterRow
from animations.story.storyboard import Storyboard
from collectives.units import size_beside, time_text
from collectives.words import capital

LABEL, NAME, SMALLEST = 34.0, 26.0, 17.0  # pixels of letters
BAR, HEAD = 22.0, 72.0  # pixels of a bar; of the line above the bars
BOTTOM = 110.0  # pixels below the last group
RAISED = 26.0  # pixels from the baseline of a label up to the middle of its formula
FORMULA, HIGH = 0.42, 76.0  # of the width of the page, and pixels, that a formula takes at most
LAST = 2  # the last group of bars
FORMULA_SIZE = 46.0  # pixels of those of a formula
SHRUNK = 0.7  # of its size that a formula may be shrunk to
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
class EndBar:
    """One number: whose it is, its value, this as text, and whether it is the lower bound."""

    name: str
    value: float
    text: str
    bound: bool = False


@dataclass(frozen=True)
class BarRows:
    """Where the groups stand on a sheet: their left edge, width, first top and pitch."""

    left: float
    wide: float
    top: float
    pitch: float

    @property
    def names(self) -> float:
        """The width of the names of bars."""
        return 0.27 * self.wide

    def base(self, group: int) -> float:
        """The baseline of the label of a group."""
        return self.top + self.pitch * group + LABEL


def bar_rows(sheet: Sheet, top: float) -> BarRows:
    """The places below a heading that ends at `top`."""
    left = 0.06 * sheet.width
    pitch = min(270.0, (sheet.height - BOTTOM - top) / 3)
    return BarRows(left, sheet.width - 2 * left, top, pitch)


def groups(board: Storyboard) -> list[tuple[str, list[EndBar]]]:
    """Steps, bytes and time: the label of each, and its bars; the best time, too."""
    trade, own, say = board.trade, board.say("cards.this"), board.say
    others, best = trade.others, [trade.best] if trade.best else []
    bars_of = [
        [EndBar(entry.name, entry.steps, f"{entry.steps}") for entry in others],
        [EndBar(entry.name, entry.bytes, size_beside(entry.bytes, board.size)) for entry in others],
        [
            EndBar(entry.name, entry.seconds, time_text(entry.seconds, DIGITS))
            for entry in (*best, *others)
        ],
    ]
    columns = []
    for counter, more in zip(board.counters, bars_of, strict=True):
        bars = [EndBar(own, counter.values[-1], counter.texts[-1]), *_bound(board, counter), *more]
        bars = [replace(bar, text=say.decimal(bar.text)) for bar in bars]
        columns.append((capital(counter.label.partition(" (")[0]), bars))
    return columns


def _bound(board: Storyboard, counter: CounterRow) -> list[EndBar]:
    if counter.bound is None:
        return []
    return [EndBar(board.say("cards.bound"), counter.bound, counter.bound_text, True)]


def end_text(
    board: Storyboard,
    at: BarRows,
    theme: Theme,
    lit: int | None = None,
    last: int = LAST,
    part: float = 1.0,
) -> list[TextLine]:
    """The labels, names and numbers; lit, last, part: see `end_boxes`."""
    lines, smallest = [], max(SMALLEST, board.sheet.smallest)
    for group, (label, bars) in enumerate(groups(board)[: last + 1]):
        color, base = theme.now if group == lit else theme.ink, at.base(group)
        room = 0.55 * at.wide
        lines.append(line_within(room, (LABEL, smallest), label, at.left, base, color, "bold"))
        for row, bar in enumerate(bars):
            box = _box(at, group, row, bar, bars, part if group == last else 1.0)
            y, tone = box.y + 0.36 * NAME, theme.faint if row else theme.ink
            lines.append(line_within(at.names - 16, (NAME, smallest), bar.name, at.left, y, tone))
            shade = theme.faint if row else color
            lines.append(TextLine(bar.text, box.right + 14, y, NAME, shade, "mono"))
    return lines


def end_boxes(
    board: Storyboard,
    at: BarRows,
    theme: Theme,
    lit: int | None = None,
    last: int = LAST,
    part: float = 1.0,
) -> list[ColoredBox]:
    """The bars; lit: the group that is spoken of. Groups after `last` are not there yet.

    part: of its length, that each bar of the last group has.
    """
    boxes = []
    for group, (_, bars) in enumerate(groups(board)[: last + 1]):
        for row, bar in enumerate(bars):
            own = theme.now if group == lit else theme.ranks[0]
            color = theme.local if bar.bound else own if not row else theme.edge
            box = _box(at, group, row, bar, bars, part if group == last else 1.0)
            boxes.append(ColoredBox(box, color, 4))
    return boxes


def _box(
    at: BarRows, group: int, row: int, bar: EndBar, bars: list[EndBar], part: float = 1.0
) -> Box:
    """A bar, or part of it, its length in proportion to the longest of its group."""
    numbers = max(text_width(entry.text, NAME, "mono") for entry in bars) + 20
    room = at.wide - at.names - numbers
    length = max(2.0, part * room * bar.value / (max(entry.value for entry in bars) or 1.0))
    pitch = min(42.0, (at.pitch - 1.25 * HEAD) / max(4, len(bars)))
    y = at.base(group) + 0.5 * HEAD + pitch * row
    return Box(at.left + at.names + length / 2, y, length, min(BAR, 0.6 * pitch))


@dataclass(frozen=True)
class PlacedFormula:
    """A formula at its place, from a left end and about a middle, with its number of terms."""

    formula: Formula
    x: float
    y: float
    size: float
    terms: int

    def lit(self, theme: Theme, count: int) -> list[Outline]:
        """Its glyphs, the first terms lit."""
        drawn = self.formula.drawn(
            self.x, self.y, self.size, lambda term: "now" if term <= count else "ink"
        )
        return [glyph for shape in in_theme(drawn.shapes, theme) for glyph in outlines([shape])]


def formulas(texts: Sequence[str], at: BarRows) -> dict[int, PlacedFormula]:
    """The closed forms of steps and bytes, at the right of their group, those that fit there."""
    placed = {}
    for group, text in enumerate(texts):
        if not text:
            continue
        first, *more = terms(text)
        parts = [f"= {first}", *more]
        typeset = formula(" ".join(f"«{n}|{part}»" for n, part in enumerate(parts, 1)))
        size = min(FORMULA_SIZE, FORMULA * at.wide / typeset.width, HIGH / typeset.height)
        if size < SHRUNK * FORMULA_SIZE:
            continue
        right, middle = at.left + at.wide, at.base(group) - RAISED
        left = right - size * typeset.width
        placed[group] = PlacedFormula(typeset, left, middle, size, len(parts))
    return placed


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
