"""Real data: what every collective makes of it is held against numpy and math.fsum, here."""

import io
import zipfile

import numpy as np
import pytest
from each import each, row_title
from settings import SOME_ROWS

from collectives.catalog import ROWS

RANKS = 4
OPERATORS = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
PLAIN = [row for row in SOME_ROWS if not row.promise.routed]  # tests/cli/test_routed.py has others
WITH_DATA = [row for row in PLAIN if row.collective != "barrier"]
REDUCING = [row for row in PLAIN if row.promise.reduces]
ALL_REDUCE = [row for row in ROWS if row.collective == "all_reduce"]
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]


def words(row):
    return f"{row.collective} {row.algorithm}"


def wanted(row, data, op="sum", root=0):
    """What each rank must end with, in numpy's words alone."""
    total = OPERATORS[op].reduce(data, axis=0, dtype=data.dtype)
    ranks = len(data)
    if row.collective == "reduce_scatter":
        return total.reshape(ranks, -1)
    if row.collective == "scatter":
        return data[root].reshape(ranks, -1)
    if row.collective in ("gather", "all_gather"):
        total = data.reshape(-1)
    if row.collective == "all_to_all":
        return np.stack([block.reshape(-1) for block in np.split(data, ranks, 1)])
    if row.collective == "scan":
        return OPERATORS[op].accumulate(data, axis=0, dtype=data.dtype)
    if row.collective == "exscan":  # of all ranks but rank 0
        return OPERATORS[op].accumulate(data, axis=0, dtype=data.dtype)[:-1]
    if row.algorithm == "ping-pong":  # of each pair, each has the other's
        return data[[rank ^ 1 for rank in range(ranks // 2 * 2)]]
    if row.algorithm == "halo-exchange":  # the right edge of the left, the left of the right
        left, right = np.array_split(data, 2, axis=1)
        return np.hstack([np.roll(right, 1, axis=0), np.roll(left, -1, axis=0)])
    if row.algorithm == "pipeline-activations":
        return data[:-1]
    if row.collective == "broadcast":
        total = data[root]
    return np.tile(total, (1 if row.collective in ("gather", "reduce") else ranks, 1))


# --- every algorithm


@each("row", WITH_DATA, row_title)
@pytest.mark.parametrize("dtype", ["int32", "uint8", "int64"])
def test_every_algorithm_does_what_numpy_does(right, saved, tmp_path, row, dtype, numbers):
    data = numbers(dtype)
    saved("in.npy", data)
    roots = (0, 2) if row.promise.rooted else (0,)
    for root in roots:
        report = right(f"run {words(row)} --root {root} --data in.npy -o out.npy --json").json
        result = np.load(tmp_path / "out.npy")
        assert result.dtype == data.dtype
        np.testing.assert_array_equal(result, wanted(row, data, root=root))
        assert (report["ranks"], report["dtype"], report["correct"]) == (RANKS, dtype, True)
        assert report["rounding"]["differing"] == 0


@each("row", REDUCING, row_title)
@pytest.mark.parametrize("op", ["prod", "min", "max"])
def test_every_operator_does_what_numpy_does(right, saved, tmp_path, row, op, numbers):
    data = numbers("int64")
    saved("in.npy", data)
    right(f"run {words(row)} --op {op} --data in.npy -o out.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), wanted(row, data, op))


@each("row", REDUCING, row_title)
def test_avg_is_the_mean(right, collectives, saved, tmp_path, row, numbers):
    data = numbers("float64")
    saved("in.npy", data)
    if row.promise.reduces_prefixes:
        ended = collectives(f"run {words(row)} --op avg --data in.npy -o out.npy")
        assert (ended.status, ended.out) == (2, "")
        assert "a scan has no average; try: sum" in ended.err
        return
    right(f"run {words(row)} --op avg --data in.npy -o out.npy")
    want = wanted(row, data) / RANKS
    np.testing.assert_allclose(np.load(tmp_path / "out.npy"), want, rtol=1e-13, atol=1e-15)
    constant = np.full((RANKS, 12), 2.5)
    saved("in.npy", constant)
    right(f"run {words(row)} --op avg --data in.npy -o out.npy")
    assert (np.load(tmp_path / "out.npy") == 2.5).all()


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("op", ["sum", "prod"])
def test_integers_wrap_as_numpys_do(right, saved, tmp_path, dtype, op, numbers):
    data = numbers(dtype)
    saved("in.npy", data)
    right(f"run all-reduce ring --op {op} --data in.npy -o out.npy")
    want = OPERATORS[op].reduce(data, axis=0, dtype=dtype)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), np.tile(want, (RANKS, 1)))


# --- files


def test_the_rows_of_the_data_are_the_ranks(right, saved, numbers):
    for ranks in (1, 3, 7):
        saved("in.npy", numbers("int16", (ranks, 5)))
        assert right("run all-reduce ring --data in.npy --json").json["ranks"] == ranks


def test_count_is_that_of_the_data(right, saved, numbers):
    saved("in.npy", numbers("int16", (3, 5)))
    assert right("run all-reduce ring --data in.npy --json").json["count"] == 5
    assert right("run all-gather ring --data in.npy --json").json["count"] == 15
    assert right("run all-gather ring --data in.npy --count 15 -n 3 --json").json["count"] == 15


@pytest.mark.parametrize(
    "change",
    [np.asfortranarray, lambda data: data.astype(data.dtype.newbyteorder(">")), lambda data: data],
    ids=["fortran order", "big-endian", "as it is"],
)
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_order_of_axes_and_bytes_is_no_matter(right, saved, tmp_path, change, dtype, numbers):
    data = numbers(dtype, (RANKS, 6, 2))
    saved("in.npy", change(data))
    right("run all-reduce tree --data in.npy -o out.npy")
    result = np.load(tmp_path / "out.npy")
    assert result.dtype == np.dtype(dtype)
    want = ((data[0] + data[1]) + (data[2] + data[3]))[None]
    np.testing.assert_array_equal(result, np.broadcast_to(want, data.shape))


def test_arrays_come_back_by_name_in_their_shapes(right, saved, tmp_path, numbers):
    arrays = {
        "weight": numbers("float32", (RANKS, 3, 5)),
        "bias": numbers("float32", (RANKS, 5)),
        "file": numbers("float32", (RANKS, 2, 1, 2)),
        "empty": numbers("float32", (RANKS, 0, 3)),
    }
    saved("in.npz", **{name: array for name, array in arrays.items() if name != "file"})
    with zipfile.ZipFile(tmp_path / "in.npz", "a") as archive:  # np.savez takes no such name
        buffer = io.BytesIO()
        np.save(buffer, arrays["file"])
        archive.writestr("file.npy", buffer.getvalue())
    right("run all-reduce ring --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        assert {name: result[name].shape for name in result} == {
            name: array.shape for name, array in arrays.items()
        }
        for name, array in arrays.items():
            want = np.broadcast_to(array.sum(axis=0), array.shape)
            np.testing.assert_allclose(result[name], want, rtol=1e-5, atol=1e-6)
    right("run all-reduce ring --data in.npz -o out.npy")
    assert np.load(tmp_path / "out.npy").shape == (RANKS, 15 + 5 + 4)


def test_gathered_arrays_have_the_rank_they_came_from_as_an_axis(right, saved, tmp_path, numbers):
    left, other = numbers("int32", (3, 2)), numbers("int32", (3, 2, 2))
    saved("in.npz", left=left, other=other)
    right("run all-gather ring --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        np.testing.assert_array_equal(result["left"], np.broadcast_to(left, (3, 3, 2)))
        np.testing.assert_array_equal(result["other"], np.broadcast_to(other, (3, 3, 2, 2)))


def test_parts_of_a_vector_have_no_name_of_their_own(right, saved, tmp_path, numbers):
    saved("in.npz", a=numbers("int32", (2, 3)), b=numbers("int32", (2, 5)))
    right("run reduce-scatter ring --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        assert {name: result[name].shape for name in result} == {"result": (2, 4)}


def test_the_result_of_a_reduce_is_the_roots(right, saved, tmp_path, numbers):
    data = numbers("int32", (3, 2, 2))
    saved("in.npz", a=data)
    right("run reduce tree --root 1 --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        np.testing.assert_array_equal(result["a"], data.sum(axis=0, dtype="int32")[None])


def test_uneven_results_are_an_array_per_rank(right, collectives, saved, tmp_path, numbers):
    data = numbers("int64", (4, 10))
    saved("in.npy", data)
    right("run reduce-scatter ring --data in.npy -o out.npz")
    total = data.sum(axis=0)
    with np.load(tmp_path / "out.npz") as result:
        parts = [result[f"rank_{rank}"] for rank in range(4)]
    assert [len(part) for part in parts] == [3, 3, 2, 2]
    np.testing.assert_array_equal(np.concatenate(parts), total)
    ended = collectives("run reduce-scatter ring --data in.npy -o table.npy")
    assert (ended.status, ended.out) == (2, "")
    assert "2 or 3 elements" in ended.err
    assert "table.npz" in ended.err
    assert not (tmp_path / "table.npy").exists()


@each("row", WITH_DATA, row_title)
def test_no_element_and_one_rank_are_valid(right, saved, tmp_path, row, numbers):
    for shape in ((1, 5), (3 if row.accepts(3) else 4, 0), (1, 0)):
        saved("in.npy", numbers("float32", shape))
        right(f"run {words(row)} --data in.npy -o out.npy")
        data = np.load(tmp_path / "in.npy")
        np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), wanted(row, data))
    assert right(f"run {words(row)} -n 1 --json").json["steps"] == 0
    assert right(f"run {words(row)} --count 0 --json").json["bytes_sent"] == [0] * 4


def test_a_saved_recording_runs_on_data(right, saved, tmp_path, numbers):
    data = numbers("int64", (3, 6))
    saved("in.npy", data)
    right("run all-reduce ring -n 3 --count 6 -o ring.json")
    right("run ring.json --data in.npy -o out.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), np.tile(data.sum(axis=0), (3, 1)))


def test_shown_steps_hold_the_data(right, saved):
    saved("in.npy", np.array([[1, 2000, 30, 40, 50, 60], [7, 8, 9, 10, 11, 12]]))
    table = right("run all-reduce tree --data in.npy").out
    assert "rank 1 → 0  + adds slot 0  48 B  now from all 2 ranks  [8 2008 39 50 …]" in table
    assert "rank 1: [8 2008 39 50 61 72]" in table


def test_blocks_of_all_to_all_go_where_they_belong(right, saved, tmp_path):
    """Row r of the data is what rank r sends: a block for each rank; uneven ones, too."""
    data = 100 * np.arange(4)[:, None] + np.arange(10)
    saved("in.npy", data)
    right("run all-to-all bruck --data in.npy -o out.npz")
    blocks = [np.array_split(row, 4) for row in data]
    with np.load(tmp_path / "out.npz") as result:
        for rank in range(4):
            want = np.concatenate([blocks[src][rank] for src in range(4)])
            np.testing.assert_array_equal(result[f"rank_{rank}"], want)


def test_blocks_keep_the_shape_of_the_one_array_they_come_from(right, saved, tmp_path, numbers):
    sent = numbers("int32", (3, 3, 2, 2))
    saved("in.npz", block=sent)
    right("run all-to-all pairwise --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        np.testing.assert_array_equal(result["block"], sent.swapaxes(0, 1))
    saved("in.npz", a=sent, b=sent)
    right("run all-to-all pairwise --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        assert {name: result[name].shape for name in result} == {"result": (3, 24)}


def test_a_scan_has_the_shapes_of_its_data(right, saved, tmp_path, numbers):
    data = numbers("int64", (5, 2, 3))
    saved("in.npz", a=data)
    right("run scan doubling --data in.npz -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        np.testing.assert_array_equal(result["a"], data.cumsum(axis=0))


@pytest.mark.parametrize("line", ["all-gather bruck", "gather tree", "all-gather circulant"])
def test_counts_give_each_rank_its_own_number_of_elements(right, tmp_path, line):
    report = right(f"run {line} -n 4 --counts 3,0,1,2 -o out.npy --json").json
    assert (report["count"], report["correct"]) == (6, True)
    result = np.load(tmp_path / "out.npy")
    example = (np.arange(24) % 100 + 1).reshape(4, 6)
    want = np.concatenate([example[0, :3], example[2, 3:4], example[3, 4:]])
    np.testing.assert_array_equal(result, np.tile(want, (len(result), 1)))
    assert "6 int64 = 48 B in 4 slots of 3, 0, 1, 2" in right(f"run {line} --counts 3,0,1,2").out


def test_counts_cut_what_is_scattered(right, saved, tmp_path):
    saved("in.npy", np.arange(18).reshape(3, 6))
    right("run scatter flat --root 1 --counts 1,2,3 --data in.npy -o out.npz")
    with np.load(tmp_path / "out.npz") as result:
        parts = [result[f"rank_{rank}"].tolist() for rank in range(3)]
    assert parts == [[6], [7, 8], [9, 10, 11]]


def test_a_barrier_has_no_data(right):
    out = right("run barrier dissemination -n 3").out
    assert "data" not in out.replace("moves no data", "")
    assert "result" not in out
    assert "    rank 0 → 1  ranks 0, 1\n" in out
    assert "    rank 0 → 2  all 3 ranks\n" in out
    assert out.endswith("correct: every rank ends knowing that all ranks have arrived\n")
    report = right("run barrier tree -n 3 --json").json
    assert (report["count"], report["bytes_sent"], report["correct"]) == (0, [0, 0, 0], True)


def test_bytes_are_those_of_the_ranks(right):
    report = right("run all-reduce sharp -n 5 --json").json
    assert report["nodes"] > 5
    assert len(report["bytes_sent"]) == len(report["bytes_received"]) == 5
    assert report["bytes_total"] > sum(report["bytes_sent"])
    none = {"steps": None, "bytes": None, "bytes_busiest_port": None}
    assert report["lower_bound"] == {"ports": report["ports"], **none}


# --- a file for each rank


def test_a_file_for_each_rank_is_taken_in_the_order_of_its_number(right, saved, tmp_path, numbers):
    data = numbers("float32", (11, 6, 2))
    for rank, array in enumerate(data):
        saved(f"rank{rank}.npy", array)
    report = right("run gather flat --data 'rank*.npy' -o out.npy --json").json
    assert (report["ranks"], report["count"]) == (11, 11 * 12)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), data.reshape(1, -1))
    right("run all-reduce ring --data 'rank?.npy' -o sum.npz")
    assert np.load(tmp_path / "sum.npz")["result"].shape == (10, 6, 2)


@pytest.mark.parametrize(
    ("odd", "problem"),
    [
        (np.zeros(4), "--data r1.npy: is float64 of shape (4,); must be int64 of shape (3,)"),
        (np.zeros(3), "--data r1.npy: is float64 of shape (3,); must be int64 of shape (3,)"),
    ],
)
def test_files_of_ranks_are_alike(collectives, saved, odd, problem):
    saved("r0.npy", np.zeros(3, np.int64))
    saved("r1.npy", odd)
    ended = collectives("run all-reduce ring --data 'r*.npy'")
    assert (ended.status, ended.err[:13]) == (2, "collectives: ")
    assert problem in ended.err
    assert "no .npy file has such a name" in collectives("run all-reduce ring --data 'x*.npy'").err


def test_one_axis_is_asked_about(collectives, saved):
    saved("in.npy", np.zeros(12))
    told = "which is meant? try: (1, 12) for 1 rank, (12, 1) for 12 ranks"
    assert told in collectives("run all-reduce ring --data in.npy").err


def test_an_array_of_too_many_dimensions_is_refused(collectives, saved):
    saved("in.npy", np.zeros((3, 4) + 62 * (1,)))
    ended = collectives("run all-gather ring --data in.npy")
    told = "--data in.npy: has 64 dimensions; at most 16 are read; try: reshape(len(array), -1)"
    assert (ended.status, ended.err) == (2, f"collectives: {told}\n")


def test_float16_is_rounded_after_each_addition(right, saved, tmp_path):
    data = np.array([[2048.0], [1.0], [1.0], [1.0]], np.float16)  # 2048 + 1 rounds to 2048
    saved("in.npy", data)
    right("run reduce flat --data in.npy -o out.npy")
    assert np.load(tmp_path / "out.npy").dtype == np.float16
    assert np.load(tmp_path / "out.npy")[0, 0] == np.float16(2048)


def test_arrays_that_are_packed_to_almost_nothing(collectives, folder, monkeypatch):
    np.savez_compressed(folder / "zeros.npz", a=np.zeros((2, 1 << 20), np.int64))
    assert collectives("run all-reduce ring --data zeros.npz").status == 0
    monkeypatch.setattr("collectives.cli.data.LARGEST_PACKED", 1 << 20)
    done = collectives("run all-reduce ring --data zeros.npz")
    assert done.status == 2 and "zeros.npz: unpacks from " in done.err
    assert done.err.endswith("to 16.78 MB; try: numpy.savez, which does not compress\n")
