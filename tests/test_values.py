"""Numbers from outside: what each validator accepts, and what it says of the others."""

import math
from fractions import Fraction

import numpy as np
import pytest

from collectives import BadInput
from collectives.values import not_negative, positive, rate, seconds, share, whole

ALL = (whole, positive, not_negative, share, seconds, rate)


@pytest.mark.parametrize("value", [7, 7.0, np.int8(7), np.float32(7), np.uint64(7), Fraction(7)])
def test_whole_numbers_become_pythons_integers(value):
    found = whole("ranks", value, 1, 8)
    assert found == 7 and type(found) is int


@pytest.mark.parametrize("check", ALL)
@pytest.mark.parametrize("value", [True, np.True_, None, "1", [1], math.nan, math.inf, 1j])
def test_what_is_no_finite_number_is_refused(check, value):
    with pytest.raises(BadInput, match=r"^size .*: must be .*; try: "):
        check("size", value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (lambda v: whole("ranks", v, 1, 8), 0, "ranks 0: must be at least 1; try: 1"),
        (lambda v: whole("ranks", v, 1, 8), 9, "ranks 9: must be at most 8; try: 8"),
        (lambda v: whole("ranks", v, 1, 8), 2.6, "ranks 2.6: must be a whole number; try: 3"),
        (lambda v: whole("ranks", v, 1, 8), 99.5, "must be a whole number; try: 8"),
        (
            lambda v: whole("count", v),
            2**63,
            "must be at most 2^63 - 1; try: 9223372036854775807",
        ),
        (lambda v: positive("size", v, "B"), 0, "size 0 B: must be above 0; try: 1 B"),
        (lambda v: not_negative("price", v), -1, "price -1: must not be negative; try: 0"),
        (lambda v: share("density", v), 1.5, "density 1.5: must be 0 to 1; try: 1"),
        (lambda v: seconds("latency", v), 1e19, "must be below 2^63 seconds; try: 9e18s"),
        (lambda v: seconds("latency", v), -1e-6, "must not be negative; try: 0"),
        (lambda v: rate("bandwidth", v), 0, "bandwidth 0 B/s: must be above 0; try: 1 B/s"),
        (lambda v: rate("bandwidth", v), 1e19, "must be below 2^63 bytes per second"),
        (lambda v: positive("size", v), 10**400, "must be below 1e308; try: 1e308"),
    ],
)
def test_the_rule_and_the_nearest_value_are_named(check, value, message):
    with pytest.raises(BadInput) as refusal:
        check(value)
    assert message in str(refusal.value) and len(str(refusal.value)) < 160


def test_the_ends_of_a_range_are_in_it():
    assert [whole("n", n, 1, 8) for n in (1, 8)] == [1, 8]
    assert [share("density", part) for part in (0, 1)] == [0.0, 1.0]
    assert (seconds("latency", 0), not_negative("price", 0.0)) == (0.0, 0.0)
    assert rate("bandwidth", 2**62) == 2.0**62
