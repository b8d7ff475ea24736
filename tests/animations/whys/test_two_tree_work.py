"""The second of two trees comes from where the first one stands, if they are alike."""

import pytest

pytest.importorskip("cairo")  # measures text

from animations.drawing.shapes import Box
from animations.drawing.sheet import FILM
from animations.story.usual import usual_board
from animations.whys.two_tree_work import ALONE, BOTH, TwoTreeWork
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
