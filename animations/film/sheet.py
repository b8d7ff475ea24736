"""The sheet a picture is set on: places of its panels, words and fills as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from animations.story.box import Box

MARGIN = 48
RIGHT = 1872
COLUMN = Box(1541, 0, 662, 0)
SOURCE = Box(COLUMN.x, 259, COLUMN.width, 418)
COUNTERS = Box(COLUMN.x, 600, COLUMN.width, 240)
LEGEND = Box(COLUMN.x, 816, COLUMN.width, 168)
INSIDE = COLUMN.left + 26
INSIDE_RIGHT = COLUMN.right - 26
TIMELINE = Box(960, 1013, RIGHT - MARGIN, 14)
MONO_WIDTH = 0.6025  # of an em


@dataclass(frozen=True)
class Words:
    """A line of text: its left end, middle or right end, its baseline and em in pixels."""

    text: str
    x: float
    baseline: float
    size: float
    color: str
    face: str = "sans"
    align: str = "left"


@dataclass(frozen=True)
class Fill:
    """A rectangle of one color with round corners."""

    box: Box
    color: str
    radius: float = 0.0


@dataclass(frozen=True)
class Moment:
    """A point of the film: step `step` (0: the start) is under way, or has `landed`."""

    step: int
    landed: bool = True

    @property
    def done(self) -> int:
        """Steps whose result is drawn."""
        return self.step if self.landed else self.step - 1
