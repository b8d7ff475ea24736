"""Pictures of any links: round a circle, and in a grid whose rows run to and fro."""

from itertools import pairwise

import pytest
from legible import check_places
from staged import BOXES, staged

from animations.stages.around import around
from collectives import record
from collectives.structure import Loose


@pytest.mark.parametrize("ranks", [17, 24, 32])
def test_neighbors_on_a_ring_are_neighbors_in_a_grid(ranks):
    """Rows run to and fro: from each card to the next it is one place, sideways or down."""
    recording = record("all_reduce", "ring", ranks=ranks)
    board = staged(recording, lambda g, box, _: around(g, box), Loose(()), BOXES["slide"])
    cards = [card.box for card in board.scenery.cards]
    check_places(board.scenery, f"grid of {ranks}")
    lefts, tops = (sorted({getattr(c, side) for c in cards}) for side in ("left", "top"))
    places = [(lefts.index(card.left), tops.index(card.top)) for card in cards]
    assert len(tops) > 2
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in pairwise(places))
