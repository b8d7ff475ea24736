"""A storyboard for print: a panel for each step on one page, what repeats folded into one panel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from animations.drawing.drawing import in_theme
from animations.drawing.glyphs import fitted, wrapped
from animations.drawing.render.matplotlib import INCH, draw_shapes, in_pixels, page_of
from animations.drawing.shapes import Box, TextLine
from animations.drawing.sheet import PANEL, Sheet
from animations.drawing.theme import LIGHT, Theme
from animations.figures.slide import DPI
from animations.figures.still import shapes_after
from animations.score.repeats import LAPSED, SHOWN, runs
from animations.story.cell_marks import legend_title
from animations.story.storyboard import Storyboard
from collectives.words import capital

PAGES = ((11.69, 8.27), (8.27, 11.69))  # inches of A4, wide and high
MARGIN, GAP = 58.0, 26.0  # pixels at the edges, and between panels
TITLE, HEAD, TEXT = 30.0, 17.0, 15.0  # pixels of letters
LINE = 1.3  # of the size of letters
MOST_LINES = 4  # of a caption
TOP, BELOW = 79.0, (HEAD + MOST_LINES * TEXT + 12) * LINE  # pixels for title and caption
MOST_PANELS = 15  # that stay readable on a page


@dataclass(frozen=True)
class Panel:
    """The state after step `last`; what happened in the steps from `first` on is in its caption."""

    first: int
    last: int
    alike: bool = False


def panels(board: Storyboard, limit: int = MOST_PANELS) -> list[Panel]:
    """The start and each step; steps that repeat as one panel, and others where they are many."""
    chosen = [Panel(0, 0)]
    for run in runs(board, 0, len(board.frames), SHOWN + LAPSED - 1):
        chosen += (Panel(step, step) for step in range(run.first + 1, run.lapse + 1))
        if run.lapse < run.end:
            chosen.append(Panel(run.lapse + 1, run.end, alike=True))
    while len(chosen) > limit:
        pairs = list(enumerate(pairwise(chosen)))[1:]
        place, (first, second) = min(pairs, key=lambda pair: pair[1][1].last - pair[1][0].first)
        chosen[place : place + 2] = [Panel(first.first, second.last)]
    return chosen


def draw(board: Storyboard, theme: Theme = LIGHT) -> Figure:
    """The page: the largest panels that fit on A4, in rows, each with its caption below."""
    chosen = panels(board)
    sheets = [(across * INCH, down * INCH) for across, down in PAGES]
    layouts = [
        (*_layout(len(chosen), columns, sheet), columns, sheet)
        for sheet in sheets
        for columns in (2, 3, 4)
    ]
    panel, height, columns, (width, _) = max(layouts, key=lambda layout: layout[0])
    sheet = Sheet("storyboard", round(width), round(height), ())
    page, axes = page_of(sheet, board.title, theme)
    FigureCanvasAgg(page)
    page.set_dpi(DPI)
    room, row = width - 2 * MARGIN, panel * PANEL.height / PANEL.width + BELOW
    lines = [_line(board.title, MARGIN, MARGIN, TITLE, room, "ink", "bold")]
    lines.append(_line(board.subtitle, MARGIN, MARGIN + TITLE * LINE, HEAD, room, "faint"))
    for number, drawn_panel in enumerate(chosen):
        left = MARGIN + number % columns * (panel + GAP)
        top = MARGIN + TOP + number // columns * (row + GAP)
        box = Box.between(left, top, left + panel, top + row - BELOW)
        _draw_panel(page, board, drawn_panel, sheet, box, theme)
        lines += _caption(board, drawn_panel, box)
    words = " · ".join(filter(None, [board.ending, legend_title(board)]))
    lines.append(_line(words, MARGIN, height - MARGIN - TEXT * LINE, TEXT, room, "faint"))
    draw_shapes(axes, in_theme(lines, theme))
    return page


def _layout(count: int, columns: int, sheet: tuple[float, float]) -> tuple[float, float]:
    """The width of panels in so many columns on a page, and the height of what is used of it."""
    width, height = sheet
    rows = ceil(count / columns)
    free = height - 2 * MARGIN - TOP - TEXT * LINE - rows * (BELOW + GAP)
    panel = (width - 2 * MARGIN - (columns - 1) * GAP) / columns
    panel = min(panel, free / rows * PANEL.width / PANEL.height)
    return panel, height - free + rows * panel * PANEL.height / PANEL.width


def _draw_panel(
    page: Figure, board: Storyboard, panel: Panel, sheet: Sheet, box: Box, theme: Theme
) -> None:
    """A panel with its frame in a box of the page."""
    wide, high = sheet.width, sheet.height
    place = box.left / wide, 1 - box.bottom / high, box.width / wide, box.height / high
    axes = page.add_axes(place)
    in_pixels(axes, board.sheet)
    prefix = f"panel-{panel.last}-"
    draw_shapes(axes, shapes_after(board, panel.last, theme), box.width / PANEL.width, prefix)
    frame = Rectangle((0, 0), 1, 1, transform=axes.transAxes, fill=False, clip_on=False)
    frame.set(edgecolor=theme.line, linewidth=0.6)
    axes.add_artist(frame)


def _line(
    text: str, left: float, top: float, size: float, room: float, tone: str, face: str = "sans"
) -> TextLine:
    """A line of text below a place, cut where there is no room for all of it."""
    return TextLine(fitted(text, room, size, face), left, top + size, size, tone, face)


def _caption(board: Storyboard, panel: Panel, box: Box) -> Iterator[TextLine]:
    """The number of the step or steps, and what happens in the last of them."""
    head, dash, text = board.captions[panel.last].partition(" — ")
    start = board.say.patterns["captions.start"].partition(" — ")[0]
    head, text = (head, text) if dash else (start, head)  # the start says why anybody needs it
    if panel.first != panel.last:
        key = "alike" if panel.alike else "several"
        span = {"first": panel.first, "last": panel.last, "total": len(board.frames)}
        head = board.say(f"panels.{key}", **span)
    yield _line(head, box.left, box.bottom + 8, HEAD, box.width, "ink", "bold")
    for number, line in enumerate(wrapped(capital(text), box.width, TEXT, MOST_LINES)):
        top = box.bottom + 8 + LINE * (HEAD + number * TEXT)
        yield _line(line, box.left, top, TEXT, box.width, "ink")
