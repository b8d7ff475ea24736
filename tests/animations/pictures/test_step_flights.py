"""Parcels on their way: what they hold lies within them, at its height in the cells."""

from itertools import combinations, product

import numpy as np
import pytest
from legible import shared

pytest.importorskip("cairo")

from animations.course.examples import recording_of
from animations.drawing.nearby import text_box
from animations.drawing.shapes import MOTION, Box
from animations.drawing.sheet import FILM
from animations.drawing.theme import DARK
from animations.pictures import panels, step
from animations.pictures.stage import Stage
from animations.pictures.step_flights import IN_TURN, SHORTEST, StepFlights
from animations.score.score import Keyframe
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
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


@pytest.mark.parametrize("ranks", [7, 8])
def test_what_comes_from_both_sides_of_a_ring_leaves_at_once_and_lands_in_turn(ranks):
    table = {"collective": "all_gather", "function": "two_way_all_gather", "ranks": ranks}
    board = usual_board(recording_of(table), sheet=FILM)
    passed = StepFlights(board, board.frames[0], 0, in_turn=True).passed
    for rank in range(ranks):
        assert passed(MOTION.lifted + 0.01)[rank, False] == (2, 2)
        landed = [passed(time)[rank, True][0] for time in np.linspace(0.0, 1.0, 41).tolist()]
        assert landed == sorted(landed) and landed.count(1) > 4 and landed[-1] == 2


def parcels_at(step_flights, time):
    """The box of each parcel at a time."""
    _, _, *outlined = step_flights.owned(time)[:4]
    points, columns = (np.concatenate(part) for part in zip(*outlined, strict=True))
    parcels = np.array([step_flights.columns[column].parcel for column in columns])
    spans = [(points[parcels == i].min(0), points[parcels == i].max(0)) for i in set(parcels)]
    return [Box(*(low + high) / 2, *(high - low)) for low, high in spans]


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls", 8), ("sharp", 8), ("nvls", 16)])
def test_what_a_switch_sends_goes_in_turn_in_films_and_what_it_adds_meets(algorithm, ranks):
    """Of parcels that have left their cells and not landed no two overlap by a quarter.

    Those that a switch adds arrive together, and then are added one after another.
    """
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks), sheet=FILM)
    highest = board.scenery.cards[0].box.top  # of ranks, in whose cards chunks land at once
    for number, frame in enumerate(board.frames, 1):
        step_flights = StepFlights(board, frame, 0, in_turn=True)
        starts, ends = parcels_at(step_flights, 0.0), parcels_at(step_flights, 1.0)
        passed = [step_flights.passed(time) for time in np.linspace(0, 1, 200).tolist()]
        sums = {ends.get((ranks, True), (0, 0))[0] for ends in passed}
        into = max(passed[-1].get((ranks, True), (0, 0)))
        assert number > 1 or sums == set(range(into + 1))
        for time in np.linspace(MOTION.lifted, 0.98, 23).tolist():
            if number == 1 and time < IN_TURN:
                assert np.ptp([box.bottom for box in parcels_at(step_flights, time)]) < 1
            if any(move.adds and move.dst >= ranks for move in frame.transfers):
                continue
            boxes = zip(parcels_at(step_flights, time), starts, ends, strict=True)
            outside = [b for b, start, end in boxes if not start.overlaps(b) and dist(end, b) > 20]
            for one, other in combinations([b for b in outside if b.bottom < highest], 2):
                smaller = min(one.width * one.height, other.width * other.height)
                assert shared(one, other) <= smaller / 4, (number, time)


@pytest.mark.parametrize("ranks", [3, 6, 16])
def test_what_a_hub_takes_and_gives_passes_its_port_one_by_one(ranks):
    board = proved_storyboard(record("all_reduce", "parameter_server", ranks=ranks), sheet=FILM)
    hub = max((card.box for card in board.scenery.cards), key=lambda box: box.width)
    port, *lines = board.scenery.lines
    assert {line.points[-1 if 1 in line.steps else 0][0] for line in lines} == {hub.x}
    assert {y for _, y in port.points} == {hub.bottom}
    for frame in board.frames:
        step_flights = StepFlights(board, frame, 0, in_turn=True)
        for time in np.linspace(0, 1, 100).tolist():
            boxes = parcels_at(step_flights, time)
            between = [box for box in boxes if box.top + 1 < hub.bottom < box.bottom - 1]
            assert len(between) <= 1 and all(abs(box.x - hub.x) < 1 for box in between)
            for one, other in combinations(boxes, 2) if frame.number == 1 else ():
                outside = min(one.top, other.top) > hub.bottom
                assert not outside or shared(one, other) <= one.width * one.height / 4


@pytest.mark.parametrize("number", [1, 2])
def test_of_a_heap_what_shares_a_node_with_the_followed_data_goes_first(number):
    board = proved_storyboard(record("all_reduce", "two_shot", ranks=8), sheet=FILM)
    frame = board.frames[number - 1]
    passed = StepFlights(board, frame, 0, in_turn=True).passed(0.4)
    followed = frame.transfers[frame.followed]
    first = (followed.dst, True) if followed.adds else (followed.src, False)
    gone = {end for end, (flights, _) in passed.items() if flights and end[1] == first[1]}
    assert gone == {first}


@pytest.mark.parametrize(("number", "parcel"), [(1, 0), (2, 9)])
def test_what_follows_a_heap_flies_when_that_has_landed_and_fills_its_cells(number, parcel):
    board = proved_storyboard(record("all_reduce", "two_shot", ranks=8), sheet=FILM)
    step_flights = StepFlights(board, board.frames[number - 1], 0, in_turn=True)
    landed = [step_flights.passed(time)[parcel % 8, True] for time in (0.5, 0.99)]
    late = [end for end, (flights, _) in step_flights.passed(0.54).items() if flights and end[1]]
    assert landed[1] == (7, 7) and len(late) <= 8
    chunks = chunks_at(step_flights, 0.999)
    ends = [board.scenery.cell(m.transfer.dst, m.transfer.into) for m in step_flights.columns]
    sizes = sorted((round(box.width), round(box.height)) for box in chunks)
    assert sizes == sorted((round(box.width), round(box.height)) for box in ends)


@pytest.mark.parametrize("ranks", [4, 6, 16])
def test_edges_of_a_halo_land_at_once_as_each_comes_to_its_side(ranks):
    board = usual_board(record("send_recv", "halo_exchange", ranks=ranks), sheet=FILM)
    passed = StepFlights(board, board.frames[0], 0, in_turn=True).passed
    landed = {passed(time)[1, True][0] for time in np.linspace(0.0, 1.0, 81).tolist()}
    assert landed == {0, 2}


def test_where_switches_add_and_copy_nothing_goes_ahead():
    board = proved_storyboard(record("all_reduce", "nvls", ranks=8), sheet=FILM)
    passed = StepFlights(board, board.frames[2], 0, in_turn=True).passed(0.4)
    assert all(flights for (_, lands), (flights, _) in passed.items() if not lands)


@pytest.mark.parametrize(("algorithm", "ranks"), [("ring", 8), ("hierarchical", 16), ("tree", 6)])
def test_a_sign_is_at_most_half_of_its_parcel_and_hides_no_name(algorithm, ranks):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks), sheet=FILM)
    texts = panels.card_names(board, DARK) + panels.slot_labels(board, DARK)
    names, seen = [text_box(line) for line in texts], set()
    for frame in board.frames[:: len(board.frames) // 2]:
        step_flights = StepFlights(board, frame, 0, in_turn=True)
        for time in np.linspace(0, 1, 40).tolist():
            points, owners = step_flights.owned(time)[-2]
            for owner in set(owners.tolist()):
                circle, parcel = points[owners == owner], step_flights.columns[owner].parcel
                sign = Box(*(circle.min(0) + circle.max(0)) / 2, *np.ptp(circle, axis=0))
                size = step_flights.boxes(time)[parcel]
                assert 2 * sign.width <= max(size.width, size.height) + 0.01
                assert not any(map(sign.overlaps, names)), f"{parcel} at {time}"
                seen.add(parcel)
    assert seen


NAMED = [
    ("all_reduce", "recursive_doubling", 8),
    ("all_reduce", "recursive_doubling", 6),
    ("all_reduce", "rabenseifner", 8),
    ("all_gather", "bruck", 7),
    ("all_gather", "pat", 8),
    ("all_gather", "ring", 5),
    ("all_reduce", "parameter_server", 6),
    ("all_reduce", "ring", 8),
    ("all_reduce", "sharp", 8),
    ("all_reduce", "swing", 8),
    ("all_reduce", "tree", 8),
    ("barrier", "dissemination", 8),
    ("broadcast", "scatter_all_gather", 8),
    ("broadcast", "tree", 8),
    ("scan", "recursive_doubling", 8),
]


@pytest.mark.parametrize(("collective", "algorithm", "ranks"), NAMED)
def test_nothing_that_flies_covers_the_name_of_a_rank(collective, algorithm, ranks):
    """At no time more than a tenth of it, and in a row nothing."""
    board = proved_storyboard(record(collective, algorithm, ranks=ranks), sheet=FILM)
    names = [text_box(line) for line in panels.card_names(board, DARK)]
    assert len(names) == board.nodes
    for number, frame in enumerate(board.frames, 1):
        step_flights = StepFlights(board, frame, 0, in_turn=True)
        for time in np.linspace(0, 1, 41).tolist():
            for name, parcel in product(names, chunks_at(step_flights, time)):
                part = shared(name, parcel) / (name.width * name.height)
                assert part <= 0.1 * (board.scenery.family != "row"), (number, time)


def chunks_at(step_flights, time):
    """The box of each chunk at a time."""
    _, _, *outlined = step_flights.owned(time)[:4]
    points, owners = (np.concatenate(part) for part in zip(*outlined, strict=True))
    spans = [(points[owners == i].min(0), points[owners == i].max(0)) for i in set(owners.tolist())]
    return [Box(*(low + high) / 2, *(high - low)) for low, high in spans]


def test_in_a_crowd_only_the_followed_data_is_bright():
    board = proved_storyboard(record("all_reduce", "hierarchical", ranks=16), sheet=FILM)
    step_flights = StepFlights(board, board.frames[7], 0, in_turn=True)
    pale, bright = (step_flights.at(0.5, on)[2:4] for on in (False, True))
    assert [len(part) > 0 for part in (*pale, *bright)] == [True, False, False, True]
    heap = proved_storyboard(record("all_reduce", "two_shot", ranks=8), sheet=FILM)
    assert step_flights.pale < StepFlights(heap, heap.frames[0], 0, in_turn=True).pale < 1
    few = proved_storyboard(record("all_reduce", "ring", ranks=8), sheet=FILM)
    assert not StepFlights(few, few.frames[0], 0, in_turn=True).is_crowd
    alone = StepFlights(few, few.frames[0], 0, in_turn=True, alone=True)
    assert alone.is_crowd and alone.pale < 0.2, "with only a few, too, if a lecture says follow"
    assert len({*alone.owned(0.5)[-1][1].tolist()}) == 1, "this one has a sign"


@pytest.mark.parametrize(("algorithm", "bright"), [("sharp", 2), ("nvls", 1)])
def test_what_is_followed_through_switches_is_bright_on_all_its_ways(algorithm, bright):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=8, chunks=4), sheet=FILM)
    step_flights = StepFlights(board, board.frames[1], 0, in_turn=True)
    assert step_flights.is_crowd and len(step_flights.traced(0.5)) == bright
    assert len({*step_flights.owned(0.5)[-1][1].tolist()}) == bright, "these alone have signs"


@pytest.mark.parametrize(("algorithm", "ranks"), [("pairwise", 6), ("bruck", 8)])
def test_a_block_keeps_its_number_until_it_lands_and_one_of_those_below_each_other_has_a_sign(
    algorithm, ranks
):
    board = usual_board(record("all_to_all", algorithm, ranks=ranks), sheet=FILM)
    frame = next(f for f in board.frames if f.example.src != f.example.dst)
    step_flights = StepFlights(board, frame, board.view.colors, in_turn=True)
    for time in (0.1, 0.5, MOTION.arrived + 0.02, 0.98):
        *_, text, badges, _ = step_flights.owned(time)
        assert {*text[1].tolist()} == {*range(len(step_flights.columns))}, time
        followed = {step_flights.columns[column].parcel for column in badges[1].tolist()}
        assert followed <= {step_flights.hero}
    sums = usual_board(record("all_reduce", "ring", ranks=4), sheet=FILM)
    adding = StepFlights(sums, sums.frames[0], sums.view.colors)
    assert not len(adding.at(MOTION.arrived + 0.02)[-3]), "no part over a sum"


def dist(one, other):
    """How far the corners of two boxes are apart, at most."""
    return max(abs(one.left - other.left), abs(one.top - other.top), abs(one.right - other.right))


@pytest.mark.parametrize(("algorithm", "ranks"), [("nvls", 8), ("ring", 8), ("tree", 6)])
def test_labels_and_words_lie_above_what_flies_over_them(algorithm, ranks):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks), sheet=FILM)
    stage, hidden = Stage(board), set()
    stage.show(Keyframe(1, landed=False))
    step_flights = StepFlights(board, board.frames[0], 0, in_turn=True)
    for time in np.linspace(0, 1, 20).tolist():
        for line in step.readable(board, (1, True), DARK):
            if any(box.overlaps(text_box(line)) for box in parcels_at(step_flights, time)):
                hidden.add(line)
    assert hidden <= {line for outline in stage.front for line in outline.texts}


@pytest.mark.parametrize("counts", [(3, 0, 1, 2), (1, 4, 4), (2, 2, 2, 2)])
def test_of_unequal_chunks_each_takes_as_long_as_its_bytes(counts):
    """The largest all of a step, as every one of equal chunks; all land where they always do."""
    recording = record("all_gather", "ring", ranks=len(counts), counts=counts)
    board = proved_storyboard(recording, sheet=FILM)
    for frame in board.frames:
        step_flights = StepFlights(board, frame, 0, in_turn=True)
        plain = StepFlights(board, frame, 0)
        assert step_flights.boxes(1.0) == plain.boxes(1.0)
        sizes = [frame.transfers[first].size for first in step_flights.firsts]
        for own, size in enumerate(sizes):
            part = max(size / max(sizes), SHORTEST)
            assert step_flights.boxes(part)[own] == plain.boxes(1.0)[own]
            assert step_flights.boxes(0.6 * part)[own] == pytest.approx(plain.boxes(0.6)[own])
