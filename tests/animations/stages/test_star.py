"""Stars and meshes: legible in any box; bars say what the hub has received and sent."""

from itertools import pairwise

import pytest
from legible import check_links, check_parcels, check_places, check_words
from staged import BOXES, SOME_BOXES, some, staged

from animations.stages.star import star
from collectives import record
from collectives.structure import Star

HUBS = {
    ("broadcast", "flat"): lambda r: (r.root,),
    ("scatter", "flat"): lambda r: (r.root,),
    ("all_reduce", "linear"): lambda r: (r.root,),
    ("all_reduce", "parameter_server"): lambda r: (r.ranks,),
    ("all_reduce", "sharded_parameter_server"): lambda r: tuple(range(r.ranks, r.nodes)),
    ("all_reduce", "two_shot"): lambda r: tuple(range(r.ranks)),
    ("all_gather", "flat"): lambda r: tuple(range(r.ranks)),
}


def starred(case, ranks, box="lecture", **options):
    recording = record(*case, ranks=ranks, **options)
    return recording, staged(recording, star, Star(HUBS[case](recording)), BOXES[box])


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize("ranks", some([2, 3, 5, 8, 16, 32, 64]))
@pytest.mark.parametrize("case", HUBS, ids=lambda case: f"{case[0]}-{case[1]}")
def test_a_star_is_legible(case, ranks, box):
    _, board = starred(case, ranks, box)
    where = f"{case} on {ranks} in {box}"
    if board is None:
        assert ranks == 64, where  # too many for letters of that size: a matrix is drawn
        assert box == "half" or (case[1], box) == ("sharded_parameter_server", "film tall"), where
        return
    check_places(board.scenery, where)
    check_words(board.scenery, where)
    if ranks <= (16 if box == "lecture" else 8):
        check_links(board.scenery, where)
        check_parcels(board, range(1, len(board.frames) + 1), where)


def test_the_bars_of_a_hub_say_what_it_has_received_and_sent():
    recording, board = starred(("all_reduce", "linear"), 6)
    sent, received = recording.counters.bytes_sent, recording.counters.bytes_received
    size = recording.count * recording.dtype.itemsize
    labeled = {gauge.label: gauge for gauge in board.scenery.gauges if gauge.label}
    for name, amounts in (("received", received), ("sent", sent)):
        whole = amounts[recording.root] / size
        assert labeled[name].texts[0] == f"0 of {whole:.3g} vectors"
        assert labeled[name].texts[-1] == f"{whole:.3g} of {whole:.3g} vectors"
        assert labeled[name].shares[0] == 0
        assert labeled[name].shares[-1] == 1


def test_a_bar_is_there_for_what_a_node_receives_or_sends():
    gauges = starred(("broadcast", "flat"), 6)[1].scenery.gauges
    assert [gauge.label for gauge in gauges] == ["sent"]
    assert gauges[0].texts == ("0 of 5 vectors", "5 of 5 vectors")


def test_messages_of_a_step_wait_side_by_side_at_the_hub():
    recording, board = starred(("all_reduce", "linear"), 8)
    scenery = board.scenery
    hub = scenery.cards[recording.root].box
    ends = sorted(way[-1] for (_, dst), way in scenery.ways.items() if dst == recording.root)
    assert len(ends) == 7
    assert all(b[0] - a[0] >= scenery.parcel[0] for a, b in pairwise(ends))
    assert all(hub.left <= x <= hub.right and y > hub.bottom for x, y in ends)


def test_two_different_structures_have_different_pictures():
    places = {
        case: tuple(card.box for card in starred(case, 8)[1].scenery.cards)[:8] for case in HUBS
    }
    assert places["all_reduce", "two_shot"] == places["all_gather", "flat"]
    assert len(set(places.values())) >= 4
