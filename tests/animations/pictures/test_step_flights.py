"""Parcels on their way: what they hold lies within them, at its height in the cells."""

import numpy as np
import pytest

pytest.importorskip("cairo")

from animations.pictures.step_flights import StepFlights
from animations.story.compose import proved_storyboard
from collectives import record


@pytest.mark.parametrize("time", [0.05, 0.4, 0.6, 0.95])
@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [("all_reduce", "ring", 4), ("broadcast", "tree", 8), ("all_reduce", "hierarchical", 8)],
)
def test_stripes_lie_within_their_parcels(collective, algorithm, ranks, time):
    board = proved_storyboard(record(collective, algorithm, ranks=ranks))
    for frame in board.frames:
        step_flights = StepFlights(board, frame, board.view.colors)
        _, _, others, hero, *rest = step_flights.at(time)
        parcels = np.concatenate([others, hero])
        stripes = np.concatenate(rest[: board.view.colors])
        assert len(stripes)
        assert (stripes.min(axis=0) >= parcels.min(axis=0) - 0.5).all()
        assert (stripes.max(axis=0) <= parcels.max(axis=0) + 0.5).all()


def test_what_one_cell_adds_up_leaves_at_once_and_lands_in_turn_in_films():
    board = proved_storyboard(record("all_reduce", "nvls", ranks=8))
    at_once, in_turn = (
        StepFlights(board, board.frames[0], 0, in_turn=apart).boxes(0.4) for apart in (False, True)
    )
    shares = [
        [(box.y - start.y) for box, start in zip(boxes, flights, strict=True)]
        for boxes, flights in (
            (each, StepFlights(board, board.frames[0], 0).boxes(0.0)) for each in (at_once, in_turn)
        )
    ]
    assert len({round(share) for share in shares[0]}) == 1
    assert len({round(share) for share in shares[1]}) == 8
