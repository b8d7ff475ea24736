"""The end of a storyboard as a small PNG, drawn by numpy alone: for where a page may not run."""

from __future__ import annotations

import struct
import zlib
from math import ceil

import numpy as np
from numpy.typing import NDArray

from animations.drawing.shapes import Box, ColoredBox
from animations.drawing.theme import DARK, Theme
from animations.pictures.cells import behind, marks, wells
from animations.story.cell_marks import cell_contents
from animations.story.storyboard import Storyboard

PIXEL = 2  # units of the page that a pixel of the picture stands for
BORDER = 2 * PIXEL
WORD = """\
10001 1110 0110 1001 0111
10001 1001 1001 1101 1000
10101 1110 1001 1011 1011
10101 1010 1001 1001 1001
01010 1001 0110 1001 0111"""  # WRONG
ROWS_OF_DIGITS = "75557 26227 71747 71717 55711 74717 74757 71122 75757 75717"  # 3 bits each


def png(board: Storyboard, theme: Theme = DARK) -> bytes:
    """Cards with the numbers of their ranks, and what their cells hold after the last step.

    A wrong schedule has a border, the word on top, and outlines of the cells that are wrong.
    """
    held = cell_contents(board, len(board.frames))
    shapes = *behind(board, theme), *wells(board, theme), *marks(board, held, theme)
    boxes = [flat for shape in shapes for flat in _flat(shape)]
    named = () if board.scenery.table else board.scenery.cards[: board.ranks]
    for rank, card in enumerate(named):
        name_top = card.box.top + card.shape.name_top
        digits = _digits(str(rank), card.box.left, name_top, card.shape.header)
        boxes += [(digit, theme.tone(card.name_tone)) for digit in digits]
    palette = {theme.background: 0}
    stage = board.sheet.stage
    boxes += _wrong(board, stage, theme)
    pixels = np.zeros((int(stage.height) // PIXEL, int(stage.width) // PIXEL), np.uint8)
    for box, color in boxes:
        rows = _span(box.top - stage.top, box.bottom - stage.top)
        columns = _span(box.left - stage.left, box.right - stage.left)
        pixels[rows, columns] = palette.setdefault(color, len(palette))
    return _encoded(pixels, list(palette))


def _flat(shape: ColoredBox) -> list[tuple[Box, str]]:
    """A box as rectangles of one color: its edge, where that is wide enough to be seen, and it."""
    box, edged = shape.box, shape.edge and shape.width > PIXEL
    inner = Box(box.x, box.y, box.width - 2 * BORDER, box.height - 2 * BORDER) if edged else box
    both = [(box, shape.edge if edged else ""), (inner, shape.color)]
    return [(place, color) for place, color in both if color]


def _wrong(board: Storyboard, stage: Box, theme: Theme) -> list[tuple[Box, str]]:
    """The marks of a wrong schedule; none of a right one."""
    if board.wrong is None:
        return []
    outlined = [stage, *(box for box, _, _ in board.wrong.outlines)]
    lines = [side for box in outlined for side in _sides(box)]
    rows, side = WORD.splitlines(), 3 * PIXEL
    left, top = stage.left + 2 * side, stage.top + 2 * side
    wide = (len(rows[0]) + 4) * side
    tab = Box(stage.left + wide / 2, stage.top + 4.5 * side, wide, 9 * side)
    letters = [
        Box(left + (column + 0.5) * side, top + (row + 0.5) * side, side, side)
        for row, bits in enumerate(rows)
        for column, bit in enumerate(bits)
        if bit == "1"
    ]
    return [*((box, theme.wrong) for box in (*lines, tab)), *((b, theme.now_ink) for b in letters)]


def _sides(box: Box) -> list[Box]:
    """A rectangle as four lines."""
    wide = 2 * PIXEL
    flat = [Box(box.x, y, box.width, wide) for y in (box.top + PIXEL, box.bottom - PIXEL)]
    return flat + [Box(x, box.y, wide, box.height) for x in (box.left + PIXEL, box.right - PIXEL)]


def _span(first: float, end: float) -> slice:
    """The pixels from one place to another; without gaps between what is a few pixels wide."""
    small = end - first < 4 * PIXEL
    return slice(max(0, round(first / PIXEL)), ceil(end / PIXEL) if small else round(end / PIXEL))


def _digits(number: str, left: float, top: float, header: float) -> list[Box]:
    """A number in the line of the name of a card, as small squares."""
    side = PIXEL * max(1, round(header / 7 / PIXEL))
    left, top = left + 3 * BORDER, top + (header - 5 * side) / 2 + BORDER
    return [
        Box(left + (4 * i + column + 0.5) * side, top + (row + 0.5) * side, side, side)
        for i, digit in enumerate(number)
        for row, bits in enumerate(ROWS_OF_DIGITS.split()[int(digit)])
        for column in range(3)
        if int(bits) >> 2 - column & 1
    ]


def _encoded(pixels: NDArray[np.uint8], palette: list[str]) -> bytes:
    """A PNG file of indices into colors such as #12ab34."""
    high, wide = pixels.shape
    rows = np.pad(pixels, ((0, 0), (1, 0))).tobytes()  # each row begins with 0: not filtered
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes.fromhex("".join(palette).replace("#", ""))),
        (b"IDAT", zlib.compress(rows, 9)),
        (b"IEND", b""),
    )
    written = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(written)
