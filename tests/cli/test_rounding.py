"""Rounding: what is said of it is recomputed here, with numpy and math.fsum alone."""

import math
import re

import numpy as np
import pytest

from collectives.catalog import ROWS

OPERATORS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
REDUCING = [row for row in ROWS if row.promise.reduces]
ALL_REDUCE = [row for row in ROWS if row.collective == "all_reduce"]
FLOATS = ["float16", "float32", "float64"]


def words(row):
    return f"{row.collective} {row.algorithm}"


@pytest.mark.parametrize("row", REDUCING, ids=lambda row: row.title)
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_rounding_that_is_printed_is_the_rounding_there_is(
    right, saved, tmp_path, row, dtype, numbers
):
    data = numbers(dtype, (9, 90), seed=7)
    saved("in.npy", data)
    line = f"run {words(row)} --data in.npy -o out.npy"
    report, text = right(f"{line} --json").json["rounding"], right(line).out
    result = np.load(tmp_path / "out.npy")
    want = data.sum(axis=0, dtype=dtype)
    want = want.reshape(9, -1) if row.collective == "reduce_scatter" else np.tile(want, (9, 1))
    want = want[: len(result)]
    largest = np.abs(result.astype(float) - want.astype(float)).max()
    differing = int((result != want).sum())
    assert report["elements"] == result.size
    assert report["differing"] == differing
    assert report["largest"] == pytest.approx(largest, rel=1e-12, abs=0)
    if differing:
        said = f"rounding: {differing} of {result.size} elements of the result differ from numpy's"
        assert f"{said} sum, by up to {largest:.3g}: {dtype} rounds" in text
    else:
        assert f"all {result.size} elements of the result equal numpy's sum" in text


def test_rounding_is_seen_in_every_shape_of_data(right, saved, numbers):
    """The order of additions matters for some of these seeds, and it is said when it does."""
    differing = []
    for seed in range(6):
        saved("in.npy", numbers("float32", (16, 1), seed))
        differing.append(right("run all-reduce tree --data in.npy --json").json["rounding"])
    assert {report["differing"] for report in differing} == {0, 16}


def test_ranks_that_disagree_in_some_bits_are_counted(right, saved, tmp_path, numbers):
    data = numbers("float32", (5, 40), seed=3)
    saved("in.npy", data)
    report = right("run all-reduce flat --data in.npy -o out.npy --json").json["rounding"]
    result = np.load(tmp_path / "out.npy")
    disagreeing = int((result != result[0]).any(axis=0).sum())
    assert report["ranks_disagree"] == disagreeing > 0
    said = f"in {disagreeing} elements the ranks differ in some bits"
    assert said in right("run all-reduce flat --data in.npy").out


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", ["sum", "avg"])
def test_exact_is_the_error_against_fsum(right, saved, tmp_path, dtype, op, numbers):
    data = numbers(dtype, (7, 30), seed=5)
    saved("in.npy", data)
    line = f"run all-reduce ring --op {op} --exact --data in.npy -o out.npy"
    report, text = right(f"{line} --json").json["rounding"], right(line).out
    result = np.load(tmp_path / "out.npy").astype(float)
    exact = [math.fsum(column) / (7 if op == "avg" else 1) for column in data.T.tolist()]
    error = np.abs(result - exact).max()
    assert report["largest_error"] == pytest.approx(error, rel=1e-12, abs=0) != 0
    found = re.search(r"largest error against the exact \w+ \(math.fsum\): (\S+)", text)
    assert float(found[1]) == pytest.approx(error, rel=1e-2, abs=0)


def test_exact_sums_that_overflow_are_left_out(right, saved):
    saved("in.npy", np.array([[1e308, 1.0], [1e308, 2.0], [-1e308, 3.0]]))
    assert right("run all-reduce ring --exact --data in.npy --json").json["correct"] is True


def test_nan_and_infinity_are_reported(right, saved, tmp_path):
    data = np.ones((3, 4), "float32")
    data[0, 1], data[2, 2], data[1, 3] = np.nan, np.inf, -np.inf
    saved("in.npy", data)
    for op in ("sum", "prod", "min", "max", "avg"):
        line = f"run all-reduce ring --op {op} --data in.npy -o out.npy"
        report = right(f"{line} --json").json
        assert report["correct"] is True
        assert report["rounding"]["not_finite"] == 3
        assert "3 elements of the data are NaN or infinite" in right(line).out
        result = np.load(tmp_path / "out.npy")
        want = data.mean(axis=0) if op == "avg" else OPERATORS[op].reduce(data, axis=0)
        np.testing.assert_array_equal(result, np.tile(want, (3, 1)))


def test_data_that_nobody_reads_is_not_reported(right, saved):
    data = np.ones((3, 4))
    data[1:] = np.nan
    saved("in.npy", data)
    assert right("run broadcast tree --data in.npy --json").json["rounding"]["not_finite"] == 0


@pytest.mark.parametrize(
    ("op", "column"),
    [
        ("prod", [1e200, 1e-200, 1e-200, 1e200]),
        ("prod", [1e200, 1e200, 1e-200, 1e-200]),
        ("prod", [5e-324, 0.5, 4.0, 2.0]),
        ("prod", [0.0, 1e308, 1e308, 3.0]),
        ("sum", [1.7e308, 1.7e308, -1.7e308, -1.7e308]),
        ("sum", [1.7e308, -1.7e308, 1.7e308, -1.7e308]),
        ("avg", [1.7e308, 1.7e308, -1.7e308, 1.0]),
        ("sum", [5e-324, -5e-324, 1e-310, 1e-320]),
        ("sum", [1e16, 1.0, -1e16, 1.0]),
        ("sum", [0.0, -0.0, 0.0, -0.0]),
    ],
)
@pytest.mark.parametrize("row", ALL_REDUCE, ids=lambda row: row.title)
def test_an_order_that_overflows_or_cancels_is_no_wrong_algorithm(right, saved, row, op, column):
    for turn in range(4):
        saved("in.npy", np.roll(np.array(column), turn)[:, None])
        report = right(f"run {words(row)} --op {op} --data in.npy --json").json
        assert report["correct"] is True


def test_a_difference_that_rounding_does_not_explain_is_wrong(
    collectives, saved, tmp_path, monkeypatch, numbers
):
    """Results are spoilt on their way; the proof of contributions cannot see that."""
    from collectives.recording import Recording

    saved("in.npy", numbers("float64", (4, 8)))
    real = Recording.result

    def spoilt(self):
        held = [vector.copy() for vector in real(self)]
        held[2][3] += 1e-12
        return held

    monkeypatch.setattr(Recording, "result", spoilt)
    ended = collectives("run all-reduce ring --data in.npy -o out.npy")
    assert ended.status == 1
    assert ended.err.startswith("collectives: ring all-reduce on 4 ranks: ")
    assert ended.err.endswith("more than rounding explains\n")
    assert "correct" not in ended.out
    assert not (tmp_path / "out.npy").exists()
