"""Outlines as vectors: elements of an SVG, or painted with cairo on paper; text stays text."""

from __future__ import annotations

from functools import cache
from html import escape
from itertools import groupby
from typing import Any

import numpy as np

from animations.drawing.curves import Points
from animations.drawing.fonts import MONO, SANS
from animations.drawing.glyphs import font_of, letters_of, text_width
from animations.drawing.render.outlines import Look, Outline, parts
from animations.drawing.shapes import TextLine

STRAIGHT = 0.05  # pixels from a curve's handles to where those of a straight line are
FAMILIES = {"sans": f"{SANS}, Verdana, sans-serif", "mono": f"{MONO}, Menlo, monospace"}
BLANKS = "\N{NO-BREAK SPACE}" * 2  # of which an SVG makes no single one
ANCHORS = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}


def element(outline: Outline) -> str:
    """An outline as an element of an SVG; text is as wide there as it is in every picture."""
    look = _look(outline.look)
    if outline.texts:
        return f"<g{look}>{''.join(map(_text, outline.texts))}</g>"
    path = "".join(map(_path, parts(outline)))
    return f'<path{look} d="{path}"/>' if path else ""


@cache
def _look(look: Look) -> str:
    red, green, blue, opacity, *edge, width = look
    style = f' fill="{_color(red, green, blue)}"' if opacity else ' fill="none"'
    style += f' fill-opacity="{opacity:.2g}"' * (0 < opacity < 1)
    if width and edge[-1]:
        style += f' stroke="{_color(*edge[:3])}" stroke-width="{width:.3g}"'
    return style


def _color(*parts: float) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def _text(line: TextLine) -> str:
    wide = text_width(line.text, line.size, line.face)
    look = f'x="{line.x:.1f}" y="{line.baseline:.1f}" font-size="{line.size:.3g}"'
    look += f' textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"' * bool(wide)
    look += ' font-weight="bold"' * (line.face == "bold") + ANCHORS[line.align]
    family = FAMILIES["mono" if line.face == "mono" else "sans"]
    return f'<text {look} font-family="{family}">{escape(line.text.replace("  ", BLANKS))}</text>'


def _path(curves: Points) -> str:
    """One closed part, in tenths of a pixel."""
    thirds = (2 * curves[:, 0] + curves[:, 3]) / 3
    straight = (np.abs(curves[:, 1] - thirds).max(axis=1) < STRAIGHT).tolist()
    rows = [[f"{x:.1f}".removesuffix(".0") for x in row] for row in curves.reshape(-1, 8).tolist()]
    steps = [f"M{rows[0][0]} {rows[0][1]}"]
    steps += [
        f"L{row[6]} {row[7]}" if line else "C" + " ".join(row[2:])
        for row, line in zip(rows, straight, strict=True)
    ]
    return "".join(steps) + "Z"


def paint(context: Any, outline: Outline) -> None:
    """Paint an outline on a surface of cairo; text is set in its font, so that it can be found."""
    red, green, blue, opacity, *edge, width = outline.look
    context.set_source_rgba(red, green, blue, opacity)
    if outline.texts:
        for line in outline.texts:
            _set(context, line)
        return
    for curves in parts(outline):
        context.move_to(*curves[0, 0])
        for _, first, second, end in curves.tolist():
            context.curve_to(*first, *second, *end)
        context.close_path()
    if opacity:
        context.fill_preserve()
    if width and edge[-1]:
        context.set_source_rgba(*edge)
        context.set_line_width(width)
        context.stroke_preserve()
    context.new_path()


def _set(context: Any, line: TextLine) -> None:
    """Set a line of text: a run for each font, as letters that one lacks are taken from another."""
    at = line.x - {"left": 0.0, "center": 0.5, "right": 1.0}[line.align] * text_width(
        line.text, line.size, line.face
    )
    for font, run in groupby(letters_of(line.text), lambda letter: font_of(line.face, letter)):
        text = "".join(run)
        context.select_font_face(font[0], 0, font[1])
        context.set_font_size(line.size)
        context.move_to(at, line.baseline)
        context.show_text(text)
        at += text_width(text, line.size, line.face)
