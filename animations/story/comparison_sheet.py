"""The boxes of a page on which two to four algorithms run side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.drawing.shapes import Box
from animations.drawing.sheet import LECTURE, Sheet
from animations.drawing.time_lanes import AXIS

LEFT, RIGHT = 48.0, 1872.0  # edges of everything
PANELS, LANES = (122.0, 604.0), (642.0, 978.0)  # top and bottom
BESIDE = 92.0  # a matrix, for the numbers of its rows
GAP, BETWEEN = 20.0, 12.0  # between panels, and between the lanes of two algorithms
HEADER, PADDING = 46.0, 10.0  # of a panel: for its name, and around its stage
SIDE = 226.0  # left of the lanes, for what an algorithm takes


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
        sheet = Sheet(name, LECTURE.width, LECTURE.height, (Box.between(*inner),), beside=BESIDE)
        side = Box.between(LEFT, top, LEFT + SIDE, top + high)
        lanes = Box.between(LEFT + SIDE, top, RIGHT, bottom)
        panels.append(ContenderBoxes(panel, sheet, side, lanes))
    page = replace(
        LECTURE,
        name=f"{number} compared",
        stages=tuple(panel.sheet.stage for panel in panels),
        head=Box.between(LEFT, 20, RIGHT, 112),
        foot=Box.between(LEFT, 990, RIGHT, 1070),
        source=None,
        counters=None,
        legend=None,
        timeline=None,
    )
    return ComparisonSheet(page, tuple(panels))
