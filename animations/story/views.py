"""How much of a recording a picture can show: rows of cells in a card, and the kinds of view."""

from __future__ import annotations

from animations.stages.card_shapes import Lanes
from collectives.errors import BadInput
from collectives.values import whole

VIEWS = {"stripes": 16, "levels": 64, "matrix": 256}  # most ranks, and most chunks
MOST_CARDS = {"stripes": 32, "levels": 64, "matrix": 512}  # nodes
MOST_LANES = 4


def lanes_of(chunk_count: int, promised_slots: int, slots: int) -> Lanes:
    """The rows of cells in a card: chunks, then received chunks, then scratch slots.

    >>> lanes_of(1, 1, 2), lanes_of(4, 8, 9)
    (((1, 1),), ((4,), (4,), (1,)))
    """
    lanes: list[tuple[int, ...]] = [(chunk_count,)]
    if promised_slots > chunk_count:
        lanes.append((promised_slots - chunk_count,))
    scratch = slots - promised_slots
    if scratch and len(lanes) == 1 and chunk_count + scratch <= 8:
        return ((chunk_count, scratch),)
    long = max(chunk_count, 4)
    lanes += [(min(long, scratch - first),) for first in range(0, scratch, long)]
    return tuple(lanes)


def check_shown(ranks: int, chunk_count: int) -> None:
    """Raise BadInput for more ranks or chunks than any view shows."""
    limit = VIEWS["matrix"]
    for what, number in (("ranks", ranks), ("chunks", chunk_count)):
        if whole(what, number, 1) > limit:
            raise BadInput(f"{number} {what}: the picture shows 1 to {limit}; nearest: {limit}")


def view_of(ranks: int, nodes: int, chunk_count: int, lanes: Lanes) -> str:
    """The most detailed view that has room; raises BadInput if none has."""
    check_shown(ranks, chunk_count)
    limit, slots = VIEWS["matrix"], sum(map(sum, lanes))
    if nodes > MOST_CARDS["matrix"] or slots > 4 * limit:
        raise BadInput(
            f"{nodes} nodes of {slots} slots: the picture shows up to "
            f"{MOST_CARDS['matrix']} nodes of {4 * limit}"
        )
    longest = max(ranks, *map(sum, lanes))
    for view in ("stripes", "levels"):
        if longest <= VIEWS[view] and nodes <= MOST_CARDS[view] and len(lanes) <= MOST_LANES:
            return view
    return "matrix"
