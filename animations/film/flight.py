"""The chunks of one step on their way: their shapes, and their positions at any time."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from animations.film.glyphs import text_points, text_width
from animations.film.shapes import Points, circles, joined, rectangles, rounded
from animations.story.cell_marks import Mark, marks
from animations.story.drawing import CELL_RADIUS, STAGE, Box
from animations.story.storyboard import Frame, Storyboard

WIDEST = 72.0  # pixels of a chunk on its way, unless its cell is twice as wide
COVERED = 0.12  # of the stage, at most, by all chunks on their way


class Parts:
    """Shapes given around (0, 0), each belonging to one chunk."""

    def __init__(self, shapes: Iterable[tuple[int, Points]]) -> None:
        pairs = [(owner, points) for owner, points in shapes if len(points)]
        self._points = joined([points for _, points in pairs])
        counts = [len(points) for _, points in pairs]
        self._owner = np.repeat(np.array([owner for owner, _ in pairs], np.intp), counts)

    def at(self, center: Points) -> Points:
        """The shapes with their chunks at these centers."""
        shapes: Points = self._points + center[self._owner]
        return shapes


class Flight:
    """The chunks of one step: their shapes around (0, 0), and their centers at any time.

    parts: in drawing order the backdrops of all chunks but the first, that of the first, the
    marks of each ink, their text, and the badges with their signs.
    """

    def __init__(self, board: Storyboard, frame: Frame, inks: int) -> None:
        layout, moves = board.layout, frame.moves
        self._motion = layout.motion
        crowd = len(moves) > self._motion.crowd
        sources = [layout.cell(move.src, move.chunk) for move in moves]
        targets = [layout.cell(move.dst, move.into) for move in moves]
        self._start = np.array([(box.x, box.y) for box in sources])
        self._way = np.array([(box.x, box.y) for box in targets]) - self._start
        outward = self._start + self._way / 2 - self._motion.center
        length = np.maximum(np.hypot(*outward.T), 1.0)[:, None]
        self._arc = outward / length * (0 if crowd else self._motion.arc)
        chunk = _flying(sources[0], len(moves), crowd)
        others = [(i, rounded([chunk], CELL_RADIUS)) for i in range(len(moves))]
        hero = others.pop(frame.followed)
        found = [
            (i, mark) for i, move in enumerate(moves) for mark in marks(board, move.cell, chunk)
        ]
        stripes = (
            [(i, rectangles([mark.box])) for i, mark in found if mark.ink == ink]
            for ink in range(inks)
        )
        numbers = [(i, mark_points(mark)) for i, mark in found]
        radius = 4.0 if crowd else 15.0 if board.nodes <= 4 else 12.0 if board.nodes <= 8 else 8.0
        corner = (chunk.right, chunk.top)
        badges = [(i, circles([corner], radius)) for i in range(len(moves))]
        signs = [(i, _sign(move.adds, *corner, radius)) for i, move in enumerate(moves)]
        self.parts = list(map(Parts, (others, [hero], *stripes, numbers, badges, signs)))

    def centers(self, time: float) -> Points:
        """The centers of all chunks, [chunk, 2]; they rest, travel together, and land."""
        eased = self._motion.eased(time)
        where: Points = self._start + eased * self._way + np.sin(np.pi * eased) * self._arc
        return where


def _flying(cell: Box, moves: int, crowd: bool) -> Box:
    """A chunk on its way: a little larger than its cell, narrow enough not to hide the cards."""
    grow = 1.0 if crowd else 1.12
    width = max(grow * cell.width, min(0.0 if crowd else 20.0, 2.2 * cell.width))
    width = min(width, max(WIDEST, cell.width / 2))
    share = COVERED * STAGE.width * STAGE.height / (moves * width * grow * cell.height)
    return Box(0, 0, width * min(1.0, share), grow * cell.height)


def _sign(adds: bool, x: float, y: float, radius: float) -> Points:
    """+ or = as rectangles."""
    long, thick = 1.15 * radius, 0.26 * radius
    if adds:
        return rectangles([Box(x, y, long, thick), Box(x, y, thick, long)])
    off = 0.24 * radius
    return rectangles([Box(x, y - off, long, thick), Box(x, y + off, long, thick)])


def mark_text(mark: Mark) -> tuple[str, float, float, float]:
    """The text on a mark: text, middle, baseline, size; no text where it has no room.

    A label that is too long is cut to what follows its arrow.
    """
    for text in dict.fromkeys((mark.text, mark.text.rpartition("→")[2])):
        room = (mark.box.width - (12 if "→" in text else 4)) / max(text_width(text, 1.0), 0.1)
        size = min(32.0 if "→" in mark.text else 22.0, 0.92 * mark.box.height, room)
        if text and size >= (13 if "→" in text else 10):
            return text, mark.box.x, mark.box.y + 0.36 * size, size
    return "", 0.0, 0.0, 0.0


def mark_points(mark: Mark) -> Points:
    """The text on a mark, as curves."""
    text, x, base, size = mark_text(mark)
    return text_points(text, x, base, size, align="center")
