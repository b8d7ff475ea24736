"""Rounding: what is said of it is recomputed here, with numpy and math.fsum alone."""

import math
import re

import numpy as np
import pytest
from each import each, row_title
from settings import SOME_ROWS

from collectives import record

OPERATORS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
REDUCING = [row for row in SOME_ROWS if row.promise.reduces and not row.promise.routed]
ALL_REDUCE = [row for row in SOME_ROWS if row.collective == "all_reduce"]
FLOATS = ["float16", "float32", "float64"]


def ulps(one, other):
    """The most steps from one float to the next between two arrays, taken one by one."""
    most, low, high = 0, np.minimum(one, other), np.maximum(one, other)
    while (low < high).any():
        low, most = np.where(low < high, np.nextafter(low, high), low), most + 1
    return most


def words(row):
    return f"{row.collective} {row.algorithm}"


@each("row", REDUCING, row_title)
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_rounding_that_is_printed_is_the_rounding_there_is(
    right, saved, tmp_path, row, dtype, numbers
):
    ranks = next(ranks for ranks in (9, 8) if row.accepts(ranks))
    data = numbers(dtype, (ranks, 10 * ranks), seed=7)
    saved("in.npy", data)
    line = f"run {words(row)} --data in.npy -o out.npy"
    report, text = right(f"{line} --json").json["rounding"], right(line).out
    result = np.load(tmp_path / "out.npy")
    want = data.sum(axis=0, dtype=dtype)
    if row.collective == "scan":
        want = np.array([data[: rank + 1].sum(axis=0, dtype=dtype) for rank in range(ranks)])
    elif row.collective == "exscan":
        want = np.array([data[:rank].sum(axis=0, dtype=dtype) for rank in range(1, ranks)])
    else:
        want = (
            want.reshape(ranks, -1)
            if row.collective == "reduce_scatter"
            else np.tile(want, (ranks, 1))
        )
    want = want[: len(result)]
    largest = np.abs(result.astype(float) - want.astype(float)).max()
    differing = int((result != want).sum())
    assert report["elements"] == result.size
    assert report["differing"] == differing
    assert report["largest"] == pytest.approx(largest, rel=1e-12, abs=0)
    if differing:
        said = f"rounding: {differing} of {result.size} elements of the result differ from numpy's"
        apart = ulps(result, want)
        assert report["ulps"] == apart
        noun = "ulp" if apart == 1 else "ulps"
        assert f"{said} sum, by up to {largest:.3g} ({apart} {noun}):\n{dtype} rounds" in text
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
    error = np.abs(result - exact)
    assert report["largest_error"] == pytest.approx(error.max(), rel=1e-12, abs=0) != 0
    near = np.abs(np.array(exact, dtype))
    ulp = (np.nextafter(near, np.array(np.inf, dtype)) - near).astype(float)
    in_ulps = (error / ulp).max()
    assert report["largest_error_ulps"] == pytest.approx(in_ulps, rel=1e-12)
    found = re.search(r"the exact \w+ \(math.fsum\): (\S+) \((\S+) ulps\)", text)
    assert float(found[1]) == pytest.approx(error.max(), rel=1e-2, abs=0)
    assert float(found[2]) == pytest.approx(in_ulps, rel=0.1)
    numpys = data.sum(axis=0, dtype=dtype)
    if op == "avg":
        numpys = numpys / np.array(7, dtype)
    off = np.abs(numpys.astype(float) - exact).max()
    assert report["numpys_largest_error"] == pytest.approx(off, rel=1e-12, abs=0)
    assert f"that of numpy's {'average' if op == 'avg' else 'sum'}, rank 0 first: {off:.3g}" in text


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
@each("row", [row for row in ALL_REDUCE if row.accepts(4)], row_title)
def test_an_order_that_overflows_or_cancels_is_no_wrong_algorithm(right, saved, row, op, column):
    """Two of the four ranks begin in turn, which are not the same ones for every row."""
    for turn in range(len(row.title) % 2, 4, 2):
        saved("in.npy", np.roll(np.array(column), turn)[:, None])
        report = right(f"run {words(row)} --op {op} --data in.npy --json").json
        assert report["correct"] is True


def test_a_difference_that_rounding_does_not_explain_is_wrong(
    collectives, saved, tmp_path, monkeypatch, numbers
):
    """Results are spoilt on their way; the proof of contributions cannot see that."""
    from collectives.recording.recording import Recording

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


# --- the order of the additions


def order(out):
    """The lines of `run` on the order of the sums."""
    after = out.partition("\norder of the ")[2]
    return after.partition("\n\n")[0].splitlines()[2:]


def test_the_order_of_the_ring_is_another_for_each_chunk(right):
    assert order(right("run all-reduce ring --dtype float32").out) == [
        "  chunk 0: ((x1 + x2) + x3) + x0",
        "  chunk 1: ((x2 + x3) + x0) + x1",
        "  chunk 2: ((x0 + x3) + x1) + x2",
        "  chunk 3: ((x0 + x1) + x2) + x3",
    ]


def test_ranks_that_add_in_different_orders_are_named(right):
    assert order(right("run all-reduce flat -n 3 --dtype float64").out) == [
        "  ranks 0, 1: (x0 + x1) + x2",
        "  rank 2: (x0 + x2) + x1",
    ]


def test_chunks_with_the_same_order_are_one_line(right):
    assert order(right("run all-reduce rabenseifner --dtype float16").out) == [
        "  every chunk: (x0 + x1) + (x2 + x3)",
    ]
    lines = order(right("run all-reduce double-binary-tree --dtype float32").out)
    assert [line.partition(":")[0] for line in lines] == ["  chunks 0, 1", "  chunks 2, 3"]


def test_products_and_scans_have_an_order_too(right):
    assert order(right("run scan chain -n 3 --op prod --dtype float32").out) == [
        "  rank 0: x0",
        "  rank 1: x0 * x1",
        "  rank 2: (x0 * x1) * x2",
    ]


def test_many_orders_of_one_shape_are_cut_short(right):
    lines = order(right("run reduce-scatter ring -n 9 --dtype float32").out)
    assert len(lines) == 5
    assert lines[-1] == "  … and 5 more of this shape"


@pytest.mark.parametrize(
    ("algorithm", "switches"),
    [("nvls", True), ("nvls-tree", True), ("sharp", True), ("parameter-server", False)],
)
def test_of_switches_it_says_whose_order_it_is(algorithm, switches, right):
    """That of our schedule: NVLS was measured to round the exact sum of float32 once."""
    lines = order(right(f"run all-reduce {algorithm} --dtype float32 --exact").out)
    said = " ".join(" ".join(lines).split())
    for source in ("whose order", "NVIDIA/nccl", "#2360", "NVIDIA/Megatron-LM PR 6806"):
        assert (source in said) == switches


def test_no_order_is_shown_where_it_does_not_matter(right):
    for options in ("--dtype int32", "--dtype float32 --op max", "--dtype float32 -n 17 --steps 1"):
        assert "order of the" not in right(f"run all-reduce tree {options}").out
        report = right(f"run all-reduce tree {options.split(' --steps')[0]} --json").json
        assert report["rounding"]["order"] is None


def test_the_order_is_in_the_json(right):
    report = right("run reduce tree -n 3 --root 1 --dtype float32 --json").json
    roundings = {"0": 1, "1": 0, "2": 1}
    assert report["rounding"]["order"] == [
        {"sum": "(x1 + x2) + x0", "ranks": [1], "chunks": [0], "roundings": roundings},
    ]


def roundings(out):
    """The lines of `run --exact` on the roundings of quantized messages, without who does so."""
    return out.partition("\nroundings of the ")[2].partition("2506.17615)\n")[2].split("\n\n")[0]


def test_exact_counts_the_roundings_of_quantized_messages(right):
    out = right("run all-reduce ring --dtype float32 --exact").out
    assert roundings(out).splitlines() == [
        "  chunk 0: 4 times rank 1; 3 times rank 2; 2 times rank 3; 1 time rank 0",
        "  chunk 1: 4 times rank 2; 3 times rank 3; 2 times rank 0; 1 time rank 1",
        "  chunk 2: 4 times rank 3; 3 times rank 0; 2 times rank 1; 1 time rank 2",
        "  chunk 3: 4 times rank 0; 3 times rank 1; 2 times rank 2; 1 time rank 3",
    ]
    out = right("run all-reduce two-shot -n 9 --dtype float32 --exact").out
    assert "  chunk 4: 2 times ranks 0-3, 5-8; 1 time rank 4\n" in roundings(out)
    assert "roundings of" not in right("run all-reduce ring --dtype float32").out


def test_the_example_numbers_round(right):
    """Else the bits would be the same in any order, and nothing would be seen of it."""
    for dtype in FLOATS:
        said = right(f"run all-reduce ring --dtype {dtype}").out
        rounding = right(f"run all-reduce ring --dtype {dtype} --json").json["rounding"]
        assert rounding["differing"] > 0
        found = re.search(r"element (\d+) of rank (\d): (\S+) here, (\S+) from numpy", said)
        assert float(found[3]) != float(found[4])


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "uint64"])
@pytest.mark.parametrize("op", ["sum", "prod"])
@pytest.mark.parametrize("words", ["all-reduce ring", "scan chain", "exscan chain"])
def test_integers_that_wrap_are_counted(right, saved, words, op, dtype):
    """Counted here with Python's own integers, which never wrap."""
    info = np.iinfo(dtype)
    data = np.random.default_rng(5).integers(1, 4, (4, 24)).astype(dtype)
    data[1, :6], data[2, 6:9], data[3, :3] = info.max, info.max // 2, info.min
    saved("in.npy", data)
    fold = sum if op == "sum" else math.prod
    prefixes = {"all-reduce ring": [4], "scan chain": range(1, 5), "exscan chain": range(1, 4)}
    over = sum(
        any(not info.min <= fold(column[:ranks]) <= info.max for ranks in prefixes[words])
        for column in data.T.tolist()
    )
    line = f"run {words} --data in.npy --op {op}"
    assert right(f"{line} --json").json["rounding"]["overflowed"] == over
    name = {"sum": "sum", "prod": "product"}[op]
    told = f"overflow: {over} of 24 elements of the {name} do not fit in {dtype} and wrap"
    assert (told in " ".join(right(line).out.split())) == (over > 0)
    names = words.replace("-", "_").split()
    verdict = record(*names, ranks=4, data=data, op=op).check()
    assert (f"; {over} of 24 elements overflow {dtype} and wrap" in str(verdict)) == (over > 0)


def test_integers_that_fit_are_not_warned_of(right):
    assert "overflow" not in right("run all-reduce ring --dtype int64").out
    assert "overflow" not in right("run all-reduce ring --dtype int8 --count 300 --op max").out
