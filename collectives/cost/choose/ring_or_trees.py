"""From which size on the ring beats two trees, for more and more ranks: it grows like N squared."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.catalog import find_row
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.crossover import Seconds, closed_crossings, crossings, law
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.machines import topology
from collectives.cost.machines.grids import ALPHA, BANDWIDTH
from collectives.values import positive, whole

AROUND = 4  # times smaller and larger than the closed form's crossing: what is searched


@dataclass(frozen=True)
class Crossover:
    """Bytes from which on the ring is faster than two trees with their best number of chunks.

    clock: by bisection on the lockstep clock, None where there is none nearby. closed: by the
    closed form. limit: N (N-1-C) alpha / beta, where filling a pipeline costs nothing.
    """

    ranks: int
    clock: int | None
    closed: float
    limit: float


def ring_beats_trees(ranks: int, latency: float = ALPHA, bandwidth: float = BANDWIDTH) -> Crossover:
    """The crossover of ring and double binary tree all-reduce on a crossbar; raises BadInput.

    At least three ranks: two have one way only. Where latency costs nothing the ring always wins.

    >>> found = ring_beats_trees(8)
    >>> [f"{size:.3g}" for size in (found.clock, found.closed, found.limit)]
    ['1.43e+06', '1.25e+06', '8e+06']
    """
    ranks = whole("ranks", ranks, 3)
    latency, bandwidth = positive("latency", latency, "s"), positive("bandwidth", bandwidth, "B/s")
    ring, trees = (find_row("all_reduce", name) for name in ("ring", "double-binary-tree"))
    machine = topology("crossbar", ranks, latency=latency, bandwidth=bandwidth)
    setup = Setup(lambda recording: machine)
    laws = [law(row, ranks) for row in (trees, ring)]
    closed = max(closed_crossings(laws[0], laws[1], latency, bandwidth))

    by_trees: Seconds = lambda size: best_chunks(trees, ranks, size, setup).seconds  # noqa: E731
    by_ring: Seconds = lambda size: setup.time(sized(ring, ranks, size)).total  # noqa: E731
    around = round(closed / AROUND), round(closed * AROUND)
    sizes = [
        crossing.size for crossing in crossings(by_trees, by_ring, *around) if crossing.second_wins
    ]
    depth = (ranks - 1).bit_length()
    limit = ranks * (ranks - 1 - depth) * latency * bandwidth
    return Crossover(ranks, sizes[-1] if sizes else None, closed, limit)
