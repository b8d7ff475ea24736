"""The program of each rank: run by ranks that only send and receive, it ends as the recording."""

from collections import defaultdict, deque
from itertools import pairwise

import numpy as np
import pytest
from each import each
from settings import THOROUGH, recorded, settings

from collectives import ROWS, BadInput, WrongSchedule, record, reduce, send
from collectives.recording.payload import OPERATORS
from collectives.recording.rank_program import rank_program, rank_programs

RANKS = (1, 2, 3, 4, 5, 6, 8, 12) if THOROUGH else (2, 6)


class Node:
    """A rank with slots of its own, which knows nothing but its program and what it is sent."""

    def __init__(self, number, program, slots, add, mail):
        self.number, self.slots, self.add, self.mail = number, slots, add, mail
        self.steps = defaultdict(list)
        for operation in program:
            self.steps[operation.step].append(operation)

    def run(self):
        """Yields whenever it has to wait for a message."""
        for _, step in sorted(self.steps.items()):
            written = []
            for one in step:
                if one.verb == "send":
                    taken = [self.slots[one.slot + k] for k in range(len(one.sizes))]
                    self.mail[self.number, one.peer].append(taken)
            for one in step:
                if one.verb == "send":
                    continue
                if one.verb in ("copy", "add"):
                    taken = [self.slots[one.source + k] for k in range(len(one.sizes))]
                else:
                    while not self.mail[one.peer, self.number]:
                        yield
                    taken = self.mail[one.peer, self.number].popleft()
                assert [len(part) for part in taken] == list(one.sizes)
                written.append((one, taken))
            for one, taken in written:
                adds = one.verb in ("reduce", "add")
                for slot, part in enumerate(taken, one.slot):
                    assert (slot in self.slots) or not adds
                    self.slots[slot] = self.add(self.slots[slot], part) if adds else part


def simulated(recording, seed=0):
    """What each node holds after its program; which node goes on next is chosen at random."""
    mail, nodes = defaultdict(deque), []
    end = np.cumsum([0, *recording.size])
    for number, program in enumerate(rank_programs(recording)):
        slots = {}
        if number < recording.ranks:
            row = [recording.inputs[number][a:b] for a, b in pairwise(end)]
            own = np.flatnonzero(recording.precondition[number]).tolist()
            slots = {slot: row[slot] if slot < len(row) else row[0][:0] for slot in own}
        nodes.append(Node(number, program, slots, OPERATORS[recording.op], mail))
    running, random, waited = [node.run() for node in nodes], np.random.default_rng(seed), 0
    while running:
        at = int(random.integers(len(running)))
        try:
            next(running[at])
            waited += 1
            assert waited < 10**6, "all of them wait"
        except StopIteration:
            running.pop(at)
    assert not any(mail.values()), "messages that nobody received"
    return [node.slots for node in nodes]


def agree(recording):
    """Every slot of every node ends with the same bits."""
    memory, sizes = recording.execute(), recording.sizes(len(recording.steps))
    for number, slots in enumerate(simulated(recording)):
        assert sorted(slots) == np.flatnonzero(memory.full[number]).tolist()
        for slot, held in slots.items():
            expected = memory.values[number, slot, : sizes[number, slot]]
            assert held.tobytes() == expected.tobytes(), f"slot {slot} of node {number}"


@each("row", ROWS, lambda row: row.title, few=12)
def test_programs_end_as_the_recording(row):
    for setting in settings(row, RANKS, all_roots=THOROUGH):
        agree(recorded(row, setting, 2 * setting.ranks + 1, dtype="float32"))


def test_a_sum_into_an_empty_slot_is_a_receive():
    steps = [reduce([0, 0], [1, 0], 0, 1, 2), send(1, 0, 1)]
    recording = record(steps, collective="broadcast", ranks=2, slots=3)
    found = [(one.verb, one.slot, one.source, len(one.sizes)) for one in rank_program(recording, 0)]
    assert found[:2] == [("send", 0, 0, 2), ("add", 1, 0, 2)]
    assert [one.verb for one in rank_program(recording, 1)] == ["recv", "send"]
    agree(recording)


def test_a_message_is_cut_where_some_of_its_slots_are_empty():
    steps = [send(0, 1, 1), reduce(0, 1, 0, count=3), send(1, 1, 1, 2)]
    recording = record(steps, collective="broadcast", ranks=2, slots=3, count=4)
    verbs = [(one.verb, one.slot, one.sizes) for one in rank_program(recording, 1)]
    assert verbs[1:4] == [("recv", 0, (2,)), ("reduce", 1, (1,)), ("recv", 2, (1,))]


def test_what_cannot_be_programs_is_said_in_one_line():
    recording = record("all_reduce", "ring", ranks=3)
    with pytest.raises(BadInput, match="rank"):
        rank_program(recording, 3)
    empty = record([send(1, 0, 1)], collective="broadcast", ranks=2)
    with pytest.raises(WrongSchedule, match="step 1: rank 1 reads slot 1, which is empty"):
        rank_programs(empty)
