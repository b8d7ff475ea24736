"""The name of the data that is followed: on a plate where it hides nothing, with a line to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist, inf

import numpy as np
import numpy.typing as npt

from animations.drawing import scenery_shapes
from animations.drawing.curves import Points, edges_of, joined, rounded, stroke
from animations.drawing.glyphs import text_points, text_width
from animations.drawing.nearby import Edges, covered, near, text_box
from animations.drawing.scenery import Way
from animations.drawing.shapes import BADGE, MOTION, Box, Point
from animations.drawing.theme import DARK
from animations.drawing.ways import point
from animations.pictures import panels
from animations.pictures.foot import glossary
from animations.pictures.step_flights import StepFlights
from animations.score.score import Keyframe, Nodes
from animations.score.state_sentences import own_key
from animations.story.storyboard import Frame, Storyboard
from animations.story.transfers import EMPTY

SIZES = (22.0, 18.0)  # pixels of its letters, the first that has room
HIGH, EDGE = 1.55, 10.0  # height of a line in its letters, pixels from them to the sides of a plate
GAP = 6.0  # pixels from a plate to what it must not cover, at least
ABOVE = 2 * HIGH * SIZES[0]  # pixels beyond nodes that are looked at, in which there is room
STEP = 20.0, 6.0  # pixels from a place that is tried to the next, across and down
TIMES = tuple(np.linspace(0.0, MOTION.arrived, 12).tolist())  # of a step: when parcels are seen
LINE, SHORTEST = 1.6, 14.0  # pixels: width of the line to the data, and its length at least
DOT = 16.0  # pixels between the points of a line of the stage that a plate should not cover
ON_LINE, ON_PARCEL = 24.0, 120.0  # pixels that it rather goes farther away than cover these
ASIDE = 0.1  # of the distance between the middles: of plates as near, the one in the middle
PALER = 0.04  # of that where they are pale
BATCH = 100  # places that are looked at together, the nearest first


@dataclass(frozen=True)
class Tag:
    """The plate of a name and its letters, `size` pixels high.

    leads: whether a line joins it to the data.
    """

    plate: Box
    letters: Points
    size: float
    leads: bool = False

    def at(self, parcel: Box) -> list[Points]:
        """The plate, and its letters with the line to where the data is."""
        line = _line(self.plate, parcel) if self.leads else None
        drawn = [stroke(line, LINE, arrow=False)] if line else []
        return [rounded([self.plate], 8), joined([*drawn, self.letters])]


def tag_of(
    board: Storyboard,
    step: int,
    step_flights: StepFlights,
    explained: bool = False,
    nodes: Nodes = (),
) -> Tag | None:
    """The name of what is followed in a step, with its plate; None where it would hide something.

    It stands still, as near to the way of the data as there is room beside cards, text and the
    data itself. explained: with what a rank and a chunk are, where this hides not even a line.
    nodes: those that a camera looks at, which makes all larger.
    """
    frame, search = board.frames[step - 1], _PlateSearch(board, step, step_flights)
    name = [(_name(board, frame), "bold")]
    wordy = [*name, *((text, "sans") for text in glossary(board))]
    scale = 1.0
    if nodes:
        seen = near(board.scenery, board.sheet.stage, nodes)
        search.areas = [replace(seen, width=seen.width - GAP, height=seen.height - GAP)]
        scale = seen.width / board.sheet.stage.width
    brief = [(name[0][0].partition(":")[0], "bold")]  # without its way
    plain = [(lines, size) for lines in (name, brief) for size in SIZES]
    for lines, whole in [(wordy, SIZES[0])] * explained + plain:
        size = scale * whole
        width = max(text_width(text, size, face) for text, face in lines) + 2 * EDGE * scale
        height = HIGH * size * len(lines)
        plate = search.best(width, height, covers=lines is not wordy)
        if plate is not None:
            return Tag(plate, _letters(lines, size, plate, scale), size, search.sees(plate))
    return None


def landed_counts(board: Storyboard, step: int) -> tuple[int, int] | None:
    """Of how many ranks there is data in what is followed, before it lands in a step and after.

    None where nothing is added, where it differs from cell to cell, or data is in it twice.
    """
    before, after = (len(board.traces(number)) for number in (step - 1, step))
    if 0 < before < after:
        return before, after
    frame, wells = board.frames[step - 1], board.scenery.fold.well
    transfers = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    adds = all(transfer.adds for transfer in transfers)
    if not (adds and board.view.shows_ranks and board.labels.moves_data):
        return None
    counts = list[set[int]]()
    for cells in (board.cells(step - 1), board.cells(step)):
        held = [cells.get((move.dst, wells[move.into]), EMPTY) for move in transfers]
        counts.append({len(cell.held) for cell in held})
    before, after = map(max, counts)
    alike = [*map(len, counts)] == [1, 1] and not any(cell.labels for cell in held)
    return (before, after) if alike and before < after else None


def count_of(
    board: Storyboard, step: int, step_flights: StepFlights, nodes: Nodes = ()
) -> Tag | None:
    """What is counted when data has landed, on a plate beside its cell.

    nodes: those that a camera looks at. None where nothing counts up, or would hide something.
    """
    frame, counts = board.frames[step - 1], landed_counts(board, step)
    if counts is None:
        return None
    text = board.say("why.of", number=counts[1], total=board.ranks)
    first = frame.transfers[frame.parcels[frame.hero].transfers[0]]
    search, stage = _PlateSearch(board, step, step_flights), board.sheet.stage
    search.near(board.scenery.cell(first.dst, first.into), board, nodes)
    closer = (near(board.scenery, stage, nodes).width / stage.width,) if nodes else ()
    for scale in (1.0, *closer):  # as large as on the whole stage, or as it is seen closer
        size = scale * SIZES[0]
        width = text_width(text, size, "bold") + 2 * EDGE * scale
        plate = search.best(width, HIGH * size, covers=True)
        if plate is not None:
            return Tag(plate, _letters([(text, "bold")], size, plate, scale), size)
    return None


def _name(board: Storyboard, frame: Frame) -> str:
    """What is followed, and its way: chunk 3: rank 0 → rank 1."""
    transfers = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
    targets = list(dict.fromkeys(transfer.dst for transfer in transfers))
    first, labels = [transfer for transfer in transfers if transfer.dst == targets[0]], board.labels
    goal = labels.node(targets[0]) if len(targets) == 1 else labels.nodes(targets)
    way = f"{labels.node(first[0].src)} → {goal}"
    whole = labels.chunk_count == 1 and not labels.in_blocks and labels.moves_data
    uncut = whole and not any(transfer.chunk for transfer in first)
    counted = labels.contents(first) == board.say.plural(len(first), "chunk")  # not by number
    marked = [transfer for transfer in first if transfer.cell == board.traced]
    marked = [frame.example] if counted else marked * labels.in_blocks
    if marked and len(first) > 1:
        data, more = labels.contents(marked), len(first) - 1
        return f"{board.say('labels.and_more', data=data, number=more)}: {way}"
    own = own_key(board, "data")
    return way if uncut else f"{board.say(own) if own else labels.contents(first)}: {way}"


def _letters(
    lines: Sequence[tuple[str, str]], size: float, plate: Box, scale: float = 1.0
) -> Points:
    """The lines of a name, in the middle of its plate; scale: of what they are, seen closer."""
    rows = [plate.top + HIGH * size * (row + 0.5) + 0.36 * size for row in range(len(lines))]
    x, large = plate.x / scale, size / scale
    pairs = zip(lines, rows, strict=True)
    return scale * joined(
        [text_points(text, x, base / scale, large, face, "center") for (text, face), base in pairs]
    )


class _PlateSearch:
    """Where a plate can stand in a step: what it must not cover, and what it should not."""

    def __init__(self, board: Storyboard, step: int, step_flights: StepFlights) -> None:
        sheet, scenery = board.sheet, board.scenery
        self.areas = [sheet.stage, *([sheet.head] if sheet.head else [])]
        self._fixed = edges_of(obstacles(board, step))
        boxes = np.array([edges_of(step_flights.boxes(time)) for time in TIMES])
        followed = board.frames[step - 1].hero
        own = np.array([parcel == followed for parcel in step_flights.parcels])
        self._way = boxes[:, step_flights.hero]
        self._matters = PALER if step_flights.is_crowd else 1.0
        pair = boxes[:-1], boxes[1:]  # from each of these times to the next
        sides = np.minimum(*pair)[..., :2], np.maximum(*pair)[..., 2:]
        swept = np.concatenate(sides, axis=-1)
        self._followed = swept[:, own].reshape(-1, 4) + BADGE * np.array([-1, -1, 1, 1])
        self._others = swept[:, ~own].reshape(-1, 4)
        ways = [line.points for line in scenery.lines]
        ways += [side for ground in scenery.grounds for side in ground.box.sides]
        self._dots = edges_of([dot for way in ways for dot in _dots(way)])

    def near(self, box: Box, board: Storyboard, nodes: Nodes) -> None:
        """Search near to a box where all has landed; where nodes are looked at close to these."""
        self._way, self._matters = edges_of([box]), PALER
        self._followed = self._others = edges_of([])
        if nodes:
            seen = near(board.scenery, board.sheet.stage, nodes)
            left, top, right, bottom = edges_of(board.scenery.cards[node].box for node in nodes).T
            above = max(float(top.min()) - ABOVE, seen.top + GAP)
            below = min(float(bottom.max()) + ABOVE, seen.bottom - GAP)
            self.areas = [Box.between(float(left.min()), above, float(right.max()), below)]

    def best(self, width: float, height: float, covers: bool) -> Box | None:
        """The place of a plate of this size; covers: lines and other parcels too, if it must."""
        plates = np.concatenate([_grid(area, width, height) for area in self.areas])
        hard = np.concatenate([self._fixed, self._followed])
        plates = plates[covered(plates, hard, GAP) == 0]
        aside = plates[:, :2] + plates[:, 2:] - (self._way[:, :2] + self._way[:, 2:]).mean(axis=0)
        distance = _distances(plates, self._way).mean(axis=1)
        distance += ASIDE * np.linalg.norm(aside / 2, axis=1)
        nearest_first = np.argsort(distance, kind="stable")
        lowest, best = inf, None
        for batch in np.array_split(nearest_first, max(1, len(plates) // BATCH)):
            if not len(batch) or distance[batch[0]] >= lowest:
                break
            hidden = ON_LINE * covered(plates[batch], self._dots)
            hidden += ON_PARCEL * covered(plates[batch], self._others, 2.0)
            hidden *= self._matters
            cost = distance[batch] + (hidden if covers else np.where(hidden, inf, 0.0))
            if cost.min() < lowest:
                lowest, best = float(cost.min()), plates[batch[int(np.argmin(cost))]]
        return None if best is None else Box.between(*best.tolist())

    def sees(self, plate: Box) -> bool:
        """Whether the line from a plate to the data crosses no card and no text, all the way."""
        boxes = [Box.between(*edges) for edges in self._way.tolist()]
        lines = [line for box in boxes if (line := _line(plate, box))]
        dots = edges_of(dot for line in lines for dot in _dots(line))
        return not covered(dots, self._fixed).any()


def obstacles(board: Storyboard, step: int) -> list[Box]:
    """What the name must not cover while a step is under way: cards, chips, gauges and text."""
    scenery, frame = board.scenery, board.frames[step - 1]
    boxes = [box for card in scenery.cards for box in card.boxes]
    boxes += [chip.box for chip in scenery.chips] + [gauge.box for gauge in scenery.gauges]
    text = panels.fixed_text(board, DARK)
    if board.sheet.cues:
        text += panels.subtitle_text(board, frame, DARK)
    else:
        for landed in (False, True):  # what is counted is there when the last step has landed
            text += panels.where_text(board, Keyframe(step, landed), DARK)
    text += scenery_shapes.moment_text(scenery, step, True, DARK)
    return boxes + [text_box(line) for line in text]


def _line(plate: Box, parcel: Box) -> Way | None:
    """From the border of a plate to that of a parcel, unless they are close."""
    start, end = _nearest(plate, parcel.x, parcel.y), _nearest(parcel, plate.x, plate.y)
    return (start, end) if dist(start, end) >= SHORTEST else None


def _nearest(box: Box, x: float, y: float) -> Point:
    """The point of a box that is nearest to another."""
    return min(max(x, box.left), box.right), min(max(y, box.top), box.bottom)


def _grid(area: Box, width: float, height: float) -> Edges:
    """Places of a plate in an area, in rows."""
    across = np.arange(area.left, area.right - width + 1e-6, STEP[0])
    down = np.arange(area.top, area.bottom - height + 1e-6, STEP[1])
    left, top = (part.ravel() for part in np.meshgrid(across, down))
    return np.stack([left, top, left + width, top + height], axis=1)


def _distances(plates: Edges, boxes: Edges) -> npt.NDArray[np.float64]:
    """How far each plate is from each of the boxes."""
    low = np.maximum(plates[:, None, :2], boxes[None, :, :2])
    high = np.minimum(plates[:, None, 2:], boxes[None, :, 2:])
    distance: npt.NDArray[np.float64] = np.linalg.norm(np.maximum(low - high, 0.0), axis=2)
    return distance


def _dots(line: Way) -> Iterator[Box]:
    """Small boxes along a curve."""
    length = sum(dist(*ends) for ends in pairwise(line))
    count = max(2, round(length / DOT))
    return (Box(*point(line, number / count), 2, 2) for number in range(count + 1))
