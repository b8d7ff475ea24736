"""Shardings of a tensor on a mesh of ranks, and the collectives that turn one into another.

A sharding has a placement for each axis of the mesh, as PyTorch's DTensor writes them: S(d), the
tensor's dimension d is split among the ranks of the axis; R, each has all of it; P, what they have
must be summed. Where several axes split a dimension, the first does so first. Which collective a
change takes: PyTorch's documentation of torch.distributed.tensor, DTensor.redistribute, as of
October 2025.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush
from math import prod

from collectives.errors import BadInput
from collectives.training.gradients import volume
from collectives.training.network import ALGORITHMS
from collectives.values import whole
from collectives.words import brief, plural

Cost = tuple[int, Fraction, int, tuple[Fraction, ...]]  # collectives, elements, changes, by axis
Sharding = tuple[int | str, ...]  # of each mesh axis: the dimension it splits, or one of
WHOLE, PARTIAL = "R", "P"
MOST_AXES, MOST_DIMENSIONS, MOST_RANKS, MOST_EXTENT = 4, 6, 1024, 1 << 40
PLACEMENT = re.compile(
    r"(?:s|shard)(?:dim=)?(-?\d{1,9})|(r|replicate)|(p|partial)(?:sum)?", re.IGNORECASE
)
EXAMPLE = "S0,R -> R,R"


@dataclass(frozen=True)
class Reshard:
    """A change on an axis of the mesh; collective: its name, empty where ranks keep a part."""

    axis: int
    collective: str
    before: Sharding
    after: Sharding


@dataclass(frozen=True)
class ShardedTensor:
    """A tensor, and the mesh of ranks that share it; the last axis is that of neighboring ranks."""

    shape: tuple[int, ...]
    mesh: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no shape and no mesh."""
        for name, sizes, limit in (
            ("shape", self.shape, MOST_DIMENSIONS),
            ("mesh", self.mesh, MOST_AXES),
        ):
            if not 1 <= len(sizes) <= limit:
                raise BadInput(f"{name} {brief(list(sizes))}: must be 1 to {limit} numbers; try: 4")
            for size in sizes:
                whole(name, size, 1, MOST_RANKS if name == "mesh" else MOST_EXTENT)
        if prod(self.mesh) > MOST_RANKS:
            raise BadInput(f"mesh {brief(list(self.mesh))}: at most {MOST_RANKS} ranks; try: 8")

    def splits(self, sharding: Sharding) -> list[int]:
        """Into how many parts each dimension is split."""
        return [
            prod(size for size, at in zip(self.mesh, sharding, strict=True) if at == dimension)
            for dimension in range(len(self.shape))
        ]

    def elements(self, sharding: Sharding) -> int:
        """The elements that a rank has."""
        return prod(self.shape) // prod(self.splits(sharding))

    def fits(self, sharding: Sharding) -> bool:
        """Whether every dimension can be split so in equal parts."""
        return not any(
            size % parts for size, parts in zip(self.shape, self.splits(sharding), strict=True)
        )

    def check(self, sharding: Sharding) -> None:
        """Refuse a sharding that does not split every dimension in equal parts."""
        for at, (size, parts) in enumerate(zip(self.shape, self.splits(sharding), strict=True)):
            if size % parts:
                near = max(1, round(size / parts)) * parts
                raise BadInput(
                    f"shape {brief(list(self.shape))}: dimension {at} does not split into {parts} "
                    f"equal parts; try: {near} for {size}"
                )

    def changes(self, before: Sharding, after: Sharding) -> list[Reshard]:
        """The way from a sharding to another: fewest collectives, then bytes, then changes.

        Of ways that are alike so far, that with the fewest bytes on the first axes of the mesh,
        whose ranks are farther from each other.

        Each step changes one axis of the mesh, and never one that splits a dimension which a later
        axis splits further: its parts would not be neighbors.
        """
        nothing: Cost = (0, Fraction(0), 0, (Fraction(0),) * len(self.mesh))
        best = {before: nothing}
        came: dict[Sharding, Reshard] = {}
        open_ways = [(best[before], 0, before)]
        count = 0
        while open_ways and open_ways[0][2] != after:
            cost, _, state = heappop(open_ways)
            for change in self._steps(state) if cost == best[state] else ():
                sent = self.sent(change)
                ways = tuple(
                    size + sent * (axis == change.axis) for axis, size in enumerate(cost[3])
                )
                total = cost[0] + bool(change.collective), cost[1] + sent, cost[2] + 1, ways
                if change.after not in best or total < best[change.after]:
                    best[change.after], came[change.after] = total, change
                    count += 1
                    heappush(open_ways, (total, count, change.after))
        way: list[Reshard] = []
        while after != before:
            way.append(came[after])
            after = came[after].before
        return way[::-1]

    def sent(self, change: Reshard) -> Fraction:
        """Elements that a rank sends, by the closed form of an algorithm that sends the fewest."""
        if not change.collective:
            return Fraction(0)
        ranks = self.mesh[change.axis]
        part = volume(change.collective, ALGORITHMS[change.collective], ranks).sent
        return part * self.vector(change)

    def vector(self, change: Reshard) -> int:
        """The elements of the full vector of a collective: what is gathered, summed or sent."""
        gathers = change.collective == "all_gather"
        return self.elements(change.after if gathers else change.before)

    def _steps(self, state: Sharding) -> list[Reshard]:
        """All changes of an axis that are possible."""
        steps = []
        for axis, at in enumerate(state):
            inner = state[axis + 1 :]
            if at in inner and isinstance(at, int):
                continue
            for goal in (*range(len(self.shape)), WHOLE):
                after = (*state[:axis], goal, *inner)
                if goal != at and goal not in (set(inner) - {WHOLE}) and self.fits(after):
                    name = _collective(at, goal) if self.mesh[axis] > 1 else ""
                    steps.append(Reshard(axis, name, state, after))
        return steps


def _collective(before: int | str, after: int | str) -> str:
    """The collective that turns a placement into another; empty for none."""
    if before == WHOLE:
        return ""
    if before == PARTIAL:
        return "all_reduce" if after == WHOLE else "reduce_scatter"
    return "all_gather" if after == WHOLE else "all_to_all"


def read_change(text: str, axes: int, dimensions: int) -> tuple[Sharding, Sharding]:
    """The shardings before and after in a text such as "S0,R -> R,R"; raises BadInput.

    >>> read_change("[Shard(0), Partial()] -> S0,S1", 2, 2)
    ((0, 'P'), (0, 1))
    """
    sides = re.split("->|→", text)
    if len(sides) != 2:
        raise BadInput(f"--shard {brief(text)}: must be BEFORE -> AFTER; try: {EXAMPLE}")
    before, after = (_sharding(side, axes, dimensions) for side in sides)
    for axis, (old, new) in enumerate(zip(before, after, strict=True)):
        if new == PARTIAL and old != PARTIAL:
            rule = f"axis {axis} has no sums to come before, and none to leave"
            raise BadInput(f"--shard {brief(text)}: {rule}; try: R for P")
    return before, after


def _sharding(text: str, axes: int, dimensions: int) -> Sharding:
    """The placements in a text, one for each axis of the mesh."""
    words = re.sub(r"[\s()\[\]]", "", text).split(",")
    if len(words) != axes:
        near = ",".join(["R"] * axes)
        rule = f"{plural(len(words), 'placement')} for a mesh of {axes}"
        raise BadInput(f"--shard {brief(text.strip())}: {rule}; try: {near}")
    states: list[int | str] = []
    for word in words:
        match = PLACEMENT.fullmatch(word)
        if not match:
            rule = "a placement is S0 (or another dimension), R or P"
            raise BadInput(f"--shard {brief(word)}: {rule}; try: R")
        number = match[1]
        if number is None:
            states.append(WHOLE if match[2] else PARTIAL)
            continue
        dimension = int(number) + (dimensions if number.startswith("-") else 0)
        if not 0 <= dimension < dimensions:
            there = plural(dimensions, "dimension")
            raise BadInput(f"--shard {brief(word)}: the tensor has {there}; try: S{dimensions - 1}")
        states.append(dimension)
    return tuple(states)


def sharding_text(sharding: Sequence[int | str]) -> str:
    """A sharding as it is written.

    >>> sharding_text((0, "R"))
    'S0,R'
    """
    return ",".join(f"S{at}" if isinstance(at, int) else at for at in sharding)
