"""Machines in boxes: nothing overlaps or leaves its box, no line passes through a third node."""

from itertools import combinations

import numpy as np
import pytest

from animations.drawing.shapes import Box
from animations.pictures.machine_layout import HEIGHT, WIDTH, lay_out
from animations.pictures.machine_picture import MachinePicture
from collectives.cost.machines import topology
from collectives.cost.machines.seats import seated

MACHINES = [
    ("hgx-a100", 8, {}),
    ("hgx-h100", 5, {}),
    ("hgx-b200", 8, {}),
    ("nvl72", 72, {}),
    ("nvl72", 13, {}),
    ("nvl72", 1, {}),
    ("cluster", 8, {}),
    ("cluster", 16, {}),
    ("cluster", 24, {"gpus": 4, "nics": 2}),
    ("cluster", 16, {"gpus": 4, "rails": 1, "leaf": 2, "spines": 2}),
    ("cluster", 12, {"gpus": 2, "leaf": 2, "spines": 3}),
    ("cluster", 8, {"gpus": 4, "rails": 1}),
    ("cluster", 8, {"gpus": 4, "stripe": 1, "leaf": 1}),
]


def holds(outer, inner):
    return (
        outer.left <= inner.left + 1e-6
        and inner.right <= outer.right + 1e-6
        and outer.top <= inner.top + 1e-6
        and inner.bottom <= outer.bottom + 1e-6
    )


@pytest.mark.parametrize("size", [(WIDTH, HEIGHT), (560.0, 720.0)])
@pytest.mark.parametrize(("name", "ranks", "parameters"), MACHINES)
def test_boxes_are_apart_and_in_the_room(name, ranks, parameters, size):
    machine = topology(name, ranks, **parameters)
    layout = lay_out(machine, *size)
    chips = [chip for own in layout.chips.values() for chip in own]
    assert len(chips) == (machine.makeup.chips if machine.makeup.chips > 1 else 0)
    for boxes in (layout.boxes, chips, layout.frames):
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other, -1e-6)
    room = Box.between(0, 0, *size)
    assert all(holds(room, box) for box in (*layout.boxes, *chips, *layout.frames))
    for node, own in layout.chips.items():
        assert all(holds(layout.boxes[node], chip) for chip in own)
    for frame in layout.frames:  # a frame has whole boxes in it, or none
        for box in (*layout.boxes[:ranks], *chips):
            assert holds(frame, box) or not frame.overlaps(box, -1e-6)


@pytest.mark.parametrize(("name", "ranks", "parameters"), MACHINES)
def test_lines_of_links_pass_through_no_third_node(name, ranks, parameters):
    machine = topology(name, ranks, **parameters)
    picture = MachinePicture(machine, Box.between(0, 0, WIDTH, HEIGHT))
    edges = np.array([(b.left, b.top, b.right, b.bottom) for b in picture.boxes]).T[:, :, None]
    part = np.linspace(0, 1, 51)
    for src, dst in zip(machine.src.tolist(), machine.dst.tolist(), strict=True):
        for line in picture.link(src, dst, "link", 2.0, 4.0):
            (x0, y0), (x1, y1) = line.points
            x, y = x0 + (x1 - x0) * part, y0 + (y1 - y0) * part
            inside = (edges[0] < x) & (x < edges[2]) & (edges[1] < y) & (y < edges[3])
            assert set(np.flatnonzero(inside.any(axis=1)).tolist()) <= {src, dst}


def test_a_rank_that_has_moved_is_drawn_on_its_gpu():
    machine = topology("cluster", 16)
    plain, moved = lay_out(machine), lay_out(seated(machine, ["3=8"]))
    assert moved.boxes[3] == plain.boxes[8] and moved.boxes[8] == plain.boxes[3]
    assert moved.boxes[0] == plain.boxes[0] and moved.boxes[16:] == plain.boxes[16:]
    grid = topology("torus-2d", 9)
    ends, ways = (lay_out(seated(grid, moves)) for moves in ([], ["0=8"]))
    assert ways.boxes[0] == ends.boxes[8] and len(ways.curved) == len(ends.curved)
