"""What a student's function answers, or what is wrong with it, in one sentence."""

import re

import numpy as np
import pytest

from animations.lab.lab_exercise import LabExercise
from animations.lab.predictions import answer_of


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


def yielding(n):
    yield n


def leaving(n):
    raise SystemExit


def numpy_minus(n):
    return np.float64(-n)


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
        (yielding, "yielding yields its answer; try: return$"),
        (leaving, r"leaving \(test_answers\.py line \d+\) raised SystemExit$"),
        (numpy_minus, r"numpy_minus returned -3\.0; it must return a number above 0"),
        (7, "7 is no function; define it again with def"),
    ],
)
def test_a_mistake_is_one_sentence(function, said):
    answer, problem = answer_of(function, 3, whole=True)
    assert answer is None
    assert "\n" not in problem
    assert re.match(said, problem), problem


@pytest.mark.parametrize(
    "value", [3, 2.5, np.array(2.5), np.float64(2.5), np.int64(3), np.float32(1.5)]
)
def test_numbers_of_every_kind_are_answers(value):
    whole = not float(value) % 1
    assert answer_of(lambda: value, whole=whole) == (value, "")


def crossing(latency):
    """The right formula, for a latency of its own if it has one."""

    def crossover(n, alpha, beta):
        tree, ring = 2 * np.log2(n), 2 * (n - 1)
        return (ring - tree) * (latency or alpha) / ((tree - ring / n) * beta)

    return crossover


def chunks_for(latency):
    def best_chunks(n, size, alpha, beta):
        return max(1, round(np.sqrt((n - 2) * size * beta / (latency or alpha))))

    return best_chunks


@pytest.mark.parametrize(
    ("check", "answer", "said"),
    [
        ("crossover", crossing(None), r"crossover: right in all 6 cases"),
        ("crossover", crossing(5e-6), r"8 ranks, α = 20 µs: 471 KB instead of 1\.88 MB; .*"),
        (
            "crossover",
            lambda n, alpha, beta: 0.2,
            r"4 ranks, α = 5 µs: 0\.2 B instead of 200 KB\n",
        ),
        ("best chunks", chunks_for(None), r"best_chunks: right in all 10 cases"),
        ("best chunks", chunks_for(5e-6), r"8 ranks, 64 MiB, α = 20 µs: .* too many"),
        (
            "best chunks",
            lambda *_: 1,
            r"3 ranks, 1 MiB, α = 5 µs: 51\.9 µs with 1 chunk instead of",
        ),
        ("bottlenecks", ["rank → NIC"], r"bottlenecks is no dict: .*"),
        ("bottlenecks", {"ring, 64 ranks": ["NIC"]}, r"ring, 64 ranks: \['NIC'\] instead of"),
    ],
)
def test_constants_and_units_of_ones_own_are_not_the_answer(check, answer, said):
    assert re.match(said, str(LabExercise(check).judge(answer)))
