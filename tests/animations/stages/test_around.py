"""Pictures of any links: round a circle, and in a grid whose rows run to and fro."""

from itertools import pairwise

import pytest
from legible import check_places
from staged import BOXES, staged

from animations.drawing.scenery import CLOCK, TICKS
from animations.stages.around import around
from animations.story.usual import usual_board
from collectives import record
from collectives.structure import Loose
from collectives.units import time_text


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


@pytest.mark.parametrize(("ranks", "number"), [(2, 1), (4, 0)])
def test_a_clock_runs_while_two_ranks_wait_for_an_answer(ranks, number):
    board = usual_board(record("send_recv", "ping_pong", ranks=ranks))
    assert len(board.scenery.gauges) == number
    for gauge in board.scenery.gauges:
        ends = board.setup_times.times
        assert gauge.texts == tuple(time_text(time, 3) for time in ends)
        assert gauge.shares == tuple(time / ends[-1] for time in ends)
        running = [gauge.counted(step, {CLOCK: (k, TICKS)}) for step in (1, 2) for k in (0, 30, 60)]
        assert [now.shares[0] for now in running] == pytest.approx([0, 0.25, 0.5, 0.5, 0.75, 1])
