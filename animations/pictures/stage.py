"""The stage in Manim: scenery, cards, cells and what is on its way, redrawn from numpy arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from manim import VMobject

from animations.drawing import scenery_shapes, shapes
from animations.drawing.curves import Points, joined, rectangles, rounded
from animations.drawing.glyphs import text_width
from animations.drawing.render.color_layers import (
    Layer,
    box_points,
    draw,
    each_of,
    fixed,
    ink,
    layer,
    put,
)
from animations.drawing.scenery import Scenery
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from animations.drawing.theme import DARK, Theme
from animations.pictures import panels
from animations.pictures.cell_layer import CellLayer
from animations.pictures.flight import Flight, mark_points
from animations.pictures.foot import headline_text
from animations.pictures.tag import Tag, tag_of
from animations.score.score import Keyframe
from animations.story.cell_marks import CellMark, mark_colors, marks
from animations.story.moves import Move, NodeSlot
from animations.story.storyboard import Storyboard
from animations.story.trips import flies
from animations.story.wrong import fault_strokes, stuck_at

MOST_RANKS = 16  # whose numbers the enlarged chunk bears


class Stage:
    """All mobjects of a picture, in drawing order; `show` and `travel` put new points in them.

    still: never change: the ground with the cards, then what is fixed on it. settled: change
    between steps. moving: change in every frame. front: names on their plates, chips at the
    ends of ways, and the name of the data that is followed, which nothing covers.
    stripes[i] holds the marks of ink i in all cells, flying[i] those on their way.
    """

    def __init__(self, board: Storyboard, theme: Theme = DARK) -> None:
        self.board, self.theme, self.sheet = board, theme, board.sheet
        self._colors = mark_colors(board, theme)
        self._above, self._below = _layered(board.scenery)
        self._lines = layer(_line_colors(board, theme))
        self.ground, self.fixed = self._ground(), self._fixed()
        self.still = [*self.ground, *self.fixed]
        self.stripes = list(map(ink, self._colors))
        self.numbers = ink(theme.now_ink)
        bars = _box_colors(board, theme)
        self._boxes, self._filled = layer(bars), layer(bars)
        chips = [*bars, theme.faint, theme.now_ink] if self._above.chips else []
        self._chips, self._lit, self._numbers = layer(chips), layer(chips), layer(chips)
        self._faults = layer([theme.background, theme.wrong])
        self._text = layer(_text_colors(board, theme))
        thin = shapes.outline_width(board.scenery.cards[0].cell(0))
        self.stale = ink(theme.well, shapes.STALE)
        self.sources = ink(theme.well, 0, theme.now, 0.7 * thin)
        self.targets = ink(theme.well, 0, theme.changed if board.scenery.table else theme.now, thin)
        self.lens = ink(theme.well, 1, theme.now, 4.0)
        self._lens_stripes, self._lens_numbers = layer(self._colors), ink(theme.now_ink)
        below = self._lines, self._boxes, self._filled, self._text
        cells = *self.stripes, self.numbers, self.stale, self.sources, self.targets, self.lens
        enlarged = *self._faults.values(), *self._lens_stripes.values(), self._lens_numbers
        self.settled = [*each_of(below), *cells, *enlarged]
        self.others, self.hero = ink(theme.well, 0.92), ink(theme.well, 0.92)
        edges = ink(theme.well, 0, theme.now_faint, 2.2), ink(theme.well, 0, theme.now, 4.0)
        self.flying = [ink(color) for color in self._colors]
        ends = [ink(theme.now_ink), ink(theme.now), ink(theme.now_ink)]  # numbers, badges, signs
        self._tag = ink(theme.panel, 0.92, theme.now, 1.2), ink(theme.now)
        self.moving = [self.others, self.hero, *edges, *self.flying, *ends]
        self.front = [*self._front(), *self._tag]
        self._flight: Flight | None = None
        self._name: Tag | None = None
        self._cells = CellLayer(board, len(self._colors))

    @property
    def mobjects(self) -> list[VMobject]:
        """Everything, in drawing order."""
        return [*self.still, *self.settled, *self.moving, *self.front]

    def show(self, keyframe: Keyframe) -> None:
        """Draw a keyframe: cells after its done steps, text, and data at its start."""
        board, theme = self.board, self.theme
        step, under_way = keyframe.step, not keyframe.landed
        moving = () if stuck_at(board, keyframe.done) else None  # in a deadlock nothing is lit
        draw(self._lines, scenery_shapes.strokes(board.scenery, step, under_way, theme, moving))
        boxes = panels.keyframe_boxes(board, keyframe, theme)
        text = panels.keyframe_text(board, keyframe, theme, headline_text)
        self._show_text((step, under_way, theme), boxes, text)
        self._show_cells(self._cells.show(keyframe.done))
        self._show_faults(keyframe.done)
        self._show_lens(keyframe)
        moves = board.frames[step - 1].moves if step else ()
        read = [move for move in moves if under_way and not move.is_local]
        self._show_outlines(board.stale(keyframe.done), read, moves)
        self._flight = None
        if self.travels(keyframe):
            self._flight = Flight(board, board.frames[step - 1], len(self.flying))
        named = keyframe.named and self._flight is not None and board.scenery.lens is None
        self._name = None
        if self._flight and named:
            self._name = tag_of(board, step, self._flight, explained=step == 1)
        self.travel(0.0)

    def _show_text(
        self,
        moment: tuple[Any, ...],
        boxes: list[ColoredBox],
        text: list[TextLine],
        pairs: Sequence[ColoredBox] = (),
    ) -> None:
        """Draw boxes, text, those of the scenery at a moment, and pairs of a box in another."""
        below = [*scenery_shapes.moment_boxes(self._below, *moment), *pairs]
        draw(self._boxes, [*boxes, *below[::2]])
        draw(self._filled, below[1::2])
        draw(self._text, [*text, *scenery_shapes.moment_text(self._below, *moment)])
        above = list(scenery_shapes.moment_boxes(self._above, *moment))
        draw(self._chips, above[::2])
        draw(self._lit, above[1::2])
        draw(self._numbers, scenery_shapes.moment_text(self._above, *moment))

    def _show_cells(self, changed: dict[int, Points]) -> None:
        """Draw the marks of the inks that changed, and the numbers on all."""
        for number, points in changed.items():
            put(self.stripes[number], points)
        if changed:
            put(self.numbers, self._cells.numbers)

    def _show_faults(self, done: int) -> None:
        """Outline what is wrong after so many steps."""
        colors = self.theme.background, self.theme.wrong
        both = zip(colors, fault_strokes(self.board, done), strict=True)
        found = [Stroke(line, color, width) for color, lines in both for line, width in lines]
        draw(self._faults, found)

    def _show_outlines(
        self, stale: Iterable[NodeSlot], read: Iterable[Move], written: Iterable[Move]
    ) -> None:
        """Veils over what matters no more; outlines of cells that are read and written."""
        scenery = self.board.scenery
        put(self.stale, rectangles([scenery.cards[n].cell(well) for n, well in sorted(stale)]))
        sources = dict.fromkeys(scenery.cell(move.src, move.chunk) for move in read)
        put(self.sources, rectangles(list(sources)))
        targets = dict.fromkeys(scenery.cell(move.dst, move.into) for move in written)
        put(self.targets, rectangles(list(targets)))

    def travels(self, keyframe: Keyframe) -> bool:
        """Whether the data of a step is drawn on its way, not only where it lands."""
        frames = self.board.frames
        return not keyframe.landed and flies(self.board.scenery, frames[keyframe.step - 1])

    def travel(self, time: float) -> None:
        """Put the data of the step under way where it is at `time`, from 0 to 1."""
        flight, none = self._flight, joined([])
        parts = [none] * len(self.moving) if flight is None else flight.at(time)
        hero = flight.boxes(time)[flight.hero] if flight and self._name else None
        parts += self._name.at(hero) if self._name and hero else [none] * len(self._tag)
        for mobject, points in zip((*self.moving, *self._tag), parts, strict=True):
            put(mobject, points)

    def _show_lens(self, keyframe: Keyframe) -> None:
        """Enlarge the chunk in the caption, as it is on its way, then as it is where it landed."""
        board, lens = self.board, self.board.scenery.lens
        if lens is None:
            return
        halted = stuck_at(board, keyframe.done)
        hero = None if halted else board.enlarged(keyframe.step, keyframe.landed)
        found = marks(board, hero, lens, MOST_RANKS) if hero else []
        put(self.lens, rounded([lens] if hero else [], shapes.LENS_RADIUS))
        self._draw_marks(self._lens_stripes, found)
        put(self._lens_numbers, joined([mark_points(mark) for mark in found]))

    def _draw_marks(self, shown: Layer, found: list[CellMark]) -> None:
        boxes = [ColoredBox(mark.box, self._colors[mark.ink]) for mark in found]
        draw(shown, boxes, lambda group: rectangles([shape.box for shape in group]))

    def _ground(self) -> list[VMobject]:
        """What is behind all: grounds, then cards."""
        grounds = list(scenery_shapes.ground_boxes(self.board.scenery, self.theme))
        behind = [
            ink(color, points=box_points(list(boxes)))
            for color, boxes in groupby(grounds, lambda box: box.color)
        ]
        return behind if self.board.scenery.table else [*behind, *self._cards()]

    def _fixed(self) -> list[VMobject]:
        """The wells of the cells, boxes and text."""
        board, theme = self.board, self.theme
        boxes, lines = panels.fixed_boxes(board, theme), panels.fixed_text(board, theme)
        wells = self._groups(theme.levels[0]) if board.scenery.table else self._wells()
        return [*wells, *fixed(boxes, lines)]

    def _front(self) -> list[VMobject]:
        """The names of the cards, each on a plate that hides what passes below; chips."""
        names = panels.card_names(self.board, self.theme)
        plates = ink(self.theme.panel, points=rectangles(list(map(_plate, names))))
        return [plates, *fixed(names), *each_of([self._chips, self._lit, self._numbers])]

    def _groups(self, color: str) -> list[VMobject]:
        """One box for each group of cells."""
        boxes = [box for node in range(self.board.nodes) for box in self._group_boxes(node)]
        return [ink(color, points=rectangles(boxes))]

    def _group_boxes(self, node: int) -> list[Box]:
        card = self.board.scenery.cards[node]
        left, top = card.box.left, card.box.top
        return [Box(left + b.x, top + b.y, b.width, b.height) for b in card.shape.groups]

    def _cards(self) -> list[VMobject]:
        theme, found = self.theme, []
        for card in self.board.scenery.cards:
            points = rounded(card.boxes, card.shape.radius)
            found.append(ink(theme.panel, 1, theme.tone(card.tone), 2.4, points))
        return found

    def _wells(self) -> list[VMobject]:
        """The wells of the cells, and marks of those of which something is promised."""
        theme, cards = self.theme, self.board.scenery.cards
        cells = [card.cell(well) for card in cards for well in range(len(card.shape.cells))]
        if cells[0].width < 5:
            return self._groups(theme.well)
        thin = 1.5 if cells[0].width > 14 else 0.8
        edge = theme.line if self.board.view == "bars" else theme.edge  # their bars are thin
        wells = ink(theme.well, 1, edge, thin, rounded(cells, shapes.CELL_RADIUS))
        goals = [shapes.goal_bar(cards[node].cell(well)) for node, well in self.board.goals]
        return [wells, ink(theme.complete, points=rectangles(goals))]


def _layered(scenery: Scenery) -> tuple[Scenery, Scenery]:
    """What of a scenery's chips is in front of all, and the rest."""
    above = tuple(chip for chip in scenery.chips if chip.above)
    below = tuple(chip for chip in scenery.chips if not chip.above)
    front = replace(scenery, chips=above, words=(), gauges=())
    return front, replace(scenery, chips=below) if above else scenery


def _line_colors(board: Storyboard, theme: Theme) -> list[str]:
    """Of lines, the lit ones last."""
    tones = {theme.tone(line.tone) for line in board.scenery.lines}
    return list(dict.fromkeys((theme.link, theme.edge, *sorted(tones), theme.now)))


def _box_colors(board: Storyboard, theme: Theme) -> list[str]:
    """Of chips, gauges and the timeline."""
    scenery = board.scenery
    bars = [theme.now, theme.edge, theme.now_band, theme.ranks[0], *theme.phases]
    bars += [theme.line, theme.well, *(theme.tone(chip.tone) for chip in scenery.chips)]
    return [*bars, theme.panel, theme.wrong, *(theme.tone(each.tone) for each in scenery.gauges)]


def _text_colors(board: Storyboard, theme: Theme) -> list[str]:
    """Of all text that changes."""
    colors = [theme.ink, theme.faint, theme.now, theme.local, theme.complete, theme.now_ink]
    colors += [theme.wrong] if board.wrong and board.wrong.stuck else []
    return [*colors, *(theme.tone(word.tone) for word in board.scenery.words)]


def _plate(name: TextLine) -> Box:
    """The place of a name on its card."""
    wide = text_width(name.text, name.size, name.face)
    x = name.x + {"left": 0.5, "center": 0.0, "right": -0.5}[name.align] * wide
    return Box(x, name.baseline - 0.34 * name.size, wide + 6, 0.94 * name.size)
