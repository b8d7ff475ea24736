"""The stage in modeled time: what flies has its own begin and end, and who waits is hatched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from math import inf
from typing import Any

import numpy as np

from animations.drawing import scenery_shapes, shapes
from animations.drawing.curves import joined
from animations.drawing.drawing import in_theme
from animations.drawing.render.outlines import Outline, outlines
from animations.drawing.shapes import IN_TIME, Box, ColoredBox, Shape, Stroke, TextLine
from animations.drawing.theme import DARK, Theme
from animations.pictures import clock_panel, panels
from animations.pictures import step as picture
from animations.pictures.clock_panel import ClockPanel
from animations.pictures.stage import Stage, flown
from animations.pictures.standstill_panel import StandstillRow
from animations.pictures.step_flights import StepFlights
from animations.score.clock import ClockSpan
from animations.stages.lanes import delay_waits
from animations.story.clock_words import waiting
from animations.story.flights import flies
from animations.story.timed_board import TimedBoard
from animations.story.transfers import EMPTY
from collectives.units import time_text

STUCK = 0.5  # of its way, where a message that never arrives stays
CROSS = 34.0  # pixels of the cross on it
HATCH, VEIL, WAIT = 16.0, 0.6, 44.0  # from line to line on who waits; opacity over it; of how long


class ClockStage(Stage):
    """A storyboard at moments of modeled time; see `Stage`."""

    def __init__(self, timed_board: TimedBoard, theme: Theme = DARK) -> None:
        super().__init__(timed_board.board, theme)
        self.timed_board, self._panel = timed_board, ClockPanel(timed_board, theme)
        self._lanes = outlines(self._panel.still())
        self.still = self.ground
        self._typical, self._delays = _typical(timed_board), delay_waits(timed_board.timing)
        self._landed: int | None = None
        self._settled: object = None
        self._under_way: dict[int, StepFlights] = {}
        self._row: StandstillRow | None = None
        self._span = ClockSpan(0.0, 0.0)
        self._below, self._over = list[Outline](), list[Outline]()
        self._hatches, self._crosses = list[Stroke](), list[Stroke]()

    def show(self, moment: Any) -> None:
        """Draw the beginning of a `ClockSpan`."""
        self._span = moment
        self.travel(0.0)

    def travels(self, moment: Any) -> bool:
        """Whether time goes on."""
        return bool(moment.last > moment.first)

    def travel(self, time: float) -> None:
        """Draw what there is at `time` of the span, from 0 to 1."""
        span = self._span
        self.go(span.first + time * (span.last - span.first), span.result, span.line)

    def go(self, now: float, result: bool = False, line: str = "") -> None:
        """Draw a moment, in modeled seconds; see `ClockSpan`."""
        self._land(now)
        self._settle(now, result, line)
        self.settled = [*self._below, *self.stripes, self.numbers, *self._over]
        drawn: list[Shape] = []
        if lanes := self._panel.lanes:
            drawn = [*in_theme(lanes.cover(now), self.theme)]
            drawn += [*self._panel.later(now), Stroke(lanes.now(now), self.theme.now, 3)]
        self.moving = [*self._fly(now), *outlines([*drawn, *self._panel.time(now), *self._crosses])]

    def _land(self, now: float) -> None:
        """Show in the cells what has landed by now."""
        timed_board, last, landed = self.timed_board, self._landed, self.timed_board.landed(now)
        if last == landed:
            return
        if last is not None and last < landed:
            cells = {end.at: end.cell for end in timed_board.landings[last:landed]}
        else:
            past = {end.at: EMPTY for end in timed_board.landings[: last or 0]}
            cells = past | timed_board.cells(now)
        self._show_cells(self._cells.become(cells))
        self._landed = landed

    def _settle(self, now: float, result: bool, line: str) -> None:
        """Redraw what depends on the messages under way, if these are others than before."""
        timed_board, board, theme = self.timed_board, self.board, self.theme
        moving, waits = timed_board.moving(now), self._waiting(now)
        stuck = timed_board.stands(now)
        sent = timed_board.sent(now)
        state = (self._landed, moving, timed_board.done(now), sent, waits, result, stuck, line)
        if state == self._settled:
            return
        self._settled = state
        steps = timed_board.under_way(now)
        step, on = (steps[-1], True) if steps else (timed_board.done(now), False)
        at = step, on
        phases = {board.frames[number - 1].phase for number in steps or (step,) if number}
        frame = board.frames[step - 1] if len(phases) == 1 else None
        text, self._row = clock_panel.caption_text(timed_board, now, theme, line)
        if self.sheet.cues:
            text += panels.subtitle_text(board, frame, theme) + panels.sent_text(board, sent, theme)
        below = [
            *scenery_shapes.strokes(board.scenery, *at, theme, moving),
            *clock_panel.timeline(timed_board, now, theme),
            *(self._row.boxes if self._row else ()),
            *text,
            *picture.below(board, at, theme, steps),
        ]
        self._hatches = self._hatch(waits)
        still = [*self.fixed, *self._around, *self._lanes]
        self._below = [*outlines(self._hatches), *still, *outlines(below, self.smallest)]
        self._over = outlines([*self._outlined(now, result), *self._veils(waits)])
        names = picture.front(board, at, theme, steps, self.smallest)
        lifted = [self._lifted(flights, at) for flights in self._flights(steps).values()]
        self.front = [*chain.from_iterable(lifted), *outlines(names, self.smallest)]

    def _waiting(self, now: float) -> list[int]:
        """The nodes that wait at a moment; of a delay that goes round those that send nothing."""
        delays = self._delays.items()
        lit = [node for node, spans in delays for begin, end in spans if begin <= now < end]
        return lit if delays else [node for node, _ in waiting(self.timed_board, now)]

    def _veils(self, nodes: list[int]) -> Iterator[Shape]:
        """Veils over the cards of those who wait as a delay goes round, and how long that is."""
        for node in nodes if self._delays else ():
            box, ((begin, end),) = self.board.scenery.cards[node].box, self._delays[node]
            time, size = time_text(end - begin, 3), min(WAIT, 0.3 * box.height)
            yield ColoredBox(box, self.theme.background, opacity=VEIL)
            yield TextLine(time, box.x, box.y + size / 2, size, self.theme.now, "bold", "center")

    def _hatch(self, nodes: list[int]) -> list[Stroke]:
        """The cards of those who wait."""
        cards = [] if self.board.scenery.table else [self.board.scenery.cards[n] for n in nodes]
        boxes = [_inside(box) for card in cards for box in card.boxes]
        lines = (line for box in boxes for line in shapes.hatch(box, HATCH))
        return [Stroke(line, self.theme.link, 3.0) for line in lines]

    def _outlined(self, now: float, result: bool) -> Iterator[Shape]:
        """Outline the cells of messages under way; at the result what is wrong."""
        board, timed_board = self.board, self.timed_board
        done = timed_board.done(now)
        later = {end.at for end in timed_board.landings[: self._landed] if end.frame > done}
        early = now + timed_board.rounding
        transfers = [
            transfer
            for step in timed_board.under_way(now)
            for transfer, begin, end in zip(
                board.frames[step - 1].transfers,
                timed_board.begins[step - 1],
                timed_board.ends[step - 1],
                strict=True,
            )
            if begin <= early < end and not transfer.is_local
        ]
        yield from picture.outlined(
            board, board.stale(done) - later, transfers, transfers, self.theme
        )
        yield from picture.faults(board, len(board.frames) if result else 0, self.theme)

    def _fly(self, now: float) -> list[Outline]:
        """Everything that is on its way, each step's messages at times of their own."""
        timed_board, parts, crossed = self.timed_board, [], []
        for step, step_flights in self._flights(timed_board.under_way(now)).items():
            times, stuck = self._times(step, step_flights, now)
            parts.append(step_flights.at(times))
            boxes = [step_flights.boxes(time)[i] for i, time in enumerate(times) if stuck[i]]
            crossed += boxes if timed_board.stands(now) else []
        wrong = self.theme.wrong
        self._crosses = [stroke for box in crossed for stroke in _cross(box, wrong)]
        self._crosses += _cross(self._row.lost, wrong, 0.5) if self._row else []
        joint = [joined(layer) for layer in zip(*parts, strict=True)]
        return flown(joint, self._colors, self.theme) if parts else []

    def _flights(self, steps: Sequence[int]) -> dict[int, StepFlights]:
        """The flights of the steps that are under way."""
        board, known = self.board, self._under_way
        frames = {step: board.frames[step - 1] for step in steps}
        self._under_way = {
            step: known.get(step) or StepFlights(board, frame, len(self._colors), IN_TIME)
            for step, frame in frames.items()
            if flies(board.scenery, frame)
        }
        return self._under_way

    def _times(
        self, step: int, step_flights: StepFlights, now: float
    ) -> tuple[list[float], list[bool]]:
        """How far each parcel of a step is, from 0 to 1, and whether it will never arrive."""
        early, times, stuck = now + self.timed_board.rounding, [], []
        for transfer in step_flights.firsts:
            begin, end = (
                self.timed_board.begins[step - 1][transfer],
                self.timed_board.ends[step - 1][transfer],
            )
            stuck.append(begin <= early and end == inf)
            if stuck[-1]:
                times.append(min(STUCK, (early - begin) / self._typical * STUCK))
            elif begin <= early < end:
                times.append((early - begin) / (end - begin))
            else:
                times.append(-1.0)
        return times, stuck


def _typical(timed_board: TimedBoard) -> float:
    """Seconds of a message that arrives."""
    messages = timed_board.timing.messages
    there = np.isfinite(messages.end)
    took = messages.end[there] - messages.start[there]
    return float(np.median(took)) if len(took) else timed_board.seconds


def _inside(box: Box) -> Box:
    return Box(box.x, box.y, box.width - 8, box.height - 8)


def _cross(box: Box, color: str, scale: float = 1.0) -> list[Stroke]:
    """A cross over a parcel."""
    half, wide = scale * CROSS / 2, scale * 8.0
    return [
        Stroke(((box.x - half, box.y - rise), (box.x + half, box.y + rise)), color, wide)
        for rise in (half, -half)
    ]
