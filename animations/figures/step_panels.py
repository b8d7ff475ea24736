"""A storyboard for print: a panel for each step on one page, what repeats folded into one panel."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from animations.drawing.fonts import drawable
from animations.drawing.render.letters import families, is_known
from animations.drawing.render.matplotlib import INCH, draw_shapes, in_pixels
from animations.drawing.shapes import in_lines
from animations.drawing.sheet import PANEL
from animations.drawing.theme import LIGHT, Theme
from animations.figures.slide import DPI, extent
from animations.figures.still import shapes_after
from animations.score.repeats import runs
from animations.story.cell_marks import legend_title
from animations.story.storyboard import Storyboard
from collectives.words import capital, shortened

PAGES = ((11.69, 8.27), (8.27, 11.69))  # inches of A4, wide and high
MARGIN, GAP = 0.4, 0.18  # inches at the edges, and between panels
TITLE, HEAD, TEXT = 15.0, 8.5, 7.5  # type sizes in points
LINE = 1.3  # of the type size
MOST_LINES = 4  # of a caption
TOP, BELOW = 0.55, (HEAD + MOST_LINES * TEXT + 6) * LINE / 72  # inches for title and caption
MOST_PANELS = 15  # that stay readable on a page


@dataclass(frozen=True)
class Panel:
    """The state after step `last`; what happened in the steps from `first` on is in its caption."""

    first: int
    last: int
    alike: bool = False


def panels(board: Storyboard, limit: int = MOST_PANELS) -> list[Panel]:
    """The start and each step; steps that repeat as one panel, and others where they are many."""
    found = [Panel(0, 0)]
    for run in runs(board, 0, len(board.frames)):
        found += (Panel(step, step) for step in range(run.first + 1, run.lapse + 1))
        if run.lapse < run.end:
            found.append(Panel(run.lapse + 1, run.end, alike=True))
    while len(found) > limit:
        pairs = list(enumerate(pairwise(found)))[1:]
        place, (one, other) = min(pairs, key=lambda each: each[1][1].last - each[1][0].first)
        found[place : place + 2] = [Panel(one.first, other.last)]
    return found


def draw(board: Storyboard, theme: Theme = LIGHT) -> Figure:
    """The page: the largest panels that fit on A4, in rows, each with its caption below."""
    shown = panels(board)
    layouts = [
        (*_layout(len(shown), columns, page), columns, page)
        for page in PAGES
        for columns in (2, 3, 4)
    ]
    panel, height, columns, (width, _) = max(layouts, key=lambda each: each[0])
    page = Figure(figsize=(width, height), dpi=DPI, facecolor=theme.background)
    FigureCanvasAgg(page)
    page.set_label(board.title)
    room = width - 2 * MARGIN
    _write(page, MARGIN, MARGIN, board.title, TITLE, theme.ink, room, 1, "bold")
    below = MARGIN + TITLE * LINE / 72
    _write(page, MARGIN, below, board.subtitle, HEAD, theme.faint, room, 1)
    row = panel * PANEL.height / PANEL.width + BELOW
    for number, each in enumerate(shown):
        left = MARGIN + number % columns * (panel + GAP)
        top = MARGIN + TOP + number // columns * (row + GAP)
        _draw_panel(page, board, each, (left, top, panel), theme)
    foot = height - MARGIN - TEXT * LINE / 72
    words = [board.ending, legend_title(board)]
    _write(page, MARGIN, foot, " · ".join(filter(None, words)), TEXT, theme.faint, room, 1)
    return page


def _layout(count: int, columns: int, page: tuple[float, float]) -> tuple[float, float]:
    """The width of panels in so many columns on a page, and the height of what is used of it."""
    width, height = page
    rows = ceil(count / columns)
    free = height - 2 * MARGIN - TOP - TEXT * LINE / 72 - rows * (BELOW + GAP)
    panel = (width - 2 * MARGIN - (columns - 1) * GAP) / columns
    panel = min(panel, free / rows * PANEL.width / PANEL.height)
    return panel, height - free + rows * panel * PANEL.height / PANEL.width


def _draw_panel(
    page: Figure,
    board: Storyboard,
    panel: Panel,
    place: tuple[float, float, float],
    theme: Theme,
) -> None:
    """A panel and its caption; place: left, top and width in inches."""
    left, top, width = place
    height = width * PANEL.height / PANEL.width
    across, down = page.get_size_inches()
    box = (left / across, 1 - (top + height) / down, width / across, height / down)
    axes = page.add_axes(box)
    in_pixels(axes, board.sheet)
    scale, prefix = width * INCH / PANEL.width, f"panel-{panel.last}-"
    draw_shapes(axes, shapes_after(board, panel.last, theme), scale, prefix)
    frame = Rectangle((0, 0), 1, 1, transform=axes.transAxes, fill=False, clip_on=False)
    frame.set(edgecolor=theme.line, linewidth=0.6)
    axes.add_artist(frame)
    head, text = _caption(board, panel)
    below = top + height + 4 / 72
    _write(page, left, below, head, HEAD, theme.ink, width, 1, "bold")
    _write(page, left, below + HEAD * LINE / 72, text, TEXT, theme.ink, width, MOST_LINES)


def _caption(board: Storyboard, panel: Panel) -> tuple[str, str]:
    """The number of the step or steps, and what happens in the last of them."""
    head, _, text = board.captions[panel.last].partition(" — ")
    if panel.first == panel.last:
        return head, capital(text)
    key = "alike" if panel.alike else "several"
    span = {"first": panel.first, "last": panel.last, "total": len(board.frames)}
    return board.say(f"panels.{key}", **span), capital(text)


def _write(
    page: Figure,
    left: float,
    top: float,
    text: str,
    size: float,
    color: str,
    room: float,
    max_lines: int,
    weight: str = "normal",
) -> None:
    """Text from a place on, in inches, in at most so many lines of this width."""
    across, down = page.get_size_inches()
    look: dict[str, Any] = {
        "color": color,
        "fontsize": size,
        "weight": weight,
        "family": families(),
    }
    for number, line in enumerate(_lines(text, _fits(page, room, size, weight), max_lines)):
        y = 1 - (top + number * size * LINE / 72) / down
        page.text(left / across, y, line, va="top", parse_math=False, **look)


def _fits(page: Figure, room: float, size: float, weight: str) -> Callable[[str], bool]:
    return lambda line: extent(page, line, size, weight)[0] <= room * DPI


def _lines(text: str, fits: Callable[[str], bool], max_lines: int) -> Iterator[str]:
    """The text in lines; what has no room ends in …."""
    lines = list(in_lines(drawable(text, is_known), fits))
    yield from (shortened(line, fits) for line in lines[: max_lines - 1])
    if rest := " ".join(lines[max_lines - 1 :]):
        yield shortened(rest, fits)
