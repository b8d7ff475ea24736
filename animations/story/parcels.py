"""The flights of a step: moves that travel together from one node to another, or to several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from animations.story.comments import Remark, in_plural
from animations.story.labels import Labels

if TYPE_CHECKING:
    from animations.story.frames import Move


@dataclass(frozen=True, slots=True)
class Parcel:
    """Moves of a step, as indices, that are one flight from `src`: one verb, one statement.

    A switch that sends the same slots to several nodes sends them as one parcel, which forks on
    its way. remark: what its function says of it.
    """

    src: int
    dsts: tuple[int, ...]
    moves: tuple[int, ...]
    adds: bool
    remark: Remark

    @property
    def is_local(self) -> bool:
        """Whether it stays on its node."""
        return self.dsts == (self.src,)


def parcels_of(moves: Sequence[Move], labels: Labels, said: Sequence[Remark]) -> tuple[Parcel, ...]:
    """The parcels of a step in the order of their first moves; each move is in one of them."""
    copies: dict[tuple[object, object], dict[int, list[int]]] = {}  # of a slot, or of all slots
    for i, move in enumerate(moves):
        flight = (move.src, move.adds, move.source and (move.source.function, move.source.first))
        forks = labels.helper == "switch" and move.src >= labels.ranks
        what = (move.chunk, move.into) if forks else move.dst
        copies.setdefault((flight, what), {}).setdefault(move.dst, []).append(i)
    together: dict[tuple[object, tuple[int, ...]], list[int]] = {}
    for (way, _), found in copies.items():
        indices = [i for some in found.values() for i in some]
        together.setdefault((way, tuple(found)), []).extend(indices)
    ordered = sorted(map(sorted, together.values()))
    several = {said[some[0]].text for some in ordered if len({moves[i].chunk for i in some}) > 1}
    return tuple(_parcel(indices, moves, labels, said, several) for indices in ordered)


def _parcel(
    indices: list[int],
    moves: Sequence[Move],
    labels: Labels,
    said: Sequence[Remark],
    several: set[str],
) -> Parcel:
    some, remark = [moves[i] for i in indices], said[indices[0]]
    first, dsts = some[0], tuple(dict.fromkeys(move.dst for move in some))
    if remark.text in several:
        remark = remark._replace(text=in_plural(remark.text, labels.say))
    return Parcel(first.src, dsts, tuple(indices), first.adds, remark)
