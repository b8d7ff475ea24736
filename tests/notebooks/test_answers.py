"""What a student's function answers, or what is wrong with it, in one sentence."""

import re

import numpy as np
import pytest

from predictions import answer_of


def forgetful(n):
    n * 2


def failing(n):
    return n / 0


def negative(n):
    return -n


def infinite(n):
    return n * float("inf")


def text(n):
    return "4"


def truth(n):
    return True


def half(n):
    return n + 0.5


def takes_two(n, size):
    return n


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (forgetful, r"forgetful returned nothing; is its `return` missing\?"),
        (
            failing,
            r"failing \(test_answers\.py line \d+\) raised ZeroDivisionError: division by ze",
        ),
        (negative, "negative returned -3; it must return a number above 0"),
        (infinite, "infinite returned inf; it must return a number above 0"),
        (text, "text returned '4'; it must return one number"),
        (truth, "truth returned True; it must return one number"),
        (half, r"half returned 3\.5, which is no whole number to Python; try: round\(3\.5\)"),
        (takes_two, "takes_two.* raised TypeError: .*missing 1 required"),
        (7, "7 is no function; define it again with def"),
    ],
)
def test_a_mistake_is_one_sentence(function, said):
    answer, problem = answer_of(function, 3, whole=True)
    assert answer is None
    assert "\n" not in problem
    assert re.match(said, problem), problem


@pytest.mark.parametrize("value", [3, 2.5, np.float64(2.5), np.int64(3), np.float32(1.5)])
def test_numbers_of_every_kind_are_answers(value):
    whole = not float(value) % 1
    assert answer_of(lambda: value, whole=whole) == (value, "")
