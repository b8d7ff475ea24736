"""Programs that put and signal: matched into steps, proved, and none that races goes unseen."""

import numpy as np
import pytest
from each import each
from one_sided_interpreter import broken, outcomes
from settings import THOROUGH

import collectives
from collectives import Deadlock, WrongSchedule
from collectives.algorithms.per_rank.one_sided import (
    direct_all_to_all,
    one_shot_all_reduce,
    ring_all_gather,
)
from collectives.schedule import table
from collectives.schedule.spmd import (
    Add,
    Copy,
    Fence,
    Put,
    Quiet,
    Recv,
    RecvReduce,
    Renamed,
    Send,
    Signal,
    WaitSignal,
    matched,
    sendrecv,
    start,
)

ORDERS = 300 if THOROUGH else 40


def steps(program, ranks):
    return list(matched(program(rank, ranks) for rank in range(ranks)))


def of(*lists):
    """Programs that yield these operations."""

    def program(rank, n):
        yield from (operation for operation in lists[rank])

    return program


def fenced_all_gather(rank, n):
    """One signal for all steps: what follows a fence cannot overtake it."""
    for step in range(n - 1):
        yield Put((rank + 1) % n, (rank - step) % n, signal=0)
        yield WaitSignal((rank - 1) % n)
        yield Fence()


def apart_all_gather(rank, n):
    """Data, then a fence, then a signal."""
    others = [(rank + k) % n for k in range(1, n)]
    for peer in others:
        yield Put(peer, rank)
    yield Fence()
    for peer in others:
        yield Signal(peer)
    for peer in others:
        yield WaitSignal(peer)


def credited_broadcast(rank, n):
    """One slot for all messages: the receiver signals when it has used the last."""
    for k in range(3):
        if rank == 0 and n > 1:
            yield Put(1, k, into=3, signal=0)
            yield WaitSignal(1)
        elif rank == 1:
            yield WaitSignal(0)
            yield Copy(3, into=k)
            yield Signal(0)


RIGHT = {
    "one_shot_all_reduce": (one_shot_all_reduce, 3),
    "ring_all_gather": (ring_all_gather, 4),
    "direct_all_to_all": (direct_all_to_all, 3),
    "fenced_all_gather": (fenced_all_gather, 4),
    "apart_all_gather": (apart_all_gather, 3),
    "credited_broadcast": (credited_broadcast, 2),
}


@each(
    ("program", "options"),
    [
        (one_shot_all_reduce, {"slots": 1, "scratch": lambda n: n}),
        (ring_all_gather, {}),
        (direct_all_to_all, {}),
        (fenced_all_gather, {}),
        (apart_all_gather, {}),
    ],
    lambda case: case[0].__name__,
)
def test_programs_that_put_are_proved(program, options):
    verdict = collectives.check(program, ranks=range(1, 14), **options)
    assert verdict, str(verdict)


def test_puts_of_one_moment_are_a_step_and_so_are_sums_after_them():
    assert table(steps(one_shot_all_reduce, 2)).splitlines() == [
        "step 1   0→1 =0:1   1→0 =0:2",
        "step 2   0→0 +2:0   1→1 +1:0",
    ]
    assert [len(step) for step in steps(one_shot_all_reduce, 5)] == [20, 20]


def test_what_reads_what_a_step_writes_comes_in_the_next_step():
    operations = [Copy(0, 1), Add(2, 1), Add(3, 1), Put(1, 1, signal=0), Copy(3, 4)]
    assert table(steps(of(operations, [WaitSignal(0)]), 2)).splitlines() == [
        "step 1   0→0 =0:1",
        "step 2   0→0 +2:1   0→0 +3:1",
        "step 3   0→1 =1   0→0 =3:4",
    ]


def test_a_renamed_program_puts_in_its_team():
    def program(rank, n):
        if rank % 2:
            yield from Renamed(range(1, n, 2), ring_all_gather(rank // 2, n // 2), 4, 3)

    assert [str(step) for step in steps(program, 4)] == ["1→3 =4..6   3→1 =7..9"]


def test_a_put_takes_several_slots_to_others_and_numbers_of_numpy():
    put = Put(np.int64(1), np.int32(0), into=4, count=2, signal=np.int8(3))
    made = steps(of([put], [WaitSignal(0, 3)]), 2)
    assert table(made) == "step 1   0→1 =0..1:4..5"


@each("name", RIGHT)
def test_no_program_without_one_of_its_operations_is_accepted_that_is_wrong_in_some_order(name):
    program, ranks = RIGHT[name]
    whole = [list(program(rank, ranks)) for rank in range(ranks)]
    steps(of(*whole), ranks)
    assert len(outcomes(whole, ORDERS)) == 1 and outcomes(whole, 1) != [None]
    shown, races = 0, []
    for at, kind, programs in broken(whole):
        found = outcomes(programs, ORDERS)
        try:
            steps(of(*programs), ranks)
        except Deadlock:
            assert None in found, (name, at, kind)
        except WrongSchedule as problem:
            races.append(str(problem))
            shown += len(found) > 1
        else:
            assert len(found) == 1 and found != [None], (name, at, kind)
    assert all(text.startswith("race for slot ") for text in races)
    assert shown >= 0.7 * len(races), (name, shown, races)


PUT, HEARS = Put(1, signal=0), WaitSignal(0)
RACES = [
    ([Send(1), PUT], [Recv(0), HEARS], "receives into it", "rank 0 puts", "rank 1 Signal(0) after"),
    ([PUT], [], "slot 0 of rank 1: rank 0 puts", "and rank 1 ends with it", "rank 1 WaitSignal(0)"),
    ([Put(1)], [], "rank 0 puts into it (", "rank 1 ends", "Put(…, signal=0), and on rank 1"),
    ([Put(1), Signal(1, 2)], [WaitSignal(0, 2)], "rank 0 puts", "rank 1 ends", "Fence() before"),
    ([PUT, Put(1, 1, signal=0)], [HEARS, Copy(0, 2), HEARS], "slot 0", "copies it", "another sig"),
    ([PUT, Put(1, signal=1)], [HEARS, WaitSignal(0, 1)], "slot 0", "puts into it", "Fence() bet"),
    ([PUT, Copy(1, 0)], [HEARS], "puts it to rank 1", "copies into it", "Quiet() between them"),
    ([PUT], [Add(0, 1), HEARS], "rank 1 adds it", "rank 0 puts into it", "rank 1 Signal(0) after"),
    ([PUT], [Put(0, 0, 5), HEARS], "puts it to rank 0", "puts into it", "Quiet() and Signal(0)"),
    ([PUT, Recv(1)], [Send(0), HEARS], "slot 0 of rank 1", "sends it", "rank 1 Signal(0) after"),
    (
        [start(Send(1)), Copy(1, 0)],
        [Recv(0, 1)],
        "sends it",
        "copies into it",
        "wait for the first",
    ),
]


@each(("one", "other", "first", "second", "near"), RACES, lambda case: case[2:])
def test_a_race_names_the_slot_both_operations_and_what_orders_them(
    one, other, first, second, near
):
    with pytest.raises(WrongSchedule) as raised:
        steps(of(one, other), 2)
    said = str(raised.value)
    assert said.startswith("race for slot ") and "\n" not in said
    assert first in said and second in said and near in said.partition("; try: ")[2], said


def test_two_ranks_that_put_into_one_slot_race():
    with pytest.raises(WrongSchedule, match=r"rank \d puts .* rank \d puts .*a slot for each rank"):
        steps(of([Put(2, signal=0)], [Put(2, signal=0)], [WaitSignal(0), WaitSignal(1)]), 3)


def ordered(*lists):
    return lambda: steps(of(*lists), len(lists))


@each(
    "made",
    [
        ordered([Put(1), Fence(), Put(1, signal=0)], [HEARS]),
        ordered([Put(1), Fence(), Signal(1)], [HEARS]),
        ordered([Put(1), Quiet(), Send(1, 1)], [Recv(0, 1)]),
        ordered([PUT, Recv(1, 1), Copy(1, 0)], [HEARS, Send(0, 1)]),
        ordered([PUT, WaitSignal(1), PUT], [HEARS, Copy(0, 1), Signal(0), HEARS]),
        ordered([sendrecv(Send(1), Recv(1)), PUT], [sendrecv(Send(0), Recv(0, 1)), HEARS]),
        ordered([RecvReduce(1), PUT], [Send(0), HEARS]),
    ],
    lambda made: "ordered",
)
def test_what_is_in_order_is_no_race(made):
    assert made()


BAD = [
    (Put(2), "to 2: there are ranks 0 to 1"),
    (Put(1, count=0), "count 0: at least 1; try: 1"),
    (Put(1, signal=-1), "signal -1: at least 0; try: 0"),
    (Put(1, into=0.5), "into 0.5: must be a whole number"),
    (Signal(-1), "to -1: there are"),
    (WaitSignal(1, count=0), "count 0: at least 1"),
    (WaitSignal(1, 3, 2), "rank 0 waits for signal 3 from rank 1 to rise 2 more times ("),
    (Copy(0, -1), "into -1: at least 0"),
]


@each(("operation", "said"), BAD, lambda case: case[1])
def test_what_is_wrong_is_said_in_one_line(operation, said):
    with pytest.raises(WrongSchedule) as raised:
        steps(of([operation], []), 2)
    assert said in str(raised.value) and "\n" not in str(raised.value)


def test_a_wait_that_no_signal_ends_is_a_deadlock():
    with pytest.raises(Deadlock, match="all wait before they signal") as raised:
        steps(of([WaitSignal(1), Signal(1)], [WaitSignal(0), Signal(0)]), 2)
    assert raised.value.cycle == (0, 1)
    with pytest.raises(Deadlock, match=r"from rank 1 .*, which does no more"):
        steps(of([WaitSignal(1)], []), 2)
