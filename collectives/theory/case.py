"""The numbers and sizes of one case, which formulas name by their usual letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from collectives.schedule.columns import Integers


@dataclass(frozen=True)
class Case:
    """N ranks, `size[chunk]` bytes each, the root, and the algorithm's own parameters."""

    N: int
    size: Integers
    root: int = 0
    unit: int = 1  # bytes of one element
    parameters: Mapping[str, int] = field(default_factory=dict)

    def __getitem__(self, name: str) -> int:
        """The value of a parameter of the algorithm."""
        return self.parameters[name]

    @property
    def S(self) -> int:  # noqa: N802 - the name in the formulas
        """Bytes of the full vector."""
        return int(self.size.sum())

    @property
    def C(self) -> int:  # noqa: N802
        """ceil(log2 N)."""
        return (self.N - 1).bit_length()

    @property
    def L(self) -> int:  # noqa: N802
        """floor(log2 N)."""
        return self.N.bit_length() - 1

    @property
    def q(self) -> int:
        """Number of chunks, which a pipeline sends one after another."""
        return len(self.size)

    @property
    def from_root(self) -> Integers:
        """Size of the chunk of rank root + i, for i = 0 … N - 1."""
        return np.roll(self.size, -self.root)

    @property
    def even(self) -> bool:
        """Whether all chunks are of one size."""
        return int(self.size.min()) == int(self.size.max())


def ceil_log(number: int, base: int) -> int:
    """The smallest exponent with which the base reaches the number.

    >>> [ceil_log(number, 4) for number in (1, 2, 4, 5, 16, 17)]
    [0, 1, 1, 2, 2, 3]
    """
    power, reached = 0, 1
    while reached < number:
        power, reached = power + 1, reached * base
    return power


@dataclass(frozen=True)
class Letter:
    """A letter of formulas: what it means, and its value in a case."""

    symbol: str
    meaning: str
    value: Callable[[Case], int | Fraction]


def largest_branch(case: Case) -> int:
    """Ranks in the largest subtree below the root of a binomial tree."""
    return max((min(2 << k, case.N) - (1 << k) for k in range(case.C)), default=0)


LETTERS = {
    letter.symbol: letter
    for letter in (
        Letter("N", "ranks", lambda case: case.N),
        Letter("S", "bytes in the full vector", lambda case: case.S),
        Letter("C", "ceil(log2 N)", lambda case: case.C),
        Letter("L", "floor(log2 N)", lambda case: case.L),
        Letter("P", "2^L, the largest power of two up to N", lambda case: 1 << case.L),
        Letter("R", "N - P, the ranks beyond it", lambda case: case.N - (1 << case.L)),
        Letter("q", "chunks", lambda case: case.q),
        Letter(
            "V",
            "binary ones in the numbers 1 to N-1",
            lambda case: sum(map(int.bit_count, range(case.N))),
        ),
        Letter("B", "ranks in the largest subtree below the root", largest_branch),
    )
}
