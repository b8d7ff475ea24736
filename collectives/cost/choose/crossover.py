"""From which size on one algorithm takes less time than another: by bisection, and in closed form.

The bisection asks the clocks. The closed form is that of a crossbar: there an algorithm takes
a + b q steps, in which d + c / q vectors pass the busiest ports, for q chunks (b = c = 0 where
nothing is pipelined); with the best q that is a alpha + d S beta + 2 sqrt(b c alpha S beta).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import floor, inf, isfinite, sqrt

from collectives.catalog import NO_PARAMETERS, Row
from collectives.cost.bounds.closed import closed_form
from collectives.cost.choose.setup import sized
from collectives.values import whole

Seconds = Callable[[int], float]
LADDER = 4  # from one size that is tried to the next, until the faster of two changes
SMALLEST, LARGEST = 1, 1 << 40  # sizes that are tried
FEW_LAW_CHUNKS, MOST_LAW_CHUNKS = 16, 64  # of the two numbers of chunks that tell a law the first


@dataclass(frozen=True)
class Crossing:
    """From `size` bytes on the second of two is faster, until then the first, or reversed."""

    size: int
    second_wins: bool


@dataclass(frozen=True)
class Law:
    """a + b q steps and d + c / q vectors through the busiest ports, for q chunks."""

    a: float
    b: float
    c: float
    d: float

    def chunks(self, size: float, latency: float, bandwidth: float) -> float:
        """The best number of chunks, at least 1: sqrt(c S beta / (b alpha)).

        >>> round(Law(6, 1, 6, 1).chunks(1e9, 5e-6, 50e9))
        155
        """
        if not self.b or not self.c:
            return 1.0
        waited = self.b * latency
        return max(1.0, sqrt(self.c * size / bandwidth / waited)) if waited else inf

    def seconds(self, size: float, latency: float, bandwidth: float) -> float:
        """The time with the best number of chunks."""
        chunks = self.chunks(size, latency, bandwidth)
        steps = self.a * latency + (self.b * latency * chunks if self.b and latency else 0.0)
        return steps + (self.d + self.c / chunks) * size / bandwidth


def law(row: Row, ranks: int, root: int = 0, parameters: Mapping[str, int] = NO_PARAMETERS) -> Law:
    """The law of an algorithm, from what it takes with two numbers of chunks."""
    return _law(row, ranks, root, tuple(sorted(parameters.items())))


def law_chunks(ranks: int) -> tuple[int, int]:
    """Two numbers of chunks from which the law of a pipeline follows: of few ranks smaller ones."""
    few = min(MOST_LAW_CHUNKS, max(FEW_LAW_CHUNKS, 1 << (ranks - 1).bit_length()))
    return few, 2 * few


@lru_cache(maxsize=256)
def _law(row: Row, ranks: int, root: int, chosen: tuple[tuple[str, int], ...]) -> Law:
    parameters = dict(chosen)
    if "chunks" not in row.parameters:
        closed = _closed(row, ranks, root, parameters, None)
        return Law(closed[0], 0, 0, closed[1])
    few, more = law_chunks(ranks)
    tried = [_closed(row, ranks, root, parameters, chunks) for chunks in (few, more)]
    (steps, port), (more_steps, more_port) = tried
    b = (more_steps - steps) / (more - few)
    c = (port - more_port) / (1 / few - 1 / more)
    return Law(steps - b * few, b, c, port - c / few)


def _closed(
    row: Row, ranks: int, root: int, parameters: Mapping[str, int], chunks: int | None
) -> tuple[float, float]:
    form = closed_form(sized(row, ranks, 0, chunks, root, parameters))
    assert form is not None
    return float(form.steps), float(form.busiest_port)


def closed_crossings(first: Law, second: Law, latency: float, bandwidth: float) -> list[float]:
    """Sizes at which both take as long by their laws, each with its best number of chunks.

    With x = sqrt(S beta / alpha) it is where a difference of two quadratics in x is zero.

    >>> two_trees, ring = Law(6, 0, 0, 2), Law(14, 0, 0, 1.75)
    >>> [round(size) for size in closed_crossings(two_trees, ring, 5e-6, 50e9)]
    [8000000]
    """
    square = first.d - second.d
    linear = 2 * (sqrt(first.b * first.c) - sqrt(second.b * second.c))
    plain = first.a - second.a
    if abs(square) < 1e-12:
        roots = [-plain / linear] if linear else []
    else:
        inner = linear * linear - 4 * square * plain
        roots = [(-linear + sign * sqrt(inner)) / (2 * square) for sign in (-1, 1) if inner >= 0]
    return sorted(x * x * latency * bandwidth for x in set(roots) if x > 0)


def crossings(
    first: Seconds, second: Seconds, smallest: int = SMALLEST, largest: int = LARGEST
) -> list[Crossing]:
    """Where the faster of two changes between `smallest` and `largest` bytes, to 0.1 % of the size.

    Sizes are tried in steps of 4; between two of which the faster is not the same one the size
    is bisected. Two changes between two neighboring steps go unseen. Raises BadInput for a
    `smallest` below 1, which no step would lead away from.

    >>> crossings(lambda size: 5 + size, lambda size: 105 + size / 2)
    [Crossing(size=200, second_wins=True)]
    """
    crossings = []
    first, second = cache(first), cache(second)
    smallest, largest = whole("smallest", smallest, 1), whole("largest", largest, 1)
    low, faster = smallest, _faster(first, second, smallest)
    while low < largest:
        high = min(largest, low * LADDER)
        now = _faster(first, second, high)
        if faster and now and now != faster:
            size = _bisected(first, second, low, high, faster)
            crossings.append(Crossing(size, now > 0))
        faster = now or faster
        low = high
    return crossings


def fastest_by_size(
    seconds: Sequence[Seconds], smallest: int = SMALLEST, largest: int = LARGEST
) -> list[tuple[int, int]]:
    """Which of several is the fastest from which size on, between `smallest` and `largest` bytes.

    Sizes are tried as `crossings` tries them. Of those that take as long the one that was the
    fastest before, else the first.

    >>> fastest_by_size([lambda size: 5 + size, lambda size: 105 + size / 2])
    [(1, 0), (200, 1)]
    >>> three = lambda size: size, lambda size: 50 + size / 2, lambda size: 87.5 + size / 4
    >>> fastest_by_size(three)
    [(1, 0), (100, 1), (150, 2)]
    """
    seconds = list(map(cache, seconds))
    low, largest = whole("smallest", smallest, 1), whole("largest", largest, 1)
    intervals = [(low, _fastest(seconds, low, 0))]
    while low < largest:
        lead, high = intervals[-1][1], min(largest, low * LADDER)
        now = _fastest(seconds, high, lead)
        if now != lead:
            for _ in seconds:  # at each turn another may be the faster one before it
                high = _bisected(seconds[lead], seconds[now], low, high, -1)
                now = _fastest(seconds, high, now)
            intervals.append((high, now))
        low = high
    return intervals


def _fastest(seconds: Sequence[Seconds], size: int, usual: int) -> int:
    """The number of the one that takes least; `usual`, unless it takes longer."""
    lead = usual
    for number, rival in enumerate(seconds):
        if _faster(rival, seconds[lead], size) < 0:
            lead = number
    return lead


def _faster(first_rival: Seconds, second_rival: Seconds, size: int) -> int:
    """-1 for the first, 1 for the second, 0 where they take as long but for rounding."""
    first, second = first_rival(size), second_rival(size)
    if abs(first - second) <= 1e-9 * max(first, second) or first == second:
        return 0
    return -1 if first < second else 1


def _bisected(first: Seconds, second: Seconds, low: int, high: int, faster: int) -> int:
    """The least size, to 0.1 %, at which the one that was faster is so no longer."""
    halve = False  # the last try, beside where a line through both leads is zero, left over half
    while (wide := high - low) > max(1, low // 1000):
        middle = (low + high) // 2
        lead, behind = (faster * (first(size) - second(size)) for size in (low, high))
        if not halve and isfinite(lead - behind):
            zero = low + floor(wide * lead / (lead - behind) + 0.5)
            zero += max(1, low // 20_000) * (-1 if zero > middle else 1)
            middle = min(high - 1, max(low + 1, zero))
        if _faster(first, second, middle) == faster:
            low = middle
        else:
            high = middle
        halve = 2 * (high - low) > wide
    return high
