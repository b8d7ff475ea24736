"""Title and end card: the promise before and after in small stages, the counts with formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from animations.drawing.glyphs import line_within, text_width, wrapped
from animations.drawing.render.outlines import Outline, moved, outlines
from animations.drawing.shapes import MOTION, Box, TextLine, in_lines
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.pictures.card_rooms import TITLE, card_page, stage_rooms
from animations.pictures.end_card import (
    BarRows,
    PlacedFormula,
    bar_rows,
    end_boxes,
    end_text,
    formulas,
)
from animations.pictures.stage import Stage
from animations.score.score import VERDICT, Keyframe, TextCard
from animations.score.sentences import verdict
from animations.story.storyboard import Storyboard

SIZES, FOOT_LINES = (30.0, 26.0, 24.0, 22.0, 18.0), 2  # of letters, and lines, of a verdict
RUN, GROWN = 0.85, 0.7  # of a shot: until the schedule has run; until bars have grown


class TitleCard:
    """The scene of a card.

    A moment of an end card is the group that is spoken of, or VERDICT; of a title card the part of
    the schedule that runs meanwhile in the stage that shows how it ends.
    """

    def __init__(self, card: TextCard, theme: Theme) -> None:
        self.sheet, self.theme = card.sheet, theme
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        board = replace(card.board, sheet=card_page(card.sheet))
        self._board, self._ends = board, card.kind == "end"
        self._scale = card.sheet.height / board.sheet.height
        self._formulas: dict[int, PlacedFormula] = {}
        self._lit: int | None = None
        lines = card_text(board, card.kind, theme) if not self._ends else []
        self._small: SmallStage | None = None
        self._runs: tuple[float, float] | None = None
        self._states: dict[int, list[Outline]] = {}
        self.still = self._on_sheet([*outlines(lines), *self._pictures()])
        if self._ends:
            self._formulas = formulas(board.textbook.formulas, end_rows(board))

    def show(self, moment: object) -> None:
        """Light the group of bars that is spoken of; of a title the state that it begins with."""
        self._lit = moment if isinstance(moment, int) else None
        self._runs = moment if isinstance(moment, tuple) else None
        self.travel(1.0 if self._ends else 0.0)

    def travels(self, moment: object) -> bool:
        """Whether bars grow, or the schedule runs."""
        if self._ends:
            return isinstance(moment, int) and moment != VERDICT
        return isinstance(moment, tuple) and self._small is not None

    def travel(self, time: float) -> None:
        """Bars grow, and terms of their formula light; of a title card the schedule runs."""
        shown = list[Outline]()
        if self._ends:
            shown = self._end(time)
        elif self._small is not None:
            first, last = self._runs or (1.0, 1.0)
            steps = len(self._board.frames)
            shown = self._state(round((first + (last - first) * min(time / RUN, 1.0)) * steps))
        self.settled = self._on_sheet(shown)

    def _end(self, time: float) -> list[Outline]:
        """The end card at a time: the groups up to the one that is spoken of, which grows."""
        board, theme, lit = self._board, self.theme, self._lit
        last, part = (VERDICT, 1.0) if lit is None else (lit, MOTION.eased(time / GROWN))
        rows = end_rows(board)
        bars = end_boxes(board, rows, theme, lit, last, part)
        shown = outlines([*bars, *card_text(board, "end", theme, lit, last, part)])
        for group, formula in self._formulas.items():
            terms = formula.terms if group == lit else 0
            if group <= last:
                shown += formula.lit(theme, min(terms, 1 + int(time * terms)))
        return shown

    def _state(self, step: int) -> list[Outline]:
        """The second stage of a title card after so many steps."""
        if step not in self._states and self._small is not None:
            room = card_rooms(self._board)[1]
            self._states[step] = self._small.outlines(Keyframe(step), room)
        return self._states[step]

    def _on_sheet(self, shown: list[Outline]) -> list[Outline]:
        """What is laid out on the card's page, on the sheet."""
        return shown if self._scale == 1 else [moved(each, self._scale) for each in shown]

    def _pictures(self) -> list[Outline]:
        """The stages of a title card before the first step and after the last, unless untold."""
        board, theme = self._board, self.theme
        if self._ends:
            return []
        bare = replace(board, scenery=replace(board.scenery, lens=None))  # nothing is followed yet
        rooms = card_rooms(board)
        small = SmallStage(bare, theme, rooms[0])
        self._small = small if len(rooms) > 1 else None
        return small.outlines(Keyframe(0), rooms[0])


def card_text(
    board: Storyboard,
    kind: str,
    theme: Theme,
    lit: int | None = None,
    last: int = VERDICT,
    part: float = 1.0,
) -> list[TextLine]:
    """The text of a card; lit, last, part: see `end_boxes`."""
    lines = _head(board, board.promise if kind == "title" else board.ending, theme)
    if kind == "title":
        for key, room in zip(("before", "after"), card_rooms(board), strict=False):
            word = board.say(f"cards.{key}")
            lines.append(TextLine(word, room.x, room.top - 22, 34, theme.now, "bold", "center"))
        return lines
    lines += end_text(board, end_rows(board), theme, lit, last, part)
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
    sizes = [size for size in (largest, *SIZES) if sheet.smallest <= size <= largest]
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
    return [
        *lines,
        line_within(
            wide, (30, max(20, sheet.smallest)), board.subtitle, x, base, color, align="center"
        ),
    ]


def card_rooms(board: Storyboard) -> Sequence[Box]:
    """The rooms of the stages of a title card: one, before the first step, of a wrong schedule."""
    rooms = stage_rooms(board.sheet)
    return [replace(rooms[0], x=board.sheet.width / 2)] if board.untold else rooms


class SmallStage:
    """The stage of a storyboard without what stands around it."""

    def __init__(self, board: Storyboard, theme: Theme, room: Box | None = None) -> None:
        """room: of its size it is shown, so that its letters are large enough there."""
        whole = board.sheet
        sheet = replace(Sheet(whole.name, whole.width, whole.height, whole.stages), cues=whole.cues)
        self._box = sheet.stage
        smallest = whole.smallest / self._scale(room) if room else None
        self._stage = Stage(replace(board, sheet=sheet), theme, smallest)

    def box(self, room: Box) -> Box:
        """The largest box of the stage's shape in the middle of a room."""
        scale = self._scale(room)
        return Box(room.x, room.y, scale * self._box.width, scale * self._box.height)

    def outlines(self, keyframe: Keyframe, room: Box) -> list[Outline]:
        """All that is there in a state, in a room."""
        stage, scale = self._stage, self._scale(room)
        stage.show(keyframe)
        ends = (self._box.x, room.x), (self._box.y, room.y)
        shift = tuple(to - scale * at for at, to in ends)
        drawn = (*stage.still, *stage.settled, *stage.front)
        return [moved(shown, scale, shift) for shown in drawn if len(shown.points)]

    def _scale(self, room: Box) -> float:
        return min(room.width / self._box.width, room.height / self._box.height)
