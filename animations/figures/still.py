"""A storyboard as a matplotlib figure: one moment, for slides and papers; SVG, PDF or PNG."""

from __future__ import annotations

from typing import Literal

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, Patch, Polygon, Rectangle
from matplotlib.text import Text

from animations.film import panels
from animations.film.flight import mark_words
from animations.film.panels import fixed_fills, fixed_words, moment_fills, moment_words
from animations.film.sheet import Fill, Moment, Words
from animations.story import cell_marks
from animations.story.box import PAGE, Box
from animations.story.storyboard import Storyboard
from animations.story.theme import DARK, Theme

INCHES = 13.333  # width of the page, as of a slide
MOST_LINKS = 120  # lines between cards; more would be a blur
POINT = 72 * INCHES / PAGE[0]  # of one pixel of the page
FACES = {
    "sans": FontProperties(family="DejaVu Sans"),
    "bold": FontProperties(family="DejaVu Sans", weight="bold"),
    "mono": FontProperties(family="DejaVu Sans Mono"),
}
ALIGN: dict[str, Literal["left", "center", "right"]] = {
    "left": "left",
    "center": "center",
    "right": "right",
}


def figure(board: Storyboard, step: int, theme: Theme = DARK) -> Figure:
    """The picture after so many steps, 0 for the start, as the films show it.

    Marks have the gid "mark-NODE-SLOT-INK", by which they are found in the SVG. Raises
    IndexError for a step the storyboard does not have.
    """
    moment = Moment(range(len(board.frames) + 1)[step])
    page = Figure(figsize=(INCHES, INCHES * PAGE[1] / PAGE[0]), facecolor=theme.background)
    axes = page.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, PAGE[0])
    axes.set_ylim(PAGE[1], 0)
    for patch in [
        *_ground(board, theme),
        *_marks(board, moment, theme),
        *_lens(board, moment, theme),
    ]:
        axes.add_patch(patch)
    for fill in [*fixed_fills(board, theme), *moment_fills(board, moment, theme)]:
        axes.add_patch(_fill(fill))
    for words in [
        *fixed_words(board, theme),
        *moment_words(board, moment, theme),
        *_numbers(board, moment, theme),
    ]:
        axes.add_artist(_text(words))
    return page


def _ground(board: Storyboard, theme: Theme) -> list[Patch]:
    """Cards and the wells of their cells, or the rows of the matrix."""
    layout = board.layout
    if board.view == "matrix":
        beds = (bed for node in range(board.nodes) for bed in layout.beds(node))
        return [_rectangle(bed, theme.levels[0]) for bed in beds]
    found: list[Patch] = []
    links = {(min(link), max(link)) for link in board.links}
    for a, b in sorted(links) if len(links) <= MOST_LINKS else []:
        ends = [(layout.cards[node].x, layout.cards[node].y) for node in (a, b)]
        found.append(Polygon(ends, closed=False, edgecolor=theme.link, linewidth=6 * POINT))
    for node, card in enumerate(layout.cards):
        radius, color = panels.card_radius(board, node), panels.card_color(board, node, theme)
        found.append(_rounded(card, radius, theme.panel, color))
        for slot in range(board.slots):
            found.append(_rectangle(layout.cell(node, slot), theme.well))
    return found


def _marks(board: Storyboard, moment: Moment, theme: Theme) -> list[Patch]:
    """What is in the cells."""
    colors = cell_marks.inks(board, theme)
    found: list[Patch] = []
    for (node, slot), cell in board.cells(moment.done).items():
        for mark in cell_marks.marks(board, cell, board.layout.cell(node, slot)):
            patch = _rectangle(mark.box, colors[mark.ink])
            patch.set_gid(f"mark-{node}-{slot}-{mark.ink}")
            found.append(patch)
    return found


def _numbers(board: Storyboard, moment: Moment, theme: Theme) -> list[Words]:
    """What is written on the marks: numbers of ranks, and labels."""
    found = []
    for (node, slot), cell in board.cells(moment.done).items():
        for mark in cell_marks.marks(board, cell, board.layout.cell(node, slot)):
            words = mark_words(mark)
            if words[0]:
                found.append(Words(*words, theme.now_ink, align="center"))
    return found


def _lens(board: Storyboard, moment: Moment, theme: Theme) -> list[Patch]:
    """The chunk the caption speaks of, enlarged in the middle of a ring."""
    lens = board.layout.lens
    if lens is None or not moment.step:
        return []
    colors = cell_marks.inks(board, theme)
    held = cell_marks.marks(board, board.frames[moment.step - 1].moves[0].cell, lens)
    frame = _rounded(lens, 8, theme.well, theme.now)
    return [frame, *(_rectangle(mark.box, colors[mark.ink]) for mark in held)]


def _fill(fill: Fill) -> Patch:
    return _rounded(fill.box, fill.radius, fill.color, "none")


def _rectangle(box: Box, color: str) -> Rectangle:
    return Rectangle((box.left, box.top), box.width, box.height, facecolor=color, linewidth=0)


def _rounded(box: Box, radius: float, color: str, edge: str) -> FancyBboxPatch:
    """A rectangle with round corners, no rounder than half of its shorter side."""
    r = min(radius, box.width / 2, box.height / 2)
    return FancyBboxPatch(
        (box.left, box.top),
        box.width,
        box.height,
        boxstyle=f"round,pad=0,rounding_size={r:.2f}",
        facecolor=color,
        edgecolor=edge,
        linewidth=0 if edge == "none" else 2 * POINT,
    )


def _text(words: Words) -> Text:
    text = Text(
        words.x,
        words.baseline,
        words.text,
        color=words.color,
        fontproperties=FACES[words.face],
        fontsize=words.size * POINT,
        horizontalalignment=ALIGN[words.align],
        verticalalignment="baseline",
    )
    text.set_parse_math(False)
    return text
