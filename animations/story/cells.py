"""What slots hold after each step, as the views draw it: whose data, or how much of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from animations.story.labels import Names
from collectives.errors import BadInput
from collectives.recording.recording import Recording, promised
from collectives.recording.replay import State

SHOWN = 4  # elements of a moving chunk that are told
Place = tuple[int, int]  # node, slot


class Cell(NamedTuple):
    """The content of a slot, in the terms of the view; an empty one holds nothing.

    In "stripes" and "blocks", `held` are the ranks whose contributions are in it, in order, and
    `labels` what is written on each, where that is not just its rank; in "levels" and "matrix"
    `held` is how many contributions there are and whether (1 or 0) these are just the due ones.
    """

    held: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()


EMPTY = Cell()


class Look(NamedTuple):
    """All slots after some step: what is in each, its first values as text, its elements."""

    cell: Callable[[Place], Cell]
    values: Callable[[Place], str]
    elements: Callable[[Place], int]


def look_at(
    recording: Recording, view: str, step: int, names: Names, short: Recording | None = None
) -> Look:
    """All slots after a step. `cell` raises BadInput for what stripes cannot show.

    short: what `in_short` makes of the recording, to be used for many steps.
    """
    size = recording.sizes(step)
    if view in ("stripes", "blocks"):
        state = (short or in_short(recording)).state(step)
        return Look(
            lambda at: _stripes(state, at, names),
            lambda at: _some(state.value(*at).tolist()),
            lambda at: int(size[at]),
        )
    count, complete = recording.levels(step)
    if (
        recording.collective.separate_buffers
    ):  # a block that is still to be sent is not one that is due
        complete[: recording.ranks] &= recording.postcondition
    return Look(
        lambda at: Cell((int(count[at]), int(complete[at]))) if count[at] else EMPTY,
        lambda _: "",
        lambda at: int(size[at]),
    )


def in_short(recording: Recording) -> Recording:
    """The same schedule on as many elements of each chunk as are told, and one more."""
    return recording.excerpt(SHOWN + 1)


def most_due(recording: Recording) -> int:
    """Contributions that a promised cell needs at most."""
    wanted = promised(recording, recording.precondition.astype(np.intp))
    return int(wanted[recording.postcondition].max(initial=1))


def _some(values: list[Any]) -> str:
    """The first of some values, as text."""
    texts = [f"{v:.4g}" if isinstance(v, float) else f"{v}" for v in values[:SHOWN]]
    return f"[{' '.join(texts)}{' …' * (len(values) > SHOWN)}]" if texts else ""


def _stripes(state: State, at: Place, names: Names) -> Cell:
    """Whose contributions a slot holds, and from which slots where these are others."""
    times = state.times[at].tolist()
    ranks = tuple(rank for rank, often in enumerate(times) if often)
    if names.moves_data or not ranks:
        return Cell(ranks)
    for rank in ranks:
        if times[rank] > 1:
            raise BadInput(
                f"slot {at[1]} of {names.node(at[0])} holds data of rank {rank} twice, which the "
                "picture cannot show; `run` shows it as a table"
            )
    origin = state.origin[at]
    labels = tuple(names.label(rank, int(origin[rank]), at[1]) for rank in ranks)
    return Cell(ranks, labels if any(labels) else ())
