"""Steps that were sent as bytes are those that were made; damaged bytes are refused."""

import json

import numpy as np
import pytest

from collectives.errors import BadInput, Deadlock, Endless, NotInstalled, Waiting, WrongSchedule
from collectives.recording.step_bytes import LENGTH, StepReader, StepWriter
from collectives.schedule import reduce, send, together, within
from collectives.schedule.spmd import Recv, Send, matched, sendrecv
from collectives.schedule.stamping import stamped
from collectives.schedule.step import COLUMNS


def pairs(n):
    rank = np.arange(n)
    for step in range(3):
        # each to its neighbor
        yield reduce(rank, (rank + 1) % n, chunk=step)
    yield send(0, 1, chunk=2, into=[5, 6], count=3, needs=1)


def rows():
    yield from together(pairs(4), within(np.arange(8).reshape(2, 4), pairs(4), width=1))


def program(rank, n):
    yield sendrecv(Send((rank + 1) % n, 0), Recv((rank - 1) % n, 1))
    if rank == 0:
        yield Send(1, 1)
    elif rank == 1:
        yield Recv(0, 2)


def reader(*messages):
    data = memoryview(b"".join(messages))

    def take(size):
        nonlocal data
        taken, data = bytes(data[:size]), data[size:]
        return taken

    return StepReader(take)


@pytest.mark.parametrize("make", [rows, lambda: matched(program(k, 3) for k in range(3))])
def test_steps_come_as_they_were_made(make):
    writer = StepWriter()
    steps = list(stamped(make()))
    received = reader(*map(writer.step, steps))
    for step in steps:
        found = received.step(received.message())
        for name in (*COLUMNS, "needs"):
            made, came = getattr(step, name), getattr(found, name)
            assert (made is None) == (came is None)
            if made is not None:
                assert np.array_equal(made, came) and made.strides == came.strides
                assert not came.flags.writeable
        assert (found.into is found.chunk) == (step.into is step.chunk)
        assert (found.stamps, found.groups, found.standing) == (
            step.stamps,
            step.groups,
            step.standing,
        )


def test_a_line_that_several_ranks_stand_at_is_sent_once():
    step = next(matched(program(k, 3) for k in range(3)))
    sent = reader(StepWriter().step(step)).message()
    assert len(sent["order"]) == 6 and len(sent["stamps"]) == 3


def test_a_deadlock_comes_with_who_waits():
    stamp = next(stamped(pairs(4))).stamps[0]
    sent = Deadlock("deadlock: …", waiting=[Waiting(0, 1, True, "mine.py", 3, stamp)])
    received = reader(StepWriter().problem(sent))
    found = received.problem(received.message())
    assert type(found) is Deadlock
    assert (str(found), found.waiting) == (str(sent), sent.waiting)


def test_problems_keep_what_they_are():
    sent = [BadInput("no"), WrongSchedule("bad"), Endless("more"), NotInstalled("it", "video")]
    received = reader(*map(StepWriter().problem, sent))
    kinds = [type(received.problem(received.message())) for _ in sent]
    assert kinds == [BadInput, WrongSchedule, Endless, BadInput]


def message(**content):
    text = json.dumps({"kind": "step", **content}).encode()
    return len(text).to_bytes(LENGTH, "little") + text


STEP = {
    "rows": 1,
    "columns": [[name, True] for name in COLUMNS],
    "stamps": [[]],
    "order": [0],
    "sources": [],
    "groups": [],
    "grouped": [-1],
    "waits": [],
}


@pytest.mark.parametrize(
    "damage",
    [
        {"rows": 0},
        {"rows": -5},
        {"rows": "many"},
        {"rows": 1 << 60, "columns": [["src", False]]},
        {"columns": [["src", True]]},
        {"columns": [["os", True]]},
        {"columns": 5},
        {"stamps": [[[3, 1, {}, False]]]},
        {"order": [1]},
        {"order": [-1]},
        {"order": [0.0]},
        {"sources": [["f", "mine.py", "one", ""]]},
        {"waits": [[1.5]]},
        {"grouped": [7]},
        {"columns": None},
    ],
    ids=str,
)
def test_damaged_messages_are_refused(damage):
    columns = b"\0" * (6 * 8 + 1)
    whole = reader(message(**STEP), columns)
    assert len(whole.step(whole.message())) == 1
    damaged = reader(message(**STEP | damage), columns)
    with pytest.raises((BadInput, ValueError, TypeError)):
        damaged.step(damaged.message())


def test_why_nothing_comes_is_not_taken_for_damage():
    parts = [(5).to_bytes(LENGTH, "little")]

    def take(size):
        if not parts:
            raise WrongSchedule("own code has ended its process")
        return parts.pop()

    with pytest.raises(WrongSchedule, match="has ended"):
        StepReader(take).message()


@pytest.mark.parametrize(
    "data", [b"\xff" * 20, b"\1" + b"\0" * 7 + b"[", b"\2" + b"\0" * 7 + b"[]"]
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(BadInput):
        reader(data).message()
