"""The scene of a training scheme: two timelines that fill as time passes, and a bar from inside."""

from __future__ import annotations

from dataclasses import replace

from animations.drawing.render.outlines import Outline, outlines
from animations.drawing.shapes import Box, ColoredBox, Shape, TextLine
from animations.drawing.sheet import Sheet
from animations.drawing.theme import DARK, Theme
from animations.pictures import training_panels as panels
from animations.pictures.stage import Stage
from animations.pictures.training_panels import Chosen, TimelinePanel
from animations.score.score import Keyframe
from animations.score.training import TrainingMoment
from animations.story.compose import proved_storyboard
from animations.story.training import BarFacts, TrainingStory
from collectives.choices import LANGUAGES
from collectives.training.timeline import Span

INSIDE = 560.0  # pixels of the text beside the stage of a network span
START = TrainingMoment(0, 0.0, 0.0, -1)


class TrainingScene:
    """Lanes in the upper and the lower half; a network span is shown in the half that is free.

    What has ended is settled; what is under way, the line for now and the counters move.
    """

    def __init__(self, story: TrainingStory, theme: Theme = DARK) -> None:
        self.story, self.theme, self.sheet = story, theme, story.sheet
        self._panels = [TimelinePanel(story, panel) for panel in (0, 1)]
        self._moment = START
        bars = [beat.bar for beat in story.beats if beat.bar]
        self._stages = {bar: self._stage(bar) for bar in bars}
        self._inside: Stage | None = None
        parts = panels.fixed_text, panels.legend, panels.memory_legend
        self.still = outlines(shape for part in parts for shape in part(story, theme))
        self._ended = list[Outline]()
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        self.show(START)

    def show(self, moment: TrainingMoment) -> None:
        """Draw what has ended when a moment begins, and the inside of a bar."""
        self._moment = moment
        story, theme, since = self.story, self.theme, moment.since
        beat = story.beats[moment.beat] if moment.beat >= 0 else None
        bar = beat.bar if beat and moment.keyframe else None
        shapes = panels.caption(beat.said if beat else "", theme)
        for at in self._panels:
            if bar and at.panel != moment.panel:
                continue
            shapes += [*panels.frame(at, theme), *panels.memory_frame(at, theme)]
            if at.panel > moment.panel:
                continue
            end = since if at.panel == moment.panel else at.line.total
            ended = _ended(end)
            shapes += [*panels.bars(at, ended, end, theme), *panels.waits(at, ended, end, theme)]
            if at.panel < moment.panel:
                shapes += [*panels.clock(at, end, theme), *panels.memory_bars(at, end, theme)]
        free = self._panels[1 - moment.panel].box
        self._inside = None
        if bar and moment.keyframe:
            self._inside = self._stages[bar]
            self._inside.show(moment.keyframe)
            shapes = [ColoredBox(free, theme.panel, 14), *shapes]
            shapes += self._inside_text(bar, moment.keyframe, free)
        self._ended = outlines(shapes)
        self.travel(0.0)

    def travels(self, moment: TrainingMoment) -> bool:
        """Whether the clock runs."""
        return moment.until > moment.since

    def travel(self, time: float) -> None:
        """Put bars, counters and data where they are at `time` of the shot, from 0 to 1."""
        moment, theme, at = self._moment, self.theme, self._panels[self._moment.panel]
        now = moment.at(time)
        going = _going(moment.since)
        shapes = [*panels.bars(at, going, now, theme), *panels.waits(at, going, now, theme)]
        shapes += [*panels.memory_bars(at, now, theme), *panels.clock(at, now, theme)]
        self.settled, self.moving, self.front = self._ended, outlines(shapes), []
        if inside := self._inside:
            inside.travel(time)
            self.settled = [*self._ended, *inside.still, *inside.settled]
            self.moving, self.front = [*self.moving, *inside.moving], inside.front

    def _stage(self, bar: Span) -> Stage:
        """The stage of a network span, in the half of the page that is free while it runs."""
        assert bar.timing
        panel = next(beat.panel for beat in self.story.beats if beat.bar is bar)
        free = self._panels[1 - panel].box
        left, right = free.left + INSIDE, free.right - 20
        box = Box((left + right) / 2, free.y, right - left, free.height - 24)
        sheet = Sheet("inside", self.sheet.width, self.sheet.height, (box,))
        known = self.story.language if self.story.language in LANGUAGES else "en"
        timing = bar.timing
        board = proved_storyboard(timing.asked, timing.topology, "", sheet, known)
        # what they have sent would be too small
        cards = (replace(c, shape=replace(c.shape, shows_sent=False)) for c in board.scenery.cards)
        return Stage(replace(board, scenery=replace(board.scenery, cards=tuple(cards))), self.theme)

    def _inside_text(self, bar: Span, keyframe: Keyframe, free: Box) -> list[Shape]:
        """What is executed in a network span, beside its stage."""
        assert bar.timing
        theme, facts, left = self.theme, BarFacts(bar), free.left + 28
        word = self.story.word
        step = word("step", number=keyframe.step, total=facts.steps) if keyframe.step else ""
        rows = [
            (word("inside"), 30, theme.ink, "bold"),
            (self._stages[bar].board.title, 27, theme.ink, "sans"),
            (word("amount", size=facts.size, time=facts.time), 27, theme.ink, "sans"),
            (facts.blocks, panels.SMALL, theme.local, "sans"),
            (step, 27, theme.now, "bold"),
        ]
        return [
            TextLine(text, left, free.top + 62 + 46 * row, size, color, face)
            for row, (text, size, color, face) in enumerate(row for row in rows if row[0])
        ]


def _ended(moment: float) -> Chosen:
    return lambda start, end: end <= moment


def _going(moment: float) -> Chosen:
    return lambda start, end: end > moment
