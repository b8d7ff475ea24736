"""Two algorithms on a tree of switches: what passes the busiest link of each, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, TextLine
from animations.whys.cost_bars import SAME, Cost
from animations.whys.network_sums import LAST, NetworkSum, PortTraffic, traffic_of
from animations.whys.sends import WhyFacts
from animations.whys.teller import Teller
from animations.whys.uplink import Uplink

GAP, ABOVE, LETTER = 60.0, 80.0, 40.0  # pixels between two trees, above them, of letters
BEGINS = 0.25  # of the sentence, whose first words say on which machine


@dataclass(frozen=True, eq=False)
class LoadedTrees:
    """Trees side by side, with names and times; as much passes both links in as much time."""

    trees: tuple[tuple[NetworkSum, str, str], ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of its sentence."""
        beside, drawing = room.width > room.height, Drawing()
        x, y = (room.width + GAP) / 2 * beside, (room.height + GAP) / 2 * (not beside)
        busiest = max(tree.traffic[0].busier for tree, *_ in self.trees)
        part = min(1.0, max(0.0, (time - BEGINS) / (LAST - BEGINS)))
        for side, (tree, name, lasts) in zip((-0.5, 0.5), self.trees, strict=True):
            half = Box(room.x + side * x, room.y + side * y, room.width - x, room.height - y)
            end = half.right, half.top + 10, LETTER
            texts = (
                TextLine(name, half.left, *end[1:], "ink", "bold"),
                TextLine(lasts * (time >= LAST), *end, "now", "bold", "right"),
            )
            half = Box.between(half.left, half.top + ABOVE, half.right, half.bottom)
            own = _taken(tree.traffic[0], part * float(busiest))
            drawing += tree.drawn(half, item, own * LAST) + Drawing(lines=texts)
        return drawing


def _taken(traffic: PortTraffic, vectors: float) -> float:
    """The share of its steps after which so many vectors have passed the link."""
    steps = range(len(traffic.steps))
    loads = [max(sum(row.part for row in traffic.port(k, end)) for end in (0, 1)) for k in steps]
    passed = [*map(float, accumulate(loads, initial=Fraction()))]
    return float(np.interp(vectors, passed, [k / len(steps) for k in range(len(passed))]))


def loaded_trees(
    links: Sequence[Uplink | None], costs: Sequence[Cost], tell: Teller
) -> LoadedTrees | None:
    """Both on their tree, where what passes its busiest link is why one of them is slower."""
    first, then = sorted(costs, key=lambda cost: cost.seconds)
    loaded = then.moved - first.moved > then.latency - first.latency
    if not loaded or then.vectors < (1 + SAME) * first.vectors:
        return None
    ways, trees = [link for link in links if link and WhyFacts(link[2]).even], []
    traffics = [traffic_of(WhyFacts(recording), *behind) for _, behind, recording in ways]
    counted = [float(traffic.busier) for traffic in traffics]
    pairs = [*zip(counted, costs, strict=False)]
    if len(pairs) < len(costs) or any(abs(a - b.vectors) > SAME * a for a, b in pairs):
        return None
    for (parent, _, run), cost, own in zip(ways, costs, traffics, strict=True):
        whole = run.ranks if run.collective.reduces else 1
        rows, steps = (("", own, 0),), ((0, 0, len(own.steps)),)
        tree = NetworkSum(tell, parent, whole, (own,), rows, steps, longest=max(counted))
        trees.append((tree, cost.name, cost.time))
    return LoadedTrees(tuple(trees))
