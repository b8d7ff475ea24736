"""What one slot holds: the ranks whose data is in it, as the bits of an integer."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Content = dict[int, tuple[int, int]]  # origin slot → ranks whose data is in it, ranks of more
UNKNOWN = -1  # the origin slot of data that is not followed
SOME: Content = {UNKNOWN: (1, 0)}


def joined(held: Content, wanted: Content) -> Content:
    """The sum of two contents."""
    if not held:
        return wanted
    sums = dict(held)
    for slot, (ranks, more) in wanted.items():
        there, doubled = sums.get(slot, (0, 0))
        sums[slot] = (there | ranks, doubled | more | (there & ranks))
    return sums


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set.

    >>> bits(0b1011)
    [0, 1, 3]
    """
    return [k for k, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"]


def mask(numbers: Iterable[int]) -> int:
    """The integer in which these bits are set.

    >>> mask([0, 1, 3])
    11
    """
    listed = list(numbers)
    there = np.zeros(max(listed, default=0) + 1, np.bool_)
    there[listed] = True
    return int.from_bytes(np.packbits(there, bitorder="little").tobytes(), "little")
