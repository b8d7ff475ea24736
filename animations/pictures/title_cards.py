"""Title and end card: the promise before and after in small stages, the counts with formulas."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from manim import tempconfig

from animations.drawing.glyphs import line_within, text_width, wrapped
from animations.drawing.render.outlines import Outline, outlines
from animations.drawing.shapes import Box, TextLine, in_lines
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.pictures.end_card import BarRows, Formula, bar_rows, end_boxes, end_text, formulas
from animations.pictures.stage import Stage
from animations.score.score import VERDICT, Keyframe, TextCard
from animations.score.sentences import verdict
from animations.story.storyboard import Storyboard

SIZES, FOOT_LINES = (30.0, 26.0, 22.0, 18.0), 2  # of letters, and lines, of a verdict
TITLE, STACKED = 110.0, 90.0  # baseline of the title; between stages one above the other


class TitleCard:
    """The scene of a card; a moment of an end card: the group that is spoken of, or VERDICT."""

    def __init__(self, card: TextCard, theme: Theme, folder: Path | None = None) -> None:
        self.sheet, self.theme = card.sheet, theme
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        self._bars = list[Outline]()
        self._board, self._ends = card.board, card.kind == "end"
        self._formulas: dict[int, Formula] = {}
        self._lit: int | None = None
        lines = card_text(card.board, card.kind, theme) if not self._ends else []
        logging.getLogger("manim").setLevel(logging.ERROR)
        self.still = [*outlines(lines), *self._pictures(card)]
        if self._ends:
            with TemporaryDirectory(dir=folder) as media, tempconfig({"media_dir": media}):
                self._formulas = formulas(card.board.textbook.formulas, end_rows(card.board), theme)

    def show(self, moment: object) -> None:
        """Light the group of bars that is spoken of."""
        if not self._ends:
            return
        board, theme = self._board, self.theme
        self._lit = moment if isinstance(moment, int) else None
        bars = end_boxes(board, end_rows(board), theme, self._lit)
        self._bars = outlines([*bars, *card_text(board, "end", theme, self._lit)])
        self.travel(1.0)

    def travels(self, moment: object) -> bool:
        """Whether the terms of a formula light one by one."""
        formula = self._formulas.get(moment) if isinstance(moment, int) else None
        return formula is not None and len(formula.terms) > 1

    def travel(self, time: float) -> None:
        """Light as many terms of the formula that is spoken of as are counted by now."""
        self.settled = list(self._bars)
        for group, formula in self._formulas.items():
            terms = len(formula.terms) if group == self._lit else 0
            count = min(terms, 1 + int(time * terms))
            self.settled += formula.lit(self.theme, count)

    def _pictures(self, card: TextCard) -> list[Outline]:
        """The stages of a title card before the first step and after the last, unless untold."""
        board, theme = card.board, self.theme
        if card.kind == "end":
            return []
        bare = replace(board, scenery=replace(board.scenery, lens=None))  # nothing is followed yet
        small, rooms = SmallStage(bare, theme), card_rooms(board)
        moments = Keyframe(0), Keyframe(len(board.frames))
        each = zip(moments, rooms, strict=False)
        return [shown for moment, room in each for shown in small.outlines(moment, room)]


def card_text(board: Storyboard, kind: str, theme: Theme, lit: int | None = None) -> list[TextLine]:
    """The text of a card; lit: the group of bars of an end card that is spoken of."""
    lines = _head(board, board.promise if kind == "title" else board.ending, theme)
    if kind == "title":
        for key, room in zip(("before", "after"), card_rooms(board), strict=False):
            word = board.say(f"cards.{key}")
            lines.append(TextLine(word, room.x, room.top - 22, 34, theme.now, "bold", "center"))
        return lines
    lines += end_text(board, end_rows(board), theme, lit)
    if not board.promised:  # so nothing is proved, as the line above the bars says
        return lines
    text, largest, color = board.say(f"cards.every_contribution{_heard(board)}"), 28, theme.faint
    if board.textbook.as_computed:
        text = board.say("cards.with_closed_forms", text=text)
    if lit == VERDICT:
        text, largest, color = " ".join(verdict(board)) or text, 34, theme.now
    return [*lines, *_at_foot(text, largest, color, board.sheet)]


def _at_foot(text: str, largest: float, color: str, sheet: Sheet) -> list[TextLine]:
    """A text at the foot of a page, in at most two lines, as large as there is room for."""
    x, wide, base = sheet.width / 2, sheet.width - 160.0, sheet.height - 30.0
    sizes = [size for size in (largest, *SIZES) if size <= largest]
    fits = (size for size in sizes if len(in_lines(text, _narrower(wide, size))) <= FOOT_LINES)
    size = next(fits, sizes[-1])
    rows = enumerate(filter(None, reversed(wrapped(text, wide, size, FOOT_LINES))))
    return [
        TextLine(row, x, base - 1.25 * size * n, size, color, align="center") for n, row in rows
    ]


def _narrower(wide: float, size: float) -> Callable[[str], bool]:
    """Whether a line of text has room."""
    return lambda line: text_width(line, size) <= wide


def _heard(board: Storyboard) -> str:
    """The end of a key, where ranks only hear of one another."""
    return "" if board.labels.moves_data else "_heard"


def end_rows(board: Storyboard) -> BarRows:
    """Where the bars of an end card stand."""
    return bar_rows(board.sheet, TITLE + 195.0)


def _head(board: Storyboard, sentence: str, theme: Theme) -> list[TextLine]:
    """The title, a sentence and the subtitle, in the middle of the page."""
    sheet = board.sheet
    wide, x = sheet.width - 160, sheet.width / 2
    lines = [line_within(wide, (76, 40), board.title, x, TITLE, theme.ink, "bold", "center")]
    texts = [text for text in wrapped(f"{sentence}.", wide, 42, 2) if text]
    for i, line in enumerate(texts):
        lines.append(TextLine(line, x, TITLE + 74 + 50 * i, 42, theme.ink, align="center"))
    base, color = TITLE + 74 + 50 * len(texts), theme.faint
    return [*lines, line_within(wide, (30, 20), board.subtitle, x, base, color, align="center")]


def card_rooms(board: Storyboard) -> Sequence[Box]:
    """The rooms of the stages of a title card: one, before the first step, of a wrong schedule."""
    rooms = stage_rooms(board.sheet)
    return [replace(rooms[0], x=board.sheet.width / 2)] if board.untold else rooms


def stage_rooms(sheet: Sheet) -> tuple[Box, Box]:
    """The rooms of the two stages of a title card: side by side, or one above the other."""
    top, bottom = TITLE + 270.0, sheet.height - 60.0
    if sheet.width > sheet.height:
        wide, high = sheet.width / 2 - 70, bottom - top
        y, left = top + high / 2, 50 + wide / 2
        return Box(left, y, wide, high), Box(sheet.width - left, y, wide, high)
    high = (bottom - top - STACKED) / 2
    wide = sheet.width - 100.0
    first, second = top + high / 2, bottom - high / 2
    return Box(sheet.width / 2, first, wide, high), Box(sheet.width / 2, second, wide, high)


class SmallStage:
    """The stage of a storyboard without what stands around it."""

    def __init__(self, board: Storyboard, theme: Theme) -> None:
        whole = board.sheet
        sheet = Sheet(whole.name, whole.width, whole.height, whole.stages)
        self._stage = Stage(replace(board, sheet=sheet), theme)
        self._box = sheet.stage

    def box(self, room: Box) -> Box:
        """The largest box of the stage's shape in the middle of a room."""
        scale = self._scale(room)
        return Box(room.x, room.y, scale * self._box.width, scale * self._box.height)

    def outlines(self, keyframe: Keyframe, room: Box) -> list[Outline]:
        """All that is there in a state, in a room."""
        stage, scale = self._stage, self._scale(room)
        stage.show(keyframe)
        shift = [to - scale * at for at, to in ((self._box.x, room.x), (self._box.y, room.y))]
        return [
            Outline(scale * shown.points + shift, (*shown.look[:-1], scale * shown.look[-1]))
            for shown in (*stage.still, *stage.settled, *stage.front)
            if len(shown.points)
        ]

    def _scale(self, room: Box) -> float:
        return min(room.width / self._box.width, room.height / self._box.height)
