"""Fonts of all pictures, those that stand in for letters these lack, and letters in none."""

from __future__ import annotations

from collections.abc import Callable

from collectives.progress import announce
from collectives.words import escaped

SANS, MONO = "DejaVu Sans", "DejaVu Sans Mono"
FALLBACKS = (  # with many scripts; those that are installed are used
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Micro Hei"),
    *("WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAGothic", "PingFang SC", "Microsoft YaHei"),
    *("Arial Unicode MS", "Noto Emoji", "Symbola", "Unifont"),
)
_announced: list[str] = []


def drawable(text: str, is_known: Callable[[str], bool]) -> str:
    """The text with numbers for letters that no font has, which is announced once.

    Line breaks stay: they are no letters, so that no font need have them.
    """
    if text.isascii():
        return text
    letters = dict.fromkeys(text.replace("\n", ""))
    lacking = "".join(letter for letter in letters if not is_known(letter))
    if lacking and not _announced:
        _announced.append(lacking)
        rule = f"a picture shows {escaped(lacking[0])}"
        announce(f"no font here has {lacking[:8]}: {rule}; try: install {FALLBACKS[0]}")
    return "".join(escaped(letter) if letter in lacking else letter for letter in text)
