"""Text as outlines: the glyphs of a font as Bézier curves, set once and then only moved."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from animations.drawing.curves import Points, straight
from animations.drawing.fonts import FALLBACKS, MONO, SANS, drawable
from animations.drawing.shapes import Align, TextLine, in_lines
from animations.phrases import page_words
from collectives.errors import NotInstalled
from collectives.words import shortened

try:
    import cairo
except ModuleNotFoundError as missing:
    raise NotInstalled(f"drawn letters need pycairo ({missing})", "figure") from None

EM = 1000.0
FACES = {
    "sans": (SANS, cairo.FONT_WEIGHT_NORMAL),
    "bold": (SANS, cairo.FONT_WEIGHT_BOLD),
    "mono": (MONO, cairo.FONT_WEIGHT_NORMAL),
}


def text_width(text: str, size: float, face: str = "sans") -> float:
    """Width of a line of text in pixels, set at `size` pixels to the em."""
    return size * sum(_glyph(face, character)[1] for character in drawable(text, _is_known))


def text_points(
    text: str, x: float, baseline: float, size: float, face: str = "sans", align: str = "left"
) -> Points:
    """A line of text as cubic curves, [4 × curves, 2], in pixels of the page.

    `x` is the left end, the middle or the right end of the line, as `align` says.
    """
    shift = {"left": 0.0, "center": 0.5, "right": 1.0}[align]
    at = x - shift * text_width(text, size, face)
    parts = []
    for character in drawable(text, _is_known):
        outline, advance = _glyph(face, character)
        if len(outline):
            parts.append(outline * size + (at, baseline))
        at += advance * size
    return np.concatenate(parts) if parts else np.zeros((0, 2))


def letters_of(text: str) -> str:
    """The text as it is drawn: with numbers for letters that no font has."""
    return drawable(text, _is_known)


def font_of(face: str, letter: str) -> tuple[str, int]:
    """The font that a letter is taken from, and its weight for cairo."""
    family, weight = FACES[face]
    return _family(face, letter) or family, int(weight)


def fitted(text: str, width: float, size: float, face: str = "sans") -> str:
    """The text, cut with … if it is wider than `width` pixels."""
    return shortened(text, lambda line: text_width(line, size, face) <= width)


def size_for(text: str, width: float, largest: float, smallest: float, face: str = "sans") -> float:
    """The size at which a line of text is that wide, between a largest and a smallest one."""
    return min(largest, max(smallest, (width - 1) / max(text_width(text, 1, face), 0.1)))


def line_within(
    room: float,
    sizes: tuple[float, float],
    text: str,
    x: float,
    baseline: float,
    color: str,
    face: str = "sans",
    align: Align = "left",
) -> TextLine:
    """A line of text in a room of so many pixels: between two sizes, cut where it is wider."""
    size = size_for(text, room, *sizes, face)
    return TextLine(fitted(text, room, size, face), x, baseline, size, color, face, align)


def wrapped(text: str, width: float, size: float, lines: int) -> list[str]:
    """The text in at most so many lines of `width` pixels, the last cut with … if need be."""
    kept = in_lines(text, lambda line: text_width(line, size) <= width)
    kept[lines - 1 :] = [" ".join(kept[lines - 1 :])]
    return [fitted(line, width, size) for line in kept]


@lru_cache(maxsize=4096)
def _glyph(face: str, character: str) -> tuple[Points, float]:
    """The curves of one glyph, [4 × curves, 2], and its advance, both in ems."""
    context = _context(face, _family(face, character) or FACES[face][0])
    context.new_path()
    context.move_to(0, 0)
    context.text_path(character)
    curves: list[Points] = []
    start: tuple[float, ...] = (0.0, 0.0)
    here = start
    for kind, points in context.copy_path():
        if kind == cairo.PATH_MOVE_TO:
            start = here = points
        elif kind == cairo.PATH_CURVE_TO:
            curves.append(np.reshape([*here, *points], (4, 2)))
            here = points[4:]
        elif kind == cairo.PATH_LINE_TO or here != start:  # the end of a path closes it
            end = points or start
            curves.append(straight(np.array(here), np.array(end)))
            here = end
    advance = context.text_extents(character).x_advance / EM
    return np.array(curves, np.float64).reshape(-1, 2) / EM, advance


@lru_cache(maxsize=4096)
def _family(face: str, character: str) -> str:
    """The first font that has a glyph for a character, or nothing."""
    for family in (FACES[face][0], *FALLBACKS):
        font: Any = _context(face, family).get_scaled_font()
        if all(glyph.index for glyph in font.text_to_glyphs(0, 0, character, False)):
            return family
    return ""


def check_letters(language: str) -> None:
    """Raise NotInstalled where no font has the letters of a language, as its name writes them."""
    name = page_words(language)["language.name"]
    if not all(map(_is_known, name)):
        need = f"--language {language}: a film needs a font that has {name}"
        raise NotInstalled(need, command="apt install fonts-noto-cjk")


def _is_known(character: str) -> bool:
    return bool(_family("sans", character))


@lru_cache(maxsize=64)
def _context(face: str, family: str) -> cairo.Context[cairo.RecordingSurface]:
    weight = FACES[face][1]
    context = cairo.Context(cairo.RecordingSurface(cairo.CONTENT_ALPHA, None))
    context.select_font_face(family, cairo.FONT_SLANT_NORMAL, weight)
    context.set_font_size(EM)
    options = cairo.FontOptions()
    options.set_hint_style(cairo.HINT_STYLE_NONE)
    options.set_hint_metrics(cairo.HINT_METRICS_OFF)
    context.set_font_options(options)
    return context
