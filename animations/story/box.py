"""Rectangles on a page of 1920 × 1080 pixels, and the places that everything shares."""

from __future__ import annotations

from dataclasses import dataclass

PAGE = (1920, 1080)


@dataclass(frozen=True)
class Box:
    """A rectangle by its center and size, in pixels of the page; y points down."""

    x: float
    y: float
    width: float
    height: float

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

    def overlaps(self, other: Box, gap: float = 0) -> bool:
        """Whether two boxes are nearer than `gap` in both directions."""
        return (
            abs(self.x - other.x) < (self.width + other.width) / 2 + gap
            and abs(self.y - other.y) < (self.height + other.height) / 2 + gap
        )


STAGE = Box(610, 518, 1140, 752)
TABLE = Box(474, 540, 708, 700)  # of the matrix; to its right stands how many cells are complete
