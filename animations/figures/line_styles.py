"""How lines that are compared differ: by color, marker and dashes, never by color alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from animations.story.theme import Theme
from collectives.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.colors import Colormap

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES: tuple[tuple[float, ...], ...] = ((), (6, 2), (2, 2), (8, 2, 2, 2), (4, 1, 1, 1, 1, 1))
LEAST = 0.4  # of the shades: that of the smallest thing
HUES = (0, 1, 2, 3, 5, 4, 6, 7)  # of the colors of ranks, the most different first


@dataclass(frozen=True)
class Ink:
    """What one of several lines is drawn with; no dashes: solid. hollow: its markers are."""

    color: str
    marker: str
    dashes: tuple[float, ...]
    hollow: bool = False


def inks(number: int, theme: Theme) -> list[Ink]:
    """So many different inks; raises BadInput for more than can be told apart."""
    if number > len(HUES):
        raise BadInput(
            f"{number} lines in one figure cannot be told apart; nearest: name {len(HUES)} of them"
        )
    return [Ink(theme.ranks[HUES[k]], MARKERS[k], DASHES[k % len(DASHES)]) for k in range(number)]


def shades(theme: Theme) -> Colormap:
    """From nothing to the most: from the shade of an empty cell to the last of the levels."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("levels", list(theme.levels))


def seen(theme: Theme) -> Colormap:
    """The shades of what is something, the least of it well off the shade of nothing (under)."""
    from matplotlib.colors import LinearSegmentedColormap

    every = shades(theme)
    made = LinearSegmentedColormap.from_list("seen", every(np.linspace(LEAST, 1, 256)))
    return made.with_extremes(under=every(0.0))


def ink_on(color: str, theme: Theme) -> str:
    """The theme's ink or its background, whichever is read better on a color, #rrggbb."""
    ground = _luminance(color)

    def contrast(ink: str) -> float:
        low, high = sorted((ground, _luminance(ink)))
        return (high + 0.05) / (low + 0.05)

    return max((theme.ink, theme.background), key=contrast)


def _luminance(color: str) -> float:
    """How light a color looks, 0 to 1, as WCAG defines it."""
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
