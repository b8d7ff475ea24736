"""How much of a recording a picture can show: rows of cells in a card, and the kinds of view."""

from __future__ import annotations

from animations.drawing.card_shapes import Lanes
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.values import whole

MOST_SHOWN, MOST_ON_PAGES = 1024, 256  # ranks, and chunks, that are drawn
MOST_ON_CARDS = 64  # ranks that have a card each; more are rows of a matrix
MOST_CARDS = 128  # nodes
MOST_ROWS, MOST_CELLS = 2048, 1 << 22  # nodes in a matrix, and cells


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


def fills_cells(recording: Recording) -> bool:
    """Whether nothing is added, so that what is in a cell is all of it, and fills it."""
    return recording.collective.moves_data and not any(s.reduces.any() for s in recording.steps)


def has_one_source(recording: Recording) -> bool:
    """Whether all data is one rank's, in chunks, so that colors tell these apart."""
    sources = int(recording.precondition.any(axis=1).sum())
    return recording.chunk_count > 1 and sources == 1 and fills_cells(recording)


def check_shown(ranks: int, chunk_count: int, limit: int = MOST_SHOWN) -> None:
    """Raise BadInput for more ranks or chunks than any view shows, or a page."""
    for what, number in (("ranks", ranks), ("chunks", chunk_count)):
        if whole(what, number, 1) > limit:
            kind = "a page" if limit == MOST_ON_PAGES else "the picture"
            raise BadInput(f"{number} {what}: {kind} shows 1 to {limit}; try: {limit}")


def has_cards(ranks: int, nodes: int, chunk_count: int, lanes: Lanes) -> bool:
    """Whether there is room for a card for each node; raises BadInput if not even for a row."""
    check_shown(ranks, chunk_count)
    slots = sum(map(sum, lanes))
    if nodes > MOST_ROWS or nodes * slots > MOST_CELLS:
        raise BadInput(
            f"{nodes} nodes of {slots} slots: the picture shows up to {MOST_ROWS} nodes, and "
            f"{MOST_CELLS} slots of all of them"
        )
    return ranks <= MOST_ON_CARDS and nodes <= MOST_CARDS
