"""Cells as wide as what they hold, on any stage, where chunks are of several sizes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from animations.drawing.scenery import Scenery
from animations.drawing.widths import is_cut, largest_of, to_scale
from collectives.recording.recording import Recording


def scaled(scenery: Scenery, recording: Recording) -> Scenery:
    """The stage with cells in proportion to the bytes that they are for."""
    if not (recording.collective.moves_data and largest_of(recording.size.tolist())):
        return scenery
    shares = np.array(scenery.fold.well)[:, None] == np.arange(scenery.fold.wells)  # [slot, well]
    sizes = (elements_of(recording) @ shares * recording.dtype.itemsize).tolist()
    every = [size for own in sizes for size in own]
    largest = largest_of(every)
    cards = tuple(
        replace(card, shape=to_scale(card.shape, own, largest))
        for card, own in zip(scenery.cards, sizes, strict=True)
    )
    return replace(scenery, cards=cards, largest=largest, cut=is_cut(every, largest))


def elements_of(recording: Recording) -> npt.NDArray[np.intp]:
    """The most elements that each slot ever holds, [node, slot].

    Of a slot that stays empty as many as the same slot of another node holds.
    """
    states = range(len(recording.steps) + 1)
    elements: npt.NDArray[np.intp] = np.max([recording.sizes(state) for state in states], axis=0)
    elements[:, : recording.chunk_count] = recording.size
    filled = recording.contributors(len(recording.steps)).any(axis=2)
    return elements + np.where(filled, 0, elements.max(axis=0) - elements)
