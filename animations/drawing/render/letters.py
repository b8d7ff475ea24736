"""Fonts of matplotlib's figures: the installed ones, and which letters they have."""

from __future__ import annotations

import logging
from contextlib import suppress
from functools import cache

from animations.drawing.fonts import FALLBACKS, SANS


@cache
def families(first: str = SANS) -> tuple[str, ...]:
    """The names of the fonts of a text: the first, then those that stand in where it lacks one."""
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # some are not bold
    return (first, *(name for name in FALLBACKS if _path(name)))


@cache
def is_known(letter: str) -> bool:
    """Whether a font has a letter."""
    from matplotlib.font_manager import get_font

    return any(get_font(_path(name)).get_char_index(ord(letter)) for name in families())


@cache
def _path(family: str) -> str:
    """The file of a font; nothing where it is not installed."""
    from matplotlib.font_manager import findfont

    with suppress(ValueError):
        return str(findfont(family, fallback_to_default=False))
    return ""
