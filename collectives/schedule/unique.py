"""Distinct whole numbers: by a table where they are small, else by sorting."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from collectives.schedule.columns import Integers

TABLE_PER_NUMBER = 16  # entries of a table for each number, up to which it beats sorting
SMALL_TABLE = 1 << 12  # entries of a table that is made for any numbers
LARGEST_GROUP = 16  # rows of a group that are compared with one another


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


class RowGroups:
    """Rows in groups, such as those of a link: whether they differ within every group.

    of_row: the group of each row. What that takes of columns of the same groups is worked out
    once, when a second column is asked about.
    """

    def __init__(self, of_row: Integers) -> None:
        self.of_row = of_row
        self._asked = 0
        self._order: Integers | None = None
        self._alike: list[npt.NDArray[np.bool_]] | None = None  # at each distance, in this order

    def all_differ(self, numbers: Integers, limit: int) -> bool:
        """Whether no number occurs twice in a group; all are from 0 to limit - 1.

        >>> RowGroups(np.array([0, 1, 0])).all_differ(np.array([5, 5, 6]), limit=7)
        True
        """
        self._asked += 1
        if self._asked == 2:
            self._compare_neighbors()
        if self._alike is None:
            groups = int(self.of_row.max(initial=0)) + 1
            return all_different(self.of_row * limit + numbers, groups * limit)
        ordered = numbers if self._order is None else numbers[self._order]
        return not any(
            ((ordered[distance:] == ordered[:-distance]) & alike).any()
            for distance, alike in enumerate(self._alike, 1)
        )

    def _compare_neighbors(self) -> None:
        """Find which rows are of one group when groups follow one another, unless groups are large.

        So few comparisons take a tenth of the time of sorting.
        """
        group = self.of_row
        if (group[1:] < group[:-1]).any():
            self._order = np.argsort(group, kind="stable")
            group = group[self._order]
        comparisons: list[npt.NDArray[np.bool_]] = []
        for distance in range(1, LARGEST_GROUP + 1):
            alike = group[distance:] == group[:-distance]
            if not alike.any():
                self._alike = comparisons
                return
            comparisons.append(alike)


def has_room(numbers: int, limit: int) -> bool:
    """Whether a table of `limit` entries beats sorting for this count of numbers."""
    return limit <= max(SMALL_TABLE, TABLE_PER_NUMBER * numbers)
