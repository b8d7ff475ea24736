"""The order of additions: what is written is evaluated here, and has the bits of the result."""

import re

import numpy as np
import pytest
from each import each, row_title
from interpreter import rows
from promises import unrolled
from settings import SOME_ROWS, settings

from collectives import BadInput, record
from collectives.proof.addition_order import Term, addition_order, matters
from collectives.proof.rounding import ulps_between

REDUCING = [row for row in SOME_ROWS if row.promise.reduces]


def evaluated(expression, data):
    """What an expression is worth, in the data's own dtype."""
    return eval(expression, {f"x{rank}": row for rank, row in enumerate(data)})


@each("row", REDUCING, row_title)
def test_the_sums_that_are_written_are_the_sums_that_are_made(row):
    for setting in settings(row, [n for n in (2, 3, 4, 5, 8, 9) if row.accepts(n)], False):
        n, chunk_count = setting.ranks, row.chunk_count(setting)
        data = np.random.default_rng(n).standard_normal((n, 3 * chunk_count)).astype(np.float32)
        recording = record(
            row.collective,
            row.algorithm,
            ranks=n,
            data=data,
            chunks=setting.chunks if "chunks" in row.parameters else None,
            parameters=setting.parameters,
        )
        values = recording.execute().values
        cells = set()
        for found in addition_order(recording):
            want = evaluated(found.expression, recording.inputs)
            for rank, chunk in found.cells:
                part = slice(3 * chunk, 3 * chunk + 3)
                np.testing.assert_array_equal(values[rank, chunk], want[part])
                cells.add((rank, chunk))
            last = {"scan": found.ranks[0] + 1, "exscan": found.ranks[0]}
            wanted = range(last.get(row.collective, n))
            named = sorted(map(int, re.findall(r"x(\d+)", found.expression)))
            if row.promise.routed:
                held = recording.precondition
                assert all(named == np.flatnonzero(held[:, c]).tolist() for _, c in found.cells)
            else:
                assert named == list(wanted)
        assert cells == set(map(tuple, np.argwhere(recording.postcondition).tolist()))


@each("row", REDUCING, row_title)
def test_roundings_are_those_of_a_second_count(row):
    """Of each cell a dictionary: whose data is in it, how often rounded, and whether by code."""
    ranks = next(n for n in (5, 4, 8, 9) if row.accepts(n))
    recording = record(row.collective, row.algorithm, ranks=ranks)
    held = {(r, c): ({r: 0}, False) for r, c in np.argwhere(recording.precondition).tolist()}
    for step in recording.steps:
        moves = [row for row in unrolled(rows(step)) if row.src != row.dst]
        for cell in {(row.src, row.chunk) for row in moves}:
            times, is_code = held[cell]
            held[cell] = ({rank: n + (not is_code) for rank, n in times.items()}, True)
        before = dict(held)
        for row in unrolled(rows(step)):
            sent, (mine, _) = before[row.src, row.chunk], held.get((row.dst, row.into), ({}, True))
            held[row.dst, row.into] = (mine | sent[0], False) if row.adds and mine else sent
    for one in addition_order(recording):
        for rank, most in one.roundings.items():
            assert most == max(held[cell][0][rank] for cell in one.cells)


@pytest.mark.parametrize("n", [2, 3, 4, 7])
def test_roundings_of_the_ring_grow_with_the_ranks_and_those_of_two_shot_do_not(n):
    """In a ring's sum the first of a chunk goes through N - 1, and one more when it is sent out."""

    def most(collective, algorithm):
        sums = addition_order(record(collective, algorithm, ranks=n))
        return max(max(one.roundings.values()) for one in sums)

    assert most("reduce_scatter", "ring") == n - 1
    assert most("all_reduce", "ring") == n
    assert most("reduce_scatter", "flat") == most("all_reduce", "flat") == 1
    assert most("all_reduce", "two-shot") == 2


def test_one_of_two_equal_orders_is_written():
    a, b, c = (Term((rank,), f"x{rank}") for rank in range(3))
    assert str(b + a) == str(a + b) == "x0 + x1"
    assert str(c + (b + a)) == str((a + b) + c) == "(x0 + x1) + x2"
    assert str(a + (b + c)) == "(x1 + x2) + x0"
    assert str(a * (c * b)) == "(x1 * x2) * x0"


def test_an_order_is_shown_where_it_can_matter():
    def of(collective, algorithm, **options):
        return matters(
            record(collective, algorithm, **({"ranks": 4, "dtype": "float32"} | options))
        )

    assert of("all_reduce", "ring")
    assert of("scan", "chain", op="prod")
    assert not of("all_reduce", "ring", op="max")
    assert not of("all_reduce", "ring", dtype="int64")
    assert not of("all_gather", "ring")
    assert not of("all_reduce", "ring", ranks=1)
    assert not of("all_reduce", "ring", ranks=17)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_ulps_are_counted_from_one_float_to_the_next(dtype):
    kind = np.dtype(dtype)
    limits = np.finfo(kind)
    low = np.array([-1, -limits.smallest_subnormal, 0, 1, 1.5], kind)
    high = np.nextafter(low, kind.type(np.inf))
    assert ulps_between(low, high).tolist() == ulps_between(high, low).tolist() == [1] * 5
    zeros = np.array([0.0, -0.0], kind)
    assert ulps_between(zeros, zeros[::-1]).tolist() == [0, 0]
    one, two = np.array([1, 2], kind)[:, None]
    assert ulps_between(one, two) == 2**limits.nmant
    ends = np.array([-np.inf], kind), np.array([np.inf], kind)
    exponents = 2 ** (8 * kind.itemsize - 1 - limits.nmant) - 1
    assert int(ulps_between(*ends)[0]) == 2 * exponents * 2**limits.nmant


@pytest.mark.parametrize(
    ("collective", "ranks", "problem"),
    [
        ("all_gather", 4, "ring all-gather adds nothing"),
        ("all_reduce", 256, "has 65,536 slots; sums are written for up to 16,384"),
    ],
)
def test_orders_that_are_not_written(collective, ranks, problem):
    with pytest.raises(BadInput, match=problem):
        addition_order(record(collective, "ring", ranks=ranks))
