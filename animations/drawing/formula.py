"""Formulas as drawings: outlines that Typst makes, in terms that are lit one by one; else text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree.ElementTree import Element, fromstring

import numpy as np

from animations.drawing import typesetting
from animations.drawing.curves import Points, joined, straight
from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Area, Box, TextLine

EM = 10.0  # points of the letters that Typst is asked for
HEAD = f"#set page(width: auto, height: auto, margin: 0pt)\n#set text(size: {EM:g}pt)\n"
TERM = re.compile(r"«(\d+)\|([^«»]*)»")
USED = "{http://www.w3.org/1999/xlink}href"
COMMAND = re.compile(r"([a-zA-Z])|(-?\d*\.?\d+(?:e-?\d+)?)")
LENGTHS = {"m": 2, "l": 2, "h": 1, "v": 1, "q": 4, "c": 6, "z": 0}
TEXT_SIZE = 0.86  # of a formula's size, where it is text
WORDS = {  # of Typst's notation, as text
    r"frac\((«\d\|[^»,]* [^»,]*»|[^,()«»]* [^,()«»]*), ": r"frac((\1), ",
    r"frac\(([^,]*), ([^,()]*)\)": r"\1/\2",
    r"ceil\(log_(\w+) (\w+)\)": r"⌈log\1 \2⌉",
    r"\bdot\b": "·",
    r"\btimes\b": "×",
    r"\balpha\b": "α",
    r"\bbeta\b": "β",
    "-": "−",
    '"': "",
}


@dataclass(frozen=True)
class Formula:
    """Its terms as they are drawn at one pixel to the em, from its left end and its middle.

    parts: the number of a term, and its curves, or its text from some place on where there is no
    Typst. width, height: in ems.
    """

    parts: tuple[tuple[int, Points | str, float], ...]
    width: float
    height: float

    def drawn(
        self, x: float, y: float, size: float, tone: Callable[[int], str], name: str = "term"
    ) -> Drawing:
        """The formula from a left end and about a middle; a term without a tone is left out.

        tone: the name of the color of each term, by its number; 0 is what stands between them.
        """
        areas, lines = list[Area](), list[TextLine]()
        for term, part, left in self.parts:
            color = tone(term)
            if not color:
                continue
            if isinstance(part, str):
                at = (x + size * left, y + 0.35 * size * TEXT_SIZE)
                lines.append(TextLine(part, *at, size * TEXT_SIZE, color))
                continue
            placed = (part * size + (x, y)).tolist()
            areas.append(Area(tuple(map(tuple, placed)), color, f"{name}-{term}"))
        return Drawing(areas=tuple(areas), lines=tuple(lines))

    def box(self, term: int, x: float, y: float, size: float) -> Box:
        """Where a term stands in a formula from a left end and about a middle."""
        points = [
            np.array([[left, -0.4], [left + text_width(part, TEXT_SIZE), 0.4]])
            if isinstance(part, str)
            else part
            for number, part, left in self.parts
            if number == term
        ]
        placed = joined(points) * size + (x, y)
        return Box.between(*placed.min(axis=0).tolist(), *placed.max(axis=0).tolist())


@lru_cache(maxsize=256)
def formula(source: str) -> Formula:
    """A formula in Typst's notation, in which «2|N - 1» is a term with a number.

    Where Typst is not installed it is a line of text.
    """
    if not typesetting.is_there():
        return _as_text(source)
    sources = (TERM.sub(write, source) for write in (lambda term: term[2], _in_color))
    text = HEAD + "\n#pagebreak()\n".join(f"$ {source_part} $" for source_part in sources)
    plain, colored = (list(_glyphs(page)) for page in typesetting.pages(text))
    curves = [points / EM for _, points in plain]
    whole = joined(curves)
    low, high = whole.min(axis=0), whole.max(axis=0)
    shift = np.array([low[0], (low[1] + high[1]) / 2])
    marked = (term for term, _ in colored)  # colors change nothing of the order, but spaces
    parts = tuple(
        (term, outline - shift, 0.0) for term, outline in zip(marked, curves, strict=True)
    )
    return Formula(parts, *(high - low).tolist())


def _in_color(term: re.Match[str]) -> str:
    return f'#text(fill: rgb("#{int(term[1]):06x}"), ${term[2]}$)'


def _glyphs(page: str) -> Iterator[tuple[int, Points]]:
    """The glyphs and fraction bars of a page, each with the number of its color."""
    root = fromstring(page)
    known = {f"#{element.get('id')}": element for element in root.iter() if element.get("id")}
    for child in root:
        if child.tag.endswith("}path") and child.get("stroke"):
            left, top, right, _ = _path(child.get("d", ""))[[0, 0, 3, 3], [0, 1, 0, 1]]
            (x, y), half = _shift(child), float(child.get("stroke-width", 0)) / 2
            yield _number(child, "stroke"), _bar(left + x, top + y, right + x, half)
        for used in child if child.tag.endswith("}g") else ():
            a, b, c, d, e, f = map(float, child.get("transform", "")[7:-1].split())
            at = np.array([float(used.get("x", 0)), float(used.get("y", 0))])
            curves = [_path(p.get("d", "")) for p in known[used.get(USED, "")].iter() if p.get("d")]
            points = joined(curves) + at
            yield _number(used, "fill"), points @ np.array([[a, b], [c, d]]) + (e, f)


def _number(element: Element, of: str) -> int:
    return int(element.get(of, "#0")[1:], 16)


def _shift(element: Element) -> tuple[float, float]:
    x, y = re.findall(r"-?[\d.]+", element.get("transform", "0 0"))
    return float(x), float(y)


def _bar(left: float, y: float, right: float, half: float) -> Points:
    corners = np.array(
        [(left, y - half), (right, y - half), (right, y + half), (left, y + half)], np.float64
    )
    return straight(corners, np.roll(corners, -1, axis=0)).reshape(-1, 2)


def _path(data: str) -> Points:
    """The path of an SVG as cubic curves, four points each; its parts are closed."""
    tokens, curves = COMMAND.findall(data), list[Points]()
    here = start = np.zeros(2)
    place, command = 0, "M"
    while place < len(tokens):
        if tokens[place][0]:
            command, place = tokens[place][0], place + 1
        count = LENGTHS[command.lower()]
        values = [float(number) for _, number in tokens[place : place + count]]
        place += count
        base = here if command.islower() else np.zeros(2)
        if command in "hH":
            ends = np.array([[values[0] + base[0], here[1]]])
        elif command in "vV":
            ends = np.array([[here[0], values[0] + base[1]]])
        elif command in "zZ":
            ends = start[None]
        else:
            ends = np.reshape(values, (-1, 2)) + base
        if command in "mM":
            start = ends[0]
            command = "l" if command == "m" else "L"
        elif len(ends) == 3:
            curves.append(np.stack([here, *ends]))
        elif len(ends) == 2:
            handles = [here + 2 / 3 * (ends[0] - here), ends[1] + 2 / 3 * (ends[0] - ends[1])]
            curves.append(np.stack([here, *handles, ends[1]]))
        elif command not in "zZ" or (here != start).any():
            curves.append(straight(here, ends[0]))
        here = ends[-1]
    return joined(curves)


def _as_text(source: str) -> Formula:
    """The formula as text, term after term."""
    for pattern, text in WORDS.items():
        source = re.sub(pattern, text, source)
    parts, left = list[tuple[int, Points | str, float]](), 0.0
    for between, number, term in re.findall(r"([^«»]*)(?:«(\d+)\|([^«»]*)»)?", source):
        for kind, text in ((0, between), (int(number or 0), term)):
            if text.strip():
                parts.append((kind, text.strip(), left))
                left += text_width(text.strip(), TEXT_SIZE) + 0.12
    return Formula(tuple(parts), left, 1.0)
