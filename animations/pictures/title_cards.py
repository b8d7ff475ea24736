"""The title card: the promise, and before and after in small stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from animations.drawing.glyphs import line_within, wrapped
from animations.drawing.render.outlines import Outline, moved, outlines
from animations.drawing.shapes import Box, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.pictures.card_rooms import TITLE, card_page, filling, stage_rooms
from animations.pictures.stage import Stage
from animations.score.score import Keyframe, TextCard
from animations.story.storyboard import Storyboard

RUN = 0.85  # of a shot, until the schedule has run


class TitleCard:
    """The scene of a card; a moment: the part of the schedule that runs in the second stage."""

    def __init__(self, card: TextCard, theme: Theme) -> None:
        self.sheet, self.theme = card.sheet, theme
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        board = replace(card.board, sheet=card_page(card.sheet))
        self._board = board
        self._scale = card.sheet.height / board.sheet.height
        self._small: SmallStage | None = None
        self._runs: tuple[float, float] | None = None
        self._states: dict[int, list[Outline]] = {}
        self.still = self._on_sheet([*outlines(card_text(board, theme)), *self._pictures()])

    def show(self, moment: object) -> None:
        """The state that the moment begins with."""
        self._runs = moment if isinstance(moment, tuple) else None
        self.travel(0.0)

    def travels(self, moment: object) -> bool:
        """Whether the schedule runs."""
        return isinstance(moment, tuple) and self._small is not None

    def travel(self, time: float) -> None:
        """The schedule runs."""
        shown = list[Outline]()
        if self._small is not None:
            first, last = self._runs or (1.0, 1.0)
            steps = len(self._board.frames)
            shown = self._state(round((first + (last - first) * min(time / RUN, 1.0)) * steps))
        self.settled = self._on_sheet(shown)

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
        """The stages before the first step and after the last, unless untold."""
        board, theme = self._board, self.theme
        rooms = card_rooms(board)
        small = SmallStage(board, theme, rooms[0])
        self._small = small if len(rooms) > 1 else None
        return small.outlines(Keyframe(0), rooms[0])


def card_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The title, the promise and the subtitle in the middle of the page, and names of stages."""
    sheet = board.sheet
    wide, x = sheet.width - 160, sheet.width / 2
    lines = [line_within(wide, (76, 40), board.title, x, TITLE, theme.ink, "bold", "center")]
    texts = [text for text in wrapped(f"{board.promise}.", wide, 42, 2) if text]
    for i, line in enumerate(texts):
        lines.append(TextLine(line, x, TITLE + 74 + 50 * i, 42, theme.ink, align="center"))
    base, sizes = TITLE + 74 + 50 * len(texts), (30, max(20, sheet.smallest))
    lines.append(line_within(wide, sizes, board.subtitle, x, base, theme.faint, align="center"))
    for key, room in zip(("before", "after"), card_rooms(board), strict=False):
        word = board.say(f"cards.{key}")
        lines.append(TextLine(word, room.x, room.top - 22, 34, theme.now, "bold", "center"))
    return lines


def card_rooms(board: Storyboard) -> Sequence[Box]:
    """The rooms of the stages of a title card: one, before the first step, of a wrong schedule."""
    rooms = stage_rooms(board.sheet)
    return [replace(rooms[0], x=board.sheet.width / 2)] if board.untold else rooms


class SmallStage:
    """The cards of a storyboard in a room, without what stands around them."""

    def __init__(self, board: Storyboard, theme: Theme, room: Box) -> None:
        whole = board.sheet
        sheet = replace(Sheet(whole.name, whole.width, whole.height, (room,)), cues=whole.cues)
        scenery = filling(board.scenery, room)
        self._room = room
        self._stage = Stage(replace(board, sheet=sheet, scenery=scenery), theme, whole.smallest)

    def outlines(self, keyframe: Keyframe, room: Box) -> list[Outline]:
        """All that is there in a state, in a room as large."""
        stage, shift = self._stage, (room.x - self._room.x, room.y - self._room.y)
        stage.show(keyframe)
        drawn = (*stage.still, *stage.settled, *stage.front)
        return [moved(shown, 1.0, shift) for shown in drawn if len(shown.points)]
