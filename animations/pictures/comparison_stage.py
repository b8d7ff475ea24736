"""The picture of a comparison: stages on one clock, lanes of all ranks below them, finish flags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from animations.drawing.drawing import in_theme
from animations.drawing.glyphs import line_within, size_for, text_width
from animations.drawing.render.outlines import Outline, outlines
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.drawing.theme import Theme
from animations.pictures.clock_stage import ClockStage
from animations.pictures.foot import sentence_text
from animations.score.comparison import ComparisonSpan
from animations.stages.lanes import lanes_of
from animations.story.comparison import DrawnComparison
from animations.story.comparison_sheet import LANES, ContenderBoxes
from animations.story.contender import DrawnContender
from collectives.units import rate_text, size_text, time_beside, time_text

BEYOND = 1.04  # of the whole time: the end of the axis
EDGE, RADIUS = 2.0, 14.0  # of a panel
FLAG = Box(9.0, 7.0, 18.0, 14.0)  # from the top of its pole
POLE = 3.0
LARGE_ROW, SMALL_ROW = 24.0, 22.0  # of what an algorithm took; fewer rows where there is less room
NAME = 19.0  # from the top of lanes to the baseline of the name beside them
NARROW = 500.0  # of a panel: only the time is said there
INSIDE, FLAG_ROOM = 18.0, 32.0  # of a panel: from its edge to text; for a flag
ROUNDED_OFF = 1e-9  # of a time: less apart is at once
LINE = 36.0  # pixels from one line of the foot to the next
PACE = 380.0  # pixels at the right of the subtitle, for the pace
ROOM = 110.0  # pixels right of a flag that its time needs


class ComparisonStage:
    """The picture of a comparison; a moment is a span of modeled time."""

    def __init__(self, comparison: DrawnComparison, theme: Theme) -> None:
        self.shown, self.theme, self.sheet = comparison, theme, comparison.sheet
        self._span = ComparisonSpan(0.0, 0.0)
        panels = comparison.boxes.panels
        self._stages = [ClockStage(drawn.timed_board, theme) for drawn in comparison.contenders]
        last = len(panels) - 1
        self._lanes = [
            lanes_of(
                drawn.timed.timing,
                place.lanes,
                seconds=BEYOND * comparison.seconds,
                names=[drawn.board.labels.node(node) for node in range(drawn.board.nodes)],
                tone=_tone(number),
                axis=number == last,
            )
            for number, (drawn, place) in enumerate(zip(comparison.contenders, panels, strict=True))
        ]
        self.still = [*self._still(), *(shape for stage in self._stages for shape in stage.still)]
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        self._foot: list[Outline] = []

    def show(self, span: ComparisonSpan) -> None:
        """Draw the text of a span, and all else as it is at its start."""
        self._span = span
        self._foot = outlines(self._said_below(span), self.sheet.smallest)
        self.travel(0.0)

    def travels(self, span: ComparisonSpan) -> bool:
        """Whether time passes."""
        return span.end > span.start

    def travel(self, time: float) -> None:
        """Put everything where it is at a part of the span, from 0 to 1."""
        now = self._span.start + time * (self._span.end - self._span.start)
        stages = self._stages
        for stage in stages:
            stage.go(now)
        covers = (box for lanes in self._lanes for box in lanes.cover(now))
        own = outlines(
            [
                *in_theme(covers, self.theme),
                *self._marked(now),
                *self._with_decimals(self._sentences(now)),
            ],
            self.sheet.smallest,
        )
        self.settled = [*(shape for stage in stages for shape in stage.settled), *self._foot]
        self.moving = [*(shape for stage in stages for shape in stage.moving), *own]
        self.front = [shape for stage in stages for shape in stage.front]

    def _still(self) -> list[Outline]:
        """Panels, names, and the lanes with all that is still to come."""
        theme, compared = self.theme, self.shown
        boxes = [box for place in compared.boxes.panels for box in _panel(place, theme)]
        lanes = in_theme((shape for lanes in self._lanes for shape in lanes.shapes), theme)
        head = self._with_decimals(self._head())
        return outlines([*boxes, *lanes, *head, *self._names()], self.sheet.smallest)

    def _with_decimals(self, lines: Iterable[TextLine]) -> Iterator[TextLine]:
        """Lines of text with the decimal points, or commas, of the language."""
        return (replace(line, text=self.shown.say.decimal(line.text)) for line in lines)

    def _head(self) -> Iterator[TextLine]:
        head, theme, compared = self.sheet.head, self.theme, self.shown
        assert head
        wide, left, top = head.width, head.left, head.top
        yield line_within(wide, (36, 26), compared.title, left, top + 36, theme.ink, "bold")
        yield line_within(wide - PACE, (20, 20), compared.subtitle, left, top + 66, theme.faint)

    def _names(self) -> Iterator[TextLine]:
        """The names in the panels and beside the lanes."""
        for number, (drawn, place) in enumerate(self._placed()):
            tone, panel, side = self.theme.tone(_tone(number)), place.panel, place.side
            room = panel.width - 2 * INSIDE - self._state_width(drawn)
            x, y = panel.left + INSIDE, panel.top + 32
            names = drawn.name, self.shown.short_name(drawn)
            yield _name_within(room, (26, 20), names, x, y, tone)
            room, base = side.width - 10, side.top + NAME
            yield _name_within(room, (22, 18), names, side.left, base, tone)
        left_out = max(lanes.left_out for lanes in self._lanes)
        if left_out:
            last, ranks = self._lanes[-1].box, self.shown.contenders[0].board.ranks
            every = self.shown.say.plural(ranks, "rank")
            text = self.shown.say("comparison.some", some=ranks - left_out, ranks=every)
            faint = self.theme.faint
            yield TextLine(text, last.left - 30, last.bottom + 21, 18, faint, align="right")

    def _state(self, drawn: DrawnContender, now: float) -> tuple[str, bool]:
        """How far one is, and whether it is done."""
        say, time = self.shown.say, time_text(drawn.seconds, 3)
        if drawn.stands(now):
            steps = say.plural(drawn.steps, "step")
            return say("comparison.stands", done=drawn.done(now), steps=steps), False
        if drawn.seconds <= now * (1 + ROUNDED_OFF):
            wide = self.shown.boxes.panels[0].panel.width > NARROW
            return say("comparison.done_after", time=time) if wide else time, True
        steps = say.plural(drawn.steps, "step")
        return say("comparison.steps_done", done=drawn.done(now), steps=steps), False

    def _state_width(self, drawn: DrawnContender) -> float:
        """Room for the longest of what is said of its state, with its flag."""
        states = self._state(drawn, 0.0), self._state(drawn, drawn.until)
        return FLAG_ROOM + 12 + max(text_width(text, 22, "bold") for text, _ in states)

    def _said_below(self, span: ComparisonSpan) -> Iterator[TextLine]:
        foot = self.sheet.foot
        assert foot
        if len(span.lines) == 1:
            yield from sentence_text(self.sheet, span.lines[0], self.theme)
            return
        for row, line in enumerate(span.lines):
            size = size_for(line, foot.width, 29, 18)
            base = foot.top + 30 + LINE * row
            yield TextLine(line, foot.left, base, size, self.theme.ink)

    def _marked(self, now: float) -> Iterator[ColoredBox]:
        """The line for now; a flag where one is done, over its panel and its lanes."""
        theme = self.theme
        for number, ((drawn, place), lanes) in enumerate(
            zip(self._placed(), self._lanes, strict=True)
        ):
            if drawn.seconds > now * (1 + ROUNDED_OFF):
                continue
            tone, right = theme.tone(_tone(number)), place.panel.right - INSIDE
            yield from _flag(right - 16, place.panel.top + 12, 28, tone)
            yield from _flag(lanes.x(drawn.seconds), lanes.box.top, lanes.box.height, tone)
        (x, top), _ = self._lanes[0].now(now)
        bottom = self._lanes[-1].box.bottom + 4
        yield ColoredBox(Box(x, (top + bottom) / 2, 3, bottom - top), theme.now)

    def _sentences(self, now: float) -> Iterator[TextLine]:
        """The time, the steps of each, what each took."""
        theme, say = self.theme, self.shown.say
        lanes = self._lanes[0]
        text = time_beside(now, self.shown.seconds)
        x = min(lanes.x(now), lanes.box.right - text_width(text, 22, "bold") / 2)
        yield TextLine(text, x, LANES[0] - 12, 22, theme.now, "bold", "center")
        if self._span.pace:
            pace = say("comparison.film_second", time=time_text(self._span.pace, 2))
            yield TextLine(pace, lanes.box.right, 80, 19, theme.faint, align="right")
        for number, ((drawn, place), rows) in enumerate(
            zip(self._placed(), self._lanes, strict=True)
        ):
            tone, right = theme.tone(_tone(number)), place.panel.right - INSIDE
            text, done = self._state(drawn, now)
            color = tone if done else theme.wrong if drawn.stands(now) else theme.faint
            base = place.panel.top + 31
            yield TextLine(text, right - FLAG_ROOM * done, base, 22, color, "bold", "right")
            if done or drawn.stands(now) or self._span.with_times:
                yield from self._took(drawn, place)
            x = rows.x(drawn.seconds)
            if done and rows.box.right - x > ROOM:
                text, y = time_text(drawn.seconds, 3), rows.box.y + 8
                yield TextLine(text, x + 12, y, 22, tone, "bold")

    def _took(self, drawn: DrawnContender, place: ContenderBoxes) -> Iterator[TextLine]:
        """What a contender's time is made of, beside its lanes."""
        say, side, theme = self.shown.say, place.side, self.theme
        if not drawn.ends:
            base, text = side.top + NAME + LARGE_ROW, say("comparison.never_ends")
            yield TextLine(text, side.left, base, 0.78 * LARGE_ROW, theme.wrong)
            return
        latency, moved = (
            time_text(seconds, 3) for seconds in (drawn.timed.latency, drawn.timed.bytes_seconds)
        )
        lines = [say("comparison.in_a_row", messages=say.plural(drawn.path.messages, "message"))]
        parts = [say("comparison.latency", time=latency), say("comparison.bytes", time=moved)]
        if drawn.path.size and side.height > 4 * LARGE_ROW:
            carried, rate = size_text(drawn.path.size, 3, binary=True), rate_text(drawn.rate, 3)
            lines.append(say("comparison.at_rate", size=carried, rate=rate))
        if delay := drawn.timed.arrival_delay:
            parts.append(say("comparison.late_ranks", time=time_text(delay, 3)))
        if drawn.path.size:
            lines += parts if side.height > 4 * SMALL_ROW else [", ".join(parts)]
        smallest = self.sheet.smallest
        lines = lines[: max(1, int((side.height - NAME) / (1.1 * smallest)))]
        pitch = min(LARGE_ROW, (side.height - 2 - NAME) / len(lines))
        for row, text in enumerate(lines):
            size = size_for(text, side.width - 10, max(0.78 * pitch, smallest), smallest)
            base = side.top + NAME + pitch * (row + 1)
            yield TextLine(text, side.left, base, size, theme.ink)

    def _placed(self) -> Iterator[tuple[DrawnContender, ContenderBoxes]]:
        return zip(self.shown.contenders, self.shown.boxes.panels, strict=True)


def _tone(number: int) -> str:
    """The tone of a contender."""
    return f"rank {number}"


def _name_within(
    room: float, sizes: tuple[float, float], names: tuple[str, str], x: float, y: float, tone: str
) -> TextLine:
    """A contender's name; where it has no room, the shorter one."""
    fits = text_width(names[0], sizes[1], "bold") <= room
    return line_within(room, sizes, names[0] if fits else names[1], x, y, tone, "bold")


def _panel(place: ContenderBoxes, theme: Theme) -> Iterator[ColoredBox]:
    box = place.panel
    yield ColoredBox(box, theme.line, RADIUS)
    inner = Box(box.x, box.y, box.width - 2 * EDGE, box.height - 2 * EDGE)
    yield ColoredBox(inner, theme.background, RADIUS - EDGE)


def _flag(x: float, top: float, height: float, color: str) -> Iterator[ColoredBox]:
    """A pole and a flag to its right."""
    yield ColoredBox(Box(x, top + height / 2, POLE, height), color)
    yield ColoredBox(Box(x + FLAG.x, top + FLAG.y, FLAG.width, FLAG.height), color)
