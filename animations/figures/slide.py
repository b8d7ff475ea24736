"""The page of a figure: 16:9, a title that says what is seen, axes, small print; and its file."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from animations.drawing.drawing import in_theme
from animations.drawing.fonts import drawable
from animations.drawing.render.letters import families, is_known
from animations.drawing.shapes import Shape, in_lines
from animations.drawing.sheet import LECTURE
from animations.drawing.theme import Theme
from collectives.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

PIXELS = (1920, 1080)
DPI = 144
TITLE, NAME, LABEL, TICK, SMALL = 25.0, 18.0, 17.0, 15.5, 12.5  # type sizes in points
LEFT, RIGHT, TOP, BOTTOM = 0.085, 0.965, 0.79, 0.185  # of the axes, where nothing is in the way
ABOVE, BELOW = 0.075, 0.098  # room for the names of the axes, between them and title, small print
EDGE = 0.028  # free on all sides of the page
UNIT = re.compile(r"(?<=\d) (?=[KMGTPE]?i?B\b|[pnµm]?s\b|%|ranks?\b|steps?\b)")
NO_BREAK = "\N{NO-BREAK SPACE}"  # between a number and its unit
SUFFIXES = (".svg", ".png", ".pdf")


def slide(title: str, small: str, theme: Theme) -> Figure:
    """An empty page with its title and its small print, broken into lines where they are long."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    width, height = (side / DPI for side in PIXELS)
    page = Figure(figsize=(width, height), dpi=DPI, facecolor=theme.background)
    FigureCanvasAgg(page)
    room = 1 - 2 * EDGE
    head = wrapped(page, title, room, TITLE, "bold")
    write(page, EDGE, 1 - EDGE, head, theme.ink, TITLE, va="top", weight="bold", linespacing=1.2)
    foot = wrapped(page, small, room, SMALL)
    write(page, EDGE, EDGE, foot, theme.faint, SMALL, va="bottom", linespacing=1.35)
    return page


def write(
    page: Figure, x: float, y: float, text: str, color: str, size: float, **more: Any
) -> None:
    """A text at a place on the page, in parts of it; `more` as matplotlib's Text takes it."""
    page.text(x, y, text, color=color, fontsize=size, family=families(), parse_math=False, **more)


def room(page: Figure) -> tuple[float, float]:
    """Bottom and top of axes between the title and the small print, in parts of the page."""
    title, small = (text.get_window_extent(renderer(page)) for text in page.texts[:2])
    bottom = float(small.y1) / PIXELS[1] + BELOW
    return max(BOTTOM, bottom), min(TOP, float(title.y0) / PIXELS[1] - ABOVE)


def add_axes(
    page: Figure,
    theme: Theme,
    y_name: str = "",
    x_name: str = "",
    box: tuple[float, float, float, float] | None = None,
) -> Axes:
    """Axes with quiet lines; the name of the upright one is written level, above it."""
    low, high = room(page)
    left, bottom, right, top = box or (LEFT, low, RIGHT, high)
    axes = page.add_axes((left, bottom, right - left, top - bottom))
    axes.set_facecolor(theme.background)
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.edge)
    axes.tick_params(
        colors=theme.edge,
        labelcolor=theme.ink,
        labelsize=TICK,
        labelfontfamily=families(),
        length=6,
    )
    axes.tick_params(which="minor", length=0)
    axes.grid(True, color=theme.line, linewidth=1)
    axes.set_axisbelow(True)
    if y_name:
        write(page, EDGE, top + 0.025, y_name, theme.faint, LABEL, va="bottom")
    if x_name:
        axes.set_xlabel(x_name, color=theme.faint, fontsize=LABEL, family=families(), labelpad=8)
    return axes


def make_room_for_ticks(axes: Axes) -> None:
    """Let axes begin where the widest of the texts at their y ticks ends."""
    page: Any = axes.get_figure(root=True)
    texts = axes.yaxis.get_tightbbox(renderer(page))
    old, left = axes.get_position(), EDGE + ((texts.width if texts else 0) + 22) / PIXELS[0]
    axes.set_position((left, old.y0, old.x1 - left, old.height))


def note(
    axes: Axes,
    text: str,
    at: tuple[float, float],
    offset: tuple[float, float],
    color: str,
    size: float,
    coordinates: Any = "data",
    **more: Any,
) -> Annotation:
    """A text beside a point of the axes, so many points (1/72 inch) from it."""
    look = {"color": color, "fontsize": size, "family": families(), "parse_math": False, **more}
    where = {"xycoords": coordinates, "textcoords": "offset points"}
    return axes.annotate(text, at, offset, **where, **look)


def put(page: Figure, shapes: Iterable[Shape], theme: Theme) -> None:
    """Put shapes on the page, in its pixels and in tones of a theme."""
    from animations.drawing.render.matplotlib import draw_shapes, in_pixels

    axes = page.add_axes((0, 0, 1, 1))
    in_pixels(axes, LECTURE)
    draw_shapes(axes, in_theme(shapes, theme))


def facts(page: Figure, x: float, lines: Iterable[tuple[str, str]], theme: Theme) -> None:
    """Values on the right of the page, each with what it is below it."""
    y = 0.74
    for value, name in lines:
        text = wrapped(page, name, 1 - EDGE - x, LABEL - 1.5)
        write(page, x, y, value, theme.ink, NAME + 4, va="bottom", weight="bold")
        write(page, x, y - 0.006, text, theme.faint, LABEL - 1.5, va="top", linespacing=1.25)
        y -= 0.09 + 0.038 * (text.count("\n") + 1)


def extent(page: Figure, text: str, size: float, weight: str = "normal") -> tuple[float, float]:
    """Width and height of a text in pixels."""
    from matplotlib.text import Text

    look: dict[str, Any] = {"family": families(), "weight": weight, "parse_math": False}
    probe = Text(0, 0, text, fontsize=size, **look)
    probe.set_figure(page)
    box = probe.get_window_extent(renderer(page))
    return float(box.width), float(box.height)


def renderer(page: Figure) -> Any:
    """What measures the texts of a page."""
    canvas: Any = page.canvas
    return canvas.get_renderer()


def wrapped(page: Figure, text: str, room: float, size: float, weight: str = "normal") -> str:
    """The text in lines of at most so much of the page, a word that is longer cut with …."""

    def fits(line: str) -> bool:
        return extent(page, line, size, weight)[0] <= room * PIXELS[0]

    parts = UNIT.sub(NO_BREAK, drawable(text, is_known)).split("\n")
    return "\n".join(shortened(line, fits) for part in parts for line in in_lines(part, fits))


def clear_background(page: Figure) -> None:
    """Take away the background of the page and of its axes."""
    for patch in (page.patch, *(axes.patch for axes in page.axes)):
        patch.set_facecolor("none")


def save(page: Figure, path: str | Path, text: bool = False) -> None:
    """Write the page as .svg, .png or .pdf, whole or not at all; the same page, the same bytes.

    text: whether that of an .svg stays text, which can be selected, instead of outlines.
    """
    from matplotlib import rc_context

    from collectives.files import replacing

    kind = Path(path).suffix[1:]
    unstamped: dict[str, dict[str, Any]] = {
        "svg": {"Date": None, "Creator": None},
        "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
        "png": {"Software": None},
    }
    look: Any = {"svg.hashsalt": "collectives", "pdf.fonttype": 42}
    if text:
        look["svg.fonttype"] = "none"
    logging.getLogger("fontTools").setLevel(logging.WARNING)  # Manim, if loaded, shows all logs
    with replacing(path) as file, rc_context(look):
        title = page.texts[0].get_text() if page.texts else str(page.get_label())
        title = title.replace("\n", " ").replace(NO_BREAK, " ")
        page.savefig(file, format=kind, dpi=DPI, metadata={"Title": title, **unstamped[kind]})
