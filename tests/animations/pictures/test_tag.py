"""The name of the followed data hides no card, no text and not the data, and a line leads to it."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("manim")

from claims import Played
from each import each
from legible import box, inside
from mistakes import recorded
from msccl_programs import RING
from samples import rows_on
from settings import THOROUGH

from animations.drawing import scenery_shapes
from animations.drawing.shapes import Box
from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.pictures import panels
from animations.pictures.foot import headline_text, spoken_text
from animations.pictures.stage import Stage
from animations.pictures.step_flights import StepFlights
from animations.pictures.tag import _name, count_of, landed_counts, tag_of
from animations.score.score import Keyframe
from animations.story.flights import flies
from animations.story.usual import usual_board
from collectives import record
from collectives.formats.msccl import recording_of
from collectives.formats.msccl.program import parse_program

RANKS = (4, 8, 16)
NAMES = [name for name in SHEETS if name != "two"]
CASES = [
    (row, ranks, sheet)
    for ranks in RANKS
    for number, row in enumerate(rows_on(ranks, every=True))
    for sheet in (NAMES if THOROUGH else [NAMES[(number + ranks) % len(NAMES)]])
][:: 1 if THOROUGH else 4]
NARROW = 16  # nodes, from which on a film may have no room for the name
FAN = 8  # ranks to which data goes at once, beyond which there may be no room for its name


def title(case):
    row, ranks, sheet = case
    return f"{row.title} on {ranks} ranks, {sheet}"


def named(board, number):
    """The name in a step, and the parcels' flight."""
    step_flights = StepFlights(board, board.frames[number - 1], 0)
    return tag_of(board, number, step_flights, explained=number == 1), step_flights


def written(board, number):
    """All text of a film's page while a step is under way."""
    moment = Keyframe(number, landed=False)
    lines = panels.fixed_text(board, DARK) + panels.card_names(board, DARK)
    foot = headline_text if board.sheet.cues else spoken_text
    lines += panels.keyframe_text(board, moment, DARK, foot)
    return [*lines, *scenery_shapes.moment_text(board.scenery, number, True, DARK)]


def bounds(points):
    (left, top), (right, bottom) = points.min(axis=0), points.max(axis=0)
    return Box.between(left, top, right, bottom)


def check_name(board, number, where):
    """The name is on the page, and no card, no cell, no chip, no text and no data is below it."""
    tag, step_flights = named(board, number)
    frame = board.frames[number - 1]
    fan = len({frame.transfers[each].dst for each in frame.parcels[frame.hero].transfers})
    if fan > FAN or (tag is None and fan == board.ranks):
        return  # the data it names is all over the stage
    if tag is None and (fan + 1 >= FAN or (board.nodes >= NARROW and not board.sheet.cues)):
        return  # in letters as large as a film's
    assert tag, f"{where}: no room for the name"
    areas = [board.sheet.stage, *([board.sheet.head] if board.sheet.head else [])]
    assert any(inside(tag.plate, area) for area in areas), f"{where}: it leaves the stage"
    start = step_flights.boxes(0.0)[step_flights.hero]
    plate, letters = tag.at(start)
    assert tag.leads or inside(bounds(letters), bounds(plate)), f"{where}: letters off the plate"
    for card in board.scenery.cards:
        assert not any(map(tag.plate.overlaps, card.boxes)), f"{where}: on a card"
    for part in (*board.scenery.chips, *board.scenery.gauges):
        assert not tag.plate.overlaps(part.box), f"{where}: on {part}"
    for line in written(board, number):
        assert not tag.plate.overlaps(box(line)), f"{where}: on {line.text!r}"
    for time in np.linspace(0, 0.7, 9):
        parcel = step_flights.boxes(time)[step_flights.hero]
        assert not tag.plate.overlaps(parcel), f"{where}: on the data it names, at {time:.2f}"


@each(("row", "ranks", "sheet"), CASES, title, few=8)
def test_the_name_hides_nothing(row, ranks, sheet):
    board = usual_board(record(row.collective, row.algorithm, ranks=ranks), sheet=SHEETS[sheet])
    if board.scenery.lens is not None:
        return  # the enlarged chunk bears the name
    total = len(board.frames)
    for number in sorted({1, (total + 1) // 2, total} if THOROUGH else {1, (total + 1) // 2}):
        if number and flies(board.scenery, board.frames[number - 1]):
            check_name(board, number, f"step {number}")


@pytest.mark.parametrize(
    ("algorithm", "ranks", "sheet", "number"),
    [
        ("tree", 16, "lecture", 2),
        ("ring", 8, "4:3", 2),
        ("hierarchical", 16, "lecture", 8),
        ("nvls", 8, "lecture", 1),
    ],
)
def test_the_name_hides_nothing_where_the_stage_is_full(algorithm, ranks, sheet, number):
    board = usual_board(record("all_reduce", algorithm, ranks=ranks), sheet=SHEETS[sheet])
    check_name(board, number, algorithm)


@pytest.mark.parametrize("row", [("ring", 8), ("tree", 8), ("rabenseifner", 8), ("nvls", 4)])
def test_what_is_counted_at_a_landing_is_what_the_interpreter_holds(row):
    recording = record("all_reduce", row[0], ranks=row[1])
    board, played = usual_board(recording, sheet=SHEETS["film"]), Played(recording)
    for number, frame in enumerate(board.frames, 1):
        counts = landed_counts(board, number)
        hero = [frame.transfers[i] for i in frame.parcels[frame.hero].transfers]
        if counts is None:
            assert not all(move.adds for move in hero)
            continue
        ends = [
            {len(played.held(step, move.dst, move.into)) for move in hero}
            for step in (number - 1, number)
        ]
        assert ends == [{counts[0]}, {counts[1]}] and counts[0] < counts[1]


def test_a_count_stands_beside_its_cell_and_hides_nothing():
    board = usual_board(record("all_reduce", "ring", ranks=8), sheet=SHEETS["film"])
    counted = 0
    for number in range(1, 8):
        landing = StepFlights(board, board.frames[number - 1], 0)
        if tag := count_of(board, number, landing):
            counted += 1
            cards = [part for card in board.scenery.cards for part in card.boxes]
            assert not any(map(tag.plate.overlaps, cards))
    assert counted == 7


def test_a_name_passes_over_no_lane_where_there_is_room_beside_them():
    board = usual_board(record("all_reduce", "nvls", ranks=8))
    tag, _ = named(board, 1)
    for line in board.scenery.lines:
        (x, _), *_ = line.points
        on_it = tag.plate.left < x < tag.plate.right and tag.plate.bottom > board.sheet.stage.top
        assert not on_it


def test_between_nodes_a_name_stands_beside_the_next_rank_and_over_no_flight():
    """In a film there is just room for it between ranks and their switch, for a count, too."""
    recording = record("all_reduce", "nvls_tree", ranks=16, parameters={"gpus": 8}, chunks=1)
    board = usual_board(recording, sheet=SHEETS["film"])
    step_flights = StepFlights(board, board.frames[2], 0, in_turn=True)
    first = board.frames[2].transfers[board.frames[2].parcels[step_flights.hero].transfers[0]]
    cards = [board.scenery.cards[node].box for node in (first.src, first.dst)]
    for tag in (tag_of(board, 3, step_flights), count_of(board, 3, step_flights)):
        assert any(tag.plate.overlaps(card, 30) for card in cards)
    plate = tag_of(board, 3, step_flights).plate
    for time in np.linspace(0.1, 0.7, 7):
        assert not any(plate.overlaps(box) for box in step_flights.boxes(float(time)))


def test_a_line_leads_from_the_name_to_the_data_and_crosses_no_card():
    board = usual_board(record("all_reduce", "ring", ranks=8), sheet=SHEETS["film"])
    tag, step_flights = named(board, 1)
    assert tag.leads
    for time in (0.2, 0.4, 0.6):
        parcel = step_flights.boxes(time)[step_flights.hero]
        with_line, without = (each.at(parcel)[1] for each in (tag, replace(tag, leads=False)))
        line = bounds(with_line[: len(with_line) - len(without)])
        assert line.overlaps(parcel, 2) and line.overlaps(tag.plate, 2)
        assert not any(line.overlaps(card.box) for card in board.scenery.cards)


def test_a_line_that_would_cross_a_card_is_left_out():
    board = usual_board(record("all_reduce", "hierarchical", ranks=16, parameters={"gpus": 4}))
    tag, _ = named(board, 8)
    assert tag.plate.bottom < board.sheet.stage.top and not tag.leads


def test_the_name_stands_still_while_the_data_travels():
    board = usual_board(record("broadcast", "tree", ranks=8))
    stage = Stage(board)
    stage.show(Keyframe(2, landed=False, named=True))
    *names, plate, _ = stage.front
    stage.travel(0.5)
    assert stage.front[-2].same(plate)
    stage.show(Keyframe(2))
    assert len(stage.front) == len(names)


def test_a_local_move_is_named_beside_its_card():
    board = usual_board(recording_of(parse_program(RING), True))
    local = board.frames[0].example
    assert local.is_local
    tag, _ = named(board, 1)
    assert not tag.plate.overlaps(board.scenery.cards[local.src].box)


def test_what_holds_data_twice_is_not_counted():
    """Before the mistake is named, nothing says either that the sum is right."""
    for name in ("whole_tensor_all_reduce", "double_count_all_reduce", "add_for_copy_all_reduce"):
        board = usual_board(recorded(name))
        assert landed_counts(board, 1) == (1, 2)
        assert board.frames[1].transfers[0].adds and landed_counts(board, 2) is None


def test_what_all_ranks_get_is_counted_where_it_lands():
    board = usual_board(record("all_gather", "bruck", ranks=7))
    assert [landed_counts(board, step) for step in (1, 2, 3)] == [(1, 2), (2, 4), (4, 7)]
    board = usual_board(record("all_to_all", "bruck", ranks=8))
    assert landed_counts(board, 3) is None, "a block is in one place"


def test_of_many_chunks_the_one_that_is_followed_is_named_and_has_a_border():
    """In each step the one that goes on."""
    board = usual_board(record("all_reduce", "bcube", ranks=16))
    assert _name(board, board.frames[0]) == "chunk 15 and 7 more: rank 0 → rank 1"
    assert _name(board, board.frames[1]) == "chunks 3, 7, 11, 15: rank 1 → rank 3"
    assert [board.outlined(step) for step in (0, 1, 2)] == [[], [(1, 15)], [(3, 15)]]
    assert board.outlined(1, landed=False) == [(0, 15)]
