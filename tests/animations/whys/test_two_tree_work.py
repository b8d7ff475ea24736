"""The second of two trees comes from where the first one stands, if they are alike."""

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.shapes import Box
from animations.drawing.sheet import FILM
from animations.story.usual import usual_board
from animations.whys.two_tree_work import ALONE, BOTH, EVEN, TwoTreeWork
from collectives import record

ROOM = Box.between(0, 0, 1800, 900)


def names(picture, item, time, tone):
    """Where the inner nodes of the tree of a tone are, by rank."""
    drawing = picture.drawn(ROOM, item, time)
    middles = [(box.box.x, box.box.y) for box in drawing.boxes if box.edge == tone]
    lines = [line for line in drawing.lines if line.size == 24 and line.text.isdigit()]
    spots = [(int(line.text), line.x, line.baseline - 9) for line in lines]
    return {rank: at for rank, *spot in spots for at in middles if at == pytest.approx(spot)}


@pytest.mark.parametrize("ranks", [8, 12, 16])
def test_the_second_tree_is_the_first_one_moved_by_a_rank(ranks):
    board = usual_board(record("broadcast", "double-binary-tree", ranks=ranks), sheet=FILM)
    (picture,) = (why.picture for why in board.whys if isinstance(why.picture, TwoTreeWork))
    first, second = picture.parents
    moved = [0, *range(2, ranks), 1]
    assert all(second[moved[rank]] == moved[above] for rank, above in enumerate(first) if rank)
    there, start = names(picture, ALONE, 1.0, "rank 0"), names(picture, BOTH, 0.0, "rank 1")
    stands = {rank: start[moved[rank]] for rank in range(ranks) if rank in first}
    assert stands == {rank: pytest.approx(there[rank]) for rank in stands} and len(stands) > 3
    middle, end = (names(picture, BOTH, time, "rank 1") for time in (0.25, 1.0))
    assert start != middle != end and min(y for _, y in end.values()) > ROOM.y


@pytest.mark.parametrize(
    ("ranks", "alone", "both"), [(8, "192 MiB", "128 MiB"), (16, "192", "128")]
)
def test_each_card_says_what_its_rank_sends_without_the_unit_where_it_is_too_long(
    ranks, alone, both
):
    board = usual_board(record("all_reduce", "double-binary-tree", ranks=ranks), sheet=FILM)
    (picture,) = (why.picture for why in board.whys if isinstance(why.picture, TwoTreeWork))
    for item, most, hard in ((ALONE, alone, ranks // 2 - 1), (EVEN, both, ranks - 2)):
        lines = picture.drawn(ROOM, item, 0.5).lines
        assert sum(line.text == most for line in lines) == hard
