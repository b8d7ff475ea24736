"""An exchange: legible in any box; its chips and chords say what the recording does."""

from itertools import combinations

import numpy as np
import pytest
from legible import check_links, check_parcels, check_places, check_words
from settings import sampled
from staged import BOXES, SOME_BOXES, staged

from animations.drawing.sheet import SHEETS
from animations.pictures.step_flights import StepFlights
from animations.stages.exchange import exchange
from animations.story.compose import proved_storyboard
from animations.story.flights import flights
from collectives import record
from collectives.schedule.step import rows
from collectives.structure import Exchange

CASES = [
    (algorithm, ranks)
    for algorithm in ("flat", "pairwise", "triangular", "bruck")
    for ranks in (2, 3, 5, 8, 16, 32)
]
CASES += [("exchange", 4), ("exchange", 8), ("exchange", 16)]
CASES += [("hierarchical", 4), ("hierarchical", 8), ("hierarchical", 16), ("hierarchical", 32)]
CASES += [("pairwise", 64)]


def tables(algorithm, ranks, box="lecture"):
    recording = record("all_to_all", algorithm, ranks=ranks)
    gpus = recording.parameters.get("gpus", ranks)
    groups = [tuple(range(first, first + gpus)) for first in range(0, ranks, gpus)]
    structure = Exchange(tuple(groups) if algorithm == "hierarchical" else ())
    return recording, staged(recording, exchange, structure, BOXES[box])


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize("case", sampled(CASES, 2), ids=lambda case: f"{case[0]}-{case[1]}")
def test_an_exchange_is_legible(case, box):
    recording, board = tables(*case, box)
    where = f"{case} in {box}"
    if board is None:
        assert recording.ranks == 64 and box != "lecture", where
        return
    check_places(board.scenery, where)
    check_words(board.scenery, where)
    if recording.ranks <= (16 if box == "lecture" else 8):
        check_links(board.scenery, where)
        check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("ranks", [3, 8])
@pytest.mark.parametrize("algorithm", ["flat", "pairwise", "bruck"])
def test_a_lit_chord_is_a_message_of_the_step(algorithm, ranks):
    recording, board = tables(algorithm, ranks)
    dots = [ground.box for ground in board.scenery.grounds]
    assert len(dots) == ranks

    def near(point):
        return min(range(ranks), key=lambda i: np.hypot(dots[i].x - point[0], dots[i].y - point[1]))

    drawn = {
        (step, near(line.points[0]), near(line.points[-1]))
        for line in board.scenery.lines
        if line.hidden
        for step in line.steps
    }
    sent = {
        (number, src, dst)
        for number, step in enumerate(recording.steps, 1)
        for src, dst, *_ in rows(step.unrolled())
        if src != dst
    }
    assert drawn == sent


def test_chips_say_how_far_each_step_goes():
    def texts(algorithm, ranks):
        return [chip.text for chip in tables(algorithm, ranks)[1].scenery.chips]

    assert texts("pairwise", 5) == ["+1", "+2", "+3", "+4", "own"]
    assert texts("exchange", 4) == ["⊕1", "⊕2", "⊕3", "own"]
    assert texts("triangular", 4) == ["own", "+1", "+3", "+2"]
    assert texts("flat", 4) == ["+1 … +3"]
    assert texts("hierarchical", 8) == ["inside", "across"]
    assert texts("bruck", 4) == ["own", "+1", "+2"]


def test_parcels_of_several_blocks_pass_beside_each_other():
    """In the space between the tables none of them covers a number of another one."""
    board = proved_storyboard(record("all_to_all", "hierarchical", ranks=8))
    step_flights = StepFlights(board, board.frames[0], 0)
    between = {transfer.src for transfer in board.frames[0].transfers if not transfer.is_local}
    for time in (0.3, 0.5, 0.65):
        found = flights(board.scenery, board.frames[0])
        boxes = [b for b, flight in zip(step_flights.boxes(time), found, strict=True) if flight.way]
        assert len(boxes) == 3 * len(between)
        assert not any(a.overlaps(b, -2) for a, b in combinations(boxes, 2)), time


def test_a_wrong_exchange_without_a_step_is_drawn():
    nothing = record([], "my_all_to_all", collective="all_to_all", ranks=8, count=8)
    assert proved_storyboard(nothing).wrong


@pytest.mark.parametrize("ranks", [6, 8, 16])
def test_rows_come_before_a_circle_of_partners(ranks):
    """On a film's wide stage, where both would make rows too low; alone they are higher."""
    recording = record("all_to_all", "bruck", ranks=ranks)
    scenery = proved_storyboard(recording, sheet=SHEETS["film"]).scenery
    pitch = scenery.cards[1].y - scenery.cards[0].y
    assert pitch >= min(44, 390 / ranks)
    assert bool(scenery.grounds) == (ranks < 8)
