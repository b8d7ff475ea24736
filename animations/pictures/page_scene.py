"""Pages of lectures and whys as scenes: boxes, lines and text, drawn anew while an item comes."""

from __future__ import annotations

from typing import Any

from animations.drawing.drawing import Drawing, Page, PageMoment, in_theme
from animations.drawing.pointer import framed
from animations.drawing.render.outlines import Outline, moved, outlines
from animations.drawing.theme import Theme
from animations.whys.why import Why


class PageScene:
    """The scene of a page; a moment is a `PageMoment`."""

    still = settled = front = ()

    def __init__(self, page: Page, theme: Theme) -> None:
        self.page, self.theme, self.sheet = page, theme, page.sheet
        self._scale = page.scale if isinstance(page, Why) else 1.0
        self.moving: list[Outline] = []
        self._moment = PageMoment(0, False)
        self._drawing: Drawing | None = None

    def show(self, moment: Any) -> None:
        """The page before the item has come, or with it."""
        self._moment = PageMoment(*moment)
        self.travel(0.0)

    def travels(self, moment: Any) -> bool:
        """Whether an item comes, or is pointed at."""
        item = PageMoment(*moment)
        return bool(item.comes or item.pointed)

    def travel(self, time: float) -> None:
        """The page at `time` of the item's way; what is drawn alike is not made again."""
        item, comes, pointed = self._moment
        drawing = self.page.at(item, time if comes else 1.0)
        drawing = framed(drawing, pointed, 2 * time - 1 if comes else time)
        if drawing == self._drawing:
            return
        self._drawing = drawing
        parts = outlines(in_theme(drawing.shapes, self.theme))
        scale = self._scale
        self.moving = parts if scale == 1 else [moved(part, scale) for part in parts]
