"""Two tables of blocks, to send and received: their rows, words, and the lanes between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from animations.drawing.scenery import CardShape, Ground, Way, Word
from animations.drawing.shapes import MOST_TRANSFERS, Box
from animations.stages.staged import MOST_PLAIN, Staged
from collectives.schedule.step import rows
from collectives.structure import Exchange

HEAD = 84.0  # height of the lines above the tables
PARTNERS, MORE = 204.0, 34.0  # height of what is below them, and more of it from 9 ranks on
CHIPS, LEGIBLE = 90.0, 44.0  # height of chips alone, and of a row, below which there is no circle
LARGEST, TALLEST = 88.0, 72.0  # pixels from one cell to the next
GROUP_GAP = 16.0  # pixels between the rows of two groups
BETWEEN = (0.22, 0.29)  # of the width, the space between the tables
NUMBER = 36.0  # width of the numbers of rows beside the received blocks
BEND = 64.0  # pixels to the right that data travels between the tables, at least
LANE = 1.1  # of the width of what travels, from one lane to the next
SEVERAL = 1.6  # times the width of a chunk, that several chunks are wide
LARGEST_PARCEL = 88.0


@dataclass(frozen=True)
class Tables:
    """Where the two tables stand; `left` and `right` are the columns of either, as well numbers.

    below: height of what is below them, with a circle of partners where `has_circle`.
    """

    box: Box
    name: float
    pitch: float
    high: float
    gap: float
    left: tuple[int, ...]
    right: tuple[int, ...]
    waits: int
    below: float

    @property
    def has_circle(self) -> bool:
        """Whether there is room for a circle of partners, not only for chips."""
        return self.below > CHIPS

    @property
    def start(self) -> float:
        """The right edge of the left table."""
        columns = len(self.left) + 0.3 * (self.waits > 0)
        return self.box.left + self.name + columns * self.pitch + 6

    @property
    def end(self) -> float:
        """The left edge of the right table."""
        return self.start + self.gap

    def column(self, well: int) -> float:
        """The middle of the column of a well."""
        if well in self.right:
            return self.end + NUMBER + (self.right.index(well) + 0.5) * self.pitch
        place = self.left.index(well)
        shift = 0.3 * (place >= len(self.left) - self.waits)
        return self.box.left + self.name + (place + shift + 0.5) * self.pitch


def tables_of(staged: Staged, box: Box, structure: Exchange) -> Tables:
    """The largest tables that fit above the circle of partners."""
    sizes = [sum(lane) for lane in staged.lanes]
    left = (*range(sizes[0]), *range(sizes[0] + sizes[1], sum(sizes)))
    right = tuple(range(sizes[0], sizes[0] + sizes[1]))
    waits = len(left) - sizes[0]
    spaces = GROUP_GAP * max(0, len(structure.groups) - 1)
    partners = partners_height(staged.ranks, box.height - HEAD - spaces)
    high = min(TALLEST, (box.height - HEAD - partners - spaces) / staged.ranks)
    name = max(34.0, min(118.0, 4.3 * min(26.0, 0.62 * high) + 16))
    name = name if name < 0.12 * box.width else 34.0
    columns = len(left) + len(right) + 0.3 * (waits > 0)
    narrowest, widest = (share * box.width for share in BETWEEN)
    gap = max(120.0, narrowest, min(widest, 8 + BEND + reach(staged) * LARGEST_PARCEL))
    pitch = min((box.width - name - NUMBER - gap - 12) / columns, LARGEST, max(1.5 * high, 44.0))
    width = name + NUMBER + gap + 12 + columns * pitch
    tall = staged.ranks * high + spaces
    top = box.y - (HEAD + tall + partners) / 2 + HEAD
    place = Box(box.x, top + tall / 2, width, tall)
    return Tables(place, name, pitch, high, gap, left, right, waits, partners)


def partners_height(ranks: int, room: float) -> float:
    """The height of what is below the tables; room: that of both. Rows come before a circle."""
    high = PARTNERS + MORE * (ranks > 8)
    return high if room - high >= LEGIBLE * ranks else CHIPS


def rows_of(staged: Staged, tables: Tables, structure: Exchange) -> list[float]:
    """The middle of the row of each rank, with a space between groups."""
    home = {rank: number for number, group in enumerate(structure.groups) for rank in group}
    top = tables.box.top + tables.high / 2
    return [
        top + rank * tables.high + GROUP_GAP * home.get(rank, 0) for rank in range(staged.ranks)
    ]


def row_shape(staged: Staged, tables: Tables) -> CardShape:
    """A row: cells, in two parts with the space between them."""
    high, gap = tables.high, min(5.0, 0.12 * tables.pitch)
    line = min(8.0, 0.14 * high)
    width, height = tables.pitch - gap, high - line
    edge = tables.box.left
    cells = tuple(
        Box(tables.column(well) - edge, height / 2, width, height - min(4.0, line))
        for well in range(staged.fold.wells)
    )
    start, end = tables.start - edge, tables.end - edge
    parts = (
        Box(start / 2, height / 2, start, height),
        Box((end + tables.box.width) / 2, height / 2, tables.box.width - end, height),
    )
    header = (height / 2 - 2) / 0.485
    header = header if 0.82 * header < 26 else (height / 2 + 7.4) / 0.78
    header = header if tables.name > 40 else 4.0  # there are words instead of names
    return CardShape(tables.box.width, height, 8, header, cells, parts=parts)


def group_grounds(tables: Tables, middles: list[float], structure: Exchange) -> Iterator[Ground]:
    """A box around the rows of each group."""
    for group in structure.groups if len(structure.groups) > 1 else ():
        top, bottom = middles[group[0]] - tables.high / 2, middles[group[-1]] + tables.high / 2
        box = tables.box
        yield Ground(Box(box.x, (top + bottom) / 2, box.width + 8, bottom - top + 8), "", "edge")


def titles(staged: Staged, tables: Tables) -> Iterator[Word]:
    """What the tables and their columns are."""
    top, own = tables.box.top, len(tables.left) - tables.waits
    say = staged.say
    parts = [(say("stage.to_send"), say("stage.block_for"), tables.left[:own])]
    parts.append((say("stage.received"), say("stage.block_from"), tables.right))
    for title, note, wells in parts:
        middle = (tables.column(wells[0]) + tables.column(wells[-1])) / 2
        yield Word(title, middle, top - 60, 24, "ink", "center", True)
        if len(wells) * tables.pitch > 9.4 * len(note):
            yield Word(note, middle, top - 34, 19, "faint", "center")
        every = next(n for n in (1, 2, 4, 8) if n * tables.pitch >= 27)
        for place, well in enumerate(wells):
            if place % every == 0:
                number = staged.fold.well.index(well) % staged.ranks
                yield Word(f"{number}", tables.column(well), top - 8, 19, "faint", "center")
    if tables.waits:
        wells = tables.left[own:]
        middle = (tables.column(wells[0]) + tables.column(wells[-1])) / 2
        if tables.waits * tables.pitch + 0.3 * tables.pitch >= 86:
            yield Word(say("stage.waiting"), middle, top - 60, 22, "faint", "center", True)
            yield Word(say("stage.waiting_for"), middle, top - 34, 19, "faint", "center")


def numbers(staged: Staged, tables: Tables, middles: list[float]) -> Iterator[Word]:
    """The ranks of the rows beside the received blocks, and left where names have no room."""
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * tables.high >= 23)
    for rank in range(0, staged.ranks, every):
        tone = f"rank {rank}" if staged.fold.is_plain else "faint"
        x, size = tables.end + NUMBER - 8, 20 if staged.ranks <= MOST_PLAIN else 18
        yield Word(f"{rank}", x, middles[rank] + 7, size, tone, "right", True)
        if every > 1 or tables.name <= 40:
            yield Word(f"{rank}", tables.box.left + 26, middles[rank] + 7, size, tone, "right")


def kept_blocks(staged: Staged) -> dict[int, set[tuple[int, int]]]:
    """The steps, from 1, in which ranks put blocks of their own among the received: rank, slot."""
    kept_blocks: dict[int, set[tuple[int, int]]] = {}
    n = staged.ranks
    for number, step in enumerate(staged.recording.steps, 1):
        for src, dst, chunk, into, *_ in rows(step.unrolled()):
            if src == dst and n <= into < 2 * n:
                kept_blocks.setdefault(number, set()).add((src, chunk))
    return kept_blocks


@dataclass(frozen=True)
class CrossingLanes:
    """The lanes of a step: one for each number of rows that data moves down, side by side.

    wide: of what travels, by the width of a chunk.
    """

    order: tuple[int, ...]
    wide: float

    @property
    def pitch(self) -> float:
        """From one lane to the next, by the width of a chunk."""
        return LANE * self.wide

    @property
    def reach(self) -> float:
        """The width of all lanes, by the width of a chunk."""
        return self.pitch * (len(self.order) - 1) + self.wide


def _lanes(staged: Staged) -> list[CrossingLanes]:
    lanes, kept = [], kept_blocks(staged)
    for number, messages in enumerate(staged.steps, 1):
        shifts = {m.dst - m.src for m in messages} | ({0} if number in kept else set())
        several = any(len(message.chunks) > 1 for message in messages)
        lanes.append(CrossingLanes(tuple(sorted(shifts)), SEVERAL if several else 1.0))
    return lanes


def reach(staged: Staged) -> float:
    """The width of all lanes in the step that has most of them, by the width of a chunk."""
    steps = zip(_lanes(staged), staged.steps, strict=True)
    return max((lanes.reach for lanes, sent in steps if len(sent) <= MOST_TRANSFERS), default=1.0)


def crossing_ways(
    staged: Staged, start: float, gap: float, middles: Sequence[float], wide: float
) -> tuple[dict[tuple[int, int], Way], dict[tuple[int, int, int], Way]]:
    """From the space's left edge to its right one; nobody meets, as all move right alike."""
    ways: dict[tuple[int, int], Way] = {}
    own: dict[tuple[int, int, int], Way] = {}
    kept = kept_blocks(staged)
    for number, (lanes, messages) in enumerate(zip(_lanes(staged), staged.steps, strict=True), 1):
        bend = max(0.0, gap - 8 - lanes.reach * wide)
        first = start + 4 + lanes.wide * wide / 2
        begins = {
            shift: first + lanes.pitch * wide * lane for lane, shift in enumerate(lanes.order)
        }
        for message in messages:
            y, end = middles[message.src], middles[message.dst]
            begin = begins[message.dst - message.src]
            ways.setdefault((message.src, message.dst), _bent(begin, y, end, bend))
        for rank, chunk in kept.get(number, ()):
            y = middles[rank]
            own.setdefault((rank, rank, chunk), _bent(begins[0], y, y, bend))
    return ways, own


def _bent(x: float, y: float, end: float, bend: float) -> Way:
    """To the right by `bend`, and up or down to `end`."""
    return ((x, y), (x + 0.5 * bend, y), (x + 0.5 * bend, end), (x + bend, end))
