"""A torus: legible in any box and for any shape, one chip lit for each dimension in use."""

from functools import cache
from itertools import combinations

import pytest
from legible import check_links, check_parcels, check_places, inside
from staged import BOXES, SOME_BOXES, some

from animations.drawing.shapes import Box
from animations.phrases import phrases
from animations.stages.staged import staged_of
from animations.stages.torus import torus
from animations.stages.views import lanes_of
from animations.story.compose import proved_storyboard
from collectives import record

NAMES = ["torus-2d", "torus-3d", "two-color-torus"]
SHAPES = [
    ("torus-2d", 16, {"rows": 2}),
    ("torus-2d", 16, {"rows": 8}),
    ("torus-3d", 12, {"rows": 3, "columns": 2}),
    ("torus-3d", 27, {"rows": 3, "columns": 3}),
    ("torus-3d", 32, {"rows": 4, "columns": 4}),
]


@cache
def recorded(name, ranks, parameters=()):
    return record("all_reduce", name, ranks=ranks, parameters=dict(parameters))


def scenery(recording, box=BOXES["lecture"]):
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    facts = staged_of(recording, phrases("en"), lanes, whole=False)
    return torus(facts, box, recording.structure)


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize("ranks", some([2, 3, 5, 8, 16, 64]))
@pytest.mark.parametrize("name", NAMES)
def test_a_grid_has_room_in_any_box(name, ranks, box):
    check_stage(recorded(name, ranks), BOXES[box])


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize(("name", "ranks", "parameters"), SHAPES)
def test_long_and_deep_grids(name, ranks, parameters, box):
    check_stage(recorded(name, ranks, tuple(parameters.items())), BOXES[box])


def check_stage(recording, box):
    where = f"{recording.heading} on {recording.ranks} in {box}"
    found = scenery(recording, box)
    check_places(found, where)
    check_links(found, where)
    grounds = [ground.box for ground in found.grounds]
    assert all(inside(each, box) for each in grounds), f"{where}: a plane leaves the stage"
    assert not any(a.overlaps(b) for a, b in combinations(grounds, 2)), f"{where}: planes"
    for line in found.lines:
        for x, y in (line.points[0], line.points[-1]):
            assert inside(Box(x, y, 0, 0), box), f"{where}: a line leaves the stage"


@pytest.mark.parametrize("ranks", some([2, 3, 5, 8, 16]))
@pytest.mark.parametrize("name", NAMES)
def test_data_on_its_way_does_not_overlap(name, ranks):
    board = proved_storyboard(recorded(name, ranks))
    assert board.scenery.family == "torus"
    check_parcels(board, range(1, len(board.frames) + 1), f"{name} on {ranks}")


@pytest.mark.parametrize(("name", "ranks"), [("torus-2d", 16), ("torus-3d", 8)])
def test_one_dimension_is_in_use_in_each_step(name, ranks):
    recording = recorded(name, ranks)
    chips = scenery(recording).chips
    assert len(chips) == len(recording.structure.shape)
    steps = sorted(step for chip in chips for step in chip.steps)
    assert steps == list(range(1, len(recording.steps) + 1))


def test_a_torus_does_not_look_like_nodes_of_a_machine():
    one = proved_storyboard(recorded("torus-2d", 16)).scenery
    other = proved_storyboard(recorded("hierarchical", 16)).scenery
    assert not {(c.x, c.y) for c in one.cards} & {(c.x, c.y) for c in other.cards}
    assert not one.grounds and not one.gauges and other.grounds and other.gauges


def test_data_has_a_way_to_go_in_every_dimension():
    """From one end of a way to the other, a parcel moves further than it is high or wide."""
    for name, ranks in (("torus-2d", 8), ("torus-3d", 8), ("torus-3d", 16)):
        scenery = proved_storyboard(recorded(name, ranks)).scenery
        for (x, y), *_, (u, v) in scenery.ways.values():
            assert max(abs(x - u) / scenery.parcel[0], abs(y - v) / scenery.parcel[1]) > 1, name
