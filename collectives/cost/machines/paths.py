"""Paths of links through a topology, and the search for those with the fewest hops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
Choice = tuple[int, ...]  # links, any of which leads on


@dataclass(frozen=True, eq=False)
class Paths:
    """The links of many paths: those of path p are `link[start[p]:start[p + 1]]`, in order."""

    start: Integers
    link: Integers

    @classmethod
    def of_table(cls, table: Integers) -> Paths:
        """Paths of a table [path, hop] of links, in which -1 is no hop."""
        hop = table >= 0
        start = np.concatenate([[0], np.cumsum(hop.sum(axis=1))]).astype(np.intp)
        return cls(start, table[hop])

    @classmethod
    def joined(cls, parts: Sequence[Paths]) -> Paths:
        """All paths of the parts one after another."""
        hops = np.concatenate([np.diff(part.start) for part in parts])
        start = np.concatenate([[0], np.cumsum(hops)]).astype(np.intp)
        return cls(start, np.concatenate([part.link for part in parts]))

    def __len__(self) -> int:
        """Number of paths."""
        return len(self.start) - 1

    @property
    def first(self) -> Integers:
        """The first link of each path: the port it leaves by."""
        return self.link[self.start[:-1]]

    @property
    def last(self) -> Integers:
        """The last link of each path: the port it comes in by."""
        return self.link[self.start[1:] - 1]

    def total(self, value: Floats) -> Floats:
        """The sum of `value[link]` over each path."""
        if not len(self):
            return np.zeros(0)
        sums: Floats = np.add.reduceat(value[self.link], self.start[:-1])
        return sums

    def least(self, value: Floats) -> Floats:
        """The least `value[link]` of each path."""
        if not len(self):
            return np.zeros(0)
        lowest: Floats = np.minimum.reduceat(value[self.link], self.start[:-1])
        return lowest


NO_PATHS = Paths(np.zeros(1, np.intp), np.zeros(0, np.intp))


class Search:
    """Finds paths with the fewest links, spread by destination, as a fat tree's static routes are.

    Where several links lead on as shortly, in the order in which they are listed, the path takes
    that with the number of the destination modulo how many they are; where that is so once more
    further on, what is left of the number by the division says which. So two spines get every
    other destination each, and what a rank with two leaves sends over one of them still goes
    over both spines.
    """

    def __init__(
        self, nodes: int, src: Integers, dst: Integers, name: str, label: Callable[[int], str]
    ) -> None:
        self._src, self._dst = src.tolist(), dst.tolist()
        self._name, self._label = name, label
        self._into: list[list[int]] = [[] for _ in range(nodes)]
        for link, end in enumerate(self._dst):
            self._into[end].append(link)
        self._trees: dict[int, list[Choice]] = {}
        self._choices: dict[Choice, Choice] = {}  # each is kept once

    def paths(self, src: Integers, dst: Integers) -> Paths:
        """The path of each pair; raises BadInput, naming the two, where there is none."""
        start, links = [0], []
        for one, other in zip(src.tolist(), dst.tolist(), strict=True):
            if other not in self._trees:
                self._trees[other] = self._towards(other)
            tree, spread = self._trees[other], other
            while one != other:
                choice = tree[one]
                if not choice:
                    raise BadInput(
                        f"{self._name}: no way from {self._label(one)} to {self._label(other)}; "
                        "join them by a link"
                    )
                spread, which = divmod(spread, len(choice))
                links.append(choice[which])
                one = self._dst[choice[which]]
            start.append(len(links))
        return Paths(np.array(start, np.intp), np.array(links, np.intp))

    @property
    def spreads(self) -> bool:
        """Whether there was a choice on the ways to any destination so far."""
        return any(len(choice) > 1 for choice in self._choices)

    def _towards(self, goal: int) -> list[Choice]:
        """The links by which each node is the fewest from the goal; none where there is no way."""
        take: list[Choice] = [()] * len(self._into)
        wave, seen = [goal], {goal}
        while wave:
            further: dict[int, list[int]] = {}
            for node in wave:
                for link in self._into[node]:
                    if self._src[link] not in seen:
                        further.setdefault(self._src[link], []).append(link)
            for node, links in further.items():
                choice = tuple(sorted(links))
                take[node] = self._choices.setdefault(choice, choice)
            seen.update(further)
            wave = list(further)
        return take
