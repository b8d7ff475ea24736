"""The page that argues for the bound: what is bright when, behind the hand and before it."""

import pytest

from animations.whys.bound import ALL, IN, LOOK, OUT, BoundTables
from collectives import record
from tests.animations.whys.test_whys import whys


@pytest.fixture(scope="module")
def why():
    every = whys(record("all_reduce", "ring", ranks=8))
    return next(why for why in every if isinstance(why.picture, BoundTables))


def bright(why, item, time):
    """By rank how many of the pieces that must go out are bright."""
    table = why.picture.table(why.room, 0)
    boxes = why.picture.drawn(why.room, item, time).boxes
    inside = [box for box in boxes if box.box.right < table.right and box.color.startswith("rank")]
    return [sum(box.color == f"rank {rank}" for box in inside) for rank in range(8)]


def test_nothing_has_gone_out_before_it_is_said(why):
    assert bright(why, LOOK, 0.0) == bright(why, LOOK, 1.0) == [0] * 8
    assert bright(why, OUT, 1.0) == bright(why, IN, 1.0) == [7, *[0] * 7]


def test_rows_are_counted_one_by_one_as_the_hand_leaves_them(why):
    times = [bright(why, ALL, time / 20) for time in range(21)]
    counts = [sum(count > 0 for count in rows) for rows in times]
    assert counts[0] == 1 and counts[-1] == 8 and counts == sorted(counts)
    assert set(range(1, 9)) == set(counts), "row after row"
    assert times[-1] == [7] * 8
    numbers = [line.text for line in why.picture.drawn(why.room, ALL, 1.0).lines]
    assert numbers.count("7") == 16
