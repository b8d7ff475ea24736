import ast
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
from each import each, row_title

from collectives import (
    ROWS,
    BadInput,
    WrongSchedule,
    pipelined,
    record,
    reduce,
    send,
    table,
    together,
)
from collectives.algorithms.ring import chain_broadcast, ring_all_reduce
from collectives.collective import BROADCAST
from collectives.recording.recorder import KEPT_ROWS
from collectives.recording.recording import MAX_TIMES
from collectives.recording.request import check_pipeline

ROOT = Path(__file__).parents[2]


def same(one, other):
    names = ("full", "times", "origin", "values", "size")
    return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in names)


@pytest.mark.parametrize("own", [False, True])
def test_an_excerpt_has_the_first_elements_of_each_chunk(own):
    data = np.arange(3 * 14).reshape(3, 14) ** 2 if own else None
    recording = record("all_reduce", "ring", ranks=3, counts=(7, 1, 6), data=data)
    short = recording.excerpt(2)
    assert short.counts == (2, 1, 2)
    for one, other in ((short.inputs, recording.inputs), (short.result(), recording.result())):
        np.testing.assert_array_equal(one, np.asarray(other)[:, [0, 1, 7, 8, 9]])


# State


def straight_run(recording):
    """The states in order, from a recording that goes forward only."""
    return [recording.state(number) for number in range(len(recording.steps) + 1)]


SEVERAL = [
    {"schedule": "all_reduce", "algorithm": "ring", "ranks": 9},
    {"schedule": "all_reduce", "algorithm": "flat", "ranks": 5, "count": 7},
    {"schedule": "broadcast", "algorithm": "ring", "ranks": 5, "root": 3, "chunks": 20},
    {"schedule": "gather", "algorithm": "tree", "ranks": 7, "root": 2},
    {"schedule": "reduce", "algorithm": "flat", "ranks": 1},
    {"schedule": "all_reduce", "algorithm": "ring", "ranks": 4, "dtype": "float32", "op": "max"},
]


@pytest.mark.parametrize("settings", SEVERAL, ids=str)
def test_states_in_any_order_equal_a_straight_run(settings):
    expected = straight_run(record(**settings))
    recording, random = record(**settings), Random(7)
    order = [random.randrange(len(expected)) for _ in range(4 * len(expected))]
    for number in [len(expected) - 1, *order]:
        assert same(recording.state(number), expected[number]), number
        assert (recording.contributors(number) == (expected[number].times > 0)).all(), number


def test_a_state_belongs_to_the_caller():
    recording = record("all_reduce", "ring", ranks=3)
    for array in ("full", "times", "origin", "values"):
        getattr(recording.state(2), array)[:] = 0
    assert same(recording.state(2), record("all_reduce", "ring", ranks=3).state(2))


def test_a_copy_with_other_data_has_states_of_its_own():
    recording = record("all_reduce", "ring", ranks=3, count=3)
    before = recording.state(4)
    other = replace(recording, data=10 * recording.inputs)
    assert (other.state(4).values == 10 * before.values).all()
    assert same(recording.state(4), before)
    first = replace(recording, data=-recording.inputs)
    assert (first.state(2).values == -recording.state(2).values).all()


def test_no_value_shares_a_hidden_cache_with_its_copy():
    """`dataclasses.replace` hands on every field that can be given: no private one can be."""
    private = [
        (path.name, ast.unparse(line))
        for package in ("collectives", "animations")
        for path in (ROOT / package).rglob("*.py")
        for group in ast.walk(ast.parse(path.read_text()))
        if isinstance(group, ast.ClassDef)
        and any("dataclass" in ast.unparse(decorator) for decorator in group.decorator_list)
        for line in group.body
        if isinstance(line, ast.AnnAssign) and line.target.id.startswith("_")
    ]
    assert len(private) >= 4
    assert not [(name, line) for name, line in private if "init=False" not in line]


def test_the_last_state_holds_the_result():
    recording = record("all_reduce", "ring", ranks=4, count=10)
    last = recording.state(len(recording.steps))
    for rank, result in enumerate(recording.result()):
        assert np.concatenate([last.value(rank, slot) for slot in range(4)]).tolist() == (
            result.tolist()
        )


def test_value_is_empty_where_nothing_was_written():
    recording = record("broadcast", "flat", ranks=2, count=3)
    assert recording.state(0).value(0, 0).tolist() == [1, 2, 3]
    assert recording.state(0).value(1, 0).tolist() == []
    assert recording.state(1).value(1, 0).tolist() == [1, 2, 3]


@pytest.mark.parametrize("step", [-1, 7, 10**30])
def test_states_that_do_not_exist(step):
    with pytest.raises(BadInput, match=r"step .*: must be at (most|least) [06]; try: [06]"):
        record("all_reduce", "ring", ranks=4).state(step)


def test_states_stay_right_after_a_step_that_fails():
    steps = [reduce(0, 1), reduce(0, 2), send(3, 0), send(1, 2)]
    recording = record(steps, collective="broadcast", ranks=4, slots=1)
    expected = straight_run(record(steps[:2], collective="broadcast", ranks=4, slots=1))
    for number in (1, 0, 2, 2, 0, 1):
        with pytest.raises(WrongSchedule, match=r"^step 3: slot 0 of rank 3 is read"):
            recording.state(4)
        assert same(recording.state(number), expected[number])


def test_a_count_that_doubles_for_ever_stops_at_the_most():
    steps = [reduce(0, 1), reduce(1, 0)] * 600
    recording = record(steps, collective="all_reduce", ranks=2, slots=1)
    assert recording.state(70).times.max() < MAX_TIMES
    assert (recording.state(1200).times == MAX_TIMES).all()


# Steps


def many_steps():
    """More rows than are kept of a catalog row."""
    return record("all_reduce", "ring", ranks=726)


def test_steps_of_large_rows_are_made_anew(monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder.KEPT_BYTES", 1 << 20)
    recording = many_steps()
    assert recording.counters.rows > KEPT_ROWS
    for _ in range(2):
        assert sum(len(step) for step in recording.steps) == recording.counters.rows
    assert str(recording.steps[1449].select(slice(0, 2))) == "0→1 =2   1→2 =3"
    assert len(recording.steps) == 1450


def test_steps_of_ones_own_schedule_are_kept():
    recording = record(ring_all_reduce(3), collective="all_reduce", ranks=3)
    assert [str(step) for step in recording.steps] == [str(step) for step in recording.steps]
    assert recording.steps[0] is recording.steps[0]
    assert len(recording.steps[1:]) == 3
    with pytest.raises(IndexError):
        recording.steps[4]


# Data and results

RESULT = {
    "broadcast": lambda rows, root, rank: rows[root],
    "reduce": lambda rows, root, rank: sum(rows) if rank == root else [],
    "all_reduce": lambda rows, root, rank: sum(rows),
    "scatter": lambda rows, root, rank: part(rows[root], rank, len(rows)),
    "reduce_scatter": lambda rows, root, rank: part(sum(rows), rank, len(rows)),
    "gather": lambda rows, root, rank: gathered(rows) if rank == root else [],
    "all_gather": lambda rows, root, rank: gathered(rows),
    "all_to_all": lambda rows, root, rank: np.concatenate([part(r, rank, len(rows)) for r in rows]),
    "scan": lambda rows, root, rank: sum(rows[: rank + 1]),
    "exscan": lambda rows, root, rank: sum(rows[:rank]) if rank else [],
}


def part(vector, rank, ranks):
    return np.array_split(vector, ranks)[rank]


def gathered(rows):
    return np.concatenate([part(row, rank, len(rows)) for rank, row in enumerate(rows)])


@each("row", ROWS, row_title)
def test_every_row_ends_with_what_its_collective_is_for(row):
    if row.collective not in RESULT:
        assert row.collective in ("barrier", "send_recv") or row.promise.routed  # tested apart
        return
    counts = {1: 3, 2: 1, 3: 0, 4: 10, 5: 20, 6: 19, 8: 21}
    for n, count in filter(lambda case: row.accepts(case[0]), counts.items()):
        root = n // 2 if row.promise.rooted else 0
        data = np.random.default_rng(n).integers(-99, 99, (n, count))
        recording = record(row.collective, row.algorithm, ranks=n, root=root, count=count)
        for rank, result in enumerate(recording.on(data).result()):
            expected = RESULT[row.collective](list(data), root, rank)
            assert result.tolist() == list(expected), (n, count, rank)


@pytest.mark.parametrize(
    ("op", "expected"),
    [("sum", [9, 6]), ("prod", [24, 6]), ("min", [2, 1]), ("max", [4, 3]), ("avg", [3, 2])],
)
@pytest.mark.parametrize("algorithm", ["ring", "tree", "flat"])
def test_operators(op, expected, algorithm):
    data = np.array([[2.0, 3.0], [3.0, 1.0], [4.0, 2.0]])
    recording = record("all_reduce", algorithm, ranks=3, dtype="float64", op=op, data=data)
    assert [result.tolist() for result in recording.result()] == [expected] * 3


def test_avg_divides_only_where_something_was_added():
    data = np.array([[2.0], [4.0]])
    recording = record("broadcast", "flat", ranks=2, dtype="float64", op="avg", data=data)
    assert [result.tolist() for result in recording.result()] == [[2.0], [2.0]]


def test_integers_wrap():
    data = np.array([[100], [100]], np.int8)
    recording = record("all_reduce", "ring", ranks=2, dtype="int8", data=data)
    assert [result.tolist() for result in recording.result()] == [[-56], [-56]]


def test_rows_may_hold_each_ranks_own_slots_only():
    data = np.array([[1, 2], [3, 4], [5, 6]])
    recording = record("all_gather", "ring", ranks=3, data=data)
    assert recording.count == 6
    assert [result.tolist() for result in recording.result()] == [[1, 2, 3, 4, 5, 6]] * 3
    assert record("gather", "tree", ranks=3, count=6).on(data).result()[0].tolist() == (
        [1, 2, 3, 4, 5, 6]
    )


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (np.zeros((3, 8), int), "it must be .rank, element. for 4 ranks"),
        (np.zeros(8, int), "it must be .rank, element. for 4 ranks"),
        (np.zeros((4, 7), int), "data has 7 elements per rank, but count is 8"),
        (np.zeros((4, 2), int), "data has 2 elements per rank, but count is 8"),
        (np.zeros((4, 8), np.int32), "data of dtype int32; the recording is of int64"),
    ],
)
def test_data_that_does_not_fit(data, problem):
    with pytest.raises(BadInput, match=problem):
        record("all_reduce", "ring", ranks=4, count=8).on(data)


def test_another_recording_of_other_data_keeps_its_own_states():
    one = record("all_reduce", "flat", ranks=2, count=1)
    assert one.state(1).value(0, 0).tolist() == [3]
    other = one.on(np.array([[10], [20]]))
    assert other.state(1).value(0, 0).tolist() == [30]
    assert one.state(1).value(0, 0).tolist() == [3]


# Settings


def own(schedule, **settings):
    return record(schedule, **({"collective": "broadcast", "ranks": 2, "slots": 1} | settings))


def test_defaults():
    recording = record("broadcast", "ring", ranks=3)
    assert (recording.chunks, recording.slots, recording.count) == (4, 4, 16)
    assert (recording.root, recording.op, str(recording.dtype)) == (0, "sum", "int64")
    mine = record(chain_broadcast(3), collective="broadcast", ranks=3)
    assert (mine.nodes, mine.slots, mine.count, mine.chunks) == (3, 3, 12, None)
    assert mine.title == mine.algorithm == "chain_broadcast"
    assert record([send(0, 1)], "mine", collective="broadcast", ranks=2).title == "mine"


def test_nodes_beyond_the_ranks_are_switches():
    up_and_down = [reduce([0, 1], 2), send(2, [0, 1])]
    recording = own(up_and_down, collective="all_reduce", nodes=3)
    assert recording.check()
    assert recording.bytes_sent == [32, 32, 64]
    assert recording.state(2).full.tolist() == [[True], [True], [True]]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"ranks": 0}, "ranks 0: must be at least 1; try: 1"),
        ({"ranks": -3}, "ranks -3: must be at least 1"),
        ({"ranks": 2.5}, "ranks 2.5: must be a whole number"),
        ({"ranks": "2"}, "ranks '2': must be a whole number"),
        ({"ranks": None}, "ranks None: must be a whole number"),
        ({"ranks": 10**30}, "must be at most 2.48"),
        ({"ranks": 10**5000}, "ranks a huge int: must be at most 2.48"),
        ({"root": 4}, "root 4 of 4 ranks; the ranks are 0 to 3"),
        ({"ranks": 1, "root": 1}, "root 1 of 1 rank; the rank is 0"),
        ({"root": -1}, "root -1: must be at least 0"),
        ({"count": -1}, "count -1: must be at least 0"),
        ({"count": 1.5}, "count 1.5: must be a whole number"),
        ({"count": 10**400}, "must be at most 2.48"),
        ({"ranks": 3000, "count": 1 << 48}, "do not fit in 64 bits; try: 192153584101141"),
        ({"chunks": 0}, "chunks 0: must be at least 1"),
        ({"chunks": 10**30}, "must be at most 2.48"),
        ({"dtype": "complex64"}, "complex64.* cannot be reduced"),
        ({"dtype": "bool"}, "bool.* cannot be reduced"),
        ({"dtype": "nonsense"}, "unknown dtype 'nonsense'"),
        ({"op": "mul"}, "op 'mul': unknown; choose from sum"),
        ({"op": "avg"}, "an average needs floats; try: --dtype float64"),
        ({"slots": 4}, "slots 4: ring broadcast has its own; leave it out"),
        ({"schedule": "all_reduce"}, "chunks 4: ring all-reduce is not pipelined"),
        ({"schedule": "all_redcue"}, "did you mean all-reduce"),
        ({"algorithm": "rnig"}, "did you mean ring"),
    ],
)
def test_bad_settings_are_named(settings, problem):
    usual = {"schedule": "broadcast", "algorithm": "ring", "ranks": 4, "chunks": 4}
    with pytest.raises(BadInput, match=problem) as refusal:
        record(**(usual | settings))
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 200


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"collective": None}, "collective= is missing"),
        ({"collective": "xyz"}, "unknown collective 'xyz'"),
        ({"slots": 0}, "slots 0: must be at least 1"),
        ({"nodes": 1}, "nodes 1: must be at least 2"),
        ({"chunks": -1}, "chunks -1: must be at least 1"),
        ({"nodes": 1 << 48}, "would take"),
        ({"slots": 1 << 48}, "would take"),
        ({"collective": "gather", "slots": 3}, "gives each of 2 ranks the same number of slots"),
    ],
)
def test_bad_settings_of_ones_own_schedule(settings, problem):
    with pytest.raises(BadInput, match=problem):
        own([send(0, 1)], **settings)


def test_a_function_is_recorded_as_its_steps_are():
    recording = record(ring_all_reduce, ranks=8, count=24)
    steps = record(ring_all_reduce(8), collective="all_reduce", ranks=8, count=24)
    assert table(recording.steps) == table(steps.steps) and recording.title == steps.title
    assert recording.count == 24 and recording.check()


def test_the_arguments_of_a_function_are_filled_by_name():
    def tall(n, root, chunks, radix=2):
        assert (n, root, chunks, radix) == (3, 2, 5, 7)
        yield send(root, 0)
        yield send(root, [1, n])

    promise = {"collective": lambda n: BROADCAST, "slots": lambda n: 1, "nodes": lambda n: n + 1}
    recording = record(
        tall, "mine", ranks=3, root=2, chunks=5, parameters={"radix": 7}, **promise, scratch=1
    )
    assert (recording.algorithm, recording.nodes, recording.slots) == ("mine", 4, 2)
    assert recording.check()


@pytest.mark.parametrize(
    ("function", "settings", "problem"),
    [
        (lambda n: [], {}, "its name does not end in a collective"),
        (chain_broadcast, {"root": 4}, "root 4 of 4 ranks"),
        (chain_broadcast, {"chunks": 2}, "takes no chunks"),
        (chain_broadcast, {"parameters": {"radix": 3}}, "has no 'radix'"),
        (chain_broadcast, {"slots": lambda n: "x"}, "slots 'x': must be a whole number"),
    ],
)
def test_settings_that_do_not_fit_a_function_are_named(function, settings, problem):
    with pytest.raises(BadInput, match=problem):
        record(function, ranks=4, **settings)


def test_what_is_wrong_with_a_function_is_told_with_its_setting():
    def self_made_broadcast(n):
        yield send(0, n)

    problem = r"^self_made_broadcast on 4 ranks, root 0: step 1 \(.*node 4 does not exist"
    with pytest.raises(WrongSchedule, match=problem):
        record(self_made_broadcast, ranks=4)


def test_an_endless_schedule_is_stopped(monkeypatch):
    def endless():
        while True:
            yield send(0, 1)

    monkeypatch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 100)
    with pytest.raises(WrongSchedule, match="does it ever end"):
        own(endless())


@pytest.mark.parametrize(
    "dtype",
    ["(2,i4", ",", "a8", "i4,f4", "S99999999999999", "float128", "M8[s]", "V8", "O", "", "\0", "é"],
)
def test_strange_dtypes_are_refused(dtype):
    with pytest.raises(BadInput):
        record("broadcast", "flat", ranks=2, dtype=dtype)


@pytest.mark.parametrize("dtype", [">i8", "<i8", "i8", "long", int, np.int64, np.dtype(">i8")])
def test_a_dtype_has_many_names(dtype):
    assert str(record("broadcast", "flat", ranks=2, dtype=dtype).dtype) == "int64"


@pytest.mark.parametrize("ranks", [10**12, 1 << 48])
@each("row", ROWS, row_title)
def test_what_would_never_end_is_refused_at_once(row, ranks):
    with pytest.raises(BadInput, match=r"messages|would take|at most 2.20 are simulated"):
        record(row.collective, row.algorithm, ranks=ranks)


@pytest.mark.parametrize(
    "settings", [{"ranks": 1 << 14, "chunks": 1 << 20}, {"ranks": 2, "chunks": 1 << 30}]
)
def test_a_chain_of_too_many_steps_is_refused_at_once(settings):
    with pytest.raises(BadInput, match=r"would take \d+ steps.* at most 65536 and "):
        record("reduce", "ring", **settings)


@each("row", [row for row in ROWS if "chunks" in row.parameters], row_title)
def test_a_pipeline_of_too_many_chunks_is_refused_at_once_with_the_most(row):
    """The number it names is taken, and one chunk more is not."""
    for ranks, chunks in ((4, 1_000_004), (2, 200_000), (512, 100_000)):
        with pytest.raises(BadInput, match=rf"^chunks {chunks}: .* try: \d+ chunks$") as problem:
            record(row.collective, row.algorithm, ranks=ranks, chunks=chunks)
        most = int(re.search(r"(\d+) chunks$", str(problem.value))[1])
        assert 4 < most < chunks
        check_pipeline(row, row.setting(ranks, chunks=most))
        with pytest.raises(BadInput, match=f"try: {most} chunks"):
            check_pipeline(row, row.setting(ranks, chunks=most + 1))


def test_one_rank_and_no_elements_are_fine():
    for row in ROWS:
        recording = record(row.collective, row.algorithm, ranks=1, count=0)
        assert recording.check()
        assert [result.tolist() for result in recording.result()] == [[]]


def test_combined_schedules_are_recorded_like_others():
    left = pipelined(chain_broadcast(3), range(2))
    recording = record(together(left, [send(0, 1, 2)]), collective="broadcast", ranks=3, slots=3)
    assert not recording.check()
    assert recording.counters.transfers == 5


@pytest.mark.parametrize("steps", [[reduce(0, 1)] * 5000, [reduce([0] * 5000, 1)]])
def test_bytes_that_64_bits_cannot_hold_are_refused(steps):
    with pytest.raises(BadInput, match=r"more than 64 bits can hold"):
        record(steps, collective="reduce", ranks=2, root=1, slots=1, count=2**48)


def test_steps_that_would_fill_the_memory_are_refused(monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder.KEPT_ROWS", 1000)
    monkeypatch.setattr("collectives.recording.recorder.ROW_BYTES", 1 << 50)
    with pytest.raises(BadInput, match=r"a schedule of more than 10.. transfers would take"):
        record(iter(lambda: send(0, range(1, 9)), None), collective="broadcast", ranks=9, slots=1)


def test_a_recording_owns_its_data():
    data = np.ones((2, 4))
    recording = record("all_reduce", "ring", ranks=2, data=data)
    data[:] = 0
    assert recording.dtype == np.float64, "the data's own"
    assert [vector.tolist() for vector in recording.result()] == [[2.0] * 4] * 2


def test_data_may_be_a_list():
    recording = record("all_reduce", "flat", ranks=2, data=[[1], [2]])
    assert [vector.tolist() for vector in recording.result()] == [[3], [3]]


def test_own_schedules_have_headings_like_those_of_the_catalog():
    def my_ring_all_reduce(n):
        yield reduce([0, 1], [1, 0])

    def my_ring(n):
        yield reduce([0, 1], [1, 0])

    for own, heading in ((my_ring_all_reduce, "My ring all-reduce"), (my_ring, "My ring")):
        recording = record(own(2), collective="all_reduce", ranks=2, slots=1)
        assert (recording.heading, recording.title) == (heading, own.__name__)
