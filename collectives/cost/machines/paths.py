"""Paths of links through a topology."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]


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

    def minimum(self, value: Floats) -> Floats:
        """The smallest `value[link]` of each path."""
        return self._reduced(np.minimum, value)

    def _reduced(self, combine: np.ufunc, value: Floats) -> Floats:
        """All `value[link]` of each path, combined."""
        if not len(self):
            return np.zeros(0)
        combined: Floats = combine.reduceat(value[self.link], self.start[:-1])
        return combined


NO_PATHS = Paths(np.zeros(1, np.intp), np.zeros(0, np.intp))
