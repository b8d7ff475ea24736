"""A storyboard as a matplotlib figure: one state, for slides and papers; SVG, PDF or PNG."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch, PathPatch, Rectangle
from matplotlib.path import Path
from matplotlib.text import Text

from animations.drawing.fonts import MONO, SANS, drawable
from animations.drawing.render.letters import families, is_known
from animations.drawing.scenery_shapes import ground_boxes, moment_boxes, moment_text, strokes
from animations.drawing.shapes import (
    LENS_RADIUS,
    STALE,
    Box,
    Point,
    TextLine,
    goal_bar,
    outline_width,
)
from animations.drawing.theme import DARK, Theme
from animations.figures.slide import rounded
from animations.pictures.flight import mark_text
from animations.pictures.panels import (
    card_names,
    fixed_boxes,
    fixed_text,
    keyframe_boxes,
    keyframe_text,
)
from animations.score.score import Keyframe
from animations.story.cell_marks import cell_contents, mark_colors, marks
from animations.story.storyboard import Storyboard
from animations.story.wrong import fault_strokes, stuck_at

INCH = 144.0  # pixels of the page, so that the usual one is as wide as a slide
MOST_PATCHES = 20_000  # marks with a shape of their own; of more a row of a matrix is one
POINT = 72 / INCH  # of one pixel of the page
FACES = {
    "sans": FontProperties(family=families(SANS)),
    "bold": FontProperties(family=families(SANS), weight="bold"),
    "mono": FontProperties(family=families(MONO)),
}


def figure(board: Storyboard, step: int, theme: Theme = DARK) -> Figure:
    """The picture after so many steps, 0 for the start, as the films show it.

    Marks have the gid "mark-NODE-SLOT-INK", by which they are found in the SVG, unless they are
    very many. Raises IndexError for a step the storyboard does not have.
    """
    size = (board.sheet.width / INCH, board.sheet.height / INCH)
    page = Figure(figsize=size, facecolor=theme.background)
    page.set_label(board.title)
    draw_state(page.add_axes((0, 0, 1, 1)), board, step, theme)
    return page


def draw_state(
    axes: Axes,
    board: Storyboard,
    step: int,
    theme: Theme,
    scale: float = 1.0,
    prefix: str = "",
) -> None:
    """Draw the picture after so many steps in axes of its shape.

    scale: of type and lines beside those of a page of its own. prefix: of the gids of its parts.
    """
    keyframe = Keyframe(range(len(board.frames) + 1)[step])
    axes.set_axis_off()
    axes.set(xlim=(0, board.sheet.width), ylim=(board.sheet.height, 0))
    for artist in _artists(board, keyframe, theme):
        if isinstance(artist, Text):
            artist.set_fontsize(scale * float(artist.get_fontsize()))
        elif isinstance(artist, Patch):
            artist.set_linewidth(scale * artist.get_linewidth())
        if isinstance(artist, FancyArrowPatch):
            artist.set_mutation_scale(scale * artist.get_mutation_scale())
        if artist.get_gid():
            artist.set_gid(f"{prefix}{artist.get_gid()}")
        axes.add_artist(artist)  # a patch would widen the axes, which are fixed


def _artists(board: Storyboard, keyframe: Keyframe, theme: Theme) -> Iterator[Artist]:
    """All that is drawn, in order."""
    yield from _ground(board, theme)
    yield from _lines(board, keyframe, theme)
    for part in (_marks, _stale, _written, _faults, _lens):
        yield from part(board, keyframe, theme)
    moment = (board.scenery, keyframe.step, not keyframe.landed, theme)
    boxes = [*fixed_boxes(board, theme), *keyframe_boxes(board, keyframe, theme)]
    for box in [*boxes, *moment_boxes(*moment)]:
        yield _rounded(box.box, box.radius, box.color, "none")
    fixed, numbers = fixed_text(board, theme), _numbers(board, keyframe, theme)
    names, words = card_names(board, theme), moment_text(*moment)
    for line in [*fixed, *keyframe_text(board, keyframe, theme), *numbers, *names, *words]:
        yield _text(line)


def _ground(board: Storyboard, theme: Theme) -> list[Patch]:
    """Grounds, cards and the wells of their cells, or the rows of the matrix."""
    scenery = board.scenery
    found: list[Patch] = [
        _rounded(box.box, box.radius, box.color, "none") for box in ground_boxes(scenery, theme)
    ]
    for card in scenery.cards:
        left, top = card.box.left, card.box.top
        if scenery.table:
            groups = [Box(left + b.x, top + b.y, b.width, b.height) for b in card.shape.groups]
            found += [_rectangle(box, theme.levels[0]) for box in groups]
            continue
        edge = theme.tone(card.tone)
        found += [_rounded(box, card.shape.radius, theme.panel, edge) for box in card.boxes]
        found += [_rectangle(card.cell(well), theme.well) for well in range(len(card.shape.cells))]
    for node, well in board.goals:
        found.append(_rectangle(goal_bar(scenery.cards[node].cell(well)), theme.complete))
        found[-1].set_gid(f"goal-{node}-{well}")
    return found


def _lines(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """The lines of the stage as they are after a step."""
    found: list[Patch] = []
    moving = () if stuck_at(board, keyframe.done) else None  # in a deadlock nothing is lit
    for line in strokes(board.scenery, keyframe.step, not keyframe.landed, theme, moving):
        found.append(
            FancyArrowPatch(
                path=_path(line.points),
                arrowstyle="-|>" if line.arrow else "-",
                mutation_scale=5 * line.width * POINT,
                color=line.color,
                linewidth=line.width * POINT,
            )
        )
    return found


def _path(points: tuple[Point, ...]) -> Path:
    """A Bézier curve of two to four points."""
    code = {2: Path.LINETO, 3: Path.CURVE3, 4: Path.CURVE4}[len(points)]
    return Path(points, [Path.MOVETO, *[code] * (len(points) - 1)])


def _marks(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """The marks in the cells."""
    colors, contents = mark_colors(board, theme), cell_contents(board, keyframe.done)
    if len(contents) > MOST_PATCHES:
        rows: dict[tuple[int, int], list[Box]] = {}
        for (node, _), mark in contents:
            rows.setdefault((node, mark.ink), []).append(mark.box)
        return [_row(boxes, colors[ink]) for (_, ink), boxes in rows.items()]
    found: list[Patch] = []
    for (node, slot), mark in contents:
        found.append(_rectangle(mark.box, colors[mark.ink]))
        found[-1].set_gid(f"mark-{node}-{slot}-{mark.ink}")
    return found


def _row(boxes: list[Box], color: str) -> Patch:
    """Many cells of a matrix, as one shape."""
    edges = np.array([(b.left, b.top, b.right, b.bottom) for b in boxes])
    corners = edges[:, [0, 1, 2, 1, 2, 3, 0, 3, 0, 1]]
    codes = [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY] * len(boxes)
    shape = Path(corners.reshape(-1, 2), codes)
    return PathPatch(shape, facecolor=color, linewidth=0)


def _stale(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """Veils over the cells that matter no more."""
    found: list[Patch] = []
    for node, well in sorted(board.stale(keyframe.done)):
        found.append(_rectangle(board.scenery.cards[node].cell(well), theme.well))
        found[-1].set(alpha=STALE, gid=f"stale-{node}-{well}")
    return found


def _written(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """Outlines of the cells that the step has written."""
    scenery = board.scenery
    moves = board.frames[keyframe.step - 1].moves if keyframe.step else ()
    color = theme.changed if scenery.table else theme.now
    found: list[Patch] = []
    cells = sorted({(move.dst, scenery.fold.well[move.into]) for move in moves})
    if len(cells) > MOST_PATCHES:
        return []  # no outline could be seen
    for node, well in cells:
        cell = scenery.cards[node].cell(well)
        found.append(_rectangle(cell, "none"))
        thin = outline_width(cell) * POINT
        found[-1].set(edgecolor=color, linewidth=thin, gid=f"written-{node}-{well}")
    return found


def _faults(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """What is wrong, outlined in dashes, and what is missing, crossed."""
    found: list[Patch] = []
    halo, lines = fault_strokes(board, keyframe.done)
    for color, strokes_ in ((theme.background, halo), (theme.wrong, lines)):
        for line, width in strokes_:
            found.append(PathPatch(_path(line), edgecolor=color, linewidth=width * POINT))
    for number, patch in enumerate(found[len(halo) :]):
        patch.set_gid(f"wrong-{number}")
    return found


def _numbers(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[TextLine]:
    """The text on the marks: numbers of ranks, and labels."""
    texts = (mark_text(mark) for _, mark in cell_contents(board, keyframe.done))
    return [TextLine(*text, theme.now_ink, align="center") for text in texts if text[0]]


def _lens(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Patch]:
    """The chunk in the caption, enlarged in the middle of a ring."""
    lens = board.scenery.lens
    if lens is None or not keyframe.step or stuck_at(board, keyframe.done):
        return []
    colors = mark_colors(board, theme)
    cell = board.enlarged(keyframe.step, keyframe.landed)
    found = marks(board, cell, lens) if cell else []
    frame = _rounded(lens, LENS_RADIUS, theme.well, theme.now)
    return [frame, *(_rectangle(mark.box, colors[mark.ink]) for mark in found)]


def _rectangle(box: Box, color: str) -> Rectangle:
    return Rectangle((box.left, box.top), box.width, box.height, facecolor=color, linewidth=0)


def _rounded(box: Box, radius: float, color: str, edge: str) -> FancyBboxPatch:
    """A rectangle with round corners, no rounder than half of its shorter side."""
    radius = min(radius, box.width / 2, box.height / 2)
    width = 0 if edge == "none" else 2 * POINT
    return rounded(box, radius, facecolor=color, edgecolor=edge, linewidth=width)


def _text(line: TextLine) -> Text:
    return Text(
        line.x,
        line.baseline,
        drawable(line.text, is_known),
        color=line.color,
        fontproperties=FACES[line.face],
        fontsize=line.size * POINT,
        horizontalalignment=line.align,
        verticalalignment="baseline",
        parse_math=False,
    )
