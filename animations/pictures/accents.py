"""What moves on a stage while one talks: cells that fill, what has landed, the ways ahead."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, hypot

import numpy as np
import numpy.typing as npt

from animations.drawing.curves import circles, joined, rounded
from animations.drawing.render.outlines import Outline, look
from animations.drawing.scenery import Way
from animations.drawing.shapes import CELL_RADIUS, MOTION, Box, Point
from animations.drawing.theme import Theme
from animations.drawing.ways import point
from animations.pictures.step_flights import ahead_of, ends_of
from animations.score.score import Keyframe, Play
from animations.story.flights import flies, flights
from animations.story.storyboard import Storyboard

MOST_CELLS = 200  # that glow one by one, or fill; of more whole cards do
MOST_STEPS = 16  # that are run through ahead; of more some are left out
DOT, SPREAD, LINE = 9.0, 9.0, 3.0  # pixels: of a dot; of a glow at its end; of its line
PULSES = 3  # of what is followed while it stays where it is
WAVE = 0.5  # of the time of a wave, that one of its cells takes
STAYS = 0.25  # of a glow, which then stays, where only some ranks are done
TRAIL, FAINT = 24, 0.7  # points of a way behind a dot, at least; their tone


class Accent:
    """What a keyframe plays, at any time of it from 0 to 1."""

    def __init__(self, board: Storyboard, keyframe: Keyframe, theme: Theme) -> None:
        self._board, self._theme, self._play = board, theme, keyframe.play
        self._steps = steps_ahead(board, keyframe) if keyframe.play is Play.AHEAD else ()
        self._ways: dict[int, list[Way]] = {}
        self._trails = keyframe.named
        self._followed = keyframe.named and not _is_tree(board, self._steps)
        self._until = STAYS if keyframe.play is Play.WAVE and _done(board, keyframe) else 1.0
        cells = _cells(board, keyframe)
        self._boxes = [box for _, box in cells]
        order = {node: at for at, node in enumerate(dict.fromkeys(node for node, _ in cells))}
        turns = np.array([order[node] for node, _ in cells], np.float64)
        self._begins = (1 - WAVE) * turns / max(1, len(order) - 1)

    def at(self, time: float) -> list[Outline]:
        """What is drawn over the stage."""
        if self._play is Play.AHEAD:
            return self._ahead(time)
        parts = np.full(len(self._boxes), PULSES * time % 1 if self._trails else time)
        if self._play is Play.WAVE and not self._trails:
            parts = np.clip((time - self._begins) / WAVE, 0, self._until)
        return _glows(self._boxes, parts, self._theme)

    def _ahead(self, time: float) -> list[Outline]:
        """A dot for each parcel of the step that is run through, on its way.

        A trail of what is followed alone, or of a tree, is drawn from the first of the steps on.
        """
        count = len(self._steps)
        place = min(int(time * count), count - 1)
        part = MOTION.eased(time * count - place)
        for step in self._steps[: place + 1]:
            if step not in self._ways:
                self._ways[step] = _ways(self._board, step, self._followed)
        middles = [point(way, part) for way in self._ways[self._steps[place]]]
        now = self._theme.now
        dots = [Outline(circles(middles, DOT), look(now))] if middles else []
        if not self._trails:
            return dots
        trails = [self._ways[step] for step in self._steps[: place + 1]]
        trail = [
            circles([dot for way in ways for dot in _trail(way, until)], LINE)
            for ways, until in zip(trails, (1.0,) * place + (part,), strict=True)
        ]
        return [Outline(joined(trail), look(now, FAINT)), *dots]


def _trail(way: Way, until: float) -> list[Point]:
    """Dots that touch along a way up to a part of it."""
    (x, y), (u, v) = way[0], way[-1]
    count = max(TRAIL, ceil(hypot(u - x, v - y) / LINE))
    return [point(way, until * dot / count) for dot in range(count + 1)]


def plays(board: Storyboard, keyframe: Keyframe) -> bool:
    """Whether there is anything to play in a keyframe."""
    if keyframe.play is Play.AHEAD:
        return bool(steps_ahead(board, keyframe))
    still = keyframe.play is Play.NOTHING or board.scenery.table
    return not still and bool(_cells(board, keyframe))


def steps_ahead(board: Storyboard, keyframe: Keyframe) -> tuple[int, ...]:
    """The steps that are run through, from 1, of very many some; none where nothing flies."""
    first, end = keyframe.ahead
    steps = [n for n in range(first + 1, end + 1) if flies(board.scenery, board.frames[n - 1])]
    stride = -(-len(steps) // MOST_STEPS)
    return tuple(steps[::stride]) if steps else ()


def _ways(board: Storyboard, step: int, followed: bool = False) -> list[Way]:
    """The ways of the parcels of a step that leave their node, or of the followed one alone.

    Of a heap, of those that go ahead of it. Along lines that are drawn between nodes, if any are.
    """
    frame, scenery = board.frames[step - 1], board.scenery
    ways, drawn = list[Way](), flights(scenery, frame)
    moves = [frame.transfers[flight.columns[0].transfer] for flight in drawn]
    ahead = ahead_of(frame, moves, board.ranks) or [True] * len(drawn)
    for flight, transfer, leads in zip(drawn, moves, ahead, strict=True):
        if not transfer.is_local and (flight.parcel == frame.hero if followed else leads):
            way = flight.way or tuple((box.x, box.y) for box in ends_of(scenery, transfer))
            ways.append(scenery.cable(transfer.src, transfer.dst, step) or way)
    return ways


def _is_tree(board: Storyboard, steps: Sequence[int]) -> bool:
    """Whether in these steps no node sends twice, or none receives twice."""
    parcels = [parcel for step in steps for parcel in board.frames[step - 1].parcels]
    hops = [(parcel.src, dst) for parcel in parcels for dst in parcel.dsts if dst != parcel.src]
    return any(len({*ends}) == len(hops) for ends in zip(*hops, strict=True))


def _cells(board: Storyboard, keyframe: Keyframe) -> list[tuple[int, Box]]:
    """The cells that fill, or glow, each with its node; of very many their cards' groups."""
    cards, wells = board.scenery.cards, board.scenery.fold.well
    if keyframe.play is Play.AHEAD:
        return []
    at = sorted(board.promised if keyframe.step else board.start)
    if keyframe.step and (keyframe.step < len(board.frames) or keyframe.play is Play.LANDED):
        transfers = board.frames[keyframe.step - 1].transfers
        at = sorted({(transfer.dst, wells[transfer.into]) for transfer in transfers})
        at = (keyframe.play is Play.WAVE and _done(board, keyframe)) or at
        at = board.traces(keyframe.step) if keyframe.named else at
    if len(at) <= MOST_CELLS:
        return [(node, cards[node].cell(well)) for node, well in at]
    nodes = dict.fromkeys(node for node, _ in at) if keyframe.play is not Play.LANDED else ()
    return [(node, box) for node in nodes for box in cards[node].groups]


def _done(board: Storyboard, keyframe: Keyframe) -> list[tuple[int, int]]:
    """The promised cells of ranks that have all of their result before the others."""
    if board.wrong or board.untold or not 0 < keyframe.step < len(board.frames):
        return []
    now, end = board.cells(keyframe.step), board.cells(len(board.frames))
    lacking = {cell[0] for cell in board.promised if now.get(cell) != end.get(cell, ())}
    return sorted(cell for cell in board.promised if cell[0] not in lacking)


def _glows(boxes: Sequence[Box], parts: npt.NDArray[np.float64], theme: Theme) -> list[Outline]:
    """Borders that spread and fade, those of one time together."""
    glows, (red, green, blue, *_) = list[Outline](), look(theme.now)
    for part in np.unique(parts[(parts > 0) & (parts < 1)]).tolist():
        out = SPREAD * (1 - (1 - part) ** 2)
        there = [box for box, level in zip(boxes, parts.tolist(), strict=True) if level == part]
        larger = [Box(box.x, box.y, box.width + out, box.height + out) for box in there]
        left = (red, green, blue, 0.3 * (1 - part), red, green, blue, 1 - part, LINE)
        glows.append(Outline(rounded(larger, CELL_RADIUS + out / 2), left))
    return glows
