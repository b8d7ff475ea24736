"""The stage in Manim: a storyboard's cards, cells and stripes, redrawn from numpy arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import numpy as np
from manim import VMobject

from animations.film import panels
from animations.film.cell_layer import CellLayer
from animations.film.flight import Flight, mark_points
from animations.film.glyphs import text_points
from animations.film.shapes import UNIT, Points, band, joined, on_page, rectangles, rounded
from animations.film.shots import Keyframe
from animations.film.title_cards import card_text
from animations.story import drawing
from animations.story.cell_marks import Mark, mark_colors, marks
from animations.story.drawing import PAGE, Box, ColoredBox, TextLine
from animations.story.storyboard import Storyboard
from animations.story.theme import DARK, Theme

MOST_RANKS = 16  # whose numbers the enlarged chunk bears
Layer = dict[str, VMobject]  # a mobject for each color
T = TypeVar("T", ColoredBox, TextLine)


class Stage:
    """All mobjects of a picture, in drawing order; `show` and `travel` put new points in them.

    still: never change. settled: change between steps. moving: change in every frame.
    stripes[r] holds the stripes of rank r in all cells, flying[r] those on their way.
    """

    def __init__(self, board: Storyboard, theme: Theme = DARK) -> None:
        self.board, self.theme = board, theme
        self._colors = mark_colors(board, theme)
        self.still = self._still()
        self.stripes = list(map(_ink, self._colors))
        self.numbers = _ink(theme.now_ink)
        bars = (theme.now, theme.edge, theme.now_band, theme.ranks[0], *theme.phases)
        self._boxes = _layer(bars)
        self._text = _layer((theme.ink, theme.faint, theme.now, theme.local, theme.complete))
        self.targets = _ink(theme.changed, 0, theme.changed, 1.2)
        self.lens = _ink(theme.well, 1, theme.now, 4.0)
        self._lens_stripes, self._lens_numbers = _layer(self._colors), _ink(theme.now_ink)
        self.settled = [
            *self._boxes.values(),
            *self._text.values(),
            *self.stripes,
            self.numbers,
            self.targets,
            self.lens,
            *self._lens_stripes.values(),
            self._lens_numbers,
        ]
        self.others = _ink(theme.well, 0.9, theme.now_faint, 2.2)
        self.hero = _ink(theme.well, 0.9, theme.now, 4.0)
        self.flying = [_ink(color) for color in self._colors]
        self.signs = _ink(theme.now_ink)
        self.cover = _ink(theme.background)
        self._cover_text = _layer((theme.ink, theme.faint, theme.now))
        front = [_ink(theme.now_ink), _ink(theme.now), self.signs]  # numbers, badges
        self.moving = [self.others, self.hero, *self.flying, *front]
        self.card = [self.cover, *self._cover_text.values()]
        self._flight: Flight | None = None
        self._cells = CellLayer(board, len(self._colors))

    @property
    def mobjects(self) -> list[VMobject]:
        """Everything, in drawing order."""
        return [*self.still, *self.settled, *self.moving, *self.card]

    def show_card(self, kind: str) -> None:
        """Cover everything with the card of this kind, or with nothing if it is empty."""
        page = Box(PAGE[0] / 2, PAGE[1] / 2, *PAGE)
        _put(self.cover, rectangles([page] if kind else []))
        lines = card_text(self.board, kind, self.theme) if kind else []
        _draw(self._cover_text, lines, _text_points)

    def show(self, keyframe: Keyframe) -> None:
        """Draw a keyframe: cells after its done steps, text, and chunks at their start."""
        board, theme = self.board, self.theme
        _draw(self._boxes, panels.keyframe_boxes(board, keyframe, theme), _box_points)
        _draw(self._text, panels.keyframe_text(board, keyframe, theme), _text_points)
        changed = self._cells.show(keyframe.done)
        for ink, points in changed.items():
            _put(self.stripes[ink], points)
        if changed:
            _put(self.numbers, self._cells.numbers)
        self._show_lens(keyframe)
        under_way = () if keyframe.landed else board.frames[keyframe.step - 1].moves
        followed = bool(under_way) and self.draws_moves(keyframe.step)
        targets = () if followed else under_way  # outlined, where chunks are too many
        _put(self.targets, rectangles([board.layout.cell(m.dst, m.into) for m in targets]))
        self._flight = None
        if followed:
            self._flight = Flight(board, board.frames[keyframe.step - 1], len(self.flying))
        self.travel(0.0)

    def draws_moves(self, step: int) -> bool:
        """Whether the chunks of a step are drawn on their way, not only where they land."""
        moves = self.board.frames[step - 1].moves
        return self.board.view != "matrix" and len(moves) <= drawing.MOST_MOVES

    def travel(self, time: float) -> None:
        """Put the chunks of the step under way where they are at `time`, from 0 to 1."""
        if self._flight is None:
            for mobject in self.moving:
                _put(mobject, joined([]))
            return
        center = self._flight.centers(time)
        for mobject, parts in zip(self.moving, self._flight.parts, strict=True):
            _put(mobject, parts.at(center))

    def _show_lens(self, keyframe: Keyframe) -> None:
        """Enlarge the chunk in the caption, as it is on its way."""
        board, lens = self.board, self.board.layout.lens
        if lens is None:
            return
        hero = board.frames[keyframe.step - 1].example if keyframe.step else None
        found = marks(board, hero.cell, lens, MOST_RANKS) if hero else []
        _put(self.lens, rounded([lens] if hero else [], drawing.LENS_RADIUS))
        self._draw_marks(self._lens_stripes, found)
        _put(self._lens_numbers, joined([mark_points(mark) for mark in found]))

    def _draw_marks(self, layer: Layer, found: list[Mark]) -> None:
        boxes = [ColoredBox(mark.box, self._colors[mark.ink]) for mark in found]
        _draw(layer, boxes, lambda shapes: rectangles([shape.box for shape in shapes]))

    def _still(self) -> list[VMobject]:
        board, theme = self.board, self.theme
        boxes, lines = panels.fixed_boxes(board, theme), panels.fixed_text(board, theme)
        box_layer = _layer(box.color for box in boxes)
        text_layer = _layer(line.color for line in lines)
        _draw(box_layer, boxes, _box_points)
        _draw(text_layer, lines, _text_points)
        scenery = self._groups(theme.levels[0]) if board.view == "matrix" else self._cards()
        return [*scenery, *box_layer.values(), *text_layer.values()]

    def _groups(self, color: str) -> list[VMobject]:
        """One box for each group of cells."""
        layout = self.board.layout
        boxes = [box for node in range(self.board.nodes) for box in layout.group_boxes(node)]
        return [_ink(color, points=rectangles(boxes))]

    def _cards(self) -> list[VMobject]:
        """Links, cards and the wells of their cells."""
        board, theme, layout = self.board, self.theme, self.board.layout
        width = 8.0 if len(board.links) <= 24 else 2.0
        ends = [(layout.cards[i], layout.cards[j]) for i, j in board.links]
        lines = [band(a.x, a.y, b.x, b.y, width) for a, b in ends]
        found = [_ink(theme.link, points=joined(lines if len(lines) <= drawing.MOST_LINKS else []))]
        for node, card in enumerate(layout.cards):
            color = panels.card_color(board, node, theme)
            found.append(_ink(theme.panel, 1, color, 2.4, rounded([card], layout.radius(node))))
        cells = [layout.cell(*at) for at in np.ndindex(board.nodes, board.slots)]
        if cells[0].width < 5:
            return found + self._groups(theme.well)
        thin = 1.5 if cells[0].width > 14 else 0.8
        return [*found, _ink(theme.well, 1, theme.edge, thin, rounded(cells, drawing.CELL_RADIUS))]


def _ink(
    color: str,
    opacity: float = 1.0,
    stroke: str | None = None,
    stroke_pixels: float = 0.0,
    points: Points | None = None,
) -> VMobject:
    mobject = VMobject(
        fill_color=color,
        fill_opacity=opacity,
        stroke_color=stroke or color,
        stroke_width=stroke_pixels * 100 / UNIT,
    )
    if points is not None:
        _put(mobject, points)
    return mobject


def _put(mobject: VMobject, points: Points) -> None:
    mobject.points = on_page(points)


def _layer(colors: Iterable[str]) -> Layer:
    """A mobject for each color."""
    return {color: _ink(color) for color in colors}


def _draw(layer: Layer, shapes: list[T], points: Callable[[list[T]], Points]) -> None:
    """Redraw a layer: all shapes of each color."""
    groups: dict[str, list[T]] = {color: [] for color in layer}
    for shape in shapes:
        groups[shape.color].append(shape)
    for color, mobject in layer.items():
        _put(mobject, points(groups[color]))


def _box_points(boxes: list[ColoredBox]) -> Points:
    return rounded([box.box for box in boxes], [box.radius or 0.5 for box in boxes])


def _text_points(lines: list[TextLine]) -> Points:
    return joined([text_points(t.text, t.x, t.baseline, t.size, t.face, t.align) for t in lines])
