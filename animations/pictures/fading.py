"""A stage that gives way to a why, and comes back from one: one fades while the other comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from animations.drawing.curves import rectangles
from animations.drawing.render.outlines import Outline, faded, look
from animations.drawing.shapes import MOTION
from animations.pictures.page_scene import PageScene
from animations.pictures.stage import Stage
from animations.score.score import AWAY, Keyframe, WhyMoment


class FadingStage:
    """A stage between two whys, which come and go without their sentences."""

    def __init__(self, stage: Stage, beside: tuple[WhyMoment | None, WhyMoment | None]) -> None:
        self.stage, self._beside = stage, beside
        self.sheet, self.theme = stage.sheet, stage.theme
        self._veil = rectangles([self.sheet.page])
        self._page: list[Outline] = []
        self._comes, self._over = False, list[Outline]()

    @property
    def still(self) -> Sequence[Outline]:
        """What never changes."""
        return self.stage.still

    @property
    def settled(self) -> Sequence[Outline]:
        """What changes from shot to shot."""
        return self.stage.settled

    @property
    def moving(self) -> Sequence[Outline]:
        """What changes in every frame of a shot that travels."""
        return self.stage.moving

    @property
    def front(self) -> Sequence[Outline]:
        """What nothing covers, but the why that comes or goes."""
        return [*self.stage.front, *self._over]

    def show(self, keyframe: Keyframe) -> None:
        """Draw a keyframe, and the why that comes or goes in it at its beginning."""
        self.stage.show(keyframe)
        self._comes = keyframe.camera[1] == AWAY
        why = self._beside[self._comes] if AWAY in keyframe.camera else None
        self._page = []
        if why is not None:
            page = PageScene(replace(why[0], silent=True), self.theme)
            page.show(why[1])
            self._page = page.moving
        self.travel(0.0)

    def travels(self, keyframe: Keyframe) -> bool:
        """Whether anything moves."""
        return self.stage.travels(keyframe)

    def travel(self, time: float) -> None:
        """Put what is under way where it is at `time`, from 0 to 1."""
        self.stage.travel(time)
        part = MOTION.eased(time if self._comes else 1 - time)
        page = [faded(outline, part) for outline in self._page]
        veil = [Outline(self._veil, look(self.theme.background, part))] if page else []
        self._over = [*veil, *page]
