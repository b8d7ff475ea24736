"""How lines that are compared differ: by color, marker and dashes, never by color alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from animations.drawing.theme import Theme
from collectives.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 2), (2, 2), (8, 2, 2, 2), (4, 1, 1, 1, 1, 1))
PALEST = 0.4  # of the shades, 0 to 1: that of the smallest value above 0
HUES = (0, 1, 2, 3, 5, 4, 6, 7)  # of the colors of ranks, the most different first


@dataclass(frozen=True)
class LineStyle:
    """Color, marker and dashes of a line; no dashes: solid. hollow: its markers are."""

    color: str
    marker: str
    dashes: tuple[float, ...]
    hollow: bool = False

    @property
    def arguments(self) -> dict[str, Any]:
        """Color, marker and dashes as matplotlib takes them."""
        return {"color": self.color, "marker": self.marker, "dashes": self.dashes or (None, None)}


def line_styles(number: int, theme: Theme) -> list[LineStyle]:
    """So many different styles; raises BadInput for more than can be told apart."""
    if number > len(HUES):
        raise BadInput(
            f"{number} lines in one figure cannot be told apart; try: name {len(HUES)} of them"
        )
    return [
        LineStyle(theme.ranks[HUES[k]], MARKERS[k], DASHES[k % len(DASHES)]) for k in range(number)
    ]


def shades(theme: Theme) -> Colormap:
    """Shades from 0, an empty cell's, to the largest value."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("levels", list(theme.levels))


def shades_above_zero(theme: Theme) -> Colormap:
    """The same for values above 0, the smallest of them well off the shade of 0 (under)."""
    from matplotlib.colors import LinearSegmentedColormap

    every = shades(theme)
    colormap = LinearSegmentedColormap.from_list("above", every(np.linspace(PALEST, 1, 256)))
    return colormap.with_extremes(under=every(0.0))


def text_color(ground: str, theme: Theme) -> str:
    """The theme's ink or its background, whichever is read better on a color, #rrggbb."""

    def contrast(color: str) -> float:
        low, high = sorted((_luminance(ground), _luminance(color)))
        return (high + 0.05) / (low + 0.05)

    return max((theme.ink, theme.background), key=contrast)


def _luminance(color: str) -> float:
    """How light a color looks, 0 to 1, as WCAG defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
