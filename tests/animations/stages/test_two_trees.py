"""Two trees: legible in any box, a node over its rank at the height of its level."""

import pytest
from legible import check_links, check_parcels, check_places
from staged import BOXES, some, staged

from animations.stages.two_trees import _rooted, two_trees
from animations.story.flights import flights
from collectives import record

CASES = [
    ("all_reduce", "double-binary-tree"),
    ("broadcast", "double-binary-tree"),
    ("reduce", "double-binary-tree"),
    ("broadcast", "split-binary"),
    ("reduce", "split-binary"),
]


@pytest.mark.parametrize("ranks", some([1, 2, 3, 5, 8, 16, 64]))
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_two_trees_are_legible(case, ranks):
    recording = record(*case, ranks=ranks)
    for name, box in BOXES.items():
        where = f"{case} on {ranks}, {name}"
        board = staged(recording, two_trees, recording.structure, box)
        if board is None:
            assert ranks > 16 and (box.width < 900 or box.height < 700), where
            continue
        check_places(board.scenery, where)
        check_links(board.scenery, where)
        if ranks <= 16:
            check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("ranks", [8, 16])
def test_sides_of_one_tree_stand_apart_until_they_swap(ranks):
    """Its ranks from left to right: one side, the root, the other; each is linked in one tree."""
    recording = record("broadcast", "split-binary", ranks=ranks)
    scenery = staged(recording, two_trees, recording.structure, BOXES["lecture"]).scenery
    assert sum(line.fixed and line.width == 1.6 for line in scenery.lines) == ranks - 1
    left = [rank for rank in range(ranks) if scenery.cards[rank].x < scenery.cards[0].x]
    assert {rank % 2 for rank in left} <= {1} and len(left) == ranks // 2


@pytest.mark.parametrize("ranks", [6, 8])
def test_chunks_that_swap_together_start_beside_their_node(ranks):
    recording = record("broadcast", "split-binary", ranks=ranks)
    scenery = staged(recording, two_trees, recording.structure, BOXES["lecture"]).scenery
    knots = {
        (side, chip.node): chip.box
        for side in range(2)
        for chip in scenery.chips[side * ranks : (side + 1) * ranks]
    }
    links = {*zip(recording.steps[-1].src.tolist(), recording.steps[-1].dst.tolist(), strict=True)}
    ways = [(key, way) for key, way in scenery.stream_ways.items() if key[:2] in links]
    assert len(ways) == 2 * len(links)
    for (src, _, chunk), way in ways:
        knot = knots[chunk // 2, src]
        apart = abs(way[0][0] - knot.x), abs(way[0][1] - knot.y)
        sizes = 2 * scenery.parcel[0], scenery.parcel[1]
        free = [
            gap >= (a + b) / 2
            for gap, a, b in zip(apart, sizes, (knot.width, knot.height), strict=True)
        ]
        assert any(free), (src, chunk)


@pytest.mark.parametrize("ranks", [5, 8, 16])
def test_parents_stand_farther_from_the_cards_than_their_children(ranks):
    recording = record("all_reduce", "double-binary-tree", ranks=ranks)
    structure = recording.structure
    scenery = staged(recording, two_trees, structure, BOXES["lecture"]).scenery
    for side, parents in enumerate(structure.parents):
        knots = scenery.chips[side * ranks : (side + 1) * ranks]
        for rank, above in enumerate(parents):
            assert knots[rank].box.x == scenery.cards[rank].x
            rise = knots[above].box.y - knots[rank].box.y
            assert above < 0 or (rise < 0 if side == 0 else rise > 0)


def test_the_chunks_of_a_tree_travel_on_its_side_of_the_cards():
    recording = record("all_reduce", "double-binary-tree", ranks=8)
    scenery = staged(recording, two_trees, recording.structure, BOXES["lecture"]).scenery
    for (src, dst, chunk), way in scenery.stream_ways.items():
        above = all(y < scenery.cards[0].box.top for _, y in way)
        below = all(y > scenery.cards[0].box.bottom for _, y in way)
        assert (above, below) == (chunk < 2, chunk >= 2), (src, dst)


def test_what_no_longer_hangs_together_is_no_single_tree():
    assert [_rooted(parents) for parents in ([-1, 0, 1, 1], [-1, -1, 1, 1])] == [True, False]


def test_chunks_of_both_trees_between_the_same_ranks_travel_apart():
    recording = record("all_reduce", "double-binary-tree", ranks=3)
    board = staged(recording, two_trees, recording.structure, BOXES["lecture"])
    frame = board.frames[1]
    both = next(i for i, parcel in enumerate(frame.parcels) if len(parcel.transfers) == 2)
    ways = [flight.way for flight in flights(board.scenery, frame) if flight.parcel == both]
    assert [way[0][1] < board.scenery.cards[0].y for way in ways] == [True, False]
