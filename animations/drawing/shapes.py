"""What film, figure and page draw alike: boxes, strokes, text, radii, limits and motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from animations.phrases import breakable

Align = Literal["left", "center", "right"]
Point = tuple[float, float]
CARD_RADIUS, CELL_RADIUS, LENS_RADIUS = 14, 5, 8  # of their corners
MOST_LINKS = 200  # lines between cards; more would be a blur
HATCH = 13.0  # pixels from one line of a hatch to the next, along a row
UNLIT = 0.7  # width of a line that is not lit, of that when it is
BADGE = 13.0  # pixels, radius of + and =, at most
MOST_BADGES = 30  # parcels in a step that bear them; of more they would hide what moves
MOST_TRANSFERS = 300  # chunks of a step that are drawn on their way; more only where they land


@dataclass(frozen=True)
class Box:
    """A rectangle by its center and size, in pixels of the page; y points down."""

    x: float
    y: float
    width: float
    height: float

    @classmethod
    def between(cls, left: float, top: float, right: float, bottom: float) -> Box:
        """The rectangle between four edges."""
        return cls((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)

    @property
    def left(self) -> float:
        """The left edge."""
        return self.x - self.width / 2

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.y - self.height / 2

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width / 2

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height / 2

    @property
    def sides(self) -> tuple[tuple[Point, Point], ...]:
        """The lines round it, clockwise from the top."""
        left, top, right, bottom = self.left, self.top, self.right, self.bottom
        corners = (left, top), (right, top), (right, bottom), (left, bottom)
        return tuple(zip(corners, (*corners[1:], corners[0]), strict=True))

    def rows(self, count: int) -> list[Box]:
        """Equal parts, one below the other."""
        high = self.height / count
        return [Box(self.x, self.top + (k + 0.5) * high, self.width, high) for k in range(count)]

    def overlaps(self, box: Box, gap: float = 0) -> bool:
        """Whether two boxes are nearer than `gap` in both directions."""
        return (
            abs(self.x - box.x) < (self.width + box.width) / 2 + gap
            and abs(self.y - box.y) < (self.height + box.height) / 2 + gap
        )

    def toward(self, goal: Box, way: float) -> Box:
        """Itself on its way to another place and size."""
        ends = [(box.x, box.y, box.width, box.height) for box in (self, goal)]
        return Box(*(a + way * (b - a) for a, b in zip(*ends, strict=True)))

    def holds(self, box: Box) -> bool:
        """Whether a box is whole inside."""
        across = self.left <= box.left and box.right <= self.right
        return across and self.top <= box.top and box.bottom <= self.bottom


def outline_width(cell: Box) -> float:
    """Width of the outline of a cell that a step writes."""
    return min(3.0, 0.1 * cell.width, 0.1 * cell.height)


STALE = 0.62  # opacity of the veil over a cell that matters no more
TRACED = 5.0  # pixels of the border of what is marked from start to end


def traced_border(cell: Box) -> float:
    """The same of a cell; of a narrow one less, or it would hide what is inside."""
    return min(TRACED, cell.width / 5)


def goal_bar(cell: Box) -> Box:
    """The mark below a cell of which something is promised."""
    return Box(cell.x, cell.bottom + 3, 0.8 * cell.width, 3)


@dataclass(frozen=True)
class TextLine:
    """A line of text: its left end, middle or right end, its baseline and em in pixels."""

    text: str
    x: float
    baseline: float
    size: float
    color: str
    face: str = "sans"
    align: Align = "left"


@dataclass(frozen=True)
class ColoredBox:
    """A rectangle of one color with round corners.

    color: none where it is only outlined. edge: the color of its outline, `width` pixels wide.
    name: by which it is found in a file.
    """

    box: Box
    color: str
    radius: float = 0.0
    edge: str = ""
    width: float = 0.0
    opacity: float = 1.0
    name: str = ""


@dataclass(frozen=True)
class Stroke:
    """A Bézier curve in one color, with an arrow at its end or without.

    dashes: lengths in widths of the line, in turn drawn and left out; none: a solid line.
    """

    points: tuple[Point, ...]
    color: str
    width: float
    arrow: bool = False
    name: str = ""
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True)
class Area:
    """What closed Bézier curves surround, in one color, such as a glyph; four points a curve."""

    points: tuple[Point, ...]
    color: str
    name: str = ""


Shape = ColoredBox | Stroke | Area | TextLine


NEARLY = 0.88  # of the least size of letters, from which on they grow to it


def legible(shapes: Iterable[Shape], smallest: float) -> Iterator[Shape]:
    """Shapes without text that is smaller than `smallest` pixels; what nearly is so large grows."""
    for shape in shapes:
        if not isinstance(shape, TextLine) or shape.size >= smallest:
            yield shape
        elif shape.size >= NEARLY * smallest:
            yield replace(shape, size=smallest)


def hatch(box: Box, pitch: float = HATCH) -> Iterator[tuple[Point, Point]]:
    """Slanting lines inside a box."""
    first, last = box.left + box.top, box.right + box.bottom
    for total in range(int(first // pitch) + 1, int(last // pitch) + 1):
        along = total * pitch  # of x + y
        low, high = max(box.left, along - box.bottom), min(box.right, along - box.top)
        if high > low:
            yield (low, along - low), (high, along - high)


def in_lines(text: str, fits: Callable[[str], bool]) -> list[str]:
    """The words of a text in lines that fit; one that is too long has a line of its own."""
    lines = [""]
    for word in breakable(text):
        longer = lines[-1] + word
        if lines[-1] and not fits(longer.strip()):
            lines.append(word)
        else:
            lines[-1] = longer
    return [line.strip() for line in lines]


@dataclass(frozen=True)
class Motion:
    """How data travels in a step; times are parts of the step.

    Until `lifted` it comes out of its cells, until `arrived` it goes along its way, until
    `landed` it enters the cells it is for; then it rests there, so that the sum is seen.
    easing: coefficients of t³ (a + b t + c t²), with no jump in speed or acceleration.
    """

    lifted: float = 0.1
    arrived: float = 0.72
    landed: float = 0.9
    easing: tuple[int, int, int] = (10, -15, 6)

    def parts(self, time: float) -> tuple[float, float, float]:
        """How far it is lifted, has traveled, and has landed at a time: each from 0 to 1."""
        return (
            self.eased(time / self.lifted),
            self.eased((time - self.lifted) / (self.arrived - self.lifted)),
            self.eased((time - self.arrived) / (self.landed - self.arrived)),
        )

    def eased(self, part: float) -> float:
        """A part of a way in time as the part of its length."""
        part = min(max(part, 0.0), 1.0)
        a, b, c = self.easing
        return part**3 * (a + b * part + c * part**2)


MOTION = Motion()
IN_TIME = Motion(0.08, 0.86, 1.0)  # it lands when it ends, no sooner
