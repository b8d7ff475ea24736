"""Where things stand on a card: its page, and the rooms of its two stages."""

from __future__ import annotations

from dataclasses import replace

from animations.drawing.shapes import Box
from animations.drawing.sheet import Sheet

CARD = 1080.0  # pixels of the shorter side of the page of a card
TITLE, STACKED = 110.0, 90.0  # baseline of the title; between stages one above the other


def card_page(sheet: Sheet) -> Sheet:
    """The page on which a card is laid out: as high as those with room for subtitles."""
    if sheet.cues:
        return sheet
    times = CARD / min(sheet.width, sheet.height)
    return replace(sheet, width=round(times * sheet.width), height=round(times * sheet.height))


def stage_rooms(sheet: Sheet) -> tuple[Box, Box]:
    """The rooms of the two stages of a title card: side by side, or one above the other."""
    top, bottom = TITLE + 270.0, sheet.height - 60.0
    if sheet.width > sheet.height:
        wide, high = sheet.width / 2 - 70, bottom - top
        y, left = top + high / 2, 50 + wide / 2
        return Box(left, y, wide, high), Box(sheet.width - left, y, wide, high)
    high = (bottom - top - STACKED) / 2
    wide = sheet.width - 100.0
    first, second = top + high / 2, bottom - high / 2
    return Box(sheet.width / 2, first, wide, high), Box(sheet.width / 2, second, wide, high)
