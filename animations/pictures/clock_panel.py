"""The panel of modeled time: the time that runs, its scale, and a lane for each rank."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import inf

from animations.drawing.drawing import in_theme
from animations.drawing.glyphs import line_within, wrapped
from animations.drawing.shapes import Box, ColoredBox, Shape, Stroke, TextLine
from animations.drawing.sheet import EDGE
from animations.drawing.theme import Theme
from animations.drawing.time_lanes import Lanes
from animations.pictures import panels
from animations.pictures.foot import LINE, sentence_text
from animations.pictures.standstill_panel import StandstillRow, standstill_row
from animations.stages.lanes import delay_waits, lanes_of
from animations.story.clock_words import under_way_text, waiting_text
from animations.story.timed_board import TimedBoard
from collectives.units import time_beside, time_text

WIDE, SHORT = 600.0, 8  # pixels of a panel with room for all its words; letters of a name elsewhere
CLEAR = 0.8  # of its letters, from the baseline of a name to the next
TALL = 420.0  # pixels of a panel from which on its head has two lines, and a key below
PITCH = 46.0  # pixels from lane to lane
CAPTION, WAITING = 30.0, 24.0  # em of the lines below the stage
BELOW = 36.0  # pixels from the last line of the caption to who waits


class ClockPanel:
    """What is drawn of time on a page: fixed boxes, strokes and text, and what changes with it."""

    def __init__(self, timed_board: TimedBoard, theme: Theme) -> None:
        self._flights, self._theme = timed_board, theme
        self.lanes: Lanes | None = None
        self._box = box = timed_board.sheet.lanes
        if box is None:
            return
        self._roomy = box.height >= TALL
        top, low = (box.top + 128, 78.0) if self._roomy else (box.top + 62, 8.0)
        left, right = box.left + EDGE, box.right - EDGE - 20
        inner = Box.between(left, top, right, box.bottom - low)
        names = [timed_board.board.labels.node(node) for node in range(timed_board.board.nodes)]
        if box.width < WIDE:
            names = [name if len(name) <= SHORT else _initial(name) for name in names]
        timing, seconds = timed_board.timing, timed_board.seconds
        lanes = lanes_of(timing, inner, seconds=seconds, names=names, most_pitch=PITCH, alone=True)
        self.lanes = replace(lanes, words=_readable(lanes.words, timed_board.sheet.smallest))

    def still(self) -> list[Shape]:
        """The panel, the lanes as they are in the end, the whole time and the scale."""
        if self.lanes is None or self._box is None:
            return []
        lanes = in_theme(self.lanes.shapes, self._theme)
        return [ColoredBox(self._box, self._theme.panel, 14), *lanes, *self._text(self._box)]

    def _text(self, box: Box) -> list[TextLine]:
        theme, say = self._theme, self._flights.board.say
        timing, right = self._flights.timing, box.right - EDGE
        total = say.decimal(time_text(timing.total))
        ends = say("clock.never") if self._flights.is_endless else say("clock.of", total=total)
        pace = say.decimal(time_text(self._flights.pace, 3))
        scale = say("clock.pace", time=pace) if self._flights.pace else ""
        size, base = (22.0, box.top + 58) if self._roomy else (19.0, box.top + 42)
        lines = [TextLine(ends, right, base, size, theme.faint, align="right")]
        clock = say(f"clock.{timing.clock}")
        if self._roomy:
            left, below, wide = box.left + EDGE, box.top + 98, box.width - 2 * EDGE
            lines.append(TextLine(scale, left, below, 21, theme.faint))
            key = say("clock.lanes_late" if delay_waits(timing) else "clock.lanes")
            lines.append(line_within(wide, (26, 19), key, left, box.bottom - 18, theme.faint))
            machine = " · ".join(filter(None, (timing.topology.name, clock, self._flights.note)))
            lines.append(line_within(wide, (19, 15), machine, left, box.bottom - 48, theme.ink))
        else:
            text = " · ".join(filter(None, (scale, clock)))
            lines.append(TextLine(text, box.x + 30, base, 19, theme.faint, align="center"))
        return lines

    def later(self, now: float) -> list[Shape]:
        """Once a delay is all that is left: a line where all would end without it, and a bracket.

        The bracket is as wide as the delay; its number stands above it where there is room.
        """
        clean, lanes, ink = self._flights.clean, self.lanes, self._theme.ink
        if not (0.0 < clean <= now and lanes):
            return []
        left, right, top, low = lanes.x(clean), lanes.box.right, lanes.box.top, lanes.box.bottom
        ends = (left, low + 6), (left, top - 10), (right, top - 10), (right, top)
        text = f"+{time_text(self._flights.timing.total - clean, 3)}" if self._roomy else ""
        word = TextLine(text, right, top - 18, 21, ink, align="right")
        return [*(Stroke(pair, ink, 3) for pair in pairwise(ends)), word]

    def time(self, now: float) -> list[TextLine]:
        """The time that runs."""
        if self._box is None:
            return []
        timed_board = self._flights
        text = time_beside(min(now, timed_board.timing.total), timed_board.seconds)
        text = timed_board.board.say.decimal(text)
        size, base = (46.0, 62) if self._roomy else (34.0, 44)
        left = self._box.left + EDGE
        return [TextLine(text, left, self._box.top + base, size, self._theme.now, "bold")]


def _readable(words: Iterable[TextLine], smallest: float) -> tuple[TextLine, ...]:
    """Names and ticks in letters of at least so many pixels, without those on which others lie."""
    kept = list[TextLine]()
    for word in words:
        line = replace(word, size=max(word.size, smallest))
        last = kept[-1].baseline if kept else -inf
        if word.baseline == last or abs(word.baseline - last) >= CLEAR * line.size:
            kept.append(line)
    return tuple(kept)


def _initial(name: str) -> str:
    """The name of a switch beside a narrow panel: s0.

    >>> _initial("switch 0")
    's0'
    """
    return name[0] + name.split()[-1]


def caption_text(
    timed_board: TimedBoard, now: float, theme: Theme, line: str = ""
) -> tuple[list[TextLine], StandstillRow | None]:
    """Which steps are under way, and below it who waits for whom; for ever in a row of boxes.

    line: a sentence that stands there alone, unless they wait for ever.
    """
    foot = timed_board.sheet.foot
    if foot is None:
        return [], None
    if line and not timed_board.stands(now):
        return sentence_text(timed_board.sheet, line, theme), None
    waits = waiting_text(timed_board, now)
    max_lines = max(1, int(foot.height / LINE) - bool(waits))
    texts = wrapped(under_way_text(timed_board, now), foot.width, CAPTION, max_lines)
    lines = [
        TextLine(text, foot.left, foot.top + 30 + LINE * row, CAPTION, theme.ink)
        for row, text in enumerate(texts)
    ]
    base = lines[-1].baseline + BELOW
    if timed_board.stands(now):
        row = standstill_row(timed_board, foot.left, foot.right, base, theme)
        return [*lines, *row.text], row
    sizes = WAITING, 18
    return [*lines, line_within(foot.width, sizes, waits, foot.left, base, theme.faint)], None


def timeline(timed_board: TimedBoard, now: float, theme: Theme) -> list[ColoredBox]:
    """A box for each step: in the color of its phase once all of it has landed."""
    board, line, boxes = timed_board.board, timed_board.sheet.timeline, list[ColoredBox]()
    if line is None:
        return boxes
    pitch, under_way = line.width / max(1, board.planned), set(timed_board.under_way(now))
    width = pitch - min(6.0, 0.2 * pitch)
    for i in range(board.planned):
        landed = i < len(board.frames) and max(timed_board.ends[i]) <= now + timed_board.rounding
        color = panels.phase_color(theme, board.frames[i].phase) if landed else theme.edge
        color = theme.now if i + 1 in under_way else color
        if board.wrong and i + 1 == board.wrong.step:
            color = theme.wrong
        box = Box(line.left + (i + 0.5) * pitch, line.y, width, line.height)
        boxes.append(ColoredBox(box, color, 7))
    return boxes
