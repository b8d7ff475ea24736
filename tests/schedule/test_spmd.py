"""Programs of single ranks: matched into steps, and what is wrong with them in one line."""

import numpy as np
import pytest
from each import each
from settings import THOROUGH

import collectives
from collectives import Deadlock, WrongSchedule, send
from collectives.errors import Endless
from collectives.schedule import effort, table
from collectives.schedule.effort import most_operations
from collectives.schedule.spmd import (
    Recv,
    RecvReduce,
    Renamed,
    Send,
    idle,
    matched,
    sendrecv,
    start,
    wait,
)


def steps(program, ranks, **parameters):
    return list(matched(program(rank, ranks, **parameters) for rank in range(ranks)))


def text(program, ranks):
    return table(steps(program, ranks)).splitlines()


def chain(rank, n):
    if rank:
        yield Recv(rank - 1)
    if rank < n - 1:
        # the last rank reached sends the data on
        yield Send(rank + 1)


def test_a_rank_goes_on_when_its_operation_is_done():
    assert text(chain, 4) == ["step 1   0→1 =0", "step 2   1→2 =0", "step 3   2→3 =0"]


def test_a_transfer_has_the_line_of_its_send():
    step = steps(chain, 3)[1]
    frame = step.stamps[0][-1]
    assert frame.source.function == "chain"
    assert frame.source.caption(frame.line) == "the last rank reached sends the data on"
    assert dict(frame.locals) == {"rank": 1, "n": 3}


def swap(rank, n):
    yield sendrecv(Send(1 - rank, 0), Recv(1 - rank, 0))


def test_sendrecv_reads_all_before_it_writes():
    recording = collectives.record(
        matched(swap(r, 2) for r in (0, 1)), collective="all_to_all", ranks=2, slots=2
    )
    assert [str(step) for step in recording.steps] == ["1→0 =0   0→1 =0"]


def early(rank, n):
    if rank == 0:
        first = yield start(Send(1, 0))
        second = yield start(Send(1, 1), Recv(1, 2))
        yield Send(2)
        yield wait(first, second)
    elif rank == 1:
        yield idle()
        yield idle()
        yield Recv(0, 3)
        yield sendrecv(Recv(0, 4), Send(0, 5))
    else:
        yield Recv(0)


def test_what_was_started_is_matched_in_its_order_while_the_rank_goes_on():
    assert text(early, 3) == [
        "step 1   0→2 =0",
        "step 2   0→1 =0:3",
        "step 3   1→0 =5:2   0→1 =1:4",
    ]


def tagged(rank, n):
    if rank == 0:
        yield start(Send(1, 0, tag=7), Send(1, 1, tag=8))
    else:
        yield Recv(0, 1, tag=8)
        yield RecvReduce(0, 0, tag=7)


def test_tags_choose_the_message():
    assert text(tagged, 2) == ["step 1   0→1 =1", "step 2   0→1 +0"]


def test_a_renamed_program_runs_on_its_team():
    def program(rank, n):
        team = range(0, n, 2)
        if rank in team:
            yield from Renamed(team, chain(rank // 2, len(team)), first=1, width=3)

    found = steps(program, 5)
    assert table(found).splitlines() == ["step 1   0→2 =1..3", "step 2   2→4 =1..3"]
    assert [frame.source.function for frame in found[0].stamps[0]] == ["program", "chain"]


def test_numbers_of_numpy_are_numbers():
    def program(rank, n):
        yield sendrecv(Send(np.int64(rank), np.int32(0)), Recv(rank, 1, np.int8(1)))

    assert text(program, 1) == ["step 1   0→0 =0:1"]


def all_send(rank, n):
    yield Send((rank + 1) % n)
    yield Recv((rank - 1) % n)


def all_receive(rank, n):
    yield Recv((rank - 1) % n)
    yield Send((rank + 1) % n)


@each(
    ("program", "ranks", "cycle", "said"),
    [
        (all_send, 3, (0, 1, 2), "all send before they receive"),
        (all_receive, 3, (0, 2, 1), "all receive before they send"),
        (all_send, 9, tuple(range(9)), "and so on through 9 ranks"),
    ],
)
def test_a_deadlock_names_who_waits_for_whom(program, ranks, cycle, said):
    with pytest.raises(Deadlock, match=said) as raised:
        steps(program, ranks)
    assert raised.value.cycle == cycle
    assert sorted(rank for rank, _ in raised.value.waits) == list(range(ranks))
    assert f"rank {cycle[0]} waits to " in str(raised.value)
    assert f"rank {cycle[1]} (test_spmd.py line " in str(raised.value)


def test_a_deadlock_stays_one_through_record_and_check():
    made = matched(all_send(rank, 3) for rank in range(3))
    with pytest.raises(Deadlock, match="step 1: deadlock: rank 0 waits") as raised:
        collectives.record(made, collective="all_reduce", ranks=3)
    assert raised.value.cycle == (0, 1, 2) == raised.value.recording.refused.deadlock.cycle
    verdict = collectives.check(all_send, collective="all_reduce", ranks=[1, 3])
    assert "all_send on 1 rank: step 1: deadlock: rank 0 waits to send" in str(verdict)


def of_rank_0(*operations):
    """A program whose rank 0 yields these, while the others end."""

    def program(rank, n):
        if rank == 0:
            yield from (operation for operation in operations)

    return program


def of_two(one, other):
    def program(rank, n):
        yield (one, other)[rank]

    return program


BAD = [
    (of_rank_0(Recv(1)), "rank 0 waits to receive chunk 0 from rank 1 (", "which does no more"),
    (of_rank_0(start(Send(1, 2))), "starts to send chunk 2 to rank 1 (", "never receives it"),
    (of_rank_0(start(Recv(1))), "starts to receive chunk 0 from rank 1", "never sends it"),
    (of_two(Send(1, tag=1), Recv(0, tag=2)), "to rank 1 with tag 1 (", "their tags differ"),
    (of_two(Send(1, 0, 2), Recv(0)), "chunks 0 to 1 to rank 1 (", "as many slots at both ends"),
    (of_rank_0(send(0, 1)), "is no operation of a rank", "make a step of all ranks"),
    (of_rank_0(5), "5 is no operation of a rank", "Recv(source, chunk)"),
    (of_rank_0((Send(1), Recv(1))), "no operation", "sendrecv(Send"),
    (of_rank_0(chain(0, 1)), "no operation of a rank", "yield from it"),
    (of_rank_0(sendrecv(Send(1), 3)), "3 is no operation of a rank", "yield Send"),
    (of_rank_0(Send(2)), "to 2: there are ranks 0 to 1", "try: 2 % 2 = 0"),
    (of_rank_0(Recv(-1)), "source -1: there are", "-1 % 2 = 1"),
    (of_rank_0(Send(0.5)), "to 0.5: must be a whole number", "rank 0 ("),
    (of_rank_0(Send(1, True)), "chunk True: must be a whole number", "rank 0 ("),
    (of_rank_0(Send(1, 1 << 70)), "chunk 11805", "must be a whole number"),
    (of_rank_0(wait(4)), "wait(4)", "request = yield start(Send(1))"),
    (lambda rank, n: 5, "rank 0: its program is 5", "must yield operations"),
]


@each(("program", "what", "hint"), BAD, lambda case: case[1])
def test_what_is_wrong_is_said_in_one_line(program, what, hint):
    with pytest.raises(WrongSchedule) as raised:
        steps(program, 2)
    said = str(raised.value)
    assert what in said and hint in said and "\n" not in said


def idles(rank, n):
    while True:
        yield idle()


def starts(rank, n):
    while True:
        yield start(Send((rank + 1) % n))


def waits(rank, n):
    while True:
        yield wait()


def plays_ping_pong(rank, n):
    while True:
        yield Send(1 - rank, 0) if rank == 0 else Recv(1 - rank, 0)
        yield Recv(1 - rank, 0) if rank == 0 else Send(1 - rank, 0)


def plays_on(rank, n):
    while True:
        yield sendrecv(Send((rank + 1) % n), Recv((rank - 1) % n))


def turns_to_others(rank, n):
    """Two ranks play on, while another one waits for nothing."""
    yield from waits(rank, n) if rank == 2 else plays_ping_pong(rank, n)


@each(
    ("program", "ranks", "said"),
    [
        (idles, 2, "4104 operations in a row of which none is matched"),
        (starts, 2, "4104 operations in a row of which none is matched"),
        (waits, 2, "4104 operations in a row of which none is matched"),
        (turns_to_others, 3, "4114 operations in a row of which none is matched"),
        (plays_ping_pong, 2, "1000 steps of programs of ranks"),
        (plays_on, 16, "17408 operations of all ranks"),
    ],
)
def test_programs_that_never_end_are_stopped_at_their_line(program, ranks, said, monkeypatch):
    monkeypatch.setattr(effort, "MAX_OPERATIONS", 1 << 14)
    monkeypatch.setattr(effort, "MAX_UNMATCHED", 1 << 12)
    monkeypatch.setattr(effort, "MAX_STEPS", 1000)
    said = rf"^rank \d+ \(test_spmd.py line \d+\): more than {said} are not run; does it ever end\?"
    with pytest.raises(Endless, match=said):
        for _ in matched(program(rank, ranks) for rank in range(ranks)):
            pass


def idles_between(rank, n, times, idles):
    for _ in range(times):
        for _ in range(idles):
            yield idle()
        yield Send(1 - rank) if rank == 0 else Recv(1 - rank)


def test_each_limit_is_reached_and_not_exceeded(monkeypatch):
    monkeypatch.setattr(effort, "MAX_OPERATIONS", 384)  # of two ranks 400
    monkeypatch.setattr(effort, "MAX_UNMATCHED", 92)  # of two ranks 100 in a row
    monkeypatch.setattr(effort, "MAX_STEPS", 8)
    assert most_operations(2) == 400
    assert len(steps(idles_between, 2, times=8, idles=24)) == 8
    for times, each_time, said in (
        (9, 1, "more than 8 steps"),
        (1, 50, "more than 100 operations in a row"),
        (8, 25, "more than 400 operations of all"),
    ):
        with pytest.raises(Endless, match=said):
            steps(idles_between, 2, times=times, idles=each_time)


def test_more_ranks_may_take_more_operations_enough_for_a_ring():
    most = [most_operations(ranks) for ranks in range(1, 3000)]
    assert sorted(most) == most
    # a ring all-reduce takes 2 (n - 1) steps, in each of which a rank sends and receives; and
    # each rank may begin to send to all, and to receive from all, before any of it is matched
    assert all(limit >= 4 * n * (n - 1) for n, limit in enumerate(most, 1))
    assert all(effort.Effort(n).unmatched >= 2 * n * (n - 1) for n in (2, 64, 1024, 3000))


def passes_chunks_on(rank, n, chunks):
    for chunk in range(chunks):
        if rank:
            yield Recv(rank - 1, chunk)
        if rank < n - 1:
            yield Send(rank + 1, chunk)


def test_a_long_program_that_ends_is_run():
    ranks, chunks = (64, 2049) if THOROUGH else (2, 12_000)
    made = steps(passes_chunks_on, ranks, chunks=chunks)
    assert sum(map(len, made)) == (ranks - 1) * chunks


def test_an_endless_program_is_shown_up_to_some_steps(monkeypatch):
    monkeypatch.setattr(effort, "MAX_STEPS", 1000)
    programs = (plays_ping_pong(rank, 2) for rank in range(2))
    with pytest.raises(WrongSchedule, match="more than 1000 steps") as raised:
        collectives.record(matched(programs), collective="broadcast", ranks=2, slots=1)
    assert 0 < len(raised.value.recording.steps) <= 32


def test_an_operation_of_one_rank_is_no_step_of_all():
    with pytest.raises(WrongSchedule, match="a program of one rank takes rank as an argument"):
        collectives.record([Send(1)], collective="broadcast", ranks=2)


def ring_all_gather(rank, n):
    for step in range(n - 1):
        chunk = (rank - step) % n
        yield sendrecv(Send((rank + 1) % n, chunk), Recv((rank - 1) % n, (chunk - 1) % n))


def test_a_function_of_rank_is_checked_as_the_program_of_one_rank():
    assert collectives.check(ring_all_gather, ranks=range(1, 8))
    broken = collectives.check(chain, collective="all_gather", ranks=3)
    assert "chain on 3 ranks" in str(broken) and not broken
