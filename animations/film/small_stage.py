"""A state of a storyboard drawn small, in any box of a page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from manim import VMobject

from animations.film.shapes import on_page
from animations.film.stage import Stage
from animations.score.score import Keyframe
from animations.story.drawing import Box
from animations.story.sheet import Sheet
from animations.story.storyboard import Storyboard
from animations.story.theme import Theme


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

    def mobjects(self, keyframe: Keyframe, room: Box) -> list[VMobject]:
        """All that is there in a state, in a room."""
        stage, scale = self._stage, self._scale(room)
        stage.show(keyframe)
        at, to = (on_page(np.array([[b.x, b.y]]))[0] for b in (self._box, room))
        found = []
        for shown in (*stage.still, *stage.settled, *stage.front):
            if len(shown.points):
                small = shown.copy()
                small.points = (small.points - at) * scale + to
                small.set_stroke(width=small.get_stroke_width() * scale)
                found.append(small)
        return found

    def _scale(self, room: Box) -> float:
        return min(room.width / self._box.width, room.height / self._box.height)
