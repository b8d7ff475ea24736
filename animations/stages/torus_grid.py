"""Where the cards of a torus stand: in a grid, on two floors of one, or in planes round a loop."""

from __future__ import annotations

from dataclasses import dataclass

from animations.drawing.shapes import Box, Point

ACROSS, DOWN = 0.42, 0.6  # of the size of a card, that is between it and the next
WIDEST, TALLEST = 290.0, 220.0  # of a card
GAP, WIDE_GAP = 0.75, 1.3  # of a card's height, between the rows of a plane at a slant; if two
SMALLER = 0.8  # of the size of parcels, that have a short way there
MOST_ROWS = 4  # of a plane at a slant
HEAD = 30.0  # pixels for the name of a plane
BETWEEN = 46.0  # pixels between planes
BADGE = 14.0  # pixels that the sign of a parcel is higher


@dataclass(frozen=True)
class CardGrid:
    """The boxes of cards; `gaps` are those between neighbors, across and down.

    pitch: from one card of a row to the next. lane: half of what is between the directions of a
    link with another floor. scale: of parcels. planes: boxes around planes that stand side by
    side. names: where the name of each plane begins.
    outlines: the corners around planes that are drawn at a slant. in_line: whether planes stand
    in one line, so that what goes back from the last one needs room below.
    """

    boxes: tuple[Box, ...]
    gaps: tuple[float, float]
    pitch: float
    lane: float = 0.0
    planes: tuple[Box, ...] = ()
    names: tuple[Point, ...] = ()
    outlines: tuple[tuple[Point, ...], ...] = ()
    scale: float = 1.0
    in_line: bool = False

    @property
    def parcel(self) -> tuple[float, float]:
        """Width and height of a chunk on its way, at most."""
        wide, high = min(46.0, 0.31 * self.gaps[0]), min(52.0, 0.46 * self.gaps[1])
        return self.scale * wide, self.scale * high

    @property
    def rest(self) -> tuple[float, float]:
        """How far the middle of a parcel is from the border of a card that it leaves."""
        wide, high = self.parcel
        return 0.8 * wide + 3, high / 2 + 3


def grid(shape: tuple[int, ...], box: Box) -> CardGrid:
    """The cards of a torus of up to three dimensions, the last one across."""
    if len(shape) < 3:
        rows, columns = (1, *shape)[-2:]
        return _flat(rows, columns, box)
    if shape[0] == 2 and shape[1] <= MOST_ROWS:
        return _floors(shape[1], shape[2], box)
    return _planes(shape, box)


def _flat(rows: int, columns: int, box: Box) -> CardGrid:
    """Rows and columns, with room above rows and left of columns for links round the back."""
    before = (0.7 * ACROSS if rows > 2 else 0.0, 0.75 * DOWN if columns > 2 else 0.0)
    wide = min(WIDEST, box.width / (columns * (1 + ACROSS) - ACROSS + before[0]))
    high = box.height - (BADGE if columns > 2 else 0)
    tall = min(TALLEST, 1.25 * wide, high / (rows * (1 + DOWN) - DOWN + before[1]))
    pitch, down = (1 + ACROSS) * wide, (1 + DOWN) * tall
    left = box.x - ((columns - 1) * pitch - before[0] * wide) / 2
    top = box.y - ((rows - 1) * down - before[1] * tall - (BADGE if columns > 2 else 0)) / 2
    boxes = tuple(
        Box(left + column * pitch, top + row * down, wide, tall)
        for row in range(rows)
        for column in range(columns)
    )
    return CardGrid(boxes, (ACROSS * wide, DOWN * tall), pitch)


def _floors(rows: int, columns: int, box: Box) -> CardGrid:
    """Two planes, one above the other; each row of a plane is further to the right.

    The link between planes then passes between the cards of the other rows.
    """
    lean, lines, gap = 1 / rows, 2 * rows, GAP if rows > 2 else WIDE_GAP
    share = min(0.6, 1.4 * lean)
    above = 0.5 + 0.75 * gap  # from the middle of the first row to the outline, in heights
    high = (lines - 1) * (1 + gap) + 0.5 + above + 0.5
    tall = min(TALLEST, (box.height - 10) / high)
    down = (1 + gap) * tall
    before, after = lean * (above + 0.5) / (1 + gap), lean * (tall + 4) / down  # of outlines
    long = columns - 1 + lean * (rows - 1)
    pitch = min(WIDEST / share, (box.width - 20) / (long + share + before + after))
    wide = share * pitch
    left = box.x - (long + after - before) * pitch / 2
    top = box.y - 2 - high * tall / 2 + above * tall
    boxes: list[Box] = []
    for node in range(lines * columns):
        line, column = divmod(node, columns)
        floor, row = divmod(line, rows)
        y = top + (floor * rows + row) * down + 0.5 * tall * floor
        boxes.append(Box(left + (column + lean * row) * pitch, y, wide, tall))
    slope = lean * pitch / down
    outlines: list[Point] = []
    for floor in (0, 1):
        first = top + floor * (rows * down + 0.5 * tall)
        high, low = first - (0.5 + 0.75 * gap) * tall, first + (rows - 1) * down + 0.5 * tall + 4
        start = left - wide / 2 - 8 - slope * (first + 0.5 * tall - high), high
        end = (
            left + (columns - 1) * pitch + wide / 2 + 8 + slope * (high - first + 0.5 * tall),
            high,
        )
        turn = slope * (low - high)
        outlines += [start, end, (end[0] + turn, low), (start[0] + turn, low)]
    names = tuple((x + 24, y + 24) for x, y in outlines[::4])
    corners = tuple(tuple(outlines[i : i + 4]) for i in (0, 4))
    gaps = (1 - share) * pitch, gap * tall
    return CardGrid(
        tuple(boxes), gaps, pitch, 0.3 * (lean - share / 2) * pitch, (), names, corners, SMALLER
    )


def _planes(shape: tuple[int, ...], box: Box) -> CardGrid:
    """Planes round a loop, or side by side where their number is odd, each a grid in a box."""
    count, rows, columns = shape
    in_line = count % 2 == 1
    lines, across = (1, count) if in_line else (count // 2, 2)
    wide = (box.width - (across - 1) * BETWEEN) / across
    high = (box.height - (lines - 1) * BETWEEN) / lines
    planes: list[Box] = []
    boxes: list[Box] = []
    for plane in range(count):
        right = 0 < plane <= count // 2
        line, column = (plane - 1, 1) if right else ((count - plane) % count, 0)
        if in_line:
            line, column = 0, plane
        x = box.left + column * (wide + BETWEEN) + wide / 2
        outer = Box(x, box.top + line * (high + BETWEEN) + high / 2, wide, high)
        foot = 16 if not in_line else 0.1 * high
        inner = Box(x, outer.y + (HEAD - foot) / 2, wide - 24, high - HEAD - foot)
        flat = _flat(rows, columns, inner)
        planes.append(outer)
        boxes += flat.boxes
    names = tuple((plane.right - 98, plane.top + 26) for plane in planes)
    return CardGrid(
        tuple(boxes), flat.gaps, flat.pitch, planes=tuple(planes), names=names, in_line=in_line
    )
