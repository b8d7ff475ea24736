"""The stage of a step as outlines: scenery, cards, cells and what is on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from animations.drawing.curves import Points, edges_of, joined, rounded
from animations.drawing.nearby import covered, text_box
from animations.drawing.render.outlines import Outline, look, outlines
from animations.drawing.scenery import CLOCK, TICKS, Gauge
from animations.drawing.scenery_shapes import moment_boxes, moment_text
from animations.drawing.shapes import CELL_RADIUS, MOTION, Box, traced_border
from animations.drawing.theme import DARK, Theme
from animations.pictures import step as picture
from animations.pictures.accents import Accent, plays
from animations.pictures.camera import Camera, around_stage, camera_of, parted
from animations.pictures.cell_layer import CellLayer
from animations.pictures.cells import behind
from animations.pictures.foot import headline_text, spoken_text
from animations.pictures.step_flights import Passed, StepFlights
from animations.pictures.tag import Tag, count_of, tag_of
from animations.score.score import AWAY, Keyframe, Nodes, Play
from animations.story.flights import flies
from animations.story.storyboard import Storyboard

VEIL = 0.92  # opacity of the plate of a name
HALO = 9.0  # pixels of the border of a text over which something flies


class Stage:
    """A picture in layers; `show` and `travel` make those anew that change.

    still: never changes: the ground with the cards, then what is fixed on it. settled: changes
    between steps. moving: changes in every frame. front: names on their plates, chips at the
    ends of ways, and the name of the data that is followed, which nothing covers.
    stripes[i] holds the marks of ink i in all cells.
    """

    def __init__(
        self, board: Storyboard, theme: Theme = DARK, smallest: float | None = None
    ) -> None:
        """smallest: pixels of its smallest letters; by default as its sheet says."""
        self.board, self.theme, self.sheet = board, theme, board.sheet
        self._foot = headline_text if self.sheet.cues else spoken_text
        self._colors = board.view.mark_colors(theme)
        self.ground = outlines(behind(board, theme))
        self.smallest = self.sheet.smallest if smallest is None else smallest
        inside, outside = parted(picture.page(board, theme), self.sheet.stage)
        self.fixed = outlines(inside, self.smallest)
        self._around = outlines(outside, self.smallest)  # the stage: title, panels
        self.still = [*self.ground, *self.fixed, *self._around]
        self.stripes = [Outline(joined([]), look(color)) for color in self._colors]
        self.numbers = Outline(joined([]), look(theme.now_ink))
        self.settled, self.moving, self.front = (list[Outline]() for _ in range(3))
        self._names, self._seen, self._shown, self._said = (list[Outline]() for _ in range(4))
        self._step_flights: StepFlights | None = None
        self._number, self._counted = 0, (tuple[Gauge, ...](), list[Outline]())
        self._uncut = self._uncounted = board  # what is seen whole, and the same without gauges
        self._name: Tag | None = None
        self._count: tuple[Tag, Box] | None = None
        self._accent: Accent | None = None
        self._camera: Camera | None = None
        self._seen_at: object = None
        self._part = (0.0, 1.0)
        self._cells = CellLayer(board, len(self._colors), self.smallest)

    def show(self, keyframe: Keyframe) -> None:
        """Draw a keyframe: cells after its done steps, text, and data at its start."""
        board, theme, step = self.board, self.theme, keyframe.step
        lit = step if keyframe.play is not Play.AHEAD else 0  # ahead of a phase no step is
        board = board if lit else replace(board, scenery=board.scenery.between(step))
        under_way, transfers = not keyframe.landed, board.frames[lit - 1].transfers if lit else ()
        self._show_cells(self._cells.show(keyframe.done))
        read = [transfer for transfer in transfers if under_way and not transfer.is_local]
        over = [
            *picture.outlined(board, board.stale(keyframe.done), read, transfers, theme),
            *picture.lens(board, keyframe, theme),
            *picture.traced(board, board.outlined(keyframe.step, keyframe.landed), theme),
            *picture.faults(board, keyframe.done, theme, keyframe.revealed),
            *picture.shaded(board, keyframe, theme),
        ]
        self._camera, self._seen_at, scenery = None, None, board.scenery
        if any(keyframe.camera):
            self._camera = camera_of(board, keyframe.camera, keyframe.zooms)
            scenery = scenery if AWAY in keyframe.camera else self._camera.uncut(scenery)
        self._uncut = replace(board, scenery=scenery)
        self._uncounted = replace(board, scenery=replace(scenery, gauges=()))
        seen = self._uncounted if self._flies(keyframe) else self._uncut
        shapes = picture.moment(seen, keyframe, theme, self._foot)
        parts = parted(shapes, self.sheet.stage)
        below, self._said = (outlines(part, self.smallest) for part in parts)
        self._shown = [*below, *self.stripes, self.numbers, *outlines(over, self.smallest)]
        front = picture.front(board, (step, under_way), theme, smallest=self.smallest)
        self._names = outlines(front, self.smallest)
        self._step_flights = self._name = None
        self._number, self._counted = step, ((), [])
        if self._flies(keyframe):
            drawn = board, board.frames[step - 1], len(self._colors), MOTION, self.smallest
            in_turn, alone = not self.sheet.cues, keyframe.alone
            self._step_flights = StepFlights(*drawn, in_turn=in_turn, alone=alone)
            self._names = [*self._lifted(self._step_flights, (step, under_way)), *self._names]
        if self._step_flights and keyframe.named and board.scenery.lens is None:
            self._name = tag_of(board, step, self._step_flights, step == 1, keyframe.camera[1])
        lands = keyframe.play is Play.LANDED and step
        self._count = self._landing(step, keyframe.camera[0]) if lands else None
        self._part = keyframe.part
        self._accent = Accent(board, keyframe, theme) if plays(board, keyframe) else None
        self.travel(0.0)

    def _lifted(self, step_flights: StepFlights, at: tuple[int, bool]) -> Iterator[Outline]:
        """The labels and words that something flies over, each with a halo that sets it off."""
        lines, theme = picture.readable(self._uncounted, at, self.theme), self.theme
        cards = edges_of(box for card in self.board.scenery.cards for box in card.boxes)
        boxes = edges_of(map(text_box, lines))
        hits = covered(boxes, step_flights.swept), covered(boxes, cards)
        for line, hidden, on_card in zip(lines, *hits, strict=True):
            if hidden:
                halo = look("", 0, theme.panel if on_card else theme.background, HALO)
                for letters in outlines([line], self.smallest):
                    yield from (Outline(letters.points, halo), letters)

    def _landing(self, step: int, nodes: Nodes) -> tuple[Tag, Box] | None:
        """The count of what is followed when it has landed, and its cell."""
        board, frame = self.board, self.board.frames[step - 1]
        if board.scenery.lens or board.scenery.table or not flies(board.scenery, frame):
            return None
        landing = StepFlights(board, frame, len(self._colors), smallest=self.smallest)
        count = count_of(board, step, landing, nodes)
        hero = frame.transfers[frame.parcels[frame.hero].transfers[0]]
        return (count, board.scenery.cell(hero.dst, hero.into)) if count else None

    def _counting(self, passed: Passed) -> list[Outline]:
        """The gauges, which count what has arrived and left."""
        scenery = self._uncut.scenery
        counts = tuple(gauge.counted(self._number, passed) for gauge in scenery.gauges)
        if self._counted[0] != counts:
            only = replace(scenery, gauges=counts, chips=(), words=())
            shapes = [part(only, 0, False, self.theme) for part in (moment_boxes, moment_text)]
            self._counted = counts, outlines(chain(*shapes), self.smallest)
        return self._counted[1]

    def _show_cells(self, changed: dict[int, Points]) -> None:
        """Draw the marks of the inks that changed, and the numbers on all."""
        for number, points in changed.items():
            self.stripes[number] = Outline(points, self.stripes[number].look)
        if changed:
            self.numbers = Outline(self._cells.numbers, self.numbers.look)

    def travels(self, keyframe: Keyframe) -> bool:
        """Whether anything moves: the data of a step on its way, or what the keyframe plays."""
        zooms = keyframe.camera[0] != keyframe.camera[1]
        return zooms or self._flies(keyframe) or plays(self.board, keyframe)

    def _flies(self, keyframe: Keyframe) -> bool:
        """Whether the data of a step is drawn on its way, not only where it lands."""
        frames, scenery = self.board.frames, self.board.scenery
        return not keyframe.landed and flies(scenery, frames[keyframe.step - 1])

    def travel(self, time: float) -> None:
        """Put the data of the step under way where it is at `time`, from 0 to 1."""
        self._move(self._part[0] + (self._part[1] - self._part[0]) * time)
        self.still = [*self.ground, *self.fixed, *self._around]
        self.settled = [*self._shown, *self._said]
        if self._camera is not None:
            self._see(self._camera, time)

    def _see(self, camera: Camera, time: float) -> None:
        """All of the stage through a camera; what is around it hides what leaves it."""
        if self._seen_at != camera.at(time):  # a camera that stands sees the same
            stage = [*self.ground, *self.fixed, *self._shown]
            self._seen_at, self._seen = camera.at(time), camera.through(stage, time)
        self.still, self.settled = [], self._seen
        self.moving = camera.through(self.moving, time)
        hides = around_stage(self.sheet, self.theme)
        tag = self._count[0] if self._count else self._name
        seen = tag.size * camera.at(time)[0] if tag else 0.0  # pixels of its letters
        named = tag is not None and seen >= self.smallest and camera.shows(tag.plate)
        front = camera.through(self.front if named else self._names, time)
        self.front = [*front, hides, *self._around, *self._said]

    def _move(self, time: float) -> None:
        """Put what moves where it is."""
        step_flights, theme = self._step_flights, self.theme
        self.moving, names = [], self._names
        if step_flights is not None:
            boxes = step_flights.traced(time)
            edges = [look("", 0, theme.ink, traced_border(box)) for box in boxes]
            names = [*map(Outline, (rounded([box], CELL_RADIUS) for box in boxes), edges), *names]
            clock = {CLOCK: (int(TICKS * time), TICKS)}
            self.moving = [*self._counting(step_flights.passed(time) | clock)]
            crowd = (False, step_flights.pale), (True, 1.0)  # what is followed is above the others
            for bright, opacity in crowd if step_flights.is_crowd else ((None, 1.0),):
                self.moving += flown(step_flights.at(time, bright), self._colors, theme, opacity)
        if self._accent is not None:
            self.moving = [*self.moving, *self._accent.at(time)]
        self.front = names
        looks = look(theme.panel, VEIL, theme.now, 1.2), look(theme.now)
        if step_flights is not None and self._name is not None:
            tag = self._name.at(step_flights.boxes(time)[step_flights.hero])
            self.front = [*names, *map(Outline, tag, looks)]
        if self._count is not None:
            self.front = [*names, *map(Outline, self._count[0].at(self._count[1]), looks)]


def flown(
    parts: Sequence[Points], colors: Sequence[str], theme: Theme, opacity: float = 1.0
) -> list[Outline]:
    """What is on its way, by `StepFlights.at`, with marks in these colors."""
    edges = look("", 0, theme.now_faint, 2.2 * opacity), look("", 0, theme.now, 4.0)
    ends = look(theme.now_ink, opacity), look(theme.now), look(theme.now_ink)  # numbers, signs
    marks = [look(color, opacity) for color in colors]
    looks = [look(theme.well)] * 2 + [*edges, *marks, *ends]
    return [Outline(*part) for part in zip(parts, looks, strict=True)]
