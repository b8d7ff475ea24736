"""What the cells of a stage have to show, worked out from the recording alone."""

from itertools import product

import numpy as np


def reduces(recording):
    """Whether anything is added."""
    return any(step.reduces.any() for step in recording.steps)


def held(recording, fold, step):
    """{(node, well, ink)} from the recording: one ink a bar, and another where it is not full."""
    times = recording.state(step).times > 0
    if fold.is_plain and not reduces(recording) and recording.chunk_count > 1:
        sources = times.any(axis=(0, 1)).sum()
        if sources == 1:  # a color is a chunk
            origin = recording.state(step).origin
            return {(n, s, int(origin[n, s, r])) for n, s, r in np.argwhere(times).tolist()}
    if fold.is_plain:
        return set(zip(*map(np.ndarray.tolist, np.nonzero(times)), strict=True))
    last = recording.state(len(recording.steps)).times > 0
    possible = (times | last | (recording.state(0).times > 0)).any(axis=0)
    found = set()
    for well, bar in product(range(fold.wells), range(fold.bars)):
        slots = [s for s, w in enumerate(fold.well) if w == well]
        ranks = [r for r, b in enumerate(fold.bar) if b == bar]
        here, due = times[:, slots][:, :, ranks], possible[slots][:, ranks]
        for node in range(recording.nodes):
            if here[node].any():
                found.add((node, well, bar + fold.bars * bool((here[node] != due).any())))
    return found
