import numpy as np
import pytest
from interpreter import Row, rows

from collectives import WrongSchedule, reduce, send, table
from collectives.schedule import merged

THREE = np.arange(3)


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (send(0, 1), "0→1 =0"),
        (reduce(0, 1), "0→1 +0"),
        (send(0, 1, 2), "0→1 =2"),
        (send(0, 1, 2, 5), "0→1 =2:5"),
        (send(0, 1, 2, into=2), "0→1 =2"),
        (send(0, 1, count=3), "0→1 =0..2"),
        (reduce(0, 1, 2, 5, 3), "0→1 +2..4:5..7"),
        (send(2, 2), "2→2 =0"),
        (send(0, [1, 2]), "0→1 =0   0→2 =0"),
        (send([0, 1], 2), "0→2 =0   1→2 =0"),
        (send(range(2), (2, 3), np.array([4, 5])), "0→2 =4   1→3 =5"),
        (send([[0], [1]], [2, 3]), "0→2 =0   0→3 =0   1→2 =0   1→3 =0"),
        (reduce(THREE, (THREE + 1) % 3, THREE - 1 & 1), "0→1 +1   1→2 +0   2→0 +1"),
        (send(0, 1, [0, 3], count=[1, 2]), "0→1 =0   0→1 =3..4"),
        (send(np.uint8(7), np.int32(1)), "7→1 =0"),
    ],
)
def test_arguments_mix_as_in_numpy(step, text):
    assert str(step) == text


@pytest.mark.parametrize("verb", [send, reduce])
@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((0.5, 1), "src must be integers, not float64 like 0.5"),
        ((0, [1.0]), "dst must be integers"),
        ((0, 1, "2"), "chunk must be integers"),
        ((0, 1, 0, 2.5), "into must be integers"),
        ((0, 1, 0, 0, None), "count must be integers"),
        ((0, 1, 0, 0, 1.0), "count must be integers"),
        ((0, THREE == 1), "a mask selects rows, as in rank[mask]"),
        ((0, 10**30), "dst must be integers"),
        (([[0, 1], [2]], 1), "src is ragged"),
        (([0, 1], [0, 1, 2]), "shapes (2,) and (3,), which differ"),
        ((0, [1, 2], 0, None, [1, 2, 3]), "shapes (2,) and (3,), which differ"),
    ],
)
def test_other_arguments_are_refused(verb, arguments, problem):
    with pytest.raises(WrongSchedule) as refusal:
        verb(*arguments)
    assert problem in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_an_author_may_reuse_an_array_after_the_yield():
    def reusing():
        columns = np.zeros((3, 2), np.intp)
        for step in range(1, 3):
            columns[:] = step
            yield send(*columns)

    assert table(list(reusing())) == "step 1   1→1 =1   1→1 =1\nstep 2   2→2 =2   2→2 =2"


@pytest.mark.parametrize("dtype", [np.int8, np.int64, np.uint32])
@pytest.mark.parametrize("name", ["src", "dst", "chunk", "into", "count"])
def test_columns_belong_to_the_step(name, dtype):
    given = {n: np.array([1, 2], dtype) for n in ("src", "dst", "chunk", "into", "count")}
    step = send(**given)
    given[name][:] = 9
    column = getattr(step, name)
    assert column.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 0


@pytest.mark.parametrize("name", ["src", "dst", "chunk", "into", "count", "reduces", "origin"])
@pytest.mark.parametrize(
    "step",
    [
        send(0, [1, 2]),
        merged([send(0, 1), reduce(1, 0)]),
        send(0, 1, count=2).unrolled(),
        send(0, [1, 2]).select(np.array([1])),
    ],
    ids=["send", "merged", "unrolled", "select"],
)
def test_no_column_can_be_written(step, name):
    with pytest.raises(ValueError, match="read-only"):
        getattr(step, name)[0] = 0


@pytest.mark.parametrize("nothing", [[], np.arange(0), range(0)])
def test_a_step_may_be_empty(nothing):
    step = send(0, nothing)
    assert len(step) == 0
    assert table([step, send(0, 1), step]) == "step 1   0→1 =0"


def test_unrolled_has_a_row_per_slot():
    step = merged([send(0, 1, 2, 5, 3), reduce(1, 0, 7)]).unrolled()
    assert rows(step) == [
        Row(0, 1, 2, 5, 1, False),
        Row(0, 1, 3, 6, 1, False),
        Row(0, 1, 4, 7, 1, False),
        Row(1, 0, 7, 7, 1, True),
    ]
    assert step.origin.tolist() == [0, 0, 0, 1]


def test_unrolled_leaves_single_slots_alone():
    step = send(0, [1, 2], count=[1, 1])
    assert step.unrolled() is step


def test_select_takes_rows_in_the_order_given():
    step = reduce([0, 1, 2], [3, 4, 5], [6, 7, 8]).select(np.array([2, 0]))
    assert str(step) == "2→5 +8   0→3 +6"


def test_merged_keeps_the_order_of_rows_and_steps():
    step = merged([reduce(0, [1, 2]), send(3, 4), reduce(5, 6, count=2)])
    assert str(step) == "0→1 +0   0→2 +0   3→4 =0   5→6 +0..1"
    assert step.origin.tolist() == [0, 0, 1, 2]
    assert len(step.stamps) == 3


def test_merged_of_one_is_that_step():
    step = send(0, 1)
    assert merged([step]) is step
