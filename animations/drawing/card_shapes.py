"""The inside of cards: a line for the name, and cells in rows that suit the room there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from animations.drawing.scenery import Card, CardShape
from animations.drawing.shapes import CARD_RADIUS, Box, TextLine

Lanes = tuple[tuple[int, ...], ...]  # rows of cells in a card: the size of each group of cells
WIDEST_CELL = 120.0
ROOMY = 130.0  # height of a card from which its cells have labels
LABELED = 30.0  # width of a cell and its gap, from which it has a label
CLOSE = 8.0  # width of a cell of a share, below which there are more rows of shares
FEW = 12.0  # width of a cell, below which a card has more rows of cells
NAMED, HIGH = 26.0, 60.0  # size of a card from which it has a line for its name
CENTERED = 64.0  # width of a card, below which its name is in the middle
LEAST_NAME = 18.0  # pixels of the name of a card; a smaller one is cut to its number
BOLD = 0.7  # width of a bold letter, as browsers set it, of its size
SMALLEST_NAME = 15.0  # of that number; smaller ones are left out
LARGEST_NAME = 26.0
UNDER = 3.0  # pixels below the line of a name that stands under the cells
SENT = 250.0  # width of a card from which it says what its node has sent


def card_shape(
    width: float, height: float, lanes: Lanes, radius: float = CARD_RADIUS, wraps: bool = True
) -> CardShape:
    """The shape of a card of this size with these cells; `wraps`: in more rows where narrow."""
    header = (
        max(26.0, min(0.19 * height, 0.115 * width, 34.0))
        if width >= NAMED and height >= HIGH
        else 4.0
    )
    room, foot = width - min(18.0, 0.2 * width), min(14.0, 0.1 * height)
    rows = _wrapped(lanes, width, height - header) if wraps else lanes
    pitch = room / max(map(row_width, rows))
    labels = _label_height(pitch, height, (height - header - foot) / len(rows) - 22, len(rows))
    gap = min(8.0, 0.16 * pitch)
    between = min(6.0, 0.02 * height)
    tall = (height - header - foot + between * (1 - len(rows))) / len(rows) - labels
    wide = min(pitch - gap, WIDEST_CELL)
    left = width / 2 + (1 - max(map(row_width, rows))) / 2 * min(pitch, wide + gap)
    cells, groups, bases = [], [], []
    for row, sizes in enumerate(rows):
        y = header + 0.43 * foot + tall / 2 + row * (tall + labels + between)
        middles = [left + at * min(pitch, wide + gap) for at in columns(sizes, 0.5)]
        cells += [Box(x, y, wide, tall) for x in middles]
        bases += [y + tall / 2 + (25 if len(rows) == 1 else 19)] * len(middles) if labels else []
        for first, last in _ends(sizes):
            middle = (middles[first] + middles[last]) / 2
            groups.append(Box(middle, y, middles[last] - middles[first] + wide, tall))
    outside, size = (width, height, radius, header), 19.0 if len(rows) == 1 else 17.0
    inside = tuple(cells), tuple(bases), size, tuple(groups)
    return CardShape(*outside, *inside, width >= SENT, "center" if width < CENTERED else "left")


def name_line(card: Card, whole: str, width: Callable[[str], float]) -> TextLine | None:
    """The name of a card, or its number where that has no room; None where that has none either.

    width: of a bold text, in times its size.
    """
    box, shape = card.box, card.shape
    edge = 0.12 if shape.name_at == "center" else 0.2
    room = 0.42 * box.width if shape.shows_sent else box.width - min(16, edge * box.width)
    size = min(LARGEST_NAME, 0.82 * shape.header)
    fits = {name: min(size, room / width(name)) for name in (whole, whole.split()[-1])}
    name = next((name for name in fits if fits[name] >= LEAST_NAME), whole.split()[-1])
    if min(fits[name], shape.header) < SMALLEST_NAME:
        return None
    side = 12 if fits[name] == size or shape.shows_sent else min(8, 0.1 * box.width)
    x = {"left": box.left + side, "center": box.x, "right": box.right - side}[shape.name_at]
    base = box.top + shape.name_top + 0.78 * shape.header + 2
    return TextLine(name, x, base, fits[name], card.name_tone, "bold", shape.name_at)


def in_shares(lanes: Lanes, shares: int, width: float, height: float) -> Lanes:
    """A single row of cells with a gap between so many shares of them, in several rows if narrow.

    >>> in_shares(((8,),), 4, 120, 200), in_shares(((8,),), 4, 60, 200)
    (((2, 2, 2, 2),), ((2, 2), (2, 2)))
    """
    wells = sum(lanes[0])
    if len(lanes) > 1 or wells % shares or not 1 < shares < wells:
        return lanes
    rows = [
        (wells // shares,) * (shares // rows)
        for rows in range(1, shares + 1)
        if shares % rows == 0 and (rows == 1 or (height - 40) / rows > 32)
    ]
    fitting = (row for row in rows if (width - 18) / row_width(row) >= CLOSE)
    row = next(fitting, rows[-1])
    return (row,) * (wells // sum(row))


def _label_height(pitch: float, height: float, room: float, rows: int) -> float:
    """Height of the line below each row of cells; 0 where there is no room for labels."""
    if pitch < LABELED or height < ROOMY or (rows > 1 and room < 22):
        return 0.0
    return 26.0 if rows == 1 else 22.0


def _wrapped(lanes: Lanes, width: float, height: float) -> Lanes:
    """The rows of cells, each cut into several where cells would be too narrow."""
    rows: list[tuple[int, ...]] = []
    for sizes in lanes:
        pieces = 1
        while (width - 18) / -(-sum(sizes) // pieces) < FEW and height / (pieces + 1) > 24:
            pieces += 1
        if pieces == 1 or len(sizes) > 1:
            rows.append(sizes)
            continue
        long = -(-sizes[0] // pieces)
        rows += [(min(long, sizes[0] - first),) for first in range(0, sizes[0], long)]
    return tuple(rows)


def columns(groups: Sequence[int], gap: float) -> list[float]:
    """The left edge of each cell of a row, in cells, with a gap between groups."""
    group = [i for i, size in enumerate(groups) for _ in range(size)]
    return [at + gap * i for at, i in enumerate(group)]


def row_width(groups: Sequence[int]) -> float:
    """Width of a row of cells in a card, in cells; half a cell lies between two groups."""
    return columns(groups, 0.5)[-1] + 1


def _ends(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first and the last cell of each group of a row."""
    first = 0
    for size in sizes:
        yield first, first + size - 1
        first += size
