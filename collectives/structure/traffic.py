"""The links of a schedule, step by step and chunk by chunk: all that a structure is judged by."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from collectives.schedule import Step
from collectives.schedule.columns import Integers
from collectives.schedule.step import Matrix
from collectives.schedule.unique import numbered

Links = Integers  # [link, 2]: the source and the destination of each


@dataclass(frozen=True, eq=False)
class Traffic:
    """Which links carry a message in each step; steps in which none travels are left out.

    ranks: nodes from this number on are helpers. steps: gone through only for what the links
    alone do not tell. counted: all links in use, in ascending order, where they are known.

    >>> from collectives.schedule import send
    >>> traffic = Traffic(3, 3, [send(0, 1), send([1, 0], 2), send(0, 1)])
    >>> traffic.order, [links.tolist() for links in traffic.patterns]
    ((0, 1, 0), [[[0, 1]], [[0, 2], [1, 2]]])
    """

    ranks: int
    nodes: int
    steps: Iterable[Step]
    counted: Links | None = None

    @cached_property
    def links(self) -> Links:
        """All links in use, in ascending order."""
        if self.counted is not None:
            return self.counted
        return self._links(np.unique(self._first_used))

    @cached_property
    def in_order(self) -> Links:
        """All links in use, in the order in which they are first used."""
        return self._links(first_of_each(self._first_used))

    @cached_property
    def pairs(self) -> Links:
        """Nodes that are linked, the lower one first, in ascending order."""
        src, dst = self.links.T
        keys = self._keys(np.minimum(src, dst), np.maximum(src, dst))
        return self._links(numbered(keys, self.nodes**2)[0])

    @property
    def patterns(self) -> tuple[Links, ...]:
        """The links of a step, those of each kind of step once, in the order of their first use."""
        return self._walked[0]

    @property
    def order(self) -> tuple[int, ...]:
        """Which of the patterns each step has."""
        return self._walked[1]

    @property
    def groups(self) -> tuple[tuple[Matrix, ...], ...]:
        """The ranks of `within`: for each step the matrices of ranks that it has."""
        return self._walked[2]

    @cached_property
    def by_chunk(self) -> dict[int, Links]:
        """The links that each chunk takes, in the order in which they are first used."""
        carried = [np.zeros(0, np.intp)]
        for step in self.steps:
            unrolled = step.unrolled()
            moves = unrolled.src != unrolled.dst
            keys = unrolled.chunk * self.nodes**2 + self._keys(unrolled.src, unrolled.dst)
            carried.append(np.unique(keys[moves]))
        chunk, link = np.divmod(first_of_each(np.concatenate(carried)), self.nodes**2)
        return {int(number): self._links(link[chunk == number]) for number in np.unique(chunk)}

    def part(
        self,
        ranks: int,
        numbers: Integers,
        home: Integers,
        across: bool,
        groups: Callable[[Matrix], Matrix],
    ) -> Traffic:
        """The links inside groups, or across, with these numbers for nodes; home: their groups."""
        steps = []
        for step in self.steps:
            crosses = home[step.src] != home[step.dst]
            chosen = crosses if across else ~crosses & (step.src != step.dst)
            some = step.select(np.flatnonzero(chosen))
            if len(some):
                src, dst, above = numbers[some.src], numbers[some.dst], map(groups, step.groups)
                steps.append(replace(some, src=src, dst=dst, groups=tuple(above)))
        return Traffic(ranks, int(numbers.max()) + 1, steps)

    @cached_property
    def _walked(self) -> tuple[tuple[Links, ...], tuple[int, ...], tuple[tuple[Matrix, ...], ...]]:
        """Patterns, order and groups, from one walk; equal columns are looked at once."""
        known: dict[bytes, int] = {}
        patterns: list[Links] = []
        order, groups = [], []
        last: Step | None = None
        for step in self.steps:
            if last is None or step.src is not last.src or step.dst is not last.dst:
                moves = step.src != step.dst
                keys, _ = numbered(self._keys(step.src, step.dst)[moves], self.nodes**2)
                number = known.setdefault(keys.tobytes(), len(known)) if len(keys) else -1
                if number == len(patterns):
                    patterns.append(self._links(keys))
            if number >= 0:
                order.append(number)
                groups.append(tuple(dict.fromkeys(filter(None, step.groups))))
            last = step
        return tuple(patterns), tuple(order), tuple(groups)

    @cached_property
    def _first_used(self) -> Integers:
        """The keys of the links of each pattern, one pattern after another."""
        keys = [self._keys(*links.T) for links in self.patterns]
        return np.concatenate([np.zeros(0, np.intp), *keys])

    def _keys(self, src: Integers, dst: Integers) -> Integers:
        """A number for each link."""
        return src * self.nodes + dst

    def _links(self, keys: Integers) -> Links:
        return np.stack(np.divmod(keys, self.nodes), axis=1)


def first_of_each(numbers: Integers) -> Integers:
    """Each number once, in the order in which they first occur.

    >>> first_of_each(np.array([3, 1, 3, 2, 1]))
    array([3, 1, 2])
    """
    _, first = np.unique(numbers, return_index=True)
    return numbers[np.sort(first)]
