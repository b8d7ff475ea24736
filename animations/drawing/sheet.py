"""Sheets: the boxes of a page, from which film, figure and page take all their places."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.drawing.shapes import Box

PART = 45  # of the shorter side of a film, that its letters are high at least
CUES, CUES_TALL = 0.114, 0.13  # of the height: two lines of subtitles, as browsers set them
MARGIN = 16  # pixels below what stands on a page
EDGE = 26  # pixels from the border of a panel to its text
ABOVE, BESIDE = 48, 432  # what is left above a matrix, and beside it for its count


@dataclass(frozen=True)
class Sheet:
    """The boxes of a page by what stands in them; what has no box is not drawn.

    stages: of one recording, or of two side by side. head: title and subtitle. foot: caption and
    invariant, in as many lines as there is room for. timeline: the bar of the steps, with the
    names of the phases below it. lanes: of the ranks, in modeled time. cues: whether a film has
    room for subtitles below the page; else its foot says what is spoken.
    """

    name: str
    width: int
    height: int
    stages: tuple[Box, ...]
    head: Box | None = None
    source: Box | None = None
    counters: Box | None = None
    legend: Box | None = None
    foot: Box | None = None
    timeline: Box | None = None
    beside: float = BESIDE
    lanes: Box | None = None
    cues: bool = True

    @property
    def smallest(self) -> float:
        """Pixels of the smallest letters: what would be smaller is left out; 0 without limit."""
        return 0.0 if self.cues else min(self.width, self.height) / PART

    @property
    def page(self) -> Box:
        """All of it."""
        return Box(self.width / 2, self.height / 2, self.width, self.height)

    @property
    def in_film(self) -> Box:
        """What a film shows: the page, and below it room for subtitles, in the page's shape."""
        if not self.cues:
            return self.page
        room = CUES if self.width > self.height else CUES_TALL
        high = (self.height - MARGIN) / (1 - room)
        return Box(self.width / 2, high / 2, high * self.width / self.height, high)

    @property
    def stage(self) -> Box:
        """The box of the first stage."""
        return self.stages[0]

    @property
    def table(self) -> Box:
        """The box of a matrix on the first stage; beside it stands how many cells are complete."""
        box = self.stage
        width, height = box.width - self.beside, box.height - ABOVE - 4
        return Box(box.left + 80 + width / 2, box.top + ABOVE + height / 2, width, height)


LECTURE = Sheet(
    "lecture",
    1920,
    1080,
    (Box.between(40, 142, 1180, 894),),
    head=Box.between(48, 32, 1170, 128),
    source=Box.between(1210, 50, 1872, 468),
    counters=Box.between(1210, 480, 1872, 720),
    legend=Box.between(1210, 732, 1872, 900),
    foot=Box.between(48, 920, 1872, 996),
    timeline=Box.between(48, 1006, 1872, 1020),
)
PAGE = replace(LECTURE, cues=False)  # what stands on it leaves room for subtitles itself
SLIDE = Sheet("slide", 1920, 1080, (Box.between(48, 48, 1872, 1032),))
PANEL = Sheet("panel", 720, 500, (Box.between(12, 12, 708, 488),))  # of a storyboard on paper
FOUR_TO_THREE = Sheet(
    "4:3",
    1600,
    1200,
    (Box.between(48, 144, 1552, 750),),
    head=Box.between(48, 32, 1552, 128),
    counters=Box.between(48, 764, 794, 1004),
    legend=Box.between(806, 764, 1552, 1004),
    foot=Box.between(48, 1016, 1552, 1130),
    timeline=Box.between(48, 1136, 1552, 1150),
)
TALL = Sheet(
    "tall",
    1080,
    1920,
    (Box.between(48, 160, 1032, 1240),),
    head=Box.between(48, 48, 1032, 144),
    counters=Box.between(48, 1256, 1032, 1496),
    legend=Box.between(48, 1510, 1032, 1678),
    foot=Box.between(48, 1694, 1032, 1846),
    timeline=Box.between(48, 1848, 1032, 1862),
)
FILM = Sheet(
    "film",
    1440,
    810,
    (Box.between(36, 84, 1404, 656),),
    head=Box.between(36, 24, 1404, 76),
    foot=Box.between(36, 670, 1404, 768),
    timeline=Box.between(36, 779, 1404, 788),
    beside=330.0,
    cues=False,
)
FILM_FOUR_TO_THREE = replace(
    FILM,
    name="film 4:3",
    width=1080,
    stages=(Box.between(36, 84, 1044, 656),),
    head=Box.between(36, 24, 1044, 76),
    foot=Box.between(36, 670, 1044, 768),
    timeline=Box.between(36, 779, 1044, 788),
)
FILM_TALL = replace(
    FILM,
    name="film tall",
    width=810,
    height=1440,
    stages=(Box.between(36, 150, 774, 1150),),
    head=Box.between(36, 40, 774, 132),
    foot=Box.between(36, 1170, 774, 1330),
    timeline=Box.between(36, 1350, 774, 1362),
)
FILM_SLIDE = Sheet("film slide", 1440, 810, (Box.between(36, 36, 1404, 774),), cues=False)
FILM_IN_TIME = replace(
    FILM,
    name="film in time",
    stages=(Box.between(36, 84, 850, 656),),
    lanes=Box.between(866, 84, 1404, 656),
)
TWO_STAGES = Sheet(
    "two",
    1920,
    1080,
    (Box.between(48, 142, 948, 894), Box.between(972, 142, 1872, 894)),
    head=Box.between(48, 32, 1872, 128),
    foot=Box.between(48, 920, 1872, 996),
    timeline=Box.between(48, 1006, 1872, 1020),
)


def in_modeled_time(sheet: Sheet) -> Sheet:
    """The same page with lanes in place of the source and the counters."""
    there = [box for box in (sheet.source, sheet.counters) if box]
    if not there:
        return sheet
    lanes = Box.between(
        min(box.left for box in there),
        min(box.top for box in there),
        max(box.right for box in there),
        max(box.bottom for box in there),
    )
    return replace(sheet, source=None, counters=None, lanes=lanes)


FILMS = (FILM, FILM_SLIDE, FILM_FOUR_TO_THREE, FILM_TALL)
PAGES = (LECTURE, SLIDE, FOUR_TO_THREE, TALL, TWO_STAGES)
SHEETS = {sheet.name: sheet for sheet in (*PAGES, *FILMS, FILM_IN_TIME)}


def film_sheet(name: str) -> Sheet:
    """The sheet of a film of this name of a page; "lecture" is the page itself, with its code."""
    return SHEETS.get(f"film {name}", SHEETS[name])
