"""Boxes for nodes: legible in any box, for any number of nodes; gauges count what crosses."""

from functools import cache

import numpy as np
import pytest
from legible import check_links, check_parcels, check_places, inside
from staged import BOXES, SOME_BOXES, some

from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box
from animations.drawing.ways import point
from animations.phrases import phrases
from animations.stages.groups import groups
from animations.stages.staged import staged_of
from animations.stages.views import lanes_of
from animations.story.compose import proved_storyboard
from collectives import record
from collectives.cost.machines import topology_for
from collectives.structure import Groups

NAMES = ["hierarchical", "three-level", "leader", "NVLS-tree"]
SIZES = some([2, 3, 5, 8, 16, 64])
NODES_OF_TWO = [("hierarchical", 16, 8), ("hierarchical", 16, 2), ("NVLS-tree", 16, 2)]


@cache
def recorded(name, ranks, gpus=None):
    return record("all_reduce", name, ranks=ranks, parameters=gpus and {"gpus": gpus})


def scenery(recording, box=BOXES["lecture"]):
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    facts = staged_of(recording, phrases("en"), lanes, whole=False)
    return groups(facts, box, recording.structure)


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize("ranks", SIZES)
@pytest.mark.parametrize("name", NAMES)
def test_nodes_have_room_in_any_box(name, ranks, box):
    check_stage(recorded(name, ranks), BOXES[box])


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize(("name", "ranks", "gpus"), NODES_OF_TWO)
def test_few_and_many_ranks_in_a_node(name, ranks, gpus, box):
    check_stage(recorded(name, ranks, gpus), BOXES[box])


def check_stage(recording, box):
    where = f"{recording.heading} on {recording.ranks} in {box}"
    found = scenery(recording, box)
    check_places(found, where)
    check_links(found, where)
    for word in found.words:
        assert word.size >= 18, f"{where}: {word.text} is too small"
        assert found.box.top + 14 <= word.baseline <= found.box.bottom, f"{where}: {word.text}"
    for link, way in {**found.ways, **found.fork_ways}.items():
        middles = (point(way, time / 12) for time in range(13))
        assert all(inside(Box(*at, 0, 0), box) for at in middles), f"{where}: {link} leaves it"
    for gauge in found.gauges:
        wide = max(text_width(f"{gauge.label} {text}", 20) for text in gauge.texts)
        assert wide <= gauge.box.width, f"{where}: {gauge.label} is too long"
    grounds = [ground.box for ground in found.grounds]
    assert all(inside(box, found.box) for box in grounds), f"{where}: a box leaves the stage"
    for group in recording.structure.members:
        around = [b for b in grounds if all(inside(found.cards[m].box, b) for m in group)]
        others = set(range(recording.nodes)) - set(group)
        assert any(not any(b.overlaps(found.cards[m].box) for m in others) for b in around), where


@pytest.mark.parametrize("ranks", some([2, 3, 5, 8, 16]))
@pytest.mark.parametrize("name", NAMES)
def test_data_on_its_way_does_not_overlap(name, ranks):
    board = proved_storyboard(record("all_reduce", name, ranks=ranks))
    assert board.scenery.family == "groups"
    check_parcels(board, range(1, len(board.frames) + 1), f"{name} on {ranks}")


def test_the_gauge_counts_what_crosses_the_network():
    recording = record("all_reduce", "hierarchical", ranks=16, count=64)
    (gauge,) = scenery(recording).gauges
    crossed = [0]
    for step in recording.steps:
        step = step.unrolled()
        far = np.count_nonzero(step.src // 4 != step.dst // 4)
        crossed.append(crossed[-1] + int(far) * 512 // 16)
    assert gauge.shares == tuple(now / crossed[-1] for now in crossed)
    assert gauge.texts[-1] == "3 KiB of 3 KiB"
    assert crossed[-1] == 3 * 1024


def test_a_gauge_for_each_level_of_three():
    found = scenery(record("all_reduce", "three-level", ranks=16))
    assert [gauge.label for gauge in found.gauges] == ["between racks:", "between nodes of a rack:"]
    assert sum(word.text.startswith("rack") for word in found.words) == 2


def test_a_single_node_has_no_network():
    found = scenery(record("all_reduce", "hierarchical", ranks=5))
    assert not found.gauges and len(found.grounds) == 1


def test_rates_are_named_where_the_network_is_slower():
    recording = recorded("hierarchical", 16)
    board = proved_storyboard(recording, topology_for(recording, "cluster"))
    words = [word.text for word in board.scenery.words]
    assert words.count("450 GB/s") == 4
    assert [gauge.label for gauge in board.scenery.gauges] == ["over the network, 50 GB/s:"]
    board = proved_storyboard(recording, topology_for(recording, "crossbar"))
    assert [gauge.label for gauge in board.scenery.gauges] == ["over the network:"]


def test_a_node_outside_of_all_groups_has_no_place():
    recording = recorded("hierarchical", 8)
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    facts = staged_of(recording, phrases("en"), lanes, whole=False)
    assert groups(facts, BOXES["lecture"], Groups(((0, 1), (2, 3)))) is None
