"""The data of one step on its way: out of its cells, along the ways, into new ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from animations.drawing.curves import Points, circles, edges_of, joined, rectangles
from animations.drawing.glyphs import text_points, text_width
from animations.drawing.nearby import SMALL, covered, text_box
from animations.drawing.scenery import Scenery
from animations.drawing.shapes import BADGE, MOST_BADGES, MOTION, Box, Motion
from animations.drawing.ways import point
from animations.pictures.card_text import label_lines, name_lines
from animations.story.cell_views import CellMark
from animations.story.flights import flights
from animations.story.storyboard import Frame, Storyboard
from animations.story.transfers import Cell, Transfer

LEAVES = 0.6  # of a step: until when all copies of one port have left it
IN_TURN = 0.36  # of a step: until when all leave that do so in turn, and from when they land
MOST_AT_ONCE = 16  # flights without a lead
LEADS, FOLLOWS = 0.72, 0.45  # the parts of a step that flights ahead take, and those behind
BEHIND, BACK = 0.7, 0.8  # of its size and tone that a flight has that is not ahead, until it lands
SHORTEST = 0.3  # of a step, that a flight of few bytes takes at least
FEWEST = 4  # flights that go ahead of others
ROOMY = 0.85  # of the width of a flight's chunk, from which on its text has room
ALONE = 0.15  # opacity of what is beside the one that alone is bright
CROWD = 8  # flights of small chunks, from which on what is not followed is paler
SEEN = tuple(np.linspace(0.0, 1.0, 65).tolist())  # times of a step, for what is passed over
Passed = dict[tuple[int, bool], tuple[int, int]]  # of an end of flights: how many of how many
Turns = dict[int, tuple[int, int]]  # of flights: the place among those of one end, their number


@dataclass(frozen=True)
class FlightChunk:
    """A chunk of a flight: where it starts and lands, and how it stands in the parcel.

    parcel: the number of its flight. beside: from the middle of the parcel.
    """

    parcel: int
    transfer: Transfer
    cell: Cell
    start: Box
    end: Box
    beside: Box


class Parts:
    """Shapes in a square from (-½, -½) to (½, ½), each belonging to one column or parcel."""

    def __init__(self, shapes: Iterable[tuple[int, Points]]) -> None:
        pairs = [(owner, points) for owner, points in shapes if len(points)]
        self._points = joined([points for _, points in pairs])
        counts = [len(points) for _, points in pairs]
        self._owner = np.repeat(np.array([owner for owner, _ in pairs], np.intp), counts)

    def at(self, boxes: Points, keep: npt.NDArray[np.bool_]) -> Points:
        """The shapes in these boxes (x, y, width, height), those that are kept."""
        kept = keep[self._owner]
        owner, points = self._owner[kept], self._points[kept]
        shapes: Points = points * boxes[owner, 2:] + boxes[owner, :2]
        return shapes

    def owners(self, keep: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
        """The column or parcel that each point of `at` belongs to."""
        return self._owner[keep[self._owner]]


class StepFlights:
    """All parcels of one step, and their shapes at any time of it.

    parts: in drawing order the backdrops of all parcels but the hero, that of the hero, their
    outlines, the marks of each ink, their text, and the badges with their signs.
    """

    def __init__(
        self,
        board: Storyboard,
        frame: Frame,
        colors: int,
        motion: Motion = MOTION,
        smallest: float = 0.0,
        in_turn: bool = False,
        alone: bool = False,
    ) -> None:
        """smallest: pixels of letters, below which a mark has no text.

        in_turn: whether parcels leave a switch one after another, and so land there, and in a
        cell of a rank that adds them up, and in a rank of a ring from one side, then the other.
        Of a heap those go ahead that add where the followed one does, or leave where it leaves.
        Of unequal chunks each takes as long as its bytes, the largest all of the step.
        alone: whether only the followed one is bright.
        """
        scenery, self._motion = board.scenery, motion
        drawn = flights(scenery, frame)
        self.firsts = [flight.columns[0].transfer for flight in drawn]  # a transfer of each parcel
        parts = [
            (k, c, frame.transfers[c.transfer]) for k, f in enumerate(drawn) for c in f.columns
        ]
        self.columns = [
            FlightChunk(parcel, move, chunk.cell, *ends_of(scenery, move), chunk.box)
            for parcel, chunk, move in parts
        ]
        self._moves = [frame.transfers[first] for first in self.firsts]
        ends = [tuple((b.x, b.y) for b in ends_of(scenery, move)) for move in self._moves]
        self._ways = [flight.way or way for flight, way in zip(drawn, ends, strict=True)]
        bounds = zip(*((c.start, c.beside, c.end) for c in self.columns), strict=True)
        rows = [np.array([[b.x, b.y, b.width, b.height] for b in boxes]) for boxes in bounds]
        self._start, self._beside, self._end = rows
        marked, well = board.traced, board.followed_well(frame.number)
        wells = [scenery.fold.well[column.transfer.into] for column in self.columns]
        same = [column.cell == marked for column in self.columns]
        self._traced = [i for i, at in enumerate(wells) if at == well or same[i]]
        self._parcel = np.array([column.parcel for column in self.columns])
        self._adds = np.array([column.transfer.adds for column in self.columns])
        self._sizes = [flight.size for flight in drawn]
        self._take_turns(board, frame, in_turn)
        square = rectangles([Box(0, 0, 1, 1)])
        hero = np.array([drawn[flight].parcel == frame.hero for flight in self._parcel])
        self.parcels = [flight.parcel for flight in drawn]
        self.hero = self.parcels.index(frame.hero)
        numbers = range(len(self.columns))
        self._others = Parts((i, square) for i in numbers if not hero[i])
        self._hero = Parts((i, square) for i in numbers if hero[i])
        self._mark_parts, self._text = _marks(board, self.columns, colors, smallest)
        self._shine(board, frame, in_turn, alone)
        names = name_lines(board, lambda name: text_width(name, 1.0, "bold"))
        self._names = edges_of(text_box(line) for _, line in (*names, *label_lines(board)))

    def _take_turns(self, board: Storyboard, frame: Frame, in_turn: bool) -> None:
        """When each leaves and lands, and which go ahead of a heap."""
        self._leave, self._land = Turns(), Turns()
        self._one_port = board.scenery.family == "star" and board.labels.helper != "switch"
        self._by_door = in_turn and self._one_port and len(board.scenery.cards[0].shape.cells) == 1
        if in_turn:
            ranks = 0 if self._one_port else board.ranks
            columns, ends = self.columns, [way[-1][0] for way in self._ways]
            if self._by_door:  # the nearest lands first
                columns = sorted(columns, key=lambda c: abs(ends[c.parcel] - c.end.x))
            self._leave, self._land = _turns(columns, ranks)
        moves = self._moves
        self._ahead = ahead_of(frame, moves, board.ranks) * in_turn
        if in_turn and board.scenery.family == "ring":
            self._land |= _from_both_sides(moves, board.ranks)
        sizes = np.bincount(self._parcel, [column.transfer.size for column in self.columns])
        paced = in_turn and board.scenery.largest and not (self._ahead or self._leave or self._land)
        self._paces = np.maximum(sizes / sizes.max(), SHORTEST) if paced else np.ones(len(moves))

    def _shine(self, board: Storyboard, frame: Frame, in_turn: bool, alone: bool) -> None:
        """Which are bright in a crowd, and which have a badge with a sign."""
        parcels = self.parcels
        self.pale = ALONE if alone else BACK if self._ahead else 0.45  # what is not followed
        small = bool(self._beside[:, 2].max() < SMALL)
        rows = board.scenery.family == "exchange"  # one close below the other
        several = len(self.columns) > len(parcels) and rows
        self.is_crowd = alone or (in_turn and (several or (len(parcels) > CROWD and small)))
        bright = np.array(self._ahead or [parcel == frame.hero for parcel in parcels])
        if board.followed_well(frame.number) is not None:  # what is followed is in several flights
            bright[[self.columns[i].parcel for i in self._traced]] = True
            self.is_crowd = in_turn and not bright.all()
        self._bright = {len(part): part for part in (bright, bright[self._parcel])}
        radius = [min(board.scenery.badge, max(size) / 4) for size in self._sizes]
        self._radius = np.array(radius)[:, None] * (-1, -1, 1, 1)
        every = range(len(parcels) if len(parcels) <= MOST_BADGES else 0)
        signed = np.flatnonzero(bright).tolist() if self.is_crowd or rows else every
        self._badges = Parts((i, circles([(0, 0)], radius[i])) for i in signed)
        self._signs = Parts((i, _sign(self._moves[i].adds, 0, 0, radius[i])) for i in signed)

    def boxes(self, time: float) -> list[Box]:
        """The boxes of all parcels on their way, a fork once for each of its ends."""
        times = [self._motion.parts(moment)[1] for moment in self._times(time)]
        middle = (point(way, eased) for way, eased in zip(self._ways, times, strict=True))
        return [Box(*at, *size) for at, size in zip(middle, self._sizes, strict=True)]

    def traced(self, time: float) -> list[Box]:
        """The boxes of what is marked from start to end, which is on its way."""
        if not self._traced:
            return []
        boxes = self._parts(time)[0][1]
        return [Box(*boxes[column].tolist()) for column in self._traced]

    def at(self, time: float | Sequence[float], bright: bool | None = None) -> list[Points]:
        """The points of all parts at `time`, from 0 to 1, in drawing order.

        time: of all parcels, or of each of them: then one that is below 0 or not below 1 is not
        there. Before anything rises only the outlines are there, so that numbers in cells are seen.
        bright: only of what is followed, or goes ahead with it; or only of all else.
        """
        return [
            part.at(boxes, keep if bright is None else keep & (self._bright[len(keep)] == bright))
            for part, boxes, keep in self._parts(time)
        ]

    def owned(self, time: float) -> list[tuple[Points, npt.NDArray[np.intp]]]:
        """The same, and for each point the column it belongs to, of a parcel the first."""
        first = np.searchsorted(self._parcel, np.arange(len(self._ways)))
        return [
            (part.at(boxes, keep), owner if len(keep) == len(self._parcel) else first[owner])
            for part, boxes, keep in self._parts(time)
            for owner in [part.owners(keep)]
        ]

    def traveled(self, time: float) -> float:
        """How much of its way every parcel has behind it at `time`, from 0 to 1."""
        return self._motion.parts(time)[1]

    def passed(self, time: float) -> Passed:
        """How many of the flights of a node have left it at `time`, or arrived there."""
        past = dict[tuple[int, bool], list[bool]]()
        for move, own in zip(self._moves, self._times(time), strict=True):
            lifted, _, landed = self._motion.parts(own)
            past.setdefault((move.src, False), []).append(lifted >= 1)
            past.setdefault((move.dst, True), []).append(landed >= 1)
        return {end: (sum(gone), len(gone)) for end, gone in past.items()}

    @cached_property
    def swept(self) -> Points:
        """What all chunks pass over, with their badges: left, top, right, bottom, [box, 4]."""
        boxes = np.concatenate([self._parts(time)[0][1] for time in SEEN])
        middle, half = boxes[:, :2], boxes[:, 2:] / 2
        edges: Points = np.concatenate([middle - half, middle + half], axis=1)
        return edges + BADGE * np.array([0, -1, 1, 0])

    def _times(self, time: float) -> list[float]:
        """The time of each parcel: in turn at a switch, and where a cell adds several up.

        Each waits beside the card that it leaves, but not at a hub of one port, or for which it is.
        """
        motion, times = self._motion, [min(1.0, time / pace) for pace in self._paces]
        if self._ahead:
            times = [time / LEADS if ahead else 1 + (time - 1) / FOLLOWS for ahead in self._ahead]
        rise, reach, land = motion.lifted, motion.arrived, motion.landed
        for parcel in self._leave.keys() | self._land.keys():
            (first, leaving), (place, landing) = (
                turns.get(parcel, (0, 1)) for turns in (self._leave, self._land)
            )
            alone = self._one_port and landing == 1  # a copy of its own, which leaves in turn
            out = LEAVES / leaving if alone else min(rise, IN_TURN / leaving)
            down = min(land - reach, (land - IN_TURN) / landing)
            waits, lands = land - down * landing, land - down * (landing - place)
            early = out * (leaving - first - 1) * alone
            waits, lands, goes = waits - early, lands - early, out * leaving - early
            at = out * first, out * (first + 1), goes, waits, lands, lands + down, 1.0
            own = 0.0, rise, rise, reach, reach, land, 1.0
            times[parcel] = float(np.interp(times[parcel], at, own))
        return times

    def _parts(
        self, time: float | Sequence[float]
    ) -> list[tuple[Parts, Points, npt.NDArray[np.bool_]]]:
        """All parts, the boxes they fill at a time, and which of these are there."""
        together = isinstance(time, (int, float))
        times = self._times(time) if isinstance(time, (int, float)) else list(time)
        in_flight = np.array([together or 0 <= t < 1 for t in times])
        known = {t: self._motion.parts(t) for t in set(times)}
        lifted, eased, landed = np.array([known[t] for t in times]).T
        middle = np.array([point(way, t) for way, t in zip(self._ways, eased, strict=True)])
        boxes = self._beside.copy()
        boxes[:, :2] += middle[self._parcel]
        own, motion = np.array(times)[self._parcel, None], self._motion
        early = np.arange(4) != (0 if self._by_door else 1)  # large in its cell only, not beside it
        up = np.where(early, *_halves(own, 0.0, motion.lifted))
        down = np.where(~early, *_halves(own, motion.arrived, motion.landed))
        boxes += (1 - up) * (self._start - boxes) + down * (self._end - boxes)
        behind = ~self._bright[len(boxes)] & bool(self._ahead)
        boxes[behind, 2:] *= BEHIND + (1 - BEHIND) * down[behind, 2:]
        signed = in_flight & (lifted > 0.5) & (landed < 1)  # until the sum is there
        outlined = in_flight[self._parcel]
        there = outlined & (lifted[self._parcel] > 0)
        veiled = there & ~(self._adds & (landed[self._parcel] > 0))
        fixed = np.concatenate([boxes[:, :2], np.ones((len(boxes), 2))], axis=1)
        last = np.searchsorted(self._parcel, np.arange(len(self._ways)), "right") - 1
        corner = np.ones((len(last), 4))  # of its last chunk, wherever that is
        corner[:, :2] = boxes[last, :2] + boxes[last, 2:] * (0.5, -0.5)
        signed &= covered(np.tile(corner[:, :2], 2) + self._radius, self._names) == 0
        return [
            (self._others, boxes, veiled),
            (self._hero, boxes, veiled),
            (self._others, boxes, outlined),
            (self._hero, boxes, outlined),
            *((ink, boxes, there) for ink in self._mark_parts),
            (self._text, fixed, veiled & (boxes[:, 2] > ROOMY * self._beside[:, 2])),
            (self._badges, corner, signed),
            (self._signs, corner, signed),
        ]


def ahead_of(frame: Frame, moves: Sequence[Transfer], ranks: int) -> list[bool]:
    """Which of a heap go ahead: they add where the followed one does, or leave where it leaves."""
    followed = frame.transfers[frame.followed]
    ahead = [m.dst == followed.dst if m.adds else m.src == followed.src for m in moves]
    is_heap = len(moves) > MOST_AT_ONCE and FEWEST <= sum(ahead) < len(moves)
    between_ranks = all(max(m.src, m.dst) < ranks for m in moves)
    return ahead if is_heap and between_ranks else []


def _halves(times: Points, start: float, end: float) -> tuple[Points, Points]:
    """Of what lasts from one time to another, how far its first half is, and its second one."""
    twice = 2 * (times - start) / (end - start)
    first, second = np.clip(twice, 0, 1), np.clip(twice - 1, 0, 1)
    return first**2 * (3 - 2 * first), second**2 * (3 - 2 * second)


def _turns(columns: Sequence[FlightChunk], ranks: int) -> tuple[Turns, Turns]:
    """When each flight leaves a switch, and lands in one or in a cell that adds several up."""
    ends: tuple[dict[tuple[int, int], dict[int, None]], ...] = {}, {}
    for flight, move in ((column.parcel, column.transfer) for column in columns):
        if move.src >= ranks:
            ends[0].setdefault((move.src, 0), {})[flight] = None
        if move.adds or move.dst >= ranks:
            ends[1].setdefault((move.dst, move.into * (move.dst < ranks)), {})[flight] = None
    leave, land = Turns(), Turns()
    for groups, turns in zip(ends, (leave, land), strict=True):
        for group in (group for group in groups.values() if len(group) > 1):
            for place, flight in enumerate(group):
                turns[flight] = max(turns.get(flight, (0, 0)), (place, len(group)))
    return leave, land


def _from_both_sides(moves: Sequence[Transfer], ranks: int) -> Turns:
    """When each flight lands, if each rank gets one from both of its neighbors: the later last.

    At once where each side has a slot of its own, the same on all ranks.
    """
    hops, slots = {(move.src, move.dst) for move in moves}, {move.into for move in moves}
    both = {((rank + way) % ranks, rank) for rank in range(ranks) for way in (1, -1)}
    back = ((move.src - move.dst) % ranks == 1 for move in moves if len(slots) > 2)
    return {flight: (int(last), 2) for flight, last in enumerate(back)} if hops == both else {}


def _marks(
    board: Storyboard, columns: Sequence[FlightChunk], colors: int, smallest: float
) -> tuple[list[Parts], Parts]:
    """The marks of each ink in the columns, and their text."""
    held = [
        (i, mark)
        for i, column in enumerate(columns)
        for mark in board.view.marks(column.cell, _around_zero(column.start))
    ]
    drawn = [
        Parts(
            (i, rectangles([_part(mark.box, columns[i].start)]))
            for i, mark in held
            if mark.ink == ink
        )
        for ink in range(colors)
    ]
    text = Parts(
        (i, mark_points(CellMark(mark.ink, mark.box, mark.text), smallest))
        for i, column in enumerate(columns)
        for mark in board.view.marks(column.cell, _around_zero(column.beside))
    )
    return drawn, text


def ends_of(scenery: Scenery, transfer: Transfer) -> tuple[Box, Box]:
    """The cells that a transfer comes from and goes to."""
    return scenery.cell(transfer.src, transfer.chunk), scenery.cell(transfer.dst, transfer.into)


def _around_zero(box: Box) -> Box:
    return Box(0, 0, box.width, box.height)


def _part(box: Box, whole: Box) -> Box:
    """A box in one around zero, as parts of its width and height."""
    wide, high = whole.width, whole.height
    return Box(box.x / wide, box.y / high, box.width / wide, box.height / high)


def _sign(adds: bool, x: float, y: float, radius: float) -> Points:
    """+ or = as rectangles."""
    long, thick = 1.15 * radius, 0.26 * radius
    if adds:
        return rectangles([Box(x, y, long, thick), Box(x, y, thick, long)])
    off = 0.24 * radius
    return rectangles([Box(x, y - off, long, thick), Box(x, y + off, long, thick)])


def mark_text(mark: CellMark, smallest: float = 0.0) -> tuple[str, float, float, float]:
    """The text on a mark: text, middle, baseline, size; no text where it has no room.

    smallest: pixels of its letters at least.

    A label that is too long is cut to what follows its arrow.
    """
    for text in dict.fromkeys((mark.text, mark.text.rpartition("→")[2])):
        room = (mark.box.width - (12 if "→" in text else 4)) / max(text_width(text, 1.0), 0.1)
        size = min(32.0 if "→" in mark.text else 22.0, 0.92 * mark.box.height, room)
        if text and size >= max(smallest, 13 if "→" in text else 10):
            return text, mark.box.x, mark.box.y + 0.36 * size, size
    return "", 0.0, 0.0, 0.0


def mark_points(mark: CellMark, smallest: float = 0.0) -> Points:
    """The text on a mark, as curves."""
    text, x, base, size = mark_text(mark, smallest)
    return text_points(text, x, base, size, align="center")
