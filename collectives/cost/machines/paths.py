"""Paths of links through a topology, and the search for the shortest ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
NextLinks = tuple[int, ...]  # each starts a shortest path


@dataclass(frozen=True, eq=False)
class Paths:
    """The links of many paths: those of path p are `link[start[p]:start[p + 1]]`, in order."""

    start: Integers
    link: Integers

    @classmethod
    def of_table(cls, table: Integers) -> Paths:
        """The paths of a table of links, [path, hop], in which -1 stands for no hop."""
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
        """The last link of each path: the port it arrives by."""
        return self.link[self.start[1:] - 1]

    def total(self, value: Floats) -> Floats:
        """The sum of `value[link]` over each path."""
        return self._reduced(np.add, value)

    def least(self, value: Floats) -> Floats:
        """The smallest `value[link]` of each path."""
        return self._reduced(np.minimum, value)

    def _reduced(self, combine: np.ufunc, value: Floats) -> Floats:
        """All `value[link]` of each path, combined."""
        if not len(self):
            return np.zeros(0)
        combined: Floats = combine.reduceat(value[self.link], self.start[:-1])
        return combined


NO_PATHS = Paths(np.zeros(1, np.intp), np.zeros(0, np.intp))


class Search:
    """Finds shortest paths, spread by destination as the static routes of a fat tree are.

    Where several links start a shortest path, they are numbered in listed order and the path
    takes the one with the destination's number modulo how many they are; at the next such choice
    the quotient of that division takes the place of the destination's number. So two spines get
    every other destination each, and what a rank with two leaves sends over one of them still
    goes over both spines.
    """

    def __init__(
        self, nodes: int, src: Integers, dst: Integers, name: str, label: Callable[[int], str]
    ) -> None:
        self._src, self._dst = src.tolist(), dst.tolist()
        self._name, self._label = name, label
        self._into: list[list[int]] = [[] for _ in range(nodes)]
        for link, end in enumerate(self._dst):
            self._into[end].append(link)
        self._trees: dict[int, list[NextLinks]] = {}
        self._choices: dict[NextLinks, NextLinks] = {}  # each is kept once

    def paths(self, src: Integers, dst: Integers) -> Paths:
        """The path of each pair; raises BadInput, naming the two, where there is none."""
        start, links = [0], []
        for node, goal in zip(src.tolist(), dst.tolist(), strict=True):
            if goal not in self._trees:
                self._trees[goal] = self._towards(goal)
            tree, spread = self._trees[goal], goal
            while node != goal:
                choice = tree[node]
                if not choice:
                    ends = f"from {self._label(node)} to {self._label(goal)}"
                    raise BadInput(f"{self._name}: no way {ends}; join them by a link")
                spread, which = divmod(spread, len(choice))
                links.append(choice[which])
                node = self._dst[choice[which]]
            start.append(len(links))
        return Paths(np.array(start, np.intp), np.array(links, np.intp))

    @property
    def spreads(self) -> bool:
        """Whether any path found so far had a choice of links."""
        return any(len(choice) > 1 for choice in self._choices)

    def _towards(self, goal: int) -> list[NextLinks]:
        """The links that start a shortest path from each node to the goal."""
        next_links: list[NextLinks] = [()] * len(self._into)
        wave, seen = [goal], {goal}
        while wave:
            reached: dict[int, list[int]] = {}
            for node in wave:
                for link in self._into[node]:
                    if self._src[link] not in seen:
                        reached.setdefault(self._src[link], []).append(link)
            for node, links in reached.items():
                choice = tuple(sorted(links))
                next_links[node] = self._choices.setdefault(choice, choice)
            seen.update(reached)
            wave = list(reached)
        return next_links
