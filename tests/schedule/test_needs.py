"""What a transfer needs beside what it moves: in steps, combinators, rules, execution and files."""

import numpy as np
import pytest

from collectives import (
    WrongSchedule,
    backwards,
    load,
    pipelined,
    record,
    reduce,
    save,
    send,
    together,
    transposed,
)
from collectives.collective import exchange
from collectives.recording.memory import EmptySlot
from collectives.recording.saved import digest, to_json
from collectives.schedule import merged
from collectives.schedule.combinators import within
from collectives.schedule.validate import checked

HANDED_ON = [send(0, 1, 0, 1), send(1, 2, 0, 1, needs=1)]


def lines(schedule):
    return [str(step) for step in schedule]


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (send(1, 0, 0, 1, needs=1), "1→0 =0:1 needs 1"),
        (reduce(1, 0, needs=2), "1→0 +0 needs 2"),
        (send(1, 0, 0, 1, 2, 4), "1→0 =0..1:1..2 needs 4..5"),
        (send([1, 2], 0, [3, 4], needs=[3, 5]), "1→0 =3   2→0 =4 needs 5"),
        (send(1, 0, needs=[1, 2]), "1→0 =0 needs 1   1→0 =0 needs 2"),
        (merged([send(0, 1, 3), reduce(1, 0, needs=2)]), "0→1 =3   1→0 +0 needs 2"),
        (send([0, 1], 2, needs=[4, 5]).select(np.array([1])), "1→2 =0 needs 5"),
        (send(0, 1, count=2, needs=4).unrolled(), "0→1 =0 needs 4   0→1 =1 needs 5"),
        (send(0, 1, needs=4).like(np.array([2]), np.array([3]), ((),)), "2→3 =0 needs 4"),
    ],
)
def test_a_row_says_what_it_needs(step, text):
    assert str(step) == text


def test_the_column_belongs_to_the_step():
    needs = np.array([1, 2])
    step = send(0, [1, 2], needs=needs)
    needs[:] = 9
    assert step.needs.tolist() == [1, 2]
    with pytest.raises(ValueError, match="read-only"):
        step.needs[0] = 0


@pytest.mark.parametrize(
    ("needs", "problem"),
    [(0.5, "needs must be integers"), ([1, 2, 3], "shapes (2,) and (3,), which differ")],
)
def test_other_values_are_refused(needs, problem):
    with pytest.raises(WrongSchedule) as refusal:
        send(0, [1, 2], needs=needs)
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (together(HANDED_ON, [send(3, 4), send(4, 5)]), "1→2 =0:1 needs 1   4→5 =0"),
        (pipelined(HANDED_ON, range(2), width=2), "1→2 =0:1 needs 1   0→1 =2:3"),
        (within([[0, 1, 2], [5, 4, 3]], HANDED_ON, [0, 4]), "1→2 =0:1 needs 1   4→3 =4:5 needs 5"),
        (within([0, 1, 2], HANDED_ON, 1, width=3), "1→2 =1..3:4..6 needs 4..6"),
    ],
)
def test_combinators_take_it_along(schedule, expected):
    assert lines(schedule)[1] == expected


def test_pipelined_moves_it_with_its_chunk():
    assert lines(pipelined(HANDED_ON, [0, 3], width=2))[-1] == "1→2 =6:7 needs 7"
    with pytest.raises(WrongSchedule, match="uses slot 2; it may use slots 0 to 1 only"):
        list(pipelined([send(0, 1, needs=2)], [0], width=2))


@pytest.mark.parametrize("turn", [backwards, transposed])
def test_it_cannot_be_reversed(turn):
    with pytest.raises(WrongSchedule) as refusal:
        list(turn(HANDED_ON))
    assert "rank 1 needs slot 1 to send slot 0; try: write the reverse" in str(refusal.value)
    assert lines(turn([send(0, 1, needs=0)])) == lines(turn([send(0, 1)]))


def test_slots_that_do_not_exist_are_refused():
    size = np.full((3, 2), 5)
    for needs, text in ((2, "slot 2 does not exist"), (-1, "slot -1 does not exist")):
        with pytest.raises(WrongSchedule, match=f"step 1: {text}; there are 2, 0 to 1"):
            list(checked([send(0, 1, needs=needs)], size))


def test_a_row_that_needs_what_it_reads_needs_nothing_more():
    plain, same = (record([step], collective="broadcast", ranks=2, slots=1) for step in two_sends())
    assert same.steps[0].needs is None
    assert digest(same.steps) == digest(plain.steps)


def two_sends():
    return send(0, 1), send(0, 1, needs=0)


def own(needs=1, at_once=False):
    """A ping-pong, in which the second rank answers when it has a slot; in one step or in two."""
    steps = [send(0, 1, into=1), send(1, 0, into=1, needs=needs)]
    steps = [merged(steps)] if at_once else steps
    pairs = exchange([(0, 0, 1, 0), (1, 0, 0, 0)])
    return record(steps, collective=pairs, ranks=2, slots=1, scratch=1)


def test_what_is_needed_must_be_there():
    assert own().check()
    broken = own(needs=2)
    with pytest.raises(EmptySlot) as problem:
        broken.execute()
    assert str(problem.value) == (
        "step 2: slot 2 of rank 1 is needed, but nothing was written there"
    )
    assert (
        "step 2: rank 1 sends its slot 0 into slot 1 of rank 0 and needs slot 2 of rank 1 for it, "
        "but nothing was written into slot 2 of rank 1 before"
    ) in str(broken.check())


def test_what_comes_in_the_same_step_is_not_there():
    assert own(needs=0, at_once=True).check()
    assert "and needs slot 1 of rank 1 for it, but nothing" in str(own(at_once=True).check())


def test_it_moves_no_bytes_and_no_provenance():
    one, other = own(needs=1), own(needs=0)
    assert one.bytes_sent == other.bytes_sent == [32, 32]
    assert one.state(2).times.tolist() == other.state(2).times.tolist()


def test_files_keep_it(tmp_path):
    recording = own()
    save(recording, tmp_path / "recording.json")
    again = load(tmp_path / "recording.json")
    assert [step.needs is None for step in again.steps] == [True, False]
    assert again.steps[1].needs.tolist() == [1]
    assert digest(again.steps) == digest(recording.steps) != digest(own(needs=0).steps)
    columns = (to_json(own(needs=needs))["packed"]["columns"] for needs in (0, 1))
    assert ["needs" in given for given in columns] == [False, True]
