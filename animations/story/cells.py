"""What slots hold after each step, in the terms of a view: whose data, or how much of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from animations.story.labels import Labels
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.recording.replay import State, promised

VALUES_SHOWN = 4  # elements of a moving chunk that are printed
NodeSlot = tuple[int, int]


class Cell(NamedTuple):
    """The content of a slot, in the terms of the view; an empty one holds nothing.

    In "stripes" and "blocks", `held` are the ranks whose contributions are in it, in order, and
    `labels` the label of each, where that is not just its rank; in "levels" and "matrix" `held`
    is the number of contributions and whether (1 or 0) these are exactly the required ones.
    """

    held: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


EMPTY = Cell()


class Snapshot(NamedTuple):
    """All slots after a step: the cell of each, its first values as text, its elements."""

    cell: Callable[[NodeSlot], Cell]
    values: Callable[[NodeSlot], str]
    elements: Callable[[NodeSlot], int]


def shortened(recording: Recording) -> Recording:
    """The same schedule on as many elements of each chunk as are shown, and one more."""
    return recording.excerpt(VALUES_SHOWN + 1)


def snapshot(
    recording: Recording, view: str, step: int, labels: Labels, short: Recording | None = None
) -> Snapshot:
    """All slots after a step. `cell` raises BadInput for what stripes cannot show.

    short: `shortened(recording)`, made once for many steps.
    """
    size = recording.sizes(step)
    if view in ("stripes", "blocks"):
        state = (short or shortened(recording)).state(step)
        return Snapshot(
            lambda at: _contributions(state, at, labels),
            lambda at: _first_values(state.value(*at).tolist()),
            lambda at: int(size[at]),
        )
    count, complete = recording.levels(step)
    if recording.collective.separate_buffers:  # a block still to be sent is not a required one
        complete[: recording.ranks] &= recording.postcondition
    return Snapshot(
        lambda at: Cell((int(count[at]), int(complete[at]))) if count[at] else EMPTY,
        lambda _: "",
        lambda at: int(size[at]),
    )


def most_required(recording: Recording) -> int:
    """The largest number of contributions that a promised cell needs."""
    required = promised(recording, recording.precondition.astype(np.intp))
    return int(required[recording.postcondition].max(initial=1))


def _first_values(values: list[Any]) -> str:
    """The first of some values, as text."""
    texts = [f"{v:.4g}" if isinstance(v, float) else f"{v}" for v in values[:VALUES_SHOWN]]
    return f"[{' '.join(texts)}{' …' * (len(values) > VALUES_SHOWN)}]" if texts else ""


def _contributions(state: State, at: NodeSlot, labels: Labels) -> Cell:
    """Whose contributions a slot holds, and from which slots where these are others."""
    times = state.times[at].tolist()
    ranks = tuple(rank for rank, count in enumerate(times) if count)
    if not labels.moves_data or not ranks:
        return Cell(ranks)
    for rank in ranks:
        if times[rank] > 1:
            raise BadInput(
                f"slot {at[1]} of {labels.node(at[0])} holds data of rank {rank} twice, which the "
                "picture cannot show; `run` shows it as a table"
            )
    origin = state.origin[at]
    texts = tuple(labels.contribution(rank, int(origin[rank]), at[1]) for rank in ranks)
    return Cell(ranks, texts if any(texts) else ())
