"""Where the data of a recording starts, and what every cell must hold at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from animations.phrases import Phrases
from animations.story.cell_views import Snapshot
from collectives.questions.names import Names
from collectives.recording.recording import Recording

Numbers = tuple[int, ...]


@dataclass(frozen=True)
class Origins:
    """What the contents of all slots follow from, together with the transfers.

    start: of each node the runs of slots that hold its own data, as first, end, first, end …
    values: of these slots, in order, the first number of the data, if it is shown. goals: runs
    of promised cells (node, slot, how many slots, origin slot, first rank, end, and by how much
    the last three grow from slot to slot). operation: as in a formula, such as + or min. roles:
    what each node is in the structure of the algorithm, in words.
    """

    start: tuple[Numbers, ...]
    values: tuple[str, ...]
    goals: tuple[Numbers, ...]
    operation: str
    roles: tuple[str, ...]


def origins_of(
    recording: Recording, after: Callable[[int], Snapshot], shows_values: bool, say: Phrases
) -> Origins:
    """The origins of a recording, with the snapshots of its steps."""
    begins, structure, name = recording.precondition, recording.structure, Names(recording).node
    cells = [(int(node), int(slot)) for node, slot in np.argwhere(begins)] if shows_values else []
    start = after(0)
    return Origins(
        starts_of(recording),
        tuple(start.number(at) for at in cells),
        tuple(goals_of(recording)),
        {"prod": "×", "min": "min", "max": "max"}.get(recording.op, "+"),
        tuple(say.translation(structure.role(node, name)) for node in range(recording.nodes)),
    )


def starts_of(recording: Recording) -> tuple[Numbers, ...]:
    """Of each node the runs of slots that hold its own data, as `start` has them."""
    held = [_runs(row) for row in recording.precondition]
    return (*held, *[()] * (recording.nodes - len(held)))


def _runs(held: np.ndarray) -> Numbers:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], held.astype(np.int8), [0]])))
    return tuple(edges.tolist())


def goals_of(recording: Recording) -> Iterator[Numbers]:
    """The runs of promised cells, as `goals` has them."""
    required = recording.required
    needs = np.stack([required.origin, required.first, required.end], axis=2)
    for rank, row in enumerate(recording.postcondition):
        table = [(slot, *needs[rank, slot].tolist()) for slot in np.flatnonzero(row).tolist()]
        at = 0
        while at < len(table):
            end, growth = _run(table, at)
            slot, *first = table[at]
            yield (rank, slot, end - at, *first, *growth)
            at = end


def _run(table: Sequence[Numbers], at: int) -> tuple[int, Numbers]:
    """The end of the run that begins there, slot by slot with the same growth, and the growth."""
    growth: Numbers = (0, 0, 0)
    end = at + 1
    while end < len(table):
        slot, *change = (b - a for a, b in zip(table[end - 1], table[end], strict=True))
        if slot != 1 or (end > at + 1 and tuple(change) != growth):
            break
        growth = tuple(change)
        end += 1
    return end, growth
