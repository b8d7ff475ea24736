"""The stage in Manim: a storyboard's cards, cells and stripes, redrawn from numpy arrays."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from manim import Animation, VMobject, linear

from animations.film import panels, title_cards
from animations.film.flight import Flight, mark_points
from animations.film.glyphs import Points, text_points
from animations.film.shapes import UNIT, band, joined, on_page, rectangles, rounded
from animations.film.sheet import Fill, Moment, Words
from animations.story import cell_marks
from animations.story.box import PAGE, Box
from animations.story.cells import Cell, Place
from animations.story.storyboard import Storyboard
from animations.story.theme import DARK, Theme

MOST_RANKS = 16  # whose numbers the enlarged chunk bears
MOST_LINKS = 200  # lines between cards; more would be a blur
MOST_FLYING = 300  # chunks of a step that are drawn on their way; more only where they land


class Stage:
    """All mobjects of a picture, in drawing order; `show` and `travel` put new points in them.

    still: never change. settled: change between steps. moving: change in every frame.
    stripes[r] holds the stripes of rank r in all cells, flying[r] those on their way.
    """

    def __init__(self, board: Storyboard, theme: Theme = DARK) -> None:
        self.board, self.theme = board, theme
        colors = cell_marks.inks(board, theme)
        self.still = self._still()
        self.stripes = [_ink(color) for color in colors]
        self.numbers = _ink(theme.now_ink)
        self._fills: dict[str, VMobject] = {}
        self._words: dict[str, VMobject] = {}
        moments = [Moment(0), *(Moment(k) for k in range(1, len(board.frames) + 1))]
        for color in dict.fromkeys(
            fill.color for m in moments for fill in panels.moment_fills(board, m, theme)
        ):
            self._fills[color] = _ink(color)
        self._fills.setdefault(theme.now, _ink(theme.now))
        for color in (theme.ink, theme.faint, theme.now, theme.local, theme.complete):
            self._words[color] = _ink(color)
        self.targets = _ink(theme.changed, 0, theme.changed, 1.2)
        self.lens = _ink(theme.well, 1, theme.now, 4.0)
        self.lens_stripes = [_ink(color) for color in colors]
        self.lens_numbers = _ink(theme.now_ink)
        self.settled = [
            *self._fills.values(),
            *self._words.values(),
            *self.stripes,
            self.numbers,
            self.targets,
            self.lens,
            *self.lens_stripes,
            self.lens_numbers,
        ]
        self.others = _ink(theme.well, 0.9, theme.now_faint, 2.2)
        self.hero = _ink(theme.well, 0.9, theme.now, 4.0)
        self.flying = [_ink(color) for color in colors]
        self.flying_numbers = _ink(theme.now_ink)
        self.badges, self.signs = _ink(theme.now), _ink(theme.now_ink)
        self.cover = _ink(theme.background)
        self.cover_words = [_ink(color) for color in (theme.ink, theme.faint, theme.now)]
        self.moving = [
            self.others,
            self.hero,
            *self.flying,
            self.flying_numbers,
            self.badges,
            self.signs,
        ]
        self._flight: Flight | None = None

    @property
    def mobjects(self) -> list[VMobject]:
        """Everything, in drawing order."""
        return [*self.still, *self.settled, *self.moving, self.cover, *self.cover_words]

    def show_card(self, kind: str) -> None:
        """Cover everything with the card of this kind, or with nothing if it is empty."""
        page = Box(PAGE[0] / 2, PAGE[1] / 2, *PAGE)
        _put(self.cover, rectangles([page] if kind else []))
        words = title_cards.card_words(self.board, kind, self.theme) if kind else []
        colors = (self.theme.ink, self.theme.faint, self.theme.now)
        for mobject, color in zip(self.cover_words, colors, strict=True):
            _put(mobject, _word_points(word for word in words if word.color == color))

    def show(self, moment: Moment) -> None:
        """Draw a moment: cells after its done steps, words, and chunks at their start."""
        self._show_cells(self.board.cells(moment.done))
        fills = panels.moment_fills(self.board, moment, self.theme)
        for color, mobject in self._fills.items():
            _put(mobject, _fill_points(fill for fill in fills if fill.color == color))
        words = panels.moment_words(self.board, moment, self.theme)
        for color, mobject in self._words.items():
            _put(mobject, _word_points(word for word in words if word.color == color))
        self._show_lens(moment)
        self._show_targets(moment)
        self._flight = None
        if not moment.landed and self.flies(moment.step):
            frame = self.board.frames[moment.step - 1]
            self._flight = Flight(self.board, frame, len(self.flying))
        self.travel(0.0)

    def flies(self, step: int) -> bool:
        """Whether the chunks of a step are drawn on their way, not only where they land."""
        moves = self.board.frames[step - 1].moves
        return self.board.view != "matrix" and len(moves) <= MOST_FLYING

    def travel(self, time: float) -> None:
        """Put the chunks of the step under way where they are at `time`, from 0 to 1."""
        flight = self._flight
        if flight is None:
            for mobject in self.moving:
                _put(mobject, np.zeros((0, 2)))
            return
        center = flight.centers(time)
        _put(self.others, flight.backdrops.at(center, slice(1, None)))
        _put(self.hero, flight.backdrops.at(center, slice(0, 1)))
        for mobject, stripes in zip(self.flying, flight.stripes, strict=True):
            _put(mobject, stripes.at(center))
        _put(self.flying_numbers, flight.numbers.at(center))
        _put(self.badges, flight.badges.at(center))
        _put(self.signs, flight.signs.at(center))

    def _show_cells(self, cells: dict[Place, Cell]) -> None:
        boxes: list[list[Box]] = [[] for _ in self.stripes]
        numbers = []
        for at, cell in cells.items():
            for mark in cell_marks.marks(self.board, cell, self.board.layout.cell(*at)):
                boxes[mark.ink].append(mark.box)
                if mark.text:
                    numbers.append(mark_points(mark))
        for mobject, of_ink in zip(self.stripes, boxes, strict=True):
            _put(mobject, rectangles(of_ink))
        _put(self.numbers, joined(numbers))

    def _show_targets(self, moment: Moment) -> None:
        """Outline the cells a step will change, where its chunks are too many to be followed."""
        boxes = []
        if not moment.landed and not self.flies(moment.step):
            moves = self.board.frames[moment.step - 1].moves
            boxes = [self.board.layout.cell(move.dst, move.into) for move in moves]
        _put(self.targets, rectangles(boxes))

    def _show_lens(self, moment: Moment) -> None:
        """Enlarge the chunk the caption speaks of, as it is on its way."""
        lens = self.board.layout.lens
        if lens is None:
            return
        moves = self.board.frames[moment.step - 1].moves if moment.step else ()
        found = cell_marks.marks(self.board, moves[0].cell, lens, MOST_RANKS) if moves else []
        _put(self.lens, rounded([lens] if moves else [], 8))
        for ink, mobject in enumerate(self.lens_stripes):
            _put(mobject, rectangles([mark.box for mark in found if mark.ink == ink]))
        _put(self.lens_numbers, joined([mark_points(mark) for mark in found]))

    def _still(self) -> list[VMobject]:
        board, theme = self.board, self.theme
        found = self._table() if board.view == "matrix" else self._cards()
        fills = panels.fixed_fills(board, theme)
        for color in dict.fromkeys(fill.color for fill in fills):
            points = _fill_points(fill for fill in fills if fill.color == color)
            found.append(_ink(color, points=points))
        words = panels.fixed_words(board, theme)
        for color in dict.fromkeys(word.color for word in words):
            points = _word_points(word for word in words if word.color == color)
            found.append(_ink(color, points=points))
        return found

    def _table(self) -> list[VMobject]:
        """The rows of the matrix, empty."""
        layout = self.board.layout
        beds = [bed for node in range(self.board.nodes) for bed in layout.beds(node)]
        return [_ink(self.theme.levels[0], points=rectangles(beds))]

    def _cards(self) -> list[VMobject]:
        """Links, cards and the wells of their cells."""
        board, theme, layout = self.board, self.theme, self.board.layout
        links = {(min(link), max(link)) for link in board.links if link[0] != link[1]}
        width = 8.0 if len(links) <= 24 else 2.0
        lines = [
            band(a.x, a.y, b.x, b.y, width)
            for a, b in ((layout.cards[i], layout.cards[j]) for i, j in sorted(links))
        ]
        found = [_ink(theme.link, points=joined(lines if len(lines) <= MOST_LINKS else []))]
        for node, card in enumerate(layout.cards):
            color = panels.card_color(board, node, theme)
            outline = rounded([card], panels.card_radius(board, node))
            found.append(_ink(theme.panel, 1, color, 2.4, outline))
        cells = [
            layout.cell(node, slot) for node in range(board.nodes) for slot in range(board.slots)
        ]
        if cells[0].width < 5:
            beds = [bed for node in range(board.nodes) for bed in layout.beds(node)]
            found.append(_ink(theme.well, points=rectangles(beds)))
        else:
            thin = 1.5 if cells[0].width > 14 else 0.8
            found.append(_ink(theme.well, 1, theme.edge, thin, rounded(cells, 5)))
        return found


class Travel(Animation):  # type: ignore[misc]
    """The chunks of one step on their way; copies nothing, draws only what moves."""

    def __init__(self, stage: Stage, run_time: float) -> None:
        self.stage = stage
        super().__init__(stage.moving[0], run_time=run_time, rate_func=linear)

    def create_starting_mobject(self) -> VMobject:
        """The mobject itself: nothing is interpolated from a copy."""
        return self.mobject

    def get_all_mobjects_to_update(self) -> list[VMobject]:
        """None has updaters."""
        return []

    def interpolate(self, alpha: float) -> None:
        """Put the chunks where they are at this part of the step."""
        self.stage.travel(alpha)


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


def _fill_points(fills: Iterable[Fill]) -> Points:
    return joined([rounded([fill.box], fill.radius or 0.5) for fill in fills])


def _word_points(words: Iterable[Words]) -> Points:
    return joined([text_points(w.text, w.x, w.baseline, w.size, w.face, w.align) for w in words])
