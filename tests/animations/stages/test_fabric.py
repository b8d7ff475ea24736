"""Switches: legible in any box, in levels of lanes, and copies of a parcel begin together."""

from dataclasses import replace

import pytest
from legible import check_links, check_parcels, check_places

from animations.stages.fabric import fabric
from animations.stages.given import given
from animations.story.drawing import Box
from animations.story.storyboard import proved_storyboard
from animations.story.views import lanes_of
from collectives import record
from collectives.algorithms.in_network import switch_tree
from collectives.structure import Switches

BOXES = [(1140, 752), (1800, 700), (900, 800), (560, 752), (1000, 1500)]
CASES = [
    ("all_reduce", "nvls"),
    ("all_reduce", "sharp"),
    ("all_gather", "nvls"),
    ("broadcast", "multicast"),
    ("reduce", "switch"),
]


def structure_of(recording):
    if recording.row.algorithm == "sharp":
        parent = switch_tree(recording.ranks, recording.parameters["radix"])
    else:
        parent = switch_tree(recording.ranks, recording.ranks)
    return Switches(tuple(parent.tolist()))


def scenery_in(board, recording, box):
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    facts = given(recording, board.labels, lanes, board.view == "blocks")
    return fabric(facts, box, structure_of(recording))


@pytest.mark.parametrize("size", BOXES, ids=str)
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def test_switches_are_legible(case, size):
    for ranks in (2, 3, 5, 8, 16, 64):
        recording, box = record(*case, ranks=ranks), Box(900, 800, *size)
        board = proved_storyboard(recording)
        scenery, where = scenery_in(board, recording, box), f"{case} on {ranks} in {size}"
        if scenery is None:
            assert ranks > 16 and size[0] < 1140, where
            continue
        board = replace(board, scenery=scenery)
        check_places(scenery, where)
        check_links(scenery, where)
        if ranks <= 16:
            check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("ranks", [5, 8, 16])
def test_a_switch_is_wide_above_all_that_is_below_it(ranks):
    recording = record("all_reduce", "sharp", ranks=ranks, parameters={"radix": 2})
    board = proved_storyboard(recording)
    cards = scenery_in(board, recording, Box(610, 518, 1140, 752)).cards
    for node, above in enumerate(structure_of(recording).parent[:-1]):
        child, parent = cards[node].box, cards[above].box
        assert parent.bottom < child.top
        assert parent.left <= child.left + 1 and child.right <= parent.right + 1


def test_the_copies_of_a_parcel_begin_together():
    recording = record("all_gather", "nvls", ranks=8)
    scenery = proved_storyboard(recording).scenery
    down = [scenery.way(8, rank, 0, forks=True) for rank in range(8)]
    assert len({way[0] for way in down}) == 1
    assert len({way[-1] for way in down}) == 8
    ends = sorted(way[-1][0] for way in down)
    assert ends == [way[-1][0] for way in down]
