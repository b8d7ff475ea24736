"""The order of ranks in a row in which the edges of trees above and below it cross least."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

Spot = tuple[int, int]


def row_of(parents: Sequence[Sequence[int]]) -> list[int]:
    """The order of the ranks: their own, unless fewer edges cross in another."""
    ranks = list(range(len(parents[0])))
    rotated = [ranks[:1] + ranks[2:] + ranks[1:2], ranks[1:] + ranks[:1]]
    inner = [list(_through(parent, parent.index(-1))) for parent in parents]
    return min(
        (ranks, *rotated, *inner),
        key=lambda row: sum(_crossings(parent, row) for parent in parents),
    )


def _through(parent: Sequence[int], rank: int) -> Iterator[int]:
    """A tree from left to right: half of what is below a rank, itself, the other half."""
    below = [child for child, above in enumerate(parent) if above == rank]
    half = len(below) // 2
    for child in below[:half]:
        yield from _through(parent, child)
    yield rank
    for child in below[half:]:
        yield from _through(parent, child)


def depths(parent: Sequence[int]) -> list[int]:
    """How far each rank is from the root."""

    def hops(rank: int) -> int:
        return 0 if parent[rank] < 0 else 1 + hops(parent[rank])

    return [hops(rank) for rank in range(len(parent))]


def _crossings(parent: Sequence[int], row: Sequence[int]) -> int:
    """How many pairs of edges cross where the ranks stand in this order."""
    seat, depth = {rank: number for number, rank in enumerate(row)}, depths(parent)
    points = [(seat[rank], depth[rank]) for rank in range(len(parent))]
    edges = [(points[rank], points[above]) for rank, above in enumerate(parent) if above >= 0]
    return sum(_cross(*edge, *crossed) for edge, crossed in combinations(edges, 2))


def _cross(a: Spot, b: Spot, c: Spot, d: Spot) -> bool:
    """Whether two straight lines cross between their ends."""

    def side(p: Spot, q: Spot, r: Spot) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
