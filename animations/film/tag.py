"""The name that travels beside the data that is followed: which chunk goes from where to where."""

from __future__ import annotations

import numpy as np

from animations.film.foot import glossary
from animations.film.glyphs import text_points, text_width
from animations.film.shapes import Points, joined, rounded
from animations.story.drawing import Box
from animations.story.storyboard import Frame, Storyboard

EM, HIGH, GAP = 22.0, 34.0, 8.0  # pixels of its letters, of its plate, from the parcel


class Tag:
    """The name of the followed parcel of a step, on a plate."""

    def __init__(self, board: Storyboard, frame: Frame, explained: bool = False) -> None:
        """explained: with what a rank and a chunk are, in a line below."""
        moves = [frame.moves[i] for i in frame.parcels[frame.hero].moves]
        targets = list(dict.fromkeys(move.dst for move in moves))
        first = [move for move in moves if move.dst == targets[0]]
        labels = board.labels
        way = f"{labels.node(first[0].src)} → {labels.nodes(targets)}"
        data = labels.contents(first)
        lines = [
            (f"{data}: {way}", "bold"),
            *[(text, "sans") for text in glossary(board)] * explained,
        ]
        self._room, self._high = board.sheet.stage, HIGH * len(lines)
        self._width = max(text_width(text, EM, face) for text, face in lines) + 20
        top = 0.36 * EM - (self._high - HIGH) / 2
        self._text = joined(
            [
                text_points(text, 0, top + HIGH * row, EM, face, "center")
                for row, (text, face) in enumerate(lines)
            ]
        )
        card = board.scenery.cards[first[0].src].box
        stays = targets == [first[0].src] and not board.scenery.table
        self._card = card if stays else None  # whose cells it would cover all the time

    def at(self, parcel: Box) -> list[Points]:
        """The plate and its text beside a parcel."""
        plate = self.plate(parcel)
        return [rounded([plate], 8), np.add(self._text, (plate.x, plate.y))]

    def plate(self, parcel: Box) -> Box:
        """The box of the plate: above a parcel, or below it where there is no room above.

        Of data that stays on its node: above or below the card, whose cells are not covered.
        """
        parcel = self._card or parcel
        room, half = self._room, self._width / 2
        x = min(max(parcel.x, room.left + half), room.right - half)
        y = parcel.top - GAP - self._high / 2
        if y - self._high / 2 < room.top:
            y = parcel.bottom + GAP + self._high / 2
        return Box(x, y, self._width, self._high)
