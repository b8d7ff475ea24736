"""bfloat16 of ml_dtypes: each addition rounds as ml_dtypes rounds it; files that do not name it."""

import sys

import ml_dtypes
import numpy as np
import pytest

from animations.story.usual import usual_board
from collectives import BadInput, NotInstalled, load, record, save
from collectives.proof.addition_order import addition_order
from collectives.proof.rounding import ulps_between
from collectives.recording.payload import mean

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
BIG = BFLOAT16.newbyteorder(">")
BITS = np.dtype("u2")
EXTREMES = {"min": np.minimum, "max": np.maximum}


@pytest.fixture
def grads():
    """Four ranks' numbers, whose sums round."""
    return np.random.default_rng(3).standard_normal((4, 12)).astype(BFLOAT16)


def read(path):
    return np.load(path).view(BFLOAT16)


@pytest.mark.parametrize("op", ["sum", "prod", "avg"])
@pytest.mark.parametrize("name", ["ring", "bar-noy", "double-binary-tree"])
def test_each_operation_rounds_as_in_ml_dtypes(grads, name, op):
    recording = record("all_reduce", name, ranks=4, data=grads, op=op)
    held, ends = recording.result(), np.cumsum(recording.size)
    for one in addition_order(recording):
        names = {f"x{rank}": grads[rank] for rank in range(4)}
        want = eval(one.expression, names)
        want = want / BFLOAT16.type(4) if op == "avg" else want
        for rank, chunk in one.cells:
            part = slice(ends[chunk] - recording.size[chunk], ends[chunk])
            assert held[rank][part].view(BITS).tolist() == want[part].view(BITS).tolist()
    assert {vector.dtype for vector in held} == {BFLOAT16}
    assert recording.check()


@pytest.mark.parametrize("op", EXTREMES)
def test_extremes_are_those_of_the_data(grads, op):
    recording = record("reduce_scatter", "ring", ranks=4, data=grads, op=op)
    assert np.concatenate(recording.result()).tolist() == EXTREMES[op].reduce(grads).tolist()


def test_data_without_a_sum_moves_as_it_is(grads):
    grads.view(BITS)[0, 0] = 0x7FC1  # a NaN with bits of its own
    vector = record("all_gather", "bruck", ranks=4, data=grads).result()[3]
    assert vector.view(BITS).tolist() == grads.view(BITS).ravel().tolist()


@pytest.mark.parametrize(
    ("dtype", "ranks"), [(BFLOAT16, 257), ("float16", 100_000), ("float32", 7), ("float64", 3)]
)
def test_an_average_is_divided_by_a_number_of_ranks_that_the_dtype_does_not_have(dtype, ranks):
    total = np.array([40_000, 3], dtype)
    want = (total.astype(np.longdouble) / ranks).astype(dtype)
    assert mean(total, ranks).tolist() == want.tolist()
    assert mean(total, ranks).dtype == dtype


def test_files_of_bfloat16_are_read_by_their_dtype(right, saved, tmp_path, grads):
    want = record("all_reduce", "ring", ranks=4, data=grads).result()[0].tolist()
    for rank, row in enumerate(grads):
        saved(f"rank{rank}.npy", row)
    saved("big.npy", grads.astype(BIG))
    saved("fortran.npy", np.asfortranarray(grads))
    saved("one.npz", grads=grads)
    for name in ("'rank?.npy'", "big.npy", "fortran.npy", "one.npz"):
        line = f"run all-reduce ring --dtype bfloat16 --data {name}"
        out = right(f"{line} -o out.npz").out
        assert "out.npz (bytes to numpy.load, which .view(ml_dtypes.bfloat16) makes numbers)" in out
        with np.load(tmp_path / "out.npz") as result:
            parts = [result[key].view(BFLOAT16) for key in result]
        assert [part.tolist() for part in parts] == [[want] * 4] * len(parts)


def test_rounding_is_told_as_of_other_floats(right, saved, tmp_path, grads):
    saved("in.npy", grads)
    line = "run all-reduce ring --dtype bfloat16 --exact --data in.npy -o out.npy"
    report, out = right(f"{line} --json").json["rounding"], right(line).out
    result, numpys = read(tmp_path / "out.npy"), grads[0] + grads[1] + grads[2] + grads[3]
    exact = grads.astype(float).sum(axis=0)
    wide = result.astype(float)
    assert report["differing"] == int((result != numpys).sum()) > 0
    assert report["largest"] == np.abs(wide - numpys.astype(float)).max()
    ulp = (np.nextafter(np.abs(exact.astype(BFLOAT16)), BFLOAT16.type(np.inf))).astype(float)
    ulp -= np.abs(exact.astype(BFLOAT16)).astype(float)
    assert report["largest_error"] == pytest.approx(np.abs(wide - exact).max())
    assert report["largest_error_ulps"] == pytest.approx((np.abs(wide - exact) / ulp).max())
    assert "bfloat16 rounds, and the order differs; numpy's: rank 0 first" in out
    assert "12 bfloat16 = 24 B in 4 slots" in out
    assert "chunk 0: ((x1 + x2) + x3) + x0" in out


def test_ulps_are_steps_from_one_bfloat16_to_the_next(grads):
    up = np.nextafter(grads, BFLOAT16.type(np.inf))
    assert set(ulps_between(grads.ravel(), up.ravel()).tolist()) == {1}


def test_a_difference_that_rounding_does_not_explain_is_wrong(
    collectives, saved, monkeypatch, grads
):
    from collectives.recording.recording import Recording

    saved("in.npy", np.abs(grads))
    real = Recording.result
    monkeypatch.setattr(Recording, "result", lambda self: [1.5 * one for one in real(self)])
    ended = collectives("run all-reduce ring --dtype bfloat16 --data in.npy")
    assert (ended.status, "more than rounding explains" in ended.err) == (1, True)


def test_a_saved_recording_of_bfloat16_comes_back(right, saved, tmp_path, grads):
    save(record("all_reduce", "ring", ranks=4, count=12, dtype="bfloat16"), tmp_path / "r.json")
    assert load(tmp_path / "r.json").dtype == BFLOAT16
    saved("in.npy", grads)
    right("run r.json --dtype bfloat16 --data in.npy -o out.npy")
    want = record("all_reduce", "ring", ranks=4, data=grads).result()
    assert read(tmp_path / "out.npy").tolist() == [one.tolist() for one in want]


@pytest.mark.parametrize(
    ("array", "line", "problem"),
    [
        (np.zeros((2, 3), BFLOAT16), "", "numpy saves bfloat16; try: --dtype bfloat16"),
        (np.zeros((2, 3), "i2"), "--dtype bfloat16", "the data is int16; leave --dtype out"),
        (np.zeros((2, 3), "f4"), "--dtype bfloat16", "the data is float32; leave --dtype out"),
        (np.zeros((2, 3), "V4"), "--dtype bfloat16", "|V4 cannot be reduced"),
        (np.zeros((2, 3), "V3"), "--dtype bfloat16", "|V3 cannot be reduced"),
        (np.zeros((2, 3), [("a", "i2")]), "--dtype bfloat16", "cannot be reduced"),
        (np.zeros((2, 3)), "--dtype bf16", "unknown dtype 'bf16'; did you mean bfloat16?"),
    ],
)
def test_what_is_not_bfloat16_is_refused_in_a_line(collectives, saved, array, line, problem):
    saved("in.npy", array)
    ended = collectives(f"run all-reduce ring --data in.npy {line}")
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert problem in ended.err


def test_an_odd_number_of_bytes_is_a_truncated_file(collectives, saved, tmp_path, grads):
    path = tmp_path / saved("in.npy", grads)
    path.write_bytes(path.read_bytes()[:-1])
    ended = collectives("run all-reduce ring --data in.npy --dtype bfloat16")
    assert "in.npy: is truncated: shape (4, 12) of |V2 takes 96 B" in ended.err


def test_what_numpy_loads_is_named_in_python(grads):
    with pytest.raises(BadInput, match=r"try: data\.view\(ml_dtypes\.bfloat16\)"):
        record("all_reduce", "ring", ranks=4, data=grads.view("V2"))


def test_without_ml_dtypes_a_line_says_what_brings_it(collectives, monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    ended = collectives("run all-reduce ring --dtype bfloat16")
    assert (ended.status, ended.out, ended.err.count("\n")) == (3, "", 1)
    assert ended.err.startswith("collectives: bfloat16 needs ml_dtypes (")
    with pytest.raises(NotInstalled):
        record("all_reduce", "ring", ranks=4, dtype="bfloat16")


def test_a_picture_shows_its_values_and_bytes(grads):
    board = usual_board(record("all_reduce", "ring", ranks=4, data=grads, op="max"))
    assert board.subtitle == "4 ranks · 4 chunks · 24 B · max"
    assert board.frames[0].transfers[0].size == 6
    shown = board.frames[0].transfers[0].values.strip("[]").split()
    assert [float(text) for text in shown] == pytest.approx(grads[0, 9:12].tolist(), rel=1e-3)
