"""The title card: the promise, and before and after in small stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from animations.drawing.glyphs import line_within, wrapped
from animations.drawing.render.outlines import Outline, faded, moved, outlines
from animations.drawing.scenery import Scenery
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import Theme
from animations.pictures.card_rooms import TITLE, CardsOnTheWay, card_page, filling, stage_rooms
from animations.pictures.stage import Stage
from animations.score.score import BECOMES_STAGE, Keyframe, TextCard
from animations.story.storyboard import Storyboard
from collectives.units import size_text

BORDER = 6.0  # pixels by which what hides a card is larger
RUN = 0.85  # of a shot, until the schedule has run


class TitleCard:
    """The scene of a card; a moment: the part of the schedule that runs in the second stage.

    From 1 to 2 the cards before the first step go to where the stage has them.
    """

    def __init__(self, card: TextCard, theme: Theme) -> None:
        self.sheet, self.theme = card.sheet, theme
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        self._board = board = replace(card.board, sheet=card_page(card.sheet))
        self._scale = card.sheet.height / board.sheet.height
        self._rooms, self._runs = card_rooms(board), (1.0, 1.0)
        self._small = SmallStage(board, theme, self._rooms[0], 1 / self._scale)
        self._state = cache(self._drawn)  # a step comes again in many frames
        self._text = self._on_sheet(outlines(card_text(board, theme)))
        self.show(None)

    def show(self, moment: object) -> None:
        """The state that the moment begins with."""
        self._runs = moment if isinstance(moment, tuple) else (1.0, 1.0)
        self.still = [] if self._runs == BECOMES_STAGE else [*self._text, *self._state(0, 0)]
        self.travel(0.0)

    def travels(self, moment: object) -> bool:
        """Whether the schedule runs, or the cards go."""
        return isinstance(moment, tuple) and (len(self._rooms) > 1 or moment == BECOMES_STAGE)

    def travel(self, time: float) -> None:
        """The schedule runs in the second room, if there is one, or the cards go."""
        first, last = self._runs
        if self._runs == BECOMES_STAGE:
            part = CardsOnTheWay.hidden(min(time, 0.5))
            after = self._state(len(self._board.frames), 1) if len(self._rooms) > 1 else ()
            self.settled = [faded(shown, 1 - part) for shown in (*self._text, *after) if part < 1]
            self.settled += self._on_sheet(self._small.going(time))
            return
        step = round((first + (last - first) * min(time / RUN, 1.0)) * len(self._board.frames))
        self.settled = self._state(step, 1) if len(self._rooms) > 1 else []

    def _drawn(self, step: int, place: int) -> list[Outline]:
        """The cards after so many steps, in one of the rooms."""
        return self._on_sheet(self._small.outlines(Keyframe(step), self._rooms[place]))

    def _on_sheet(self, shown: list[Outline]) -> list[Outline]:
        """What is laid out on the card's page, on the sheet."""
        return shown if self._scale == 1 else [moved(each, self._scale) for each in shown]


def card_text(board: Storyboard, theme: Theme) -> list[TextLine]:
    """The title, the promise and the subtitle in the middle of the page, and names of stages."""
    sheet = board.sheet
    wide, x = sheet.width - 160, sheet.width / 2
    lines = [line_within(wide, (76, 40), board.title, x, TITLE, theme.ink, "bold", "center")]
    texts = [text for text in wrapped(f"{board.promise}.", wide, 42, 2) if text]
    for i, line in enumerate(texts):
        lines.append(TextLine(line, x, TITLE + 74 + 50 * i, 42, theme.ink, align="center"))
    base, sizes = TITLE + 74 + 50 * len(texts), (30, max(20, sheet.smallest))
    size = f" · {size_text(board.size)}" * board.leaves_size_out  # which its price tells
    shown = board.subtitle.replace(size, "") if size else board.subtitle
    lines.append(line_within(wide, sizes, shown, x, base, theme.faint, align="center"))
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

    def __init__(self, board: Storyboard, theme: Theme, room: Box, times: float) -> None:
        """times: how many times as large all is where the cards go to the stage."""
        whole, self._filled, self._room = board.sheet, filling(board.scenery, room), room
        sheet = replace(Sheet(whole.name, whole.width, whole.height, (room,)), cues=whole.cues)
        self._way = CardsOnTheWay(self._filled, board.scenery, times)
        self._bare = replace(board, sheet=sheet)
        self._theme, self._smallest = theme, whole.smallest
        self._stage = self._drawn(self._filled)

    def outlines(self, keyframe: Keyframe, room: Box) -> list[Outline]:
        """All that is there in a state, in a room as large."""
        stage, shift = self._stage, (room.x - self._room.x, room.y - self._room.y)
        stage.show(keyframe)
        drawn = (*stage.still, *stage.settled, *stage.front)
        return [moved(shown, 1.0, shift) for shown in drawn if len(shown.points)]

    def going(self, part: float) -> list[Outline]:
        """The start, with the cards on the way to where they are on the stage."""
        way, scenery = self._way, self._way.at(part)
        stage, color = self._drawn(scenery), self._theme.background
        stage.show(Keyframe(0))
        boxes = (scenery.cards[node].box for node in way.fading)
        over = (replace(b, width=b.width + BORDER, height=b.height + BORDER) for b in boxes)
        veils = [ColoredBox(box, color, opacity=way.hidden(part)) for box in over]
        return [*stage.still, *stage.settled, *stage.front, *outlines(veils)]

    def _drawn(self, scenery: Scenery) -> Stage:
        return Stage(replace(self._bare, scenery=scenery), self._theme, self._smallest)
