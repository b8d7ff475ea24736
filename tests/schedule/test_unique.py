"""Numbers told apart: as plain Python tells them, by a table and by sorting."""

from random import Random

import numpy as np
import pytest

from collectives.schedule.unique import (
    LARGEST_GROUP,
    SMALL_TABLE,
    TABLE_PER_NUMBER,
    RowGroups,
    all_different,
    numbered,
)


def cases():
    """Numbers below a limit that a table has room for, and below one that it has not."""
    for seed in range(60):
        random = Random(seed)
        limit = random.choice([1, 5, 40, SMALL_TABLE, 100 * SMALL_TABLE])
        known = [random.randrange(limit) for _ in range(30)]
        yield limit, [random.choice(known) for _ in range(random.choice([0, 1, 4, 30]))]


def test_as_plain_python_tells_them():
    different = 0
    for limit, numbers in cases():
        array = np.array(numbers, np.intp)
        assert all_different(array, limit) == (len(set(numbers)) == len(numbers))
        different += all_different(array, limit)
        found, which = numbered(array, limit)
        assert found.tolist() == sorted(set(numbers))
        assert found[which].tolist() == numbers
    assert 5 < different < 55  # both answers were given


@pytest.mark.parametrize("limit", [TABLE_PER_NUMBER * 1000, TABLE_PER_NUMBER * 1000 + 1])
def test_many_numbers_where_a_table_just_has_room_and_where_it_has_not(limit):
    numbers = np.arange(1000) * TABLE_PER_NUMBER
    assert all_different(numbers, limit)
    assert numbered(numbers, limit)[0].tolist() == numbers.tolist()
    numbers[7] = numbers[900]
    assert not all_different(numbers, limit)
    assert numbered(numbers, limit)[1][7] == numbered(numbers, limit)[1][900]


def test_groups_are_told_apart_as_plain_python_tells_them():
    """At the first question by sorting, then by what is known of the groups; large ones, too."""
    different = large = 0
    for seed in range(60):
        random = Random(seed)
        number, groups = random.choice([2, 9, 40]), random.choice([1, 4, 30])
        of_row = [random.randrange(groups) for _ in range(number)]
        rows = RowGroups(np.array(of_row, np.intp))
        large += max(map(of_row.count, of_row)) > LARGEST_GROUP
        for _ in range(4):
            numbers = [random.randrange(200) for _ in range(number)]
            expected = len(set(zip(of_row, numbers, strict=True))) == number
            assert rows.all_differ(np.array(numbers, np.intp), 200) == expected
            different += expected
    assert 20 < different < 220 and large > 5
