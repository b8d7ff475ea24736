"""Two tables of blocks, to send and received: where they stand, their rows, and their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.stages.crossing import BEND, LARGEST_PARCEL, reach
from animations.stages.given import MOST_PLAIN, Given
from animations.stages.scenery import CardShape, Ground, Word
from animations.story.drawing import Box
from collectives.structure import Exchange

HEAD = 84.0  # height of the lines above the tables
PARTNERS, MORE = 204.0, 34.0  # height of what is below them, and more of it from 9 ranks on
LARGEST, TALLEST = 88.0, 72.0  # pixels from one cell to the next
APART = 16.0  # pixels between the rows of two groups
BETWEEN = (0.22, 0.29)  # of the width, the space between the tables
NUMBER = 36.0  # width of the numbers of rows beside the received blocks


@dataclass(frozen=True)
class Tables:
    """Where the two tables stand; `left` and `right` are the columns of either, as well numbers."""

    box: Box
    name: float
    pitch: float
    high: float
    gap: float
    left: tuple[int, ...]
    right: tuple[int, ...]
    waits: int

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


def tables_of(given: Given, box: Box, structure: Exchange) -> Tables:
    """The largest tables that fit above the circle of partners."""
    sizes = [sum(lane) for lane in given.lanes]
    left = (*range(sizes[0]), *range(sizes[0] + sizes[1], sum(sizes)))
    right = tuple(range(sizes[0], sizes[0] + sizes[1]))
    waits = len(left) - sizes[0]
    spaces = APART * max(0, len(structure.groups) - 1)
    partners = partners_height(given.ranks)
    high = min(TALLEST, (box.height - HEAD - partners - spaces) / given.ranks)
    name = max(34.0, min(118.0, 4.3 * min(26.0, 0.62 * high) + 16))
    name = name if name < 0.12 * box.width else 34.0
    columns = len(left) + len(right) + 0.3 * (waits > 0)
    least, most = (share * box.width for share in BETWEEN)
    gap = max(120.0, least, min(most, 8 + BEND + reach(given) * LARGEST_PARCEL))
    pitch = min((box.width - name - NUMBER - gap - 12) / columns, LARGEST, max(1.5 * high, 44.0))
    width = name + NUMBER + gap + 12 + columns * pitch
    tall = given.ranks * high + spaces
    top = box.y - (HEAD + tall + partners) / 2 + HEAD
    place = Box(box.x, top + tall / 2, width, tall)
    return Tables(place, name, pitch, high, gap, left, right, waits)


def partners_height(ranks: int) -> float:
    """The height of what is below the tables."""
    return PARTNERS + MORE * (ranks > 8)


def rows_of(given: Given, tables: Tables, structure: Exchange) -> list[float]:
    """The middle of the row of each rank, with a space between groups."""
    home = {rank: number for number, group in enumerate(structure.groups) for rank in group}
    top = tables.box.top + tables.high / 2
    return [top + rank * tables.high + APART * home.get(rank, 0) for rank in range(given.ranks)]


def row_shape(given: Given, tables: Tables) -> CardShape:
    """A row: cells, in two parts with the space between them."""
    high, gap = tables.high, min(5.0, 0.12 * tables.pitch)
    line = min(8.0, 0.14 * high)
    width, height = tables.pitch - gap, high - line
    edge = tables.box.left
    cells = tuple(
        Box(tables.column(well) - edge, height / 2, width, height - min(4.0, line))
        for well in range(given.fold.wells)
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


def group_grounds(tables: Tables, places: list[float], structure: Exchange) -> Iterator[Ground]:
    """A box around the rows of each group."""
    for group in structure.groups if len(structure.groups) > 1 else ():
        top, bottom = places[group[0]] - tables.high / 2, places[group[-1]] + tables.high / 2
        box = tables.box
        yield Ground(Box(box.x, (top + bottom) / 2, box.width + 8, bottom - top + 8), "", "edge")


def titles(given: Given, tables: Tables) -> Iterator[Word]:
    """What the tables and their columns are."""
    top, own = tables.box.top, len(tables.left) - tables.waits
    say = given.labels.say
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
                number = given.fold.well.index(well) % given.ranks
                yield Word(f"{number}", tables.column(well), top - 8, 19, "faint", "center")
    if tables.waits:
        wells = tables.left[own:]
        middle = (tables.column(wells[0]) + tables.column(wells[-1])) / 2
        if tables.waits * tables.pitch + 0.3 * tables.pitch >= 86:
            yield Word(say("stage.waiting"), middle, top - 60, 22, "faint", "center", True)


def numbers(given: Given, tables: Tables, places: list[float]) -> Iterator[Word]:
    """The ranks of the rows beside the received blocks, and left where names have no room."""
    every = next(n for n in (1, 2, 4, 8, 16, 32, 64) if n * tables.high >= 23)
    for rank in range(0, given.ranks, every):
        tone = f"rank {rank}" if given.fold.is_plain else "faint"
        x, size = tables.end + NUMBER - 8, 20 if given.ranks <= MOST_PLAIN else 18
        yield Word(f"{rank}", x, places[rank] + 7, size, tone, "right", True)
        if every > 1 or tables.name <= 40:
            yield Word(f"{rank}", tables.box.left + 26, places[rank] + 7, size, tone, "right")
