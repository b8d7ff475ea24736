"""Where the nodes of a topology are drawn: on a circle, in a grid, or in levels above the ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import cos, pi, sin

import numpy as np

from animations.drawing.shapes import Box
from animations.pictures.machine_boxes import GAP, NODE, MachineLayout, in_boxes
from collectives.cost.machines.seats import unseated
from collectives.cost.machines.topology import Topology
from collectives.errors import TooLarge

MOST_NODES, MOST_LINKS = 160, 700
WIDTH, HEIGHT = 1130.0, 660.0  # of the drawing, in pixels
IN_ROW = 16  # ranks of a line that is longer than the page is wide


def lay_out(topology: Topology, width: float = WIDTH, height: float = HEIGHT) -> MachineLayout:
    """Where the nodes of a topology are drawn; raises BadInput for one too large to be seen.

    width, height: of the room for a machine in boxes; others have one of their own. A rank that
    stands on another GPU is drawn there.
    """
    if topology.nodes > MOST_NODES or topology.links > MOST_LINKS:
        raise TooLarge(
            f"{topology.name} of {topology.nodes} nodes and {topology.links} links: at most "
            f"{MOST_NODES} and {MOST_LINKS} can be drawn",
            "fewer ranks",
        )
    layout = _in_order(unseated(topology), width, height)
    if not topology.seats:
        return layout
    seats = (*topology.seats, *range(topology.ranks, topology.nodes))
    rank_at = {seat: rank for rank, seat in enumerate(seats)}
    curved = frozenset((rank_at[src], rank_at[dst]) for src, dst in layout.curved)
    return replace(layout, boxes=tuple(layout.boxes[seat] for seat in seats), curved=curved)


def _in_order(topology: Topology, width: float, height: float) -> MachineLayout:
    """The same of ranks that stand on the GPUs of their numbers."""
    boxed = in_boxes(topology, width, height)
    if boxed is not None:
        return boxed
    if topology.nodes > topology.ranks:
        return _levels(topology)
    if len(topology.shape) == 1 and topology.ranks > IN_ROW:
        return _snake(topology.ranks)
    if topology.shape:
        return _grid([side for side in topology.shape if side > 1] or [1])
    return _circle(topology.ranks)


def _circle(ranks: int) -> MachineLayout:
    """Rank 0 on top, then clockwise."""
    size = min(NODE, 0.64 * 2 * pi * HEIGHT / 2 / max(ranks, 1))
    radius = (HEIGHT - size) / 2
    at = [2 * pi * rank / ranks for rank in range(ranks)]
    boxes = [Box(WIDTH / 2 + radius * sin(a), HEIGHT / 2 - radius * cos(a), size, size) for a in at]
    return MachineLayout(tuple(boxes))


def _snake(ranks: int) -> MachineLayout:
    """Rows that take turns in their direction, so that neighbors are side by side."""
    rows = -(-ranks // IN_ROW)
    across, down = WIDTH / IN_ROW, HEIGHT / rows
    size = min(NODE, 0.64 * min(across, down))
    boxes = []
    for rank in range(ranks):
        row, place = divmod(rank, IN_ROW)
        column = IN_ROW - 1 - place if row % 2 else place
        boxes.append(Box(across * (column + 0.5), down * (row + 0.5), size, size))
    return MachineLayout(tuple(boxes))


def _grid(shape: Sequence[int]) -> MachineLayout:
    """One row, rows and columns, or several of these, each behind the one before."""
    planes, rows, columns = ([1, 1, *shape] if len(shape) == 1 else [1, *shape])[-3:]
    back = (planes - 1) / planes  # a plane is drawn between the rows and columns of the one before
    across = WIDTH / (columns + back)
    down = min(HEIGHT / (rows + back), across)
    across = min(across, down * 2)
    size = min(NODE, 0.55 * min(across, down), 0.85 * down / planes)
    width = max(size, min(NODE, 0.7 * across / planes, 1.6 * size))
    wide, high = across * (columns - 1 + back), down * (rows - 1 + back)
    left, top = (WIDTH - wide) / 2, (HEIGHT - high) / 2
    seat = np.array(np.unravel_index(np.arange(planes * rows * columns), (planes, rows, columns))).T
    boxes = []
    for plane, row, column in seat.tolist():
        x = left + across * (column + plane / planes)
        y = top + down * (row + (planes - 1 - plane) / planes)
        boxes.append(Box(x, y, width, size))
    curved = np.argwhere(np.abs(seat[:, None] - seat).sum(axis=2) > 1)
    return MachineLayout(tuple(boxes), frozenset((src, dst) for src, dst in curved.tolist()))


def _levels(topology: Topology) -> MachineLayout:
    """Ranks in a row, the others above, as wide as what is joined to them from below."""
    level = _levels_of_nodes(topology)
    low, high = min(level), max(level)
    step = HEIGHT / (high - low + 1)
    rows = {k: [node for node in range(topology.nodes) if level[node] == k] for k in set(level)}
    room = WIDTH / topology.ranks
    size = min(NODE, GAP * room)
    tall = min(NODE, step * 0.5, max(size, 40.0))
    spans: dict[int, tuple[float, float]] = {}
    for rank in range(topology.ranks):
        middle = room * (rank + 0.5)
        spans[rank] = middle - size / 2, middle + size / 2
    for k in [*range(1, high + 1), *range(-1, low - 1, -1)]:
        spans |= _row(rows[k], k, level, spans, topology)
    boxes = []
    for node in range(topology.nodes):
        left, right = spans[node]
        boxes.append(Box((left + right) / 2, step * (high - level[node] + 0.5), right - left, tall))
    return MachineLayout(tuple(boxes), in_rows=True)


def _levels_of_nodes(topology: Topology) -> list[int]:
    """How many links each node is away from the ranks; -1 for what only ranks are joined to."""
    near: list[set[int]] = [set() for _ in range(topology.nodes)]
    for src, dst in zip(topology.src.tolist(), topology.dst.tolist(), strict=True):
        near[src].add(dst)
        near[dst].add(src)
    level = [0] * topology.ranks + [1] * (topology.nodes - topology.ranks)
    left, wave, away = set(range(topology.ranks, topology.nodes)), set(range(topology.ranks)), 0
    while wave := {up for node in wave for up in near[node]} & left:
        away += 1
        left -= wave
        for node in wave:
            level[node] = away
    if away > 1:
        for node in range(topology.ranks, topology.nodes):
            if level[node] == 1 and all(neighbor < topology.ranks for neighbor in near[node]):
                level[node] = -1
    return level


def _row(
    nodes: Sequence[int],
    k: int,
    level: Sequence[int],
    spans: dict[int, tuple[float, float]],
    topology: Topology,
) -> dict[int, tuple[float, float]]:
    """Left and right of the nodes of one level: over what they join, else evenly side by side."""
    below: dict[int, list[int]] = {node: [] for node in nodes}
    for src, dst in zip(topology.src.tolist(), topology.dst.tolist(), strict=True):
        if src in below and abs(level[dst]) == abs(k) - 1 and dst in spans:
            below[src].append(dst)
    wanted = {}
    for node in nodes:
        ends = [spans[child] for child in below[node]] or [(0.0, WIDTH)]
        wanted[node] = min(left for left, _ in ends), max(right for _, right in ends)
    order = sorted(nodes, key=lambda node: (sum(wanted[node]), node))
    lefts = [wanted[node][0] for node in order[1:]]
    rights = [wanted[node][1] for node in order[:-1]]
    if all(right < left for right, left in zip(rights, lefts, strict=True)):
        return wanted
    room = WIDTH / len(order)
    return {
        node: (room * (i + (1 - GAP) / 2), room * (i + (1 + GAP) / 2))
        for i, node in enumerate(order)
    }
