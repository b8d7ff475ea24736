"""Distinct whole numbers: by a table where they are small, else by sorting."""

from __future__ import annotations

import numpy as np

from collectives.schedule.columns import Integers

TABLE_PER_NUMBER = 16  # entries of a table for each number, up to which it beats sorting
SMALL_TABLE = 1 << 12  # entries of a table that is made for any numbers


def all_different(numbers: Integers, limit: int) -> bool:
    """Whether no number occurs twice; all are from 0 to limit - 1.

    >>> all_different(np.array([3, 1, 2]), limit=4), all_different(np.array([3, 1, 3]), limit=4)
    (True, False)
    """
    if has_room(len(numbers), limit):
        seen = np.zeros(limit, np.bool_)
        seen[numbers] = True
        return int(np.count_nonzero(seen)) == len(numbers)
    ordered = np.sort(numbers)
    return not bool((ordered[1:] == ordered[:-1]).any())


def numbered(numbers: Integers, limit: int) -> tuple[Integers, Integers]:
    """The different numbers in ascending order, and which of them each number is.

    All are from 0 to limit - 1.

    >>> different, which = numbered(np.array([7, 2, 7]), limit=8)
    >>> different, which
    (array([2, 7]), array([1, 0, 1]))
    """
    if not has_room(len(numbers), limit):
        different, which = np.unique(numbers, return_inverse=True)
        return different, which
    seen = np.zeros(limit, np.bool_)
    seen[numbers] = True
    different = np.flatnonzero(seen)
    place = np.empty(limit, np.intp)  # read only where it is written
    place[different] = np.arange(len(different))
    return different, place[numbers]


def has_room(numbers: int, limit: int) -> bool:
    """Whether a table of `limit` entries beats sorting for this count of numbers."""
    return limit <= max(SMALL_TABLE, TABLE_PER_NUMBER * numbers)
