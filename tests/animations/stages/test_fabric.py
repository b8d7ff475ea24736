"""Switches: legible in any box, in levels of lanes, and copies of a parcel begin together."""

import pytest
from legible import check_links, check_parcels, check_places
from staged import BOXES, some, staged

from animations.stages.fabric import fabric
from collectives import record

CASES = [
    ("all_reduce", "nvls"),
    ("all_reduce", "sharp"),
    ("all_gather", "nvls"),
    ("broadcast", "multicast"),
    ("reduce", "switch"),
]


@pytest.mark.parametrize("ranks", some([3, 2, 8, 5, 64, 16]))
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_switches_are_legible(case, ranks):
    recording = record(*case, ranks=ranks)
    for name, box in BOXES.items():
        where = f"{case} on {ranks}, {name}"
        board = staged(recording, fabric, recording.structure, box)
        if board is None:
            assert ranks > 16 and box.width < 900, where
            continue
        plain = ranks <= 16 and ranks * recording.slots <= 256
        assert board.scenery.fold.is_plain == (plain or board.view.name == "chunks")
        check_places(board.scenery, where)
        check_links(board.scenery, where)
        if ranks <= 16:
            check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("ranks", [5, 8, 16])
def test_a_switch_is_wide_above_all_that_is_below_it(ranks):
    recording = record("all_reduce", "sharp", ranks=ranks, parameters={"radix": 2})
    cards = staged(recording, fabric, recording.structure, BOXES["lecture"]).scenery.cards
    for node, above in enumerate(recording.structure.parent[:-1]):
        child, parent = cards[node].box, cards[above].box
        assert parent.bottom < child.top
        assert parent.left <= child.left + 1 and child.right <= parent.right + 1


def test_the_copies_of_a_parcel_go_straight_down():
    recording = record("all_gather", "nvls", ranks=8)
    scenery = staged(recording, fabric, recording.structure, BOXES["lecture"]).scenery
    down = [scenery.way(8, rank, 0, forks=True) for rank in range(8)]
    assert all(way[0][0] == way[-1][0] for way in down)
    ends = [way[-1][0] for way in down]
    assert len(set(ends)) == 8
    assert ends == sorted(ends)
