"""A ring: legible for any number of ranks, one way or both, and with a tree before or after it."""

import pytest
from legible import check_links, check_parcels, check_places
from staged import some

from animations.drawing.sheet import FILM
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import record

CASES = [
    ("all_reduce", "ring"),
    ("all_gather", "ring"),
    ("all_reduce", "bidirectional_ring"),
    ("broadcast", "van_de_geijn"),
    ("reduce", "leftward_ring"),
    ("send_recv", "halo_exchange"),  # in a row, up to 8 ranks
]


@pytest.mark.parametrize("ranks", some([3, 5, 8, 16, 24, 64]))
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_ring_is_legible(case, ranks):
    board = proved_storyboard(record(*case, ranks=ranks))
    where = f"{case} on {ranks}"
    assert board.scenery.family == "ring"
    check_places(board.scenery, where)
    check_links(board.scenery, where)
    if ranks <= (8 if case == ("reduce", "leftward_ring") else 16):  # 14 that meet are crowded
        check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("root", [0, 2, 4])
@pytest.mark.parametrize(
    ("names", "way"), [(("broadcast", "van_de_geijn"), 1), (("reduce", "leftward_ring"), -1)]
)
def test_the_root_is_at_the_top_and_the_data_goes_on_clockwise(names, way, root):
    scenery = proved_storyboard(record(*names, ranks=5, root=root)).scenery
    assert scenery.family == "ring"
    cards = dict(enumerate(scenery.cards))
    assert min(cards, key=lambda rank: cards[rank].y) == root
    assert max(cards, key=lambda rank: cards[rank].x) == (root + way) % 5


def test_blocks_in_a_row_have_copies_outside_and_their_own_edges_inside():
    recording = record("send_recv", "halo_exchange", ranks=6)
    scenery = usual_board(recording, sheet=FILM).scenery
    card = scenery.cards[2]
    left, right, from_left, from_right = (card.cell(slot).x for slot in range(4))
    assert from_left < left < right < from_right
    assert left - from_left == pytest.approx(from_right - right)
    (rest,) = card.groups  # of the block, between its edges
    assert left < rest.left < rest.right < right
    middle = [
        line
        for line in scenery.lines
        if line.fixed and abs(line.points[0][0] - card.x) < rest.width
    ]
    assert len(middle) == 2 * 4, "a grid of 4 × 4 cells with its edges"
    wide = card.shape.cells[0].width
    for line in middle:
        assert rest.left < line.points[0][0] < rest.right and line.width == pytest.approx(wide)


@pytest.mark.parametrize("ranks", [3, 6, 8])
def test_what_wraps_round_a_row_leaves_and_lands_at_the_outer_sides(ranks):
    scenery = usual_board(record("send_recv", "halo_exchange", ranks=ranks), sheet=FILM).scenery
    first, last = scenery.cards[0], scenery.cards[-1]
    (left, *_, lands), (right, *_, comes) = scenery.ways[0, ranks - 1], scenery.ways[ranks - 1, 0]
    own, copy = first.cell(0), first.cell(2)  # its left edge, and what comes from the left
    for end, cell in ((left, own), (comes, copy)):
        assert end[0] == pytest.approx(cell.x, abs=cell.width)
    assert comes[0] < left[0] < first.x and last.x < right[0] < lands[0]


@pytest.mark.parametrize("ranks", [3, 6, 8])
def test_copies_to_both_sides_of_a_block_pass_one_above_the_other(ranks):
    recording = record("send_recv", "halo_exchange", ranks=ranks)
    scenery = usual_board(recording, sheet=FILM).scenery
    for rank in range(ranks - 1):
        there, back = scenery.ways[rank, rank + 1], scenery.ways[rank + 1, rank]
        assert there[0][1] - back[0][1] >= scenery.parcel[1] + 12
        gap = scenery.cards[rank + 1].box.left - scenery.cards[rank].box.right
        assert gap > scenery.parcel[0] + 8


def test_a_ring_of_eight_has_a_chunk_in_its_middle():
    assert proved_storyboard(record("all_reduce", "ring", ranks=8)).scenery.lens


def test_the_two_ways_round_have_a_tone_each():
    lines = proved_storyboard(record("all_reduce", "bidirectional_ring", ranks=6)).scenery.lines
    tones = [line.tone for line in lines]
    assert sorted(tones) == ["now"] * 6 + ["phase 1"] * 6


def test_lines_across_the_middle_are_there_in_their_steps_only():
    """What a tree dealt out goes round a ring, in whose steps no curve of the tree is there."""
    board = proved_storyboard(record("broadcast", "scatter_all_gather", ranks=8))
    lines = board.scenery.lines
    across = {line.link for line in lines if (line.link[1] - line.link[0]) % 8 not in (1, 7)}
    assert across and {line.link for line in lines if line.brief} == across
