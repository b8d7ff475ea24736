"""The boxes of a page on which two to four algorithms run side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.drawing.shapes import Box
from animations.drawing.sheet import FILM, Sheet
from animations.drawing.time_lanes import AXIS

LEFT, RIGHT = 36.0, 1404.0  # edges of everything
PANELS, LANES = (98.0, 452.0), (486.0, 722.0)  # top and bottom
BESIDE = 80.0  # a matrix, for the numbers of its rows
GAP, BETWEEN = 16.0, 10.0  # between panels, and between the lanes of two algorithms
HEADER, PADDING = 42.0, 8.0  # of a panel: for its name, and around its stage
SIDE = 216.0  # left of the lanes, for what an algorithm takes


@dataclass(frozen=True)
class ContenderBoxes:
    """The boxes of one algorithm. panel: around its stage. side: of its numbers, by its lanes."""

    panel: Box
    sheet: Sheet
    side: Box
    lanes: Box


@dataclass(frozen=True)
class ComparisonSheet:
    """The page: panels of all algorithms; head and foot as those of other pages.

    The last lanes have the axis of time below them.
    """

    page: Sheet
    panels: tuple[ContenderBoxes, ...]


def comparison_sheet(number: int) -> ComparisonSheet:
    """The page for so many algorithms, two to four."""
    wide = (RIGHT - LEFT - GAP * (number - 1)) / number
    high = (LANES[1] - LANES[0] - AXIS - BETWEEN * (number - 1)) / number
    panels = []
    for place in range(number):
        left, top = LEFT + place * (wide + GAP), LANES[0] + place * (high + BETWEEN)
        panel = Box.between(left, PANELS[0], left + wide, PANELS[1])
        inner = left + PADDING, PANELS[0] + HEADER, left + wide - PADDING, PANELS[1] - PADDING
        bottom = top + high + (AXIS if place == number - 1 else 0)
        name = f"compared {place + 1} of {number}"
        sheet = Sheet(
            name, FILM.width, FILM.height, (Box.between(*inner),), beside=BESIDE, cues=False
        )
        side = Box.between(LEFT, top, LEFT + SIDE, top + high)
        lanes = Box.between(LEFT + SIDE, top, RIGHT, bottom)
        panels.append(ContenderBoxes(panel, sheet, side, lanes))
    page = replace(
        FILM,
        name=f"{number} compared",
        stages=tuple(panel.sheet.stage for panel in panels),
        head=Box.between(LEFT, 14, RIGHT, 90),
        foot=Box.between(LEFT, 730, RIGHT, 804),
        source=None,
        counters=None,
        legend=None,
        timeline=None,
    )
    return ComparisonSheet(page, tuple(panels))
