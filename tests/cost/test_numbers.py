"""Numbers from outside: whole, finite and in their range, or one line with the nearest that is."""

import math
from fractions import Fraction

import numpy as np
import pytest

from collectives.errors import BadInput
from collectives.values import not_negative, positive, rate, seconds, share, whole

STRANGE = (None, "8", "", [], (), {}, 3 + 4j, b"8", True, np.True_, np.array([1, 2]))
HUGE = 10**400


@pytest.mark.parametrize("check", [whole, positive, not_negative, share, rate, seconds])
@pytest.mark.parametrize("value", [*STRANGE, math.nan, math.inf, -math.inf, -1, -HUGE, HUGE])
def test_what_is_no_number_of_its_kind_is_refused_in_one_short_line(check, value):
    with pytest.raises(BadInput) as told:
        check("it", value)
    assert str(told.value).startswith("it ") and len(str(told.value)) < 160
    assert "\n" not in str(told.value) and "try: " in str(told.value)


@pytest.mark.parametrize("number", [3, 3.0, np.int8(3), np.float32(3), Fraction(3)])
def test_numbers_of_any_kind_are_taken(number):
    assert whole("it", number) == positive("it", number) == not_negative("it", number) == 3
    assert (type(whole("it", number)), type(positive("it", number))) == (int, float)


def test_the_nearest_can_be_used():
    for value, least, most, near in ((0.3, 1, 9, 1), (-5, 2, 9, 2), (99, 1, 9, 9), (2.6, 1, 9, 3)):
        with pytest.raises(BadInput, match=rf"try: {near}$"):
            whole("it", value, least, most)
        assert whole("it", near, least, most) == near
    with pytest.raises(BadInput, match=r"must be above 0; try: 1 GB/s$"):
        positive("it", 0, "GB/s")
    with pytest.raises(BadInput, match=r"must be 0 to 1; try: 1$"):
        share("it", 1.01)
