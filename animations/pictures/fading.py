"""A stage that gives way to a why, and comes back from one: one fades while the other comes."""

from __future__ import annotations

from dataclasses import replace

from animations.drawing.curves import rectangles
from animations.drawing.render.outlines import Outline, faded, look
from animations.drawing.shapes import MOTION
from animations.drawing.theme import Theme
from animations.pictures.page_scene import PageScene
from animations.pictures.stage import Stage
from animations.score.score import AWAY, Keyframe, WhyMoment
from animations.story.storyboard import Storyboard


class FadingStage(Stage):
    """A stage between two whys, which come and go without their sentences."""

    def __init__(
        self, board: Storyboard, theme: Theme, beside: tuple[WhyMoment | None, WhyMoment | None]
    ) -> None:
        super().__init__(board, theme)
        self._beside, self._veil = beside, rectangles([self.sheet.page])
        self._comes, self._page = False, list[Outline]()

    def show(self, keyframe: Keyframe) -> None:
        """Draw a keyframe, and the why that comes or goes in it at its beginning."""
        self._comes, self._page = keyframe.camera[1] == AWAY, []
        why = self._beside[self._comes] if AWAY in keyframe.camera else None
        if why is not None:
            page = PageScene(replace(why[0], silent=True), self.theme)
            page.show(why[1])
            self._page = page.moving
        super().show(keyframe)

    def travel(self, time: float) -> None:
        """Put what is under way where it is at `time`, from 0 to 1."""
        super().travel(time)
        if self._page:
            part = MOTION.eased(time if self._comes else 1 - time)
            veil = Outline(self._veil, look(self.theme.background, part))
            page = (faded(outline, part) for outline in self._page)
            self.front = [*self.front, veil, *page]
